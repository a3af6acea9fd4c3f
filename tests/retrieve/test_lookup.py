"""Names as people write them, on the sample codebase."""

from __future__ import annotations

import pytest

from maguyva_nb.engine import Explorer
from maguyva_nb.retrieve.lookup import SymbolLookup


@pytest.fixture(scope="module")
def lookup(explorer: Explorer) -> SymbolLookup:
    return SymbolLookup(explorer.reader)


def names(explorer: Explorer, found: tuple[int, ...]) -> set[str]:
    symbols = explorer.reader.symbols
    return {f"{explorer.reader.files.path[symbols.file_id[i]]}:{symbols.qualified_name[i]}" for i in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parse_config", "parcels/config/parser.py:parse_config"),
        ("parseConfig", "parcels/config/compat.py:parseConfig"),
        ("parse_config()", "parcels/config/parser.py:parse_config"),
        ("parcels/config/parser.py:parse_config", "parcels/config/parser.py:parse_config"),
        ("parser.py:parse_config", "parcels/config/parser.py:parse_config"),
        ("JobQueue._handle_failure", "parcels/jobs.py:JobQueue._handle_failure"),
        ("JobQueue::_handle_failure", "parcels/jobs.py:JobQueue._handle_failure"),
        ("parcels.jobs.JobQueue._handle_failure", "parcels/jobs.py:JobQueue._handle_failure"),
    ],
)
def test_a_name_as_written_means_one_symbol(explorer: Explorer, lookup: SymbolLookup, text: str, expected: str) -> None:
    assert names(explorer, lookup.find(text)) == {expected}


def test_another_spelling_is_taken_only_when_none_is_as_written(explorer: Explorer, lookup: SymbolLookup) -> None:
    assert names(explorer, lookup.find("PARSECONFIG")) == {
        "parcels/config/parser.py:parse_config",
        "parcels/config/compat.py:parseConfig",
    }


def test_a_wrong_path_or_class_is_no_match(lookup: SymbolLookup) -> None:
    assert lookup.find("nowhere.py:parse_config") == ()
    assert lookup.find("Nobody._handle_failure") == ()


def test_the_nearest_names_come_best_first(lookup: SymbolLookup) -> None:
    assert lookup.nearest("load_setings")[0] == "load_settings"
