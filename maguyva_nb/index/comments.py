"""Comments, docstrings and attributes: their text without markers, and what stands before a definition."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tree_sitter import Node

from maguyva_nb.index.grammar import Matches
from maguyva_nb.types import Span

_OPENING_QUOTE = re.compile(r"[A-Za-z]*(\"{3}|'{3}|[\"'])")
# A file's first comment is its documentation unless it is about rights or is for a tool.
_BOILERPLATE = re.compile(r"copyright|licen[sc]e|spdx|all rights reserved|coding[:=]|eslint|@ts-", re.IGNORECASE)
_SPACE = re.compile(rb"\s*")
# Nothing this far right begins its line; lines of megabytes are not searched for each definition.
_MARGIN = 500
# What may stand on a line before a definition that begins there: ``export const``, ``template``.
_LINE_LEAD = re.compile(rb"[ \t\f]*(?:[a-z]+[ \t]+)*\Z")
# Some grammars put the line's end into the comment.
_LINE_REST = re.compile(rb"(?<=\n)|[ \t\r\f]*(?:\n|\Z)")
# Enough for a summary and its parameters; the whole text is in the chunk.
_DOC_LIMIT = 600


@dataclass(frozen=True, slots=True)
class Lead:
    """A comment (``text``) or an attribute (None) that stands alone on its lines; rows are 0-based."""

    first_row: int
    last_row: int
    start: int
    text: str | None


class Before(NamedTuple):
    """What directly precedes a definition: the row and byte its attributes begin at, and its comments."""

    row: int
    start: int
    doc_row: int
    doc: str


@dataclass(frozen=True, slots=True)
class Comments:
    """All comments and attributes of a file; ``above`` is keyed by last row, ``below`` by first row."""

    lines: tuple[tuple[int, str], ...]
    above: Mapping[int, Lead]
    below: Mapping[int, Lead]
    attribute_ends: Mapping[int, int]
    attribute_starts: Mapping[int, int]
    spans: tuple[Span, ...]
    opening_row: int

    def before(self, data: bytes, line: int | None, start: int, row: int) -> Before:
        """Walks up from a definition over attributes and comments without a blank line between.

        ``line`` is what ``line_of`` says of its ``start``, which is in ``row``.
        """
        if line is None:
            return Before(row, start, row, "")
        first = row - data.count(b"\n", line, start)
        begin = start if first == row else line
        row = first
        if row - 1 not in self.above:
            return Before(first, begin, row, "")
        docs: list[str] = []
        while (lead := self.above.get(row - 1)) is not None:
            if lead.text is None:
                first, begin = lead.first_row, lead.start
            else:
                docs.append(lead.text)
            row = lead.first_row
        return Before(first, begin, row, trim_doc("\n".join(reversed(docs))))

    def line_of(self, data: bytes, start: int) -> int | None:
        """The first byte of the line that a definition begins, or None where code precedes it."""
        return _line_of(data, start, self.attribute_starts)

    def header_start(self, data: bytes, start: int) -> int:
        """Where a definition's own words start, after attributes that it begins with."""
        while (end := self.attribute_ends.get(start)) is not None:
            space = _SPACE.match(data, end)
            start = space.end() if space else end
        return start

    def without(self, data: bytes, start: int, end: int) -> bytes:
        """The bytes between two offsets, comments left out."""
        place, text = bisect_left(self.spans, (start, start)), b""
        while place < len(self.spans) and self.spans[place][0] < end:
            text += data[start : self.spans[place][0]]
            start = self.spans[place][1]
            place += 1
        return text + data[start:end]

    def opening(self, first_doc_row: int) -> str:
        """The comment that opens a file, unless a definition has it or it is a legal notice."""
        row, texts = self.opening_row, list[str]()
        while row != first_doc_row and (lead := self.below.get(row)) is not None and lead.text is not None:
            texts.append(lead.text)
            row = lead.last_row + 1
        text = "\n".join(texts)
        return "" if _BOILERPLATE.search(text) else trim_doc(text)


def read_comments(data: bytes, matches: Matches, markers: str) -> Comments:
    """Collects a file's comments, docstrings and attributes."""
    strip = re.compile(markers, re.MULTILINE).sub
    nodes = [captures["comment"][0] for captures in matches.of("comment")]
    leads: list[Lead] = []
    lines: list[tuple[int, str]] = []
    for node in nodes:
        text = strip("", _text(node))
        lines += _lines(node.start_point.row, text)
        if _stands_alone(data, node):
            leads.append(Lead(node.start_point.row, _last_row(node), node.start_byte, text.strip()))
    for captures in matches.of("docstring"):
        node = captures["docstring"][0]
        lines += _lines(node.start_point.row, unquote(_text(node)))
    attributes = [captures["attribute"][0] for captures in matches.of("attribute")]
    starts = {node.end_byte: node.start_byte for node in attributes}
    leads += (lead for node in attributes if (lead := _attribute_lead(data, node, starts)))
    return Comments(
        lines=tuple(sorted(lines, key=lambda line: line[0])),
        above={lead.last_row: lead for lead in leads},
        below={lead.first_row: lead for lead in leads},
        attribute_ends={node.start_byte: node.end_byte for node in attributes},
        attribute_starts=starts,
        spans=tuple(sorted((node.start_byte, node.end_byte) for node in nodes)),
        opening_row=int(data.startswith(b"#!")),
    )


def _last_row(node: Node) -> int:
    """A node may end with its last line's end, before the next row."""
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


def unquote(text: str) -> str:
    """A string literal without prefix and quotes."""
    opening = _OPENING_QUOTE.match(text)
    return text[opening.end() :].removesuffix(opening[1]) if opening else text


def trim_doc(text: str) -> str:
    """Documentation as stored: lines stripped, blank ends cut, capped."""
    if not text:
        return ""
    return "\n".join(line.strip() for line in text.strip().splitlines())[:_DOC_LIMIT].rstrip()


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _lines(row: int, text: str) -> Iterator[tuple[int, str]]:
    """The lines with text of a comment that begins at a row; lines end at line feeds only."""
    return ((row + i, line) for i, part in enumerate(text.split("\n"), 1) if (line := part.strip()))


def _stands_alone(data: bytes, node: Node) -> bool:
    start = node.start_byte
    column = node.start_point.column
    if column > _MARGIN:
        return False
    return not data[start - column : start].strip() and _LINE_REST.match(data, node.end_byte) is not None


def _attribute_lead(data: bytes, node: Node, starts: Mapping[int, int]) -> Lead | None:
    """An attribute as what precedes a definition, unless the definition begins on its last line."""
    line = _line_of(data, node.start_byte, starts)
    if line is None or not _LINE_REST.match(data, node.end_byte):
        return None
    row = node.start_point.row - data.count(b"\n", line, node.start_byte)
    return Lead(row, _last_row(node), line, None)


def _line_of(data: bytes, start: int, attribute_starts: Mapping[int, int]) -> int | None:
    while True:
        line = data.rfind(b"\n", max(0, start - _MARGIN), start) + 1
        if line == 0 and start > _MARGIN:
            return None
        if _LINE_LEAD.match(data, line, start):
            return line
        before = attribute_starts.get(line + len(data[line:start].rstrip()))
        if before is None:
            return None
        start = before
