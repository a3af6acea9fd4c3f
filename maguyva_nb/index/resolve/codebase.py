"""Tables over all symbols of a codebase: by id, by name, by what contains them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from maguyva_nb.index.parsed import ParsedSymbol
from maguyva_nb.index.resolve.model import CODE, TYPES, Unit
from maguyva_nb.types import SymbolKind

Names = dict[str, list[int]]


class Codebase:
    """All units, with their symbols numbered through."""

    def __init__(self, units: Sequence[Unit], root_name: str) -> None:
        self.units = units
        self.root_name = root_name
        self.first: list[int] = []
        self.symbols: list[ParsedSymbol] = []
        self.unit_of: list[int] = []
        self.parent: list[int | None] = []
        self.children: dict[int, Names] = defaultdict(dict)
        self.family = [unit.family for unit in units]
        self.families: dict[str, list[int]] = defaultdict(list)
        self._class_of: list[int | None] = []
        self._named: dict[str, Names] = defaultdict(dict)
        for number, unit in enumerate(units):
            self._add(number, unit)
        self._class_of = [
            next((s for s in self.scopes(symbol) if self.symbols[s].kind in TYPES), None)
            for symbol in range(len(self.symbols))
        ]

    def _add(self, number: int, unit: Unit) -> None:
        first = len(self.symbols)
        self.first.append(first)
        self.families[self.family[number]].append(number)
        named = self._named[self.family[number]]
        for local, symbol in enumerate(unit.parsed.symbols):
            this = first + local
            parent = None if symbol.parent is None else first + symbol.parent
            self.symbols.append(symbol)
            self.unit_of.append(number)
            self.parent.append(parent)
            if parent is not None and symbol.kind is not SymbolKind.SECTION:
                self.children[parent].setdefault(symbol.name, []).append(this)
                if symbol.kind in CODE or symbol.kind in TYPES:
                    named.setdefault(symbol.name, []).append(this)

    def module_symbol(self, unit: int) -> int | None:
        """The module symbol of a unit; an empty file has none."""
        return self.first[unit] if self.units[unit].parsed.symbols else None

    def top_level(self, unit: int, name: str) -> list[int]:
        """Symbols of a name at the top level of a unit."""
        module = self.module_symbol(unit)
        return self.inside(module, name) if module is not None else []

    def inside(self, symbol: int, name: str) -> list[int]:
        """Symbols of a name directly inside another."""
        names = self.children.get(symbol)
        return names.get(name, []) if names else []

    def named(self, family: str, name: str) -> list[int]:
        """All functions, methods and types of a name in a family of languages."""
        return self._named[family].get(name, [])

    def scopes(self, symbol: int) -> Iterator[int]:
        """A symbol and all that enclose it, the module last."""
        here: int | None = symbol
        while here is not None:
            yield here
            here = self.parent[here]

    def class_of(self, symbol: int) -> int | None:
        """The innermost type around a symbol, or itself."""
        return self._class_of[symbol]

    def is_test(self, symbol: int) -> bool:
        """Whether a symbol is a test or lies among tests."""
        return self.units[self.unit_of[symbol]].is_test or self.symbols[symbol].is_test

    @cached_property
    def folders(self) -> dict[tuple[str, str], list[int]]:
        """Units by family and folder."""
        table: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, unit in enumerate(self.units):
            table[unit.family, unit.folder].append(number)
        return table
