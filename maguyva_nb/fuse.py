"""Weighted Reciprocal Rank Fusion: lists and weights in, a totally ordered list out. Pure functions.

``value = weight / (k + rank + 1) * boost`` with 0-based ranks (Cormack, Clarke and Büttcher, SIGIR 2009, with
weights), ``boost = min(1 + boost_weight * ln(1 + centrality), boost_cap)``, ``score = sum(values) * demotion``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from maguyva_nb.types import (
    ChunkCard,
    Contribution,
    FusedHit,
    FusionSettings,
    Modality,
    RankedList,
    WeightRow,
)


def scaled_centrality(card: ChunkCard, scale: str, *, pagerank_max: float, symbols: int) -> float:
    """The centrality that enters the formula, at least 0; ``symbols`` is N of ``pagerank_mean``."""
    return _SCALES[scale](card, pagerank_max, symbols)


_SCALES: Mapping[str, Callable[[ChunkCard, float, int], float]] = {
    "pagerank_max": lambda card, top, _: card.pagerank / top if top > 0 else 0.0,
    "pagerank_mean": lambda card, _, n: card.pagerank * n,
    "in_degree": lambda card, _, __: float(card.in_degree),
    "pagerank_raw": lambda card, _, __: card.pagerank,
    "off": lambda _, __, ___: 0.0,
}


def boost_of(centrality: float, settings: FusionSettings) -> float:
    """``min(1 + boost_weight * ln(1 + centrality), boost_cap)``; 1 without centrality."""
    return min(1.0 + settings.boost_weight * math.log1p(centrality), settings.boost_cap)


def rrf_value(weight: float, rank: int, k: int, boost: float = 1.0) -> float:
    """One term of the sum: ``weight / (k + rank + 1) * boost`` for a 0-based rank."""
    return weight / (k + rank + 1) * boost


def fuse(
    lists: Sequence[RankedList],
    weights: WeightRow,
    cards: Mapping[int, ChunkCard],
    settings: FusionSettings,
    *,
    pagerank_max: float,
    symbols: int,
    boosted: bool = True,
) -> tuple[FusedHit, ...]:
    """Every chunk of every list with a weight above 0, best first, before the per-file limit.

    ``boosted`` is False on the single and direct routes, where one list is fused alone.
    """
    ranks: dict[int, list[tuple[Modality, int]]] = {}
    for ranked in sorted(lists, key=lambda one: _ORDER[one.modality]):
        if weights.get(ranked.modality, 0.0) > 0:
            for rank, hit in enumerate(ranked.hits):
                ranks.setdefault(hit.chunk_id, []).append((ranked.modality, rank))
    scale = settings.centrality_scale if boosted else "off"
    fused = [
        _fused_hit(cards[chunk_id], places, weights, settings, scale, pagerank_max, symbols)
        for chunk_id, places in ranks.items()
    ]
    return spread(sorted(fused, key=lambda hit: total_order(hit, cards)), cards, settings.file_decay)


def spread(hits: Sequence[FusedHit], cards: Mapping[int, ChunkCard], decay: float) -> tuple[FusedHit, ...]:
    """The n-th further hit of a file is multiplied by ``decay ** n``, so that one file cannot fill a page."""
    if decay == 1.0:
        return tuple(hits)
    seen: Counter[str] = Counter()
    spread_out = []
    for hit in hits:
        before = seen[cards[hit.chunk_id].path]
        seen[cards[hit.chunk_id].path] += 1
        spread_out.append(_times(hit, SAME_FILE, decay**before) if before else hit)
    return tuple(sorted(spread_out, key=lambda hit: total_order(hit, cards)))


def total_order(hit: FusedHit, cards: Mapping[int, ChunkCard]) -> tuple[float, str, int, int]:
    """The sort key of results: score, then place in the codebase, so that no two compare equal."""
    card = cards[hit.chunk_id]
    return (-hit.score, card.path, card.start_line, card.end_line)


def limit_per_file(hits: Sequence[FusedHit], cards: Mapping[int, ChunkCard], limit: int | None) -> tuple[FusedHit, ...]:
    """Keeps the best ``limit`` hits of a file; the rest is ``folded`` into that file's best hit, in order."""
    if limit is None:
        return tuple(hits)
    kept: dict[str, list[FusedHit]] = {}
    folded: dict[str, list[FusedHit]] = {}
    for hit in hits:
        path = cards[hit.chunk_id].path
        room = kept.setdefault(path, [])
        (room if len(room) < limit else folded.setdefault(path, [])).append(hit)
    best = {kept[path][0].chunk_id: tuple(rest) for path, rest in folded.items()}
    survivors = {hit.chunk_id for room in kept.values() for hit in room}
    return tuple(
        _with_folded(hit, best[hit.chunk_id]) if hit.chunk_id in best else hit
        for hit in hits
        if hit.chunk_id in survivors
    )


# The name of the factor of a further result of one file.
SAME_FILE = "same_file"
_ORDER = {modality: i for i, modality in enumerate(Modality)}


def _fused_hit(
    card: ChunkCard,
    places: Sequence[tuple[Modality, int]],
    weights: WeightRow,
    settings: FusionSettings,
    scale: str,
    pagerank_max: float,
    symbols: int,
) -> FusedHit:
    centrality = scaled_centrality(card, scale, pagerank_max=pagerank_max, symbols=symbols)
    boost = boost_of(centrality, settings)
    parts = tuple(
        Contribution(modality, rank, weights[modality], boost, rrf_value(weights[modality], rank, settings.k, boost))
        for modality, rank in places
    )
    factors = card.demotions if settings.demote else ()
    demotion = math.prod(factor for _, factor in factors)
    score = sum(part.value for part in parts) * demotion
    return FusedHit(card.chunk_id, score, parts, centrality, demotion, factors=factors)


def _with_folded(hit: FusedHit, folded: tuple[FusedHit, ...]) -> FusedHit:
    return replace(hit, folded=folded)


def _times(hit: FusedHit, name: str, factor: float) -> FusedHit:
    return replace(
        hit, score=hit.score * factor, demotion=hit.demotion * factor, factors=(*hit.factors, (name, factor))
    )
