"""The article's rule list, read literally: for teaching, and to compare the default table with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from maguyva_nb.intent.exact import IN_SENTENCE, any_target, literal
from maguyva_nb.intent.names import Shape
from maguyva_nb.intent.reading import Reading, target_of
from maguyva_nb.intent.relations import Found
from maguyva_nb.types import Direction, Span

Rule = Callable[[Reading], Found | None]


def _article_phrase(family: str, rule: str, confidence: float, direction: Direction | None = None) -> Rule:
    def look(r: Reading) -> Found | None:
        span = _whole_phrase(r, family)
        return Found(f"article.{rule}", confidence, span, replace(any_target(r), direction=direction)) if span else None

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
    return Found("article.exact.quoted", 0.90, quote.span, literal(quote)) if quote else None


def _article_error(r: Reading) -> Found | None:
    code = next((t for t in r.tokens if t.style == "code"), None)
    if code:
        return Found("article.exact.error", 0.85, code.span, literal(code))
    return _article_phrase("error", "exact.error", 0.85)(r)


def _article_identifier(r: Reading) -> Found | None:
    for style, confidence in (("camel", 0.80), ("snake", 0.70)):
        token = next((t for t in r.tokens if t.style == style), None)
        if token:
            level = confidence if len(r.tokens) == 1 else IN_SENTENCE
            return Found(f"article.definition.{style}", level, token.span, target_of(token))
    return None


ARTICLE: tuple[Rule, ...] = (
    _article_keyword,
    _article_phrase("references", "references.cue", 0.90, Direction.BACKWARD),
    _article_phrase("impact", "impact.cue", 0.90, Direction.BACKWARD),
    _article_quoted,
    _article_error,
    _article_identifier,
    _article_phrase("understand", "understand.question", 0.75),
)
