"""PageRank on arrays is PageRank."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python  # the public one needs scipy

from maguyva_nb.graph.pagerank import degrees, distinct_pairs, pagerank


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("personal", [False, True], ids=["uniform", "personal"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_same_as_networkx(seed: int, personal: bool, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    src, dst = distinct_pairs(n, rng.integers(0, n - 10, 200), rng.integers(0, n, 200))
    weights = rng.random(len(src)) + 0.1 if weighted else None
    start = np.where(np.arange(n) % 7 == 0, rng.random(n), 0.0) if personal else None
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    strengths = weights if weights is not None else np.ones(len(src))
    graph.add_weighted_edges_from(zip(src.tolist(), dst.tolist(), strengths.tolist(), strict=True))
    expected = _pagerank_python(
        graph, 0.85, tol=1e-12, max_iter=500, personalization=dict(enumerate(start)) if start is not None else None
    )
    got = pagerank(n, src, dst, damping=0.85, iterations=500, personalization=start, weights=weights)
    assert got == pytest.approx([expected[i] for i in range(n)], abs=1e-6)
    assert got.sum() == pytest.approx(1)


def test_empty_graphs() -> None:
    none = np.empty(0, np.int64)
    assert pagerank(0, none, none, damping=0.85, iterations=10).size == 0
    assert pagerank(2, none, none, damping=0.85, iterations=10).tolist() == [0.5, 0.5]


def test_degrees_count_other_nodes_once() -> None:
    src, dst = np.array([0, 0, 0, 1, 2]), np.array([1, 1, 0, 2, 1])
    into, out = degrees(3, src, dst)
    assert into.tolist() == [0, 2, 1]
    assert out.tolist() == [1, 1, 1]
