"""Closed lists of names; the order of members is the order in which things are shown and summed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


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
