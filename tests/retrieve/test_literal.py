"""Literals against ``grep -F``, regular expressions against ``grep -P``, on a tree made to be hard."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import QueryError
from maguyva_nb.query import parse_query
from maguyva_nb.retrieve.regexes import regex_list
from maguyva_nb.types import Modality, RankedList, SearchTrace
from maguyva_nb.wire import search_json

Line = tuple[str, int]
FILES = {
    "plain.py": 'def greet(name):\n    """Says "hi"."""\n    return f"{name}" + \'\\n\'  \n\n\nclass Kiosk:\n  pass\n',
    "crlf.py": "import os\r\n\r\ndef on_windows():\r\n    return os.name == 'nt'\r\n",
    "bom.js": "\ufeffconst greet = () => 'hi';\nexport default greet;",
    "odd ends.txt": "one\rtwo\u2028three\x0cfour\x0bfive\x85six\nlast line without an end",
    "-dash.md": '# Greet\n\nC:\\temp\\new \\" a\\\\b\n\ttabbed\t\n',
    "naïve 🙂/ñandú.rb": "# El ñandú corrió\ndef año; 'ÑANDÚ'; end\n",
    "cases.txt": "Kelvin K\nſtraße STRASSE\nİstanbul ıstanbul istanbul ISTANBUL\nΣίσυφος ΣΊΣΥΦΟΣ\nﬀ ff Ångström\n",
    "marks.txt": "a.b a+b (a|b) [x] {1,2} ^$ \\d+ *?\n.*\n$^\n",
    "long.min.js": "var a=1;" * 3000 + "needle_in_min();" + "b();" * 500,
    "late_nul.txt": "x" * 9000 + "\n\0 after nul greet\n",
    "empty.py": "",
    "blank.txt": "\n\n  \n",
    **{f"many/m{i}.py": f"def f{i}():\n    greet({i})\n" * 30 for i in range(4)},
}
LITERALS = (
    *(
        "greet",
        "def greet",
        "hi",
        "h",
        "e",
        "=",
        "  ",
        "\t",
        '"',
        "'",
        "\\",
        "\\n",
        '\\"',
        "\\\\",
        '"hi"',
        "a.b",
        ".*",
        "$^",
    ),
    *(
        "[x]",
        "{1,2}",
        "(a|b)",
        "\\d+",
        "^",
        "?",
        "+ ",
        "'  ",
        "name)",
        "ñ",
        "ñandú",
        "Ñ",
        "🙂",
        "ß",
        "straße",
        "stra",
        "kelvin",
    ),
    *(
        "kiosk",
        "k",
        "K",
        "s",
        "i",
        "İ",
        "ı",
        "istanbul",
        "σ",
        "ς",
        "ΣΊΣΥΦΟΣ",
        "ff",
        "å",
        "Å",
        "two",
        "three",
        "four",
        "last line",
    ),
    *("without an end", "needle_in_min", "after nul", "os.name == 'nt'", "no such text", "import os", "f1", "):"),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


@pytest.fixture(scope="module")
def hostile(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    one = Explorer.open(tree, db=tmp_path_factory.mktemp("db") / "index.duckdb")
    yield one
    one.close()


def grep(tree: Path, pattern: str, *flags: str) -> set[Line]:
    command = ["grep", "-rna", "--null", *(flags or ["-F"]), "-e", pattern, "."]
    out = subprocess.run(command, cwd=tree, env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, check=False)
    assert out.returncode < 2, out.stderr
    rows = (row.partition(b"\0") for row in out.stdout.split(b"\n")[:-1])
    return {(os.fsdecode(path)[2:], int(rest.partition(b":")[0])) for path, _, rest in rows}


def searched(explorer: Explorer, query: str, **options: object) -> tuple[SearchTrace, RankedList]:
    trace = explorer.search(query, SearchOptions(modality=Modality.TEXT, **options))  # type: ignore[arg-type]
    one = trace.lists[Modality.TEXT]
    assert isinstance(one, RankedList), one
    return trace, one


def matching(explorer: Explorer, query: str, **options: object) -> set[Line]:
    """The lines called matching, each of which its chunk holds."""
    trace, one = searched(explorer, query, **options)
    found = set()
    for hit in one.hits:
        card = trace.cards[hit.chunk_id]
        lines = {line for first, last in hit.lines for line in range(first, last + 1)}
        assert lines <= set(range(card.start_line, card.end_line + 1))
        found |= {(card.path, line) for line in lines}
    return found


def quoted(literal: str) -> str:
    return '"' + literal.replace('"', '\\"') + '"'


needs_grep = pytest.mark.skipif(shutil.which("grep") is None, reason="needs grep")


@needs_grep
@pytest.mark.parametrize("literal", LITERALS)
def test_a_literal_finds_the_lines_of_grep_and_no_other(hostile: Explorer, tree: Path, literal: str) -> None:
    assert matching(hostile, quoted(literal)) == grep(tree, literal)


# Letters that Unicode folds into one, and grep does not.
MORE_THAN_GREP = {
    "k": ("K", "k"),
    "K": ("K", "k"),
    "kelvin": ("K", "k"),
    "å": ("Å",),
    "Å": ("Å",),
}


@needs_grep
@pytest.mark.parametrize("literal", LITERALS)
def test_without_case_a_literal_finds_every_line_of_grep(hostile: Explorer, tree: Path, literal: str) -> None:
    found, truth = matching(hostile, quoted(literal), ignore_case=True), grep(tree, literal, "-Fi")
    assert truth <= found
    others = MORE_THAN_GREP.get(literal, ())
    for path, line in found - truth:
        assert any(other in FILES[path].split("\n")[line - 1] for other in others), (path, line)


def test_the_kelvin_sign_is_found_past_the_trigrams(hostile: Explorer) -> None:
    assert ("cases.txt", 1) in matching(hostile, '"kelvin k"', ignore_case=True)


def test_a_literal_of_several_lines_is_found_across_chunks(hostile: Explorer) -> None:
    query = '"  pass\n"'
    assert matching(hostile, query) == {("plain.py", 7)}
    end_of_one = "return os.name == 'nt'"
    assert matching(hostile, f'"os\n\ndef on_windows():\n    {end_of_one}"') == {("crlf.py", i) for i in range(1, 5)}
    body = "    greet(1)\ndef f1():\n    greet(1)"
    trace, one = searched(hostile, f'"{body}"')
    lines = matching(hostile, f'"{body}"')
    assert len(one.hits) > 1
    assert lines == {("many/m1.py", line) for line in range(2, 61)}
    assert {trace.cards[hit.chunk_id].path for hit in one.hits} == {"many/m1.py"}


def test_literals_keep_to_the_filters(hostile: Explorer) -> None:
    assert {path for path, _ in matching(hostile, '"greet"', path="many/")} == {f"many/m{i}.py" for i in range(4)}
    assert {path for path, _ in matching(hostile, '"e"', lang="javascript")} == {"bom.js", "long.min.js"}
    assert {path for path, _ in matching(hostile, '"pass\n"', path="!plain.py")} == set()


PATTERNS = (
    *(
        r"def \w+\(",
        r"^\s*greet",
        r"greet\(\d\)$",
        r"^$",
        r"\s+$",
        r"[^\x00-\x7f\x{feff}]",
        r"^\W",
        r"(\w)\1",
        r"a|e|i",
        r"x*",
        r"(?i)GREET",
    ),
    *(
        r"(?<!\w)f\d",
        r"greet(?!\s*\()",
        r"\(\s*\)",
        r"h\Ki",
        r"[^a]b",
        r"\D\D\d",
        r"\\d",
        r"\$\^",
        r"\.\*",
        r"a++b|c",
    ),
    *(
        r"\bK",
        r"(?>gre+)t",
        r"^.{200,}$",
        r"\t",
        r"[[:digit:]]{1,2}\)",
        r"\Qa.b\E",
        r"=[^=]*;",
        r"(?s)one.*six",
        r"no match at all",
    ),
)


def can_perl() -> bool:
    return subprocess.run(["grep", "-qP", "a"], input=b"a", capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("grep") is None or not can_perl(), reason="needs grep -P")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_regex_finds_the_lines_of_grep_and_no_other(hostile: Explorer, tree: Path, pattern: str) -> None:
    """But for files with CR at line ends, where ``$`` of grep stands after the CR."""
    found = {(path, line) for path, line in matching(hostile, f"/{pattern}/") if path != "crlf.py"}
    assert found == {(path, line) for path, line in grep(tree, pattern, "-P") if path != "crlf.py"}


def test_a_line_ends_before_its_cr(hostile: Explorer) -> None:
    assert ("crlf.py", 1) in matching(hostile, "/^import os$/")


@pytest.mark.parametrize("pattern", [r"pass\s+def", r"f\d\(\):\s+greet", r"hi[^x]+class", r"(?s)def.*greet.*def"])
def test_no_regex_matches_over_a_line_end(hostile: Explorer, pattern: str) -> None:
    assert matching(hostile, f"/{pattern}/") == set()


def test_a_regex_without_end_is_stopped_and_named(tree: Path, hostile: Explorer) -> None:
    settings = replace(hostile.settings, search=replace(hostile.settings.search, timeout_s=0.5))
    (tree / "slow.txt").write_text("a" * 60 + "!\n")
    own = Explorer.open(tree, db=tree.parent / "slow.duckdb", settings=settings)
    (tree / "slow.txt").unlink()
    with pytest.raises(QueryError, match=r"stopped after 0\.4 s, in slow\.txt:1"):
        regex_list(own._corpus, parse_query("/^(a|a|b?a)+$/"))
    trace = own.search("/^(a|a|b?a)+$/")
    own.close()
    assert {"modality_failed", "fallback"} <= {w.type for w in trace.warnings}
    assert own.runs[Modality.TEXT] == 1, "what failed is not tried again"


def test_the_excerpt_shows_what_a_regex_matched(hostile: Explorer) -> None:
    got = search_json(hostile.search("/needle_[a-z]+/"), hostile, top=1)
    assert "needle_in_min" in got["results"][0]["text"]
    assert got["lists"]["text"][0]["lines"] == [[1, 1]]
