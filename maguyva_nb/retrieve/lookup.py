"""Finding symbols by what a person writes: ``name``, ``Class.name``, ``Store::open`` or ``path:name``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from rapidfuzz import fuzz, process

from maguyva_nb.store.reader import IndexReader
from maguyva_nb.tokens import fold_name
from maguyva_nb.types import SymbolKind

_SEPARATORS = re.compile(r"::|->|#")
# Below this similarity (0-100) a "nearest" name only confuses.
NEAREST_CUTOFF = 60


class SymbolLookup:
    """Names of one index; built once, read by many threads."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def find(self, text: str) -> tuple[int, ...]:
        """Symbol ids that the text names, strongest kind of match only: as written, else but for case and ``_``.

        ``path:name`` narrows to files whose path is, or ends with, ``path``.
        """
        path, name = _split_path(text)
        name = _SEPARATORS.sub(".", name.strip().removesuffix("()"))
        found = self.exact(name) or self.qualified(name) or (() if "." in name else self.folded(name))
        return tuple(i for i in found if path is None or self._in_file(i, path))

    def exact(self, name: str) -> tuple[int, ...]:
        """Symbols of exactly this name; modules only when nothing else has it."""
        found = self._by_name.get(name, ())
        code = tuple(i for i in found if self._reader.symbols.kind[i] != SymbolKind.MODULE)
        return code or found

    def qualified(self, name: str) -> tuple[int, ...]:
        """Symbols whose qualified name is, or ends with, this dotted name (a module's name may lead it)."""
        head, dot, last = name.rpartition(".")
        if not dot:
            return ()
        symbols = self._reader.symbols
        return tuple(
            i
            for i in self._by_name.get(last, ())
            if f".{self._module_of(i)}.{symbols.qualified_name[i]}".endswith(f".{head}.{last}")
        )

    def folded(self, name: str) -> tuple[int, ...]:
        """Symbols whose name is the same but for case and underscores."""
        return self._by_folded.get(fold_name(name.rpartition(".")[2]), ())

    def nearest(self, text: str, limit: int = 5) -> tuple[str, ...]:
        """The closest qualified names, best first."""
        wanted = _SEPARATORS.sub(".", _split_path(text)[1])
        found = process.extract(
            wanted, self._distinct, scorer=fuzz.WRatio, limit=limit, score_cutoff=NEAREST_CUTOFF, processor=str.lower
        )
        return tuple(name for name, _, _ in found)

    def _in_file(self, symbol_id: int, path: str) -> bool:
        own = self._reader.files.path[self._reader.symbols.file_id[symbol_id]]
        return own == path or own.endswith(f"/{path}")

    def _module_of(self, symbol_id: int) -> str:
        path = self._reader.files.path[self._reader.symbols.file_id[symbol_id]]
        return path.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")

    @cached_property
    def _by_name(self) -> dict[str, tuple[int, ...]]:
        return _group(self._reader.symbols.name)

    @cached_property
    def _by_folded(self) -> dict[str, tuple[int, ...]]:
        return _group([fold_name(name) for name in self._reader.symbols.name])

    @cached_property
    def _distinct(self) -> list[str]:
        return sorted({*self._reader.symbols.name, *self._reader.symbols.qualified_name} - {""})


def _split_path(text: str) -> tuple[str | None, str]:
    head, colon, name = text.rpartition(":")
    if colon and head and not head.endswith(":") and ("." in head or "/" in head):
        return head.removeprefix("./"), name
    return None, text


def _group(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    grouped: dict[str, list[int]] = {}
    for symbol_id, name in enumerate(names):
        if name:
            grouped.setdefault(name, []).append(symbol_id)
    return {name: tuple(ids) for name, ids in grouped.items()}
