"""What the graph answers: who depends on a symbol, how far and how surely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImpactNode:
    """A symbol reached over reversed dependency edges; ``edge`` is the kind of the last edge."""

    symbol_id: int
    path: str
    line: int
    name: str
    qualified_name: str
    kind: str
    depth: int
    confidence: float
    edge: str | None
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """A blast radius. ``paths`` maps a reached symbol id to the ids from the target to it.

    ``unresolved_sites`` and ``external_sites`` are call sites of that name without an edge: callers may be missing.
    """

    symbol: ImpactNode | None
    candidates: tuple[ImpactNode, ...]
    reached: tuple[ImpactNode, ...]
    paths: Mapping[int, tuple[int, ...]]
    files: int
    lines: int
    sites_total: int
    unresolved_sites: int
    answers: tuple[Impact, ...] = ()
    external_sites: int = 0
