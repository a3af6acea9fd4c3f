"""The command line as outsiders call it: JSON on stdout, exit codes, errors that name the next step."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from maguyva_nb.cli import main


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> dict:
    assert main([*(str(a) for a in args), "--json"]) == code
    out = capsys.readouterr().out
    return json.loads(out)


@pytest.fixture
def search(capsys: pytest.CaptureFixture[str], sample: Path, sample_index: Path):
    return lambda query, *args, **kw: run(capsys, "search", sample, query, "--db", sample_index, *args, **kw)


def test_search_json_has_the_keys_of_the_contract(search) -> None:
    got = search("how is a token verified", "--preset", "thorough", "--top", 7)
    assert set(got) >= {
        "query",
        "intent",
        "target",
        "preset",
        "fusion_strategy",
        "k",
        "weights",
        "profile_weights",
        "lists",
        "results",
        "timings_ms",
        "warnings",
    }
    assert set(got["intent"]) >= {"name", "confidence", "rule", "span", "shadowed", "near_misses"}
    assert set(got["lists"]) == {"semantic", "text", "structural", "graph"}
    assert len(got["results"]) == 7
    assert set(got["results"][0]) == {
        "rank",
        "path",
        "start_line",
        "end_line",
        "symbol",
        "kind",
        "score",
        "contributions",
        "centrality",
        "demotion",
        "factors",
        "folded",
        "text",
    }


def test_filters_may_be_repeated_and_are_named(search, capsys, sample: Path, sample_index: Path) -> None:
    given = ["--path", "parcels/", "--path", "!auth/", "--lang", "py", "--lang", "markdown", "--no-tests"]
    got = search("token", *given)
    assert got["filters"] == ["path=parcels/", "path=!auth/", "lang=python", "lang=markdown", "no_tests"]
    assert {row["path"].split("/")[0] for rows in got["lists"].values() if isinstance(rows, list) for row in rows} == {
        "parcels"
    }
    assert search("token")["filters"] == []
    assert main(["search", str(sample), "token", "--db", str(sample_index), *given]) == 0
    assert "filters  path=parcels/ · path=!auth/ · lang=python" in capsys.readouterr().out


def test_matched_lines_are_listed_and_printed(search, capsys, sample: Path, sample_index: Path) -> None:
    first = search('"ECONNREFUSED"')["lists"]["text"][0]
    lines = (sample / first["path"]).read_text(encoding="utf-8").split("\n")
    assert all("ECONNREFUSED" in lines[n - 1] for a, b in first["lines"] for n in range(a, b + 1))
    assert main(["search", str(sample), '"ECONNREFUSED"', "--db", str(sample_index)]) == 0
    assert f"lines {first['lines'][0][0]}" in capsys.readouterr().out


def test_every_printed_score_is_its_printed_ledger(search) -> None:
    got = search("where is a shipment priced", "--preset", "thorough", "--top", 50, "--max-per-file", "off")
    assert len(got["results"]) > 20
    for result in got["results"]:
        total = 0.0
        for c in result["contributions"]:
            assert c["value"] == pytest.approx(c["weight"] / (got["k"] + c["rank"] + 1) * c["boost"], rel=1e-12)
            assert c["weight"] == got["weights"][c["modality"]]
            listed = got["lists"][c["modality"]][c["rank"]]
            assert (listed["path"], listed["start_line"]) == (result["path"], result["start_line"])
            total += c["value"]
        assert result["score"] == pytest.approx(total * result["demotion"], rel=1e-12)


def test_a_modality_alone_has_weight_one(search) -> None:
    got = search("token", "--modality", "text")
    assert (got["fusion_strategy"], got["weights"], got["k"]) == ("single", {"text": 1.0}, 40)
    assert got["lists"]["semantic"] == {"absent": "off_preset"}


def test_direct_says_so(search) -> None:
    got = search("dónde está definido parseConfig")
    assert (got["fusion_strategy"], got["weights"]) == ("direct", {"structural": 1.0})
    assert got["results"][0]["symbol"] == "parseConfig"
    assert got["target"]["text"] == "parseConfig"
    start, end = got["target"]["span"]
    assert got["query"][start:end] == "parseConfig"


def test_lists_are_cut_neither_by_top_nor_by_the_limit_per_file(search) -> None:
    one, many = search("token", "--top", 1), search("token", "--top", 50, "--max-per-file", "off")
    assert one["lists"] == many["lists"]


def test_weights_on_the_call_are_those_of_the_fusion(search) -> None:
    got = search("token", "--preset", "thorough", "--weights", "0,1,2,0")
    assert got["weights"] == {"text": 1.0, "structural": 2.0}
    assert got["lists"]["graph"] == {"absent": "weight_zero"}


def test_impact_json_has_totals_paths_and_sites(capsys, sample: Path, sample_index: Path) -> None:
    got = run(capsys, "impact", sample, "load_settings", "--db", sample_index)
    assert got["symbol"]["qualified_name"] == "load_settings"
    assert {n["depth"] for n in got["direct"]} == {1}
    assert all(n["depth"] >= 2 for n in got["transitive"])
    assert sum(got["by_depth"].values()) == len(got["direct"]) + len(got["transitive"]) == len(got["paths"])
    assert got["sites_total"] >= 20
    start = "parcels/config/settings.py:load_settings"
    for end, path in got["paths"].items():
        assert (path[0], path[-1]) == (start, end)


def test_calls_taken_for_external_are_counted_beside_the_unresolved(capsys, home: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def fetch():\n    return 1\n")
    (code / "b.py").write_text("from elsewhere import fetch\n\n\ndef use():\n    return fetch()\n")
    got = run(capsys, "impact", code, "a.py:fetch")
    assert (got["sites_total"], got["unresolved_sites"], got["external_sites"]) == (1, 0, 1)
    assert main(["impact", str(code), "a.py:fetch"]) == 0
    assert "0 of 1 call sites of that name unresolved, 1 more taken for external" in capsys.readouterr().out


PROGRAM = [sys.executable, "-c", "import sys; from maguyva_nb.cli import main; sys.exit(main())"]


@pytest.mark.parametrize(
    "args", [["search", ".", "token", "--json"], ["impact", ".", "no_such", "--json"], ["search", "--help"]]
)
def test_a_reader_that_has_seen_enough_is_no_error(args: list[str], sample: Path, sample_index: Path) -> None:
    db = ["--db", str(sample_index)] if "." in args else []
    run = subprocess.Popen([*PROGRAM, *args, *db], cwd=sample, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None
    run.stdout.close()
    assert run.communicate()[1] == b""
    assert run.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_finds_no_space_is_said_in_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        run = subprocess.run([*PROGRAM, "profiles"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 1
    assert "cannot be written" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_closed_output_is_no_error() -> None:
    run = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *PROGRAM, "profiles"], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_port_in_use_is_said_before_any_address(capsys, sample: Path, sample_index: Path) -> None:
    pytest.importorskip("panel")
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["app", str(sample), "--db", str(sample_index), "--no-browser", "--port", str(port)]) == 1
    said = capsys.readouterr()
    assert str(port) in said.err
    assert "http" not in said.out


def test_depth_limits_the_radius(capsys, sample: Path, sample_index: Path) -> None:
    got = run(capsys, "impact", sample, "load_settings", "--depth", 1, "--db", sample_index)
    assert set(got["by_depth"]) == {"1"}
    assert not got["transitive"]


def test_an_ambiguous_symbol_is_answered_per_candidate(capsys, sample: Path, sample_index: Path) -> None:
    got = run(capsys, "impact", sample, "__init__", "--db", sample_index)
    assert got["symbol"] is None
    assert len(got["answers"]) == len(got["candidates"]) > 1
    assert [a["symbol"] for a in got["answers"]] == got["candidates"]


def test_an_unknown_symbol_gets_the_nearest_names(capsys, sample: Path, sample_index: Path) -> None:
    got = run(capsys, "impact", sample, "load_setings", "--db", sample_index, code=1)
    assert got["error"]["type"] == "UnknownSymbol"
    assert "load_settings" in got["error"]["next"]


def test_classify_needs_no_codebase(capsys) -> None:
    got = run(capsys, "classify", "who calls do_login", "--rules", "article")
    assert (got["intent"]["name"], got["intent"]["confidence"]) == ("find_references", 0.9)


def test_profiles_prints_all_24_cells(capsys) -> None:
    profiles = {p["name"]: p["weights"] for p in run(capsys, "profiles")["profiles"]}
    assert sum(len(row) for row in profiles["article"].values()) == 24
    assert profiles["article"]["impact_analysis"]["graph"] == 0.7


def test_an_unchanged_codebase_is_not_indexed_again(capsys, home: Path, sample: Path) -> None:
    first = run(capsys, "index", sample)
    made = Path(first["database"]).stat().st_mtime_ns
    again = run(capsys, "index", sample)
    assert Path(first["database"]).stat().st_mtime_ns == made
    assert {k: v for k, v in again.items() if k != "seconds"} == {k: v for k, v in first.items() if k != "seconds"}
    run(capsys, "index", sample, "--force")
    assert Path(first["database"]).stat().st_mtime_ns != made
    assert home in Path(first["database"]).parents


def test_the_explored_folder_stays_untouched(capsys, home: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def f():\n    return 1\n")
    run(capsys, "search", code, "f")
    assert [p.name for p in code.rglob("*")] == ["a.py"]


def test_doctor_names_the_process_that_holds_the_users_data(capsys, home: Path, sample: Path) -> None:
    path = home / "data/maguyva-nb/user.duckdb"
    path.parent.mkdir(parents=True)
    hold = f"import duckdb, sys; con = duckdb.connect({str(path)!r}); print('held', flush=True); sys.stdin.read()"
    holder = subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        got = run(capsys, "doctor", sample, code=1)
    finally:
        holder.communicate("")
    assert got["error"]["type"] == "StoreLocked"
    assert str(holder.pid) in got["error"]["message"]


def test_doctor_is_content_with_a_sound_installation(capsys, home: Path, sample: Path) -> None:
    got = run(capsys, "doctor", sample)
    assert got["ok"], [c for c in got["checks"] if not c["ok"]]


def error_of(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[str, str]:
    got = run(capsys, *args, code=1)["error"]
    assert got["message"]
    assert got["next"]
    return got["type"], got["message"] + " " + got["next"]


def test_bad_input_is_refused_with_the_next_step(
    capsys, home: Path, tmp_path: Path, sample: Path, sample_index: Path
) -> None:
    empty, binaries = tmp_path / "empty", tmp_path / "binaries"
    empty.mkdir()
    binaries.mkdir()
    (binaries / "a.bin").write_bytes(b"\0\1\2")
    config = tmp_path / "config.toml"
    config.write_text("[fusion]\nbost_cap = 2.0\n")
    assert error_of(capsys, "search", tmp_path / "nowhere", "x")[0] == "PathNotFound"
    assert error_of(capsys, "index", sample / "README.md")[0] == "PathNotFound"
    assert error_of(capsys, "index", empty)[0] == "NothingToIndex"
    kind, said = error_of(capsys, "index", binaries)
    assert kind == "NothingToIndex"
    assert "1 binary" in said
    kind, said = error_of(capsys, "search", sample, "x", "--db", sample_index, "--config", config)
    assert kind == "ConfigError"
    assert "boost_cap" in said
    assert error_of(capsys, "search", sample, " ", "--db", sample_index)[0] == "QueryError"
    assert error_of(capsys, "search", sample, "x", "--db", sample_index, "--profile", "artcle")[0] == "ConfigError"


def test_an_index_of_another_schema_version_says_rebuild(
    capsys, sample: Path, sample_index: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.duckdb"
    old.write_bytes(sample_index.read_bytes())
    with duckdb.connect(str(old)) as con:
        con.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    kind, said = error_of(capsys, "search", sample, "x", "--db", old)
    assert kind == "IndexOutdated"
    assert "--force" in said


def test_a_file_that_is_no_index_is_refused(capsys, sample: Path, tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("hello, I am not a database")
    assert error_of(capsys, "search", sample, "x", "--db", tmp_path / "text.duckdb")[0] == "IndexUnreadable"
    with duckdb.connect(str(tmp_path / "other.duckdb")) as con:
        con.execute("CREATE TABLE t (x INT)")
    assert error_of(capsys, "search", sample, "x", "--db", tmp_path / "other.duckdb")[0] == "IndexUnreadable"


@pytest.mark.parametrize(
    "args",
    [
        ["search"],
        ["search", ".", "q", "--weights", "1,2"],
        ["impact", ".", "x", "--depth", "0"],
        ["search", ".", "x", "--k", "1" + "0" * 400],
        ["app", ".", "--port", "99999"],
        ["app", ".", "--port", "-1"],
        ["fly"],
    ],
)
def test_wrong_usage_exits_with_2(args: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(args)
    assert stop.value.code == 2


@pytest.mark.parametrize("args", [["search"], ["app", ".", "--port", "99999"], ["fly"]])
def test_wrong_usage_with_json_is_said_as_json_too(args: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*args, "--json"])
    said = capsys.readouterr()
    error = json.loads(said.out)["error"]
    assert stop.value.code == 2
    assert error["type"] == "UsageError"
    assert error["message"] in said.err
    assert "--help" in error["next"]


def test_the_json_of_a_query_is_not_the_option(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["search", "--top", "0", "--", ".", "--json"])
    assert capsys.readouterr().out == ""


def test_what_is_skipped_or_indexed_in_part_is_a_line_a_reason(capsys, home: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    for n in range(5):
        (code / f"{n}.bin").write_bytes(b"\0\1\2")
        (code / f"{n}.py").write_text("def f():\n    return 1\n" + "def (:\n\n\nx = 1\n" * (n + 1))
    for _ in ("made", "found unchanged"):
        assert main(["index", str(code)]) == 0
        lines = capsys.readouterr().err.splitlines()
        assert lines == [
            "skipped  5 files, binary: 0.bin, 1.bin, 2.bin, …",
            "only in part  5 files, syntax errors: 0.py, 1.py, 2.py, …",
        ]
    got = run(capsys, "index", code)
    assert [one["path"] for one in got["partial"]] == [f"{n}.py" for n in range(5)]


def test_doctor_goes_on_past_settings_and_profiles_that_do_not_load(capsys, home: Path, sample: Path) -> None:
    folder = home / "config" / "maguyva-nb"
    (folder / "profiles").mkdir(parents=True)
    (folder / "config.toml").write_text("[fusion]\nbost_cap = 2.0\n")
    (folder / "profiles" / "mine.toml").write_text("find_definition = 3\n")
    checks = {check["name"]: check for check in run(capsys, "doctor", sample, code=1)["checks"]}
    assert {name for name, check in checks.items() if not check["ok"]} == {"settings", "profiles"}
    assert "boost_cap" in checks["settings"]["next"]
    assert "mine.toml" in checks["profiles"]["detail"]
    assert "dimensions" in checks["embedder"]["detail"]


def test_a_proposed_command_can_be_run_as_it_is(capsys, tmp_path: Path) -> None:
    code, db = tmp_path / "my code", tmp_path / "an index.duckdb"
    code.mkdir()
    (code / "a.py").write_text("def f():\n    return 1\n")
    run(capsys, "index", code, "--db", db)
    with duckdb.connect(str(db)) as con:
        con.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    proposed = run(capsys, "search", code, "f", "--db", db, code=1)["error"]["next"]
    command = shlex.split(proposed.partition(": maguyva-nb ")[2])
    assert command == ["index", str(code), "--db", str(db), "--force"]
    run(capsys, *command)
    assert run(capsys, "search", code, "f", "--db", db)["results"]


def test_advice_on_the_users_data_is_about_their_folder(capsys, home: Path, sample: Path) -> None:
    home.mkdir()
    (home / "data").write_text("a file where a folder is wanted")
    got = run(capsys, "doctor", sample, code=1)["error"]
    assert "user.duckdb" in got["message"]
    assert "--db" not in got["next"]
    assert "XDG_DATA_HOME" in got["next"]


def test_control_characters_of_a_codebase_never_reach_the_terminal(capsys, home: Path, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "evil\x1b[31m\nname.py").write_text("def f():\n    return 1\n")
    assert main(["search", str(tmp_path / "code"), "f"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "evil" in out
