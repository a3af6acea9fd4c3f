"""Other readings of C sources, for a parser that does not run the preprocessor; no byte or line moves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

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
class _Conditional:
    """An open ``#if``: its directive lines so far, the text of its branches, whether one is not whole."""

    lines: list[_Span]
    branches: list[list[_Span]] = field(default_factory=lambda: [[]])


def without_export_macros(data: bytes) -> bytes:
    """The source without the macro between ``class`` and its name."""
    return _blank_spans(data, (match.span() for match in _EXPORTED.finditer(data)))


def readings(data: bytes) -> Iterator[bytes]:
    """The source without the later branches of conditionals that cut a statement, then without macros."""
    whole = _blank_spans(data, _cutting(data))
    yield whole
    yield _blank_spans(whole, _macros(whole))


def _cutting(data: bytes) -> Iterator[_Span]:
    """What to blank of the conditionals with a branch that is no sequence of whole statements."""
    stack: list[_Conditional] = []
    position = 0
    for directive in _DIRECTIVE.finditer(data):
        if stack:
            stack[-1].branches[-1].append((position, directive.start()))
        position = directive.end()
        if directive[1] in _OPENING:
            stack.append(_Conditional([directive.span()]))
        elif stack and directive[1] in _BRANCHING:
            stack[-1].lines.append(directive.span())
            stack[-1].branches.append([])
        elif stack and directive[1] == b"endif":
            closed = stack.pop()
            closed.lines.append(directive.span())
            if not all(_is_whole(data, branch) for branch in closed.branches):
                yield from closed.lines
                yield from (span for branch in closed.branches[1:] for span in branch)
            if stack:
                stack[-1].branches[-1] += closed.branches[0]


def _macros(data: bytes) -> Iterator[_Span]:
    directives = [directive.span() for directive in _DIRECTIVE.finditer(data)]
    for macro in _MACRO.finditer(data):
        place = bisect_right(directives, macro.span()) - 1
        if place < 0 or directives[place][1] <= macro.start():
            yield macro.span()


def _is_whole(data: bytes, branch: list[_Span]) -> bool:
    text = _COMMENT.sub(b"", b"".join(data[start:end] for start, end in branch)).strip()
    return text.count(b"{") == text.count(b"}") and (not text or text[-1:] in b";}")


def _blank_spans(data: bytes, spans: Iterator[_Span]) -> bytes:
    parts: list[bytes] = []
    position = 0
    for start, end in sorted(spans):
        if end > position:
            begin = max(start, position)
            parts += (data[position:begin], _TEXT.sub(b" ", data[begin:end]))
            position = end
    return b"".join((*parts, data[position:]))
