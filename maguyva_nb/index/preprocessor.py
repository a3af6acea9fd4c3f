"""Other readings of C sources, for a parser that does not run the preprocessor; no byte or line moves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|\w+)\b(?:\\\r?\n|[^\n])*", re.MULTILINE)
_OPENING = (b"if", b"ifdef", b"ifndef")
_BRANCHING = (b"elif", b"else")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A word in capitals before another word is a macro that stands for an attribute, or for nothing.
# One with arguments after a parameter list is an annotation.
_MACRO = re.compile(
    rb"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b(?=\s+[A-Za-z_~])"
    rb"|(?:(?<=\))|(?<=\bconst)|(?<=\bnoexcept))\s+[A-Z][A-Z0-9_]*\s*\([^(){};]*\)(?=\s*[{;])"
)
# ``class LIB_EXPORT Name {`` parses without error, as a function.
_EXPORTED = re.compile(
    rb"(?:(?<=\bclass)|(?<=\bstruct))\s+[A-Z][A-Z0-9]*_[A-Z0-9_]*(?=\s+[A-Za-z_][\w:]*\s*(?:final\s*)?[{:])"
)
_TEXT = re.compile(rb"[^\r\n]")
_Span = tuple[int, int]


@dataclass(slots=True)
class _Branch:
    """The text between two directives of a conditional: its span, open braces, and last character."""

    start: int
    end: int = 0
    braces: int = 0
    last: bytes = b""

    def add(self, text: bytes) -> None:
        """Counts the text between two directives."""
        text = _COMMENT.sub(b"", text).strip()
        self.braces += text.count(b"{") - text.count(b"}")
        self.last = text[-1:] or self.last

    @property
    def is_whole(self) -> bool:
        """Whether it is a sequence of whole statements."""
        return self.braces == 0 and self.last in (b"", b";", b"}")


@dataclass(slots=True)
class _Conditional:
    """An open ``#if``: its directive lines and branches so far."""

    lines: list[_Span]
    branches: list[_Branch]


def without_export_macros(data: bytes) -> bytes:
    """The source without the macro between ``class`` and its name."""
    return _blank_spans(data, (match.span() for match in _EXPORTED.finditer(data)))


def readings(data: bytes) -> Iterator[bytes]:
    """The source without the later branches of conditionals that cut a statement, then without macros."""
    whole = _blank_spans(data, _cutting(data))
    plain = _blank_spans(whole, _macros(whole))
    yield from (reading for reading, before in ((whole, data), (plain, whole)) if reading != before)


def _cutting(data: bytes) -> Iterator[_Span]:
    """What to blank of the conditionals with a branch that is no sequence of whole statements."""
    stack: list[_Conditional] = []
    position = 0
    for directive in _DIRECTIVE.finditer(data):
        if stack:
            stack[-1].branches[-1].add(data[position : directive.start()])
        position = directive.end()
        if directive[1] in _OPENING:
            stack.append(_Conditional([directive.span()], [_Branch(position)]))
        elif stack and directive[1] in _BRANCHING:
            stack[-1].lines.append(directive.span())
            stack[-1].branches[-1].end = directive.start()
            stack[-1].branches.append(_Branch(position))
        elif stack and directive[1] == b"endif":
            closed = stack.pop()
            closed.lines.append(directive.span())
            closed.branches[-1].end = directive.start()
            yield from _cut_lines(closed)
            if stack:
                around, first = stack[-1].branches[-1], closed.branches[0]
                around.braces += first.braces
                around.last = first.last or around.last


def _cut_lines(conditional: _Conditional) -> Iterator[_Span]:
    if not all(branch.is_whole for branch in conditional.branches):
        yield from conditional.lines
        yield from ((branch.start, branch.end) for branch in conditional.branches[1:])


def _macros(data: bytes) -> Iterator[_Span]:
    directives = [directive.span() for directive in _DIRECTIVE.finditer(data)]
    for macro in _MACRO.finditer(data):
        place = bisect_right(directives, macro.span()) - 1
        if place < 0 or directives[place][1] <= macro.start():
            yield macro.span()


def _blank_spans(data: bytes, spans: Iterator[_Span]) -> bytes:
    parts: list[bytes] = []
    position = 0
    for start, end in sorted(spans):
        if end > position:
            begin = max(start, position)
            parts += (data[position:begin], _TEXT.sub(b" ", data[begin:end]))
            position = end
    return b"".join((*parts, data[position:]))
