"""The blast radius: honest totals, a drawing that needs no network, names that stay text."""

from __future__ import annotations

import base64
import re

from maguyva_nb_widgets.impact_graph import drawn_nodes, graph_of, page
from maguyva_nb_widgets.impact_view import ImpactView, impact_payload, totals, unresolved
from maguyva_nb_widgets.state import SearchState

from maguyva_nb.types import Impact, ImpactNode

HOSTILE = "</script><img src=x onerror=alert(1)>"


def node(number: int, depth: int, name: str = "f") -> ImpactNode:
    edge = "calls" if depth else None
    return ImpactNode(number, "a.py", number + 1, name, name, "function", depth, 0.9**depth, edge)


def star(count: int, name: str = "f") -> Impact:
    """A target with ``count`` direct callers, and one caller of the last of them."""
    direct = [node(i, 1, name) for i in range(1, count + 1)]
    far = node(count + 1, 2, name)
    paths = {one.symbol_id: (0, one.symbol_id) for one in direct} | {far.symbol_id: (0, count, far.symbol_id)}
    return Impact(node(0, 0, name), (), (far, *direct), paths, 1, count + 1, 9, 4)


def test_totals_count_everything_reached_whatever_is_drawn() -> None:
    impact = star(200)
    assert dict(totals(impact)) == {"direct": 200, "transitive": 1, "tests": 0, "files": 1}
    payload = impact_payload(impact, (), 150)
    assert len(payload["graph"]["nodes"]) == 150
    assert payload["cut"] == "Showing 150 of 202 symbols."


def test_unresolved_call_sites_are_always_named() -> None:
    assert unresolved(star(1)) == "4 of 9 call sites of f unresolved"
    nobody = Impact(node(0, 0), (), (), {}, 0, 0, 0, 0)
    assert impact_payload(nobody, (), 150)["unresolved"] == "0 of 0 call sites of f unresolved"


def test_the_nearest_symbols_are_drawn_and_every_edge_ends_at_a_drawn_one() -> None:
    impact = star(30)
    assert [one.depth for one in drawn_nodes(impact, 10)] == [0, *[1] * 9]
    graph = graph_of(impact, 150)
    shown = {one["id"] for one in graph["nodes"]}
    assert len(graph["edges"]) == 31
    assert all({edge["from"], edge["to"]} <= shown for edge in graph["edges"])


def test_layers_stand_side_by_side_and_no_two_nodes_share_a_place() -> None:
    nodes = graph_of(star(40), 150)["nodes"]
    assert len({(one["x"], one["y"]) for one in nodes}) == len(nodes)
    furthest = {depth: max(one["x"] for one in nodes if one["depth"] == depth) for depth in (0, 1, 2)}
    assert furthest[0] < furthest[1] < furthest[2]


def test_the_page_that_draws_refers_to_no_other_host_and_no_other_file() -> None:
    html = base64.b64decode(page()).decode()
    assert "vis-network" in html
    assert not re.search(r"<(link|script|img|iframe)[^>]+(src|href)\s*=", html)


def test_hostile_names_are_data_and_never_part_of_the_page(state: SearchState) -> None:
    state.param.update(chunk_id=1, impact=star(2, HOSTILE))
    view = ImpactView(state)
    assert "<" not in view.radius
    assert view.shown("radius")["symbol"]["name"] == HOSTILE
    assert HOSTILE not in base64.b64decode(view.shown("page")).decode()


def test_the_page_is_sent_only_once_there_is_something_to_draw(state: SearchState) -> None:
    view = ImpactView(state)
    assert view.shown("page") is None
    assert "Choose a result" in view.shown("empty")
    state.search("total price")
    assert view.shown("page")


def test_lines_without_a_symbol_say_so(searched: SearchState) -> None:
    view = ImpactView(searched)
    searched.param.update(symbols=(), symbol_id=None, impact=None)
    assert view.shown("radius") is None
    assert "No symbol" in view.shown("empty")


def test_a_click_on_a_caller_shows_its_code_and_a_double_click_centres_it(searched: SearchState) -> None:
    view = ImpactView(searched)
    pay = next(one for one in searched.impact.reached if one.name == "pay")
    view._handle_msg({"type": "show", "id": pay.symbol_id})
    assert (searched.source.path, searched.source.start_line) == ("shop/checkout.py", 1)
    view._handle_msg({"type": "centre", "id": pay.symbol_id})
    assert searched.impact.symbol.name == "pay"
