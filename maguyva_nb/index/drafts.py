"""Definition captures as drafts: names, spans, headers, and what stands before; not yet their place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maguyva_nb.index.comments import Comments
from maguyva_nb.index.grammar import Captures, Matches, Settings
from maguyva_nb.types import SymbolKind as Kind

VALUES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_TYPE_ARGUMENTS = re.compile(r"<.*>", re.DOTALL)
# A Markdown heading may be closed by hashes.
_CLOSING_HASHES = re.compile(r"\s+#+\Z")
# Names may be quoted: object keys, Kotlin's backticks.
_NAME_QUOTES = "\"'`"
# What separates a header from its body.
_HEADER_END = "{:=; "
# A header is shown on one line; bytes are cut first so that a huge literal is never decoded.
_SIGNATURE_LIMIT = 300
_SIGNATURE_BYTES = 4 * _SIGNATURE_LIMIT


@dataclass(slots=True)
class Draft:
    """A definition on its way; ``kind`` None is a container that is no symbol itself (a Rust ``impl``).

    Rows are 0-based. ``level`` is that of a heading. What follows it is filled in once all drafts are known.
    """

    name: str
    kind: Kind | None
    start: int
    end: int
    first_row: int
    name_row: int
    last_row: int
    doc_row: int
    doc: str
    owner: str
    signature: str
    level: int
    outer: int = -1
    index: int = 0
    parent: int = 0
    qualified: str = ""
    local: bool = False
    is_test: bool = False
    marked: bool = False
    private: bool = False
    exported: bool = False


def read_drafts(data: bytes, matches: Matches, comments: Comments) -> list[Draft]:
    """All definitions by start, outer before inner; the first pattern that names a token defines it."""
    drafts = sorted(_drafts(data, matches, comments), key=lambda draft: (draft.start, -draft.end))
    drafts = [draft for draft in drafts if draft.kind is not Kind.SECTION or draft.level]
    _stretch_sections(drafts, data)
    return drafts


def _drafts(data: bytes, matches: Matches, comments: Comments) -> Iterator[Draft]:
    taken: set[int] = set()
    for kind, captures, settings in matches.definitions():
        name = captures["name"][0]
        start = name.start_byte
        # The parser may invent a name without text where one is missing.
        if start not in taken and name.end_byte > start:
            taken.add(start)
            yield _draft(data, comments, Kind(kind), captures[f"definition.{kind}"][0], captures, settings)
    for captures in matches.of("container"):
        yield _draft(data, comments, None, captures["container"][0], captures, {})


def _draft(
    data: bytes, comments: Comments, kind: Kind | None, node: Node, captures: Captures, settings: Settings
) -> Draft:
    kind, owner, name = _names(kind, captures, settings)
    start, row, end_point = node.start_byte, node.start_point.row, node.end_point
    line = comments.line_of(data, start)
    header = comments.header_start(data, start)
    if line is not None and header == start:
        header = line
    before = comments.before(data, line, start, row)
    return Draft(
        name,
        kind,
        before.start,
        node.end_byte,
        before.row,
        captures["name"][0].start_point.row,
        # A node may end with its last line's end, before the next row.
        end_point.row - (end_point.column == 0 and end_point.row > row),
        before.doc_row,
        before.doc,
        owner,
        _signature(data, header, _header_end(kind, node, captures), comments, name),
        int(settings.get("level") or 0) if line is not None else 0,
    )


def _names(kind: Kind | None, captures: Captures, settings: Settings) -> tuple[Kind | None, str, str]:
    """The kind, the owner named with it (``Stock::grow``) and the name of a definition."""
    name = _name(captures["name"][0])
    owner = _name(captures["owner"][0]) if "owner" in captures else ""
    if settings:
        name = (settings.get("prefix") or "") + name
        separator = settings.get("split")
        if separator and "operator" not in name:
            name = _TYPE_ARGUMENTS.sub("", name)
        if separator and separator in name:
            owner, _, name = name.rpartition(separator)
            kind = Kind.METHOD if kind is Kind.FUNCTION else kind
    return kind, _TYPE_ARGUMENTS.sub("", owner).replace("::", ".") if owner else "", name.replace("::", ".")


def _name(node: Node) -> str:
    name = (node.text or b"").decode("utf-8", "replace")
    if name.isidentifier():
        return name
    name = _CLOSING_HASHES.sub("", " ".join(name.split())).lstrip(":")
    quoted = len(name) > 2 and name[0] == name[-1] and name[0] in _NAME_QUOTES and name[0] not in name[1:-1]
    return name[1:-1] if quoted else name


def _header_end(kind: Kind | None, node: Node, captures: Captures) -> int:
    if kind in VALUES:
        return node.end_byte
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def _signature(data: bytes, start: int, end: int, comments: Comments, name: str) -> str:
    text = comments.without(data, start, min(end, start + _SIGNATURE_BYTES)).decode("utf-8", "replace")
    text = " ".join(text.split()).removesuffix("=>").rstrip(_HEADER_END)[:_SIGNATURE_LIMIT].rstrip()
    # A C type may be named after its body.
    return text if name in text or not name.isidentifier() else f"{text} {name}"


def _stretch_sections(drafts: list[Draft], data: bytes) -> None:
    """Lets each section last until the next heading of its level or above."""
    open_sections: list[Draft] = []
    for draft in drafts:
        while draft.level and open_sections and open_sections[-1].level >= draft.level:
            closed = open_sections.pop()
            closed.end, closed.last_row = draft.start, draft.first_row - 1
        if draft.level:
            open_sections.append(draft)
    for draft in open_sections:
        draft.end, draft.last_row = len(data), data.count(b"\n") - data.endswith(b"\n")
