"""What an adapter must offer to take part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.types import Modality, Query, RankedList

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedItem:
    """What an embedder may use of a chunk. ``parent`` is the qualified name of the enclosing symbol."""

    path: str
    name: str
    parent: str
    kind: str
    doc: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Identity of a model: goes into ``meta`` and keys the vector cache.

    ``dimensions`` is 0 where a model has yet to be asked. ``slow`` ones are not waited for.
    """

    name: str
    revision: str
    dimensions: int
    slow: bool = False

    @property
    def key(self) -> str:
        """What names its space of vectors."""
        return f"{self.name}@{self.revision}"


@runtime_checkable
class Embedder(Protocol):
    """Turns chunks and queries into unit vectors of one space."""

    @property
    def info(self) -> ModelInfo:
        """Name, revision and dimensions."""

    def embed_chunks(self, items: Sequence[EmbedItem]) -> Vectors:
        """``(len(items), dimensions)`` float32 rows of unit length; a zero row has no words."""

    def embed_query(self, text: str, *, weigh: Callable[[str], float] | None = None) -> Vectors:
        """``(dimensions,)`` float32 of unit length, or zero without a known word.

        ``weigh`` gives the weight of a lower-case word from corpus statistics; transformers ignore it.
        """


class Retriever(Protocol):
    """Turns a parsed query into one ranked list."""

    modality: Modality

    def __call__(self, query: Query, *, depth: int) -> RankedList:
        """At most ``depth`` hits, best first; a literal's list holds every match."""
