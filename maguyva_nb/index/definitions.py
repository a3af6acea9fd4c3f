"""From definition captures to symbols: what each is called, spans, belongs to, and shows to others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from maguyva_nb.index.comments import Comments, trim_doc, unquote
from maguyva_nb.index.drafts import VALUES, Draft, read_drafts
from maguyva_nb.index.grammar import Matches
from maguyva_nb.index.languages import ExportStyle, Grammar, TestStyle
from maguyva_nb.index.parsed import ParsedSymbol
from maguyva_nb.index.scopes import Scopes
from maguyva_nb.types import SymbolKind as Kind

MODULE = 0
_TYPES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.ENUM, Kind.TRAIT})
_CALLABLE = frozenset({Kind.FUNCTION, Kind.METHOD})
# Kinds that own the calls written inside them; the calls of a constant belong to what surrounds it.
_CALLERS = _TYPES | _CALLABLE | {Kind.MODULE, Kind.MACRO}
# Thousands of functions, each in the one before, would make names of megabytes.
_QUALIFIED_LIMIT = 1000
_UPPER = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Definitions:
    """The symbols of a file, and which of them is around a byte or owns the calls there.

    ``by_name`` finds types and top-level values by name, for what is written outside of them.
    """

    symbols: tuple[ParsedSymbol, ...]
    by_name: dict[str, int]
    _inside: Scopes
    _owners: tuple[int, ...]
    _callers: tuple[int, ...]

    def around(self, offset: int) -> int:
        """The innermost symbol around a byte."""
        return self._owners[self._inside.at(offset)]

    def caller(self, offset: int) -> int:
        """The innermost symbol around a byte that can own a call."""
        return self._callers[self._inside.at(offset)]


def read_definitions(
    data: bytes, matches: Matches, comments: Comments, grammar: Grammar, module: ParsedSymbol
) -> Definitions:
    """Builds all symbols of a file; ``module`` is its first symbol, completed here."""
    drafts = read_drafts(data, matches, comments)
    _nest(drafts)
    inside = Scopes([(d.start, d.end, i) for i, d in enumerate(drafts)], -1)
    docs = _mark_docs(matches, drafts, inside)
    whole_file = _mark_tests(matches, drafts, inside, grammar.tests)
    _mark_exports(matches, drafts, inside)
    by_name = _number(drafts, grammar.upper_constants)
    _complete(drafts, grammar.exports, by_name)
    _break_circles(drafts)
    doc = docs or comments.opening(min((d.doc_row for d in drafts), default=-1))
    first = replace(module, doc=doc, is_test=whole_file)
    symbols = (first, *(_symbol(d, whole_file) for d in drafts if d.kind is not None))
    # The place -1, outside of every draft, finds the module in the last cell.
    owners = (*(d.index for d in drafts), MODULE)
    return Definitions(symbols, by_name, inside, owners, _call_owners(drafts))


def _nest(drafts: Sequence[Draft]) -> None:
    """Sets each draft's ``outer``; names that share one definition (``a, b = 1, 2``) are siblings."""
    stack: list[int] = []
    for i, draft in enumerate(drafts):
        while stack and drafts[stack[-1]].end <= draft.start:
            stack.pop()
        top = stack[-1] if stack else -1
        if top >= 0 and (drafts[top].start, drafts[top].end) == (draft.start, draft.end):
            draft.outer = drafts[top].outer
        else:
            draft.outer = top
            stack.append(i)


def _mark_docs(matches: Matches, drafts: Sequence[Draft], inside: Scopes) -> str:
    """Gives docstrings to what they document, before comments; returns those of the file itself."""
    of_file: list[str] = []
    for role in ("docstring", "doc"):
        for captures in matches.of(role):
            node = captures[role][0]
            text = (node.text or b"").decode("utf-8", "replace")
            text = trim_doc(unquote(text) if role == "docstring" else text)
            place = inside.at(node.start_byte)
            if place < 0:
                of_file.append(text)
            else:
                drafts[place].doc = text or drafts[place].doc
    return trim_doc("\n".join(of_file))


def _mark_tests(matches: Matches, drafts: Sequence[Draft], inside: Scopes, style: TestStyle) -> bool:
    """Marks tests; returns whether the file as a whole is one."""
    whole_file = False
    for captures, settings in matches.with_settings("test"):
        place = inside.at(captures["test"][0].start_byte)
        if place >= 0:
            drafts[place].is_test = True
        elif settings.get("marks") == "file":
            whole_file = True
    if style.functions:
        _mark_named_tests(drafts, re.compile(style.functions), re.compile(style.types))
    return whole_file


