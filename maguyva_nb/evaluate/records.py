"""What evaluation hands around: queries with their answers, and figures with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from maguyva_nb.types import Intent, Modality, SearchWarning

# Values by metric name; None where a metric does not apply (lines of no result).
Scores = Mapping[str, float | None]


class Level(StrEnum):
    """What an answer is: a range of lines, or a whole file."""

    LINE = "line"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result is: 1-based inclusive lines of a file."""

    path: str
    start: int
    end: int

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.end - self.start + 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query should find; without lines it is the whole file. ``relevance`` is 1 or more."""

    path: str
    start: int | None = None
    end: int | None = None
    relevance: int = 1

    def matches(self, place: Place) -> bool:
        """True when the result shares a line with this answer (any line of its file where it has none)."""
        if self.path != place.path:
            return False
        return self.start is None or self.end is None or (self.start <= place.end and place.start <= self.end)


@dataclass(frozen=True, slots=True)
class EvalQuery:
    """A query with its answers; ``intent`` and ``category`` are labels that a set may carry."""

    id: str
    query: str
    lang: str
    intent: Intent | None
    category: str | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Queries over one codebase, all of one level; ids are unique. ``left_out`` counts rows without an answer."""

    name: str
    queries: tuple[EvalQuery, ...]
    level: Level
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over queries and its bootstrap interval; all None where no query has the metric."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The metrics of some queries."""

    n: int
    metrics: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class QueryResult:
    """How one query fared. ``ranks[i]`` is the 0-based rank of the first result that matches answer i, or None."""

    query: EvalQuery
    intent: Intent
    route: str
    results: int
    ranks: tuple[int | None, ...]
    scores: Scores
    by_modality: Mapping[Modality, Scores]


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired mean difference, its interval and the p of a two-sided randomisation test."""

    difference: float | None
    low: float | None
    high: float | None
    p: float
    distinguishable: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run minus another over the ``n`` queries that both have."""

    other: str
    n: int
    metrics: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A whole run. ``config`` is the hash of all that decides the results beside code, index and model."""

    query_set: str
    level: Level
    overall: Summary
    by_intent: Mapping[str, Summary]
    by_lang: Mapping[str, Summary]
    by_category: Mapping[str, Summary]
    by_modality: Mapping[str, Summary]
    per_query: tuple[QueryResult, ...]
    config: str
    model: str
    commit: str | None
    warnings: tuple[SearchWarning, ...] = field(default=())
