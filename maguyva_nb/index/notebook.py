"""Jupyter notebooks: the sources of their cells as one text; outputs are never looked at."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

# What a kernel calls a language, where languages.py calls it otherwise.
KERNELS = {"python3": "python", "python2": "python", "ipython": "python", "c++": "cpp", "c#": "csharp", "sh": "bash"}
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]{0,30}")
_MAGIC = re.compile(r"\s*[%!?]")
# Line comments of the languages notebooks are written in; the others mark words as ``//``.
_HASH = frozenset({"python", "ruby", "bash", "r", "julia"})


@dataclass(frozen=True, slots=True)
class Notebook:
    """``cells`` are the first lines of the cells; ``code`` has as many lines as ``text``, prose as comments."""

    text: str
    code: str
    cells: tuple[int, ...]
    language: str


def read_notebook(text: str) -> Notebook | None:
    """The notebook in a JSON text, or None when it is none."""
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = root.get("cells") if isinstance(root, dict) else None
    if not isinstance(cells, list):
        return None
    language = _language(root.get("metadata"))
    shown: list[str] = []
    code: list[str] = []
    starts: list[int] = []
    for cell in cells:
        source = _source(cell)
        if not source.strip():
            continue
        starts.append(len(shown) + 1)
        lines = source.rstrip("\n").split("\n")
        shown += lines
        code += lines_as_code(lines, language) if cell.get("cell_type") == "code" else _commented(lines, language)
    end = "\n" if shown else ""
    return Notebook("\n".join(shown) + end, "\n".join(code) + end, tuple(starts), language)


def lines_as_code(lines: list[str], language: str) -> list[str]:
    """Code with magics and shell escapes as comments, which no grammar knows; a ``%%magic`` takes the whole cell."""
    if language == "python" and lines[0].lstrip().startswith("%%"):
        return _commented(lines, language)
    return [_comment(line, language) if _MAGIC.match(line) else line for line in lines]


def _commented(lines: list[str], language: str) -> list[str]:
    return [_comment(line, language) for line in lines]


def _comment(line: str, language: str) -> str:
    return f"{'#' if language in _HASH else '//'} {line}"


def _source(cell: Any) -> str:
    """A cell's source, which may be one string or a list; lone surrogates of broken escapes are replaced."""
    source = cell.get("source", "") if isinstance(cell, dict) else ""
    parts = source if isinstance(source, list) else [source]
    joined = "".join(part for part in parts if isinstance(part, str))
    return joined.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")


def _language(metadata: Any) -> str:
    for key, field in (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name")):
        part = metadata.get(key) if isinstance(metadata, dict) else None
        name = part.get(field) if isinstance(part, dict) else None
        if isinstance(name, str) and _LANGUAGE.fullmatch(name):
            return KERNELS.get(name.lower(), name.lower())
    return "python"
