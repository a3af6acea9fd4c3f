"""Lines of a file -> chunks that partition them: one symbol each, long ones split, tiny neighbours merged.

Everything here is pure. A *unit* is a chunk in the making: consecutive lines with at most one symbol that names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from maguyva_nb.config import ChunkSettings
from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.index.split import split_lines
from maguyva_nb.types import SymbolKind

CONTAINERS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TRAIT,
        SymbolKind.MODULE,
        SymbolKind.SECTION,
    }
)
VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})
# Lines that end what stands before them: brackets, semicolons, and the block ends of Ruby, Lua and shells.
CLOSING = re.compile(r"[\s\])}>;,]*(?:(?:end|fi|done|esac)\b)?[\s\])}>;,]*")
# Loose lines between two symbols (an ``impl`` line, a guard) make no useful chunk of their own below this.
LOOSE_LINES = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk without text; ``symbol`` is the number of its main symbol, None without one."""

    kind: str
    name: str
    start: int
    end: int
    symbol: int | None = None

    @property
    def size(self) -> int:
        """Number of lines."""
        return self.end - self.start + 1


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    owner: int
    symbol: int | None
    head: bool = True

    @property
    def size(self) -> int:
        return self.end - self.start + 1


@dataclass(frozen=True, slots=True)
class _Node:
    start: int
    end: int
    symbol: int
    children: list[_Node]


def chunk_file(
    parsed: ParsedFile, lines: Sequence[str], limits: ChunkSettings, *, cells: Sequence[int] = ()
) -> tuple[Piece, ...]:
    """The chunks of a file, in order; no chunk crosses a line of ``cells`` (first lines of notebook cells)."""
    if not lines:
        return ()
    starts = sorted({1, *(c for c in cells if 1 <= c <= len(lines))})
    pieces: list[Piece] = []
    for start, end in zip(starts, [*(s - 1 for s in starts[1:]), len(lines)], strict=True):
        if parsed.language is None:
            pieces += window_pieces(lines, start, end, limits.line_window)
        else:
            pieces += _chunk_region(parsed, lines, limits, start, end)
    return tuple(replace(p, kind="cell", name="") if cells and not p.symbol else p for p in pieces)


def window_pieces(lines: Sequence[str], start: int, end: int, window: int) -> list[Piece]:
    """Windows of at most ``window`` lines, cut after a blank line where there is one."""
    return [Piece("lines", "", a, b) for a, b in split_lines(lines, start, end, window, ())]


def _chunk_region(parsed: ParsedFile, lines: Sequence[str], limits: ChunkSettings, start: int, end: int) -> list[Piece]:
    roots = _forest(parsed, start, end)
    units = list(_units(parsed, roots, start, end, 0, limits))
    units = _close(units, lines, limits.max_lines)
    units = [part for unit in units for part in _split(unit, parsed, lines, limits.max_lines)]
    units = _join_loose(units, lines, limits.max_lines)
    return [_piece(parsed, group) for group in _groups(parsed, units, limits)]


def _forest(parsed: ParsedFile, start: int, end: int) -> list[_Node]:
    """Symbols inside the lines, nested by place: an ``impl`` lies elsewhere than its struct, so parents do not do."""
    order = sorted(
        (max(s.doc_start, start), -s.end_line, number)
        for number, s in enumerate(parsed.symbols)
        if number and start <= s.start_line and s.end_line <= end
    )
    roots: list[_Node] = []
    stack: list[_Node] = []
    for first, minus_last, number in order:
        last = -minus_last
        while stack and (last > stack[-1].end or first > stack[-1].end):
            stack.pop()
        siblings = stack[-1].children if stack else roots
        first = max(first, siblings[-1].end + 1) if siblings else first
        if first > last:
            continue  # shares its lines with a symbol before it: that one's chunk holds both
        node = _Node(first, last, number, [])
        siblings.append(node)
        stack.append(node)
    return roots


def _units(
    parsed: ParsedFile, nodes: Sequence[_Node], start: int, end: int, owner: int, limits: ChunkSettings
) -> Iterator[_Unit]:
    """Cuts ``start..end``, which belongs to ``owner``, into its own loose lines and its children's units."""
    position = start
    for node in _own_units(parsed, nodes, owner):
        if position < node.start:
            yield _Unit(position, node.start - 1, owner, None, position == start)
        if _stays_whole(parsed, node, limits):
            yield _Unit(node.start, node.end, owner, node.symbol)
        else:
            yield from _units(parsed, node.children, node.start, node.end, node.symbol, limits)
        position = node.end + 1
    if position <= end:
        yield _Unit(position, end, owner, None, position == start)


