"""What indexing makes: the rows of an index, and the events of making one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from maguyva_nb.types.enums import EdgeKind, FileStatus, Resolution, SymbolKind


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One row of ``files``."""

    file_id: int
    path: str
    language: str | None
    bytes: int
    lines: int
    sha256: str
    mtime_ns: int
    status: FileStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One row of ``chunks``; the chunks of a file partition its lines."""

    chunk_id: int
    file_id: int
    kind: str
    name: str
    start_line: int
    end_line: int
    text: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """One row of ``symbols``; ``line`` is that of the name token."""

    symbol_id: int
    file_id: int
    chunk_id: int
    parent_id: int | None
    name: str
    qualified_name: str
    kind: SymbolKind
    signature: str
    doc: str
    line: int
    start_line: int
    end_line: int
    exported: bool
    is_test: bool


@dataclass(frozen=True, slots=True)
class CallSite:
    """One row of ``call_sites``; a site may have several edges or none."""

    site_id: int
    file_id: int
    caller_id: int
    name: str
    receiver: str | None
    line: int
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Edge:
    """One row of ``edges``: ``src`` depends on ``dst`` (symbol ids)."""

    src: int
    dst: int
    kind: EdgeKind
    confidence: float
    provenance: Resolution
    line: int
    site_id: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """One event of long work; ``total`` is 0 while it is unknown."""

    stage: str
    done: int
    total: int


ProgressListener = Callable[[Progress], None]
