"""Source text as lines of coloured pieces of plain text; no markup is made here or later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES, Token
from pygments.util import ClassNotFound

from maguyva_nb.tokens import STOP_WORDS, identifiers, split_identifier, stem
from maguyva_nb.types import Query

Piece = tuple[str, str, bool]  # css class, text, whether it matches the query
Line = tuple[Piece, ...]

# A shorter word would mark half of every line.
_SHORTEST_WORD = 3
# A word begins after no letter or with a capital, and goes on in small letters: parts of camelCase count.
_WORD_START = r"(?:(?<![^\W\d_])|(?-i:(?=[A-Z])))"
_WORD_REST = r"(?-i:[a-z]*)"
# A browser stalls on lines of megabytes; minified code is not read anyway.
_LONGEST_LINE = 2000


@lru_cache(16)
def coloured_lines(text: str, language: str | None) -> tuple[tuple[tuple[str, str], ...], ...]:
    """``(css class, text)`` pieces of every line; joined by line feeds they are the text again."""
    lines: list[list[tuple[str, str]]] = [[]]
    for _, token, value in _lexer(language).get_tokens_unprocessed(text):
        first, *rest = value.split("\n")
        lines[-1].append((_css(token), first))
        lines.extend([(_css(token), part)] for part in rest)
    return tuple(tuple(piece for piece in line if piece[1]) for line in lines)


def _lexer(language: str | None) -> Lexer:
    try:
        return get_lexer_by_name(language or "text")
    except ClassNotFound:
        return TextLexer()


def _css(token: Any) -> str:
    while token is not Token and token not in STANDARD_TYPES:
        token = token.parent
    return str(STANDARD_TYPES.get(token, ""))


def matcher(query: Query | None) -> re.Pattern[str] | None:
    """What to mark for a query: the literal or regex itself, else words that share a stem with its words."""
    if query is None:
        return None
    flags = re.IGNORECASE if query.ignore_case else 0
    if query.literal:
        return re.compile(re.escape(query.literal), flags)
    if query.regex:
        return _compiled(query.regex, flags)
    names = [w for w in [*query.symbols, *identifiers(query.raw)] if w.lower() not in STOP_WORDS]
    words = {name.lower() for name in names}
    words |= {stem(part) for name in names for part in split_identifier(name) if part not in STOP_WORDS}
    long = sorted((w for w in words if len(w) >= _SHORTEST_WORD), key=lambda w: (-len(w), w))
    if not long:
        return None
    return re.compile(f"{_WORD_START}(?:{'|'.join(map(re.escape, long))}){_WORD_REST}", re.IGNORECASE)


def _compiled(pattern: str, flags: int) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern, flags)
    except re.error:
        return None


def marked_line(pieces: Sequence[tuple[str, str]], pattern: re.Pattern[str] | None) -> Line:
    """The pieces of a line, cut where the pattern matches; a match may cross pieces."""
    text = "".join(value for _, value in pieces)[:_LONGEST_LINE]
    spans = [m.span() for m in pattern.finditer(text) if m.group()] if pattern else []
    return tuple(_cut(pieces, spans, len(text)))


def _cut(pieces: Sequence[tuple[str, str]], spans: Sequence[tuple[int, int]], length: int) -> Iterator[Piece]:
    edges = sorted({edge for span in spans for edge in span})
    start = 0
    for css, value in pieces:
        end = min(start + len(value), length)
        cuts = [start, *(edge for edge in edges if start < edge < end), end]
        for a, b in pairwise(cuts):
            if a < b:
                yield css, value[a - start : b - start].rstrip("\r"), any(s <= a < e for s, e in spans)
        start += len(value)
    if start > length:
        yield "", f" … {start - length} more characters", False
