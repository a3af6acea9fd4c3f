"""The query box, the preset and the search button."""

from __future__ import annotations

from typing import Any

from maguyva_nb.types import Json
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import script, styles
from maguyva_nb_widgets.view import View, content


class QueryBar(View):
    """Enter or the button searches, another preset searches again, ``/`` leads back to the box."""

    query = content("The text of the box.")
    preset = content("The name of the preset.")
    presets = content("Pairs of name and explanation.")
    title = content("What is being explored.")
    busy = content("Whether a search runs.")

    _esm = script("query_bar.js")
    _stylesheets = styles("query_bar.css")

    def __init__(self, state: SearchState, title: str, **params: Any) -> None:
        self._state = state
        presets = [
            [name, f"{' + '.join(preset.modalities)}, k = {preset.k}"]
            for name, preset in state.settings.presets.items()
        ]
        super().__init__(sizing_mode="stretch_width", **params)
        self.show(presets=presets, title=title)
        state.param.watch(self._update, ["query", "preset", "busy"])
        self._update()

    def _update(self, *_: Any) -> None:
        self.show(query=self._state.query, preset=self._state.preset, busy=self._state.busy)

    def _handle_msg(self, data: Json) -> None:
        if data.get("type") == "search":
            self._state.search(str(data["query"]))
        elif data.get("type") == "preset":
            self._state.query = str(data["query"])
            self._state.set_preset(str(data["preset"]))
