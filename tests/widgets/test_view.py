"""Contents go one way: a late echo of the page can neither change nor hide one."""

from __future__ import annotations

from maguyva_nb_widgets.contract import Problem
from maguyva_nb_widgets.notices import Notices, notices
from maguyva_nb_widgets.state import SearchState


def test_a_content_that_comes_back_later_still_differs_from_its_first_text(state: SearchState) -> None:
    view = Notices(state)
    first = view.notices
    state.problem = Problem("Broken.", "Mend it.")
    state.problem = None
    assert view.shown("notices") == []
    assert view.notices != first


def test_an_equal_content_is_not_sent_again(state: SearchState) -> None:
    view = Notices(state)
    first = view.notices
    view.show(notices=[])
    assert view.notices == first


def test_what_the_page_sends_back_changes_nothing(state: SearchState) -> None:
    view = Notices(state)
    view._process_events({"notices": "[7,[]]", "data": {}})
    assert view.notices != "[7,[]]"


def test_an_error_says_the_next_step_and_comes_before_the_warnings(searched: SearchState) -> None:
    searched.problem = Problem("Broken.", "Mend it.")
    assert notices(searched)[0] == {"level": "error", "type": "error", "message": "Broken.", "next": "Mend it."}
