"""The explorer: one state, its views, and where they stand. Works in a notebook cell and served."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import panel as pn

from maguyva_nb.config import Settings
from maguyva_nb.engine import Explorer
from maguyva_nb.types import WeightRow
from maguyva_nb_widgets.code_view import CodeView
from maguyva_nb_widgets.contract import Engine
from maguyva_nb_widgets.impact_view import ImpactView
from maguyva_nb_widgets.intent_card import IntentCard
from maguyva_nb_widgets.notices import Notices
from maguyva_nb_widgets.progress import progress_bar
from maguyva_nb_widgets.query_bar import QueryBar
from maguyva_nb_widgets.ranked_lists import RankedLists
from maguyva_nb_widgets.runner import document_runner
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import asset
from maguyva_nb_widgets.weight_table import WeightTable


class ExplorerApp(pn.viewable.Viewer):  # type: ignore[misc]
    """Lays out the views of a state; ``state`` is open to scripts and tests."""

    def __init__(self, state: SearchState, title: str, **params: Any) -> None:
        super().__init__(**params)
        self.state = state
        self.query_bar = QueryBar(state, title)
        self.notices = Notices(state)
        self.intent_card = IntentCard(state)
        self.weight_table = WeightTable(state)
        self.ranked_lists = RankedLists(state)
        self.code_view = CodeView(state)
        self.impact_view = ImpactView(state)
        self._layout = pn.Column(
            self.query_bar,
            self.notices,
            _beside("small", self.intent_card, self.weight_table),
            self.ranked_lists,
            _beside("large", self.code_view, self.impact_view),
            css_classes=["maguyva"],
            stylesheets=[asset("theme.css"), asset("app.css")],
            sizing_mode="stretch_width",
            margin=0,
        )

    def __panel__(self) -> Any:
        return self._layout


def _beside(size: str, *views: Any) -> Any:
    """Views in a row that wraps where it is narrow for their size."""
    return pn.Column(
        *views,
        css_classes=["beside", size],
        stylesheets=[asset("beside.css")],
        sizing_mode="stretch_width",
        margin=0,
    )


def explore(
    path: Path | str,
    query: str = "",
    *,
    weights: WeightRow | Sequence[float] | None = None,
    preset: str | None = None,
    settings: Settings | None = None,
    db: Path | None = None,
) -> ExplorerApp:
    """The explorer of a codebase, for the last line of a notebook cell; indexes first where there is no index.

    ``weights`` are four numbers (semantic, text, structural, graph) used whatever the intent.
    """
    # In line: a notebook would otherwise ask a public host for the scripts, and stay blank offline.
    pn.extension("tabulator", inline=True)
    with progress_bar(sys.stdout) as listener:
        engine = Explorer.open(path, settings=settings, db=db, progress=listener)
    return app_of(engine, query, weights=weights, preset=preset)


def app_of(
    engine: Engine,
    query: str = "",
    *,
    weights: WeightRow | Sequence[float] | None = None,
    preset: str | None = None,
) -> ExplorerApp:
    """The explorer over an open engine; a first query is answered before anything is shown."""
    state = SearchState(engine, query=query, preset=preset, weights=weights)
    if query.strip():
        state.search()
    state.run_with(document_runner())
    return ExplorerApp(state, title_of(engine))


def title_of(engine: Engine) -> str:
    """What is being explored, in numbers."""
    counts = engine.summary()
    parts = [f"{counts[name]:,} {name}" for name in ("files", "chunks", "symbols", "edges")]
    return f"{engine.source}  ·  {'  ·  '.join(parts)}"
