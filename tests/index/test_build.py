"""From a folder to an index file, whatever the folder holds."""

# ruff: noqa: E501 (SQL and sources are clearer unbroken)
from __future__ import annotations

import dataclasses
import json
import os
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from maguyva_nb.config import Settings, load_settings
from maguyva_nb.errors import MaguyvaError, NothingToIndex, PathNotFound
from maguyva_nb.index import analyse
from maguyva_nb.index.build import IndexReport, build_index, settings_hash
from maguyva_nb.protocols import EmbedItem, ModelInfo, Vectors
from maguyva_nb.store import writer
from maguyva_nb.types import Progress

SETTINGS = load_settings()
TABLES = "files chunks symbols trigrams terms lengths call_sites edges centrality embeddings chunk_vectors".split()
SOURCES = {
    "pkg/__init__.py": "",
    "pkg/core.py": 'class Store:\n    """Keeps."""\n\n    def get(self, key):\n        return self.load(key)\n\n    def load(self, key):\n        return open(key)\n',
    "pkg/app.py": "from pkg.core import Store\n\n\ndef main():\n    return Store().get('a')\n",
    "tests/test_core.py": "from pkg.core import Store\n\n\ndef test_get():\n    assert Store().get('a')\n",
    "README.md": "# Title\n\nSome words.\n",
    "data.unknown": "alpha\nbeta\n",
}


class Counting:
    """An embedder that knows a text by its length; notes what it was asked."""

    info = ModelInfo("counting", "1", 3)

    def __init__(self) -> None:
        self.items: list[EmbedItem] = []

    def embed_chunks(self, items: Any) -> Vectors:
        self.items += items
        rows = np.array([[len(i.text), len(i.name), 1.0] for i in items], np.float32).reshape(-1, 3)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str, *, weigh: Any = None) -> Vectors:
        return np.zeros(3, np.float32)


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def build(source: Path, target: Path, settings: Settings = SETTINGS, **more: Any) -> IndexReport:
    return build_index(source, target, settings=settings, embedder=more.pop("embedder", Counting()), **more)


def rows(target: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(target), read_only=True) as con:
        return con.execute(sql).fetchall()


def everything(target: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {table: rows(target, f"SELECT * FROM {table}") for table in TABLES}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "code", dict(SOURCES))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "index.duckdb"


def texts(target: Path) -> dict[str, str]:
    found = rows(
        target,
        "SELECT path, string_agg(text, '' ORDER BY start_line) FROM chunks JOIN files USING (file_id) GROUP BY path",
    )
    return dict(found)


def test_a_small_codebase_from_end_to_end(source: Path, target: Path) -> None:
    report = build(source, target)
    assert (report.files, report.skipped, report.parse_errors) == (6, (), 0)
    counts = {t: rows(target, f"SELECT count(*) FROM {t}")[0][0] for t in TABLES}
    assert counts["files"] == 6
    assert counts["chunks"] == report.chunks
    assert counts["symbols"] == counts["centrality"] == report.symbols
    assert counts["edges"] == report.edges
    assert counts["call_sites"] == report.call_sites
    assert texts(target) == {path: text for path, text in SOURCES.items() if text}
    called = rows(
        target,
        "SELECT s.qualified_name, d.qualified_name FROM edges JOIN symbols s ON src = s.symbol_id JOIN symbols d ON dst = d.symbol_id WHERE edges.kind = 'calls' ORDER BY ALL",
    )
    assert ("Store.get", "Store.load") in called
    assert ("main", "Store.get") in called
    assert report.resolved == len(
        {r[0] for r in rows(target, "SELECT DISTINCT site_id FROM edges WHERE site_id IS NOT NULL")}
    )


def test_definition_lines_lie_in_their_chunks(source: Path, target: Path) -> None:
    build(source, target)
    wrong = rows(
        target,
        "SELECT * FROM symbols s JOIN chunks c USING (chunk_id) WHERE s.line NOT BETWEEN c.start_line AND c.end_line OR s.file_id <> c.file_id",
    )
    assert wrong == []


