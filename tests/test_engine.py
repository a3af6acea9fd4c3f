"""Whole searches on the sample codebase: routes, lists, warnings, and that a trace explains itself."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from maguyva_nb.engine import Explorer, SearchOptions, reweigh
from maguyva_nb.errors import ConfigError, IndexOutdated, PathNotFound, QueryError
from maguyva_nb.types import Absent, AbsentReason, Intent, Modality, RankedList, SearchTrace, Strategy


def first(trace: SearchTrace) -> str:
    return trace.cards[trace.results[0].chunk_id].symbol


def present(trace: SearchTrace) -> set[Modality]:
    return {m for m, one in trace.lists.items() if isinstance(one, RankedList)}


def kinds(trace: SearchTrace) -> set[str]:
    return {warning.type for warning in trace.warnings}


def test_where_is_defined_goes_direct_and_finds_the_definition(explorer: Explorer) -> None:
    trace = explorer.search("dónde está definido parseConfig")
    assert (trace.classification.intent, trace.strategy) == (Intent.FIND_DEFINITION, Strategy.DIRECT)
    assert present(trace) == {Modality.STRUCTURAL}
    assert first(trace) == "parseConfig"


def test_what_breaks_goes_direct_to_the_graph(explorer: Explorer) -> None:
    trace = explorer.search("qué se rompe si cambio load_settings")
    assert (trace.classification.intent, trace.strategy) == (Intent.IMPACT_ANALYSIS, Strategy.DIRECT)
    assert present(trace) == {Modality.GRAPH}
    texts = explorer.reader.texts([hit.chunk_id for hit in trace.results[:5]])
    assert all("load_settings" in text for text in texts.values())


def test_a_literal_is_answered_without_the_embedder(explorer: Explorer) -> None:
    before = explorer.runs[Modality.SEMANTIC]
    trace = explorer.search("encontrar la cadena ECONNREFUSED")
    assert (trace.classification.intent, trace.strategy) == (Intent.EXACT_MATCH, Strategy.DIRECT)
    assert explorer.runs[Modality.SEMANTIC] == before
    assert all("ECONNREFUSED" in t for t in explorer.reader.texts([h.chunk_id for h in trace.results]).values())


@pytest.mark.parametrize("literal", ["ECONNREFUSED", "def ", "€", "=", "retr", "self._", "\\n", "é"])
def test_a_literal_covers_every_line_that_holds_it(explorer: Explorer, sample: Path, literal: str) -> None:
    trace = explorer.search('"' + literal.replace('"', '\\"') + '"')
    text = trace.lists[Modality.TEXT]
    if isinstance(text, Absent):
        pytest.fail(f"no text list for {literal!r}")
    covered = {
        (card.path, line)
        for hit in text.hits
        for card in [trace.cards[hit.chunk_id]]
        for line in range(card.start_line, card.end_line + 1)
    }
    truth = {
        (path, number)
        for path in explorer.reader.files.path
        for number, line in enumerate((sample / path).read_text(encoding="utf-8").split("\n"), 1)
        if literal in line
    }
    assert truth <= covered
    assert all(any(place in truth for place in _lines(trace, hit.chunk_id)) for hit in text.hits)


def _lines(trace: SearchTrace, chunk_id: int) -> list[tuple[str, int]]:
    card = trace.cards[chunk_id]
    return [(card.path, line) for line in range(card.start_line, card.end_line + 1)]


def test_case_matters_unless_told_otherwise(explorer: Explorer) -> None:
    assert not explorer.search('"econnREFUSED"', SearchOptions(modality=Modality.TEXT)).results
    assert explorer.search('"econnREFUSED"', SearchOptions(modality=Modality.TEXT, ignore_case=True)).results


def test_an_empty_direct_list_falls_back_to_fusion_and_says_so(explorer: Explorer) -> None:
    trace = explorer.search('"no such text in here at all"')
    assert trace.strategy is Strategy.RRF
    assert "fallback" in kinds(trace)


def test_thorough_runs_all_four_and_default_three(explorer: Explorer) -> None:
    query = "how are prices of a parcel worked out"
    assert present(explorer.search(query, SearchOptions(preset="thorough"))) == set(Modality)
    default = explorer.search(query)
    assert default.lists[Modality.GRAPH] == Absent(AbsentReason.OFF_PRESET)


@pytest.mark.parametrize("query", ["functions similar to `check_password`", "código parecido a `check_password`"])
def test_code_like_a_named_symbol_is_found_by_its_code_and_without_itself(explorer: Explorer, query: str) -> None:
    trace = explorer.search(query, SearchOptions(preset="thorough"))
    assert trace.classification.intent is Intent.FIND_SIMILAR
    names = {trace.cards[hit.chunk_id].symbol for one in trace.results for hit in (one, *one.folded)}
    assert "check_password" not in names
    assert "password" in trace.cards[trace.results[0].chunk_id].path


@pytest.mark.parametrize("query", ["who calls load_setings", "what breaks if I change load_setings", "`load_setings`"])
def test_a_name_that_is_not_there_is_said_with_the_nearest(explorer: Explorer, query: str) -> None:
    said = [w.message for w in explorer.search(query).warnings if w.type == "unknown_symbol"]
    assert len(said) == 1
    assert "load_settings" in said[0]


def test_a_name_that_is_there_is_not_warned_of(explorer: Explorer) -> None:
    assert "unknown_symbol" not in kinds(explorer.search("who calls load_settings"))


def test_a_question_about_a_name_is_searched_by_the_name(explorer: Explorer) -> None:
    trace = explorer.search("who calls load_settings", SearchOptions(preset="thorough", k=60))
    texts = explorer.reader.texts([hit.chunk_id for hit in trace.results[:8]])
    assert all("load_settings" in text for text in texts.values())


def test_a_failing_list_is_named_and_the_others_still_answer(
    sample: Path, sample_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Explorer.open(sample, db=sample_index)
    monkeypatch.setattr("maguyva_nb.retrieve.text.TextRetriever.scores", lambda *_: 1 / 0)
    trace = own.search("how are tokens verified")
    own.close()
    failed = trace.lists[Modality.TEXT]
    assert isinstance(failed, Absent)
    assert failed.reason is AbsentReason.FAILED
    assert "ZeroDivisionError" in failed.message
    assert "modality_failed" in kinds(trace)
    assert trace.results


def test_a_slow_list_is_given_up_on(sample: Path, sample_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    own = Explorer.open(sample, db=sample_index)
    own.search("warm up")
    gate = threading.Event()
    search = replace(own.settings.search, timeout_s=0.5)
    monkeypatch.setattr(own._runner, "_settings", search)
    monkeypatch.setattr("maguyva_nb.retrieve.text.TextRetriever.scores", lambda *_: gate.wait(30))
    trace = own.search("how are tokens verified")
    gate.set()
    own.close()
    assert isinstance(trace.lists[Modality.TEXT], Absent)
    assert "0.5 s" in trace.lists[Modality.TEXT].message


def test_the_same_search_gives_the_same_results(explorer: Explorer) -> None:
    options = SearchOptions(preset="thorough")
    one, two = (explorer.search("session expiry", options) for _ in range(2))
    assert one.results == two.results


def test_complete_fills_the_columns_and_leaves_the_results(explorer: Explorer) -> None:
    trace = explorer.search("dónde está definido parseConfig")
    full = explorer.complete(trace)
    assert present(full) == set(Modality)
    assert full.results == trace.results
    assert all(
        hit.chunk_id in full.cards for one in full.lists.values() if isinstance(one, RankedList) for hit in one.hits
    )


def test_complete_asks_the_embedder_for_an_exact_match_only_on_request(explorer: Explorer) -> None:
    trace = explorer.search("encontrar la cadena ECONNREFUSED")
    assert Modality.SEMANTIC not in present(explorer.complete(trace))
    assert Modality.SEMANTIC in present(explorer.complete(trace, [Modality.SEMANTIC]))


def test_reweigh_runs_no_retriever_and_matches_a_search_with_those_weights(explorer: Explorer) -> None:
    query = "where is a shipment priced"
    trace = explorer.search(query, SearchOptions(preset="thorough", k=60))
    weights = {Modality.SEMANTIC: 0.1, Modality.TEXT: 0.9, Modality.STRUCTURAL: 0.4, Modality.GRAPH: 0.3}
    runs = dict(explorer.runs)
    moved = reweigh(trace, weights=weights)
    assert dict(explorer.runs) == runs
    assert moved.results == explorer.search(query, SearchOptions(preset="thorough", weights=weights)).results


def test_reweigh_names_a_list_that_has_a_weight_but_is_not_there(explorer: Explorer) -> None:
    trace = explorer.search("where is a shipment priced")
    moved = reweigh(trace, weights=dict.fromkeys(Modality, 0.25))
    assert [w.message.split()[0] for w in moved.warnings if w.type == "weighted_absent"] == ["graph"]
    assert "weighted_absent" not in kinds(reweigh(explorer.complete(trace), weights=dict.fromkeys(Modality, 0.25)))


def test_reweigh_with_an_unchanged_row_leaves_a_direct_route_alone(explorer: Explorer) -> None:
    trace = explorer.search("dónde está definido parseConfig")
    assert reweigh(trace, trace.profile).results == trace.results
    assert reweigh(trace, trace.profile).strategy is Strategy.DIRECT


@pytest.mark.parametrize(
    "change", [{"k": 0}, {"k": -1}, {"weights": {Modality.TEXT: -1.0}}, {"weights": {Modality.TEXT: float("nan")}}]
)
def test_reweigh_refuses_what_a_search_refuses(explorer: Explorer, change: dict) -> None:
    query = "where is a shipment priced"
    trace = explorer.search(query)
    with pytest.raises(ConfigError):
        reweigh(trace, **change)
    with pytest.raises(ConfigError):
        explorer.search(query, SearchOptions(**change))


def test_a_weight_that_is_not_given_is_zero(explorer: Explorer) -> None:
    query = "where is a shipment priced"
    alone = explorer.search(query, SearchOptions(weights={Modality.TEXT: 1.0}))
    assert dict(alone.weights) == {Modality.TEXT: 1.0}
    moved = reweigh(explorer.search(query), weights={Modality.TEXT: 1.0})
    assert [hit.chunk_id for hit in moved.results] == [hit.chunk_id for hit in alone.results]


def test_the_summary_counts_what_indexing_reports(explorer: Explorer, sample: Path) -> None:
    report = Explorer.index(sample, db=explorer.reader.path)
    assert explorer.summary() == {n: getattr(report, n) for n in ("files", "chunks", "symbols", "edges")}


def test_max_per_file_off_unfolds(explorer: Explorer) -> None:
    query = "how is a token verified"
    one, off = (explorer.search(query, SearchOptions(max_per_file=n)) for n in (1, 0))
    paths = [one.cards[h.chunk_id].path for h in one.results]
    assert len(paths) == len(set(paths))
    assert {h.chunk_id for h in off.results} == {h.chunk_id for r in one.results for h in (r, *r.folded)}


def test_a_changed_file_among_the_results_is_called_stale(sample: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sample, copy)
    own = Explorer.open(copy, db=tmp_path / "i.duckdb")
    query = "dónde está definido parseConfig"
    assert "stale" not in kinds(own.search(query))
    trace = own.search(query)
    path = copy / trace.cards[trace.results[0].chunk_id].path
    path.write_text(path.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    assert path.name in next(w.message for w in own.search(query).warnings if w.type == "stale")
    own.close()


def test_a_file_that_may_not_be_read_is_not_called_changed(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sample, copy)
    own = Explorer.open(copy, db=tmp_path / "i.duckdb")

    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse)
    (said,) = [w.message for w in own.search("dónde está definido parseConfig").warnings if w.type == "stale"]
    assert said.startswith("Cannot be read")
    own.close()


def test_an_unchanged_file_with_a_name_that_is_no_utf8_is_not_stale(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    name = os.path.join(os.fsencode(folder), b"caf\xe9.py")
    with open(name, "wb") as file:
        file.write(b"def brew_coffee():\n    return 1\n")
    own = Explorer.open(folder, db=tmp_path / "i.duckdb")
    trace = own.search("brew_coffee")
    assert trace.results
    assert "stale" not in kinds(trace)
    with open(name, "ab") as file:
        file.write(b"# more\n")
    assert "stale" in kinds(own.search("brew_coffee"))
    own.close()


def test_many_threads_may_ask_at_once(explorer: Explorer) -> None:
    from concurrent.futures import ThreadPoolExecutor

    queries = ["how is a token verified", "parseConfig", '"ECONNREFUSED"', "who calls load_settings"] * 6
    with ThreadPoolExecutor(8) as pool:
        traces = list(pool.map(lambda q: explorer.search(q, SearchOptions(preset="thorough")), queries))
    assert not any("modality_failed" in kinds(t) for t in traces)
    assert [t.results for t in traces[:4]] == [t.results for t in traces[-4:]]


@pytest.mark.parametrize(("query", "said"), [("", "empty"), ("   \n", "empty"), ("x" * 10_001, "limit is 10,000")])
def test_a_query_that_makes_no_sense_is_refused(explorer: Explorer, query: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        explorer.search(query)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match="nowhere"):
        Explorer.open(tmp_path / "nowhere")


def test_an_index_of_another_model_must_be_rebuilt(sample: Path, sample_index: Path, tmp_path: Path) -> None:
    from maguyva_nb.embed.registry import load_embedder

    model = load_embedder("bundled")

    class Other:
        info = replace(model.info, revision="other")
        embed_chunks, embed_query = model.embed_chunks, model.embed_query

    with pytest.raises(IndexOutdated, match="other"):
        Explorer.open(sample, db=sample_index, embedder=Other())
