"""Settings are strict: what is unknown or of the wrong type is refused with the nearest right one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from maguyva_nb.config import format_profile, load_profile, load_settings, profiles_folder
from maguyva_nb.errors import ConfigError
from maguyva_nb.types import Intent, Modality


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_article_profile_is_the_table_of_the_article() -> None:
    rows = load_settings().profile("article").weights
    assert {i: tuple(rows[i][m] for m in Modality) for i in Intent} == {
        Intent.FIND_DEFINITION: (0.2, 0.1, 0.6, 0.1),
        Intent.FIND_REFERENCES: (0.1, 0.2, 0.2, 0.5),
        Intent.UNDERSTAND_CODE: (0.5, 0.2, 0.2, 0.1),
        Intent.FIND_SIMILAR: (0.4, 0.3, 0.2, 0.1),
        Intent.IMPACT_ANALYSIS: (0.1, 0.1, 0.1, 0.7),
        Intent.EXACT_MATCH: (0.0, 0.9, 0.1, 0.0),
    }


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    base, changed = load_settings(), load_settings(written(tmp_path, "[search]\ntop = 3\n"))
    assert changed == replace(base, search=replace(base.search, top=3))


def test_the_users_file_lies_under_the_calls_file(home: Path, tmp_path: Path) -> None:
    user = home / "config/maguyva-nb/config.toml"
    user.parent.mkdir(parents=True)
    user.write_text("[search]\ntop = 3\ndepth = 50\n")
    got = load_settings(written(tmp_path, "[search]\ntop = 4\n")).search
    assert (got.top, got.depth) == (4, 50)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[search]\ntopp = 3", "search.top"),
        ("[serach]\ntop = 3", "search"),
        ("[search]\ntop = '3'", "must be int"),
        ("[search]\ntop = true", "must be int"),
        ("[search]\ntop = 0", "1 or more"),
        ("search = 3", "wrong shape"),
        ("[demotion]\ntest = 1.5", "between 0 and 1"),
        ("[fusion]\ncentrality_scale = 'pagerank_maxx'", "pagerank_max"),
        ("[profiles.mine.find_definition]\nsemantic = 1", "mine"),
        ("[profiles.article]\nfind_definition = { semantic = -1.0 }", "0 or more"),
        ("[presets.mine]\nmodalities = ['sematic']\nk = 3", "semantic"),
        ("[search\ntop = 3", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_refused_and_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_settings(written(tmp_path, text))


def test_a_profile_survives_its_file(tmp_path: Path) -> None:
    article = load_settings().profile("article")
    path = written(tmp_path, format_profile(article))
    assert load_profile(path).weights == article.weights


def test_a_saved_profile_is_found_by_name(home: Path) -> None:
    profiles_folder().mkdir(parents=True)
    (profiles_folder() / "mine.toml").write_text(format_profile(load_settings().profile("article")))
    assert load_settings().profile("mine").name == "mine"
    with pytest.raises(ConfigError, match="mine"):
        load_settings().profile("mien")


def test_a_profile_lacking_an_intent_is_refused(tmp_path: Path) -> None:
    text = "\n".join(format_profile(load_settings().profile("article")).splitlines()[1:])
    with pytest.raises(ConfigError, match="find_definition"):
        load_profile(written(tmp_path, text))


def test_settings_that_may_not_be_read_are_an_error_with_their_path(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(ConfigError, match=r"config\.toml: Permission denied"):
        load_settings()


@pytest.mark.parametrize(
    "text",
    [
        "[search]\ntop = 1000001",
        f"[search]\ndepth = 1{'0' * 400}",
        f"[search]\ndepth = 1{'0' * 9000}",
        f"[search]\ndepth = 0x1{'0' * 9000}",
        "[fusion]\nmax_per_file = -1",
        f"[demotion]\ntest = 1{'0' * 400}",
        f"[presets]\nmine = {{ modalities = ['text'], k = 1{'0' * 400} }}",
        "[presets]\nmine = { modalities = 3, k = 40 }",
        "[presets]\nmine = 3",
        "[profiles]\nmine = 3",
        f"[search]\ntop = {'[' * 5000}",
    ],
)
def test_a_value_without_measure_or_shape_is_refused_in_a_short_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_settings(written(tmp_path, text + "\n"))
    assert len(refused.value.message) < len(str(tmp_path)) + 200
    assert refused.value.next
