"""The query grammar: what is a form, what stays words, and where things lie in the raw query."""

from __future__ import annotations

import pytest

from maguyva_nb.errors import QueryError
from maguyva_nb.query import parse_query
from maguyva_nb.types import Query


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ('"connection reset"', "connection reset"),
        ('  "connection reset"\n', "connection reset"),
        ("“connection reset”", "connection reset"),
        ("«conexión»", "conexión"),
        ('" padded "', " padded "),
        (r'"say \"hi\""', 'say "hi"'),
        (r'"a\nb\\c"', r"a\nb\\c"),
        (r'"C:\dir\"', "C:\\dir\\"),
        (r"“say \"hi\"”", r"say \"hi\""),
        ('"two\nlines"', "two\nlines"),
        ('"`x`"', "`x`"),
    ],
)
def test_a_query_that_is_only_a_quotation_is_a_literal_byte_for_byte(text: str, literal: str) -> None:
    query = parse_query(text)
    assert query.literal == literal
    assert query.words == literal
    assert (query.regex, query.ast, query.symbols) == (None, None, ())


@pytest.mark.parametrize("text", ['"a" and "b"', 'find "a"', '"open', '"', '"""', "'it'", "don't", '"a”', "«a» b"])
def test_a_quotation_inside_words_leaves_the_query_words(text: str) -> None:
    assert parse_query(text) == Query(raw=text)


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("/foo.*bar/", "foo.*bar"),
        (r" /^def \w+/ ", r"^def \w+"),
        (r"/api\/v1/", r"api\/v1"),
        ("/https?://x/", "https?://x"),
        ("/tmp/", "tmp"),
        ("/[[a]/", "[[a]"),
        ("/(?i)todo/", "(?i)todo"),
        ("/={i}/", "={i}"),
        (r"/\p{Lu}\Kx/", r"\p{Lu}\Kx"),
    ],
)
def test_a_query_between_slashes_is_a_regex(text: str, regex: str) -> None:
    assert parse_query(text).regex == regex


@pytest.mark.parametrize(
    "text",
    [
        "/usr/local/bin/",
        "/photos/getallphotos",
        "/users/{id}/",
        "/users/<int:pk>/",
        "/",
        "//",
        "///",
        "// why /",
        "/* note */",
        "/**/",
        "src/app/",
        "/a.*b",
        "/x\ny/",
    ],
)
def test_paths_and_comments_are_not_regexes(text: str) -> None:
    assert parse_query(text) == Query(raw=text)


def test_an_ast_form_gives_its_language_and_pattern() -> None:
    query = parse_query("  AST[TypeScript] : console.log($X)  ")
    assert (query.ast, query.ast_language) == ("console.log($X)", "typescript")
    assert [query.raw[a:b] for a, b in query.spans] == ["console.log($X)"]


def test_an_ast_form_without_a_language_is_for_all() -> None:
    query = parse_query(" ast:  print($X) ")
    assert (query.ast, query.ast_language) == ("print($X)", None)
    assert [query.raw[a:b] for a, b in query.spans] == ["print($X)"]


@pytest.mark.parametrize("text", ["ast::Node", "ast:parse", "AST: how is it built", "ast:", "the ast: print"])
def test_other_words_with_ast_are_words(text: str) -> None:
    assert parse_query(text) == Query(raw=text)


def test_an_ast_pattern_keeps_its_lines() -> None:
    assert parse_query("ast[c++]: if ($A) {\n  $B\n}").ast == "if ($A) {\n  $B\n}"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("who calls `login`?", ["login"]),
        ("`Store::open` and `app.core.config`", ["Store::open", "app.core.config"]),
        ("`resolve()`", ["resolve"]),
        ("` parse(text, strict=True) `", ["parse"]),
        ("``twice``", ["twice"]),
        ("`año` 🙂 `naïve_é`", ["año", "naïve_é"]),
        ("`$scope` `save!` `a->b`", ["$scope", "save!", "a->b"]),
        ("the route `/photos/all` and `two words`", []),
        ("`unclosed", []),
        ("`` ` ``", []),
        ("`over\ntwo lines`", []),
    ],
)
def test_backticks_mark_symbols_and_spans_cover_the_bare_names(text: str, symbols: list[str]) -> None:
    query = parse_query(text)
    assert list(query.symbols) == symbols
    assert [text[a:b] for a, b in query.spans] == symbols


@pytest.mark.parametrize("text", ["", "  \n\t", "\u00a0\u2003", "\ufeff\u200b", '""', "“”", "«»", ' "" '])
def test_an_empty_query_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="empty"):
        parse_query(text)


def test_an_over_long_query_is_refused_with_both_numbers() -> None:
    assert parse_query("x" * 30, max_length=30).raw == "x" * 30
    with pytest.raises(QueryError, match="31 characters, the limit is 30"):
        parse_query("x" * 31, max_length=30)


@pytest.mark.parametrize(("text", "position"), [("/(/", 1), ("  /ab[/", 5), ("/*/", 1), ("/año(/", 4)])
def test_an_invalid_regex_is_refused_with_its_position_in_the_query(text: str, position: int) -> None:
    with pytest.raises(QueryError, match=f"position {position} "):
        parse_query(text)


@pytest.mark.parametrize("text", ["/" + "(" * 9000 + "/", "/a{99999999999999999999}/"])
def test_a_regex_too_large_to_compile_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="regular expression"):
        parse_query(text)


@pytest.mark.parametrize(("text", "lack"), [("ast[python]:  ", "pattern"), ("ast[]: f($X)", "language")])
def test_an_incomplete_ast_form_is_refused(text: str, lack: str) -> None:
    with pytest.raises(QueryError, match=lack):
        parse_query(text)


@pytest.mark.parametrize(
    "text",
    [
        "`" * 10_000,
        '"' * 10_001,
        "/" * 10_000,
        "` " * 5_000,
        "\x00",
        "🙂" * 5,
        "é" * 9,
        "שלום `x`",
        "\ud800",
        "ast[" + " " * 9_000,
        "`a" * 5_000,
    ],
)
def test_hostile_text_is_words_or_a_clear_error(text: str) -> None:
    try:
        query = parse_query(text, max_length=20_000)
    except QueryError:
        return
    assert query.raw == text
    assert all(text[a:b] for a, b in query.spans)


def test_ignore_case_is_kept() -> None:
    assert parse_query('"Todo"', ignore_case=True).ignore_case
