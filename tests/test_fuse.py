"""Expected values are written as the arithmetic of the formula."""

from __future__ import annotations

import math
import random

import pytest

from maguyva_nb.fuse import boost_of, fuse, limit_per_file, rrf_value
from maguyva_nb.types import ChunkCard, FusionSettings, Modality, RankedHit, RankedList

PLAIN = FusionSettings(k=60, boost_weight=0.3, boost_cap=1.5, centrality_scale="pagerank_max", max_per_file=None)


def ranked(modality: Modality, *chunk_ids: int) -> RankedList:
    return RankedList(modality, tuple(RankedHit(i, 1.0 / (n + 1)) for n, i in enumerate(chunk_ids)))


def card(chunk_id: int, path: str = "", **more: object) -> ChunkCard:
    place = {"start_line": 1 + chunk_id, "end_line": 1 + chunk_id, "symbol": "", "kind": "function", "is_test": False}
    return ChunkCard(chunk_id, path or f"{chunk_id}.py", **{**place, **more})  # type: ignore[arg-type]


def scores(hits: tuple) -> dict[int, float]:
    return {hit.chunk_id: hit.score for hit in hits}


def run(
    lists: list[RankedList],
    weights: dict[Modality, float],
    cards: list[ChunkCard],
    settings: FusionSettings = PLAIN,
    **more: object,
):
    given = {"pagerank_max": 1.0, "symbols": 10, **more}
    return fuse(lists, weights, {c.chunk_id: c for c in cards}, settings, **given)  # type: ignore[arg-type]


def test_a_chunk_in_two_lists_sums_both_terms() -> None:
    lists = [ranked(Modality.TEXT, 1, 2), ranked(Modality.SEMANTIC, 2, 3)]
    hits = run(lists, {Modality.TEXT: 0.2, Modality.SEMANTIC: 0.5}, [card(1), card(2), card(3)])
    assert scores(hits) == pytest.approx({1: 0.2 / 61, 2: 0.2 / 62 + 0.5 / 61, 3: 0.5 / 62})
    assert [hit.chunk_id for hit in hits] == [2, 3, 1]


def test_every_score_is_its_ledger_times_its_factors() -> None:
    rng = random.Random(7)
    for _ in range(200):
        ids = range(12)
        lists = [ranked(m, *rng.sample(ids, rng.randint(0, 12))) for m in Modality]
        cards = [
            card(
                i,
                pagerank=rng.random(),
                demotions=(("test", rng.choice([0.5, 1.0])), ("vendor", rng.choice([0.7, 1.0]))),
            )
            for i in ids
        ]
        weights = {m: rng.random() for m in Modality}
        for hit in run(lists, weights, cards):
            ledger = sum(c.weight / (60 + c.rank + 1) * c.boost for c in hit.contributions)
            assert hit.score == pytest.approx(ledger * hit.demotion, rel=1e-12)
            assert all(
                lists[list(Modality).index(c.modality)].hits[c.rank].chunk_id == hit.chunk_id for c in hit.contributions
            )


def test_order_is_the_same_whatever_order_the_lists_come_in() -> None:
    lists = [ranked(m, *random.Random(i).sample(range(40), 40)) for i, m in enumerate(Modality)]
    weights = dict.fromkeys(Modality, 0.25)
    cards = [card(i, path=f"{i % 7}.py") for i in range(40)]
    assert run(lists, weights, cards) == run(lists[::-1], weights, cards[::-1])


