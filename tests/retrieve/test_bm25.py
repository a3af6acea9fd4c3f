from __future__ import annotations

import math

import numpy as np
import pytest

from maguyva_nb.retrieve.bm25 import bm25f, field_norms
from maguyva_nb.store.columns import Postings


def postings(*rows: tuple[int, int, float]) -> Postings:
    chunk, field, count = zip(*rows, strict=True)
    return Postings(np.array(chunk), np.array(field), np.array(count, float))


def test_the_score_is_the_formula_of_the_paper() -> None:
    lengths = np.array([[2.0, 10.0], [4.0, 30.0], [0.0, 20.0]])
    weights, k1, b = np.array([6.0, 1.0]), 1.2, 0.75
    one = postings((0, 0, 1), (0, 1, 3), (1, 1, 2))
    scores = bm25f([one], field_norms(lengths, b), weights, k1=k1)
    tf = 6.0 * 1 / (1 - b + b * 2 / 2) + 1.0 * 3 / (1 - b + b * 10 / 20)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert scores[0] == pytest.approx(idf * tf / (k1 + tf))
    assert scores[0] > scores[1] > scores[2] == 0


def test_a_field_empty_everywhere_does_no_harm() -> None:
    scores = bm25f([postings((0, 1, 1))], field_norms(np.array([[0.0, 3.0], [0.0, 3.0]]), 0.75), np.ones(2), k1=1.2)
    assert np.isfinite(scores).all()
    assert scores[0] > 0
