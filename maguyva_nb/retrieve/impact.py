"""The blast radius of a symbol: everything that depends on it, how far, how surely, and along which path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from maguyva_nb.errors import UnknownSymbol
from maguyva_nb.graph.radius import Radius, radius
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.graph import GraphRetriever
from maguyva_nb.retrieve.lookup import SymbolLookup
from maguyva_nb.types import Direction, Impact, ImpactNode, Resolution, SymbolKind


class ImpactAnalysis:
    """Radii over reversed ``calls imports inherits references`` edges of one index."""

    def __init__(self, corpus: Corpus, lookup: SymbolLookup, graph: GraphRetriever) -> None:
        self._corpus = corpus
        self._lookup = lookup
        self._graph = graph

    def of_name(self, text: str, *, max_depth: int | None = None) -> Impact:
        """The radius of a named symbol; an ambiguous name is answered once per candidate and as a union."""
        targets = self._lookup.find(text)
        if not targets:
            raise UnknownSymbol(text, self._lookup.nearest(text))
        if len(targets) == 1:
            return self.of_symbol(targets[0], max_depth=max_depth)
        answers = tuple(self.of_symbol(i, max_depth=max_depth) for i in targets)
        return self._answer(None, targets, max_depth, answers)

    def of_symbol(self, symbol_id: int, *, max_depth: int | None = None) -> Impact:
        """The radius of one symbol."""
        return self._answer(symbol_id, (symbol_id,), max_depth, ())

    def _answer(
        self, symbol_id: int | None, targets: Sequence[int], max_depth: int | None, answers: tuple[Impact, ...]
    ) -> Impact:
        reach = radius(self._graph.adjacency(Direction.BACKWARD), np.array(targets, np.int64), max_depth=max_depth)
        nodes = tuple(self._reached(reach))
        total, unresolved, external = self._sites({self._corpus.reader.symbols.name[i] for i in targets})
        return Impact(
            symbol=None if symbol_id is None else self.node(symbol_id),
            candidates=tuple(self.node(i) for i in targets),
            reached=nodes,
            paths=reach.paths(),
            files=len({node.path for node in nodes}),
            lines=self._lines(nodes),
            sites_total=total,
            unresolved_sites=unresolved,
            answers=answers,
            external_sites=external,
        )

    def node(self, symbol_id: int, *, depth: int = 0, confidence: float = 1.0, edge: str | None = None) -> ImpactNode:
        """A symbol as a node of a radius; depth 0 is the target itself."""
        symbols = self._corpus.reader.symbols
        return ImpactNode(
            symbol_id=symbol_id,
            path=self._corpus.reader.files.path[symbols.file_id[symbol_id]],
            line=symbols.line[symbol_id],
            name=symbols.name[symbol_id],
            qualified_name=symbols.qualified_name[symbol_id],
            kind=symbols.kind[symbol_id],
            depth=depth,
            confidence=confidence,
            edge=edge,
            is_test=symbols.is_test[symbol_id],
        )

    def _reached(self, reach: Radius) -> Iterable[ImpactNode]:
        kinds = self._corpus.reader.edges.kind
        columns = (reach.node, reach.depth, reach.confidence, reach.edge)
        nodes = [
            self.node(node, depth=depth, confidence=confidence, edge=str(kinds[edge]))
            for node, depth, confidence, edge in zip(*(column.tolist() for column in columns), strict=True)
        ]
        return sorted(nodes, key=lambda n: (n.depth, -n.confidence, n.path, n.line, n.qualified_name))

    def _sites(self, names: Iterable[str]) -> tuple[int, int, int]:
        """Call sites of these names: all, unresolved, and taken for calls of other people's code."""
        rows = self._corpus.reader.rows(
            "SELECT count(*), count(*) FILTER (resolution = ?), count(*) FILTER (resolution = ?)"
            " FROM idx.call_sites WHERE name IN (SELECT unnest(?))",
            [str(Resolution.UNRESOLVED), str(Resolution.EXTERNAL), sorted(names)],
        )
        total, unresolved, external = rows[0]
        return int(total), int(unresolved), int(external)

    def _lines(self, nodes: Sequence[ImpactNode]) -> int:
        """Distinct lines of the reached symbols; a module counts one line, its import."""
        symbols, touched = self._corpus.reader.symbols, set[tuple[int, int]]()
        for node in nodes:
            i = node.symbol_id
            whole = node.kind != SymbolKind.MODULE
            last = symbols.end_line[i] if whole else symbols.start_line[i]
            touched.update((symbols.file_id[i], line) for line in range(symbols.start_line[i], last + 1))
        return len(touched)
