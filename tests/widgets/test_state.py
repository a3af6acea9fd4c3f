"""What every action does to the state, without a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from maguyva_nb_widgets.runner import Done
from maguyva_nb_widgets.state import SearchState, checked_row

from maguyva_nb.errors import ConfigError
from maguyva_nb.reweigh import reweigh
from maguyva_nb.testing import FakeExplorer
from maguyva_nb.types import Absent, Classification, Intent, Modality, RankedList, Strategy, Target, TargetKind

UNDERSTAND = Intent.UNDERSTAND_CODE


class Later:
    """Keeps work until it is asked for, in any order: the threads of a real app, made predictable."""

    def __init__(self) -> None:
        self.work: list[Callable[[], Done]] = []

    def __call__(self, work: Callable[[], Done]) -> None:
        self.work.append(work)

    def finish(self, place: int = 0) -> None:
        self.work.pop(place)()()


def test_a_search_fills_trace_choice_source_and_blast_radius(searched: SearchState) -> None:
    assert searched.trace.cards[searched.chunk_id].symbol == "total_price"
    assert (searched.source.path, searched.source.start_line) == ("shop/cart.py", 4)
    assert searched.impact.symbol.name == "total_price"
    assert not searched.busy
    assert searched.problem is None


def test_lists_that_the_preset_left_out_are_filled_after_the_results_show(engine: FakeExplorer) -> None:
    later = Later()
    state = SearchState(engine, run=later)
    state.search("total price")
    later.finish()
    assert isinstance(state.trace.lists[Modality.GRAPH], Absent)
    assert state.filling
    first = state.trace.results
    later.finish(1)
    assert isinstance(state.trace.lists[Modality.GRAPH], RankedList)
    assert state.trace.results == first
    assert not state.filling


def test_an_earlier_search_that_ends_last_is_forgotten(engine: FakeExplorer) -> None:
    later = Later()
    state = SearchState(engine, run=later)
    state.search("tax rate")
    state.search("pay card")
    later.finish(1)
    later.finish(0)
    assert state.trace.query.raw == "pay card"
    assert not state.busy


def test_an_empty_query_says_what_to_type_and_runs_nothing(state: SearchState, engine: FakeExplorer) -> None:
    state.search("   ")
    assert "Type" in state.problem.next
    assert engine.searches == 0
    assert not state.busy


def test_an_unforeseen_error_lands_in_the_box_and_ends_busy(state: SearchState, engine: FakeExplorer) -> None:
    engine.settings.presets["broken"] = None  # type: ignore[index]
    state.preset = "broken"
    state.search("total price")
    engine.settings.presets.pop("broken")  # type: ignore[attr-defined]
    assert state.problem.message
    assert not state.busy


def test_a_runner_that_cannot_start_ends_busy(engine: FakeExplorer) -> None:
    def refuse(work: Callable[[], Done]) -> None:
        raise RuntimeError("can't start new thread")

    state = SearchState(engine, run=refuse)
    state.search("total price")
    assert "can't start new thread" in state.problem.message
    assert not state.busy


def test_editing_a_weight_fuses_the_same_lists_anew_without_a_retriever(
    searched: SearchState, engine: FakeExplorer
) -> None:
    lists = searched.trace
    assert searched.set_weight(UNDERSTAND, Modality.TEXT, 0.9)
    assert engine.searches == 1
    assert searched.trace.results == reweigh(lists, searched.profile).results
    assert searched.trace.weights[Modality.TEXT] == 0.9
    assert searched.edited


def test_edits_make_a_new_profile_and_leave_the_shipped_one_alone(searched: SearchState) -> None:
    shipped = searched.settings.profile("article")
    searched.set_weight(UNDERSTAND, Modality.TEXT, 0.9)
    assert shipped.row(UNDERSTAND)[Modality.TEXT] == 0.2


def test_resetting_brings_back_the_results_of_the_search(searched: SearchState) -> None:
    before = searched.trace
    searched.set_weight(UNDERSTAND, Modality.SEMANTIC, 0)
    assert searched.trace.results != before.results
    searched.reset_profile()
    assert searched.trace == before
    assert not searched.edited


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "", None, "much", True])
def test_a_bad_weight_is_refused_with_a_message_and_changes_nothing(searched: SearchState, value: object) -> None:
    before = searched.trace
    assert not searched.set_weight(UNDERSTAND, Modality.TEXT, value)
    assert searched.trace is before
    assert "0 or more" in searched.weight_problem.next
    assert searched.set_weight(UNDERSTAND, Modality.TEXT, 1)
    assert searched.weight_problem is None


def test_a_direct_answer_becomes_a_fusion_once_a_weight_moves() -> None:
    sure = Classification(Intent.FIND_DEFINITION, 0.95, "keyword", None)
    state = SearchState(FakeExplorer(classification=sure))
    state.search("total price")
    assert state.trace.strategy is Strategy.DIRECT
    assert all(isinstance(one, RankedList) for one in state.trace.lists.values())
    state.set_weight(Intent.FIND_DEFINITION, Modality.TEXT, 0.5)
    assert state.trace.strategy is Strategy.RRF


def test_the_weight_of_another_intent_leaves_a_direct_answer_as_it_is() -> None:
    sure = Classification(Intent.FIND_DEFINITION, 0.95, "keyword", None)
    state = SearchState(FakeExplorer(classification=sure))
    state.search("total price")
    before = state.trace.results
    state.set_weight(UNDERSTAND, Modality.TEXT, 0.5)
    assert state.trace.strategy is Strategy.DIRECT
    assert state.trace.results == before


def test_a_failed_list_stays_failed_until_it_is_asked_for_again() -> None:
    engine = FakeExplorer(broken=[Modality.TEXT])
    state = SearchState(engine)
    state.search("total price")
    assert state.trace.lists[Modality.TEXT].reason == "failed"
    assert state.trace.warnings[0].type == "modality_failed"
    engine.broken = frozenset()
    state.run_modality(Modality.TEXT)
    assert isinstance(state.trace.lists[Modality.TEXT], RankedList)


def test_another_preset_searches_again(searched: SearchState, engine: FakeExplorer) -> None:
    searched.set_preset("quick")
    assert engine.searches == 2
    assert searched.trace.strategy is Strategy.SINGLE


def test_a_search_without_results_clears_the_choice(searched: SearchState) -> None:
    searched.search("zzz")
    assert searched.trace.results == ()
    assert (searched.chunk_id, searched.source, searched.impact) == (None, None, None)


def test_choosing_what_is_not_there_is_ignored(searched: SearchState) -> None:
    chosen = searched.chunk_id
    searched.choose(999)
    assert searched.chunk_id == chosen


def test_the_blast_radius_of_another_symbol_keeps_the_chosen_result(searched: SearchState) -> None:
    chosen = searched.chunk_id
    pay = next(node for node in searched.impact.reached if node.name == "pay")
    searched.choose_symbol(pay.symbol_id)
    assert searched.impact.symbol.name == "pay"
    assert searched.chunk_id == chosen


@pytest.mark.parametrize(("name", "shown"), [("tax_rate", "tax_rate"), ("unheard_of", "total_price")])
def test_a_question_about_dependants_shows_the_blast_radius_of_what_it_names(name: str, shown: str) -> None:
    target = Target(TargetKind.SYMBOL, name)
    state = SearchState(FakeExplorer(classification=Classification(Intent.IMPACT_ANALYSIS, 0.6, "r", None, target)))
    state.search("total price")
    assert state.trace.cards[state.chunk_id].symbol == "total_price"
    assert state.impact.symbol.name == shown


def test_weights_of_the_call_hold_for_every_intent_and_are_a_fusion() -> None:
    sure = Classification(Intent.FIND_DEFINITION, 0.95, "keyword", None)
    state = SearchState(FakeExplorer(classification=sure), weights=(0, 1, 0, 0))
    state.search("total price")
    assert state.trace.strategy is Strategy.RRF
    assert {tuple(row.values()) for row in state.profile.weights.values()} == {(0.0, 1.0, 0.0, 0.0)}


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, 2, 3, 4, 5), {"semantic": 1}, (1, 1, 1, -1)])
def test_weights_of_the_call_must_be_four_good_numbers(weights: object) -> None:
    with pytest.raises(ConfigError):
        checked_row(weights)  # type: ignore[arg-type]


def test_an_unknown_preset_is_refused_at_once(engine: FakeExplorer) -> None:
    with pytest.raises(ConfigError, match="quick"):
        SearchState(engine, preset="quik")
