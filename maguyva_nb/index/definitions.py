"""From definition captures to symbols: what each is called, spans, belongs to, and shows to others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from maguyva_nb.index.comments import Before, Comments, last_row, trim_doc, unquote
from maguyva_nb.index.grammar import Captures, Matches, Settings
from maguyva_nb.index.languages import ExportStyle, Grammar
from maguyva_nb.index.parsed import ParsedSymbol
from maguyva_nb.index.scopes import Scopes
from maguyva_nb.types import SymbolKind as Kind

MODULE = 0
_TYPES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.ENUM, Kind.TRAIT})
_CALLABLE = frozenset({Kind.FUNCTION, Kind.METHOD})
_VALUES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
# Kinds that own the calls written inside them; the calls of a constant belong to what surrounds it.
_CALLERS = _TYPES | _CALLABLE | {Kind.MODULE, Kind.MACRO}
_UPPER = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")
_TYPE_ARGUMENTS = re.compile(r"<.*>", re.DOTALL)
# Names may be quoted: object keys, Kotlin's backticks.
_NAME_QUOTES = "\"'`"
# A Markdown heading may be closed by hashes.
_CLOSING_HASHES = re.compile(r"\s+#+\Z")
# What separates a header from its body.
_HEADER_END = "{:=; "
# A header is shown on one line; bytes are cut first so that a huge literal is never decoded.
_SIGNATURE_LIMIT = 300
_SIGNATURE_BYTES = 4 * _SIGNATURE_LIMIT


@dataclass(slots=True)
class _Draft:
    """A definition on its way; ``kind`` None is a container that is no symbol itself (a Rust ``impl``)."""

    name: str
    kind: Kind | None
    start: int
    end: int
    before: Before
    name_row: int
    last_row: int
    owner: str
    signature: str
    level: int = 0
    doc: str = ""
    outer: int = -1
    index: int = MODULE
    parent: int = MODULE
    qualified: str = ""
    local: bool = False
    is_test: bool = False
    marked: bool = False
    private: bool = False
    exported: bool = False


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
    drafts = sorted(_drafts(data, matches, comments), key=lambda d: (d.start, -d.end))
    drafts = [draft for draft in drafts if draft.kind is not Kind.SECTION or draft.level]
    _stretch_sections(drafts, len(data), module.end_line)
    for draft in drafts:
        if grammar.upper_constants and draft.kind is Kind.VARIABLE and _UPPER.match(draft.name):
            draft.kind = Kind.CONSTANT
    _nest(drafts)
    inside = Scopes(((d.start, d.end, i) for i, d in enumerate(drafts)), -1)
    docs = _mark_docs(matches, drafts, inside)
    whole_file = _mark_tests(matches, drafts, inside)
    _mark_exports(matches, drafts, inside)
    by_name = _number(drafts)
    _complete(drafts, grammar.exports, by_name)
    doc = docs or comments.opening(min((d.before.doc_row for d in drafts), default=-1))
    first = replace(module, doc=doc, is_test=whole_file)
    symbols = (first, *(_symbol(d, whole_file) for d in drafts if d.kind is not None))
    # The place -1, outside of every draft, finds the module in the last cell.
    owners = (*(d.index for d in drafts), MODULE)
    return Definitions(symbols, by_name, inside, owners, _call_owners(drafts))


def _drafts(data: bytes, matches: Matches, comments: Comments) -> Iterator[_Draft]:
    taken: set[int] = set()
    for kind, captures, settings in matches.definitions():
        name = captures["name"][0]
        # The parser may invent a name without text where one is missing.
        if name.start_byte not in taken and name.end_byte > name.start_byte:
            taken.add(name.start_byte)
            yield _draft(data, comments, Kind(kind), captures[f"definition.{kind}"][0], captures, settings)
    for captures in matches.of("container"):
        yield _draft(data, comments, None, captures["container"][0], captures, {})


def _draft(
    data: bytes, comments: Comments, kind: Kind | None, node: Node, captures: Captures, settings: Settings
) -> _Draft:
    name = (settings.get("prefix") or "") + _name(captures["name"][0])
    owner = _name(captures["owner"][0]) if "owner" in captures else ""
    separator = settings.get("split")
    if separator and "operator" not in name:
        name = _TYPE_ARGUMENTS.sub("", name)
    if separator and separator in name:
        owner, _, name = name.rpartition(separator)
        kind = Kind.METHOD if kind is Kind.FUNCTION else kind
    line = comments.line_of(data, node.start_byte)
    header = comments.header_start(data, node.start_byte)
    if line is not None and header == node.start_byte:
        header = line
    before = _before(data, comments, node, line)
    return _Draft(
        name=name.replace("::", "."),
        kind=kind,
        start=before.start,
        end=node.end_byte,
        before=before,
        name_row=captures["name"][0].start_point.row,
        last_row=last_row(node),
        owner=_TYPE_ARGUMENTS.sub("", owner).replace("::", "."),
        signature=_signature(data, header, _header_end(kind, node, captures), comments, name),
        level=int(settings.get("level") or 0) if line is not None else 0,
    )


def _before(data: bytes, comments: Comments, node: Node, line: int | None) -> Before:
    start, row = node.start_byte, node.start_point.row
    if line is None:
        return Before(row, start, row, "")
    first = row - data.count(b"\n", line, start)
    return comments.before(first, start if first == row else line)


def _header_end(kind: Kind | None, node: Node, captures: Captures) -> int:
    if kind in _VALUES:
        return node.end_byte
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def _signature(data: bytes, start: int, end: int, comments: Comments, name: str) -> str:
    text = _words(comments.without(data, start, min(end, start + _SIGNATURE_BYTES)))
    text = text.removesuffix("=>").rstrip(_HEADER_END)[:_SIGNATURE_LIMIT].rstrip()
    # A C type may be named after its body.
    return text if name in text or not name.isidentifier() else f"{text} {name}"


def _name(node: Node) -> str:
    name = (node.text or b"").decode("utf-8", "replace")
    if name.isidentifier():
        return name
    name = _CLOSING_HASHES.sub("", " ".join(name.split())).lstrip(":")
    quoted = len(name) > 2 and name[0] == name[-1] and name[0] in _NAME_QUOTES and name[0] not in name[1:-1]
    return name[1:-1] if quoted else name


def _words(text: bytes) -> str:
    return " ".join(text.decode("utf-8", "replace").split())


def _nest(drafts: Sequence[_Draft]) -> None:
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


def _stretch_sections(drafts: Sequence[_Draft], size: int, lines: int) -> None:
    """Lets each section last until the next heading of its level or above."""
    open_sections: list[_Draft] = []
    for draft in drafts:
        while draft.level and open_sections and open_sections[-1].level >= draft.level:
            closed = open_sections.pop()
            closed.end, closed.last_row = draft.start, draft.before.row - 1
        if draft.level:
            open_sections.append(draft)
    for draft in open_sections:
        draft.end, draft.last_row = size, lines - 1


def _mark_docs(matches: Matches, drafts: Sequence[_Draft], inside: Scopes) -> str:
    """Gives docstrings to what they document; returns those of the file itself."""
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
                drafts[place].doc = drafts[place].doc or text
    return trim_doc("\n".join(of_file))


def _mark_tests(matches: Matches, drafts: Sequence[_Draft], inside: Scopes) -> bool:
    """Marks tests; returns whether the file as a whole is one."""
    whole_file = False
    for captures in matches.of("test"):
        place = inside.at(captures["test"][0].start_byte)
        if place < 0:
            whole_file = True
        else:
            drafts[place].is_test = True
    return whole_file


def _mark_exports(matches: Matches, drafts: Sequence[_Draft], inside: Scopes) -> None:
    for captures in matches.of("exported"):
        if (place := inside.at(captures["exported"][0].start_byte)) >= 0:
            drafts[place].marked = True
    for captures in matches.of("private"):
        if (place := inside.at(captures["private"][0].start_byte)) >= 0:
            drafts[place].private = True
    names = {_words(node.text or b"") for captures in matches.of("exported.name") for node in captures["exported.name"]}
    for draft in drafts:
        draft.marked = draft.marked or (draft.outer < 0 and draft.name in names)


def _number(drafts: Sequence[_Draft]) -> dict[str, int]:
    """Numbers the symbols in order; local values are none, nor is a value that is assigned again."""
    types: dict[str, int] = {}
    values: dict[str, int] = {}
    seen: set[tuple[int, str]] = set()
    count = MODULE
    for draft in drafts:
        if draft.kind in _VALUES:
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


def _complete(drafts: Sequence[_Draft], exports: ExportStyle, by_name: dict[str, int]) -> None:
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
        draft.qualified = ".".join(part for part in (prefix, draft.owner, draft.name) if part)
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


def _call_owners(drafts: Sequence[_Draft]) -> tuple[int, ...]:
    owners: list[int] = []
    for draft in drafts:
        outer = owners[draft.outer] if draft.outer >= 0 else MODULE
        owners.append(draft.index if draft.kind is None or draft.kind in _CALLERS else outer)
    return (*owners, MODULE)


def _symbol(draft: _Draft, whole_file: bool) -> ParsedSymbol:
    return ParsedSymbol(
        name=draft.name,
        qualified_name=draft.qualified,
        kind=draft.kind or Kind.MODULE,
        parent=draft.parent,
        signature=draft.signature,
        doc=draft.doc or draft.before.doc,
        line=draft.name_row + 1,
        start_line=draft.before.row + 1,
        end_line=draft.last_row + 1,
        doc_start=draft.before.doc_row + 1,
        exported=draft.exported,
        is_test=draft.is_test or whole_file,
    )
