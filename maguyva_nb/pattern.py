r"""Regular expressions of queries: read as ``grep -P`` reads them, and what a line must hold to match.

The ``regex`` package runs them. Where it differs, the pattern is translated: a brace that is no quantifier is a brace
(``={i}`` would allow insertions), and ``\Q..\E``, ``\x{..}``, ``\k<name>``, ``\g{1}`` and ``\H`` are as they are there.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import regex

_TOKEN = re.compile(
    r"""\\Q.*?(?:\\E|\Z)                                  # quoted text
    |\\[pPN]\{[^{}]*\}|\\x\{[0-9A-Fa-f]+\}|\\x[0-9A-Fa-f]{0,2}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}
    |\\[kg](?:<\w+>|\{\w+\}|'\w+')|\\g\d+|\\[pP]\w|\\\d+|\\.
    |\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]              # a set
    |\{(?:\d+(?:,\d*)?|,\d+)\}                            # a quantifier
    |\(\?(?:[:>|]|P?<\w+>|<?[=!]|[A-Za-z-]+[:)]|\#[^)]*\))?|\(\*?
    |.""",
    re.VERBOSE | re.DOTALL,
)
_CODE_POINT = re.compile(r"(?<!\\)((?:\\\\)*+)\\x\{([0-9A-Fa-f]+)\}")
_NAMED = re.compile(r"\\[kg](?:<(\w+)>|\{(\w+)\}|'(\w+)'|(\d+))")
_FLAGS = re.compile(r"\(\?([imsuLa-]+)[:)]")
_GROUP = re.compile(r"\((?:\?(?::|>|P?<\w+>))?")
_PLAIN_GROUP = re.compile(r"\((?:\?(?::|>|\||P?<\w+>|<?[=!]|#[^)]*\)))?")
_LOOK = re.compile(r"\(\?<?[=!]")
# Escapes without an argument: one character, a place, or a sequence that is no plain text.
_CLASSES = frozenset("dDwWsSbBhHvVNAZzGKRX")
# Classes that a line end is in, written without it; what else may hold one is kept from it by a look ahead.
_LINE_BOUND = {r"\s": r"[^\S\n]", r"\W": r"[^\w\n]", r"\D": r"[^\d\n]", r"\H": r"[^\h\n]"}
_MAY_HOLD_LINE_END = re.compile(r"\\(?:[vVpP]|[xuU][0-9A-Fa-f{])", re.DOTALL)
# Escapes that tell a line from the text around it, or whose meaning is not sure.
_LINE_BREAKING = re.compile(r"\\(?:[AZzGRXBn0]|\d\d)")
_PLAIN_SET = re.compile(r"\[(?:\\[wdS]|\\[^\w\s]|\[(?!:)|[^\\\[\x00-\x1f])*\]")
_COUNTS = re.compile(r"(?<=[{,])\d+(?=[,}])")
# The limit of PCRE for one repetition, and one for a repetition inside another.
MAX_COUNT = 65_535
MAX_NESTED = 300_000
# Alternatives beyond this many are no filter any more.
MAX_BRANCHES = 24

Branches = tuple[frozenset[str], ...]
_NOTHING: Branches = (frozenset(),)


class PatternError(ValueError):
    """A pattern that cannot be compiled; ``position`` is where, in code points of the pattern."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a line that matches must hold: all texts of one of the ``branches``; none when there is no telling."""

    branches: Branches = ()
    ignore_case: bool = False


def compile_pattern(text: str, *, ignore_case: bool = False) -> regex.Pattern[str]:
    """The pattern for one line; raises ``PatternError``."""
    tokens = _TOKEN.findall(text)
    _check_counts(tokens)
    translated = list(map(_translated, tokens))
    try:
        return regex.compile("".join(translated), regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise _explained(tokens, translated, error) from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise PatternError("it is too large") from error


def _check_counts(tokens: Sequence[str]) -> None:
    """Refuses repetition that would take the memory of the machine before a single line is read."""
    counts = sorted((int(n) for token in tokens for n in _COUNTS.findall(token)), reverse=True)
    if counts and (counts[0] > MAX_COUNT or (len(counts) > 1 and counts[0] * counts[1] > MAX_NESTED)):
        raise PatternError(f"it repeats too often; the limit is {MAX_COUNT} times")


def compile_line_bound(text: str, *, ignore_case: bool = False) -> regex.Pattern[str] | None:
    """A pattern that finds in a text of many lines what it finds first in each by itself; None where that is not sure.

    Nothing in it can match a line end, so a line end is to it what the end of a line's text is. Each match goes on to
    the start of the next line; its last group, an empty one, stands where the match proper ends.
    """
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    try:
        inside = "".join(map(_line_bound, _TOKEN.findall(text)))
        return regex.compile(rf"(?:{inside})()[^\n]*+\n?+", flags)
    except (_Unsure, regex.error, RecursionError, OverflowError):
        return None


def requirements(text: str) -> Requirements:
    """What every match must hold, read off the pattern; nothing where it has forms that are not sure."""
    reader = _Reader(text)
    try:
        branches = reader.alternatives()
        if reader.peek():
            return Requirements(ignore_case=True)
    except (_Unsure, RecursionError):
        return Requirements(ignore_case=True)
    return Requirements(branches if all(branches) else (), reader.ignore_case)


def _translated(token: str) -> str:
    if token == "{":
        return r"\{"
    if token.startswith(r"\Q"):
        return re.escape(token[2:].removesuffix(r"\E"))
    if token.startswith((r"\x{", "[")):
        return _CODE_POINT.sub(_by_code, token)
    if token == r"\H":
        return r"[^\h]"
    if token.startswith("(?<") and token.endswith(">"):
        return f"(?P{token[2:]}"
    named = _NAMED.fullmatch(token)
    return f"(?P={next(filter(None, named.groups()))})" if named else token


def _by_code(match: re.Match[str]) -> str:
    code = int(match[2], 16)
    return f"{match[1]}\\U{code:08x}" if code <= sys.maxunicode else match[0]


def _line_bound(token: str) -> str:
    """A token that matches no line end."""
    if token in _LINE_BOUND:
        return _LINE_BOUND[token]
    flags = _FLAGS.fullmatch(token)
    if _LINE_BREAKING.match(token) or (token[0] == "(" and not flags and not _PLAIN_GROUP.fullmatch(token)):
        raise _Unsure
    if flags:
        if "-" in flags[1]:
            raise _Unsure
        kept = flags[1].replace("s", "")
        return f"(?{kept}{token[-1]}" if kept or token[-1] == ":" else ""
    if token.startswith("[^"):
        rest = token[2:]
        return _translated(r"[^\n" + (rest.replace("]", r"\]", 1) if rest[0] == "]" else rest))
    if _MAY_HOLD_LINE_END.match(token) or (len(token) > 1 and token[0] == "[" and not _PLAIN_SET.fullmatch(token)):
        return rf"(?:(?!\n){_translated(token)})"
    return _translated(token)


def _explained(tokens: list[str], translated: list[str], error: regex.error) -> PatternError:
    """What is wrong and where in the pattern as typed; the standard library points closer, where it agrees."""
    message, place = error.msg, error.pos
    with warnings.catch_warnings():  # a "possible nested set" is the user's choice, not ours to report
        warnings.simplefilter("ignore", FutureWarning)
        try:
            re.compile("".join(translated))
        except re.error as other:
            if other.msg.startswith(message):
                message, place = other.msg, other.pos
        except (RecursionError, OverflowError):
            return PatternError("it is too large")
    return PatternError(message, _as_typed(tokens, translated, place or 0))


def _as_typed(tokens: list[str], translated: list[str], place: int) -> int:
    """Where the token stands that a place in the translated pattern is in."""
    start = reached = 0
    for token, written in zip(tokens, translated, strict=True):
        reached += len(written)
        if reached > place:
            break
        start += len(token)
    return start


class _Unsure(Exception):
    """The pattern has a form whose needs are not worked out."""


class _Reader:
    """Reads needs off a pattern, token by token."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._at = 0
        self.ignore_case = False

    def peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def alternatives(self) -> Branches:
        found = list(self._sequence())
        while self.peek() == "|":
            self._at += 1
            found.extend(self._sequence())
        return tuple(found) if len(found) <= MAX_BRANCHES else _NOTHING

    def _sequence(self) -> Branches:
        need, run = _NOTHING, ""
        while self.peek() not in ("", "|", ")"):
            char, inside = self._item()
            least, once = self._repeats()
            if char and least:
                run += char
            if not char or not once:
                need, run = _both(need, _text(run)), ""
            if not char and least:
                need = _both(need, inside)
        return _both(need, _text(run))

    def _item(self) -> tuple[str, Branches]:
        """A literal character (or quoted text of one), or else what the next item needs."""
        token = self._tokens[self._at]
        self._at += 1
        if token[0] == "\\":
            return self._escape(token)
        if token[0] == "(":
            return "", self._group(token)
        if token[0] == "[" and len(token) > 1:
            return "", _NOTHING
        if token in ".^$":
            return "", _NOTHING
        if token in "*+?" or (token[0] == "{" and len(token) > 1):
            raise _Unsure
        return token, _NOTHING

    def _escape(self, token: str) -> tuple[str, Branches]:
        kind = token[1:2]
        if token.startswith(r"\Q"):
            return "", _text(token[2:].removesuffix(r"\E"))
        if len(token) == 2 and kind == "t":
            return "\t", _NOTHING
        if len(token) == 2 and not kind.isalnum():
            return kind, _NOTHING
        if not (kind in _CLASSES or kind in "pPxuU" or kind.isdigit()):
            raise _Unsure
        return "", _NOTHING

    def _group(self, token: str) -> Branches:
        flags = _FLAGS.fullmatch(token)
        if flags:
            self.ignore_case |= "i" in flags[1]
            return self._closed() if token[-1] == ":" else _NOTHING
        if token.startswith("(?#"):
            return _NOTHING
        if _LOOK.fullmatch(token):
            self._closed()
            return _NOTHING
        if not _GROUP.fullmatch(token):
            raise _Unsure
        return self._closed()

    def _closed(self) -> Branches:
        inside = self.alternatives()
        if self.peek() != ")":
            raise _Unsure
        self._at += 1
        return inside

    def _repeats(self) -> tuple[int, bool]:
        """``(least times, exactly once)`` of the item before."""
        token = self.peek()
        if token not in ("*", "+", "?") and not (token[:1] == "{" and len(token) > 1):
            return 1, True
        self._at += 1
        if self.peek() in ("?", "+"):  # lazy or possessive
            self._at += 1
        least = token[1:-1].partition(",")[0] if token[0] == "{" else "1" if token == "+" else "0"
        return int(least or 0), False


def _text(text: str) -> Branches:
    return (frozenset((text,)),) if text else _NOTHING


def _both(one: Branches, other: Branches) -> Branches:
    """Every pair of branches, or the more telling side where that is too many."""
    if len(one) * len(other) > MAX_BRANCHES:
        return max(one, other, key=_telling)
    return tuple(a | b for a in one for b in other)


def _telling(branches: Branches) -> int:
    """The length of the longest text in the branch that asks least."""
    return min(max(map(len, branch), default=0) for branch in branches)
