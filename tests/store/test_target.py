"""Where an index is written: nothing but an index is ever replaced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from maguyva_nb.engine import Explorer
from maguyva_nb.errors import IndexUnreadable, MaguyvaError
from maguyva_nb.store.locate import index_path
from maguyva_nb.store.reader import IndexReader


@pytest.fixture
def code(tmp_path: Path, home: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "a.py").write_text("def alpha():\n    return 1\n")
    return folder


def refused(code: Path, target: Path, *, force: bool = True) -> str:
    with pytest.raises(MaguyvaError) as caught:
        Explorer.index(code, db=target, force=force)
    return caught.value.message


def test_a_file_of_something_else_is_never_replaced(code: Path, tmp_path: Path) -> None:
    text = tmp_path / "p.txt"
    text.write_text("precious\n")
    assert "something else" in refused(code, text)
    assert text.read_text() == "precious\n"
    database = tmp_path / "mine.duckdb"
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE TABLE meta (key VARCHAR, value VARCHAR)")
    before = database.read_bytes()
    assert "something else" in refused(code, database)
    assert database.read_bytes() == before


def test_a_folder_or_a_pipe_is_no_place_for_an_index(code: Path, tmp_path: Path) -> None:
    assert "is a folder" in refused(code, tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "not a regular file" in refused(code, pipe)
    with pytest.raises(MaguyvaError, match="is a folder"):
        Explorer.open(code, db=tmp_path)


def test_an_index_of_any_version_is_replaced(code: Path, tmp_path: Path) -> None:
    target = tmp_path / "index.duckdb"
    Explorer.index(code, db=target)
    with duckdb.connect(str(target)) as con:
        con.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    assert Explorer.index(code, db=target).files == 1
    IndexReader(target).close()


def test_a_damaged_index_needs_force_but_not_at_its_default_place(code: Path, tmp_path: Path) -> None:
    target = tmp_path / "index.duckdb"
    Explorer.index(code, db=target)
    damaged = target.read_bytes()[:5000]
    target.write_bytes(damaged)
    with pytest.raises(IndexUnreadable, match="--force"):
        Explorer.index(code, db=target)
    assert target.read_bytes() == damaged
    Explorer.index(code, db=target, force=True)
    IndexReader(target).close()
    own = index_path(code)
    own.parent.mkdir(parents=True)
    for content in (damaged, b"", b"no database at all"):
        own.write_bytes(content)
        assert Explorer.index(code).files == 1
        IndexReader(own).close()


def test_leftovers_of_killed_writers_are_removed_and_those_of_living_ones_kept(code: Path, tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = tmp_path / "place"
    folder.mkdir()
    dead = [folder / f"i.db.building-{gone.pid}", folder / f"i.db.building-{gone.pid}.wal"]
    kept = [folder / f"i.db.building-{os.getppid()}", folder / f"other.db.building-{gone.pid}", folder / "i.db.notes"]
    for path in (*dead, *kept):
        path.write_text("x")
    Explorer.index(code, db=folder / "i.db")
    assert sorted(folder.iterdir()) == sorted([folder / "i.db", *kept])