def test_equal_scores_are_ordered_by_path_then_line() -> None:
    lists = [ranked(Modality.TEXT, 1), ranked(Modality.SEMANTIC, 2), ranked(Modality.GRAPH, 3)]
    cards = [card(1, "b.py"), card(2, "a.py", start_line=9), card(3, "a.py", start_line=2)]
    hits = run(lists, dict.fromkeys(Modality, 1.0), cards)
    assert [hit.chunk_id for hit in hits] == [3, 2, 1]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("pagerank_max", 0.02 / 0.04),
        ("pagerank_mean", 0.02 * 500),
        ("in_degree", 30.0),
        ("pagerank_raw", 0.02),
        ("off", 0.0),
    ],
)
def test_each_scale_enters_the_boost_as_named(scale: str, expected: float) -> None:
    settings = FusionSettings(60, 0.3, 1.5, scale, None)
    (hit,) = run(
        [ranked(Modality.TEXT, 1)],
        {Modality.TEXT: 1.0},
        [card(1, pagerank=0.02, in_degree=30)],
        settings,
        pagerank_max=0.04,
        symbols=500,
    )
    assert hit.centrality == pytest.approx(expected)
    assert hit.contributions[0].boost == pytest.approx(min(1 + 0.3 * math.log(1 + expected), 1.5))


def test_pagerank_max_can_never_boost_past_121_percent() -> None:
    assert boost_of(1.0, PLAIN) == pytest.approx(1 + 0.3 * math.log(2))
    assert boost_of(1e9, PLAIN) == 1.5


def test_a_list_alone_is_not_boosted_but_still_demoted() -> None:
    cards = [card(1, pagerank=1.0, demotions=(("test", 0.5),)), card(2)]
    hits = run([ranked(Modality.TEXT, 1, 2)], {Modality.TEXT: 1.0}, cards, boosted=False)
    assert scores(hits) == pytest.approx({2: 1 / 62, 1: 1 / 61 * 0.5})


def test_weight_zero_adds_nothing() -> None:
    lists = [ranked(Modality.TEXT, 1), ranked(Modality.GRAPH, 2)]
    assert [h.chunk_id for h in run(lists, {Modality.TEXT: 1.0, Modality.GRAPH: 0.0}, [card(1), card(2)])] == [1]


def test_one_per_file_folds_siblings_under_the_best_of_their_file() -> None:
    cards = {c.chunk_id: c for c in (card(1, "a.py"), card(2, "b.py"), card(3, "a.py"), card(4, "a.py"))}
    hits = run([ranked(Modality.TEXT, 1, 2, 3, 4)], {Modality.TEXT: 1.0}, list(cards.values()))
    limited = limit_per_file(hits, cards, 1)
    assert [(h.chunk_id, [f.chunk_id for f in h.folded]) for h in limited] == [(1, [3, 4]), (2, [])]
    assert [(h.chunk_id, [f.chunk_id for f in h.folded]) for h in limit_per_file(hits, cards, 2)] == [
        (1, [4]),
        (2, []),
        (3, []),
    ]
    assert limit_per_file(hits, cards, None) == hits


def test_a_ratio_above_the_switch_point_silences_the_other_list() -> None:
    k, depth = 40, 100
    ratio = (k + depth) / (k + 1)
    last_of_strong = rrf_value(ratio * 1.01, depth - 1, k)
    assert last_of_strong > rrf_value(1.0, 0, k) > rrf_value(ratio * 0.99, depth - 1, k)


def test_further_results_of_one_file_count_less_and_less() -> None:
    settings = FusionSettings(60, 0.3, 1.5, "off", None, file_decay=0.5)
    cards = [card(1, "a.py"), card(2, "a.py"), card(3, "a.py"), card(4, "b.py")]
    hits = run([ranked(Modality.TEXT, 1, 2, 3, 4)], {Modality.TEXT: 1.0}, cards, settings)
    assert scores(hits) == pytest.approx({1: 1 / 61, 4: 1 / 64, 2: 1 / 62 * 0.5, 3: 1 / 63 * 0.25})
    assert [hit.chunk_id for hit in hits] == [1, 4, 2, 3]
    assert [dict(hit.factors) for hit in hits] == [{}, {}, {"same_file": 0.5}, {"same_file": 0.25}]
    assert all(hit.demotion == math.prod(f for _, f in hit.factors) for hit in hits)
