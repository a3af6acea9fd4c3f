"""Where an index may be written: a new file, or in the place of another index, never over anything else."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

import duckdb

from maguyva_nb.errors import IndexUnreadable, MaguyvaError
from maguyva_nb.store.connect import CONFIG, clear_errors, quoted
from maguyva_nb.store.locate import index_path

# What every DuckDB file has at this offset, whatever is damaged behind it.
MAGIC = b"DUCK"
MAGIC_AT = 8
ELSEWHERE = "Name another file with --db; this one is left as it is."
_LEFTOVER = re.compile(r"\.building-(\d+)(?:\.wal)?$")


def check_target(source: Path, target: Path, *, force: bool = False) -> None:
    """Raises ``MaguyvaError`` unless the index of ``source`` may be written to ``target``.

    The default place is this program's own; elsewhere only an index is replaced, a damaged one only with ``force``.
    """
    with clear_errors(target):
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            return
    if stat.S_ISDIR(mode):
        raise MaguyvaError(f"{target} is a folder, not a file.", next="Name a file with --db.")
    if not stat.S_ISREG(mode):
        raise MaguyvaError(f"{target} is not a regular file.", next=ELSEWHERE)
    if target != index_path(source):
        _check_content(target, force)


def remove_leftovers(target: Path) -> None:
    """Removes what writers of ``target`` that were killed have left beside it."""
    with suppress(OSError):
        for path in target.parent.iterdir():
            found = _LEFTOVER.fullmatch(path.name.removeprefix(target.name)) if _beside(path, target) else None
            if found and not _is_alive(int(found.group(1))):
                path.unlink(missing_ok=True)


def _beside(path: Path, target: Path) -> bool:
    return path.name.startswith(f"{target.name}.")


def _check_content(target: Path, force: bool) -> None:
    with clear_errors(target), target.open("rb") as file:
        has_magic = file.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    if not has_magic:
        raise MaguyvaError(f"{target} is a file of something else, not an index.", next=ELSEWHERE)
    try:
        known = _has_version(target)
    except IndexUnreadable as error:
        if force:
            return
        raise IndexUnreadable(
            f"{target} is a database, but damaged.", next="Replace it with --force, or name another file with --db."
        ) from error
    if not known:
        raise MaguyvaError(f"{target} is a database of something else, not an index.", next=ELSEWHERE)


def _has_version(target: Path) -> bool:
    with clear_errors(target), duckdb.connect(":memory:", config=CONFIG) as con:
        con.execute(f"ATTACH {quoted(target)} AS idx (READ_ONLY)")
        columns = con.execute(
            "SELECT column_name FROM duckdb_columns() WHERE database_name = 'idx' AND table_name = 'meta'"
        ).fetchall()
        if not {("key",), ("value",)} <= set(columns):
            return False
        return bool(con.execute("SELECT 1 FROM idx.meta WHERE key = 'schema_version'").fetchall())


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        # There a signal would end the process, and the system itself refuses to remove a file that is in use.
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
