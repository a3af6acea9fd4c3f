"""Six rows by four modalities, edited in place."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from maguyva_nb_widgets.state import SearchState
from maguyva_nb_widgets.weight_table import INTENT, WeightTable

from maguyva_nb.types import Intent, Modality

ROW = list(Intent).index(Intent.UNDERSTAND_CODE)


def edit(table: WeightTable, value: object) -> None:
    """What Tabulator does after an edit: the cell is changed already, then the callback runs."""
    old = table.table.value.loc[ROW, "text"]
    table.table.value.loc[ROW, "text"] = value
    table._edited(SimpleNamespace(column="text", row=ROW, value=value, old=old))


def test_the_table_shows_all_24_weights_of_the_profile(state: SearchState) -> None:
    frame = WeightTable(state).table.value
    assert list(frame[INTENT]) == [str(intent) for intent in Intent]
    assert frame.shape == (6, 5)
    assert frame.loc[ROW, "semantic"] == 0.5


def test_the_row_of_the_querys_intent_is_marked(searched: SearchState) -> None:
    table = WeightTable(searched)
    marked = [name for name in table.table.value[INTENT] if name.startswith("▸")]
    assert marked == ["▸ understand_code"]


def test_an_edit_reaches_the_state(searched: SearchState) -> None:
    edit(WeightTable(searched), 0.7)
    assert searched.profile.row(Intent.UNDERSTAND_CODE)[Modality.TEXT] == 0.7
    assert searched.trace.weights[Modality.TEXT] == 0.7


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("value", [-2.0, float("nan")])
def test_a_bad_value_is_put_back_and_explained(searched: SearchState, value: float) -> None:
    table = WeightTable(searched)
    edit(table, value)
    assert table.table.value.loc[ROW, "text"] == 0.2
    assert "0 or more" in table.note.value


def test_reset_is_offered_once_something_is_edited_and_restores_the_table(searched: SearchState) -> None:
    table = WeightTable(searched)
    assert table.reset.disabled
    edit(table, 0.7)
    assert not table.reset.disabled
    searched.reset_profile()
    assert table.table.value.loc[ROW, "text"] == 0.2
    assert table.reset.disabled
