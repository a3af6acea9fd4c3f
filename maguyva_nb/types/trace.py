"""What retrieval and fusion make: lists, results, and the trace that holds the whole story of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from maguyva_nb.types.asked import Classification, Query, Span
from maguyva_nb.types.enums import AbsentReason, Intent, Modality, Strategy
from maguyva_nb.types.translated import Translation


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One chunk in one list; its rank is its 0-based place. ``symbol_id`` when one symbol is meant.

    ``lines`` are the ranges of lines, of the file, that matched a literal, a regular expression or a syntax pattern.
    """

    chunk_id: int
    score: float
    symbol_id: int | None = None
    why: str = ""
    lines: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one modality found, best first, total order; ``warning`` says what went otherwise than asked."""

    modality: Modality
    hits: tuple[RankedHit, ...]
    elapsed_ms: float = 0.0
    note: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """Why a modality has no list."""

    reason: AbsentReason
    message: str = ""


@dataclass(frozen=True, slots=True)
class ChunkCard:
    """What fusion and every view need to know of a chunk, without its text.

    ``pagerank`` and ``in_degree`` are the largest of the chunk's symbols, 0 without one.
    ``demotions`` are named factors (``test``, ``vendor``, ...), in a fixed order.
    """

    chunk_id: int
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    is_test: bool
    pagerank: float = 0.0
    in_degree: int = 0
    demotions: tuple[tuple[str, float], ...] = ()

    @property
    def demotion(self) -> float:
        """The product of the named factors, 1.0 without any."""
        product = 1.0
        for _, factor in self.demotions:
            product *= factor
        return product


@dataclass(frozen=True, slots=True)
class Contribution:
    """``value = weight / (k + rank + 1) * boost`` of one modality."""

    modality: Modality
    rank: int
    weight: float
    boost: float
    value: float


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A result: ``score = sum of contribution values * demotion``; ``demotion`` is the product of the ``factors``."""

    chunk_id: int
    score: float
    contributions: tuple[Contribution, ...]
    centrality: float
    demotion: float
    folded: tuple[FusedHit, ...] = ()
    factors: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchWarning:
    """Something the user should know: ``stale``, ``modality_failed``, ``fallback``, ..."""

    type: str
    message: str


WeightRow = Mapping[Modality, float]


@dataclass(frozen=True, slots=True)
class Profile:
    """A named table of weights, one row an intent, all 24 cells present."""

    name: str
    weights: Mapping[Intent, WeightRow]

    def row(self, intent: Intent) -> WeightRow:
        """The four weights of an intent."""
        return self.weights[intent]


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """Everything fusion depends on besides lists and weights."""

    k: int
    boost_weight: float
    boost_cap: float
    centrality_scale: str
    max_per_file: int | None
    demote: bool = True
    file_decay: float = 1.0


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """The whole story of one search; views and explanations read it and compute nothing."""

    query: Query
    classification: Classification
    preset: str
    strategy: Strategy
    weights: WeightRow
    profile: Profile
    lists: Mapping[Modality, RankedList | Absent]
    cards: Mapping[int, ChunkCard]
    fusion: FusionSettings
    pagerank_max: float
    symbol_count: int
    results: tuple[FusedHit, ...]
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[SearchWarning, ...] = ()

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters of the query by name; every list was ranked inside them."""
        return self.query.filters.names

    @property
    def expansion(self) -> tuple[Translation, ...]:
        """The Spanish terms of the query with the English words that the lists were searched for instead."""
        return self.query.expansion

    @property
    def embedder(self) -> str | None:
        """The model whose vectors made the semantic list; None where there is no such list."""
        found = self.lists.get(Modality.SEMANTIC)
        return found.note if isinstance(found, RankedList) else None

    @property
    def profile_weights(self) -> WeightRow:
        """The profile's row for the intent, before route and preset."""
        return self.profile.row(self.classification.intent)
