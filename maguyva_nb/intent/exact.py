"""Exact text: quotations, error reports and messages, codes, paths; and names that stand alone."""

from __future__ import annotations

import re

from maguyva_nb.intent.names import Shape
from maguyva_nb.intent.reading import Reading, Token, target_of
from maguyva_nb.intent.relations import Found
from maguyva_nb.types import Span, Target, TargetKind

ASKED_FOR = 0.90
TEXT_ALONE = 0.85
MAYBE_TEXT = 0.80  # plain words after "the string", or several quotations
IN_SENTENCE = 0.60  # a name among other words may be only an example
NAME_ALONE = 0.80
_STYLE_CONFIDENCE = {"snake": 0.70}  # as in the article; every other shape of a name is NAME_ALONE
CODE = 0.80
_TRACE = re.compile(
    r"(?im)^[ \t]*+(?:traceback \(most recent call last\)|file \"[^\"\n]+\", line \d|at \S[^\n]*:\d+|caused by:"
    r"|thread '[^'\n]*' panicked|goroutine \d|exception in thread|panic:)"
)
_ERROR_LINE = re.compile(r"\s*(?:[\w.]*(?:Error|Exception|Warning|Fault|Panic)|panic|fatal|error)\b: ++(?=\S)")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|\w\(|^\s*(?:def|class|func|fn|import|from|return|if|for|while|const|let|var|public|private|@\w+)\b.*[:({=;.]"
    r"|(?:^|\s)(?:[=+:-]?=|=>|->)\s|^\s*(?://|#|\*|```)|^(?: {2,}|\t)\S"
)
_ALTERNATIVES = re.compile(r"[\w.-]++(?:\s*+\\?\|\s*+[\w.-]++)++")
_PATTERN = re.compile(r"\.[*+]|\\[wWbsSdD(.]|\[\^|\[a-z")
_HALF = 0.5  # from this share of lines on, several lines are code


def several_lines(r: Reading) -> Found | None:
    raw = r.query.raw
    trace = _TRACE.search(raw)
    if trace:
        note = "An error report is searched by its words: messages in code are seldom written as they are printed."
        return Found("exact.traceback", TEXT_ALONE, (trace.start(), trace.end()), note=note)
    lines = [line for line in raw.split("\n") if line.strip()]
    if len(lines) < 2 or sum(bool(_CODE_LINE.search(line)) for line in lines) < _HALF * len(lines):
        return None
    start = len(raw) - len(raw.lstrip())
    return Found("similar.code", CODE, (start, len(raw.rstrip())))


def asked_text(r: Reading) -> Found | None:
    """A literal that is asked for: quoted after "find" or "the string", or plain after them."""
    if r.asks_how:
        return None
    quote = next((i for i, t in enumerate(r.tokens) if t.shape is Shape.QUOTE), None)
    if quote is not None:
        return _asked_quote(r, quote)
    if r.searches and r.at("grep", 0):
        return _rest(r, "exact.grep", ASKED_FOR, 0, r.start)
    return _announced(r)


def _asked_quote(r: Reading, quote: int) -> Found | None:
    i = quote
    while i > 0 and (r.at("skip", i - 1) or r.at("link", i - 1)):
        i -= 1
    before = next(
        ((a, b) for family in ("text", "contain") for a, b in r.find(family, max(0, i - 3), i) if b == i), None
    )
    after = r.first(("contain",), quote, len(r.tokens))
    asked = before or (after and after[:2])
    if asked is None and r.searches and all(r.at("kind", k) for k in range(r.start, i)):
        asked = (0, r.start)  # "find" itself asks when the quotation is its object
    return Found("exact.asked", ASKED_FOR, r.span(*asked), literal(r.tokens[quote])) if asked else None


def _announced(r: Reading) -> Found | None:
    """Such as "the string ECONNREFUSED", "find the text not found"."""
    i = r.start
    while r.at("skip", i):
        i += 1
    end = r.at("announced", i)
    if end is None or end >= len(r.tokens):
        return None
    if r.shaped(end, end + 1):
        last = end + 1 == len(r.tokens) or r.at("stop", end + 1) is not None
        return _rest(r, "exact.announced", ASKED_FOR, i, end, end + 1 if last else None)
    if not r.searches:
        return None
    if any(r.at("kind", k) for k in range(end, len(r.tokens))):
        return Found("exact.announced", MAYBE_TEXT, r.span(i, end), note="the text looks like a description", near=True)
    return _rest(r, "exact.announced", MAYBE_TEXT, i, end)


def _rest(r: Reading, rule: str, confidence: float, i: int, end: int, stop: int | None = None) -> Found:
    return Found(rule, confidence, r.span(i, end), _text(r, r.span(end, stop or len(r.tokens))))


def _text(r: Reading, span: Span) -> Target:
    return Target(TargetKind.LITERAL, r.query.raw[slice(*span)], span)


def literal(token: Token) -> Target:
    """A token as text to find, whatever it looks like."""
    return Target(TargetKind.LITERAL, token.text, token.span)


def any_target(r: Reading) -> Target:
    """The first named symbol; a literal inside a question is not what is looked for."""
    targets = map(target_of, r.shaped())
    return next((t for t in targets if t.kind is TargetKind.SYMBOL), Target())


def error_message(r: Reading) -> Found | None:
    """Such as "ValueError: message" alone; the message is what can stand in code."""
    at = r.tokens[r.start].span[0] if r.tokens else 0
    match = _ERROR_LINE.match(r.query.raw, at)
    if match is None:
        return None
    message = (match.end(), len(r.query.raw.rstrip()))
    return Found("exact.error", TEXT_ALONE, match.span(), _text(r, message))


def alone(r: Reading) -> Found | None:
    """Nothing but a quotation, a name or a code-like literal, with articles and kind words at most."""
    if (pattern := _pattern(r)) is not None:
        return pattern
    named = [t for t in r.tokens[r.start :] if t.shape is not Shape.WORD]
    small = all(t.shape is not Shape.WORD or _beside(r, i) for i, t in r.after_lead())
    if len(r.tokens) == 1 and (r.at("keyword.code", 0) or r.at("keyword.prose", 0)):
        return Found("exact.keyword", IN_SENTENCE, r.span(0, 1), literal(r.tokens[0]))
    if not named or not small:
        return _known_message(r)
    token = named[0]
    if token.shape is Shape.QUOTE:
        return Found("exact.quoted", ASKED_FOR if len(named) == 1 else MAYBE_TEXT, token.span, literal(token))
    if token.shape is Shape.LITERAL:
        return Found(f"exact.{token.style}", TEXT_ALONE, token.span, literal(token))
    confidence = _STYLE_CONFIDENCE.get(token.style, NAME_ALONE)
    return Found(f"definition.{token.style or 'marked'}", confidence, token.span, target_of(token))


def _beside(r: Reading, i: int) -> bool:
    """Whether a word only says what the name or text beside it is."""
    return any(r.at(family, i) for family in ("skip", "kind", "text"))


def _pattern(r: Reading) -> Found | None:
    """Such as "a|b", "foo.*bar": grep's habits, without slashes around them."""
    raw = r.query.raw.strip()
    if not _ALTERNATIVES.fullmatch(raw) and (not _PATTERN.search(raw) or any(c.isspace() for c in raw)):
        return None
    start = r.query.raw.index(raw)
    span = (start, start + len(raw))
    return Found("exact.pattern", MAYBE_TEXT, span, Target(TargetKind.REGEX, raw.replace("\\|", "|"), span))


def _known_message(r: Reading) -> Found | None:
    for i, j in r.find("error"):
        alone = i == r.start and j == len(r.tokens)
        span = r.span(i, j)
        return Found("exact.error", TEXT_ALONE if alone else IN_SENTENCE, span, _text(r, span))
    for i, j in r.find("number"):
        if j < len(r.tokens) and r.tokens[j].text.isdigit():
            span = r.span(i, j + 1)
            return Found("exact.number", TEXT_ALONE, span, _text(r, span))
    return None


def named_inside(r: Reading) -> Found | None:
    """A name or literal among other words; a quotation there is only a near miss."""
    for token in r.shaped():
        if token.shape is Shape.QUOTE:
            return Found(
                "exact.quoted", IN_SENTENCE, token.span, literal(token), "quoted, but not asked for", near=True
            )
        if token.shape is Shape.LITERAL and token.style != "diagnostic":
            return Found(f"exact.{token.style}", IN_SENTENCE, token.span, literal(token))
        if token.shape in (Shape.NAME, Shape.MARK):
            return Found("definition.inside", IN_SENTENCE, token.span, target_of(token))
    return None
