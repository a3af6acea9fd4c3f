"""A damaged index says so, with the next step, wherever it is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from maguyva_nb.doctor import examine
from maguyva_nb.engine import Explorer
from maguyva_nb.errors import IndexUnreadable
from maguyva_nb.store.locate import index_path
from maguyva_nb.store.reader import TABLES, IndexReader


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-300_000])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(20_000, len(data), 50_000):
        data[at] ^= 0xFF
    path.write_bytes(data)


def without_a_table(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("DROP TABLE trigrams")


DAMAGE = pytest.mark.parametrize("damage", [truncated, flipped, without_a_table])


@DAMAGE
def test_a_search_of_a_damaged_index_names_the_next_step(
    damage: Callable[[Path], None], sample: Path, sample_index: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "index.duckdb"
    copy.write_bytes(sample_index.read_bytes())
    damage(copy)
    with pytest.raises(IndexUnreadable, match="--force"):
        Explorer.open(sample, db=copy).search("how is a password checked")


@DAMAGE
def test_doctor_finds_the_damage_and_indexing_mends_it(
    damage: Callable[[Path], None], sample: Path, sample_index: Path, home: Path
) -> None:
    own = index_path(sample)
    own.parent.mkdir(parents=True)
    own.write_bytes(sample_index.read_bytes())
    damage(own)
    found = next(check for check in examine(sample, None, None) if check.name == "index")
    assert isinstance(found.error, IndexUnreadable)
    Explorer.index(sample)
    with_all = IndexReader(own)
    with_all.verify()
    with_all.close()


def test_the_check_reads_every_table_of_the_schema(sample_index: Path) -> None:
    with duckdb.connect(str(sample_index), read_only=True) as con:
        assert {row[0] for row in con.execute("SHOW TABLES").fetchall()} == set(TABLES)
