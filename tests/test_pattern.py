"""Regular expressions: read as grep -P reads them, and what is known of their matches before any is tried."""

from __future__ import annotations

import pytest

from maguyva_nb.pattern import PatternError, compile_line_bound, compile_pattern, requirements


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("={i}", "key={i}", True),
        ("={i}", "key=x", False),  # the package would insert what lacks
        ("a{e<=1}", "b", False),
        ("{}", "x = {}", True),
        (r"\Qa.b(\E+", "a.b((", True),
        (r"\Qa.b\E", "axb", False),
        (r"\x{e9}", "é", True),
        (r"^[^\x{e9}\x{1f642}]$", "🙂", False),
        (r"^[\\x{1}]$", "{", True),
        (r"(?<y>\d\d)-\k<y>", "12-12", True),
        (r"(\d\d)-\g{1}", "12-13", False),
        (r"^\H+$", "a b", False),
        (r"[[:upper:]]{2}", "aBC", True),
        (r"a{2,3}", "aa", True),
    ],
)
def test_a_pattern_means_what_it_means_to_grep(pattern: str, text: str, matches: bool) -> None:
    assert bool(compile_pattern(pattern).search(text)) is matches


@pytest.mark.parametrize(
    ("pattern", "position"),
    [("(", 0), ("ab[", 2), ("={i}(a", 4), (r"\Qx+y\E(?<n>a)\j", 14), ("a{3,1}", 1), (r"\p{Lu}+(", 8)],
)
def test_an_error_stands_at_its_place_in_the_pattern_as_typed(pattern: str, position: int) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern)
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("pattern", "branches"),
    [
        ("def load_settings", [{"def load_settings"}]),
        (r"\bself\._cache\b", [{"self._cache"}]),
        ("get(?:All)?Users", [{"get", "Users"}]),
        ("foo|bar+", [{"foo"}, {"bar"}]),
        ("x(?:one|two)y", [{"x", "one", "y"}, {"x", "two", "y"}]),
        ("colou?r", [{"colo", "r"}]),
        ("(?:never)*always", [{"always"}]),
        ("(?!never)always", [{"always"}]),
        ("(?=maybe)always{0}", [{"alway"}]),
        (r"\Qa.b\E\d", [{"a.b"}]),
        ("[abc]d{2,}e", [{"d", "e"}]),
        (r"key={i}\t", [{"key={i}\t"}]),
    ],
)
def test_what_every_match_holds_is_read_off_the_pattern(pattern: str, branches: list[set[str]]) -> None:
    assert [set(branch) for branch in requirements(pattern).branches] == branches


@pytest.mark.parametrize(
    "pattern", [r"\d+", "a|", "(?:abc)?", "(?x) a b c", "(a)(?(1)bcd|efg)", "(?|abc|abd)", r"\jabc"]
)
def test_nothing_is_claimed_where_it_is_not_sure(pattern: str) -> None:
    assert requirements(pattern).branches == ()


def test_case_counts_for_nothing_once_a_flag_says_so() -> None:
    assert requirements("(?i:todo)").ignore_case
    assert not requirements("todo").ignore_case


@pytest.mark.parametrize(
    "pattern", [r"a\s*b", r"a[^x]*b", r"a\W+b", r"(?s)a.*b", r"a[\s\S]b", r"a\x0ab", r"a\D\Db", r"a\v"]
)
def test_a_pattern_for_whole_texts_goes_over_no_line_end(pattern: str) -> None:
    whole = compile_line_bound(pattern)
    assert whole is not None
    assert whole.search("a\nb") is None
    assert whole.search("a\n\nb") is None


@pytest.mark.parametrize("pattern", [r"\Aa", r"a\Z", r"(?<=\n)a", r"(?x)a b", "(?-m:^a)"])
def test_a_pattern_that_sees_beyond_its_line_is_for_single_lines(pattern: str) -> None:
    assert compile_line_bound(pattern) is None


@pytest.mark.parametrize("text", ["a{99999999}", "(a{1000}){60000}", "a{70000,}", "x{1,99999999}"])
def test_repetition_without_measure_is_refused_before_it_is_compiled(text: str) -> None:
    with pytest.raises(PatternError, match="too often"):
        compile_pattern(text)


def test_usual_repetition_is_fine() -> None:
    assert compile_pattern(r"\d{4}-\d{2}.{0,200}x{1,1000}").search("2026-12 x")
