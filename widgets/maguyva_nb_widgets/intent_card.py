"""What the query was taken for, by which rule, and what followed from it."""

from __future__ import annotations

from typing import Any

from maguyva_nb.types import Json, RankedList, RuleMatch, SearchTrace, Span, Strategy
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import script, styles
from maguyva_nb_widgets.view import View, content

Pieces = list[tuple[str, bool]]


class IntentCard(View):
    """Intent, confidence, rule, the words it fired on, the route taken, and the rules it beat."""

    card = content("What the card says, null before the first search.")

    _esm = script("intent_card.js")
    _stylesheets = styles("intent_card.css")

    def __init__(self, state: SearchState, **params: Any) -> None:
        self._state = state
        super().__init__(sizing_mode="stretch_width", **params)
        state.param.watch(self._update, ["trace"])
        self._update()

    def _update(self, *_: Any) -> None:
        trace = self._state.trace
        self.show(card=intent_card(trace) if trace is not None else None)


def intent_card(trace: SearchTrace) -> Json:
    """Everything the card says, as plain text."""
    found = trace.classification
    target = found.target
    return {
        "intent": str(found.intent),
        "confidence": found.confidence,
        "rule": found.rule,
        "query": pieces(trace.query.raw, found.span),
        "note": found.note,
        "target": f"{target.kind} {target.text}" if target.text else "",
        "direction": str(target.direction or ""),
        "route": route_sentence(trace),
        "shadowed": [_rule(trace.query.raw, rule) for rule in found.shadowed],
        "near_misses": [_rule(trace.query.raw, rule) for rule in found.near_misses],
    }


def pieces(text: str, span: Span | None) -> Pieces:
    """The text cut at a span of code points, the inside marked."""
    if span is None:
        return [(text, False)]
    start, end = span
    return [piece for piece in ((text[:start], False), (text[start:end], True), (text[end:], False)) if piece[0]]


def _rule(query: str, rule: RuleMatch) -> Json:
    words = query[slice(*rule.span)] if rule.span else ""
    return {
        "rule": rule.rule,
        "intent": str(rule.intent),
        "confidence": rule.confidence,
        "words": words,
        "note": rule.note,
    }


def route_sentence(trace: SearchTrace) -> str:
    """How the final list came about, in one sentence."""
    used = [m for m, w in trace.weights.items() if w > 0 and isinstance(trace.lists.get(m), RankedList)]
    names = ", ".join(used) or "no list"
    if trace.strategy is Strategy.DIRECT:
        return f"direct: sure enough to ask the {names} list alone"
    if trace.strategy is Strategy.SINGLE:
        return f"single: the {names} list alone, nothing is fused"
    return f"rrf: {names} fused with k = {trace.fusion.k}"
