"""Intervals and the paired test, where the truth can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.evaluate.statistics import EXACT_UP_TO, difference, estimate, sign_flip

SETTINGS = load_settings().evaluate


def test_the_same_values_give_the_same_interval_around_their_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.5, 0.25] * 8
    one = estimate(values, SETTINGS)
    assert one == estimate(values, SETTINGS)
    assert one.value == sum(values) / len(values)
    assert one.low < one.value < one.high


def test_the_interval_is_about_two_standard_errors_to_each_side() -> None:
    values = np.random.default_rng(3).normal(5, 2, 400)
    one = estimate(list(values), SETTINGS)
    error = values.std() / 20
    assert one.low == pytest.approx(values.mean() - 1.96 * error, abs=error / 3)
    assert one.high == pytest.approx(values.mean() + 1.96 * error, abs=error / 3)


def test_queries_without_a_value_are_left_out_and_none_at_all_is_none() -> None:
    assert estimate([3.0, None, 3.0], SETTINGS).value == 3.0
    assert estimate([None], SETTINGS).value is None


def test_few_pairs_are_tested_exactly() -> None:
    assert sign_flip(np.array([0.2, 0.2, 0.2]), SETTINGS) == 2 / 2**3
    assert sign_flip(np.array([0.1, 0.2, 0.4]), SETTINGS) == 2 / 2**3
    assert sign_flip(np.array([0.4, 0.1, -0.1]), SETTINGS) == 6 / 2**3


def test_pairs_without_a_difference_carry_no_evidence() -> None:
    assert sign_flip(np.zeros(9), SETTINGS) == 1
    assert sign_flip(np.array([0.0, 0.3, 0.0, 0.3]), SETTINGS) == sign_flip(np.array([0.3, 0.3]), SETTINGS) == 0.5


def test_many_pairs_are_sampled_and_agree_with_the_exact_test() -> None:
    gaps = np.random.default_rng(5).normal(0.3, 1, EXACT_UP_TO)
    exact = sign_flip(gaps, SETTINGS)
    more = np.concatenate([gaps, [1e-9]])
    assert sign_flip(more, SETTINGS) == pytest.approx(exact, abs=0.02)
    assert sign_flip(np.ones(40), SETTINGS) == 1 / (SETTINGS.permutations + 1)


def test_a_difference_in_every_query_is_distinguishable_and_noise_is_not() -> None:
    clear = difference([(0.6, 0.5)] * 12, SETTINGS)
    assert clear.difference == pytest.approx(0.1)
    assert (clear.p, clear.distinguishable) == (2 / 2**12, True)
    noise = difference([(0.6, 0.5), (0.5, 0.6), (0.4, 0.5), (0.7, 0.5)], SETTINGS)
    assert not noise.distinguishable
    assert noise.low < 0 < noise.high


def test_the_border_is_a_setting() -> None:
    pairs = [(1.0, 0.0)] * 4
    assert not difference(pairs, SETTINGS).distinguishable
    assert difference(pairs, replace(SETTINGS, significance=0.2)).distinguishable


def test_a_pair_counts_only_where_both_have_the_metric() -> None:
    assert difference([(None, 1.0), (2.0, 1.0)], SETTINGS).difference == 1
    nothing = difference([(None, 1.0)], SETTINGS)
    assert (nothing.difference, nothing.p, nothing.distinguishable) == (None, 1, False)
