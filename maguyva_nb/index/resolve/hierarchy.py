"""Classes above and below each other, and their members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from maguyva_nb.index.resolve.codebase import Codebase
from maguyva_nb.index.resolve.model import CODE

# A method that this many subclasses define is an interface: naming all of them would say nothing.
MAX_OVERRIDES = 5

# Classes extend each other a dozen levels deep; only generated nonsense goes further.
MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Members:
    """Symbols of one name; ``direct`` when the class itself has them."""

    symbols: tuple[int, ...]
    direct: bool


class Hierarchy:
    """Inheritance inside the codebase; filled once all ``inherits`` are known."""

    def __init__(self, code: Codebase) -> None:
        self._code = code
        self._bases: dict[int, list[int]] = defaultdict(list)
        self._subclasses: dict[int, list[int]] = defaultdict(list)
        self._outside: set[int] = set()
        self._adopted: dict[int, dict[str, list[int]]] = defaultdict(dict)
        self._lines: dict[int, tuple[int, ...]] = {}

    def add_base(self, symbol: int, base: int) -> None:
        """Records that a class extends another."""
        if base not in self._bases[symbol] and base != symbol:
            self._bases[symbol].append(base)
            self._subclasses[base].append(symbol)
            self._lines.clear()

    def add_outside_base(self, symbol: int) -> None:
        """Records that a class extends one that is not in the codebase."""
        self._outside.add(symbol)

    def adopt(self, owner: int, method: int) -> None:
        """Records a method that is written outside of its class."""
        self._adopted[owner].setdefault(self._code.symbols[method].name, []).append(method)

    def members(self, classes: Sequence[int], name: str, *, above: bool = False) -> Members | None:
        """Members of a name, in the first class of the resolution order that has one; ``above`` skips the class."""
        found: list[int] = []
        direct = True
        for one in classes:
            for place, holder in enumerate(self.order(one)):
                own = [] if above and place == 0 else self._own(holder, name)
                if own:
                    found += own
                    direct = direct and place == 0
                    break
        return Members(tuple(dict.fromkeys(found)), direct) if found else None

    def overrides(self, classes: Sequence[int], name: str) -> Members | None:
        """What subclasses define where the class itself leaves it open."""
        found: dict[int, None] = {}
        todo, seen = list(classes), set(classes)
        while todo:
            for below in self._subclasses.get(todo.pop(), ()):
                if below not in seen:
                    seen.add(below)
                    found.update(dict.fromkeys(s for s in self._own(below, name) if self._code.symbols[s].kind in CODE))
                    todo.append(below)
        return Members(tuple(sorted(found)), False) if 0 < len(found) <= MAX_OVERRIDES else None

    def leads_outside(self, symbol: int) -> bool:
        """Whether a class has a base that is not in the codebase, itself or above."""
        return any(c in self._outside for c in self.order(symbol))

    def order(self, symbol: int, depth: int = 0) -> tuple[int, ...]:
        """The method resolution order: C3, or depth first where C3 has no answer."""
        if symbol not in self._lines:
            bases = self._bases.get(symbol, [])
            if depth > MAX_DEPTH:
                return (symbol, *bases)
            self._lines[symbol] = (symbol,)  # a cycle of bases ends here
            lists = [list(self.order(b, depth + 1)) for b in bases] + [list(bases)]
            self._lines[symbol] = (symbol, *(m for m in _merge(lists) if m != symbol))
        return self._lines[symbol]

    def _own(self, symbol: int, name: str) -> list[int]:
        adopted = self._adopted.get(symbol)
        return self._code.inside(symbol, name) + (adopted.get(name, []) if adopted else [])


def _merge(lists: list[list[int]]) -> list[int]:
    out: list[int] = []
    lists = [one for one in lists if one]
    while lists:
        tails = {symbol for one in lists for symbol in one[1:]}
        head = next((one[0] for one in lists if one[0] not in tails), lists[0][0])
        out.append(head)
        lists = [rest for one in lists if (rest := [s for s in one if s != head])]
    return out
