"""The structural list: symbols by name, qualified name, words of the name, doc and body; each chunk by its best."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.retrieve.bm25 import bm25f, field_norms, idf_of
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.lookup import SymbolLookup
from maguyva_nb.retrieve.syntax import syntax_list
from maguyva_nb.tokens import identifiers, query_terms, split_identifier, stem
from maguyva_nb.types import FIELD_CODE, Field, Modality, Query, RankedHit, RankedList, SymbolKind

Floats = NDArray[np.float64]

# Words by which people ask for a kind of symbol, English and Spanish.
KIND_WORDS: Mapping[str, tuple[SymbolKind, ...]] = {
    **dict.fromkeys(("class", "classes", "clase", "clases"), (SymbolKind.CLASS, SymbolKind.STRUCT)),
    **dict.fromkeys(
        ("function", "functions", "función", "funciones", "funcion"), (SymbolKind.FUNCTION, SymbolKind.METHOD)
    ),
    **dict.fromkeys(("method", "methods", "método", "métodos", "metodo"), (SymbolKind.METHOD, SymbolKind.FUNCTION)),
    **dict.fromkeys(("struct", "structs", "estructura"), (SymbolKind.STRUCT, SymbolKind.CLASS)),
    **dict.fromkeys(("enum", "enums", "enumeración"), (SymbolKind.ENUM,)),
    **dict.fromkeys(("interface", "interfaz"), (SymbolKind.INTERFACE, SymbolKind.TRAIT)),
    "trait": (SymbolKind.TRAIT,),
    "macro": (SymbolKind.MACRO,),
    **dict.fromkeys(("constant", "constante"), (SymbolKind.CONSTANT,)),
    **dict.fromkeys(("type", "tipo"), (SymbolKind.TYPE, SymbolKind.INTERFACE, SymbolKind.CLASS)),
}
# A file or heading of that name is a weaker answer than code of that name.
WEAK_KINDS = (SymbolKind.MODULE, SymbolKind.SECTION, SymbolKind.VARIABLE)
WEAK_SHARE = 0.7
# What the enclosing symbol's name adds to a member whose own name matches less.
PARENT_SHARE = 0.3
# A later piece of a long symbol answers by the symbol's name too, a little less than its head.
CONTINUED_SHARE = 0.8


class StructuralRetriever:
    """Definitions of what the query names or describes."""

    modality = Modality.STRUCTURAL

    def __init__(self, corpus: Corpus, lookup: SymbolLookup) -> None:
        self._corpus = corpus
        self._lookup = lookup
        self._settings = corpus.settings.structural

    def __call__(self, query: Query, *, depth: int) -> RankedList:
        """Best ``depth`` chunks, each with the symbol that put it there; every match of a syntax pattern."""
        if query.ast is not None:
            return syntax_list(self._corpus, query)
        symbol_scores = self._symbol_scores(query)
        scores = self._chunk_scores(query)
        named = np.zeros(self._corpus.size)
        np.maximum.at(named, self._corpus.chunk_of, symbol_scores)
        owner = self._corpus.owner
        continued = np.where(owner >= 0, CONTINUED_SHARE * symbol_scores[owner], 0.0) if symbol_scores.size else 0.0
        scores = self._corpus.within(query.filters, scores + np.maximum(named, continued))
        hits = tuple(self._hit(i, float(scores[i]), symbol_scores) for i in self._corpus.best(scores, depth))
        return RankedList(self.modality, hits)

    def _symbol_scores(self, query: Query) -> Floats:
        """``(symbols,)``: by whole names when the query has some, by the words of names in any case."""
        scores = self._settings.name * self._name_overlap(query_terms(query.words))
        for name in query.symbols:
            for found, share in self._whole_names(name):
                scores[list(found)] = np.maximum(scores[list(found)], share)
        asked = {kind for word in identifiers(query.words) for kind in KIND_WORDS.get(word.lower(), ())}
        if asked:
            scores += self._settings.kind * np.isin(self._kinds, list(asked)) * (scores > 0)
        return np.where(np.isin(self._kinds, list(WEAK_KINDS)), WEAK_SHARE * scores, scores)

    def _whole_names(self, name: str) -> list[tuple[tuple[int, ...], float]]:
        lookup, settings = self._lookup, self._settings
        return [
            (lookup.folded(name), settings.folded),
            (lookup.qualified(name), settings.qualified),
            (lookup.exact(name), settings.exact),
        ]

    def _name_overlap(self, terms: tuple[str, ...]) -> Floats:
        """``(symbols,)``: F1 of the query's and the name's words, weighted by rarity among names."""
        own = self._overlap(terms, self._name_index, self._name_mass)
        parents = self._corpus.parent_of
        of_parent = np.where(parents >= 0, own[parents], 0.0)
        return np.minimum(own + PARENT_SHARE * of_parent * (own > 0), 1.0)

    def _overlap(self, terms: tuple[str, ...], index: Mapping[str, NDArray[np.int64]], mass: Floats) -> Floats:
        rarity = [idf_of(len(mass), len(index.get(term, ()))) for term in terms]
        shared = np.zeros(len(mass))
        for term, weight in zip(terms, rarity, strict=True):
            if term in index:
                shared[index[term]] += weight
        both = mass + sum(rarity)
        return np.divide(2.0 * shared, both, out=np.zeros(len(mass)), where=both > 0)

    def _chunk_scores(self, query: Query) -> Floats:
        """``(chunks,)``: doc and body, each scaled to a best of 1; 0 when nothing else tells symbols apart."""
        postings = list(self._corpus.reader.term_postings(query_terms(query.words)).values())
        total = np.zeros(self._corpus.size)
        for field, share in ((Field.DOC, self._settings.doc), (Field.BODY, self._settings.body)):
            weights = np.zeros(len(Field))
            weights[FIELD_CODE[field]] = 1.0
            scores = bm25f(postings, self._norms, weights, k1=self._corpus.settings.text.k1)
            scores = self._corpus.within(query.filters, scores)
            top = scores.max(initial=0.0)
            total += share * scores / top if top > 0 else 0.0
        return np.where(self._corpus.owner >= 0, total, 0.0)

    def _hit(self, chunk_id: int, score: float, symbol_scores: Floats) -> RankedHit:
        inside = self._corpus.symbols_of.get(chunk_id, [])
        best = max(inside, key=lambda i: (symbol_scores[i], -i), default=int(self._corpus.owner[chunk_id]))
        return RankedHit(chunk_id, score, symbol_id=best)

    @cached_property
    def _kinds(self) -> NDArray[np.str_]:
        return np.array(self._corpus.reader.symbols.kind, dtype=np.str_)

    @cached_property
    def _norms(self) -> Floats:
        return field_norms(self._corpus.reader.field_lengths, self._corpus.settings.text.b)

    @cached_property
    def _name_index(self) -> dict[str, NDArray[np.int64]]:
        grouped: dict[str, list[int]] = {}
        for symbol_id, name in enumerate(self._corpus.reader.symbols.name):
            for term in {stem(part) for part in split_identifier(name)}:
                grouped.setdefault(term, []).append(symbol_id)
        return {term: np.array(ids, np.int64) for term, ids in grouped.items()}

    @cached_property
    def _name_mass(self) -> Floats:
        """``(symbols,)``: summed rarity of each name's words."""
        mass = np.zeros(len(self._corpus.reader.symbols))
        for ids in self._name_index.values():
            mass[ids] += idf_of(len(mass), ids.size)
        return mass
