"""Every error of the package.

::

    MaguyvaError                what happened, to what, and the next step
    ├── PathNotFound            the codebase to explore does not exist or is not a folder
    ├── NothingToIndex          an empty folder, or only files that cannot be indexed
    ├── IndexMissing            no index where one was asked for
    ├── IndexOutdated           an index of another schema version
    ├── IndexUnreadable         not an index file, or damaged
    ├── StoreLocked             a database held by another process
    ├── ConfigError             an unknown key, a wrong type, an unknown profile
    ├── QueryError              an empty, over-long or malformed query
    ├── QuerySetError           a file of queries, or a saved evaluation, that cannot be used
    ├── UsageError              a command line that cannot be understood
    ├── UnknownSymbol           no symbol of that name, with the nearest names
    ├── ModelUnavailable        an embedder that cannot load
    └── MissingExtra            an optional package that is not installed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class MaguyvaError(Exception):
    """The base: ``message`` says what happened to what, ``next`` what to do about it."""

    def __init__(self, message: str, *, next: str) -> None:
        super().__init__(message)
        self.message = message
        self.next = next

    def __str__(self) -> str:
        return f"{self.message} {self.next}"


class PathNotFound(MaguyvaError):
    """The codebase to explore does not exist or is not a folder."""


class NothingToIndex(MaguyvaError):
    """Nothing in a folder can be indexed; ``skipped`` counts files by reason."""

    def __init__(self, path: str, skipped: Mapping[str, int]) -> None:
        self.skipped = dict(skipped)
        counts = ", ".join(f"{n} {reason}" for reason, n in sorted(skipped.items()))
        what = f"{path} has no file that can be indexed ({counts or 'the folder is empty'})."
        super().__init__(what, next="Give a folder with source files, or check its ignore rules.")


class IndexMissing(MaguyvaError):
    """No index where one was asked for."""


class IndexOutdated(MaguyvaError):
    """An index of another schema version."""


class IndexUnreadable(MaguyvaError):
    """Not an index file, or a damaged one."""


class StoreLocked(MaguyvaError):
    """A database file held by another process; ``pid`` is that process where it is known."""

    def __init__(self, message: str, *, next: str, pid: int | None) -> None:
        super().__init__(message, next=next)
        self.pid = pid


class ConfigError(MaguyvaError):
    """A setting that is unknown, of the wrong type or out of range."""


class QueryError(MaguyvaError):
    """An empty, over-long or malformed query."""


class QuerySetError(MaguyvaError):
    """A file of queries with answers, or a saved evaluation, that cannot be used."""


class UsageError(MaguyvaError):
    """A command line that cannot be understood."""


class UnknownSymbol(MaguyvaError):
    """No symbol of that name; ``nearest`` holds the closest names, best first."""

    def __init__(self, name: str, nearest: Sequence[str]) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        offer = f"Did you mean {', '.join(nearest)}?" if nearest else "Try a search for it instead."
        super().__init__(f"No symbol named {name!r} in this index.", next=offer)


class ModelUnavailable(MaguyvaError):
    """An embedder or chat model that cannot load."""


class MissingExtra(MaguyvaError):
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"This needs the package {package}, which is not installed.",
            next=f'Install it with: pip install "maguyva-nb[{extra}]"',
        )
