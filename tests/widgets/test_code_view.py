"""The source of a result: exact text, right lines, marked words."""

from __future__ import annotations

import pytest
from maguyva_nb_widgets.code_view import CodeView, Window, code_payload, first_window, wider
from maguyva_nb_widgets.contract import Source
from maguyva_nb_widgets.highlight import coloured_lines, marked_line, matcher
from maguyva_nb_widgets.state import SearchState

from maguyva_nb.config import load_settings
from maguyva_nb.types import Query

APP = load_settings().app
LONG = Source("a.py", "python", "".join(f"x{i} = {i}\n" for i in range(1, 501)), 200, 210)


@pytest.mark.parametrize("language", ["python", "rust", "csharp", "typescript", "nonsense", None])
def test_colouring_keeps_every_character(language: str | None) -> None:
    text = '\n\n"""doc\nstring"""\tx = 1  # ñ\r\nclass A:\n\tpass\f\u2028\n'
    lines = coloured_lines(text, language)
    assert "\n".join("".join(piece for _, piece in line) for line in lines) == text


def test_the_window_holds_the_result_and_some_lines_around_it() -> None:
    assert first_window(LONG, APP) == Window(200 - APP.code_margin, 210 + APP.code_margin)


def test_more_lines_stop_at_the_ends_of_the_file() -> None:
    window = Window(30, 480)
    assert wider(window, "above", 60, 500) == Window(1, 480)
    assert wider(window, "below", 60, 500) == Window(30, 500)


def test_the_payload_numbers_lines_as_the_file_does() -> None:
    payload = code_payload(LONG, Window(195, 215), Query("x200"), APP.highlight_chars)
    assert (payload["first"], payload["start"], payload["end"]) == (195, 200, 210)
    assert (payload["above"], payload["below"], len(payload["lines"])) == (194, 285, 21)
    assert "".join(text for _, text, _ in payload["lines"][5]) == "x200 = 200"
    assert payload["where"] == "a.py:200-210"


def texts_marked(line: str, query: Query) -> list[str]:
    pieces = marked_line([("", line)], matcher(query))
    return [text for _, text, hit in pieces if hit]


def test_words_of_the_query_are_marked_in_any_case_and_form() -> None:
    assert texts_marked("def validateTokens(request):", Query("how are tokens validated")) == ["validate", "Tokens"]


def test_a_literal_is_marked_as_written() -> None:
    assert texts_marked("x = 'a.b' + 'A.B' + 'axb'", Query('"a.b"', literal="a.b")) == ["a.b"]


def test_a_match_across_coloured_pieces_is_marked_whole() -> None:
    pieces = marked_line([("n", "foo"), ("p", "("), ("n", "bar")], matcher(Query('"o(b"', literal="o(b")))
    assert [(text, hit) for _, text, hit in pieces] == [
        ("fo", False),
        ("o", True),
        ("(", True),
        ("b", True),
        ("ar", False),
    ]


def test_an_invalid_regex_marks_nothing() -> None:
    assert matcher(Query("/(/", regex="(")) is None


def test_a_line_of_megabytes_is_cut_and_says_so() -> None:
    *_, last = marked_line([("", "x" * 5000)], None)
    assert last[1] == " … 3000 more characters"


def test_markup_in_code_stays_text_that_can_stand_in_a_script(state: SearchState) -> None:
    state.source = Source("</script>.py", "python", "x = '</script><img onerror=alert(1)>'\n", 1, 1)
    view = CodeView(state)
    assert "<" not in view.code
    assert "</script><img onerror" in "".join(piece[1] for piece in view.shown("code")["lines"][0])


def test_the_page_can_ask_for_more_lines(state: SearchState) -> None:
    state.source = LONG
    view = CodeView(state)
    before = len(view.shown("code")["lines"])
    view._handle_msg({"type": "below"})
    assert len(view.shown("code")["lines"]) == before + APP.code_step


def test_without_a_result_there_is_no_code(state: SearchState) -> None:
    assert CodeView(state).shown("code") is None
