"""Imports: written out as (module, name, alias), also where one statement names many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter

from tree_sitter import Node

from maguyva_nb.index.grammar import Captures, Matches
from maguyva_nb.index.languages import ImportStyle
from maguyva_nb.index.parsed import ParsedImport

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LEAD = re.compile(r"\s*(?:(?:pub(?:\s*\([^)]*\))?|import|use|using|global|static|function|const)\s+)*")
_TOKEN = re.compile(r"[{},]|=>|[^\s{},=]+|=")
_ALIAS_WORDS = frozenset({"as", "=>"})
_STARS = frozenset({"*", "_"})


def read_imports(matches: Matches, style: ImportStyle) -> tuple[ParsedImport, ...]:
    """All imports of a file in order of lines."""
    found = [_simple(captures, settings, style) for captures, settings in matches.with_settings("import.module")]
    for captures in matches.of("import.tree"):
        node = captures["import.tree"][0]
        found += flatten((node.text or b"").decode("utf-8", "replace"), node.start_point.row + 1, style)
    return tuple(sorted(dict.fromkeys(found), key=attrgetter("line")))


def flatten(text: str, line: int, style: ImportStyle) -> Iterator[ParsedImport]:
    """The leaves of an import statement with nested braces, such as ``use a::{b, c::{self, d as e}};``."""
    text = _COMMENT.sub(" ", text)
    tokens = _TOKEN.findall(text[_lead(text) :].rstrip("; \t\r\n"))
    prefixes, path, alias, naming = [""], "", "", False
    for token in (*tokens, ","):
        if token == "{":
            prefixes.append(prefixes[-1] + path)
            path = ""
        elif token in ("}", ","):
            if path:
                yield _leaf(prefixes[-1] + path, alias, line, style)
            path, alias, naming = "", "", False
            if token == "}" and len(prefixes) > 1:
                prefixes.pop()
        elif token in _ALIAS_WORDS:
            naming = True
        elif token == "=":
            path, alias = "", path
        elif naming:
            alias = token
        else:
            path += token


def _simple(captures: Captures, settings: Mapping[str, str | None], style: ImportStyle) -> ParsedImport:
    node = captures["import.module"][0]
    module, level = _module(node, style)
    name = "*" if "import.star" in captures else _part(captures, "import.name") or settings.get("name")
    return ParsedImport(
        (settings.get("prefix") or "") + module, name, _part(captures, "import.alias"), level, node.start_point.row + 1
    )


def _module(node: Node, style: ImportStyle) -> tuple[str, int]:
    text = "".join((node.text or b"").decode("utf-8", "replace").split()).strip("\"'`<>")
    bare = text.lstrip(".") if style.levels else text
    return bare, len(text) - len(bare)


def _part(captures: Captures, name: str) -> str | None:
    nodes = captures.get(name)
    return (nodes[0].text or b"").decode("utf-8", "replace").strip("\"'`") if nodes else None


def _lead(text: str) -> int:
    match = _LEAD.match(text)
    return match.end() if match else 0


def _leaf(path: str, alias: str, line: int, style: ImportStyle) -> ParsedImport:
    path = path.removeprefix(style.separator)
    module, _, name = path.rpartition(style.separator)
    if name == "self" and module:
        return ParsedImport(module, None, alias or None, 0, line)
    if name in _STARS and module:
        return ParsedImport(module, "*", None, 0, line)
    if style.split_last and module:
        return ParsedImport(module, name, alias or None, 0, line)
    return ParsedImport(path, None, alias or None, 0, line)
