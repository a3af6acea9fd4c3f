"""Writing an index: built beside, checked out whole, swapped in at once; a failure leaves the old one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from maguyva_nb.errors import MaguyvaError
from maguyva_nb.store.connect import CONFIG, clear_errors, sql_text
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
    finally:
        _discard(building)


def _fill(path: Path, tables: Mapping[str, pa.Table], meta: Mapping[str, str]) -> None:
    con = duckdb.connect(str(path), config=CONFIG)
    try:
        con.execute(sql_text("schema.sql"))
        rows = pa.table({"key": list(meta), "value": list(meta.values())})
        for name, table in {**tables, "meta": rows}.items():
            con.register("incoming", table)
            columns = ", ".join(f'"{column}"' for column in table.column_names)
            con.execute(f'INSERT INTO "{name}" ({columns}) SELECT {columns} FROM incoming')
            con.unregister("incoming")
        con.execute("CHECKPOINT")
    finally:
        con.close()


def _discard(building: Path) -> None:
    for leftover in (building, building.with_name(f"{building.name}.wal")):
        with suppress(OSError):
            leftover.unlink()
