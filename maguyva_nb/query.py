r"""The query grammar, parsed once.

- ``"literal"``: the whole query, byte for byte. “ ” and « » count as quotes. Only ``\"`` is an escape, and only
  between straight quotes; the last quote of the query always closes, so ``"C:\"`` is ``C:\``.
- ``/regex/``: the whole query, on one line, as ``grep -P`` reads it. Comments (``// …``, ``/* … */``) are not a
  regex, nor are paths: several segments of path characters (``/usr/local/bin/``, ``/users/{id}/``). One segment is a
  regex (``/tmp/``); write ``\/`` for a slash in a regex that would pass for a path.
- ``ast[LANG]: PATTERN``: the whole query; the language is lower-cased, not checked. ``ast: PATTERN``, in lower case
  and with a space after the colon, is for every language of the index.
- A name in backticks, anywhere in words. Spaces around it and the ``()`` of a call are left out; what cannot be a
  name (it has spaces, or starts with a slash) is no symbol.

Anything else is words. ``spans`` are code points ``[start, end)`` of the raw query: of the inside of a form,
else of each symbol, so that ``raw[start:end]`` is the symbol.
"""

from __future__ import annotations

import re
from dataclasses import replace

from maguyva_nb.errors import QueryError
from maguyva_nb.pattern import PatternError, compile_pattern
from maguyva_nb.types import Query, Span

QUOTES = {'"': '"', "“": "”", "«": "»"}
_INVISIBLE = "\ufeff\u200b"  # pasted along with text, never meant
_OPEN_QUOTE = re.compile(r'(?<!\\)"')
_PATH_INSIDE = re.compile(r"[\w.~@%+:{}<>/-]*")
_AST = re.compile(r"ast\[\s*+([a-z][\w+#-]*+)?+\s*+\]\s*+:(.*)", re.IGNORECASE | re.DOTALL)
_AST_ANY = re.compile(r"ast:\s++(.+)", re.DOTALL)
# The look-behind lets a run of backticks be tried once only: time stays linear on nothing but backticks.
_MARKED = re.compile(r"(?<!`)`++([^`\n]++)`")
_NAME = re.compile(r"(?:[^\W\d]|[$@#~])[^\s`(]*+")


def parse_query(text: str, *, ignore_case: bool = False, max_length: int = 10_000) -> Query:
    """Parses a query; raises ``QueryError`` for an empty, over-long or malformed one."""
    start, end = _visible(text)
    if start == end:
        raise QueryError("The query is empty.", next="Type a question, a name, or a quoted text.")
    if len(text) > max_length:
        raise QueryError(
            f"The query has {len(text):,} characters, the limit is {max_length:,}.",
            next="Shorten it, or raise max_query under [search].",
        )
    words = Query(raw=text, ignore_case=ignore_case)
    span = (start, end)
    return _literal(words, span) or _regex(words, span) or _ast(words, span) or _symbols(words)


def _visible(text: str) -> Span:
    """Where the text without the white space around it lies."""
    start, end = 0, len(text)
    while start < end and (text[start].isspace() or text[start] in _INVISIBLE):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in _INVISIBLE):
        end -= 1
    return start, end


def _literal(words: Query, span: Span) -> Query | None:
    text, (start, end) = words.raw, span
    close = QUOTES.get(text[start])
    if close is None or end - start < 2 or text[end - 1] != close:
        return None
    inside = text[start + 1 : end - 1]
    if not inside:
        raise QueryError("The quoted text is empty.", next="Put the text to find between the quotes.")
    if _OPEN_QUOTE.search(inside) if close == '"' else close in inside:
        return None
    literal = inside.replace('\\"', '"') if close == '"' else inside
    return replace(words, literal=literal, spans=((start + 1, end - 1),))


def _regex(words: Query, span: Span) -> Query | None:
    text, (start, end) = words.raw, span
    inside = text[start + 1 : end - 1]
    if text[start] != "/" or text[end - 1] != "/" or not inside or "\n" in inside or _path_or_comment(inside):
        return None
    try:
        compile_pattern(inside)
    except PatternError as error:
        where = "" if error.position is None else f" at position {start + 1 + error.position} of the query"
        raise QueryError(
            f"The regular expression is invalid{where}: {error}.",
            next='Correct it, or put the text in "quotes" to search for it as it is.',
        ) from error
    return replace(words, regex=inside, spans=((start + 1, end - 1),))


def _path_or_comment(inside: str) -> bool:
    is_path = "/" in inside and _PATH_INSIDE.fullmatch(inside) is not None
    is_comment = inside[0] == "/" or (len(inside) > 1 and inside[0] == inside[-1] == "*")
    return is_path or is_comment


def _ast(words: Query, span: Span) -> Query | None:
    match = _AST.match(words.raw, *span)
    if match is None:
        return _ast_any(words, span)
    language, pattern = match[1], match[2].strip()
    if not language or not pattern:
        lacks = "pattern" if language else "language"
        raise QueryError(f"The ast query has no {lacks}.", next="Write it as ast[python]: print($X)")
    at = words.raw.index(pattern, match.start(2))
    return replace(words, ast=pattern, ast_language=language.lower(), spans=((at, at + len(pattern)),))


def _ast_any(words: Query, span: Span) -> Query | None:
    match = _AST_ANY.match(words.raw, *span)
    return match and replace(words, ast=match[1], spans=(match.span(1),))


def _symbols(words: Query) -> Query:
    spans = []
    for match in _MARKED.finditer(words.raw):
        inside = match[1].strip()
        name = _NAME.match(inside)
        if name and (name.end() == len(inside) or (inside[name.end()] == "(" and inside.endswith(")"))):
            at = match.start(1) + match[1].index(inside)
            spans.append((at, at + name.end()))
    return replace(words, symbols=tuple(words.raw[a:b] for a, b in spans), spans=tuple(spans))
