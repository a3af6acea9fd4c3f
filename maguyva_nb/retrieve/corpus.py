"""What the retrievers share of one index: cards, demotions, statistics, and the order of equal scores."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.config import Settings
from maguyva_nb.retrieve.scope import Mask, chunk_mask
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.tokens import query_terms, terms, terms_of
from maguyva_nb.types import NO_FILTERS, ChunkCard, Filters, Modality, RankedHit, RankedList, SymbolKind, Translation

# The floor of idf as a share of its maximum: a term in every chunk still says a little.
IDF_FLOOR = 0.05
# Long s, the Kelvin sign and the two i of Turkish match s, k and i when case is ignored.
ODD_CASED = "ſKİı"
# Filters of recent searches whose masks are kept.
CACHED_MASKS = 64


class Corpus:
    """An index reader with the settings of retrieval; safe to share between threads."""

    def __init__(self, reader: IndexReader, settings: Settings) -> None:
        self.reader = reader
        self.settings = settings
        self.size = len(reader.chunks)
        self._masks: dict[Filters, Mask] = {}
        self._idf: dict[str, float] = {}

    @cached_property
    def pagerank(self) -> NDArray[np.float64]:
        """The largest PageRank of each chunk's symbols, 0 without one."""
        return self._largest(self.reader.symbols.pagerank)

    @cached_property
    def in_degree(self) -> NDArray[np.float64]:
        """The largest in-degree of each chunk's symbols, 0 without one."""
        return self._largest(self.reader.symbols.in_degree)

    @cached_property
    def chunk_of(self) -> NDArray[np.int64]:
        """``(symbols,)``: the chunk that holds each symbol's definition."""
        return np.array(self.reader.symbols.chunk_id, np.int64)

    @cached_property
    def symbols_of(self) -> dict[int, list[int]]:
        """The symbols defined in each chunk, by id; a chunk without any is left out."""
        grouped: dict[int, list[int]] = {}
        for symbol_id, chunk_id in enumerate(self.reader.symbols.chunk_id):
            grouped.setdefault(chunk_id, []).append(symbol_id)
        return grouped

    @cached_property
    def parent_of(self) -> NDArray[np.int64]:
        """``(symbols,)``: the enclosing symbol of each, -1 for a module."""
        return np.array([-1 if parent is None else parent for parent in self.reader.symbols.parent_id], np.int64)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """The symbol each chunk belongs to: the innermost (never a module) that covers its first line, else -1.

        A chunk that defines symbols but lies in none belongs to the first of them.
        """
        table = np.full(self.size, -1, np.int64)
        table[self.chunk_of[::-1]] = np.arange(len(self.chunk_of))[::-1]
        for file_id, places in self._chunks_of_file.items():
            spans = self._spans_of_file.get(file_id, [])
            for chunk_id, symbol_id in zip(places[1], innermost(spans, places[0]), strict=True):
                if symbol_id is not None:
                    table[chunk_id] = symbol_id
        return table

    @cached_property
    def _spans_of_file(self) -> dict[int, list[tuple[int, int, int]]]:
        symbols = self.reader.symbols
        grouped: dict[int, list[tuple[int, int, int]]] = {}
        for i, kind in enumerate(symbols.kind):
            if kind != SymbolKind.MODULE:
                grouped.setdefault(symbols.file_id[i], []).append((symbols.start_line[i], -symbols.end_line[i], i))
        return {file_id: sorted(spans) for file_id, spans in grouped.items()}

    @cached_property
    def pagerank_max(self) -> float:
        """The largest PageRank of any symbol."""
        return max(self.reader.symbols.pagerank, default=0.0)

    @cached_property
    def place_order(self) -> NDArray[np.int64]:
        """Position of each chunk by (path, start line): the tie-break of every list."""
        chunks, paths = self.reader.chunks, self.reader.files.path
        order = sorted(
            range(self.size), key=lambda i: (paths[chunks.file_id[i]], chunks.start_line[i], chunks.end_line[i])
        )
        place = np.empty(self.size, np.int64)
        place[order] = np.arange(self.size)
        return place

    def mask(self, filters: Filters) -> Mask | None:
        """``(chunks,)``: what passes the filters; None when all does."""
        if filters == NO_FILTERS:
            return None
        if filters not in self._masks:
            if len(self._masks) >= CACHED_MASKS:
                self._masks.clear()
            self._masks[filters] = chunk_mask(self.reader, filters)
        return self._masks[filters]

    def within(self, filters: Filters, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of chunks, 0 for those that do not pass the filters."""
        mask = self.mask(filters)
        return scores if mask is None else np.where(mask, scores, 0.0)

    @cached_property
    def odd_cased(self) -> frozenset[int]:
        """Chunks with a non-ASCII character that is an ASCII letter in another case."""
        return frozenset(i for letter in ODD_CASED for i in self.reader.texts_holding(letter))

    def path(self, chunk_id: int) -> str:
        """The path of a chunk's file."""
        return self.reader.files.path[self.reader.chunks.file_id[chunk_id]]

    def cards(self, chunk_ids: Iterable[int]) -> dict[int, ChunkCard]:
        """Cards of chunks by id."""
        return {chunk_id: self.card(chunk_id) for chunk_id in chunk_ids}

    def card(self, chunk_id: int) -> ChunkCard:
        """Place, name, centrality and demotions of one chunk."""
        chunks = self.reader.chunks
        return ChunkCard(
            chunk_id=chunk_id,
            path=self.path(chunk_id),
            start_line=chunks.start_line[chunk_id],
            end_line=chunks.end_line[chunk_id],
            symbol=chunks.name[chunk_id],
            kind=chunks.kind[chunk_id],
            is_test=chunks.is_test[chunk_id],
            pagerank=float(self.pagerank[chunk_id]),
            in_degree=int(self.in_degree[chunk_id]),
            demotions=self._demotions(chunk_id),
        )

    def prepare(self, text: str) -> None:
        """Reads what all lists need of a query's words at once, instead of once a word and list."""
        self.reader.term_postings(sorted({*terms(text), *query_terms(text)}))

    def with_known(self, translations: Sequence[Translation]) -> tuple[Translation, ...]:
        """The translations, a term kept beside its English where this codebase itself uses it."""
        own = {t.word: terms_of(t.word.lower()) for t in translations if t.english and t.word.lower() not in t.english}
        found = self.reader.term_postings(sorted({term for words in own.values() for term in words}))
        known = {word for word, words in own.items() if any(found[term].document_frequency for term in words)}
        return tuple(replace(t, kept=t.kept or t.word in known) for t in translations)

    def idf(self, term: str) -> float:
        """``log((N + 1) / (df + .5))`` of an index term, floored at 5 % of ``log(N + 1)``."""
        if term not in self._idf:
            frequency = self.reader.term_postings([term])[term].document_frequency
            floor = IDF_FLOOR * math.log(self.size + 1)
            self._idf[term] = max(math.log((self.size + 1) / (frequency + 0.5)), floor)
        return self._idf[term]

    def query_weight(self, word: str) -> float:
        """``(idf / log(N + 1)) ** .25`` of a query word, the weight of the static embedder."""
        stems = terms_of(word)
        if not stems or not self.size:
            return 1.0
        return float((self.idf(stems[0]) / math.log(self.size + 1)) ** 0.25)

    def ranked(self, modality: Modality, scores: NDArray[np.float64], depth: int, *, note: str = "") -> RankedList:
        """The ``depth`` best chunks with a score above 0; equal scores by place."""
        order = self.best(scores, depth)
        return RankedList(modality, tuple(RankedHit(int(i), float(scores[i])) for i in order), note=note)

    def best(self, scores: NDArray[np.float64], depth: int) -> Sequence[int]:
        """Chunk ids of the best scores above 0, total order."""
        positive = np.flatnonzero(scores > 0)
        if positive.size > depth:
            cut = np.partition(scores[positive], positive.size - depth)[positive.size - depth]
            positive = positive[scores[positive] >= cut]
        order = np.lexsort((self.place_order[positive], -scores[positive]))[:depth]
        found: list[int] = positive[order].tolist()
        return found

    def chunk_at(self, file_id: int, line: int) -> int | None:
        """The chunk that holds a line of a file."""
        starts, ids = self._chunks_of_file.get(file_id, ([], []))
        place = bisect_right(starts, line) - 1
        return ids[place] if place >= 0 else None

    def chunks_between(self, file_id: int, first: int, last: int) -> Sequence[int]:
        """The chunks of a file that hold any of its lines ``first`` to ``last``."""
        starts, ids = self._chunks_of_file.get(file_id, ([], []))
        return ids[max(bisect_right(starts, first) - 1, 0) : bisect_right(starts, last)]

    @cached_property
    def _chunks_of_file(self) -> dict[int, tuple[list[int], list[int]]]:
        chunks = self.reader.chunks
        grouped: dict[int, list[tuple[int, int]]] = {}
        for chunk_id, (file_id, start) in enumerate(zip(chunks.file_id, chunks.start_line, strict=True)):
            grouped.setdefault(file_id, []).append((start, chunk_id))
        return {f: ([s for s, _ in sorted(rows)], [c for _, c in sorted(rows)]) for f, rows in grouped.items()}

    def _largest(self, values: Sequence[float]) -> NDArray[np.float64]:
        table = np.zeros(self.size)
        np.maximum.at(table, self.chunk_of, np.array(values, np.float64))
        return table

    def _demotions(self, chunk_id: int) -> tuple[tuple[str, float], ...]:
        factors = self.settings.demotion
        names = list(self._path_marks[self.reader.chunks.file_id[chunk_id]])
        if self.reader.chunks.is_test[chunk_id]:
            names.append("test")
        return tuple((name, factors[name]) for name in names if factors[name] < 1.0)

    @cached_property
    def _path_marks(self) -> list[tuple[str, ...]]:
        paths = self.settings.paths
        marks = {"vendor": set(paths.vendor), "build": set(paths.build), "archive": set(paths.archive)}
        return [
            tuple(name for name, folders in marks.items() if folders & set(PurePosixPath(path.lower()).parts[:-1]))
            for path in self.reader.files.path
        ]


def innermost(spans: Sequence[tuple[int, int, int]], lines: Sequence[int]) -> Iterator[int | None]:
    """For each of some rising lines the id of the innermost ``(start, -end, id)`` that covers it; spans are sorted."""
    stack: list[tuple[int, int, int]] = []
    coming = iter([*spans, None])
    following = next(coming)
    for line in lines:
        while following is not None and following[0] <= line:
            stack.append(following)
            following = next(coming)
        while stack and -stack[-1][1] < line:
            stack.pop()
        yield stack[-1][2] if stack else None