def _mark_named_tests(drafts: Sequence[Draft], functions: re.Pattern[str], types: re.Pattern[str]) -> None:
    """Test functions stand alone or make the type around them a test."""
    for draft in drafts:
        if draft.kind in _CALLABLE and functions.match(draft.name):
            if draft.outer < 0:
                draft.is_test = True
            elif types.search(drafts[draft.outer].name) and drafts[draft.outer].kind in _TYPES:
                drafts[draft.outer].is_test = True


def _mark_exports(matches: Matches, drafts: Sequence[Draft], inside: Scopes) -> None:
    for captures in matches.of("exported"):
        if (place := inside.at(captures["exported"][0].start_byte)) >= 0:
            drafts[place].marked = True
    for captures in matches.of("private"):
        if (place := inside.at(captures["private"][0].start_byte)) >= 0:
            drafts[place].private = True
    names = {
        (node.text or b"").decode("utf-8", "replace")
        for captures in matches.of("exported.name")
        for node in captures["exported.name"]
    }
    for draft in drafts:
        draft.marked = draft.marked or (draft.outer < 0 and draft.name in names)


def _number(drafts: Sequence[Draft], upper_constants: bool) -> dict[str, int]:
    """Numbers the symbols in order; local values are none, nor is a value that is assigned again."""
    types: dict[str, int] = {}
    values: dict[str, int] = {}
    seen: set[tuple[int, str]] = set()
    count = MODULE
    for draft in drafts:
        if upper_constants and draft.kind is Kind.VARIABLE and _UPPER.match(draft.name):
            draft.kind = Kind.CONSTANT
        if draft.kind in VALUES:
            local = draft.outer >= 0 and drafts[draft.outer].kind in _CALLABLE
            if local or (draft.outer, draft.name) in seen:
                draft.kind = None
            seen.add((draft.outer, draft.name))
        if draft.kind is not None:
            count += 1
            draft.index = count
            if draft.kind in _TYPES:
                types.setdefault(draft.name, count)
            elif draft.outer < 0 and draft.kind is not Kind.SECTION:
                values.setdefault(draft.name, count)
    return values | types


def _complete(drafts: Sequence[Draft], exports: ExportStyle, by_name: dict[str, int]) -> None:
    """Sets what depends on the surroundings; an outer draft always comes before its inner ones."""
    hidden = re.compile(exports.hidden) if exports.hidden else None
    for draft in drafts:
        outer = drafts[draft.outer] if draft.outer >= 0 else None
        if outer is not None:
            draft.parent = outer.index
            draft.local = outer.local or outer.kind in _CALLABLE
            draft.is_test = draft.is_test or outer.is_test
            if draft.kind is Kind.FUNCTION and (outer.kind is None or outer.kind in _TYPES):
                draft.kind = Kind.METHOD
        prefix = outer.qualified if outer is not None else ""
        draft.qualified = ".".join(part for part in (prefix, draft.owner, draft.name) if part)[-_QUALIFIED_LIMIT:]
        if draft.kind is None:
            draft.index = by_name.get(draft.name, draft.parent)
        elif draft.owner:
            draft.parent = by_name.get(draft.owner, draft.parent)
        shown = (
            draft.marked
            or not exports.marked
            or (outer is not None and outer.exported and outer.kind in exports.members_of)
        )
        draft.exported = shown and not (draft.private or draft.local or (hidden and hidden.match(draft.name)))


def _break_circles(drafts: Sequence[Draft]) -> None:
    """Owners are found by name, and a name can lead back (``A::A`` out of line): such a draft stays where it stands."""
    by_index = {draft.index: draft for draft in drafts if draft.kind is not None}
    for draft in drafts:
        if not draft.owner or draft.kind is None:
            continue
        above, steps = draft.parent, 0
        while above in by_index and above != draft.index and steps <= len(by_index):
            above, steps = by_index[above].parent, steps + 1
        if above in by_index:
            draft.parent = drafts[draft.outer].index if draft.outer >= 0 else MODULE


def _call_owners(drafts: Sequence[Draft]) -> tuple[int, ...]:
    owners: list[int] = []
    for draft in drafts:
        outer = owners[draft.outer] if draft.outer >= 0 else MODULE
        owners.append(draft.index if draft.kind is None or draft.kind in _CALLERS else outer)
    return (*owners, MODULE)


def _symbol(draft: Draft, whole_file: bool) -> ParsedSymbol:
    return ParsedSymbol(
        draft.name,
        draft.qualified,
        draft.kind or Kind.MODULE,
        draft.parent,
        draft.signature,
        draft.doc,
        draft.name_row + 1,
        draft.first_row + 1,
        draft.last_row + 1,
        draft.doc_row + 1,
        draft.exported,
        draft.is_test or whole_file,
    )
