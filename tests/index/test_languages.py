"""Which file is in which language."""

from __future__ import annotations

import pytest

from maguyva_nb.index.grammar import find_matches, parse_tree
from maguyva_nb.index.languages import all_languages, language, language_of

PARSED = [row.name for row in all_languages() if row.grammar]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/app.py", "python"),
        ("types/stubs.pyi", "python"),
        ("web/App.JSX", "javascript"),
        ("a.mjs", "javascript"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("lib.rs", "rust"),
        ("a.kt", "kotlin"),
        ("Rakefile", "ruby"),
        ("deep/er/Dockerfile", "dockerfile"),
        ("conf.yml", "yaml"),
        ("windows\\style\\path.go", "go"),
        ("notes.unknown", None),
        ("no_extension", None),
        (".py", None),
        ("we ird\nname 🦊.py", "python"),
        ("-rf.sh", "bash"),
        ("analysis.ipynb", "jupyter"),
    ],
)
def test_a_file_is_known_by_its_name(path: str, name: str | None) -> None:
    assert language_of(path, b"") == name


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"#!/usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/env -S python3.12 -u\n", "python"),
        (b"#! /bin/sh\n", "bash"),
        (b"#!/usr/bin/env node\n", "javascript"),
        (b"#!/opt/tools/unheard-of\n", None),
        (b"plain text", None),
    ],
)
def test_a_script_without_extension_is_known_by_its_shebang(head: bytes, name: str | None) -> None:
    assert language_of("bin/tool", head) == name


def test_the_extension_beats_the_shebang() -> None:
    assert language_of("tool.rb", b"#!/usr/bin/env python3\n") == "ruby"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"#ifndef A_H\n#define A_H\nint f(int x);\n#endif\n", "c"),
        (b"struct point { int class_id; };\n", "c"),
        (b"#pragma once\nnamespace geo { struct P {}; }\n", "cpp"),
        (b"class Shape {\npublic:\n  virtual ~Shape();\n};\n", "cpp"),
        (b"template <typename T> T twice(T x);\n", "cpp"),
        (b"#include <vector>\nvoid f();\n", "cpp"),
    ],
)
def test_a_header_is_c_unless_it_holds_cpp(head: bytes, name: str) -> None:
    assert language_of("include/a.h", head) == name


def test_names_extensions_and_file_names_are_unambiguous() -> None:
    rows = all_languages()
    for column in ("extensions", "filenames", "interpreters"):
        values = [value.lower() for row in rows for value in getattr(row, column)]
        assert len(values) == len(set(values)), column
    assert len({row.name for row in rows}) == len(rows)


@pytest.mark.parametrize("name", PARSED)
def test_every_grammar_loads_with_its_queries_and_an_empty_source(name: str) -> None:
    row = language(name)
    assert row is not None
    assert row.grammar is not None
    matches = find_matches(row.grammar, parse_tree(row.grammar, b"").root_node)
    assert not list(matches.definitions())
