"""The source of the chosen result, its lines marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from maguyva_nb.config import AppSettings
from maguyva_nb.types import Json, Query
from maguyva_nb_widgets.contract import Source
from maguyva_nb_widgets.highlight import coloured_lines, marked_line, matcher
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import location, script, styles
from maguyva_nb_widgets.view import View, content


@dataclass(frozen=True, slots=True)
class Window:
    """The lines of a file that are shown, 1-based and inclusive."""

    first: int
    last: int


class CodeView(View):
    """A window of the file around the result; more of it on request."""

    code = content("The window of the file, null without a chosen result.")

    _esm = script("code_view.js")
    _stylesheets = styles("code_view.css")

    def __init__(self, state: SearchState, **params: Any) -> None:
        self._state = state
        self._window = Window(1, 1)
        super().__init__(sizing_mode="stretch_width", **params)
        state.param.watch(self._show, ["source", "trace"])
        self._show()

    def _show(self, *_: Any) -> None:
        source = self._state.source
        if source is not None:
            self._window = first_window(source, self._state.settings.app)
        self._update()

    def _update(self) -> None:
        source, trace = self._state.source, self._state.trace
        query = trace.query if trace is not None else None
        colour_up_to = self._state.settings.app.highlight_chars
        self.show(code=source and code_payload(source, self._window, query, colour_up_to))

    def _handle_msg(self, data: Json) -> None:
        source = self._state.source
        if source is not None and data.get("type") in ("above", "below"):
            self._window = wider(self._window, str(data["type"]), self._state.settings.app.code_step, _height(source))
            self._update()


def first_window(source: Source, settings: AppSettings) -> Window:
    """The result with some lines around it."""
    first = max(1, source.start_line - settings.code_margin)
    return Window(first, min(_height(source), source.end_line + settings.code_margin))


def wider(window: Window, side: str, step: int, height: int) -> Window:
    """The window with more lines above or below, inside the file."""
    if side == "above":
        return replace(window, first=max(1, window.first - step))
    return replace(window, last=min(height, window.last + step))


def _height(source: Source) -> int:
    return max(1, source.text.count("\n") + (not source.text.endswith("\n")))


def code_payload(source: Source, window: Window, query: Query | None, colour_up_to: int) -> Json:
    """The lines of a window as pieces of plain text, and where they stand."""
    language = source.language if len(source.text) <= colour_up_to else None
    lines = coloured_lines(source.text, language)[window.first - 1 : window.last]
    pattern = matcher(query)
    return {
        "where": location(source.path, source.start_line, source.end_line),
        "language": source.language or "text",
        "first": window.first,
        "start": source.start_line,
        "end": source.end_line,
        "above": window.first - 1,
        "below": _height(source) - window.last,
        "lines": [marked_line(line, pattern) for line in lines],
    }
