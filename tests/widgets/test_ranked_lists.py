"""The payload that the five columns are drawn from."""

from __future__ import annotations

import pytest
from maguyva_nb_widgets.ranked_lists import RankedLists, columns, fused_column
from maguyva_nb_widgets.state import SearchState

from maguyva_nb.testing import FAKE_FILES, FakeExplorer, fake_trace
from maguyva_nb.types import Classification, Intent, Modality

HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_there_is_one_column_a_modality_with_ranks_from_one() -> None:
    found = columns(fake_trace(), 100)
    assert [column["modality"] for column in found] == [str(m) for m in Modality]
    assert [row["rank"] for row in found[1]["rows"]] == [1, 2, 3, 4]


def test_every_score_is_the_sum_of_its_parts() -> None:
    rows = fused_column(fake_trace(), 100)["rows"]
    assert any(row["factors"] for row in rows)
    for row in rows:
        assert sum(part["value"] for part in row["parts"]) == pytest.approx(row["score"], rel=1e-12)


def test_a_part_carries_its_arithmetic() -> None:
    part = fused_column(fake_trace(), 100)["rows"][0]["parts"][0]
    assert part["formula"].startswith("0.5 / (60 + 1) × 1.1")
    assert part["value"] == pytest.approx(0.5 / 61 * 1.100941670986364)


def test_a_result_that_one_list_alone_found_is_marked_in_both_columns() -> None:
    trace = fake_trace()
    rows = {row["symbol"]: row for row in columns(trace, 100)[1]["rows"]}
    assert rows["pay"]["only"]
    assert not rows["total_price"]["only"]
    fused = {row["symbol"]: row["only"] for row in fused_column(trace, 100)["rows"]}
    assert fused["pay"] == "text"
    assert fused["total_price"] == ""


def test_nothing_is_called_the_only_finder_where_one_list_ran() -> None:
    assert not any(row["only"] for row in fused_column(fake_trace(preset="quick"), 100)["rows"])


@pytest.mark.parametrize(
    ("engine", "modality", "reason", "said"),
    [
        (FakeExplorer(), Modality.GRAPH, "off_preset", "preset default"),
        (
            FakeExplorer(classification=Classification(Intent.EXACT_MATCH, 0.6, "word", None)),
            Modality.SEMANTIC,
            "weight_zero",
            "weight for exact_match is 0",
        ),
        (
            FakeExplorer(classification=Classification(Intent.FIND_DEFINITION, 0.95, "keyword", None)),
            Modality.TEXT,
            "direct",
            "0.95",
        ),
        (FakeExplorer(broken=[Modality.TEXT]), Modality.TEXT, "failed", "failed"),
    ],
)
def test_an_absent_list_says_why_and_what_to_do(
    engine: FakeExplorer, modality: Modality, reason: str, said: str
) -> None:
    column = next(c for c in columns(engine.search("total price"), 100) if c["modality"] == modality)
    assert column["absent"] == reason
    assert said in column["said"]
    assert column["offer"]
    assert "rows" not in column


def test_a_long_list_is_cut_but_counted() -> None:
    column = columns(fake_trace(), 2)[1]
    assert (len(column["rows"]), column["total"]) == (2, 4)


def test_folded_places_of_a_file_come_with_their_result() -> None:
    rows = fused_column(FakeExplorer().search("cart price"), 100)["rows"]
    assert sum(len(row["folded"]) for row in rows) > 0


def test_markup_in_names_stays_text_that_can_stand_in_a_script() -> None:
    engine = FakeExplorer(files={**FAKE_FILES, f"shop/{HOSTILE}.py": "def total():\n    pass\n"})
    state = SearchState(engine)
    state.search("total")
    view = RankedLists(state)
    assert "<" not in view.lists + view.fused
    assert any(HOSTILE in row["where"] for row in view.shown("lists")[2]["rows"])


def test_messages_of_the_page_reach_the_state(searched: SearchState) -> None:
    view = RankedLists(searched)
    other = view.shown("fused")["rows"][1]["chunk"]
    view._handle_msg({"type": "choose", "chunk": other})
    assert searched.chunk_id == other
    assert view.shown("chosen") == other


def test_an_edit_changes_the_fused_column_alone(searched: SearchState) -> None:
    view = RankedLists(searched)
    before = [column["rows"] for column in view.shown("lists")]
    fused = view.fused
    searched.set_weight(Intent.UNDERSTAND_CODE, Modality.TEXT, 0.9)
    assert [column["rows"] for column in view.shown("lists")] == before
    assert view.fused != fused
