"""Chunks partition the lines of a file and hold one symbol each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import maguyva_nb
from maguyva_nb.config import ChunkSettings, load_settings
from maguyva_nb.index.chunk import Piece, chunk_file
from maguyva_nb.index.parse import parse_source
from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.index.read import split_text
from maguyva_nb.index.split import split_lines

LIMITS = load_settings().chunk
SOURCES = sorted(Path(maguyva_nb.__file__).parent.rglob("*.py"))


def chunk(
    text: str, limits: ChunkSettings = LIMITS, language: str | None = "python", cells: tuple[int, ...] = ()
) -> tuple[Piece, ...]:
    parsed = parse_source("python", text.encode(), "mod")
    if language is None:
        parsed = ParsedFile(None, parsed.symbols[:1])
    pieces = chunk_file(parsed, split_text(text), limits, cells=cells)
    check_partition(pieces, len(split_text(text)))
    return pieces


def check_partition(pieces: tuple[Piece, ...], lines: int) -> None:
    expected = 1
    for piece in pieces:
        assert piece.start == expected
        assert piece.end >= piece.start
        expected = piece.end + 1
    assert expected == lines + 1


def spans(pieces: tuple[Piece, ...]) -> list[tuple[str, str, int, int]]:
    return [(p.kind, p.name, p.start, p.end) for p in pieces]


def body(lines: int, indent: str = "    ") -> str:
    return "".join(f"{indent}x{i} = {i}\n" for i in range(lines))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_own_sources_are_partitioned_within_the_limit(path: Path) -> None:
    pieces = chunk(path.read_text(encoding="utf-8"))
    assert all(p.size <= LIMITS.max_lines for p in pieces)


def test_generated_sources_are_partitioned_within_the_limit() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        text = generated(rng)
        small = ChunkSettings(rng.randrange(4, 20), rng.randrange(3, 12), 4, 9, rng.randrange(3, 12))
        for limits in (LIMITS, small):
            for language in ("python", None):
                pieces = chunk(text, limits, language)
                bound = limits.max_lines if language else limits.line_window
                assert all(
                    p.size <= max(bound, limits.merge_up_to if language else 0, limits.whole_container) for p in pieces
                )


def generated(rng: random.Random) -> str:
    out: list[str] = []
    indent = 0
    for _ in range(rng.randrange(0, 160)):
        kind = rng.choice(
            [
                "blank",
                "blank",
                "stmt",
                "stmt",
                "stmt",
                "comment",
                "def",
                "class",
                "deco",
                "dedent",
                "brackets",
                "broken",
            ]
        )
        pad = "    " * indent
        if kind == "blank":
            out.append(rng.choice(["", "   ", "\x0c"]))
        elif kind in ("def", "class"):
            out += [
                f"{pad}{kind} {'f' if kind == 'def' else 'C'}{rng.randrange(99)}{'()' if kind == 'def' else ''}:",
                f"{pad}    pass",
            ]
            indent = min(indent + 1, 4) if rng.random() < 0.7 else indent
        elif kind == "deco":
            out += [f"{pad}@deco", f"{pad}def g(): pass"]
        elif kind == "dedent":
            indent = max(0, indent - rng.randrange(1, 3))
        elif kind == "brackets":
            out += [f"{pad}t = [", *(f"{pad}    {i}," for i in range(rng.randrange(30))), f"{pad}]"]
        else:
            out.append({"stmt": f"{pad}a = 1", "comment": f"{pad}# why", "broken": f"{pad}def (: ]"}[kind])
    return "\n".join(out) + rng.choice(["", "\n", "\n\n\n"])


def test_each_function_is_a_chunk_with_its_comments_and_the_blank_lines_after_it() -> None:
    text = f"import os\nimport re\nimport sys\n\n\n# Why f.\n@deco\ndef f():\n{body(6)}\n\ndef g():\n{body(6)}"
    assert spans(chunk(text)) == [
        ("module", "mod", 1, 5),
        ("function", "f", 6, 16),
        ("function", "g", 17, 23),
    ]


def test_tiny_neighbours_are_merged_and_named_after_the_first_that_counts() -> None:
    text = "import os\n\nA = 1\nB = 2\n\ndef f(): pass\n\ndef g(): pass\n"
    assert spans(chunk(text)) == [("function", "f", 1, 8)]


def test_substantial_functions_are_never_merged() -> None:
    text = "".join(f"def f{i}():\n{body(6)}\n" for i in range(4))
    assert [p.name for p in chunk(text)] == ["f0", "f1", "f2", "f3"]


def test_a_large_class_is_its_header_and_its_methods() -> None:
    methods = "".join(f"    def m{i}(self):\n{body(8, '        ')}\n" for i in range(3))
    text = f'class C(Base):\n    """Doc."""\n\n    field: int = 1\n    other = 2\n\n{methods}'
    assert spans(chunk(text)) == [
        ("class", "C", 1, 6),
        ("method", "C.m0", 7, 16),
        ("method", "C.m1", 17, 26),
        ("method", "C.m2", 27, 36),
    ]


def test_a_small_class_stays_whole() -> None:
    text = f"class C:\n    def a(self):\n{body(5, '        ')}\n    def b(self):\n{body(5, '        ')}"
    assert spans(chunk(text)) == [("class", "C", 1, 14)]


def test_a_long_function_is_cut_at_statements_into_balanced_parts() -> None:
    calls = "".join(f"    call(\n        {i},\n    )\n" for i in range(40))
    text = f"def long():\n{calls}"
    pieces = chunk(text)
    assert {p.name for p in pieces} == {"long"}
    assert all(split_text(text)[p.start - 1].startswith("    call(") for p in pieces[1:])
    sizes = [p.size for p in pieces]
    assert len(sizes) == 3
    assert max(sizes) - min(sizes) <= 6


def test_a_function_full_of_functions_gives_each_its_chunk() -> None:
    inner = "".join(f"    def in{i}():\n{body(20, '        ')}\n" for i in range(4))
    pieces = chunk(f"def outer():\n{inner}    return in0\n")
    assert [p.name for p in pieces] == ["outer", "outer.in0", "outer.in1", "outer.in2", "outer.in3"]


def test_one_endless_statement_is_cut_hard() -> None:
    text = "x = [\n" + "    1,\n" * 500 + "]\n"
    assert all(p.size <= LIMITS.max_lines for p in chunk(text))


def test_without_a_tree_windows_are_cut_after_blank_lines() -> None:
    lines = ["text"] * 35 + [""] + ["text"] * 30
    assert spans(chunk("\n".join(lines), language=None)) == [("lines", "", 1, 36), ("lines", "", 37, 66)]


def test_no_chunk_crosses_a_cell() -> None:
    text = "import os\nA = 1\nB = 2\ndef f():\n    pass\n# prose\n"
    assert spans(chunk(text, cells=(1, 3, 6))) == [
        ("constant", "A", 1, 2),
        ("function", "f", 3, 5),
        ("cell", "", 6, 6),
    ]


def test_an_empty_file_has_no_chunk() -> None:
    assert chunk("") == ()
    assert spans(chunk("\n\n")) == [("module", "mod", 1, 2)]


def test_parts_are_balanced_whatever_the_length() -> None:
    for size in range(1, 400):
        parts = list(split_lines(["x"] * size, 1, size, 60, list(range(1, size + 1))))
        assert parts[0][0] == 1
        assert parts[-1][1] == size
        assert all(b - a < 60 for a, b in parts)
        assert len(parts) <= -(-size // 60) + 1
