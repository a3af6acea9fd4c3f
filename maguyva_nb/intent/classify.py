"""What a query wants: ordered rules, first match wins, over the cue phrases of ``rules.toml``.

Two tables: ``article`` reads the original list literally, ``default`` is made for what people type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from maguyva_nb.errors import ConfigError
from maguyva_nb.intent.article import ARTICLE
from maguyva_nb.intent.definition import definition, keyword
from maguyva_nb.intent.exact import alone, any_target, asked_text, error_message, named_inside, several_lines
from maguyva_nb.intent.impact import impact
from maguyva_nb.intent.reading import Grade, Reading, target_of
from maguyva_nb.intent.references import references
from maguyva_nb.intent.relations import ASK_FOR_NAME, Found
from maguyva_nb.types import Classification, Intent, Query, RuleMatch, Target, TargetKind

Rule = Callable[[Reading], Found | None]

INTENTS: Mapping[str, Intent] = {
    "definition": Intent.FIND_DEFINITION,
    "references": Intent.FIND_REFERENCES,
    "impact": Intent.IMPACT_ANALYSIS,
    "exact": Intent.EXACT_MATCH,
    "similar": Intent.FIND_SIMILAR,
    "understand": Intent.UNDERSTAND_CODE,
}
FALLBACK = 0.40
GRAMMAR_TEXT = 0.90
GRAMMAR_AST = 0.95
QUESTION = 0.75
SIMILAR = 0.80
FALLBACK_NOTE = "No rule fits this query, so all lists are asked with the weights for understanding code."


def classify(query: Query, *, table: str = "default") -> Classification:
    """The intent of a query, by ``default`` or ``article`` rules; pure, and linear in the query's length."""
    if table not in TABLES:
        raise ConfigError(f"There is no rule table {table!r}.", next=f"Known: {', '.join(TABLES)}.")
    if query.literal is not None or query.regex is not None or query.ast is not None:
        return _grammar(query)
    reading = Reading(query)
    results = [match for rule in TABLES[table] if (match := rule(reading)) is not None]
    hits = [match for match in results if not match.near]
    best = hits[0] if hits else _fallback(reading)
    return Classification(
        intent=_intent(best),
        confidence=best.confidence,
        rule=best.rule,
        span=best.span,
        target=best.target,
        shadowed=tuple(dict.fromkeys(map(_as_match, hits[1:]))),
        near_misses=tuple(_as_match(m) for m in results if m.near and m.span not in (best.span, best.target.span)),
        note=best.note or _missing_name(reading, best),
    )


def _fallback(r: Reading) -> Found:
    return Found("understand.fallback", FALLBACK, None, any_target(r), FALLBACK_NOTE)


def _missing_name(r: Reading, best: Found) -> str:
    return ASK_FOR_NAME if best.target.kind is TargetKind.NONE and _says_this(r) else ""


def _says_this(r: Reading) -> bool:
    """Whether the query says "this function" and names nothing."""
    return any(r.at("kind", j) and not r.at("whole", j) for _, j in r.find("deictic"))


def _intent(match: Found) -> Intent:
    return INTENTS[match.rule.removeprefix("article.").split(".")[0]]


def _as_match(match: Found) -> RuleMatch:
    return RuleMatch(match.rule, _intent(match), match.confidence, match.span, match.note)


def _grammar(query: Query) -> Classification:
    span = query.spans[0]
    if query.ast is not None:
        target = Target(TargetKind.AST, query.ast, span)
        return Classification(Intent.FIND_DEFINITION, GRAMMAR_AST, "grammar", span, target)
    kind = TargetKind.REGEX if query.regex is not None else TargetKind.LITERAL
    target = Target(kind, query.regex or query.literal or "", span)
    return Classification(Intent.EXACT_MATCH, GRAMMAR_TEXT, "grammar", span, target)


def _similar(r: Reading) -> Found | None:
    if r.asks_how:
        return None
    hit = next(_likenesses(r), None)
    if hit is None:
        return None
    thing = r.resolve(r.object_at(hit[1]))
    note = "Paste the code to compare with, or name a symbol." if thing.grade <= Grade.DEICTIC else ""
    return Found("similar.cue", SIMILAR, r.span(hit[0], hit[1]), target_of(thing.token), note)


def _likenesses(r: Reading) -> Iterator[tuple[int, int]]:
    for i, j in r.find("similar"):
        # "cómo está" asks, "como esta" compares.
        if r.tokens[i].fold != "como" or all(t.text.isascii() for t in r.tokens[i:j]):
            yield i, j
    for i, j in r.find("like", 1):
        if r.at("kind", i - 1) and r.object_at(j).grade in (Grade.SHAPED, Grade.DEICTIC):
            yield i, j


def _question(r: Reading) -> Found | None:
    end = r.at("question", r.start) or r.at("understand", r.start)
    hit = (r.start, end) if end else next(iter(_spoken(r)), None)
    if hit is None:
        return None
    return Found("understand.question", QUESTION, r.span(*hit), any_target(r))


def _spoken(r: Reading) -> Iterator[tuple[int, int]]:
    yield from r.find("understand")
    for i, token in enumerate(r.tokens):
        if token.text.lower() in r.cues.accented:
            yield i, i + 1


def _where_prose(r: Reading) -> Found | None:
    hit = next(r.find("where"), None)
    return Found("understand.where", QUESTION, r.span(*hit), any_target(r)) if hit else None


TABLES: Mapping[str, tuple[Rule, ...]] = {
    "default": (
        several_lines,
        keyword,
        asked_text,
        error_message,
        impact,
        references,
        _similar,
        definition,
        _question,
        alone,
        named_inside,
        _where_prose,
    ),
    "article": ARTICLE,
}
