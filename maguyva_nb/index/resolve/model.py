"""What resolving works with: parsed files with ids, and where a name may lead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.types import CallSite, Edge, Resolution, SymbolKind

TYPES = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.TRAIT, SymbolKind.TYPE}
)
VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})
CODE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MACRO})
# Languages that call into each other without a bridge.
FAMILIES = {
    "typescript": "javascript",
    "tsx": "javascript",
    "jsx": "javascript",
    "cpp": "c",
    "kotlin": "java",
    "scala": "java",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One parsed file with its id; an empty file has no symbols. ``is_test`` tells of its path."""

    file_id: int
    path: str
    language: str | None
    parsed: ParsedFile
    is_test: bool = False

    @property
    def family(self) -> str:
        """The languages it can share names with."""
        return FAMILIES.get(self.language or "", self.language or "")

    @property
    def folder(self) -> str:
        """The path of its folder, empty at the top."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Links:
    """All call sites and edges of a codebase; site ids are positions."""

    sites: tuple[CallSite, ...]
    edges: tuple[Edge, ...]


class Nowhere(Enum):
    """Places without symbols of the codebase."""

    OUTSIDE = "outside"
    UNKNOWN = "unknown"


OUTSIDE, UNKNOWN = Nowhere.OUTSIDE, Nowhere.UNKNOWN


@dataclass(frozen=True, slots=True)
class Module:
    """A module, package or folder: its path as its language knows it, and the units that make it up."""

    path: str
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Symbols a name stands for (global ids, usually one), and how that was found out."""

    symbols: tuple[int, ...]
    how: Resolution


@dataclass(frozen=True, slots=True)
class Instance:
    """A value whose type is known: one of these classes. ``own`` marks the object a method runs on."""

    classes: tuple[int, ...]
    own: bool = False
    above: bool = False


Place = Module | Found | Instance | Nowhere
