"""Tables of an index as columns in memory; position = id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.types import Symbol, SymbolKind


@dataclass(frozen=True, slots=True)
class FileColumns:
    """``files`` by file id."""

    path: list[str]
    language: list[str | None]
    status: list[str]
    lines: list[int]
    mtime_ns: list[int]
    bytes: list[int]
    sha256: list[str]

    def __len__(self) -> int:
        return len(self.path)


@dataclass(frozen=True, slots=True)
class ChunkColumns:
    """``chunks`` by chunk id, without texts."""

    file_id: list[int]
    kind: list[str]
    name: list[str]
    start_line: list[int]
    end_line: list[int]
    is_test: list[bool]

    def __len__(self) -> int:
        return len(self.file_id)

    @classmethod
    def empty(cls) -> ChunkColumns:
        """No chunk at all."""
        return cls([], [], [], [], [], [])


@dataclass(frozen=True, slots=True)
class SymbolColumns:
    """``symbols`` joined with ``centrality`` by symbol id."""

    file_id: list[int]
    chunk_id: list[int]
    parent_id: list[int | None]
    name: list[str]
    qualified_name: list[str]
    kind: list[str]
    signature: list[str]
    doc: list[str]
    line: list[int]
    start_line: list[int]
    end_line: list[int]
    exported: list[bool]
    is_test: list[bool]
    pagerank: list[float]
    in_degree: list[int]

    def __len__(self) -> int:
        return len(self.name)

    @classmethod
    def empty(cls) -> SymbolColumns:
        """No symbol at all."""
        return cls(*([] for _ in range(15)))

    def row(self, symbol_id: int) -> Symbol:
        """One symbol as a dataclass."""
        i = symbol_id
        return Symbol(
            symbol_id=i,
            file_id=self.file_id[i],
            chunk_id=self.chunk_id[i],
            parent_id=self.parent_id[i],
            name=self.name[i],
            qualified_name=self.qualified_name[i],
            kind=SymbolKind(self.kind[i]),
            signature=self.signature[i],
            doc=self.doc[i],
            line=self.line[i],
            start_line=self.start_line[i],
            end_line=self.end_line[i],
            exported=self.exported[i],
            is_test=self.is_test[i],
        )


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """Dependency edges (no ``contains``) as arrays of one length; ``src`` depends on ``dst``."""

    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    kind: NDArray[np.str_]
    confidence: NDArray[np.float64]
    line: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term or trigram occurs: parallel arrays, sorted by chunk id, then field code."""

    chunk_id: NDArray[np.int64]
    field: NDArray[np.int64]
    count: NDArray[np.float64]

    @classmethod
    def nothing(cls) -> Postings:
        """A key that occurs nowhere."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))

    @property
    def document_frequency(self) -> int:
        """In how many chunks it occurs."""
        return int(np.unique(self.chunk_id).size)
