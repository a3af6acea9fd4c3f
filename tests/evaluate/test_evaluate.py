"""Whole evaluations of the sample codebase, from Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from maguyva_nb.cli import main
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import QuerySetError
from maguyva_nb.evaluate.metrics import METRICS
from maguyva_nb.evaluate.querysets import read_queries
from maguyva_nb.evaluate.records import Answer, EvalQuery, Level, QuerySet
from maguyva_nb.evaluate.run import evaluate, fit
from maguyva_nb.samples import sample_path
from maguyva_nb.types import Progress

FEW = ("en-01", "es-01", "en-10", "en-11", "es-10")


@pytest.fixture(scope="session")
def queries_file() -> Path:
    return sample_path().parent / "queries/parcel_service.json"


@pytest.fixture
def few(queries_file: Path, tmp_path: Path) -> Path:
    """Five of the sample's queries."""
    rows = json.loads(queries_file.read_text())
    rows["queries"] = [row for row in rows["queries"] if row["id"] in FEW]
    (tmp_path / "few.json").write_text(json.dumps(rows))
    return tmp_path / "few.json"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], home: Path, sample: Path, sample_index: Path, few: Path):
    def call(*args: object, code: int = 0) -> dict:
        line = ["evaluate", sample, "--db", sample_index, "--queries", few, *args, "--json"]
        assert main([str(a) for a in line]) == code
        return json.loads(capsys.readouterr().out)

    return call


def one_query(*answers: Answer, text: str = "where is parseConfig defined") -> QuerySet:
    level = Level.FILE if answers[0].start is None else Level.LINE
    return QuerySet("one", (EvalQuery("1", text, "en", None, "symbol", answers),), level)


def test_the_json_has_the_keys_of_the_contract(run) -> None:
    got = run()
    assert set(got) >= {
        "n",
        "metrics",
        "by_intent",
        "by_category",
        "by_modality",
        "per_query",
        "config",
        "model",
        "commit",
    }
    assert (got["n"], tuple(got["metrics"])) == (5, METRICS)
    assert all(set(one) == {"value", "low", "high"} for one in got["metrics"].values())
    assert {name: group["n"] for name, group in got["by_intent"].items()} == {
        "find_definition": 2,
        "find_references": 3,
    }
    assert {name: group["n"] for name, group in got["by_lang"].items()} == {"en": 3, "es": 2}
    assert {row["id"] for row in got["per_query"]} == set(FEW)
    assert "comparison" not in got


def test_figures_are_the_means_of_the_queries(run) -> None:
    got = run()
    for name in METRICS:
        values = [row["metrics"][name] for row in got["per_query"]]
        assert got["metrics"][name]["value"] == pytest.approx(sum(values) / 5)


def test_direct_routes_count_as_search_takes_them(run) -> None:
    rows = {row["id"]: row for row in run("--preset", "thorough")["per_query"]}
    assert (rows["en-01"]["route"], list(rows["en-01"]["by_modality"])) == ("direct", ["structural"])
    assert rows["en-01"]["answers"][0]["rank"] == 0
    rows = {row["id"]: row for row in run("--preset", "thorough", "--k", 60)["per_query"]}
    assert rows["en-01"]["route"] == "rrf"
    assert len(rows["en-01"]["by_modality"]) == 4


def test_a_list_alone_has_the_figures_of_that_modality_asked_for(explorer: Explorer, queries_file: Path) -> None:
    queries = read_queries(queries_file, source=explorer.source)
    options = SearchOptions(preset="thorough", k=60, max_per_file=0)
    fused = evaluate(explorer, queries, options)
    alone = evaluate(explorer, queries, SearchOptions(modality="text", k=60, max_per_file=0))
    assert fused.by_modality["text"].n == alone.overall.n
    assert fused.by_modality["semantic"].n < alone.overall.n  # exact_match gives it no weight
    assert [one.by_modality["text"] for one in fused.per_query] == [one.scores for one in alone.per_query]


def test_every_query_is_announced(explorer: Explorer) -> None:
    events: list[Progress] = []
    evaluate(explorer, one_query(Answer("parcels/config/compat.py", 14, 23)), progress=events.append)
    assert events == [Progress("evaluate", 1, 1)]


def test_top_counts_twenty_unless_told(explorer: Explorer) -> None:
    found = one_query(Answer("parcels/log.py", 1, 1), text="order")
    asked = evaluate(explorer, found, SearchOptions(modality="text", max_per_file=0))
    assert asked.per_query[0].results == 20
    assert evaluate(explorer, found, SearchOptions(modality="text", top=3)).per_query[0].results == 3


def test_the_config_hash_follows_what_is_used_and_not_how_it_is_said(explorer: Explorer) -> None:
    found = one_query(Answer("parcels/log.py", 1, 1))
    plain = evaluate(explorer, found).config
    assert evaluate(explorer, found, SearchOptions(preset="default", profile="article", top=20)).config == plain
    for other in (
        SearchOptions(preset="thorough"),
        SearchOptions(max_per_file=0),
        SearchOptions(rules="article"),
        SearchOptions(path="parcels/"),
        SearchOptions(top=10),
    ):
        assert evaluate(explorer, found, other).config != plain


def test_answers_from_the_root_of_a_repository_fit_a_folder_of_it(explorer: Explorer) -> None:
    run = evaluate(explorer, one_query(Answer("services/parcel/parcels/config/compat.py")))
    assert run.per_query[0].scores["hit1"] == 1
    assert "answers_moved" in {w.type for w in run.warnings}


