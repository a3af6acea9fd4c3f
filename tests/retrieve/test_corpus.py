from __future__ import annotations

from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.retrieve.corpus import innermost
from maguyva_nb.types import Modality, RankedList, SymbolKind


def test_the_innermost_span_owns_a_line() -> None:
    spans = [(2, -20, 0), (3, -8, 1), (5, -6, 2), (12, -15, 3)]
    assert list(innermost(spans, [1, 2, 4, 5, 7, 9, 12, 16, 21])) == [None, 0, 1, 2, 1, 0, 3, 0, None]


def test_every_later_piece_of_a_long_symbol_is_known_as_its(explorer: Explorer, tmp_path) -> None:
    body = "\n".join(f"    step_{i} = compute({i})" for i in range(200))
    (tmp_path / "long.py").write_text(f"def reconcile_ledger():\n{body}\n    return step_0\n")
    own = Explorer.open(tmp_path, db=tmp_path / "i.duckdb")
    found = own.search("reconcile ledger", SearchOptions(modality=Modality.STRUCTURAL)).lists[Modality.STRUCTURAL]
    assert isinstance(found, RankedList)
    assert len(found.hits) == len(own.reader.chunks) > 2
    assert {own.reader.symbols.name[h.symbol_id or 0] for h in found.hits} == {"reconcile_ledger"}
    own.close()


def test_every_chunk_of_the_sample_has_the_owner_that_covers_it(explorer: Explorer) -> None:
    corpus, chunks, symbols = explorer._corpus, explorer.reader.chunks, explorer.reader.symbols
    for chunk_id, owner in enumerate(corpus.owner.tolist()):
        if owner >= 0 and symbols.kind[owner] != SymbolKind.MODULE:
            assert symbols.file_id[owner] == chunks.file_id[chunk_id]
            assert symbols.start_line[owner] <= chunks.end_line[chunk_id]
            assert symbols.end_line[owner] >= chunks.start_line[chunk_id]
