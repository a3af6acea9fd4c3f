"""Intervals and tests over queries: seeded, so that the same run gives the same figures. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.config import EvaluateSettings
from maguyva_nb.evaluate.records import Difference, Estimate

Floats = NDArray[np.float64]
# Up to this many differing pairs all 2^n assignments of signs are tried, which is then no estimate.
EXACT_UP_TO = 14
# Means that differ by rounding alone count as equal.
ROUNDING = 1e-12
# Rows of random numbers held at a time, so that thousands of queries need no gigabytes.
BLOCK = 1000


def estimate(values: Sequence[float | None], settings: EvaluateSettings) -> Estimate:
    """The mean of the values that are there, with its percentile bootstrap interval."""
    known = _known(values)
    if not len(known):
        return Estimate(None, None, None)
    low, high = interval(known, settings)
    return Estimate(float(known.mean()), low, high)


def difference(pairs: Sequence[tuple[float | None, float | None]], settings: EvaluateSettings) -> Difference:
    """Mean of first minus second over the pairs that have both, with interval and p."""
    gaps = _known([a - b if a is not None and b is not None else None for a, b in pairs])
    if not len(gaps):
        return Difference(None, None, None, 1.0, False)
    low, high = interval(gaps, settings)
    p = sign_flip(gaps, settings)
    return Difference(float(gaps.mean()), low, high, p, p < settings.significance)


def interval(values: Floats, settings: EvaluateSettings) -> tuple[float, float]:
    """The percentile interval of the mean over resamples of the queries (Efron 1979)."""
    rng = np.random.default_rng(settings.seed)
    means = np.concatenate(
        [values[rng.integers(0, len(values), (rows, len(values)))].mean(axis=1) for rows in _blocks(settings.resamples)]
    )
    tail = 50 * (1 - settings.confidence)
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def sign_flip(gaps: Floats, settings: EvaluateSettings) -> float:
    """The two-sided p of a paired randomisation test (Fisher 1935): how often random signs give a mean as far from 0.

    Exact for few differing pairs; else from ``settings.permutations`` draws, where ``(hits + 1) / (draws + 1)``
    keeps p above 0.
    """
    moved = gaps[gaps != 0]
    if not len(moved):
        return 1.0
    seen = abs(float(moved.sum())) - ROUNDING
    if len(moved) <= EXACT_UP_TO:
        signs = 1 - 2.0 * ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1)
        return float(np.mean(np.abs(signs @ moved) >= seen))
    rng = np.random.default_rng(settings.seed)
    hits = 0
    for rows in _blocks(settings.permutations):
        signs = 1 - 2.0 * rng.integers(0, 2, (rows, len(moved)))
        hits += int(np.sum(np.abs(signs @ moved) >= seen))
    return (hits + 1) / (settings.permutations + 1)


def _blocks(total: int) -> list[int]:
    return [min(BLOCK, total - start) for start in range(0, total, BLOCK)]


def _known(values: Sequence[float | None]) -> Floats:
    return np.array([value for value in values if value is not None], np.float64)
