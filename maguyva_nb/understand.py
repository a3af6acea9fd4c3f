"""Understanding a query: its grammar, its filters, its intent, and what it names. Needs no index."""

from __future__ import annotations

from dataclasses import replace

from maguyva_nb.config import Settings
from maguyva_nb.intent import classify
from maguyva_nb.query import parse_query
from maguyva_nb.retrieve.scope import read_filters
from maguyva_nb.retrieve.syntax import check_pattern
from maguyva_nb.route import SearchOptions
from maguyva_nb.types import Classification, Intent, Query, TargetKind

# Intents whose questions are about a name: their other words are the question's, not the code's.
RELATIONS = (Intent.FIND_REFERENCES, Intent.IMPACT_ANALYSIS)


def understand(text: str, options: SearchOptions, settings: Settings) -> tuple[Query, Classification]:
    """The parsed query with what it names, and its intent; needs no index."""
    query = parse_query(text, ignore_case=options.ignore_case, max_length=settings.search.max_query)
    query = replace(query, filters=read_filters(options.path, options.lang, options.no_tests))
    if query.ast is not None:
        check_pattern(query.ast, query.ast_language)
    found = classify(query, table=options.rules or settings.search.rules)
    if options.intent is not None and options.intent is not found.intent:
        found = replace(found, intent=options.intent, confidence=1.0, rule="override", span=None)
    return _with_target(query, found, settings.search.direct_confidence), found


def _with_target(query: Query, found: Classification, sure: float) -> Query:
    """The query with what the classifier found in it: a symbol to look up, or a text to verify.

    A literal inside a sentence replaces the sentence only when the classifier is ``sure`` that it is all that is asked.
    """
    target = found.target
    if target.kind is TargetKind.SYMBOL:
        names = tuple(dict.fromkeys((target.text, *query.symbols)))
        focus = target.text if found.intent in RELATIONS and found.confidence >= sure else ""
        return replace(query, symbols=names, direction=target.direction, focus=focus)
    if found.intent is Intent.EXACT_MATCH and target.kind is TargetKind.REGEX:
        return replace(query, regex=target.text)
    if found.intent is Intent.EXACT_MATCH and target.kind is TargetKind.LITERAL and found.confidence >= sure:
        return replace(query, literal=target.text)
    return replace(query, direction=target.direction or query.direction)
