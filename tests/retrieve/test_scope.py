"""Filters: what they leave out is in no list, and the trace names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from maguyva_nb.engine import Explorer, SearchOptions, reweigh
from maguyva_nb.errors import QueryError
from maguyva_nb.retrieve.scope import chunk_mask, language_name, read_filters
from maguyva_nb.types import Filters, Modality, RankedList, SearchTrace, Strategy

QUERY = "how is a token verified"


def listed(trace: SearchTrace) -> dict[Modality, list[str]]:
    """The paths of each list, one a hit."""
    return {
        m: [trace.cards[hit.chunk_id].path for hit in one.hits]
        for m, one in trace.lists.items()
        if isinstance(one, RankedList)
    }


def kept(explorer: Explorer, *globs: str, **others: object) -> set[str]:
    filters = read_filters(globs, others.get("lang", ()), bool(others.get("no_tests")))  # type: ignore[arg-type]
    mask = chunk_mask(explorer.reader, filters)
    paths, files = explorer.reader.files.path, explorer.reader.chunks.file_id
    return {paths[files[i]] for i in range(len(files)) if mask[i]}


@pytest.fixture(scope="module")
def every(explorer: Explorer) -> set[str]:
    return set(kept(explorer))


@pytest.mark.parametrize(
    ("globs", "passes"),
    [
        (["parcels/auth/"], lambda p: p.startswith("parcels/auth/")),
        (["./parcels/auth"], lambda p: p.startswith("parcels/auth/")),
        (["auth"], lambda p: "auth" in p.split("/")),
        (["*.md"], lambda p: p.endswith(".md")),
        (["/parcels/*.py"], lambda p: p.startswith("parcels/") and p.count("/") == 1 and p.endswith(".py")),
        (["parcels/**/tokens.py"], lambda p: p.startswith("parcels/") and p.endswith("/tokens.py")),
        (["!parcels/"], lambda p: not p.startswith("parcels/")),
        (
            ["parcels/", "!auth/", "tokens.py"],
            lambda p: p.startswith("parcels/") and ("/auth/" not in p or "tokens" in p),
        ),
        (["*.md", "*.toml"], lambda p: p.endswith((".md", ".toml"))),
        (["nowhere/"], lambda p: False),
    ],
)
def test_globs_are_those_of_gitignore_and_the_last_decides(explorer: Explorer, every: set[str], globs, passes) -> None:
    assert kept(explorer, *globs) == {path for path in every if passes(path)}


@pytest.mark.parametrize("glob", ["", "!", "# x", "  ", "[z-a]"])
def test_a_glob_that_is_none_is_refused(glob: str) -> None:
    with pytest.raises(QueryError, match="glob"):
        read_filters(glob, (), False)


@pytest.mark.parametrize(
    ("text", "name"),
    [("python", "python"), ("Py", "python"), (".ts", "typescript"), ("C++", "cpp"), ("golang", "go"), ("sh", "bash")],
)
def test_a_language_goes_by_name_alias_or_extension(text: str, name: str) -> None:
    assert language_name(text) == name


def test_an_unknown_language_is_refused_with_the_nearest(explorer: Explorer) -> None:
    with pytest.raises(QueryError, match="Did you mean 'python'"):
        explorer.search(QUERY, SearchOptions(lang="pyhton"))


@pytest.mark.parametrize(
    "query",
    [
        QUERY,
        "who calls `load_settings`",
        '"token"',
        "/tok.n/",
        "qué se rompe si cambio load_settings",
        "ast[python]: $F($X)",
    ],
)
def test_every_list_keeps_to_the_filters(explorer: Explorer, query: str) -> None:
    options = SearchOptions(preset="thorough", path=("parcels/", "!auth/"), lang="python", no_tests=True)
    trace = explorer.complete(explorer.search(query, options), list(Modality))
    assert trace.filters == ("path=parcels/", "path=!auth/", "lang=python", "no_tests")
    assert set(listed(trace)) == set(Modality)
    for modality, paths in listed(trace).items():
        inside = (path.startswith("parcels/") and "/auth/" not in path and path.endswith(".py") for path in paths)
        assert all(inside), modality
    assert any(listed(trace).values())
    assert not any(card.is_test for card in trace.cards.values())


def test_filters_come_before_ranking_not_after(explorer: Explorer) -> None:
    """A list holds its best hundred of what passes, so what a whole list cut off comes in."""
    options = SearchOptions(preset="thorough", path="tests/")
    within = listed(explorer.search(QUERY, options))
    whole = listed(explorer.search(QUERY, SearchOptions(preset="thorough")))
    tests = [path for path in whole[Modality.SEMANTIC] if path.startswith("tests/")]
    assert len(within[Modality.SEMANTIC]) > len(tests)
    assert within[Modality.SEMANTIC][: len(tests)] == tests


def test_a_filter_is_no_override_and_leaves_the_next_search_alone(explorer: Explorer) -> None:
    query = "dónde está definido parseConfig"
    before = explorer.search(query)
    assert explorer.search(query, SearchOptions(path="parcels/")).strategy is Strategy.DIRECT
    after = explorer.search(query)
    assert (after.filters, after.results) == ((), before.results)


def test_a_filter_that_leaves_nothing_says_so(explorer: Explorer) -> None:
    trace = explorer.search(QUERY, SearchOptions(lang="ruby"))
    said = next(w.message for w in trace.warnings if w.type == "filtered_empty")
    assert "lang=ruby" in said
    assert "python" in said
    assert not trace.results
    assert "filtered_empty" not in {w.type for w in explorer.search(QUERY, SearchOptions(lang="python")).warnings}


def test_reweighing_keeps_the_filters(explorer: Explorer) -> None:
    trace = explorer.search(QUERY, SearchOptions(preset="thorough", path="parcels/auth"))
    moved = reweigh(trace, weights=dict.fromkeys(Modality, 1.0))
    assert moved.filters == trace.filters
    assert {moved.cards[hit.chunk_id].path.split("/")[1] for hit in moved.results} == {"auth"}


def test_the_named_symbol_may_lie_outside_of_the_filter(explorer: Explorer) -> None:
    options = SearchOptions(path="tests/", modality=Modality.GRAPH)
    paths = listed(explorer.search("who calls `load_settings`", options))[Modality.GRAPH]
    assert paths
    assert all(path.startswith("tests/") for path in paths)


def test_filters_are_told_apart_by_value() -> None:
    assert read_filters("a/", (), False) == Filters(("a/",))
    assert read_filters((), ("py", "python"), False) == Filters(languages=("python",))


def test_the_sample_has_what_these_tests_ask_for(explorer: Explorer, sample: Path) -> None:
    assert {"parcels", "tests"} <= {path.name for path in sample.iterdir()}
