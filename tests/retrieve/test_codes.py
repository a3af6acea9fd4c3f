"""Sign codes choose candidates; what comes back is still ordered by the exact cosine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.retrieve.codes import SignCodes
from maguyva_nb.types import Modality, RankedHit, RankedList

RNG = np.random.default_rng(3)


def unit(matrix: np.ndarray) -> np.ndarray:
    return (matrix / np.linalg.norm(matrix, axis=-1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("dimensions", [8, 64, 100, 384])
def test_candidates_are_the_rows_with_the_most_equal_signs(dimensions: int) -> None:
    matrix, vector = unit(RNG.normal(size=(500, dimensions))), unit(RNG.normal(size=dimensions))
    different = ((matrix > 0) != (vector > 0)).sum(1)
    found = SignCodes(matrix).nearest(vector, 40)
    assert found.size >= 40
    assert different[found].max() < np.delete(different, found).min()
    assert list(found) == sorted(found)


def test_rows_that_are_not_allowed_take_no_place() -> None:
    matrix, vector = unit(RNG.normal(size=(300, 64))), unit(RNG.normal(size=64))
    allowed = np.zeros(300, np.bool_)
    allowed[:30] = True
    found = SignCodes(matrix).nearest(vector, 10, allowed)
    assert found.size >= 10
    assert found.max() < 30


def test_all_rows_are_candidates_where_there_are_few() -> None:
    matrix = unit(RNG.normal(size=(5, 64)))
    assert list(SignCodes(matrix).nearest(matrix[0], 10)) == [0, 1, 2, 3, 4]


def hits(explorer: Explorer, query: str, **more: object) -> tuple[RankedHit, ...]:
    found = explorer.search(query, SearchOptions(modality=Modality.SEMANTIC, **more)).lists[Modality.SEMANTIC]  # type: ignore[arg-type]
    assert isinstance(found, RankedList)
    return found.hits


@pytest.mark.parametrize("more", [{}, {"path": "*.py", "no_tests": True}])
def test_the_second_pass_is_exact(sample: Path, sample_index: Path, more: dict[str, object]) -> None:
    settings = load_settings()
    settings = replace(settings, search=replace(settings.search, depth=5))
    coded = replace(settings, semantic=replace(settings.semantic, binary=True, binary_from=1, oversample=4))
    exact = Explorer.open(
        sample, db=sample_index, settings=replace(settings, search=replace(settings.search, depth=999))
    )
    quick = Explorer.open(sample, db=sample_index, settings=coded)
    for query in ("how is a password checked", "retry a request"):
        scores = {hit.chunk_id: hit.score for hit in hits(exact, query, **more)}
        found = hits(quick, query, **more)
        assert len(found) == 5
        assert all(hit.score == pytest.approx(scores[hit.chunk_id], abs=1e-6) for hit in found)
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        assert found[0].chunk_id == max(scores, key=lambda i: scores[i])
    exact.close()
    quick.close()


def test_small_codebases_need_no_first_pass(sample: Path, sample_index: Path) -> None:
    settings = load_settings()
    coded = replace(settings, semantic=replace(settings.semantic, binary=True, oversample=1))
    one, two = (Explorer.open(sample, db=sample_index, settings=s) for s in (settings, coded))
    assert hits(one, "how is a password checked") == hits(two, "how is a password checked")
    one.close()
    two.close()
