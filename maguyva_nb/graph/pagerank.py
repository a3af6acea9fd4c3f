"""PageRank on arrays of edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Below this change of the whole distribution another round moves no printed digit.
TOLERANCE = 1e-12


def pagerank(
    n: int,
    src: Ints,
    dst: Ints,
    *,
    damping: float,
    iterations: int,
    personalization: Floats | None = None,
    weights: Floats | None = None,
) -> Floats:
    """``(n,)`` ranks that add up to 1: ``r = damping (W r + dangling * p) + (1 - damping) p``.

    Brin and Page, 1998. ``W`` spreads a node's rank over its edges ``src -> dst`` by ``weights``; nodes without
    edges spread theirs over ``p``, the scaled ``personalization`` (uniform by default).
    """
    if n == 0:
        return np.empty(0, np.float64)
    p = _distribution(n, personalization)
    weight = np.ones(len(src)) if weights is None else np.asarray(weights, np.float64)
    total = np.bincount(src, weights=weight, minlength=n)
    share = weight / np.where(total[src] > 0, total[src], 1.0)
    dangling = total <= 0
    rank = p.copy()
    for _ in range(iterations):
        spread = np.bincount(dst, weights=rank[src] * share, minlength=n)
        fresh = damping * (spread + rank[dangling].sum() * p) + (1.0 - damping) * p
        done = np.abs(fresh - rank).sum() < TOLERANCE
        rank = fresh
        if done:
            break
    return rank


def degrees(n: int, src: Ints, dst: Ints) -> tuple[Ints, Ints]:
    """``(in, out)``: how many other nodes point at each node, and at how many it points."""
    src, dst = distinct_pairs(n, src, dst)
    return np.bincount(dst, minlength=n).astype(np.int64), np.bincount(src, minlength=n).astype(np.int64)


def distinct_pairs(n: int, src: Ints, dst: Ints) -> tuple[Ints, Ints]:
    """Each pair of different nodes once, sorted."""
    apart = src != dst
    packed = np.unique(src[apart].astype(np.int64) * n + dst[apart]) if n else np.empty(0, np.int64)
    return packed // max(n, 1), packed % max(n, 1)


def _distribution(n: int, personalization: Floats | None) -> Floats:
    if personalization is None or personalization.sum() <= 0:
        return np.full(n, 1.0 / n)
    share: Floats = np.asarray(personalization, np.float64) / personalization.sum()
    return share
