"""Reading settings."""

from pathlib import Path

import pytest

from parcels.config import (
    getSetting,
    load_settings,
    merge_sections,
    parse_config,
    parse_duration,
    parse_size,
    parseConfig,
    reset_settings,
)
from parcels.errors import ConfigError

SAMPLE = """
[net]
attempts = 2
[net.carriers]
swiftpost = "http://${GATEWAY:-localhost}:9101"
"""


def test_placeholder_takes_value_from_environment():
    tree = parse_config(SAMPLE, {"GATEWAY": "gateway.test"})
    assert tree["net"]["carriers"]["swiftpost"] == "http://gateway.test:9101"


def test_placeholder_falls_back():
    assert parse_config(SAMPLE)["net"]["carriers"]["swiftpost"] == "http://localhost:9101"


def test_missing_variable_names_the_key():
    with pytest.raises(ConfigError, match="auth.signing_key"):
        parse_config('[auth]\nsigning_key = "${NOT_SET}"')


@pytest.mark.parametrize(("text", "seconds"), [("200ms", 0.2), ("15m", 900), ("14d", 1_209_600)])
def test_durations(text, seconds):
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(("text", "count"), [("12B", 12), ("1.5KB", 1536), ("2MB", 2_097_152)])
def test_sizes(text, count):
    assert parse_size(text) == count


def test_merge_goes_into_tables():
    merged = merge_sections({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}})
    assert merged == {"a": {"x": 1, "y": 3}}


def test_old_plugins_still_work(tmp_path: Path):
    file = tmp_path / "plugin.toml"
    file.write_text(SAMPLE, encoding="utf-8")
    tree = parseConfig(file, {"net": {"attempts": 9}})
    assert getSetting(tree, "net.attempts") == 9
    assert getSetting(tree, "net.nothing.here", "absent") == "absent"


def test_unknown_key_is_refused(tmp_path: Path):
    file = tmp_path / "service.toml"
    file.write_text("[net]\natempts = 2\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="net.atempts"):
        load_settings(file)


def test_sample_key_is_refused_in_production(tmp_path: Path):
    file = tmp_path / "service.toml"
    file.write_text('[service]\nenvironment = "production"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="signing_key"):
        load_settings(file)


def test_settings_are_read_once():
    reset_settings()
    assert load_settings() is load_settings()
