"""The vocabulary: what every layer hands to the next, and nothing else.

Lines are 1-based and inclusive, ranks are 0-based, spans are code-point ``[start, end)``.
"""

from typing import Any

from maguyva_nb.types.asked import NO_FILTERS, Classification, Example, Filters, Query, RuleMatch, Span, Target
from maguyva_nb.types.enums import (
    FIELD_CODE,
    AbsentReason,
    Direction,
    EdgeKind,
    Field,
    FileStatus,
    Intent,
    Modality,
    Resolution,
    Strategy,
    SymbolKind,
    TargetKind,
)
from maguyva_nb.types.indexed import CallSite, Chunk, Edge, Progress, ProgressListener, SourceFile, Symbol
from maguyva_nb.types.radius import Impact, ImpactNode
from maguyva_nb.types.trace import (
    Absent,
    ChunkCard,
    Contribution,
    FusedHit,
    FusionSettings,
    Profile,
    RankedHit,
    RankedList,
    SearchTrace,
    SearchWarning,
    WeightRow,
)
from maguyva_nb.types.translated import Translation

Json = dict[str, Any]

__all__ = [
    "FIELD_CODE",
    "NO_FILTERS",
    "Absent",
    "AbsentReason",
    "CallSite",
    "Chunk",
    "ChunkCard",
    "Classification",
    "Contribution",
    "Direction",
    "Edge",
    "EdgeKind",
    "Example",
    "Field",
    "FileStatus",
    "Filters",
    "FusedHit",
    "FusionSettings",
    "Impact",
    "ImpactNode",
    "Intent",
    "Json",
    "Modality",
    "Profile",
    "Progress",
    "ProgressListener",
    "Query",
    "RankedHit",
    "RankedList",
    "Resolution",
    "RuleMatch",
    "SearchTrace",
    "SearchWarning",
    "SourceFile",
    "Span",
    "Strategy",
    "Symbol",
    "SymbolKind",
    "Target",
    "TargetKind",
    "Translation",
    "WeightRow",
]
