"""One source file to a ``ParsedFile``: pure, without recursion, fit to run in another process."""

from __future__ import annotations

import re

from tree_sitter import Node, Tree

from maguyva_nb.index.comments import read_comments
from maguyva_nb.index.definitions import MODULE, Definitions, read_definitions
from maguyva_nb.index.grammar import Matches, count_errors, find_matches, parse_tree
from maguyva_nb.index.imports import read_imports
from maguyva_nb.index.languages import Grammar
from maguyva_nb.index.languages import language as language_row
from maguyva_nb.index.parsed import ParsedCall, ParsedFile, ParsedInherit, ParsedSymbol
from maguyva_nb.index.preprocessor import readings, without_export_macros
from maguyva_nb.types import SymbolKind

# A receiver is a name or a short chain; a long expression is only recognisable by its start.
_RECEIVER_LIMIT = 120
# Nobody splits a block of so few lines: the border before it is better.
_SMALL_BLOCK = 3
_TYPE_ARGUMENTS = re.compile(r"\s*[<\[(].*", re.DOTALL)


def parse_source(language: str | None, data: bytes, module_name: str) -> ParsedFile:
    """Parses a file's bytes (UTF-8, else decoded with replacements); lines end at line feeds only.

    ``module_name`` names the file's own symbol. A language without a grammar yields that symbol alone.
    """
    row = language_row(language) if language else None
    module = _module(module_name, data)
    if row is None or row.grammar is None:
        return ParsedFile(language, (module,))
    grammar = row.grammar
    # A parser takes a NUL for the end of the file.
    data = data.replace(b"\0", b" ")
    tree, errors = _best_tree(grammar, data)
    matches = find_matches(grammar, tree.root_node)
    comments = read_comments(data, matches, grammar.comments)
    definitions = read_definitions(data, matches, comments, grammar, module)
    return ParsedFile(
        language,
        definitions.symbols,
        _calls(data, matches, definitions),
        read_imports(matches, grammar.imports),
        _inherits(matches, definitions),
        comments.lines,
        _borders(matches, definitions, {lead.last_row for lead in comments.above.values()}),
        errors,
    )


def _best_tree(grammar: Grammar, data: bytes) -> tuple[Tree, int]:
    """The tree with the fewest errors; only what goes through a preprocessor has several readings."""
    data = without_export_macros(data) if grammar.preprocessed else data
    tree = parse_tree(grammar, data)
    errors = count_errors(grammar, tree.root_node)
    if errors and grammar.preprocessed:
        for reading in readings(data):
            other = parse_tree(grammar, reading)
            fewer = count_errors(grammar, other.root_node)
            if fewer < errors:
                tree, errors = other, fewer
    return tree, errors


def _module(name: str, data: bytes) -> ParsedSymbol:
    lines = max(1, data.count(b"\n") + (not data.endswith(b"\n")))
    return ParsedSymbol(name, name, SymbolKind.MODULE, None, "", "", 1, 1, lines, 1, True, False)


def _calls(data: bytes, matches: Matches, definitions: Definitions) -> tuple[ParsedCall, ...]:
    caller_at = definitions.caller
    calls: dict[int, ParsedCall] = {}
    for captures in matches.of("call.name"):
        node = captures["call.name"][0]
        start = node.start_byte
        if start not in calls:
            receiver = _receiver(data, captures["call.receiver"][0]) if "call.receiver" in captures else None
            name = data[start : node.end_byte].decode("utf-8", "replace")
            calls[start] = ParsedCall(caller_at(start), name, receiver, node.start_point.row + 1)
    return tuple(calls[start] for start in sorted(calls))


def _receiver(data: bytes, node: Node) -> str:
    start = node.start_byte
    return _one_line(data[start : min(node.end_byte, start + 4 * _RECEIVER_LIMIT)])


def _one_line(text: bytes) -> str:
    return " ".join(text.decode("utf-8", "replace").split())[:_RECEIVER_LIMIT]


def _inherits(matches: Matches, definitions: Definitions) -> tuple[ParsedInherit, ...]:
    found: list[ParsedInherit] = []
    for captures in matches.of("inherit.base"):
        node = captures["inherit.base"][0]
        base = _TYPE_ARGUMENTS.sub("", _one_line(node.text or b""))
        if "inherit.owner" in captures:
            owner = (captures["inherit.owner"][0].text or b"").decode("utf-8", "replace")
            symbol = definitions.by_name.get(owner, MODULE)
        else:
            symbol = definitions.around(node.start_byte)
        if symbol != MODULE and base:
            found.append(ParsedInherit(symbol, base, node.start_point.row + 1))
    return tuple(sorted(dict.fromkeys(found), key=lambda i: (i.line, i.symbol)))


def _borders(matches: Matches, definitions: Definitions, comment_ends: set[int]) -> tuple[int, ...]:
    """Lines where a statement or member starts, its comments and attributes before it included."""
    lines: set[int] = set()
    for captures in matches.of("block"):
        block = captures["block"][0]
        if block.end_point.row - block.start_point.row >= _SMALL_BLOCK:
            lines.update([child.start_point.row + 1 for child in block.named_children])
    lines -= {row + 2 for row in comment_ends}
    for symbol in definitions.symbols[1:]:
        if symbol.doc_start < symbol.line:
            lines -= set(range(symbol.doc_start + 1, symbol.line + 1))
        lines.add(symbol.doc_start)
    return tuple(sorted(lines))