def test_tests_are_marked_by_path_too(source: Path, target: Path) -> None:
    build(source, target)
    marked = rows(target, "SELECT DISTINCT path FROM symbols JOIN files USING (file_id) WHERE is_test")
    assert marked == [("tests/test_core.py",)]


def test_a_tiny_test_beside_a_function_does_not_make_it_one(tmp_path: Path, target: Path) -> None:
    build(write(tmp_path / "code", {"a.py": "def test_a():\n    pass\n\ndef b():\n    pass\n"}), target)
    assert rows(target, "SELECT name, is_test FROM symbols ORDER BY line, symbol_id") == [
        ("a", False),
        ("test_a", True),
        ("b", False),
    ]


def test_meta_names_what_the_index_was_made_of(source: Path, target: Path) -> None:
    build(source, target)
    meta = dict(rows(target, "SELECT key, value FROM meta"))
    assert meta["source_root"] == str(source.resolve())
    assert (meta["model"], meta["model_revision"], meta["dimensions"]) == ("counting", "1", "3")
    assert meta["settings_hash"] == settings_hash(SETTINGS)
    assert meta["schema_version"]


def test_two_builds_hold_the_same_in_any_kind_of_process(source: Path, tmp_path: Path) -> None:
    build(source, tmp_path / "a.duckdb")
    with ThreadPoolExecutor(2) as threads:
        build(source, tmp_path / "b.duckdb", executor=threads)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        build(source, tmp_path / "c.duckdb", executor=processes)
    first = everything(tmp_path / "a.duckdb")
    assert everything(tmp_path / "b.duckdb") == first
    assert everything(tmp_path / "c.duckdb") == first


