"""Syntax patterns: every match in its language, at its lines, and a word on patterns that cannot match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("ast_grep_py")

from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import MissingExtra, QueryError
from maguyva_nb.query import parse_query
from maguyva_nb.retrieve import syntax
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.types import Intent, Modality, RankedList, SearchTrace, Strategy

FILES = {
    "a.py": "import os\n\n# ñ 🙂\ndef run(x):\n    print(x)\n    print(\n        x,\n    )\n\n\n"
    "class A:\n    def run(self):\n        raise ValueError('no')\n",
    "crlf.py": "def g():\r\n    print(1)\r\n",
    "broken.py": "def h(:\n    pass\n\nprint(2)\n",
    "a.js": "console.log(1);\nfunction run() { console.log(2); }\n",
    "a.ts": "const n: number = 1;\nconsole.log(n);\n",
    "a.tsx": "export const X = () => <div>{print(1)}</div>;\n",
    "a.rs": "fn run() -> u8 {\n    let x = some().unwrap();\n    x\n}\n",
    "a.go": 'package a\n\nfunc run() {\n\tfmt.Println("x")\n\tx := f(fmt.Println("y"))\n}\n',
    "a.c": "int run() {\n    free(p);\n    return size(free(q));\n}\n",
    "a.cpp": "void run() {\n    std::move(x);\n}\n",
    "a.java": "class A {\n    void run() { x.close(); }\n}\n",
    "a.cs": "class A {\n    void Run() { x.Close(); }\n}\n",
    "a.rb": "def run\n  puts(1)\nend\n",
    "a.php": "<?php\nfunction run() { return strlen($x); }\n",
    "a.sh": "echo one\n",
    "a.lua": "function run() print(1) end\n",
    "a.kt": "fun run() { println(1) }\n",
    "a.swift": "func run() { print(1) }\n",
    "a.scala": "object A { def run() = println(1) }\n",
    "many.py": "".join(
        f"def f{i}():\n" + "    value = 1\n" * 8 + "    return compute(value)\n\n\n" for i in range(150)
    ),
    "notes.md": "print(1)\n",
}


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    root: Path = tmp_path_factory.mktemp("polyglot")
    for name, text in FILES.items():
        (root / name).write_bytes(text.encode())
    one = Explorer.open(root, db=tmp_path_factory.mktemp("db") / "index.duckdb")
    yield one
    one.close()


def places(trace: SearchTrace) -> set[tuple[str, int, int]]:
    """Path, first and last line of each match; its first line is in the chunk."""
    one = trace.lists[Modality.STRUCTURAL]
    assert isinstance(one, RankedList), one
    found = set()
    for hit in one.hits:
        card = trace.cards[hit.chunk_id]
        assert all(card.start_line <= first <= card.end_line for first, _ in hit.lines)
        found |= {(card.path, *lines) for lines in hit.lines}
    return found


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("ast[python]: print($X)", {("a.py", 5, 5), ("a.py", 6, 8), ("crlf.py", 2, 2), ("broken.py", 4, 4)}),
        ("ast[py]: def run($$$): $$$BODY", {("a.py", 4, 8), ("a.py", 12, 13)}),
        ("ast[python]: raise $E", {("a.py", 13, 13)}),
        ("ast[javascript]: console.log($X)", {("a.js", 1, 1), ("a.js", 2, 2)}),
        ("ast[typescript]: console.log($X)", {("a.ts", 2, 2)}),
        ("ast[tsx]: <div>$$$</div>", {("a.tsx", 1, 1)}),
        ("ast[rust]: $X.unwrap()", {("a.rs", 2, 2)}),
        ("ast[go]: fmt.Println($X)", {("a.go", 4, 4), ("a.go", 5, 5)}),
        ("ast[c]: free($X)", {("a.c", 2, 2), ("a.c", 3, 3)}),
        ("ast[c++]: std::move($X)", {("a.cpp", 2, 2)}),
        ("ast[java]: $X.close()", {("a.java", 2, 2)}),
        ("ast[csharp]: $X.Close()", {("a.cs", 2, 2)}),
        ("ast[ruby]: puts($X)", {("a.rb", 2, 2)}),
        ("ast[php]: strlen($X)", {("a.php", 2, 2)}),
        ("ast[bash]: echo $X", {("a.sh", 1, 1)}),
        ("ast[lua]: print($X)", {("a.lua", 1, 1)}),
        ("ast[kotlin]: println($X)", {("a.kt", 1, 1)}),
        ("ast[swift]: print($X)", {("a.swift", 1, 1)}),
        ("ast[scala]: println($X)", {("a.scala", 1, 1)}),
    ],
)
def test_a_pattern_finds_every_match_of_its_language(polyglot: Explorer, query: str, where: set) -> None:
    trace = polyglot.search(query)
    assert places(trace) == where
    assert (trace.classification.intent, trace.strategy) == (Intent.FIND_DEFINITION, Strategy.DIRECT)
    assert {trace.cards[hit.chunk_id].path for hit in trace.results} == {path for path, _, _ in where}


def test_without_a_language_every_language_is_asked(polyglot: Explorer) -> None:
    found = {path for path, _, _ in places(polyglot.search("ast: print($X)"))}
    assert found == {"a.py", "crlf.py", "broken.py", "a.tsx", "a.lua", "a.swift"}


def test_the_list_holds_all_matches_however_many(polyglot: Explorer) -> None:
    trace = polyglot.search("ast[python]: return compute($X)")
    assert len(places(trace)) == 150
    assert len(trace.lists[Modality.STRUCTURAL].hits) > 100  # type: ignore[union-attr]


def test_the_words_of_a_pattern_only_save_time(polyglot: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = ["ast[python]: print($X)", "ast[python]: return compute($X)", "ast[js]: function $F() { $$$ }"]
    with_words = [places(polyglot.search(query)) for query in queries]
    monkeypatch.setattr(syntax, "_words", lambda _: ())
    assert [places(polyglot.search(query)) for query in queries] == with_words


def test_the_order_of_matches_is_always_the_same(polyglot: Explorer) -> None:
    one, two = (polyglot.search("ast[python]: $F($X)").lists[Modality.STRUCTURAL] for _ in range(2))
    assert isinstance(one, RankedList)
    assert isinstance(two, RankedList)
    assert one.hits == two.hits


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ast[pyhton]: f($X)", "Did you mean ast.python"),
        ("ast[sql]: f($X)", "no syntax patterns for sql"),
        ("ast[python]: a b", "Multiple AST nodes"),
        ("ast[python]: $$$", "Standalone"),
        ("ast[python]:   ", "no pattern"),
    ],
)
def test_a_query_that_cannot_match_is_refused(polyglot: Explorer, query: str, said: str, capfd) -> None:
    with pytest.raises(QueryError, match=said):
        polyglot.search(query)
    assert "panicked" not in capfd.readouterr().err


def test_a_pattern_that_is_no_code_is_explained(polyglot: Explorer) -> None:
    trace = polyglot.search("ast[python]: ((")
    assert places(trace) == set()
    said = next(w.message for w in trace.warnings if w.type == "no_match")
    assert "syntax error" in said
    fine = polyglot.search("ast[python]: nowhere($X)")
    assert "syntax error" not in next(w.message for w in fine.warnings if w.type == "no_match")


def test_filters_hold_for_patterns(polyglot: Explorer) -> None:
    assert {p for p, _, _ in places(polyglot.search("ast: print($X)", SearchOptions(path="*.lua")))} == {"a.lua"}


def test_out_of_time_is_said_with_the_place(polyglot: Explorer) -> None:
    settings = replace(polyglot.settings, search=replace(polyglot.settings.search, timeout_s=0.0))
    with pytest.raises(QueryError, match=r"stopped after 0 s, at \w+\.py"):
        syntax.syntax_list(Corpus(polyglot.reader, settings), parse_query("ast[python]: $F($X)"))


def test_without_the_package_the_extra_is_named(polyglot: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"maguyva-nb\[ast\]"):
        polyglot.search("ast[python]: print($X)")
