"""What every component has in common: content that goes one way, from the state to the page."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import panel as pn
import param

from maguyva_nb_widgets.theme import payload

# Notebooks send every change back to the kernel. A number makes each value differ from all before it, so that
# an echo that comes late can never pass for the present one.
_numbers = count(1)


def content(doc: str) -> Any:
    """A parameter for ``View.show``: JSON of ``[number, value]``."""
    return param.String(default="[0,null]", doc=doc)


class View(pn.custom.JSComponent):  # type: ignore[misc]
    """A component that is given values to draw, and answers with messages alone."""

    __abstract = True

    def show(self, **values: Any) -> None:
        """Sets contents; texts in them stay plain and may stand in a script. Equal ones are not sent again."""
        texts = {name: payload(value) for name, value in values.items()}
        changed = {name: text for name, text in texts.items() if _text(getattr(self, name)) != text}
        self.param.update(**{name: f"[{next(_numbers)},{text}]" for name, text in changed.items()})

    def shown(self, name: str) -> Any:
        """A content as the page gets it."""
        return json.loads(getattr(self, name))[1]

    def _process_property_change(self, _: dict[str, Any]) -> dict[str, Any]:
        """Nothing comes back from the page this way."""
        return {}


def _text(numbered: str) -> str:
    return numbered[numbered.index(",") + 1 : -1]
