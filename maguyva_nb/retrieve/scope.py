"""Filters of a search: which chunks a query is about, decided before anything is ranked.

A path glob is a pattern of gitignore: ``src/`` and ``tests`` are folders anywhere, ``*.py`` files anywhere, ``/src`` or
``src/api`` are counted from the codebase. ``!`` takes out again; when the first glob does, it takes out of everything.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pathspec import PathSpec, Pattern

from maguyva_nb.errors import QueryError
from maguyva_nb.index.languages import all_languages
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.types import Filters

Mask = NDArray[np.bool_]
# What people call a language that is neither its name here nor an extension of its files.
_ALIASES = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", "golang": "go", "shell": "bash", "objective-c": "objc"}


def read_filters(path: str | Sequence[str], lang: str | Sequence[str], no_tests: bool) -> Filters:
    """The filters of a call, checked; raises ``QueryError`` for a glob or a language that means nothing."""
    globs = tuple(_glob(text) for text in _each(path))
    languages = tuple(dict.fromkeys(language_name(name) for name in _each(lang)))
    return Filters(globs, languages, no_tests)


def language_name(text: str) -> str:
    """The name of a language by name, alias or file extension; raises ``QueryError`` with the nearest one."""
    wanted = text.strip().lower().removeprefix(".")
    rows = all_languages()
    names = {row.name: row.name for row in rows}
    extensions = {extension[1:]: row.name for row in rows for extension in row.extensions}
    found = names.get(wanted) or _ALIASES.get(wanted) or extensions.get(wanted)
    if found is None:
        close = difflib.get_close_matches(wanted, [*names, *_ALIASES], 1, 0.5)
        offer = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names)}."
        raise QueryError(f"There is no language {text!r}.", next=offer)
    return found


def chunk_mask(reader: IndexReader, filters: Filters) -> Mask:
    """``(chunks,)``: the chunks that pass every filter."""
    files, chunks = reader.files, reader.chunks
    kept = np.ones(len(files), np.bool_)
    if filters.globs:
        spec = _spec(filters.globs)
        kept &= np.array([spec.match_file(path) for path in files.path], np.bool_)
    if filters.languages:
        kept &= np.array([name in filters.languages for name in files.language], np.bool_)
    mask: Mask = kept[np.array(chunks.file_id, np.int64)]
    return mask & ~np.array(chunks.is_test, np.bool_) if filters.no_tests else mask


def _each(values: str | Sequence[str]) -> Sequence[str]:
    return (values,) if isinstance(values, str) else values


def _glob(text: str) -> str:
    """A glob with ``./src`` read as ``/src``."""
    mark, rest = ("!", text[1:]) if text.startswith("!") else ("", text)
    glob = mark + (rest[1:] if rest.startswith("./") else rest)
    try:
        empty = all(pattern.include is None for pattern in _spec((glob,)).patterns[bool(mark) :])
    except (ValueError, re.error):
        empty = True
    if empty:
        raise QueryError(f"The path glob {text!r} is not a pattern.", next="Write it as in .gitignore: src/ or *.py")
    return glob


def _spec(globs: Sequence[str]) -> PathSpec[Pattern]:
    """The last glob that says anything of a path decides."""
    everything = ["**"] if globs[0].startswith("!") else []
    return PathSpec.from_lines("gitignore", [*everything, *globs])
