"""The semantic list: cosine of the query's vector with every chunk's, exact, in numpy."""

from __future__ import annotations

import numpy as np

from maguyva_nb.protocols import Embedder
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.types import Modality, Query, RankedList


class SemanticRetriever:
    """Vectors of one model; the model must be the one that made the index."""

    modality = Modality.SEMANTIC

    def __init__(self, corpus: Corpus, embedder: Embedder) -> None:
        self._corpus = corpus
        self._embedder = embedder

    def __call__(self, query: Query, *, depth: int) -> RankedList:
        """Best ``depth`` chunks by cosine; empty when the query has no word the model knows."""
        vector = self._embedder.embed_query(query.words, weigh=self._corpus.query_weight)
        chunk_ids, matrix = self._corpus.reader.vectors
        scores = np.zeros(self._corpus.size)
        if matrix.size and np.any(vector):
            scores[chunk_ids] = matrix @ vector
        scores = self._corpus.within(query.filters, scores)
        return self._corpus.ranked(self.modality, scores, depth, note=self._embedder.info.name)
