"""The vocabulary: what every layer hands to the next, and nothing else.

Lines are 1-based and inclusive, ranks are 0-based, spans are code-point ``[start, end)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Span = tuple[int, int]


class Modality(StrEnum):
    """The four retrievers; the order of the members is the order of every sum."""

    SEMANTIC = "semantic"
    TEXT = "text"
    STRUCTURAL = "structural"
    GRAPH = "graph"


class Intent(StrEnum):
    """What a query wants; one row of a weight profile each."""

    FIND_DEFINITION = "find_definition"
    FIND_REFERENCES = "find_references"
    UNDERSTAND_CODE = "understand_code"
    FIND_SIMILAR = "find_similar"
    IMPACT_ANALYSIS = "impact_analysis"
    EXACT_MATCH = "exact_match"


class Strategy(StrEnum):
    """How the final list came about."""

    SINGLE = "single"
    DIRECT = "direct"
    RRF = "rrf"


class AbsentReason(StrEnum):
    """Why a modality has no list in a trace."""

    OFF_PRESET = "off_preset"
    WEIGHT_ZERO = "weight_zero"
    DIRECT = "direct"
    FAILED = "failed"


class TargetKind(StrEnum):
    """What a query names."""

    SYMBOL = "symbol"
    LITERAL = "literal"
    REGEX = "regex"
    AST = "ast"
    NONE = "none"


class Direction(StrEnum):
    """Backward: callers and dependants. Forward: callees and dependencies."""

    BACKWARD = "backward"
    FORWARD = "forward"


class SymbolKind(StrEnum):
    """The closed list of symbol kinds."""

    MODULE = "module"
    CLASS = "class"
    INTERFACE = "interface"
    STRUCT = "struct"
    ENUM = "enum"
    TRAIT = "trait"
    FUNCTION = "function"
    METHOD = "method"
    CONSTANT = "constant"
    VARIABLE = "variable"
    TYPE = "type"
    MACRO = "macro"
    SECTION = "section"


class EdgeKind(StrEnum):
    """Kinds of dependency; ``contains`` is structure and never part of a blast radius."""

    CALLS = "calls"
    IMPORTS = "imports"
    INHERITS = "inherits"
    REFERENCES = "references"
    CONTAINS = "contains"


class Resolution(StrEnum):
    """How a call site or an edge was resolved, strongest first."""

    SCIP = "scip"
    SAME_SCOPE = "same_scope"
    SAME_FILE = "same_file"
    IMPORT = "import"
    SELF = "self"
    TYPE = "type"
    HIERARCHY = "hierarchy"
    VALUE = "value"
    NAME_ONLY = "name_only"
    EXTERNAL = "external"
    UNRESOLVED = "unresolved"


class FileStatus(StrEnum):
    """``partial`` and ``skipped`` always carry a reason."""

    INDEXED = "indexed"
    PARTIAL = "partial"
    SKIPPED = "skipped"


class Field(StrEnum):
    """The searchable fields of a chunk, in the order of their codes in the index."""

    NAME = "name"
    PATH = "path"
    DOC = "doc"
    BODY = "body"


FIELD_CODE: Mapping[Field, int] = {f: i for i, f in enumerate(Field)}


# --- what indexing makes -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One row of ``files``."""

    file_id: int
    path: str
    language: str | None
    bytes: int
    lines: int
    sha256: str
    mtime_ns: int
    status: FileStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One row of ``chunks``; the chunks of a file partition its lines."""

    chunk_id: int
    file_id: int
    kind: str
    name: str
    start_line: int
    end_line: int
    text: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """One row of ``symbols``; ``line`` is that of the name token."""

    symbol_id: int
    file_id: int
    chunk_id: int
    parent_id: int | None
    name: str
    qualified_name: str
    kind: SymbolKind
    signature: str
    doc: str
    line: int
    start_line: int
    end_line: int
    exported: bool
    is_test: bool


@dataclass(frozen=True, slots=True)
class CallSite:
    """One row of ``call_sites``; a site may have several edges or none."""

    site_id: int
    file_id: int
    caller_id: int
    name: str
    receiver: str | None
    line: int
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Edge:
    """One row of ``edges``: ``src`` depends on ``dst`` (symbol ids)."""

    src: int
    dst: int
    kind: EdgeKind
    confidence: float
    provenance: Resolution
    line: int
    site_id: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """One event of long work; ``total`` is 0 while it is unknown."""

    stage: str
    done: int
    total: int


ProgressListener = Callable[[Progress], None]


# --- what a query becomes ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: at most one of literal, regex and ast is set, else it is words."""

    raw: str
    literal: str | None = None
    regex: str | None = None
    ast: str | None = None
    ast_language: str | None = None
    symbols: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    direction: Direction | None = None
    ignore_case: bool = False

    @property
    def words(self) -> str:
        """The text that word-wise retrievers search: the form's inside, or the raw query."""
        return self.literal or self.regex or self.ast or self.raw


@dataclass(frozen=True, slots=True)
class Target:
    """What the query names, where (span in the raw query) and in which direction."""

    kind: TargetKind = TargetKind.NONE
    text: str = ""
    span: Span | None = None
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule that matched but did not win, or (near miss) almost matched."""

    rule: str
    intent: Intent
    confidence: float
    span: Span | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Classification:
    """The intent of a query, the rule that said so, and the rules it beat."""

    intent: Intent
    confidence: float
    rule: str
    span: Span | None
    target: Target = Target()
    shadowed: tuple[RuleMatch, ...] = ()
    near_misses: tuple[RuleMatch, ...] = ()
    note: str = ""


# --- what retrieval and fusion make --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One chunk in one list; its rank is its 0-based place. ``symbol_id`` when one symbol is meant."""

    chunk_id: int
    score: float
    symbol_id: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one modality found, best first, total order."""

    modality: Modality
    hits: tuple[RankedHit, ...]
    elapsed_ms: float = 0.0
    note: str = ""


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
    """A result: ``score = sum of contribution values * demotion``."""

    chunk_id: int
    score: float
    contributions: tuple[Contribution, ...]
    centrality: float
    demotion: float
    folded: tuple[FusedHit, ...] = ()


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
    def profile_weights(self) -> WeightRow:
        """The profile's row for the intent, before route and preset."""
        return self.profile.row(self.classification.intent)


# --- what the graph answers ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ImpactNode:
    """A symbol reached over reversed dependency edges; ``edge`` is the kind of the last edge."""

    symbol_id: int
    path: str
    line: int
    name: str
    qualified_name: str
    kind: str
    depth: int
    confidence: float
    edge: str | None
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """A blast radius. ``paths`` maps a reached symbol id to the ids from the target to it."""

    symbol: ImpactNode | None
    candidates: tuple[ImpactNode, ...]
    reached: tuple[ImpactNode, ...]
    paths: Mapping[int, tuple[int, ...]]
    files: int
    lines: int
    sites_total: int
    unresolved_sites: int
    answers: tuple[Impact, ...] = ()


Json = dict[str, Any]
