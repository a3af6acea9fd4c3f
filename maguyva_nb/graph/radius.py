"""Everything reachable from some nodes, with depth and the best of the shortest paths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from maguyva_nb.graph.adjacency import Adjacency, Floats, Ints


@dataclass(frozen=True, slots=True)
class Radius:
    """Reached nodes in order of depth, then node id; starts are not among them. Parallel arrays.

    ``confidence`` is the largest product of edge confidences over the shortest paths, ``via`` the node before it
    on that path and ``edge`` the edge between, as a position in the arrays the adjacency was built from.
    """

    node: Ints
    depth: Ints
    confidence: Floats
    via: Ints
    edge: Ints

    def path_to(self, node: int) -> tuple[int, ...]:
        """The nodes from a start to ``node``, both included."""
        before = dict(zip(self.node.tolist(), self.via.tolist(), strict=True))
        path = [node]
        while path[-1] in before:
            path.append(before[path[-1]])
        return tuple(reversed(path))

    def paths(self) -> dict[int, tuple[int, ...]]:
        """``path_to`` of every reached node, in linear time."""
        found: dict[int, tuple[int, ...]] = {}
        for node, via in zip(self.node.tolist(), self.via.tolist(), strict=True):
            found[node] = (*found.get(via, (via,)), node)
        return found


def radius(graph: Adjacency, starts: Ints, *, max_depth: int | None = None) -> Radius:
    """Breadth-first, level by level; among equal confidences the smaller predecessor id wins."""
    confidence = np.zeros(graph.nodes)
    confidence[starts] = 1.0
    seen = np.zeros(graph.nodes, dtype=bool)
    seen[starts] = True
    frontier, depth, levels = np.unique(starts), 0, []
    while frontier.size and (max_depth is None or depth < max_depth):
        depth += 1
        owner, slot = graph.out_edges(frontier)
        fresh = ~seen[graph.target[slot]]
        owner, slot = owner[fresh], slot[fresh]
        target, via = graph.target[slot], frontier[owner]
        value = confidence[via] * graph.confidence[slot]
        order = np.lexsort((graph.edge[slot], via, -value, target))
        target, first = np.unique(target[order], return_index=True)
        best = order[first]
        confidence[target], seen[target] = value[best], True
        levels.append((target, np.full(target.size, depth), value[best], via[best], graph.edge[slot[best]]))
        frontier = target
    if not levels:
        none = np.empty(0, np.int64)
        return Radius(none, none, np.empty(0), none, none)
    node, deep, value, via, edge = (np.concatenate(column) for column in zip(*levels, strict=True))
    return Radius(node, deep, value, via, edge)
