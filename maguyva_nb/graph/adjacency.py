"""Compressed adjacency of a dependency graph: numpy arrays in, numpy arrays out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Edges grouped by origin: those of node ``v`` are ``edges[indptr[v]:indptr[v + 1]]``.

    ``target`` and ``confidence`` follow the same order; ``edge`` is the position in the arrays it was built from.
    """

    nodes: int
    indptr: Ints
    target: Ints
    confidence: Floats
    edge: Ints

    @classmethod
    def build(cls, nodes: int, origin: Ints, target: Ints, confidence: Floats) -> Adjacency:
        """Groups ``origin -> target`` edges; pass (dst, src) for the reversed graph."""
        order = np.lexsort((-confidence, target, origin))
        counts = np.bincount(origin, minlength=nodes)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(nodes, indptr, target[order], confidence[order], order.astype(np.int64))

    def out_edges(self, frontier: Ints) -> tuple[Ints, Ints]:
        """``(position of the origin in frontier, edge slot)`` of every edge that leaves the frontier."""
        starts, ends = self.indptr[frontier], self.indptr[frontier + 1]
        counts = ends - starts
        owner = np.repeat(np.arange(frontier.size), counts)
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, np.repeat(starts, counts) + offset
