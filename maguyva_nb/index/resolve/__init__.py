"""Who calls, imports and extends whom: pure functions over all parsed files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from maguyva_nb.index.resolve.calls import resolve_call
from maguyva_nb.index.resolve.codebase import Codebase
from maguyva_nb.index.resolve.model import OUTSIDE, TYPES, Found, Links, Module, Unit
from maguyva_nb.index.resolve.receiver import split_chain
from maguyva_nb.index.resolve.scope import Scope
from maguyva_nb.types import CallSite, Edge, EdgeKind, Resolution, SymbolKind

__all__ = ["Links", "Unit", "resolve"]

# Structure, not inference: what is written inside a symbol is in it.
CERTAIN = 1.0


def resolve(units: Sequence[Unit], confidence: Mapping[str, float], *, root_name: str = "") -> Links:
    """All call sites with their resolutions, and all edges; ``root_name`` is the folder the units lie in.

    Global symbol ids number the symbols of the units in order.
    """
    code = Codebase(units, root_name)
    scope = Scope(code)
    edges = [*_contains(code), *_inherits(code, scope, confidence), *_imports(code, scope, confidence)]
    sites: list[CallSite] = []
    for number, unit in enumerate(units):
        first = code.first[number]
        for call in unit.parsed.calls:
            written_in = first + call.caller
            caller = _runs_in(code, written_in, call.line)
            found = resolve_call(scope, caller, call)
            site = len(sites)
            sites.append(CallSite(site, unit.file_id, caller, call.name, call.receiver, call.line, found.resolution))
            for dst, how in found.targets:
                edges.append(Edge(caller, dst, EdgeKind.CALLS, confidence[how], how, call.line, site))
                if caller != written_in:
                    edges.append(Edge(written_in, dst, EdgeKind.REFERENCES, confidence[how], how, call.line, site))
    return Links(tuple(sites), tuple(edges))


def _runs_in(code: Codebase, written_in: int, line: int) -> int:
    """A decorator is called where its function is defined, by what surrounds it; the function depends on it."""
    symbol = code.symbols[written_in]
    around = code.parent[written_in]
    return around if around is not None and symbol.start_line <= line < symbol.line else written_in


def _contains(code: Codebase) -> Iterator[Edge]:
    for symbol, parent in enumerate(code.parent):
        if parent is not None:
            line = code.symbols[symbol].line
            yield Edge(parent, symbol, EdgeKind.CONTAINS, CERTAIN, Resolution.SAME_FILE, line)


def _inherits(code: Codebase, scope: Scope, confidence: Mapping[str, float]) -> list[Edge]:
    edges: list[Edge] = []
    for number, unit in enumerate(code.units):
        for one in unit.parsed.inherits:
            symbol = code.first[number] + one.symbol
            around = code.parent[symbol]
            parts = split_chain(one.base)
            place = scope.chain(around, parts) if parts and around is not None else OUTSIDE
            bases = [s for s in place.symbols if code.symbols[s].kind in TYPES] if isinstance(place, Found) else []
            how = place.how if isinstance(place, Found) else Resolution.NAME_ONLY
            if not bases and place is not OUTSIDE and parts:
                bases = _only_type(code, unit.family, parts[-1], symbol)
            for base in bases:
                scope.hierarchy.add_base(symbol, base)
                if base != symbol:
                    edges.append(Edge(symbol, base, EdgeKind.INHERITS, confidence[how], how, one.line))
            if not bases:
                scope.hierarchy.add_outside_base(symbol)
    return edges


def _only_type(code: Codebase, family: str, name: str, but: int) -> list[int]:
    found = [s for s in code.named(family, name) if code.symbols[s].kind in TYPES and s != but]
    return found if len(found) == 1 else []


def _imports(code: Codebase, scope: Scope, confidence: Mapping[str, float]) -> Iterator[Edge]:
    how = Resolution.IMPORT
    for number, unit in enumerate(code.units):
        source = code.module_symbol(number)
        if source is None:
            continue
        seen: set[int] = set()
        for one in unit.parsed.imports:
            place = scope.imports.imported(number, one)
            targets: Sequence[int] = ()
            if isinstance(place, Found):
                targets = place.symbols
            elif isinstance(place, Module):
                modules = [code.module_symbol(u) for u in place.units]
                targets = [m for m in modules if m is not None and code.symbols[m].kind is SymbolKind.MODULE]
            for target in targets:
                if target not in seen and target != source:
                    seen.add(target)
                    yield Edge(source, target, EdgeKind.IMPORTS, confidence[how], how, one.line)
