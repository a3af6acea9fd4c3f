"""What all views share: the stylesheet, the script helpers, and how names are written on screen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from maguyva_nb.types import ChunkCard, Modality

LABELS: Mapping[Modality, str] = {
    Modality.SEMANTIC: "Semantic",
    Modality.TEXT: "Text",
    Modality.STRUCTURAL: "Structural",
    Modality.GRAPH: "Graph",
}


@cache
def asset(name: str) -> str:
    """The text of a file beside this one."""
    return resources.files("maguyva_nb_widgets").joinpath(name).read_text(encoding="utf-8")


def script(name: str) -> str:
    """The module of a component, with the shared helpers before it."""
    return f"{asset('dom.js')}\n{asset(name)}"


def styles(*names: str) -> list[str]:
    """The theme, then the stylesheets of a component."""
    return [asset(name) for name in ("theme.css", *names)]


def payload(value: Any) -> str:
    """JSON that may stand inside a script element: notebooks put the first state of a component there."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def lines(card: ChunkCard) -> str:
    """``path:start-end``, or ``path:line`` for a single one."""
    return location(card.path, card.start_line, card.end_line)


def location(path: str, start_line: int, end_line: int) -> str:
    """``path:start-end``, or ``path:line`` for a single one."""
    return f"{path}:{start_line}" if start_line == end_line else f"{path}:{start_line}-{end_line}"
