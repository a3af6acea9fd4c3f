"""What breaks if the chosen symbol changes: totals, a list, and a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maguyva_nb.display import external_text
from maguyva_nb.types import Impact, ImpactNode, Json, Symbol
from maguyva_nb_widgets.impact_graph import graph_of, page
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import script, styles
from maguyva_nb_widgets.view import View, content


class ImpactView(View):
    """The blast radius; a click on a symbol shows its code, a double click makes it the centre."""

    radius = content("Totals, list and graph, null without a symbol.")
    page = content("Base64 of the page that draws, sent with the first graph.")
    empty = content("What to say without a blast radius.")

    _esm = script("impact_view.js")
    _stylesheets = styles("impact_view.css")

    def __init__(self, state: SearchState, **params: Any) -> None:
        self._state = state
        super().__init__(sizing_mode="stretch_width", **params)
        state.param.watch(self._update, ["impact", "symbols", "chunk_id"])
        self._update()

    def _update(self, *_: Any) -> None:
        state = self._state
        if state.impact is None or state.impact.symbol is None:
            self.show(radius=None, empty=_empty(state))
            return
        radius = impact_payload(state.impact, state.symbols, state.settings.app.impact_nodes)
        self.show(page=page(), radius=radius)

    def _handle_msg(self, data: Json) -> None:
        kind = data.get("type")
        if kind == "centre":
            self._state.choose_symbol(int(data["id"]))
        elif kind == "show" and self._state.impact is not None:
            node = _find(self._state.impact, int(data["id"]))
            if node is not None:
                self._state.show_lines(node.path, node.line, node.line)


def _empty(state: SearchState) -> str:
    if state.chunk_id is None:
        return "Choose a result to see what depends on it."
    return "No symbol is defined in these lines. Choose a function, class or method."


def _find(impact: Impact, symbol_id: int) -> ImpactNode | None:
    nodes = (impact.symbol, *impact.reached)
    return next((node for node in nodes if node is not None and node.symbol_id == symbol_id), None)


def impact_payload(impact: Impact, symbols: Sequence[Symbol], limit: int) -> Json:
    """Totals of everything reached; list and graph up to ``limit`` symbols."""
    graph = graph_of(impact, limit)
    target = impact.symbol
    return {
        "symbol": _row(target) if target is not None else None,
        "symbols": [{"id": s.symbol_id, "name": s.qualified_name, "kind": str(s.kind)} for s in symbols],
        "totals": totals(impact),
        "unresolved": unresolved(impact),
        "cut": f"Showing {len(graph['nodes'])} of {len(impact.reached) + 1} symbols." if _is_cut(impact, graph) else "",
        "rows": [_row(node) for node in sorted(impact.reached, key=_nearest)[:limit]],
        "graph": graph,
    }


def totals(impact: Impact) -> list[tuple[str, int]]:
    """Counts over everything reached, whatever is drawn."""
    direct = sum(node.depth == 1 for node in impact.reached)
    return [
        ("direct", direct),
        ("transitive", len(impact.reached) - direct),
        ("tests", sum(node.is_test for node in impact.reached)),
        ("files", impact.files),
    ]


def unresolved(impact: Impact) -> str:
    """What the graph may miss; always shown, so that no dependants never reads as a promise."""
    name = impact.symbol.name if impact.symbol is not None else "this name"
    said = f"{impact.unresolved_sites} of {impact.sites_total} call sites of {name} unresolved"
    return said + external_text(impact)


def _is_cut(impact: Impact, graph: Json) -> bool:
    return len(graph["nodes"]) < len(impact.reached) + 1


def _nearest(node: ImpactNode) -> tuple[int, float, str, int, int]:
    return (node.depth, -node.confidence, node.path, node.line, node.symbol_id)


def _row(node: ImpactNode) -> Json:
    return {
        "id": node.symbol_id,
        "name": node.qualified_name,
        "kind": node.kind,
        "where": f"{node.path}:{node.line}",
        "depth": node.depth,
        "confidence": node.confidence,
        "edge": node.edge or "",
        "test": node.is_test,
    }
