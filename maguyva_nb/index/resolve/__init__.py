"""Who calls, imports and extends whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.types import CallSite, Edge, EdgeKind, Resolution


@dataclass(frozen=True, slots=True)
class Unit:
    """One parsed file with its id."""

    file_id: int
    path: str
    language: str | None
    parsed: ParsedFile


@dataclass(frozen=True, slots=True)
class Links:
    """All call sites and edges of a codebase; site ids are positions."""

    sites: tuple[CallSite, ...]
    edges: tuple[Edge, ...]


def resolve(units: Sequence[Unit], confidence: Mapping[str, float]) -> Links:
    """Resolves calls within files."""
    sites: list[CallSite] = []
    edges: list[Edge] = []
    first = 0
    for unit in units:
        names: dict[str, list[int]] = {}
        for number, symbol in enumerate(unit.parsed.symbols):
            if number:
                names.setdefault(symbol.name, []).append(first + number)
                if symbol.parent is not None:
                    edges.append(
                        Edge(
                            first + symbol.parent,
                            first + number,
                            EdgeKind.CONTAINS,
                            1.0,
                            Resolution.SAME_FILE,
                            symbol.line,
                        )
                    )
        for call in unit.parsed.calls:
            found = names.get(call.name, [])
            hit = len(found) == 1 and call.receiver is None
            resolution = Resolution.SAME_FILE if hit else Resolution.UNRESOLVED
            if hit:
                edges.append(
                    Edge(
                        first + call.caller,
                        found[0],
                        EdgeKind.CALLS,
                        confidence["same_file"],
                        resolution,
                        call.line,
                        len(sites),
                    )
                )
            sites.append(
                CallSite(len(sites), unit.file_id, first + call.caller, call.name, call.receiver, call.line, resolution)
            )
        first += len(unit.parsed.symbols)
    return Links(tuple(sites), tuple(edges))
