"""Embedders on the command line: which there are, which answers, and what is said where one is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from maguyva_nb.cli import main
from maguyva_nb.embed import listing


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> dict:
    assert main([*map(str, args), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_models_names_what_is_here_and_the_ways_to_others(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "none"))
    got = run(capsys, "models")
    assert [row["name"] for row in got["embedders"]] == ["bundled"]
    assert got["embedders"][0]["dimensions"] == 256
    assert list(got["ways"]) == ["bundled", "fastembed:NAME", "fastembed:FOLDER", "litellm:PROVIDER/MODEL"]
    assert main(["models"]) == 0
    assert "index PATH --embedder fastembed:NAME --download" in capsys.readouterr().out


def test_models_says_which_packages_are_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "find_spec", lambda _: None)
    assert run(capsys, "models")["not_installed"] == ["fastembed", "litellm"]
    assert main(["models"]) == 0
    assert 'pip install "maguyva-nb[embed]"' in capsys.readouterr().out


def test_the_json_of_a_search_names_the_model_that_answered(
    capsys: pytest.CaptureFixture[str], sample: Path, sample_index: Path
) -> None:
    asked = ("search", sample, "how is a token verified", "--db", sample_index)
    assert run(capsys, *asked, "--embedder", "bundled")["model"] == "bundled"
    assert run(capsys, *asked, "--modality", "text")["model"] is None


@pytest.mark.parametrize("command", ["index", "search"])
@pytest.mark.parametrize("name", ["bundeld", "fastembed:/no/such/folder", "litellm:nothing", "fastembed:"])
def test_an_embedder_that_is_not_there_is_an_error_that_changes_nothing(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path, command: str, name: str
) -> None:
    pytest.importorskip("fastembed")
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def f():\n    return 1\n")
    query = ["what"] if command == "search" else []
    got = run(capsys, command, code, *query, "--embedder", name, code=1)["error"]
    assert got["type"] == "ModelUnavailable"
    assert got["next"]
    assert command == "search" or not list(home.rglob("index.duckdb"))
