"""What a single word of a query looks like: a name in code, a piece of literal text, or prose."""

from __future__ import annotations

import re
from enum import StrEnum

from maguyva_nb.intent.cues import Cues


class Shape(StrEnum):
    """What a token is; every shape but ``WORD`` can be a target."""

    WORD = "word"
    NAME = "name"
    MARK = "mark"
    QUOTE = "quote"
    LITERAL = "literal"


_IDENTIFIER = re.compile(r"[$@]?[^\W\d]\w*[!?]?")
_CHAIN = re.compile(r"[$@~]?[^\W\d]\w*(?:(?:\.|::|->|#|\\)[^\W\d]\w*)+[!?]?")
_CAMEL = re.compile(r"[^\W\d_A-Z]\d*[A-Z]|[A-Z]{2}[a-z]{2}")  # parseConfig, HTTPServer; not APIs
_HEX = re.compile(r"0[xX][0-9a-fA-F]+|#[0-9a-fA-F]{6}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+|(?=[a-f]*\d)[0-9a-f]{7,40}")
_FLAG = re.compile(r"--[a-zA-Z][\w-]*+(?:=\S*+)?|-[a-zA-Z]|-[A-Z]\w+")
_CODE = re.compile(r"ERR_\w+|[A-Z]{1,8}-?\d{3,6}")  # ERR_MODULE_NOT_FOUND, E0308, TS2345, ORA-00942
_PATH = re.compile(r"(?:~|\.{1,2})?/(?=\W*\w)[\w.@~:{}<>*+/-]++|[a-z]++://\S+|[A-Z]:\\\S*|[\w.@-]++/[\w.@/*-]*")
_SUFFIX = re.compile(
    r"[\w./-]*\w\.(?:py|pyi|js|jsx|mjs|ts|tsx|rs|go|java|kt|rb|php|cs|cpp|cc|hpp|swift|scala|lua|sh|sql|html|css|scss"
    r"|json|toml|ya?ml|xml|md|rst|txt|ini|cfg|lock|ipynb|csv|env|log|proto|vue|gradle)"
)


def shape_of(word: str, folded: str, cues: Cues, *, call: bool = False) -> tuple[Shape, str]:
    """The shape of a word and its style (``camel``, ``snake``, ``dotted``, ``call``, ``path``, ...)."""
    if folded in cues.words["errno"]:
        return Shape.LITERAL, "code"
    if folded in cues.words["marker"] and word.isupper():
        return Shape.LITERAL, "marker"
    if call and _IDENTIFIER.fullmatch(word):
        return Shape.NAME, "call"
    style = _literal_style(word)
    if style:
        return Shape.LITERAL, style
    style = _name_style(word)
    return (Shape.NAME, style) if style else (Shape.WORD, "")


def _literal_style(word: str) -> str:
    if _FLAG.fullmatch(word):
        return "flag"
    if _HEX.fullmatch(word):
        return "hex"
    if _CODE.fullmatch(word):
        return "diagnostic"
    return "path" if _is_path(word) else ""


def _is_path(word: str) -> bool:
    if _SUFFIX.fullmatch(word):
        return True
    # One slash between plain words is prose ("read/write"); a path starts with one or has more.
    return bool(_PATH.fullmatch(word)) and (not word[0].isalnum() or "://" in word or word.count("/") > 1)


def _name_style(word: str) -> str:
    if _CHAIN.fullmatch(word):
        return "dotted" if max(map(len, re.split(r"\W+", word))) > 1 else ""
    if not _IDENTIFIER.fullmatch(word):
        return ""
    if word[0] in "$@":
        return "sigil"
    if "_" in word.strip("_") or (word[0] == "_" and len(word) > 1):
        return "snake"
    return "camel" if _CAMEL.search(word) else ""
