"""A state over the fake explorer, with work done at once."""

from __future__ import annotations

import pytest

pytest.importorskip("panel")

from maguyva_nb_widgets.state import SearchState

from maguyva_nb.testing import FakeExplorer


@pytest.fixture
def engine() -> FakeExplorer:
    """The fake codebase."""
    return FakeExplorer()


@pytest.fixture
def state(engine: FakeExplorer) -> SearchState:
    """A fresh state."""
    return SearchState(engine)


@pytest.fixture
def searched(state: SearchState) -> SearchState:
    """A state after one search."""
    state.search("total price with tax")
    return state
