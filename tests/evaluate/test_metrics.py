"""Metrics against arithmetic written out by hand, and against ir-measures on random rankings."""

from __future__ import annotations

import random
from math import log2

import pytest

from maguyva_nb.evaluate.metrics import METRICS, answer_ranks, score
from maguyva_nb.evaluate.records import Answer, Level, Place

A = Answer("a.py", 10, 20, 2)
B = Answer("b.py", 1, 5, 1)
OFF = Place("c.py", 1, 9)


def line(*results: Place, answers: tuple[Answer, ...] = (A, B)) -> dict[str, float | None]:
    return dict(score(results, answers, Level.LINE))


def test_every_metric_has_a_value_in_the_order_of_the_contract() -> None:
    assert tuple(line(OFF)) == METRICS
    assert " ".join(METRICS) == "mrr ndcg10 ndcg10_strict hit1 hit5 hit10 recall5 recall10 empty lines_per_result"


def test_one_shared_line_is_a_match_and_none_is_not() -> None:
    assert line(Place("a.py", 1, 10))["mrr"] == 1
    assert line(Place("a.py", 20, 99))["mrr"] == 1
    assert line(Place("a.py", 1, 9), Place("a.py", 21, 30), Place("b.py", 5, 5))["mrr"] == 1 / 3
    assert line(Place("other/a.py", 10, 20))["mrr"] == 0


def test_figures_of_a_ranking_written_out() -> None:
    got = line(OFF, Place("b.py", 1, 3), OFF, Place("a.py", 10, 20))
    ideal = 2 / log2(2) + 1 / log2(3)
    assert got == {
        "mrr": 1 / 2,
        "ndcg10": pytest.approx((1 / log2(3) + 2 / log2(5)) / ideal),
        "ndcg10_strict": pytest.approx((1 / log2(3) + 2 / log2(5)) / ideal),
        "hit1": 0,
        "hit5": 1,
        "hit10": 1,
        "recall5": 1,
        "recall10": 1,
        "empty": 0,
        "lines_per_result": (9 + 3 + 9 + 11) / 4,
    }


def test_the_published_form_credits_every_chunk_of_an_answer_and_the_strict_form_one() -> None:
    got = line(Place("a.py", 10, 12), Place("a.py", 13, 20), answers=(A,))
    assert got["ndcg10"] == pytest.approx((2 / log2(2) + 2 / log2(3)) / (2 / log2(2)))
    assert got["ndcg10"] > 1
    assert got["ndcg10_strict"] == 1


def test_strict_credits_one_answer_a_result_the_best_first() -> None:
    both = (Answer("a.py", 1, 10, 1), Answer("a.py", 11, 20, 3))
    ideal = 3 / log2(2) + 1 / log2(3)
    assert line(Place("a.py", 1, 20), answers=both)["ndcg10_strict"] == pytest.approx(3 / log2(2) / ideal)
    assert line(Place("a.py", 1, 20), Place("a.py", 5, 15), answers=both)["ndcg10_strict"] == pytest.approx(1)
    assert line(Place("a.py", 1, 20), answers=both)["recall5"] == 1


def test_cuts_are_at_one_five_and_ten() -> None:
    fifth, sixth, eleventh = (line(*[OFF] * n, Place("a.py", 10, 20), answers=(A,)) for n in (4, 5, 10))
    assert (fifth["hit5"], fifth["recall5"], fifth["hit1"]) == (1, 1, 0)
    assert (sixth["hit5"], sixth["recall5"], sixth["hit10"]) == (0, 0, 1)
    assert (eleventh["hit10"], eleventh["recall10"], eleventh["ndcg10"], eleventh["mrr"]) == (0, 0, 0, 1 / 11)


def test_recall_is_the_share_of_the_answers() -> None:
    assert line(Place("a.py", 10, 20), Place("a.py", 10, 20))["recall10"] == 1 / 2


def test_no_result_is_empty_and_has_no_length() -> None:
    got = line()
    assert (got["empty"], got["lines_per_result"], got["mrr"], got["ndcg10"]) == (1, None, 0, 0)


def test_length_counts_the_first_ten() -> None:
    assert line(*[Place("c.py", 1, 4)] * 10, Place("c.py", 1, 1000))["lines_per_result"] == 4


def test_ranks_are_those_of_the_first_match_of_each_answer() -> None:
    assert answer_ranks([OFF, Place("b.py", 2, 2), Place("b.py", 3, 3)], (A, B)) == (None, 1)


def test_a_file_counts_once_from_its_first_chunk_and_other_chunks_keep_their_places() -> None:
    answers = (Answer("a.py", relevance=2), Answer("b.py", relevance=1))
    results = (Place("c.py", 1, 5), Place("c.py", 6, 9), Place("a.py", 1, 5), Place("a.py", 6, 9), Place("b.py", 1, 5))
    got = score(results, answers, Level.FILE)
    assert got["ndcg10"] == pytest.approx((1 / log2(4) + 1 / log2(6)) / (1 / log2(2) + 1 / log2(3)))
    assert got["ndcg10_strict"] == pytest.approx((2 / log2(4) + 1 / log2(6)) / (2 / log2(2) + 1 / log2(3)))
    assert (got["mrr"], got["hit1"], got["recall5"]) == (1 / 3, 0, 1)


def test_more_than_ten_files_can_still_be_perfect() -> None:
    answers = [Answer(f"{i}.py") for i in range(12)]
    assert score([Place(a.path, 1, 1) for a in answers], answers, Level.FILE)["ndcg10"] == pytest.approx(1)


@pytest.mark.parametrize("level", Level)
def test_metrics_agree_with_ir_measures_on_random_rankings(level: Level) -> None:
    ir = pytest.importorskip("ir_measures")
    rng = random.Random(7)
    names = {
        "mrr": ir.RR,
        "ndcg10_strict": ir.nDCG @ 10,
        "hit1": ir.Success @ 1,
        "hit5": ir.Success @ 5,
        "hit10": ir.Success @ 10,
        "recall5": ir.R @ 5,
        "recall10": ir.R @ 10,
    }
    for _ in range(200):
        docs = rng.sample(range(60), rng.randint(1, 20))
        relevant = {doc: rng.randint(1, 3) for doc in rng.sample(range(60), rng.randint(1, 12))}
        places = [_place(doc, level) for doc in docs]
        answers = [_answer(doc, relevance, level) for doc, relevance in relevant.items()]
        run = [ir.ScoredDoc("q", str(doc), -float(rank)) for rank, doc in enumerate(docs)]
        graded = [ir.Qrel("q", str(doc), relevance) for doc, relevance in relevant.items()]
        binary = [ir.Qrel("q", str(doc), 1) for doc in relevant]
        mine = score(places, answers, level)
        theirs = ir.calc_aggregate(list(names.values()), graded, run)
        for name, measure in names.items():
            assert mine[name] == pytest.approx(theirs[measure], abs=1e-9), name
        published = ir.calc_aggregate([ir.nDCG @ 10], binary if level is Level.FILE else graded, run)
        assert mine["ndcg10"] == pytest.approx(published[ir.nDCG @ 10], abs=1e-9)


def _place(doc: int, level: Level) -> Place:
    """Documents that never overlap: a file each, or ten lines each of one file."""
    return Place(f"{doc}.py", 1, 5) if level is Level.FILE else Place("one.py", doc * 10 + 1, doc * 10 + 10)


def _answer(doc: int, relevance: int, level: Level) -> Answer:
    if level is Level.FILE:
        return Answer(f"{doc}.py", relevance=relevance)
    return Answer("one.py", doc * 10 + 4, doc * 10 + 6, relevance)
