"""The same lists under other weights: pure, no retriever runs, milliseconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from maguyva_nb.config import check_k, whole_row
from maguyva_nb.fuse import fuse, limit_per_file
from maguyva_nb.types import (
    ChunkCard,
    FusedHit,
    FusionSettings,
    Modality,
    Profile,
    RankedList,
    SearchTrace,
    SearchWarning,
    Strategy,
    WeightRow,
)


def reweigh(
    trace: SearchTrace,
    profile: Profile | None = None,
    *,
    weights: WeightRow | None = None,
    k: int | None = None,
    fusion: FusionSettings | None = None,
    modalities: Collection[Modality] | None = None,
) -> SearchTrace:
    """The trace fused anew over the lists it holds; a modality with a weight but no list is a warning.

    ``modalities`` narrows to some lists (default: all present). Weights, k or modalities that differ from the
    trace's make the result an ``rrf``; otherwise a single or direct route stays one.
    """
    profile = profile or trace.profile
    row = whole_row(weights) if weights is not None else profile.row(trace.classification.intent)
    settings = replace(fusion or trace.fusion, k=check_k(k if k is not None else (fusion or trace.fusion).k))
    same = weights is None and modalities is None and row == trace.profile_weights and settings.k == trace.fusion.k
    strategy = trace.strategy if same else Strategy.RRF
    used = trace.weights
    if strategy is Strategy.RRF:
        used = {m: row[m] for m in present(trace.lists) if modalities is None or m in modalities}
    kept = tuple(w for w in trace.warnings if w.type != WEIGHTED_ABSENT)
    warned = weighted_absent(trace, row) if strategy is Strategy.RRF else ()
    results = fused_results(trace.lists, used, trace.cards, settings, strategy, trace.pagerank_max, trace.symbol_count)
    return replace(
        trace,
        profile=profile,
        weights=used,
        strategy=strategy,
        fusion=settings,
        results=results,
        warnings=(*kept, *warned),
    )


WEIGHTED_ABSENT = "weighted_absent"


def weighted_absent(trace: SearchTrace, row: WeightRow) -> tuple[SearchWarning, ...]:
    """One warning a modality that has a weight but no list in the trace."""
    have = present(trace.lists)
    return tuple(
        SearchWarning(WEIGHTED_ABSENT, f"{m} has weight {row[m]:g} but no list here; complete the search to use it.")
        for m in Modality
        if row[m] > 0 and m not in have
    )


def present(lists: Mapping[Modality, object]) -> tuple[Modality, ...]:
    """The modalities that have a list, in the fixed order."""
    return tuple(m for m in Modality if isinstance(lists.get(m), RankedList))


def fused_results(
    lists: Mapping[Modality, object],
    weights: WeightRow,
    cards: Mapping[int, ChunkCard],
    settings: FusionSettings,
    strategy: Strategy,
    pagerank_max: float,
    symbols: int,
) -> tuple[FusedHit, ...]:
    """Fusion, then the per-file limit; centrality boosts only a real fusion."""
    chosen = [one for one in lists.values() if isinstance(one, RankedList) and one.modality in weights]
    boosted = strategy is Strategy.RRF
    hits = fuse(chosen, weights, cards, settings, pagerank_max=pagerank_max, symbols=symbols, boosted=boosted)
    return limit_per_file(hits, cards, settings.max_per_file)
