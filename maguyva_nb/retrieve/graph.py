"""The graph list: around the named symbols by distance; else personalised PageRank from the best other hits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.graph.adjacency import Adjacency
from maguyva_nb.graph.pagerank import pagerank
from maguyva_nb.graph.radius import Radius, radius
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.lookup import SymbolLookup
from maguyva_nb.types import Direction, EdgeKind, Filters, Modality, Query, RankedHit, RankedList, SymbolKind


class GraphRetriever:
    """Callers, callees and dependants of named symbols, or what the best hits hang together with."""

    modality = Modality.GRAPH

    def __init__(self, corpus: Corpus, lookup: SymbolLookup) -> None:
        self._corpus = corpus
        self._lookup = lookup

    def __call__(self, query: Query, *, depth: int, seeds: Sequence[RankedList] = ()) -> RankedList:
        """Best ``depth`` chunks; ``seeds`` are the text and structural lists, used when no symbol is named."""
        targets = sorted({i for name in query.symbols for i in self._lookup.find(name)})
        if targets:
            return self._around(targets, query, depth)
        if query.symbols:
            names = ", ".join(query.symbols)
            return RankedList(self.modality, (), note=f"no symbol named {names}")
        return self._personalised(seeds, query.filters, depth)

    def _around(self, targets: Sequence[int], query: Query, depth: int) -> RankedList:
        """The filters say what is shown; the ways between may lead through anything."""
        best: dict[int, RankedHit] = {}
        mask = self._corpus.mask(query.filters)
        for way in (query.direction,) if query.direction else tuple(Direction):
            reach = radius(self.adjacency(way), np.array(targets, np.int64))
            for hit in self._hits(reach, way):
                if mask is not None and not mask[hit.chunk_id]:
                    continue
                if hit.chunk_id not in best or hit.score > best[hit.chunk_id].score:
                    best[hit.chunk_id] = hit
        hits = sorted(best.values(), key=lambda h: (-h.score, self._tie_break(h)))[:depth]
        return RankedList(self.modality, tuple(hits), note=f"around {len(targets)} named symbols")

    def _hits(self, reach: Radius, way: Direction) -> Iterable[RankedHit]:
        """One hit a reached symbol: where it uses the symbol before it (backward), or its definition (forward)."""
        edges, symbols = self._corpus.reader.edges, self._corpus.reader.symbols
        columns = (reach.node, reach.depth, reach.confidence, reach.edge)
        for node, deep, confidence, edge in zip(*(column.tolist() for column in columns), strict=True):
            kind = str(edges.kind[edge])
            chunk_id: int | None = symbols.chunk_id[node]
            if way is Direction.BACKWARD:
                chunk_id = self._corpus.chunk_at(symbols.file_id[node], int(edges.line[edge]))
            if chunk_id is not None:
                yield RankedHit(chunk_id, distance_score(deep, confidence, kind), node, f"{kind} at distance {deep}")

    def _personalised(self, seeds: Sequence[RankedList], filters: Filters, depth: int) -> RankedList:
        settings = self._corpus.settings.graph
        start = np.zeros(len(self._corpus.reader.symbols))
        kinds = self._corpus.reader.symbols.kind
        for ranked in seeds:
            for rank, hit in enumerate(ranked.hits[: settings.seeds]):
                inside = [i for i in self._corpus.symbols_of.get(hit.chunk_id, ()) if kinds[i] != SymbolKind.MODULE]
                for symbol_id in inside:
                    start[symbol_id] += 1.0 / (rank + 1) / len(inside)
        if not start.any():
            return RankedList(self.modality, (), note="no symbol named and no hit to start from")
        edges = self._corpus.reader.edges
        mass = pagerank(
            start.size,
            np.concatenate([edges.src, edges.dst]),
            np.concatenate([edges.dst, edges.src]),
            damping=settings.damping,
            iterations=settings.iterations,
            personalization=start,
            weights=np.concatenate([edges.confidence, edges.confidence]),
        )
        scores = np.zeros(self._corpus.size)
        np.maximum.at(scores, self._corpus.chunk_of, mass)
        scores = self._corpus.within(filters, scores)
        note = "personalised PageRank from the best text and structural hits"
        return self._corpus.ranked(self.modality, scores, depth, note=note)

    def adjacency(self, way: Direction) -> Adjacency:
        """The dependency graph, reversed for callers and dependants."""
        return self._backward if way is Direction.BACKWARD else self._forward

    @cached_property
    def _forward(self) -> Adjacency:
        edges = self._corpus.reader.edges
        return Adjacency.build(len(self._corpus.reader.symbols), edges.src, edges.dst, edges.confidence)

    @cached_property
    def _backward(self) -> Adjacency:
        edges = self._corpus.reader.edges
        return Adjacency.build(len(self._corpus.reader.symbols), edges.dst, edges.src, edges.confidence)

    def _tie_break(self, hit: RankedHit) -> tuple[float, int]:
        central: NDArray[np.float64] = self._corpus.pagerank
        return -float(central[hit.chunk_id]), int(self._corpus.place_order[hit.chunk_id])


def distance_score(depth: int, confidence: float, kind: str) -> float:
    """``1 / (depth + .45 [an import only] + .45 (1 - confidence))``: nearer first, then uses, then confident."""
    return 1.0 / (depth + 0.45 * (kind == EdgeKind.IMPORTS) + 0.45 * (1.0 - confidence))
