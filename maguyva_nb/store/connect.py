"""Opening DuckDB files, and turning its refusals into errors that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import duckdb

from maguyva_nb.errors import IndexUnreadable, MaguyvaError, StoreLocked

# Nothing may be downloaded behind the user's back, least of all an extension.
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_PID = re.compile(r"\(PID (\d+)\)")
# A whole word: damage is told of a "block".
_HELD = re.compile(r"\block\b|another process", re.IGNORECASE)


def sql_text(name: str) -> str:
    """A statement file of this package."""
    return resources.files("maguyva_nb.store").joinpath(name).read_text(encoding="utf-8")


def quoted(path: Path) -> str:
    """A path as a text in SQL, for the statements that take no parameters."""
    return "'" + str(path).replace("'", "''") + "'"


REBUILD = "Rebuild it with: maguyva-nb index PATH --force"
# Errors that say nothing about a file: a stopped statement, a closed reader, too little memory.
PASSING = (duckdb.InterruptException, duckdb.ConnectionException, duckdb.OutOfMemoryException)


ACCESS = "Check permissions and free space, or name another file with --db."


@contextmanager
def clear_errors(path: Path, *, mend: str = REBUILD, access: str = ACCESS) -> Iterator[None]:
    """Turns DuckDB's and the system's refusals about ``path`` into a ``MaguyvaError``.

    ``mend`` is the next step for a file that cannot be read, ``access`` for one that cannot be reached.
    """
    try:
        yield
    except duckdb.IOException as error:
        raise _io_error(path, str(error), mend) from error
    except PASSING:
        raise
    except (duckdb.Error, UnicodeDecodeError) as error:
        first = (str(error).splitlines() or ["unknown reason"])[0]
        raise IndexUnreadable(f"{path} is damaged or not a database of this program ({first}).", next=mend) from error
    except OSError as error:
        raise MaguyvaError(f"Cannot use {path}: {error.strerror or error}.", next=access) from error


def _io_error(path: Path, text: str, mend: str) -> MaguyvaError:
    first = text.splitlines()[0] if text else "unknown reason"
    if _HELD.search(text):
        found = _PID.search(text)
        pid = int(found.group(1)) if found else None
        holder = f"process {pid}" if pid else "another process"
        return StoreLocked(
            f"{path} is held by {holder}.", next=f"Close {holder} or wait for it, then try again.", pid=pid
        )
    return IndexUnreadable(f"{path} cannot be opened ({first}).", next=mend)
