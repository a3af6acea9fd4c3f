"""The semantic list: cosine of the query's vector with every chunk's, exact, in numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.errors import ModelUnavailable
from maguyva_nb.protocols import Embedder, Vectors
from maguyva_nb.retrieve.codes import SignCodes
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.types import Modality, Query, RankedList

ChunkVectors = tuple[NDArray[np.int64], Vectors]


@dataclass(frozen=True, slots=True)
class Model:
    """A model that an index has vectors of; it is loaded when it is first asked."""

    name: str
    revision: str
    load: Callable[[], Embedder]

    @property
    def key(self) -> str:
        """What names its vectors in the index."""
        return f"{self.name}@{self.revision}"


class Space:
    """The vectors of one model; threads may share it."""

    def __init__(self, model: Model, read: Callable[[], ChunkVectors]) -> None:
        self.model = model
        self._read = read

    @cached_property
    def embedder(self) -> Embedder:
        """The model itself; raises ``ModelUnavailable`` where it is gone, or is not the one that made the vectors."""
        embedder = self.model.load()
        made_by, info = self.model.revision, embedder.info
        if info.revision != made_by:
            raise ModelUnavailable(
                f"The vectors of the index are of {self.model.name} {made_by}; the model and settings here make "
                f"{info.revision}.",
                next=f"Make them anew with: maguyva-nb index PATH --embedder {self.model.name}",
            )
        return embedder

    @cached_property
    def vectors(self) -> ChunkVectors:
        """``(chunk_ids, matrix)``: the unit vector of a chunk in each row."""
        return self._read()

    @cached_property
    def codes(self) -> SignCodes:
        """The sign codes of the matrix."""
        return SignCodes(self.vectors[1])

    def fitting(self, vector: Vectors) -> Vectors:
        """A query's vector; raises ``ModelUnavailable`` where its size is not that of the rows."""
        if vector.size and vector.size != self.vectors[1].shape[1]:
            raise ModelUnavailable(
                f"{self.model.name} answered with {vector.size} dimensions; the index has {self.vectors[1].shape[1]}.",
                next=f"Make its vectors anew with: maguyva-nb index PATH --force --embedder {self.model.name}",
            )
        return vector


class SemanticRetriever:
    """Answers with the best model the index has vectors of, or with its base while that one is unavailable."""

    modality = Modality.SEMANTIC

    def __init__(self, corpus: Corpus, base: Space, better: Space | None = None) -> None:
        self._corpus = corpus
        self._base = base
        self._best = better or base
        self._settings = corpus.settings.semantic

    @property
    def model(self) -> str:
        """The name of the model that answers."""
        return self._best.model.name

    def answer_with(self, space: Space) -> None:
        """From the next query on, the vectors of ``space`` answer."""
        self._best = space

    def __call__(self, query: Query, *, depth: int) -> RankedList:
        """Best ``depth`` chunks by cosine; ``note`` names the models that answered. Empty when they know no word of it.

        Beside a better model the base has its share: what the one overlooks for want of room the other has read.
        """
        best = self._best
        if best is self._base:
            return self._ranked(query, self._scores(best, query, depth), depth, best.model.name)
        try:
            asked = replace(query, expansion=()) if self._corpus.settings.embed.multilingual else query
            scores = self._scores(best, asked, depth)
        except ModelUnavailable as error:
            base = self._ranked(query, self._scores(self._base, query, depth), depth, self._base.model.name)
            said = f"{error.message} The vectors of {self._base.model.name} answered instead. {error.next}"
            return replace(base, warning=said)
        share = self._settings.base_share
        if not share:
            return self._ranked(query, scores, depth, best.model.name)
        blend = (1 - share) * scores + share * self._scores(self._base, query, depth, whole=True)
        names = f"{best.model.name} + {self._base.model.name}"
        return self._ranked(query, np.where(scores == 0, 0.0, blend), depth, names)

    def _ranked(self, query: Query, scores: NDArray[np.float64], depth: int, note: str) -> RankedList:
        return self._corpus.ranked(self.modality, self._corpus.within(query.filters, scores), depth, note=note)

    def _scores(self, space: Space, query: Query, depth: int, *, whole: bool = False) -> NDArray[np.float64]:
        """``(chunks,)`` cosines, 0 for chunks without a vector and for those that the first pass left out."""
        vector = space.embedder.embed_query(query.words, weigh=self._corpus.query_weight)
        scores = np.zeros(self._corpus.size)
        chunk_ids, matrix = space.vectors
        if matrix.size and np.any(space.fitting(vector)):
            rows = None if whole else self._first_pass(space, vector, query, depth)
            if rows is None:
                scores[chunk_ids] = matrix @ vector
            else:
                scores[chunk_ids[rows]] = matrix[rows] @ vector
        return scores

    def _first_pass(self, space: Space, vector: Vectors, query: Query, depth: int) -> NDArray[np.int64] | None:
        """The rows whose signs are nearest, where that is wanted and worth it; None for all."""
        chunk_ids = space.vectors[0]
        if not self._settings.binary or chunk_ids.size < self._settings.binary_from:
            return None
        mask = self._corpus.mask(query.filters)
        return space.codes.nearest(vector, self._settings.oversample * depth, None if mask is None else mask[chunk_ids])
