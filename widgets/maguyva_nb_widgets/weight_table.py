"""The weight table: six intents by four modalities, every cell editable."""

from __future__ import annotations

from typing import Any

import pandas as pd
import panel as pn

from maguyva_nb.types import Intent, Modality, Profile
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import LABELS, asset

INTENT = "intent"
_ROWS = tuple(Intent)


class WeightTable(pn.viewable.Viewer):  # type: ignore[misc]
    """An edit re-fuses at once; the row of the query's intent is marked; a bad value is refused and put back."""

    def __init__(self, state: SearchState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        sheet = [asset("theme.css"), asset("weight_table.css")]
        self.table = pn.widgets.Tabulator(
            table_of(state.profile),
            show_index=False,
            sortable=False,
            selectable=False,
            layout="fit_columns",
            titles={INTENT: "Intent", **{str(m): LABELS[m] for m in Modality}},
            editors={INTENT: None, **{str(m): {"type": "number", "step": 0.05} for m in Modality}},
            widths={INTENT: 135},
            text_align={str(m): "right" for m in Modality},
            stylesheets=sheet,
            sizing_mode="stretch_width",
            min_width=320,
            margin=0,
        )
        self.table.style.apply(self._mark, axis=1)
        self.table.on_edit(self._edited)
        self.note = pn.widgets.StaticText(stylesheets=sheet, sizing_mode="stretch_width", margin=(0, 4))
        self.reset = pn.widgets.Button(label="Reset weights", stylesheets=sheet, margin=(0, 0))
        self.reset.on_click(lambda _: state.reset_profile())
        state.param.watch(self._update, ["profile", "trace", "weight_problem"])
        self._update()

    def __panel__(self) -> Any:
        row = pn.Row(self.note, self.reset, sizing_mode="stretch_width", margin=(4, 0, 0, 0))
        return pn.Column(self.table, row, sizing_mode="stretch_width", margin=0)

    @property
    def active(self) -> Intent | None:
        """The intent whose row decides the fusion that is shown."""
        trace = self._state.trace
        return trace.classification.intent if trace is not None else None

    def _mark(self, row: Any) -> list[str]:
        on = row[INTENT].removeprefix(_ACTIVE) == self.active
        return ["font-weight: 700" if on else ""] * len(row)

    def _edited(self, event: Any) -> None:
        modality, intent = Modality(event.column), _ROWS[event.row]
        if not self._state.set_weight(intent, modality, event.value):
            self._put_back(event.row, modality)

    def _put_back(self, row: int, modality: Modality) -> None:
        """Sends the old value even where the table already holds it: the browser shows the refused one."""
        self.table.patch({str(modality): [(row, self._state.profile.row(_ROWS[row])[modality])]})

    def _update(self, *_: Any) -> None:
        wanted = table_of(self._state.profile, self.active)
        if not wanted.equals(self.table.value):
            self.table.value = wanted
        problem = self._state.weight_problem
        self.note.value = f"{problem.message} {problem.next}" if problem else self._summary()
        self.note.css_classes = ["refused"] if problem else []
        self.reset.disabled = not self._state.edited

    def _summary(self) -> str:
        name = self._state.profile.name
        return f"Profile {name}: edited, not saved." if self._state.edited else f"Profile {name}."


_ACTIVE = "▸ "


def table_of(profile: Profile, active: Intent | None = None) -> pd.DataFrame:
    """One row an intent, one column a modality; the active intent carries a mark."""
    names = [f"{_ACTIVE if intent == active else ''}{intent}" for intent in _ROWS]
    cells = {str(m): [float(profile.row(intent)[m]) for intent in _ROWS] for m in Modality}
    return pd.DataFrame({INTENT: names, **cells})
