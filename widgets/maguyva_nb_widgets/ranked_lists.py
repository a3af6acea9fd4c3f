"""The four ranked lists and the fused one, side by side in one component, so that lines can join their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from maguyva_nb.types import (
    Absent,
    AbsentReason,
    ChunkCard,
    FusedHit,
    Json,
    Modality,
    RankedList,
    SearchTrace,
    Strategy,
)
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import LABELS, lines, script, styles
from maguyva_nb_widgets.view import View, content

# What an absent list means and what the button under it offers.
_ABSENT: Mapping[AbsentReason, tuple[str, str]] = {
    AbsentReason.OFF_PRESET: ("Not part of the preset {preset}.", "Run it"),
    AbsentReason.WEIGHT_ZERO: ("Its weight for {intent} is 0, so it was not run.", "Run it anyway"),
    AbsentReason.DIRECT: ("Skipped: the rule is sure enough ({confidence:.2f}) to ask one list alone.", "Run it"),
    AbsentReason.FAILED: ("It failed, so the fusion is without it.", "Try again"),
}


class RankedLists(View):
    """Five columns of rows that can be chosen with mouse or keyboard."""

    lists = content("The four modality columns.")
    fused = content("The fused column, null before the first search.")
    chosen = content("The chosen chunk, null for none.")
    filling = content("Whether missing lists are being run.")
    first_rows = content("Rows of a column drawn before more are asked for.")

    _esm = script("ranked_lists.js")
    _stylesheets = styles("ranked_lists.css")

    def __init__(self, state: SearchState, **params: Any) -> None:
        self._state = state
        super().__init__(sizing_mode="stretch_width", **params)
        self.show(first_rows=state.settings.app.first_rows)
        state.param.watch(self._update, ["trace", "chunk_id", "filling"])
        self._update()

    def _update(self, *_: Any) -> None:
        state, trace, limits = self._state, self._state.trace, self._state.settings.app
        self.show(
            lists=columns(trace, limits.list_rows) if trace is not None else [],
            fused=fused_column(trace, limits.top) if trace is not None else None,
            chosen=state.chunk_id,
            filling=state.filling,
        )

    def _handle_msg(self, data: Json) -> None:
        if data.get("type") == "choose":
            self._state.choose(int(data["chunk"]))
        elif data.get("type") == "run":
            self._state.run_modality(Modality(data["modality"]))


def columns(trace: SearchTrace, limit: int) -> list[Json]:
    """One object for each modality: a list of rows, or the reason there is none."""
    return [_column(trace, modality, trace.lists[modality], limit) for modality in Modality]


def _column(trace: SearchTrace, modality: Modality, found: RankedList | Absent, limit: int) -> Json:
    head = {
        "modality": str(modality),
        "label": LABELS[modality],
        "weight": float(trace.weights.get(modality, 0.0)),
    }
    if isinstance(found, Absent):
        return head | _absence(trace, found)
    single = _found_by_one(trace)
    return head | {
        "note": found.note,
        "ms": round(found.elapsed_ms, 1),
        "total": len(found.hits),
        "rows": [
            _place(trace.cards[hit.chunk_id])
            | {"rank": rank + 1, "score": f"{hit.score:.3f}", "why": hit.why, "only": hit.chunk_id in single}
            for rank, hit in enumerate(found.hits[:limit])
        ],
    }


def _absence(trace: SearchTrace, absent: Absent) -> Json:
    said, offer = _ABSENT[absent.reason]
    facts = {
        "preset": trace.preset,
        "intent": trace.classification.intent,
        "confidence": trace.classification.confidence,
    }
    return {"absent": str(absent.reason), "said": said.format(**facts), "message": absent.message, "offer": offer}


def _found_by_one(trace: SearchTrace) -> frozenset[int]:
    """Chunks that a single list holds, once there are several lists."""
    found = [one for one in trace.lists.values() if isinstance(one, RankedList)]
    counts: dict[int, int] = {}
    for one in found:
        for hit in one.hits:
            counts[hit.chunk_id] = counts.get(hit.chunk_id, 0) + 1
    return frozenset(chunk for chunk, n in counts.items() if n == 1) if len(found) > 1 else frozenset()


def _place(card: ChunkCard) -> Json:
    return {"chunk": card.chunk_id, "symbol": card.symbol or card.kind, "kind": card.kind, "where": lines(card)}


def fused_column(trace: SearchTrace, limit: int) -> Json:
    """The final list: every row with the parts whose values sum to its score."""
    best = max((hit.score for hit in trace.results), default=0.0)
    single = _found_by_one(trace)
    return {
        "route": _route(trace),
        "total": len(trace.results),
        "rows": [_fused_row(trace, rank, hit, best, single) for rank, hit in enumerate(trace.results[:limit])],
    }


def _route(trace: SearchTrace) -> str:
    used = [LABELS[m].lower() for m, w in trace.weights.items() if w > 0 and isinstance(trace.lists.get(m), RankedList)]
    if trace.strategy is Strategy.RRF:
        return f"{' + '.join(used) or 'no list'}, k = {trace.fusion.k}"
    return f"{trace.strategy}: {' + '.join(used)} alone"


def _fused_row(trace: SearchTrace, rank: int, hit: FusedHit, best: float, single: frozenset[int]) -> Json:
    card = trace.cards[hit.chunk_id]
    return _place(card) | {
        "rank": rank + 1,
        "score": hit.score,
        "parts": parts(hit, trace.fusion.k, best),
        "factors": [f"{name} ×{factor:.2g}" for name, factor in hit.factors],
        "only": str(hit.contributions[0].modality) if hit.chunk_id in single else "",
        "folded": [_place(trace.cards[one.chunk_id]) | {"score": one.score} for one in hit.folded],
    }


def parts(hit: FusedHit, k: int, best: float) -> list[Json]:
    """Each contribution after demotion, its share of the best score as a width, and its arithmetic in words."""
    return [
        {
            "modality": str(one.modality),
            "label": LABELS[one.modality],
            "rank": one.rank + 1,
            "value": one.value * hit.demotion,
            "width": 100 * one.value * hit.demotion / best if best > 0 else 0.0,
            "formula": f"{one.weight:g} / ({k} + {one.rank + 1})"
            + (f" × {one.boost:.3f} centrality" if one.boost != 1.0 else "")
            + (f" × {hit.demotion:g} demotion" if hit.demotion != 1.0 else ""),
        }
        for one in hit.contributions
    ]