def test_processes_that_die_cost_no_file(source: Path, target: Path) -> None:
    class Dying(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Any:
            raise BrokenExecutor

    with Dying(1) as dying:
        assert build(source, target, executor=dying).files == 6


def test_tables_are_sorted_for_their_readers(source: Path, target: Path) -> None:
    build(source, target)
    for table, key in (("terms", 0), ("trigrams", 0), ("lengths", 0)):
        keys = [row[key] for row in rows(target, f"SELECT * FROM {table}")]
        assert keys == sorted(keys)


def test_progress_is_told_for_every_stage(source: Path, target: Path) -> None:
    events: list[Progress] = []
    report = build(source, target, progress=events.append)
    stages = ["walk", "parse", "resolve", "embed", "write"]
    assert list(dict.fromkeys(e.stage for e in events)) == stages
    assert set(report.stages) == set(stages)
    assert Progress("parse", 6, 6) in events


HOSTILE: dict[str, str | bytes] = {
    "nul.bin": b"a\0b",
    "latin.py": "# año\nx = 1\n".encode("latin-1"),
    "broken.py": "def f(:\n    return )\nclass Good:\n    def m(self): pass\n",
    "line.json": b"[" + b"1," * 10_000_000 + b"1]",
    "nested.py": "x = " + ("[" * 100 + "\n") * 50 + ("]" * 100 + "\n") * 50,
    "new\nline.py": "def newline(): pass\n",
    "🦊.py": "def fox(): pass\n",
    "-dash.py": "def dash(): pass\n",
    "crlf.py": b"def crlf():\r\n    return 1\r\n",
    "cr.py": b"a = 1\rb = 2\rdef cr(): pass\r",
    "empty.py": b"",
    "bom.py": b"\xef\xbb\xbfdef bom(): pass\n",
    "utf16.py": "def wide(): pass\n".encode("utf-16"),
    "python2.py": "print 'old'\nexec 'x'\n",
    "mini.js": "var a=1;" * 5000,
    "late_nul.txt": b"x\n" * 9000 + b"a\0b\n",
    "separators.py": "s = 'a\u2028b\x0cc\x85d'\ndef sep(): pass\n",
    "surrogate.ipynb": '{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}',
    "broken.ipynb": "{",
    "deep.json": "[" * 100_000,
    "no_end.py": "def no_end(): pass",
}


def test_a_hostile_folder_is_indexed_and_every_oddity_told(tmp_path: Path, target: Path) -> None:
    source = write(tmp_path / "code", HOSTILE)
    (source / "loop").symlink_to(".")
    os.mkfifo(source / "pipe")
    report = build(source, target)
    status = {path: (s, reason) for path, s, reason in rows(target, "SELECT path, status, reason FROM files")}
    assert set(status) == {*HOSTILE, "loop", "pipe"}
    assert status["nul.bin"] == ("skipped", "binary")
    assert status["line.json"] == ("skipped", "too large")
    assert status["loop"] == ("skipped", "symlink")
    assert status["pipe"] == ("skipped", "fifo")
    assert status["latin.py"] == ("partial", "decoded as latin-1")
    assert status["utf16.py"] == ("partial", "decoded as utf-16-le")
    assert status["mini.js"] == ("partial", "minified")
    assert status["broken.ipynb"] == ("partial", "not a readable notebook")
    assert {p for p, s in status.items() if s[0] == "indexed"} >= {
        "🦊.py",
        "bom.py",
        "empty.py",
        "crlf.py",
        "nested.py",
    }
    names = {row[0] for row in rows(target, "SELECT name FROM symbols")}
    assert {"newline", "fox", "dash", "crlf", "bom", "wide", "sep", "m", "no_end"} <= names
    assert status["broken.py"][0] == "partial"
    assert "syntax error" in status["broken.py"][1]
    assert report.parse_errors == sum("syntax error" in (reason or "") for _, reason in status.values()) >= 1
    assert {p for p, _ in report.skipped} == {"nul.bin", "line.json", "loop", "pipe"}


def test_stored_text_is_the_files_own(tmp_path: Path, target: Path) -> None:
    build(write(tmp_path / "code", HOSTILE), target)
    stored = texts(target)
    assert stored["crlf.py"] == "def crlf():\n    return 1\n"
    assert stored["cr.py"] == "a = 1\rb = 2\rdef cr(): pass\r"
    assert stored["bom.py"] == "def bom(): pass\n"
    assert stored["late_nul.txt"] == "x\n" * 9000 + "a\0b\n"
    assert stored["separators.py"] == HOSTILE["separators.py"]
    assert rows(target, "SELECT lines FROM files WHERE path = 'cr.py'") == [(1,)]


def test_minified_files_have_no_symbols_and_no_vectors(tmp_path: Path, target: Path) -> None:
    embedder = Counting()
    build(write(tmp_path / "code", {"a.js": "var a=1;" * 5000, "b.py": "x = 1\n"}), target, embedder=embedder)
    assert {i.path for i in embedder.items} == {"b.py"}
    assert rows(target, "SELECT DISTINCT path FROM symbols JOIN files USING (file_id)") == [("b.py",)]


def test_a_notebook_is_searched_by_its_cells(tmp_path: Path, target: Path) -> None:
    image = {"data": {"image/png": "iVBORw0KGgoAAAANSUhEUg" * 500}}
    cells = [
        {"cell_type": "markdown", "source": ["# Loading\n", "Reads the data."]},
        {"cell_type": "code", "source": ["%time\n", "def load(path):\n", "    return open(path)"], "outputs": [image]},
    ]
    text = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}})
    build(write(tmp_path / "code", {"a.ipynb": text}), target)
    assert rows(target, "SELECT kind, name, start_line, end_line FROM chunks ORDER BY 3") == [
        ("cell", "", 1, 2),
        ("function", "load", 3, 5),
    ]
    assert "iVBOR" not in texts(target)["a.ipynb"]
    assert rows(target, "SELECT language FROM files") == [("python",)]


