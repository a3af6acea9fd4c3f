"""The drawing of a blast radius: pyvis makes the page once, later graphs are data sent to it."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from maguyva_nb.errors import MissingExtra
from maguyva_nb.types import Impact, ImpactNode, Json
from maguyva_nb_widgets.theme import asset

# A layer longer than some rows is folded into further columns, so that the whole is about this much wider than high.
_SHAPE = 2.2
_FEWEST_ROWS = 8
_COLUMN_WIDTH = 185
_ROW_HEIGHT = 36
_LAYER_GAP = 40
_LONGEST_LABEL = 22
# Dashes tell the kinds of edges apart without colour; calls are solid.
_DASHES: dict[str | None, Any] = {"imports": [6, 4], "inherits": [2, 3], "references": [10, 3, 2, 3]}


@cache
def page() -> str:
    """Base64 of an HTML page with an empty network, the vis library inside and no link to anywhere.

    Base64, because a notebook puts the first value of a parameter inside a script element.
    """
    try:
        from pyvis.network import Network
    except ImportError as error:
        raise MissingExtra("pyvis", "widgets") from error
    network = Network(height="100vh", width="100%", directed=True, cdn_resources="in_line", notebook=False)
    html = without_links(network.generate_html(notebook=False))
    return base64.b64encode(
        html.replace("</body>", f"<script>{asset('impact_frame.js')}</script></body>").encode()
    ).decode()


def without_links(html: str) -> str:
    """The page without the style sheets and scripts that pyvis names by address even when all is in line."""
    html = re.sub(r"<link[^>]+(https?:)?//[^>]+>", "", html)
    html = re.sub(r"<link[^>]+\.\./[^>]+>", "", html)
    return re.sub(r'<script[^>]+src="(https?:|\.\.)?/[^>]*>\s*</script>', "", html)


def drawn_nodes(impact: Impact, limit: int) -> tuple[ImpactNode, ...]:
    """The target and what is nearest to it; a node's path to the target is always drawn with it."""
    if impact.symbol is None:
        return ()
    nearest = sorted(impact.reached, key=lambda n: (n.depth, -n.confidence, n.path, n.line, n.symbol_id))
    return (impact.symbol, *nearest[: limit - 1])


def graph_of(impact: Impact, limit: int) -> Json:
    """Nodes in layers by depth and the edges of their shortest paths, arrows towards what is depended on."""
    nodes = drawn_nodes(impact, limit)
    places = _places(nodes)
    shown = {node.symbol_id for node in nodes}
    return {
        "nodes": [_node(node, *places[node.symbol_id]) for node in nodes],
        "edges": [edge for node in nodes if (edge := _edge(impact, node)) and edge["to"] in shown],
    }


def _places(nodes: Sequence[ImpactNode]) -> dict[int, tuple[int, int]]:
    places: dict[int, tuple[int, int]] = {}
    x = 0
    layers = [[n for n in nodes if n.depth == depth] for depth in sorted({n.depth for n in nodes})]
    most = _most_rows([len(layer) for layer in layers])
    for layer in layers:
        columns = -(-len(layer) // most)
        rows = -(-len(layer) // columns)
        for i, node in enumerate(layer):
            column, row = divmod(i, rows)
            in_column = min(rows, len(layer) - column * rows)
            places[node.symbol_id] = (x + column * _COLUMN_WIDTH, int((row - (in_column - 1) / 2) * _ROW_HEIGHT))
        x += columns * _COLUMN_WIDTH + _LAYER_GAP
    return places


def _most_rows(sizes: Sequence[int]) -> int:
    """The fewest rows with which the drawing is not wider than its shape."""
    rows = _FEWEST_ROWS
    while sum(-(-size // rows) * _COLUMN_WIDTH + _LAYER_GAP for size in sizes) > _SHAPE * rows * _ROW_HEIGHT:
        if rows >= max(sizes):
            break
        rows += 1
    return rows


def _node(node: ImpactNode, x: int, y: int) -> Json:
    name = node.qualified_name
    return {
        "id": node.symbol_id,
        "label": name if len(name) <= _LONGEST_LABEL else f"…{name[1 - _LONGEST_LABEL :]}",
        "title": f"{node.kind} {name}\n{node.path}:{node.line}\ndepth {node.depth}, confidence {node.confidence:.2f}",
        "depth": node.depth,
        "test": node.is_test,
        "x": x,
        "y": y,
    }


def _edge(impact: Impact, node: ImpactNode) -> Json | None:
    path = impact.paths.get(node.symbol_id, ())
    if len(path) < 2:
        return None
    return {"from": node.symbol_id, "to": path[-2], "title": node.edge or "", "dashes": _DASHES.get(node.edge, False)}