def _own_units(parsed: ParsedFile, nodes: Sequence[_Node], owner: int) -> Iterator[_Node]:
    """Fields of a class stay in its header; constants of a module are units."""
    for node in nodes:
        if owner == 0 or parsed.symbols[node.symbol].kind not in VALUES:
            yield node


def _stays_whole(parsed: ParsedFile, node: _Node, limits: ChunkSettings) -> bool:
    size = node.end - node.start + 1
    if parsed.symbols[node.symbol].kind in CONTAINERS:
        return size <= limits.whole_container or not node.children
    return size <= limits.max_lines or not node.children


def _close(units: list[_Unit], lines: Sequence[str], max_lines: int) -> list[_Unit]:
    """Gives blank and closing lines at the start of loose lines to the unit before them."""
    out: list[_Unit] = []
    for unit in units:
        if unit.symbol is None and out:
            first = unit.start
            while first <= unit.end and CLOSING.fullmatch(lines[first - 1]):
                first += 1
            if first > unit.start and first - out[-1].start <= max_lines:
                out[-1] = replace(out[-1], end=first - 1)
                if first > unit.end:
                    continue
                unit = replace(unit, start=first)
        out.append(unit)
    return out


def _split(unit: _Unit, parsed: ParsedFile, lines: Sequence[str], max_lines: int) -> Iterator[_Unit]:
    for start, end in split_lines(lines, unit.start, unit.end, max_lines, parsed.borders):
        yield replace(unit, start=start, end=end, head=unit.head and start == unit.start)


def _join_loose(units: list[_Unit], lines: Sequence[str], max_lines: int) -> list[_Unit]:
    """Lays a few loose lines to the unit after them, or else before them."""
    out: list[_Unit] = []
    carry: _Unit | None = None
    for unit in units:
        if carry is not None:
            if unit.end - carry.start < max_lines:
                unit = replace(unit, start=carry.start)
            else:
                out.append(carry)
            carry = None
        if unit.symbol is None and not (unit.head and unit.owner) and _written(unit, lines) < LOOSE_LINES:
            carry = unit
        else:
            out.append(unit)
    if carry is not None:
        if out and carry.end - out[-1].start < max_lines:
            out[-1] = replace(out[-1], end=carry.end)
        else:
            out.append(carry)
    return out


def _written(unit: _Unit, lines: Sequence[str]) -> int:
    return sum(bool(line.strip()) for line in lines[unit.start - 1 : min(unit.end, unit.start + 2 * LOOSE_LINES)])


def _groups(parsed: ParsedFile, units: Sequence[_Unit], limits: ChunkSettings) -> Iterator[list[_Unit]]:
    """Runs of tiny units of one owner."""
    group: list[_Unit] = []
    for unit in units:
        fits = (
            group
            and unit.owner == group[0].owner
            and unit.size < limits.merge_lines
            and group[-1].size < limits.merge_lines
            and unit.end - group[0].start < limits.merge_up_to
            and parsed.symbols[unit.owner].kind is not SymbolKind.SECTION
        )
        if group and not fits:
            yield group
            group = []
        group.append(unit)
    if group:
        yield group


def _piece(parsed: ParsedFile, group: Sequence[_Unit]) -> Piece:
    main = max(group, key=lambda unit: _importance(parsed, unit))
    number = main.symbol if main.symbol is not None else main.owner
    symbol = parsed.symbols[number]
    start, end = group[0].start, group[-1].end
    if number == 0 and not (main.symbol is None and start <= symbol.line <= end):
        return Piece(str(SymbolKind.MODULE), "", start, end)
    return Piece(str(symbol.kind), symbol.qualified_name, start, end, number)


def _importance(parsed: ParsedFile, unit: _Unit) -> tuple[int, int]:
    """What names a chunk of several units: a container's own head, then code, then values, then loose lines.

    Among equals the longer name wins: it says more (``RETRY_LIMIT`` beside ``T``).
    """
    if unit.symbol is None:
        return (4 if unit.owner and unit.head else 0), 0
    symbol = parsed.symbols[unit.symbol]
    return (3 if symbol.kind in CONTAINERS else 1 if symbol.kind in VALUES else 2), len(symbol.name)
