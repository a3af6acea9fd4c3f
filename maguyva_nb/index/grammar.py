"""Loading a grammar and its query file once a process, and running both over one source."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources

from tree_sitter import Language as TreeSitterLanguage
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from maguyva_nb.index.languages import Grammar

Captures = dict[str, list[Node]]
Settings = Mapping[str, str | None]
# A capture that names what its pattern is for; the others are parts of it.
_ROLES = frozenset(
    "container call.name import.module import.tree inherit.base comment docstring doc attribute block "
    "test test.scope exported exported.name private".split()
)
_DEFINITION = "definition."
# A chain of 50,000 calls would take minutes: so many matches may be open at once (no file of 6,500 real ones
# needs 500), and nothing deeper in the tree is looked at.
_MATCH_LIMIT = 2000
_DEPTH_LIMIT = 10_000
_BROKEN = "(ERROR) @error (MISSING) @error"
_CAPTURE = re.compile(r"@([\w.]+)")
_REMARK = re.compile(r"^\s*;.*$", re.MULTILINE)
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of a query file by role, in the order of the file, and their ``#set!`` values."""

    by_role: Mapping[str, tuple[int, ...]]
    settings: tuple[Settings, ...]

    def definitions(self) -> Iterator[str]:
        """The roles that define a symbol."""
        return (role for role in self.by_role if role.startswith(_DEFINITION))


@dataclass(frozen=True, slots=True)
class Matches:
    """What a query found: captures by pattern."""

    patterns: Patterns
    by_pattern: tuple[list[Captures], ...]

    def of(self, role: str) -> list[Captures]:
        """The matches of a role, in the order of the query file."""
        return [captures for pattern in self.patterns.by_role.get(role, ()) for captures in self.by_pattern[pattern]]

    def with_settings(self, role: str) -> Iterator[tuple[Captures, Settings]]:
        """The matches of a role, each with the ``#set!`` values of its pattern."""
        for pattern in self.patterns.by_role.get(role, ()):
            for captures in self.by_pattern[pattern]:
                yield captures, self.patterns.settings[pattern]

    def definitions(self) -> Iterator[tuple[str, Captures, Settings]]:
        """Definitions as (kind, captures, settings), in the order of the query file."""
        found = (
            (pattern, role.removeprefix(_DEFINITION))
            for role in self.patterns.definitions()
            for pattern in self.patterns.by_role[role]
        )
        for pattern, kind in sorted(found):
            settings = self.patterns.settings[pattern]
            yield from ((kind, captures, settings) for captures in self.by_pattern[pattern])


@dataclass(frozen=True, slots=True)
class _Loaded:
    language: TreeSitterLanguage
    query: Query
    broken: Query
    patterns: Patterns


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
    by_pattern: tuple[list[Captures], ...] = tuple([] for _ in loaded.patterns.settings)
    cursor = QueryCursor(loaded.query, match_limit=_MATCH_LIMIT)
    cursor.set_max_start_depth(_DEPTH_LIMIT)
    for pattern, captures in cursor.matches(root):
        by_pattern[pattern].append(captures)
    return Matches(loaded.patterns, by_pattern)


def count_errors(grammar: Grammar, root: Node) -> int:
    """How many nodes the parser could not understand or had to invent."""
    return len(QueryCursor(_load(grammar).broken).matches(root)) if root.has_error else 0


@cache
def _load(grammar: Grammar) -> _Loaded:
    language = TreeSitterLanguage(getattr(import_module(grammar.module), grammar.function)())
    folder = resources.files("maguyva_nb.index").joinpath("queries")
    text = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in grammar.queries)
    query = Query(language, text)
    return _Loaded(language, query, Query(language, _BROKEN), _patterns(query, text.encode()))


def _patterns(query: Query, source: bytes) -> Patterns:
    numbers = range(query.pattern_count)
    by_role: dict[str, tuple[int, ...]] = {}
    for number in numbers:
        pattern = source[query.start_byte_for_pattern(number) : query.end_byte_for_pattern(number)]
        role = _role(pattern.decode())
        by_role[role] = (*by_role.get(role, ()), number)
    return Patterns(by_role, tuple(query.pattern_settings(number) for number in numbers))


def _role(pattern: str) -> str:
    names: list[str] = _CAPTURE.findall(_REMARK.sub("", pattern))
    return next(name for name in names if name in _ROLES or name.startswith(_DEFINITION))
