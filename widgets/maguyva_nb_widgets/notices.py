"""The box for errors and the lines for warnings."""

from __future__ import annotations

from typing import Any

from maguyva_nb.types import Json
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.theme import script, styles
from maguyva_nb_widgets.view import View, content


class Notices(View):
    """Nothing while all is well; what happened and the next step otherwise."""

    notices = content("Objects of level, type, message and next.")

    _esm = script("notices.js")
    _stylesheets = styles("notices.css")

    def __init__(self, state: SearchState, **params: Any) -> None:
        self._state = state
        super().__init__(sizing_mode="stretch_width", **params)
        state.param.watch(self._update, ["problem", "trace"])
        self._update()

    def _update(self, *_: Any) -> None:
        self.show(notices=notices(self._state))


def notices(state: SearchState) -> list[Json]:
    """The error first, then the warnings of the trace."""
    problem, trace = state.problem, state.trace
    errors = [{"level": "error", "type": "error", "message": problem.message, "next": problem.next}] if problem else []
    warnings = trace.warnings if trace is not None else ()
    return errors + [{"level": "warning", "type": w.type, "message": w.message, "next": ""} for w in warnings]
