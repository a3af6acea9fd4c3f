from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from maguyva_nb.graph.adjacency import Adjacency
from maguyva_nb.graph.radius import radius


def graph(n: int, edges: list[tuple[int, int, float]]) -> Adjacency:
    src, dst, confidence = (np.array(column) for column in zip(*edges, strict=True))
    return Adjacency.build(n, src, dst, confidence.astype(float))


def test_the_best_of_the_shortest_paths_wins_not_the_best_of_all() -> None:
    # 0 -> 1 -> 3 (.9 * .5), 0 -> 2 -> 3 (.6 * .9), and a longer, surer way 0 -> 4 -> 5 -> 3
    reach = radius(
        graph(6, [(0, 1, 0.9), (1, 3, 0.5), (0, 2, 0.6), (2, 3, 0.9), (0, 4, 1), (4, 5, 1), (5, 3, 1)]), np.array([0])
    )
    at = reach.node.tolist().index(3)
    assert (reach.depth[at], reach.confidence[at]) == (2, pytest.approx(0.6 * 0.9))
    assert reach.path_to(3) == (0, 2, 3)
    assert reach.paths()[3] == (0, 2, 3)


def test_cycles_end_and_the_start_is_never_reached() -> None:
    reach = radius(graph(3, [(0, 1, 1), (1, 2, 1), (2, 0, 1), (1, 1, 1)]), np.array([0]))
    assert reach.node.tolist() == [1, 2]


def test_nothing_depends_on_it() -> None:
    reach = radius(graph(2, [(1, 0, 1.0)]), np.array([0]))
    assert reach.node.size == 0
    assert reach.paths() == {}


def test_depth_is_a_limit() -> None:
    chain = graph(5, [(i, i + 1, 1.0) for i in range(4)])
    assert radius(chain, np.array([0]), max_depth=2).node.tolist() == [1, 2]


def test_depths_agree_with_networkx_on_random_graphs() -> None:
    rng = random.Random(5)
    for _ in range(30):
        edges = [(rng.randrange(40), rng.randrange(40), rng.random()) for _ in range(80)]
        reach = radius(graph(40, edges), np.array([0]))
        truth = nx.single_source_shortest_path_length(nx.DiGraph([e[:2] for e in edges] + [(0, 0)]), 0)
        truth.pop(0)
        assert dict(zip(reach.node.tolist(), reach.depth.tolist(), strict=True)) == truth
        for node, path in reach.paths().items():
            assert (path[0], path[-1], len(path) - 1) == (0, node, truth[node])
