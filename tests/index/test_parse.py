"""What is read from a Python source, and what no hostile source may break."""

from __future__ import annotations

import pickle
import threading

import pytest

from maguyva_nb.index.languages import all_languages
from maguyva_nb.index.parse import parse_source
from maguyva_nb.index.parsed import ParsedFile, ParsedImport, ParsedInherit, ParsedSymbol
from maguyva_nb.types import SymbolKind

PARSED = [row.name for row in all_languages() if row.grammar]
SOURCE = b'''#!/usr/bin/env python3
"""Keeps stock."""
from __future__ import annotations
import os.path as osp, json
from .base import Store as Base
from ..util.text import (
    clean,
    fold as _fold,
)
from . import sibling

LIMIT: int = compute(3)
low, high = 1, 2
low = 2
_hidden = None


# Counts things.
# Twice, if asked.
@register("stock", key=lambda: now())
@final
class Stock(Base, Generic[T], metaclass=Meta):
    """One shelf.

    With a second paragraph.
    """

    size: int = 0
    EMPTY = 1

    def __init__(self, name):
        super().__init__(name)
        self.items = []  # by name

    @property
    def total(
        self,
        scale: float = 1.0,  # of one item
    ) -> float:
        def inner(x):
            return clean(x)

        # adds up
        return sum(map(inner, self.items)) * scale

async def load(path): return json.load(open(path))
type Pair = tuple[int, int]
'''


def parse(source: bytes | str, language: str = "python") -> ParsedFile:
    data = source.encode() if isinstance(source, str) else source
    return parse_source(language, data, "shelf")


def named(parsed: ParsedFile, name: str) -> ParsedSymbol:
    return next(symbol for symbol in parsed.symbols if symbol.qualified_name == name)


STOCK = parse(SOURCE)


def test_the_module_symbol_comes_first_and_spans_the_file() -> None:
    module = STOCK.symbols[0]
    assert (module.kind, module.name, module.parent) == (SymbolKind.MODULE, "shelf", None)
    assert (module.start_line, module.end_line) == (1, SOURCE.count(b"\n"))
    assert module.doc == "Keeps stock."


def test_symbols_have_kinds_qualified_names_and_parents() -> None:
    parents = {s.qualified_name: STOCK.symbols[s.parent].name for s in STOCK.symbols[1:] if s.parent is not None}
    assert [(str(s.kind), s.qualified_name) for s in STOCK.symbols[1:]] == [
        ("constant", "LIMIT"),
        ("variable", "low"),
        ("variable", "high"),
        ("variable", "_hidden"),
        ("class", "Stock"),
        ("variable", "Stock.size"),
        ("constant", "Stock.EMPTY"),
        ("method", "Stock.__init__"),
        ("method", "Stock.total"),
        ("function", "Stock.total.inner"),
        ("function", "load"),
        ("type", "Pair"),
    ]
    assert parents["LIMIT"] == "shelf"
    assert parents["Stock.total"] == "Stock"
    assert parents["Stock.total.inner"] == "total"


def test_lines_start_at_decorators_and_docs_at_the_comment_above() -> None:
    stock = named(STOCK, "Stock")
    text = SOURCE.decode().split("\n")
    assert text[stock.doc_start - 1] == "# Counts things."
    assert text[stock.start_line - 1].startswith("@register")
    assert text[stock.line - 1].startswith("class Stock")
    assert text[stock.end_line - 1].strip().startswith("return sum")
    total = named(STOCK, "Stock.total")
    assert text[total.start_line - 1].strip() == "@property"
    assert total.line == total.start_line + 1


def test_signatures_are_one_line_without_body_and_comments() -> None:
    assert named(STOCK, "Stock").signature == "class Stock(Base, Generic[T], metaclass=Meta)"
    assert named(STOCK, "Stock.total").signature == "def total( self, scale: float = 1.0, ) -> float"
    assert named(STOCK, "load").signature == "async def load(path)"
    assert named(STOCK, "LIMIT").signature == "LIMIT: int = compute(3)"


def test_documentation_is_the_docstring_or_else_the_comment_above() -> None:
    assert named(STOCK, "Stock").doc == "One shelf.\n\nWith a second paragraph."
    plain = parse("# Adds one.\ndef up(x):\n    return x + 1\n\n# apart\n\ndef down(x): ...\n")
    assert named(plain, "up").doc == "Adds one."
    assert named(plain, "down").doc == ""
    quoted = parse('def f():\n    \'it\'\'s short\'\n\ndef g():\n    r"""Don\'t."""\n')
    assert named(quoted, "g").doc == "Don't."


def test_a_long_docstring_and_a_long_header_are_cut() -> None:
    parsed = parse(f'def f({", ".join(f"argument_{i}" for i in range(400))}):\n    """{"word " * 1000}"""\n')
    assert len(named(parsed, "f").doc) <= 600
    assert len(named(parsed, "f").signature) <= 300