def test_equal_items_are_embedded_once_and_empty_chunks_never(tmp_path: Path, target: Path) -> None:
    embedder = Counting()
    source = write(tmp_path / "code", {"a.txt": "same\n" * 40 + "same\n" * 40, "b.txt": "\n\n"})
    build(source, target, embedder=embedder)
    assert len(embedder.items) == 1
    assert rows(target, "SELECT count(*), count(DISTINCT text_sha) FROM chunk_vectors") == [(2, 1)]


def test_a_file_that_breaks_the_parser_is_a_row(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse, "parse_source", lambda *a: 1 / 0)
    build(source, target)
    status = rows(target, "SELECT status, reason FROM files WHERE path = 'pkg/app.py'")
    assert status == [("partial", "not parsed (ZeroDivisionError: division by zero)")]
    assert texts(target)["pkg/app.py"] == SOURCES["pkg/app.py"]


def test_a_file_that_breaks_the_chunker_is_a_row(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analyse.chunk_file
    monkeypatch.setattr(
        analyse, "chunk_file", lambda p, *a, **k: 1 / 0 if p.language == "python" else whole(p, *a, **k)
    )
    report = build(source, target)
    assert ("pkg/app.py", "failed (ZeroDivisionError: division by zero)") in report.skipped
    assert "README.md" in texts(target)


def test_a_failure_leaves_the_old_index_and_no_debris(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(source, target)
    before = target.read_bytes()
    (source / "more.py").write_text("y = 1\n")
    for error in (KeyboardInterrupt(), duckdb.IOException("No space left on device"), PermissionError(13, "denied")):
        with monkeypatch.context() as patch:
            patch.setattr(writer, "_fill", failing(error))
            with pytest.raises((KeyboardInterrupt, MaguyvaError)) as caught:
                build(source, target)
            assert isinstance(caught.value, KeyboardInterrupt) or caught.value.next
        assert target.read_bytes() == before
        assert sorted(p.name for p in target.parent.iterdir()) == ["index.duckdb"]


def failing(error: BaseException) -> Any:
    def fill(path: Path, *_: Any) -> None:
        path.write_text("half")
        path.with_name(f"{path.name}.wal").write_text("half")
        raise error

    return fill


def test_an_open_reader_keeps_the_old_index_and_a_new_one_sees_the_new(source: Path, target: Path) -> None:
    build(source, target)
    with duckdb.connect(":memory:") as old:
        old.execute(f"ATTACH '{target}' AS idx (READ_ONLY)")
        (source / "more.py").write_text("y = 1\n")
        build(source, target)
        assert old.execute("SELECT count(*) FROM idx.files").fetchone() == (6,)
    assert rows(target, "SELECT count(*) FROM files") == [(7,)]


def test_a_place_that_cannot_be_written_says_what_to_do(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MaguyvaError) as caught:
        build(source, tmp_path / "file" / "index.duckdb")
    assert "--db" in caught.value.next


def test_missing_folders_and_files_are_told(source: Path, target: Path) -> None:
    with pytest.raises(PathNotFound):
        build(source / "nowhere", target)
    with pytest.raises(PathNotFound):
        build(source / "README.md", target)
    assert not target.exists()


def test_nothing_to_index_counts_why(tmp_path: Path, target: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NothingToIndex) as caught:
        build(empty, target)
    assert caught.value.skipped == {}
    write(empty, {"a.bin": b"\0", "b.bin": b"\0\0", "c.py": b""})
    with pytest.raises(NothingToIndex) as caught:
        build(empty, target)
    assert caught.value.skipped == {"binary": 2, "empty": 1}


def test_the_hash_of_settings_follows_what_the_index_depends_on() -> None:
    other_chunks = dataclasses.replace(SETTINGS, chunk=dataclasses.replace(SETTINGS.chunk, max_lines=30))
    more_workers = dataclasses.replace(SETTINGS, index=dataclasses.replace(SETTINGS.index, workers=7))
    assert settings_hash(other_chunks) != settings_hash(SETTINGS)
    assert settings_hash(more_workers) == settings_hash(SETTINGS)
