"""The JSON of the command line: one function a shape, keys fixed by the contract. Ranks are 0-based."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from maguyva_nb.embed.listing import HOW, ModelRow
from maguyva_nb.engine import Explorer
from maguyva_nb.errors import MaguyvaError
from maguyva_nb.index.build import IndexReport
from maguyva_nb.pattern import PatternError, compile_pattern
from maguyva_nb.tokens import query_terms, terms_of
from maguyva_nb.types import (
    Absent,
    ChunkCard,
    Classification,
    FusedHit,
    Impact,
    ImpactNode,
    Json,
    Profile,
    Query,
    RankedList,
    RuleMatch,
    SearchTrace,
    SymbolKind,
    Target,
    Translation,
    WeightRow,
)

# A chunk's text in JSON is cut to this many characters around the first match.
TEXT_LIMIT = 4000
# A place to cut at is worth no longer search.
EXCERPT_S = 0.1


def error_json(error: MaguyvaError) -> Json:
    """What went wrong and what to do next."""
    return {"error": {"type": type(error).__name__, "message": error.message, "next": error.next}}


def search_json(trace: SearchTrace, explorer: Explorer, *, top: int) -> Json:
    """A whole search; ``top`` cuts the results and never the lists."""
    texts = explorer.reader.texts([hit.chunk_id for hit in trace.results[:top]])
    return {
        "query": trace.query.raw,
        **classification_json(trace.classification),
        "preset": trace.preset,
        "fusion_strategy": str(trace.strategy),
        "k": trace.fusion.k,
        "weights": _weights(trace.weights),
        "profile": trace.profile.name,
        "profile_weights": _weights(trace.profile_weights),
        "expansion": [_translation_json(term) for term in trace.expansion],
        "filters": list(trace.filters),
        "model": trace.embedder,
        "lists": {str(m): _list_json(one, trace.cards) for m, one in trace.lists.items()},
        "results": [
            _result_json(rank, hit, trace, texts[hit.chunk_id]) for rank, hit in enumerate(trace.results[:top])
        ],
        "timings_ms": {name: round(value, 3) for name, value in trace.timings_ms.items()},
        "warnings": [{"type": w.type, "message": w.message} for w in trace.warnings],
    }


def classification_json(found: Classification) -> Json:
    """``intent`` and ``target`` of a query."""
    return {
        "intent": {
            "name": str(found.intent),
            "confidence": found.confidence,
            "rule": found.rule,
            "span": found.span,
            "note": found.note,
            "shadowed": [_rule_json(match) for match in found.shadowed],
            "near_misses": [_rule_json(match) for match in found.near_misses],
        },
        "target": _target_json(found.target),
    }


def impact_json(impact: Impact) -> Json:
    """A blast radius; an ambiguous symbol has one answer a candidate."""
    names = {node.symbol_id: _path_name(node) for node in (*impact.candidates, *impact.reached)}
    direct = [node for node in impact.reached if node.depth == 1]
    depths = sorted({node.depth for node in impact.reached})
    return {
        "symbol": None if impact.symbol is None else _node_json(impact.symbol),
        "candidates": [_node_json(node) for node in impact.candidates],
        "direct": [_node_json(node) for node in direct],
        "transitive": [_node_json(node) for node in impact.reached if node.depth >= 2],
        "by_depth": {str(depth): sum(node.depth == depth for node in impact.reached) for depth in depths},
        "tests": [_node_json(node) for node in impact.reached if node.is_test],
        "entry_points": [],
        "files": impact.files,
        "lines": impact.lines,
        "paths": {names[end]: [names[step] for step in path] for end, path in impact.paths.items()},
        "sites_total": impact.sites_total,
        "unresolved_sites": impact.unresolved_sites,
        "external_sites": impact.external_sites,
        "answers": [impact_json(answer) for answer in impact.answers],
    }


def index_json(report: IndexReport) -> Json:
    """What indexing did."""
    return {
        "database": str(report.database),
        "files": report.files,
        "chunks": report.chunks,
        "symbols": report.symbols,
        "edges": report.edges,
        "call_sites": report.call_sites,
        "resolved": report.resolved,
        "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
        "partial": [{"path": path, "reason": reason} for path, reason in report.partial],
        "seconds": round(report.seconds, 3),
        "parse_errors": report.parse_errors,
        "model": report.model,
    }


def models_json(rows: Sequence[ModelRow], missing: Sequence[str]) -> Json:
    """The embedders that can be used at once, and the ways to others."""
    return {"embedders": [asdict(row) for row in rows], "ways": dict(HOW), "not_installed": list(missing)}


def profiles_json(profiles: Sequence[Profile]) -> Json:
    """All 24 cells of every profile."""
    return {
        "profiles": [
            {"name": p.name, "weights": {str(intent): _weights(row) for intent, row in p.weights.items()}}
            for p in profiles
        ]
    }


def excerpt(text: str, query: Query, limit: int = TEXT_LIMIT) -> str:
    """At most ``limit`` characters around the first match of the query in a text."""
    if len(text) <= limit:
        return text
    start = min(max(_first_match(text, query) - limit // 4, 0), len(text) - limit)
    return text[start : start + limit]


def _first_match(text: str, query: Query) -> int:
    if query.literal is not None:
        at = text.lower().find(query.literal.lower()) if query.ignore_case else text.find(query.literal)
        return max(at, 0)
    if query.regex is not None:
        return _first_regex_match(text, query)
    lowered = text.lower()
    places = [lowered.find(term) for word in query.words.split() for term in (*terms_of(word), word.lower())]
    places += [lowered.find(term) for term in query_terms(query.words)]
    return min((place for place in places if place >= 0), default=0)


def _first_regex_match(text: str, query: Query) -> int:
    try:
        match = compile_pattern(query.regex or "", ignore_case=query.ignore_case).search(text, timeout=EXCERPT_S)
    except (PatternError, TimeoutError):
        return 0
    return match.start() if match else 0


def _weights(row: WeightRow) -> Json:
    return {str(modality): weight for modality, weight in row.items()}


def _rule_json(match: RuleMatch) -> Json:
    return {
        "rule": match.rule,
        "intent": str(match.intent),
        "confidence": match.confidence,
        "span": match.span,
        "note": match.note,
    }


def _translation_json(term: Translation) -> Json:
    return {"span": term.span, "word": term.word, "english": list(term.english), "kept": term.kept}


def _target_json(target: Target) -> Json:
    return {
        "kind": str(target.kind),
        "text": target.text,
        "span": target.span,
        "direction": None if target.direction is None else str(target.direction),
    }


def _place(card: ChunkCard) -> Json:
    return {
        "path": card.path,
        "start_line": card.start_line,
        "end_line": card.end_line,
        "symbol": card.symbol,
        "kind": card.kind,
    }


def _list_json(one: RankedList | Absent, cards: Mapping[int, ChunkCard]) -> list[Json] | Json:
    if isinstance(one, Absent):
        return {"absent": str(one.reason), **({"message": one.message} if one.message else {})}
    return [
        {
            "rank": rank,
            **_place(cards[hit.chunk_id]),
            "score": hit.score,
            **({"lines": [list(lines) for lines in hit.lines]} if hit.lines else {}),
        }
        for rank, hit in enumerate(one.hits)
    ]


def _result_json(rank: int, hit: FusedHit, trace: SearchTrace, text: str) -> Json:
    return {
        "rank": rank,
        **_place(trace.cards[hit.chunk_id]),
        "score": hit.score,
        "contributions": [
            {"modality": str(c.modality), "rank": c.rank, "weight": c.weight, "boost": c.boost, "value": c.value}
            for c in hit.contributions
        ],
        "centrality": hit.centrality,
        "demotion": hit.demotion,
        "factors": dict(hit.factors),
        "folded": [{**_place(trace.cards[other.chunk_id]), "score": other.score} for other in hit.folded],
        "text": excerpt(text, trace.query),
    }


def _node_json(node: ImpactNode) -> Json:
    return {
        "path": node.path,
        "line": node.line,
        "name": node.name,
        "qualified_name": node.qualified_name,
        "kind": node.kind,
        "depth": node.depth,
        "confidence": round(node.confidence, 6),
        "edge": node.edge,
    }


def _path_name(node: ImpactNode) -> str:
    """``path:qualified_name``; a module goes by its path and name alike."""
    return f"{node.path}:{node.qualified_name if node.kind != SymbolKind.MODULE else node.name}"