def test_calls_belong_to_the_innermost_function_or_class() -> None:
    calls = {(STOCK.symbols[c.caller].qualified_name, c.receiver, c.name) for c in STOCK.calls}
    assert calls == {
        ("shelf", None, "compute"),
        ("Stock", None, "register"),
        ("Stock", None, "now"),
        ("Stock", None, "final"),
        ("Stock.__init__", None, "super"),
        ("Stock.__init__", "super()", "__init__"),
        ("Stock.total", None, "property"),
        ("Stock.total.inner", None, "clean"),
        ("Stock.total", None, "sum"),
        ("Stock.total", None, "map"),
        ("load", "json", "load"),
        ("load", None, "open"),
    }
    assert [c.line for c in STOCK.calls] == sorted(c.line for c in STOCK.calls)


def test_a_receiver_is_one_short_line() -> None:
    call = parse("x = (a\n    .first( 1 )\n    .second(2)\n)\n" + "y = " + "z" * 500 + ".run()\n").calls
    assert [(c.receiver or "")[:20] for c in call[:2]] == ["a", "a .first( 1 )"]
    assert len(call[2].receiver or "") <= 120


def test_imports_keep_module_name_alias_and_level() -> None:
    assert set(STOCK.imports) == {
        ParsedImport("__future__", "annotations", None, 0, 3),
        ParsedImport("os.path", None, "osp", 0, 4),
        ParsedImport("json", None, None, 0, 4),
        ParsedImport("base", "Store", "Base", 1, 5),
        ParsedImport("util.text", "clean", None, 2, 6),
        ParsedImport("util.text", "fold", "_fold", 2, 6),
        ParsedImport("", "sibling", None, 1, 10),
    }
    assert parse("from a import *").imports == (ParsedImport("a", "*", None, 0, 1),)


def test_bases_lose_their_type_arguments_and_keywords_are_none() -> None:
    stock = STOCK.symbols.index(named(STOCK, "Stock"))
    assert [i for i in STOCK.inherits if i.symbol == stock] == [
        ParsedInherit(stock, "Base", named(STOCK, "Stock").line),
        ParsedInherit(stock, "Generic", named(STOCK, "Stock").line),
    ]


def test_exported_follows_the_underscore_and_local_functions_are_not() -> None:
    shown = {s.qualified_name for s in STOCK.symbols if s.exported}
    assert {"Stock", "Stock.__init__", "load", "LIMIT"} <= shown
    assert not {"_hidden", "Stock.total.inner"} & shown


def test_comment_lines_hold_every_comment_and_docstring_without_markers() -> None:
    assert [text for _, text in STOCK.comment_lines] == [
        "/usr/bin/env python3",
        "Keeps stock.",
        "Counts things.",
        "Twice, if asked.",
        "One shelf.",
        "With a second paragraph.",
        "by name",
        "of one item",
        "adds up",
    ]
    lines = SOURCE.decode().split("\n")
    assert all(text in lines[line - 1] for line, text in STOCK.comment_lines)


def test_borders_are_statement_starts_and_never_part_a_comment_from_its_code() -> None:
    lines = SOURCE.decode().split("\n")
    starts = [lines[border - 1].strip() for border in STOCK.borders]
    assert "# Counts things." in starts
    assert "# adds up" in starts
    assert not {"class Stock(Base, Generic[T], metaclass=Meta):", "# Twice, if asked.", "@final"} & set(starts)
    assert not any(start.startswith("return sum") for start in starts)


TESTS = """
import pytest
def test_adds(): helper()
def helper(): ...
@pytest.fixture(scope="module")
def shelf(): ...
class TestStock:
    def test_total(self):
        def check(): ...
    def setup_method(self): ...
class StockCase(unittest.TestCase):
    def testTotal(self): ...
class TestClient:
    def get(self): ...
class Connection:
    def test_connection(self): ...
"""


def test_tests_are_found_in_the_syntax_tree() -> None:
    tests = {s.qualified_name for s in parse(TESTS).symbols if s.is_test}
    assert tests == {
        "test_adds",
        "shelf",
        "TestStock",
        "TestStock.test_total",
        "TestStock.test_total.check",
        "TestStock.setup_method",
        "StockCase",
        "StockCase.testTotal",
    }


def test_python_2_and_broken_sources_yield_what_parses() -> None:
    parsed = parse(
        "def old(x):\n    print 'x', x\n    exec 'y'\n\ndef broken(:\n    pass\n\ndef fine():\n    return old(1)\n"
    )
    assert parsed.errors > 0
    assert {"old", "fine"} <= {s.name for s in parsed.symbols}
    assert "old" in {c.name for c in parsed.calls}
    assert STOCK.errors == 0


@pytest.mark.parametrize("language", PARSED)
def test_no_source_breaks_a_parser(language: str) -> None:
    deep = b"(" * 5000 + b"1" + b")" * 5000
    hostile = (
        b"",
        b"\n",
        b"\xef\xbb\xbf",
        b"\x00\x00\x00",
        b"\xff\xfe\x00(\n",
        b"\r",
        b"x" * 100_000,
        deep,
        b"x = " + deep + b";\n",
        b"[" * 5000,
        b"{" * 5000,
        b"f(" * 5000,
        b"if x {" * 2000,
        b"def f(:\n\tclass (((\n\x0c\x0b\x1a",
        bytes(range(256)) * 20,
    )
    for data in hostile:
        parsed = parse(data, language)
        last = max(1, data.count(b"\n") + (not data.endswith(b"\n")))
        assert parsed.symbols[0].end_line == last
        for symbol in parsed.symbols:
            assert 1 <= symbol.doc_start <= symbol.start_line <= symbol.line <= symbol.end_line <= last
        assert all(1 <= border <= last for border in parsed.borders)


