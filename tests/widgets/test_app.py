"""The app as a whole, without a browser: what ``explore`` hands to a notebook cell."""

from __future__ import annotations

import subprocess
import sys

from maguyva_nb_widgets.app import app_of

from maguyva_nb.testing import FakeExplorer


def test_a_first_query_is_answered_before_anything_is_shown() -> None:
    app = app_of(FakeExplorer(), "total price")
    assert app.ranked_lists.shown("fused")["rows"][0]["symbol"] == "total_price"
    assert app.code_view.shown("code")["where"] == "shop/cart.py:4-7"
    assert app.impact_view.shown("radius")["symbol"]["name"] == "total_price"
    assert not app.query_bar.shown("busy")


def test_without_a_query_every_view_says_what_to_do() -> None:
    app = app_of(FakeExplorer())
    assert app.ranked_lists.shown("fused") is None
    assert app.intent_card.shown("card") is None
    assert app.notices.shown("notices") == []
    assert "Choose a result" in app.impact_view.shown("empty")


def test_preset_and_weights_of_the_call_are_in_force() -> None:
    app = app_of(FakeExplorer(), "total price", weights=(0, 1, 0, 0), preset="thorough")
    assert app.query_bar.shown("preset") == "thorough"
    assert list(app.weight_table.table.value["text"]) == [1.0] * 6
    assert {part["modality"] for row in app.ranked_lists.shown("fused")["rows"] for part in row["parts"]} == {"text"}


def test_the_title_counts_what_is_explored() -> None:
    assert app_of(FakeExplorer()).query_bar.shown("title").startswith("fake  ·  4 files")


def test_messages_of_the_query_bar_search_and_change_the_preset() -> None:
    app = app_of(FakeExplorer())
    app.query_bar._handle_msg({"type": "search", "query": "tax rate"})
    assert app.state.trace.query.raw == "tax rate"
    app.query_bar._handle_msg({"type": "preset", "preset": "quick", "query": "total"})
    assert (app.state.trace.query.raw, app.state.trace.preset) == ("total", "quick")


def test_an_app_can_be_drawn_for_a_page() -> None:
    assert app_of(FakeExplorer(), "total price")._layout.get_root() is not None


def test_asking_for_the_package_loads_no_panel() -> None:
    code = "import sys, maguyva_nb, maguyva_nb_widgets; print('panel' in sys.modules, 'pyvis' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]
