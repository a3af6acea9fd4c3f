"""The query box, the preset and the search button."""

from __future__ import annotations

from typing import Any

import panel as pn
import param

from maguyva_nb.types import Json
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import payload, script, styles


class QueryBar(pn.custom.JSComponent):  # type: ignore[misc]
    """Enter or the button searches, another preset searches again, ``/`` leads back to the box."""

    query = param.String(default='""', doc="JSON of the text; a query may hold markup too.")
    preset = param.String(default="")
    presets = param.String(default="[]", doc="JSON of [name, explanation] pairs.")
    title = param.String(default='""', doc="JSON of what is being explored.")
    busy = param.Boolean(default=False)

    _esm = script("query_bar.js")
    _stylesheets = styles("query_bar.css")

    def __init__(self, state: SearchState, title: str, **params: Any) -> None:
        self._state = state
        presets = [
            [name, f"{' + '.join(preset.modalities)}, k = {preset.k}"]
            for name, preset in state.settings.presets.items()
        ]
        super().__init__(presets=payload(presets), title=payload(title), sizing_mode="stretch_width", **params)
        state.param.watch(self._update, ["query", "preset", "busy"])
        self._update()

    def _update(self, *_: Any) -> None:
        self.param.update(query=payload(self._state.query), preset=self._state.preset, busy=self._state.busy)

    def _handle_msg(self, data: Json) -> None:
        if data.get("type") == "search":
            self._state.search(str(data["query"]))
        elif data.get("type") == "preset":
            self._state.query = str(data["query"])
            self._state.set_preset(str(data["preset"]))
