"""The text before a call's last dot, taken apart."""

from __future__ import annotations

import re
from functools import lru_cache

_LITERAL = re.compile(r"(?:[rbuf]{0,2}[\"'`]|\d|[\[{]|/[^/])", re.I)
_PART = re.compile(r"[$@]?[A-Za-z_][\w$]*[!?]?(?:\(\))?")
_SEPARATOR = re.compile(r"\s*(?:\?\.|!\.|\.|::|->|\\)\s*")


@lru_cache(100_000)
def split_chain(text: str) -> tuple[str, ...]:
    """``a.b(x).c`` -> ``("a", "b()", "c")``; empty for anything but names and calls."""
    bare = _empty_calls(text.strip().removeprefix("await ").removeprefix("new "))
    parts = tuple(_SEPARATOR.split(bare)) if bare else ()
    return parts if all(_PART.fullmatch(part) for part in parts) else ()


def is_literal(text: str) -> bool:
    """Whether a receiver is a string, number, list or the like: a value of the language's own types."""
    return bool(_LITERAL.match(text))


def _empty_calls(text: str) -> str:
    """The text with what is inside of parentheses left out; "" when they do not match."""
    out: list[str] = []
    depth = 0
    for char in text:
        if char == "(":
            depth += 1
            if depth == 1:
                out.append("()")
        elif char == ")":
            depth -= 1
        elif depth == 0:
            out.append(char)
    return "".join(out) if depth == 0 else ""
