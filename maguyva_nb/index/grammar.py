"""Loading a grammar and its query file once a process, and running both over one source."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources

from tree_sitter import Language as TreeSitterLanguage
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from maguyva_nb.index.languages import Grammar

Captures = dict[str, list[Node]]
# A capture that names what its pattern is for; the others are parts of it.
_ROLES = frozenset(
    "container call.name import.module import.tree inherit.base comment docstring doc attribute border "
    "test test.scope exported exported.name private".split()
)
_DEFINITION = "definition."
_BROKEN = "(ERROR) @error (MISSING) @error"
_CAPTURE = re.compile(r"@([\w.]+)")
_REMARK = re.compile(r"^\s*;.*$", re.MULTILINE)
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Matches:
    """What a query found: captures by pattern, and the role and settings of each pattern."""

    by_pattern: tuple[list[Captures], ...]
    roles: tuple[str, ...]
    settings: tuple[dict[str, str | None], ...]

    def of(self, role: str) -> Iterator[Captures]:
        """The matches of a role, in the order of the query file."""
        for captures, other in zip(self.by_pattern, self.roles, strict=True):
            if other == role:
                yield from captures

    def with_settings(self, role: str) -> Iterator[tuple[Captures, dict[str, str | None]]]:
        """The matches of a role, each with the ``#set!`` values of its pattern."""
        for captures, other, settings in zip(self.by_pattern, self.roles, self.settings, strict=True):
            if other == role:
                yield from ((found, settings) for found in captures)

    def definitions(self) -> Iterator[tuple[str, str, Captures]]:
        """Definitions as (capture name, kind, captures), in the order of the query file."""
        for captures, role in zip(self.by_pattern, self.roles, strict=True):
            if role.startswith(_DEFINITION):
                kind = role.removeprefix(_DEFINITION)
                yield from ((role, kind, found) for found in captures)


@dataclass(frozen=True, slots=True)
class _Loaded:
    language: TreeSitterLanguage
    query: Query
    broken: Query
    roles: tuple[str, ...]
    settings: tuple[dict[str, str | None], ...]


def parse_tree(grammar: Grammar, data: bytes) -> Tree:
    """The syntax tree of a source; parsers are not shared between threads."""
    parsers: dict[Grammar, Parser] = _local.__dict__.setdefault("parsers", {})
    parser = parsers.get(grammar)
    if parser is None:
        parser = parsers[grammar] = Parser(_load(grammar).language)
    return parser.parse(data)


def find_matches(grammar: Grammar, root: Node) -> Matches:
    """All matches of the language's query file, in one pass."""
    loaded = _load(grammar)
    by_pattern: tuple[list[Captures], ...] = tuple([] for _ in loaded.roles)
    for pattern, captures in QueryCursor(loaded.query).matches(root):
        by_pattern[pattern].append(captures)
    return Matches(by_pattern, loaded.roles, loaded.settings)


def count_errors(grammar: Grammar, root: Node) -> int:
    """How many nodes the parser could not understand or had to invent."""
    return len(QueryCursor(_load(grammar).broken).matches(root)) if root.has_error else 0


@cache
def _load(grammar: Grammar) -> _Loaded:
    language = TreeSitterLanguage(getattr(import_module(grammar.module), grammar.function)())
    folder = resources.files("maguyva_nb.index").joinpath("queries")
    text = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in grammar.queries)
    query = Query(language, text)
    patterns = range(query.pattern_count)
    source = text.encode()
    bounds = ((query.start_byte_for_pattern(pattern), query.end_byte_for_pattern(pattern)) for pattern in patterns)
    roles = tuple(_role(source[start:end].decode()) for start, end in bounds)
    settings = tuple(query.pattern_settings(pattern) for pattern in patterns)
    return _Loaded(language, query, Query(language, _BROKEN), roles, settings)


def _role(pattern: str) -> str:
    names: list[str] = _CAPTURE.findall(_REMARK.sub("", pattern))
    return next(name for name in names if name in _ROLES or name.startswith(_DEFINITION))