def test_answers_outside_the_index_are_named() -> None:
    queries = one_query(Answer("a.py", 1, 1), Answer("lost.py", 1, 1))
    _, warnings = fit(queries, ["a.py"])
    assert [w.type for w in warnings] == ["answers_missing"]
    assert "1 of 2" in warnings[0].message
    with pytest.raises(QuerySetError, match=r"lost\.py"):
        fit(one_query(Answer("lost.py", 1, 1)), ["a.py"])


def test_file_answers_are_measured_as_files(explorer: Explorer) -> None:
    run = evaluate(explorer, one_query(Answer("parcels/config/compat.py")))
    assert (run.level, run.per_query[0].scores["ndcg10"]) == (Level.FILE, 1)
    assert list(run.by_category) == ["symbol"]


def test_a_run_is_kept_with_its_origin(run, home: Path) -> None:
    got = run()
    with duckdb.connect(str(home / "data/maguyva-nb/user.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT source, model, config, query_set, metrics->>'$.mrr.value' FROM runs").fetchall()
    (row,) = rows
    assert row[1:4] == (got["model"], got["config"], "few")
    assert row[0].endswith("parcel_service")
    assert float(row[4]) == got["metrics"]["mrr"]["value"]


def test_a_locked_database_costs_a_warning_and_not_the_run(run, home: Path) -> None:
    (home / "data").mkdir(parents=True)
    (home / "data/maguyva-nb").write_text("in the way")
    assert [w["type"] for w in run()["warnings"]] == ["not_kept"]


def test_a_run_compared_with_itself_differs_nowhere(run, tmp_path: Path) -> None:
    (tmp_path / "saved.json").write_text(json.dumps(run()))
    got = run("--compare", tmp_path / "saved.json")
    assert tuple(got["comparison"]) == METRICS
    assert all(
        one == {"difference": 0, "low": 0, "high": 0, "p": 1, "distinguishable": False}
        for one in got["comparison"].values()
    )


def test_a_comparison_is_this_run_minus_the_other(run, tmp_path: Path) -> None:
    (tmp_path / "saved.json").write_text(json.dumps(run("--modality", "semantic")))
    got = run("--compare", tmp_path / "saved.json")
    saved = json.loads((tmp_path / "saved.json").read_text())
    for name in METRICS:
        gap = got["metrics"][name]["value"] - saved["metrics"][name]["value"]
        assert got["comparison"][name]["difference"] == pytest.approx(gap)


def test_other_settings_are_run_on_the_spot(run, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("[fusion]\nmax_per_file = 0\n")
    got = run("--compare", tmp_path / "other.toml")
    alone = run("--config", tmp_path / "other.toml")
    for name in METRICS:
        gap = got["metrics"][name]["value"] - alone["metrics"][name]["value"]
        assert got["comparison"][name]["difference"] == pytest.approx(gap)


def test_another_profile_is_run_on_the_spot(run, tmp_path: Path) -> None:
    row = "{ semantic = 0.0, text = 1.0, structural = 0.0, graph = 0.0 }"
    intents = (
        "find_definition",
        "find_references",
        "understand_code",
        "find_similar",
        "impact_analysis",
        "exact_match",
    )
    (tmp_path / "text.toml").write_text("".join(f"{intent} = {row}\n" for intent in intents))
    got = run("--compare", tmp_path / "text.toml")
    alone = run("--profile", tmp_path / "text.toml")
    gap = got["metrics"]["mrr"]["value"] - alone["metrics"]["mrr"]["value"]
    assert got["comparison"]["mrr"]["difference"] == pytest.approx(gap)


def test_a_comparison_that_makes_no_sense_is_refused(run, tmp_path: Path) -> None:
    (tmp_path / "chunks.toml").write_text("[chunk]\nmax_lines = 30\n")
    assert "--db" in run("--compare", tmp_path / "chunks.toml", code=1)["error"]["next"]
    (tmp_path / "bad.json").write_text("{}")
    assert "per_query" in run("--compare", tmp_path / "bad.json", code=1)["error"]["message"]
    saved = run()
    saved["per_query"][0]["query"] = "something else"
    (tmp_path / "changed.json").write_text(json.dumps(saved))
    assert "something else" in run("--compare", tmp_path / "changed.json", code=1)["error"]["message"]
    saved["per_query"] = [{**row, "id": row["id"] + "x"} for row in saved["per_query"]]
    (tmp_path / "others.json").write_text(json.dumps(saved))
    assert "none of these queries" in run("--compare", tmp_path / "others.json", code=1)["error"]["message"]


def test_the_table_says_not_distinguishable(
    capsys: pytest.CaptureFixture[str], run, sample: Path, sample_index: Path, few: Path, tmp_path: Path
) -> None:
    (tmp_path / "saved.json").write_text(json.dumps(run("--preset", "thorough")))
    line = ["evaluate", sample, "--db", sample_index, "--queries", few, "--compare", tmp_path / "saved.json"]
    assert main([str(a) for a in line]) == 0
    out = capsys.readouterr().out
    assert "few · 5 queries · line level" in out
    for name in METRICS:
        (row,) = [one for one in out.splitlines() if one.startswith(f"{name} ")]
        assert "not distinguishable" in row
    assert all(title in out for title in ("intent ", "list alone ", "find_references "))
    assert len({len(one) for one in out.splitlines() if one.startswith(("find_", "semantic", "structural"))}) == 1
