"""Reading the text of a settings file into plain dictionaries."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from ..errors import ConfigError

_PLACEHOLDER = re.compile(r"\$\{(?P<name>[A-Z][A-Z0-9_]*)(?::-(?P<fallback>[^}]*))?\}")
_DURATION = re.compile(r"^(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h|d)$")
_SIZE = re.compile(r"^(?P<number>\d+(?:\.\d+)?)(?P<unit>B|KB|MB|GB)$")

SECONDS_PER_UNIT = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
BYTES_PER_UNIT = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}


def parse_config(text: str, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Parse the text of a settings file into nested dictionaries.

    The text is TOML. Placeholders of the form ``${NAME}`` or ``${NAME:-fallback}``
    are replaced from `environ`; a placeholder without a value and without a
    fallback is an error that names the key it stands in.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"the settings are not valid TOML: {problem}") from problem
    return _expand(raw, environ or {}, path="")


def _expand(value: Any, environ: Mapping[str, str], path: str) -> Any:
    """Walk the tree and fill in placeholders inside every string."""
    if isinstance(value, dict):
        return {
            key: _expand(item, environ, f"{path}.{key}".lstrip(".")) for key, item in value.items()
        }
    if isinstance(value, list):
        return [_expand(item, environ, f"{path}[{index}]") for index, item in enumerate(value)]
    if not isinstance(value, str):
        return value

    def fill(match: re.Match[str]) -> str:
        name, fallback = match.group("name"), match.group("fallback")
        if name in environ:
            return environ[name]
        if fallback is None:
            raise ConfigError(f"{path} needs the environment variable {name}", key=path)
        return fallback

    return _PLACEHOLDER.sub(fill, value)


def parse_duration(text: str) -> float:
    """Turn a length of time such as ``15m`` or ``200ms`` into seconds."""
    match = _DURATION.match(text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a duration; write a number and ms, s, m, h or d")
    return float(match.group("number")) * SECONDS_PER_UNIT[match.group("unit")]


def parse_size(text: str) -> int:
    """Turn an amount of storage such as ``64KB`` or ``2MB`` into bytes."""
    match = _SIZE.match(text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a size; write a number and B, KB, MB or GB")
    return int(float(match.group("number")) * BYTES_PER_UNIT[match.group("unit")])


def merge_sections(base: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Lay one tree of settings over another; tables merge, other values replace."""
    merged = dict(base)
    for key, value in override.items():
        current = merged.get(key)
        if isinstance(current, Mapping) and isinstance(value, Mapping):
            merged[key] = merge_sections(current, value)
        else:
            merged[key] = value
    return merged
