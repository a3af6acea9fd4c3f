"""Writing an index: built beside, checked out whole, swapped in at once; a failure leaves the old one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from maguyva_nb.errors import IndexOutdated, MaguyvaError
from maguyva_nb.store.connect import CONFIG, clear_errors, sql_text
from maguyva_nb.store.target import remove_leftovers
from maguyva_nb.store.version import SCHEMA_VERSION

SPACE = "Check permissions and free space, or name another file with --db."


def write_index(target: Path, tables: Mapping[str, pa.Table], meta: Mapping[str, str]) -> None:
    """Writes ``tables`` (named as in schema.sql, in the order they are to be read) and swaps the file in.

    The schema version is added to ``meta``. Raises ``MaguyvaError`` when the disk or the permissions refuse.
    """
    building = target.with_name(f"{target.name}.building-{os.getpid()}")
    try:
        with clear_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            _discard(building)
            try:
                _fill(building, tables, {**meta, "schema_version": SCHEMA_VERSION})
            except duckdb.Error as error:
                first = str(error).splitlines()[0]
                raise MaguyvaError(f"Cannot write the index {target}: {first}.", next=SPACE) from error
            os.replace(building, target)
            remove_leftovers(target)
    finally:
        _discard(building)


def add_to_index(target: Path, tables: Mapping[str, pa.Table], meta: Mapping[str, str], *, build: str) -> None:
    """Swaps in a copy of an index with more rows and other values of ``meta``.

    Raises ``IndexOutdated`` when the index is no longer that of ``build``: it was built anew in the meantime.
    """
    building = target.with_name(f"{target.name}.building-{os.getpid()}")
    try:
        with clear_errors(target):
            _discard(building)
            before = _identity(target)
            shutil.copyfile(target, building)
            _append(building, target, tables, meta, build)
            if _identity(target) != before:
                raise _rebuilt(target)
            os.replace(building, target)
            remove_leftovers(target)
    finally:
        _discard(building)


def _append(path: Path, target: Path, tables: Mapping[str, pa.Table], meta: Mapping[str, str], build: str) -> None:
    con = duckdb.connect(str(path), config=CONFIG)
    try:
        if con.execute("SELECT value FROM meta WHERE key = 'build'").fetchall() != [(build,)]:
            raise _rebuilt(target)
        _insert(con, tables)
        con.execute("DELETE FROM meta WHERE key IN (SELECT unnest(?))", [list(meta)])
        _insert(con, {"meta": pa.table({"key": list(meta), "value": list(meta.values())})})
        con.execute("CHECKPOINT")
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise MaguyvaError(f"Cannot write the index {target}: {first}.", next=SPACE) from error
    finally:
        con.close()


def _identity(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _rebuilt(target: Path) -> IndexOutdated:
    return IndexOutdated(f"The index {target} was built anew in the meantime.", next="Do it again; most is remembered.")


def _fill(path: Path, tables: Mapping[str, pa.Table], meta: Mapping[str, str]) -> None:
    con = duckdb.connect(str(path), config=CONFIG)
    try:
        con.execute(sql_text("schema.sql"))
        rows = pa.table({"key": list(meta), "value": list(meta.values())})
        _insert(con, {**tables, "meta": rows})
        con.execute("CHECKPOINT")
    finally:
        con.close()


def _insert(con: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table]) -> None:
    for name, table in tables.items():
        con.register("incoming", table)
        columns = ", ".join(f'"{column}"' for column in table.column_names)
        con.execute(f'INSERT INTO "{name}" ({columns}) SELECT {columns} FROM incoming')
        con.unregister("incoming")


def _discard(building: Path) -> None:
    for leftover in (building, building.with_name(f"{building.name}.wal")):
        with suppress(OSError):
            leftover.unlink()
