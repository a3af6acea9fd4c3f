"""Metrics of one query: pure functions of its results, best first, and its answers.

Line level follows Octocode's benchmark: a result counts when it shares any line with an answer. File level follows
semble's: a file counts from the rank of its first chunk, and results are not reduced to one a file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from maguyva_nb.evaluate.records import Answer, Level, Place, Scores

# Every metric, in the order in which it is shown.
METRICS = (
    "mrr",
    "ndcg10",
    "ndcg10_strict",
    "hit1",
    "hit5",
    "hit10",
    "recall5",
    "recall10",
    "empty",
    "lines_per_result",
)
# The cut of both NDCG forms and of the mean length.
CUT = 10

Results = Sequence[Place]
Answers = Sequence[Answer]


def score(results: Results, answers: Answers, level: Level) -> Scores:
    """All metrics of one query, by name."""
    return {
        "mrr": reciprocal_rank(results, answers),
        "ndcg10": file_ndcg(results, answers) if level is Level.FILE else chunk_ndcg(results, answers),
        "ndcg10_strict": strict_ndcg(results, answers),
        "hit1": hit(results, answers, 1),
        "hit5": hit(results, answers, 5),
        "hit10": hit(results, answers, 10),
        "recall5": recall(results, answers, 5),
        "recall10": recall(results, answers, 10),
        "empty": float(not results),
        "lines_per_result": mean_lines(results),
    }


def answer_ranks(results: Results, answers: Answers) -> tuple[int | None, ...]:
    """For each answer the 0-based rank of the first result that matches it, or None."""
    return tuple(next((rank for rank, one in enumerate(results) if a.matches(one)), None) for a in answers)


def reciprocal_rank(results: Results, answers: Answers) -> float:
    """``1 / (rank + 1)`` of the first result that matches any answer, else 0."""
    found = [rank for rank in answer_ranks(results, answers) if rank is not None]
    return 1 / (min(found) + 1) if found else 0.0


def hit(results: Results, answers: Answers, k: int) -> float:
    """1 when one of the first k results matches any answer."""
    return float(any(answer.matches(one) for one in results[:k] for answer in answers))


def recall(results: Results, answers: Answers, k: int) -> float:
    """The share of the answers that the first k results match."""
    found = sum(rank is not None for rank in answer_ranks(results[:k], answers))
    return found / len(answers)


def chunk_ndcg(results: Results, answers: Answers, k: int = CUT) -> float:
    """The published form: ``sum(gain / log2(rank + 2)) / ideal``, where every result gains its best answer's relevance.

    Several results that overlap one answer all gain, so that this can exceed 1.
    """
    gains = [max((a.relevance for a in answers if a.matches(one)), default=0) for one in results[:k]]
    return _discounted(gains) / _ideal([a.relevance for a in answers], k)


def strict_ndcg(results: Results, answers: Answers, k: int = CUT) -> float:
    """As published, but each answer is credited once and each result credits one: the best not yet credited."""
    left = list(answers)
    gains: list[int] = []
    for one in results[:k]:
        best = max((a for a in left if a.matches(one)), key=lambda a: a.relevance, default=None)
        gains.append(0 if best is None else best.relevance)
        if best is not None:
            left.remove(best)
    return _discounted(gains) / _ideal([a.relevance for a in answers], k)


def file_ndcg(results: Results, answers: Answers, k: int = CUT) -> float:
    """semble's form: binary, each file of the answers once, at the rank of its first chunk."""
    files = list(dict.fromkeys(a.path for a in answers))
    ranks = answer_ranks(results[:k], [Answer(path) for path in files])
    return sum(1 / math.log2(rank + 2) for rank in ranks if rank is not None) / _ideal([1] * len(files), k)


def mean_lines(results: Results, k: int = CUT) -> float | None:
    """The mean number of lines of the first k results; None without results."""
    top = results[:k]
    return sum(one.lines for one in top) / len(top) if top else None


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def _ideal(relevances: Sequence[int], k: int) -> float:
    return _discounted(sorted(relevances, reverse=True)[:k])
