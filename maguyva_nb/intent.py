"""What a query wants: ordered rules, first match wins, over the cue phrases of ``rules.toml``.

Two tables: ``article`` reads the original list literally, ``default`` is made for what people type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from maguyva_nb.errors import ConfigError
from maguyva_nb.intent_names import Shape
from maguyva_nb.intent_reading import Grade, Reading, Token, target_of
from maguyva_nb.intent_relations import ASK_FOR_NAME, Found, asks_for_name, definition, impact, references
from maguyva_nb.types import Classification, Direction, Intent, Query, RuleMatch, Span, Target, TargetKind

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
FALLBACK_NOTE = "No rule fits this query, so all lists are asked with the weights for understanding code."
IN_SENTENCE = 0.60  # a name among other words may be only an example
_STYLE_CONFIDENCE = {"snake": 0.70}  # every other shape of a name is 0.80
_TRACE = re.compile(
    r"(?im)^\s*(?:traceback \(most recent call last\)|file \"[^\"\n]+\", line \d|at \S[^\n]*:\d+|caused by:"
    r"|thread '[^'\n]*' panicked|goroutine \d|exception in thread|panic:)"
)
_ERROR_LINE = re.compile(r"\s*(?:[\w.]*(?:Error|Exception|Warning|Fault|Panic)|panic|fatal|error)\b: ++(?=\S)")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|\w\(|^\s*(?:def|class|func|fn|import|from|return|if|for|while|const|let|var|public|private|@\w+)\b.*[:({=;.]"
    r"|(?:^|\s)(?:[=+:-]?=|=>|->)\s|^\s*(?://|#|\*|```)|^(?: {2,}|\t)\S"
)
_HALF = 0.5  # from this share of lines on, several lines are code


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
        shadowed=tuple(map(_as_match, hits[1:])),
        near_misses=tuple(_as_match(m) for m in results if m.near and m.span not in (best.span, best.target.span)),
        note=best.note or _missing_name(reading, best),
    )


def _fallback(r: Reading) -> Found:
    return Found("understand.fallback", FALLBACK, None, _any_target(r), FALLBACK_NOTE)


def _missing_name(r: Reading, best: Found) -> str:
    return ASK_FOR_NAME if best.target.kind is TargetKind.NONE and asks_for_name(r) else ""


def _intent(match: Found) -> Intent:
    return INTENTS[match.rule.removeprefix("article.").split(".")[0]]


def _as_match(match: Found) -> RuleMatch:
    return RuleMatch(match.rule, _intent(match), match.confidence, match.span, match.note)


def _grammar(query: Query) -> Classification:
    span = query.spans[0]
    if query.ast is not None:
        target = Target(TargetKind.AST, query.ast, span)
        return Classification(Intent.FIND_DEFINITION, 0.95, "grammar", span, target)
    kind = TargetKind.REGEX if query.regex is not None else TargetKind.LITERAL
    target = Target(kind, query.regex or query.literal or "", span)
    return Classification(Intent.EXACT_MATCH, 0.90, "grammar", span, target)


def _any_target(r: Reading) -> Target:
    named = r.shaped()
    return target_of(named[0]) if named else Target()


# --- the default table -----------------------------------------------------------------------------


def _several_lines(r: Reading) -> Found | None:
    raw = r.query.raw
    trace = _TRACE.search(raw)
    if trace:
        note = "An error report is searched by its words: messages in code are seldom written as they are printed."
        return Found("exact.traceback", 0.85, (trace.start(), trace.end()), note=note)
    lines = [line for line in raw.split("\n") if line.strip()]
    if len(lines) < 2 or sum(bool(_CODE_LINE.search(line)) for line in lines) < _HALF * len(lines):
        return None
    start = len(raw) - len(raw.lstrip())
    return Found("similar.code", 0.80, (start, len(raw.rstrip())))


def _keyword(r: Reading) -> Found | None:
    """A definition keyword, but only before something that can be a name in code."""
    i, modifiers = r.start, 0
    while i + 1 < len(r.tokens) and (r.at("skip", i) or r.at("keyword.modifier", i)):
        modifiers += r.at("keyword.modifier", i) is not None
        i += 1
    if modifiers > 1 and i + 1 == len(r.tokens) and not r.at("keyword.prose", i):  # "public static void main"
        return Found("definition.keyword", 0.95, r.span(r.start, i + 1), target_of(r.tokens[i]))
    code, prose = r.at("keyword.code", i), r.at("keyword.prose", i)
    end = code or prose
    if end is None:
        return None
    receiver = r.query.raw[r.tokens[i].span[1] :].lstrip().startswith("(")
    k = next((n for n in range(end, len(r.tokens)) if not r.at("skip", n)), len(r.tokens))
    if receiver and code:
        k = next((n for n in range(end, len(r.tokens)) if r.tokens[n].style == "call"), k)
    token = r.tokens[k] if k < len(r.tokens) else None
    span = (r.tokens[i].span[0], token.span[1]) if token else r.tokens[i].span
    if token is not None and _can_be_defined(r, token, k, bool(code)):
        return Found("definition.keyword", 0.95, span, target_of(token))
    return Found("definition.keyword", 0.95, span, note="the keyword opens prose, not code", near=True)


def _can_be_defined(r: Reading, token: Token, k: int, code: bool) -> bool:
    if token.shape in (Shape.NAME, Shape.MARK):
        return k == len(r.tokens) - 1 or r.first(("stop", "link"), k + 1, k + 2) is None or token.style == "call"
    last = k == len(r.tokens) - 1
    punctuated = r.query.raw[token.span[1] : token.span[1] + 1] in tuple(":({=<;")
    return token.shape is Shape.WORD and (punctuated or (last and (code or token.text[0].isupper())))


def _asked_text(r: Reading) -> Found | None:
    """A literal that is asked for: quoted after "find" or "the string", or plain after them."""
    if r.asks_how:
        return None
    quote = next((i for i, t in enumerate(r.tokens) if t.shape is Shape.QUOTE), None)
    if quote is not None:
        asked = r.first(("text", "contain"), max(0, quote - 3), quote) or r.first(("contain",), quote, len(r.tokens))
        if r.searches or asked:
            start, end = (asked[0], asked[1]) if asked else (0, 1)
            return Found("exact.asked", 0.90, r.span(start, end), _literal(r.tokens[quote]))
        return None
    if r.searches and r.at("grep", 0):
        return _rest(r, "exact.grep", 0.90, 0, r.start)
    return _announced(r)


def _announced(r: Reading) -> Found | None:
    i = r.start
    while i < len(r.tokens) and (r.at("skip", i) or (i == r.start and r.at("lead", i))):
        i += 1
    end = r.at("announced", i)
    if end is None or end >= len(r.tokens) or not (r.searches or i > r.start):
        return None
    if any(r.at("kind", k) for k in range(end, len(r.tokens))):
        return Found("exact.announced", 0.80, r.span(i, end), note="the text looks like a description", near=True)
    return _rest(r, "exact.announced", 0.90 if r.shaped(end) else 0.80, i, end)


def _rest(r: Reading, rule: str, confidence: float, i: int, end: int) -> Found:
    span = r.span(end, len(r.tokens))
    target = Target(TargetKind.LITERAL, r.query.raw[slice(*span)], span)
    return Found(rule, confidence, r.span(i, end), target)


def _literal(token: Token) -> Target:
    return Target(TargetKind.LITERAL, token.text, token.span)


def _error_message(r: Reading) -> Found | None:
    """ "ValueError: message" alone; the message is what can stand in code."""
    at = r.tokens[r.start].span[0] if r.tokens else 0
    match = _ERROR_LINE.match(r.query.raw, at)
    if match is None:
        return None
    span = (match.end(), len(r.query.raw.rstrip()))
    return Found(
        "exact.error", 0.85, (match.start(), match.end()), Target(TargetKind.LITERAL, r.query.raw[slice(*span)], span)
    )


def _similar(r: Reading) -> Found | None:
    if r.asks_how:
        return None
    hit = next(_likenesses(r), None)
    if hit is None:
        return None
    thing = r.resolve(r.object_at(hit[1]))
    note = "Paste the code to compare with, or name a symbol." if thing.grade <= Grade.DEICTIC else ""
    return Found("similar.cue", 0.80, r.span(hit[0], hit[1]), target_of(thing.token), note)


def _likenesses(r: Reading) -> Iterator[tuple[int, int]]:
    for i, j in r.find("similar"):
        if all(t.text.isascii() for t in r.tokens[i:j]):  # "cómo está" asks, "como esta" compares
            yield i, j
    for i, j in r.find("like", 1):
        if r.at("kind", i - 1) and r.object_at(j).grade in (Grade.SHAPED, Grade.DEICTIC):
            yield i, j


def _question(r: Reading) -> Found | None:
    end = r.at("question", r.start) or r.at("understand", r.start)
    hit = (r.start, end) if end else next(iter(_spoken(r)), None)
    if hit is None:
        return None
    return Found("understand.question", 0.75, r.span(*hit), _any_target(r))


def _spoken(r: Reading) -> Iterator[tuple[int, int]]:
    yield from r.find("understand")
    for i, token in enumerate(r.tokens):
        if token.text.lower() in r.cues.accented:
            yield i, i + 1


def _alone(r: Reading) -> Found | None:
    """Nothing but a quotation, a name or a code-like literal, with articles and kind words at most."""
    named = [t for t in r.tokens[r.start :] if t.shape is not Shape.WORD]
    small = all(t.shape is not Shape.WORD or r.at("skip", i) or r.at("kind", i) for i, t in r.after_lead())
    if len(r.tokens) == 1 and (r.at("keyword.code", 0) or r.at("keyword.prose", 0)):
        return Found("exact.keyword", IN_SENTENCE, r.span(0, 1), _literal(r.tokens[0]))
    if not named or not small:
        return _known_message(r)
    token = named[0]
    if token.shape is Shape.QUOTE:
        return Found("exact.quoted", 0.90 if len(named) == 1 else 0.80, token.span, _literal(token))
    if token.shape is Shape.LITERAL:
        return Found(f"exact.{token.style}", 0.85, token.span, _literal(token))
    confidence = _STYLE_CONFIDENCE.get(token.style, 0.80)
    return Found(f"definition.{token.style or 'marked'}", confidence, token.span, target_of(token))


def _known_message(r: Reading) -> Found | None:
    for i, j in r.find("error"):
        alone = i == r.start and j == len(r.tokens)
        span = r.span(i, j)
        target = Target(TargetKind.LITERAL, r.query.raw[slice(*span)], span)
        return Found("exact.error", 0.85 if alone else IN_SENTENCE, span, target)
    for i, j in r.find("number"):
        if j < len(r.tokens) and r.tokens[j].text.isdigit():
            span = r.span(i, j + 1)
            return Found("exact.number", 0.85, span, Target(TargetKind.LITERAL, r.query.raw[slice(*span)], span))
    return None


def _named_inside(r: Reading) -> Found | None:
    """A name or literal among other words; a quotation there is only a near miss."""
    for token in r.shaped():
        if token.shape is Shape.QUOTE:
            return Found(
                "exact.quoted", IN_SENTENCE, token.span, _literal(token), "quoted, but not asked for", near=True
            )
        if token.shape is Shape.LITERAL and token.style != "diagnostic":
            return Found(f"exact.{token.style}", IN_SENTENCE, token.span, _literal(token))
        if token.shape in (Shape.NAME, Shape.MARK):
            return Found("definition.inside", IN_SENTENCE, token.span, target_of(token))
    return None


def _where_prose(r: Reading) -> Found | None:
    hit = next(r.find("where"), None)
    return Found("understand.where", 0.75, r.span(*hit), _any_target(r)) if hit else None


# --- the article's table ---------------------------------------------------------------------------


def _article_phrase(family: str, rule: str, confidence: float, direction: Direction | None = None) -> Rule:
    def look(r: Reading) -> Found | None:
        span = _whole_phrase(r, family)
        return (
            Found(f"article.{rule}", confidence, span, replace(_any_target(r), direction=direction)) if span else None
        )

    return look


def _whole_phrase(r: Reading, family: str) -> Span | None:
    lowered = r.query.raw.lower()
    for phrase in r.cues.article[family]:
        tail = r"(?!\w)" if phrase[-1].isalnum() else ""
        if match := re.search(rf"(?<!\w){re.escape(phrase)}{tail}", lowered):
            return match.span()
    return None


def _article_keyword(r: Reading) -> Found | None:
    raw = r.query.raw
    at = len(raw) - len(raw.lstrip())
    for word in r.cues.article["keyword"]:
        if raw.startswith(f"{word} ", at):
            named = r.shaped() or list(r.tokens[1:2])
            return Found(
                "article.definition.keyword", 0.95, (at, at + len(word)), target_of(named[0] if named else None)
            )
    return None


def _article_quoted(r: Reading) -> Found | None:
    quote = next((t for t in r.tokens if t.shape is Shape.QUOTE), None)
    return Found("article.exact.quoted", 0.90, quote.span, _literal(quote)) if quote else None


def _article_error(r: Reading) -> Found | None:
    code = next((t for t in r.tokens if t.style == "code"), None)
    if code:
        return Found("article.exact.error", 0.85, code.span, _literal(code))
    return _article_phrase("error", "exact.error", 0.85)(r)


def _article_identifier(r: Reading) -> Found | None:
    for style, confidence in (("camel", 0.80), ("snake", 0.70)):
        token = next((t for t in r.tokens if t.style == style), None)
        if token:
            level = confidence if len(r.tokens) == 1 else IN_SENTENCE
            return Found(f"article.definition.{style}", level, token.span, target_of(token))
    return None


TABLES: Mapping[str, tuple[Rule, ...]] = {
    "default": (
        _several_lines,
        _keyword,
        _asked_text,
        _error_message,
        impact,
        references,
        _similar,
        definition,
        _question,
        _alone,
        _named_inside,
        _where_prose,
    ),
    "article": (
        _article_keyword,
        _article_phrase("references", "references.cue", 0.90, Direction.BACKWARD),
        _article_phrase("impact", "impact.cue", 0.90, Direction.BACKWARD),
        _article_quoted,
        _article_error,
        _article_identifier,
        _article_phrase("understand", "understand.question", 0.75),
    ),
}
