"""What the state needs of an engine, and what it holds beside the engine's own types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from maguyva_nb.config import Settings
from maguyva_nb.errors import MaguyvaError
from maguyva_nb.route import SearchOptions
from maguyva_nb.types import Impact, Modality, SearchTrace, Symbol


class Engine(Protocol):
    """What the explorer needs of ``maguyva_nb.engine.Explorer``; the fake of the tests offers the same."""

    settings: Settings
    source: Path

    def search(self, text: str, options: SearchOptions | None = None) -> SearchTrace:
        """One search, from words to a trace."""

    def complete(self, trace: SearchTrace, modalities: Collection[Modality] | None = None) -> SearchTrace:
        """The same trace with its missing lists."""

    def impact(self, symbol: str, *, depth: int | None = None) -> Impact:
        """The same by name."""

    def symbol_impact(self, symbol_id: int, *, depth: int | None = None) -> Impact:
        """What breaks when a symbol changes."""

    def symbols_of(self, chunk_id: int) -> tuple[Symbol, ...]:
        """The symbols defined in a chunk."""

    def file_text(self, path: str) -> str:
        """The text of an indexed file."""

    def language(self, path: str) -> str | None:
        """The language of an indexed file."""

    def summary(self) -> Mapping[str, int]:
        """Counts of files, chunks, symbols and edges."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, and the next step."""

    message: str
    next: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file to show, with the lines that answer (1-based, inclusive)."""

    path: str
    language: str | None
    text: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """All that belongs to a chosen result, applied to the state in one step."""

    source: Source | None = None
    symbols: tuple[Symbol, ...] = ()
    symbol_id: int | None = None
    impact: Impact | None = None


def problem_of(error: Exception) -> Problem:
    """An error as the user should read it."""
    if isinstance(error, MaguyvaError):
        return Problem(error.message, error.next)
    return Problem(f"{type(error).__name__}: {error}", "Try again; if it comes back, please report it.")