def test_nested_definitions_do_not_recurse() -> None:
    depth = 90
    source = "".join(f"{' ' * i}def f{i}():\n" for i in range(depth)) + " " * depth + "pass\n"
    assert parse(source).symbols[-1].qualified_name == ".".join(f"f{i}" for i in range(depth))


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("javascript", "a()" + ".b()" * 50_000),
        ("javascript", "function a(){" * 50_000 + "}" * 50_000),
        ("c", "#if A\n" * 20_000 + "int x;\n" + "#endif\n" * 20_000 + "}"),
        ("rust", "use a::{" * 20_000 + "b" + "}" * 20_000 + ";"),
        ("javascript", "/* c */ function a(){ b() };" * 5_000),
    ],
    ids=["calls", "functions", "conditionals", "imports", "one line"],
)
def test_sources_of_absurd_depth_or_width_are_read_in_bounded_time(language: str, source: str) -> None:
    parsed = parse(source, language)
    assert sum(len(symbol.qualified_name) for symbol in parsed.symbols) < 1100 * len(parsed.symbols)


def test_lines_end_at_line_feeds_only() -> None:
    separators = "\u2028 \u2029 \x85 \x0c \x0b \x1c"
    parsed = parse(f'a = "{separators}"\n\x0c\ndef f():\r\n    """One.\r\n    Two."""\r\n    return 1\r\n')
    assert named(parsed, "f").line == 3
    assert named(parsed, "f").doc == "One.\nTwo."
    assert named(parsed, "f").signature == "def f()"
    lone = parse(b"x = 1\ry = 2\ndef g(): pass\n")
    assert named(lone, "g").line == 2
    assert lone.symbols[0].end_line == 2


def test_a_byte_order_mark_and_wide_characters_do_not_shift_lines_or_names() -> None:
    parsed = parse(b"\xef\xbb\xbf" + 'ñandú = "🦊"\ndef größe(): return ñandú.fuß()\n'.encode())
    assert [s.name for s in parsed.symbols[1:]] == ["ñandú", "größe"]
    assert (parsed.calls[0].receiver, parsed.calls[0].name) == ("ñandú", "fuß")


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    parsed = parse(b'def f():\n    "caf\xe9"\n    return g()\n')
    assert named(parsed, "f").doc == "caf\ufffd"
    assert [c.name for c in parsed.calls] == ["g"]


def test_nul_bytes_do_not_hide_what_follows() -> None:
    names = {s.name for s in parse(b'def f(): pass\nx = "\x00"\ndef g(): pass\n').symbols}
    assert {"f", "g"} <= names


def test_a_language_without_grammar_has_its_module_alone() -> None:
    parsed = parse(b"a: 1\nb: 2\n", "yaml")
    assert (parsed.language, len(parsed.symbols), parsed.symbols[0].end_line) == ("yaml", 1, 2)
    assert parse_source(None, b"?", "x").language is None


def test_results_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(STOCK)) == STOCK


def test_threads_parse_at_once_and_alike() -> None:
    results: list[ParsedFile] = []
    threads = [threading.Thread(target=lambda: results.append(parse(SOURCE))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [STOCK] * 8


@pytest.mark.parametrize(
    ("language", "source", "tests"),
    [
        ("rust", "#[cfg(test)]\nmod elsewhere;\npub fn real() {}\n", set()),
        ("rust", "pub fn real() {}\n#[cfg(test)]\nmod tests {\n    fn check() {}\n}\n", {"tests", "check"}),
        ("rust", "#![cfg(test)]\nfn check() {}\n", {"m", "check"}),
        ("javascript", 'describe("x", () => {})\nfunction helper() {}\n', {"m", "helper"}),
    ],
)
def test_a_mark_on_a_declaration_does_not_make_the_whole_file_a_test(
    language: str, source: str, tests: set[str]
) -> None:
    parsed = parse_source(language, source.encode(), "m")
    assert {symbol.name for symbol in parsed.symbols if symbol.is_test} == tests


@pytest.mark.parametrize(
    "source",
    [
        "template <typename T> facet<T>::facet(int x) : y(x) {}\n",
        "class A::B { void f() {} };\nclass B::A { void g() {} };\n",
        "int A::B() { return 1; }\nint B::A() { return 1; }\n",
    ],
)
def test_a_name_that_leads_back_to_itself_makes_no_circle_of_parents(source: str) -> None:
    symbols = parse_source("cpp", source.encode(), "m").symbols
    for number in range(len(symbols)):
        chain = [number]
        while (parent := symbols[chain[-1]].parent) is not None:
            assert parent not in chain
            chain.append(parent)
        assert chain[-1] == 0
