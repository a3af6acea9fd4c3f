"""The text list: BM25 over split, stemmed identifiers in four fields, beside trigrams for partial ones."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.retrieve.bm25 import bm25f, field_norms
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.literal import literal_list
from maguyva_nb.retrieve.regexes import regex_list
from maguyva_nb.tokens import STOP_WORDS, distinct_trigrams, identifiers, query_terms
from maguyva_nb.types import NO_FILTERS, Field, Filters, Modality, Query, RankedList

# The rarest trigrams of a query decide; the rest only cost time.
MAX_TRIGRAMS = 48


class TextRetriever:
    """Words, literals and partial identifiers, each by rarity."""

    modality = Modality.TEXT

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._settings = corpus.settings.text

    def __call__(self, query: Query, *, depth: int) -> RankedList:
        """Best ``depth`` chunks; every match when the query is a literal or a regular expression."""
        if query.literal is not None:
            return literal_list(self._corpus, query)
        if query.regex is not None:
            return regex_list(self._corpus, query)
        return self._corpus.ranked(self.modality, self.scores(query.words, query.filters), depth)

    def scores(self, text: str, filters: Filters = NO_FILTERS) -> NDArray[np.float64]:
        """``(chunks,)``: word score, plus ``trigram_share`` of the trigram score, both scaled to a best of 1."""
        words = self._corpus.within(filters, self._word_scores(text))
        grams = self._corpus.within(filters, self._trigram_scores(text))
        share = self._settings.trigram_share
        return (1.0 - share) * _scaled(words) + share * _scaled(grams)

    def _word_scores(self, text: str) -> NDArray[np.float64]:
        postings = self._corpus.reader.term_postings(query_terms(text))
        return bm25f(postings.values(), self._norms, self._weights, k1=self._settings.k1)

    def _trigram_scores(self, text: str) -> NDArray[np.float64]:
        words = [w for w in identifiers(text) if len(w) > 2 and w.lower() not in STOP_WORDS]
        postings = self._corpus.reader.trigram_postings(distinct_trigrams(words).tolist())
        rarest = sorted(postings.items(), key=lambda item: (item[1].chunk_id.size, item[0]))[:MAX_TRIGRAMS]
        return bm25f((p for _, p in rarest), self._norms, self._weights, k1=self._settings.k1)

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        return np.array([getattr(self._settings, field) for field in Field], np.float64)

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        return field_norms(self._corpus.reader.field_lengths, self._settings.b)


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    top = scores.max(initial=0.0)
    return scores / top if top > 0 else scores
