"""What parsing one file yields, before any id is given. Symbol numbers index ``ParsedFile.symbols``."""

from __future__ import annotations

from dataclasses import dataclass

from maguyva_nb.types import SymbolKind


@dataclass(frozen=True, slots=True)
class ParsedSymbol:
    """A definition. ``doc_start`` is the first line of its leading comments (``start_line`` without)."""

    name: str
    qualified_name: str
    kind: SymbolKind
    parent: int | None
    signature: str
    doc: str
    line: int
    start_line: int
    end_line: int
    doc_start: int
    exported: bool
    is_test: bool


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A call site inside symbol number ``caller``; ``receiver`` is the source before the last dot."""

    caller: int
    name: str
    receiver: str | None
    line: int


@dataclass(frozen=True, slots=True)
class ParsedImport:
    """``from module import name as alias``; ``name`` is None for a whole module, ``*`` for a star.

    ``level`` counts leading dots (Python) and is 0 elsewhere; ``module`` is the written path.
    """

    module: str
    name: str | None
    alias: str | None
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class ParsedInherit:
    """Symbol number ``symbol`` extends or implements ``base`` (as written, type arguments cut)."""

    symbol: int
    base: str
    line: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The first symbol is always the file's ``module`` symbol, spanning all lines.

    ``comment_lines`` are ``(line, text)`` of comments and docstrings, markers stripped; ``borders`` are
    the lines where a statement of a body starts, for splitting long symbols; ``errors`` counts nodes
    the parser could not understand.
    """

    language: str | None
    symbols: tuple[ParsedSymbol, ...]
    calls: tuple[ParsedCall, ...] = ()
    imports: tuple[ParsedImport, ...] = ()
    inherits: tuple[ParsedInherit, ...] = ()
    comment_lines: tuple[tuple[int, str], ...] = ()
    borders: tuple[int, ...] = ()
    errors: int = 0
