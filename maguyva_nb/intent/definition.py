"""Definitions: code that opens one, and questions for the place of a name."""

from __future__ import annotations

import re
from dataclasses import replace

from maguyva_nb.intent.names import Shape
from maguyva_nb.intent.reading import Grade, Reading, Token, target_of
from maguyva_nb.intent.relations import DEFINED, Ask, Found, asks, found, noun_object, subject_at
from maguyva_nb.types import Direction, Target, TargetKind

KEYWORD = 0.95
LONE_IMPORT = 0.70  # "import os" is code, "import order" is prose: not sure enough to go direct
_ONLY_OF_NAMES = ("definition", "declaration", "definicion", "declaracion")
_IMPORT = re.compile(
    r"(?:from\s++(?P<source>[\w.]++)\s++)?import\s++\{?\s*+(?P<name>[\w.]++)(?:(?P<alias>\s++as\s++\w++)|\s*+[;}]?\s*+$)"
)


def keyword(r: Reading) -> Found | None:
    """A definition keyword, but only before something that can be a name in code."""
    i, modifiers = r.start, 0
    while i + 1 < len(r.tokens) and (r.at("skip", i) or r.at("keyword.modifier", i)):
        modifiers += r.at("keyword.modifier", i) is not None
        i += 1
    if modifiers > 1 and i + 1 == len(r.tokens) and not r.at("keyword.prose", i):  # "public static void main"
        return Found("definition.keyword", KEYWORD, r.span(r.start, i + 1), target_of(r.tokens[i]))
    code, prose = r.at("keyword.code", i), r.at("keyword.prose", i)
    end = code or prose
    if end is None:
        return None
    if (statement := _import(r, i)) is not None:
        return statement
    receiver = r.query.raw[r.tokens[i].span[1] :].lstrip().startswith("(")
    k = next((n for n in range(end, len(r.tokens)) if not r.at("skip", n)), len(r.tokens))
    if receiver and code:
        k = next((n for n in range(end, len(r.tokens)) if r.tokens[n].style == "call"), k)
    token = r.tokens[k] if k < len(r.tokens) else None
    span = (r.tokens[i].span[0], token.span[1]) if token else r.tokens[i].span
    if token is not None and _can_be_defined(r, token, k, bool(code)):
        return Found("definition.keyword", KEYWORD, span, target_of(token))
    return Found("definition.keyword", KEYWORD, span, note="the keyword opens prose, not code", near=True)


def _import(r: Reading, i: int) -> Found | None:
    """An import statement; a lone plain word after "import" may be prose ("import order")."""
    match = _IMPORT.match(r.query.raw, r.tokens[i].span[0])
    if match is None:
        return None
    certain = match["source"] or match["alias"] or "." in match["name"]
    group = "source" if match["source"] else "name"
    target = Target(TargetKind.SYMBOL, match[group], match.span(group))
    return Found("definition.keyword", KEYWORD if certain else LONE_IMPORT, match.span(), target)


def _can_be_defined(r: Reading, token: Token, k: int, code: bool) -> bool:
    if token.shape in (Shape.NAME, Shape.MARK):
        return k == len(r.tokens) - 1 or r.first(("stop", "link"), k + 1, k + 2) is None or token.style == "call"
    last = k == len(r.tokens) - 1
    punctuated = r.query.raw[token.span[1] : token.span[1] + 1] in tuple(":({=<;")
    return token.shape is Shape.WORD and (punctuated or (last and (code or token.text[0].isupper())))


def definition(r: Reading) -> Found | None:
    """Such as "where is X defined", "dónde está X", "which file defines X", "definition of X"."""
    if r.asks_how:
        return None
    for i, j in r.find("where"):
        if (match := _defined_where(r, i, j)) is not None:
            return match
    for ask in asks(r, ("defined",)):
        if ask.direction is Direction.BACKWARD and ask.thing.grade is not Grade.NONE and not ask.relative:
            return _undirected(found(r, "definition.where", ask, DEFINED))
    for i, j in r.find("definition"):
        thing = noun_object(r, i, j)
        if thing.grade is Grade.SHAPED or (thing.grade is Grade.PLAIN and r.tokens[i].fold in _ONLY_OF_NAMES):
            return _undirected(found(r, "definition.of", Ask(Direction.BACKWARD, thing, i, j, False), DEFINED))
    return None


def _defined_where(r: Reading, i: int, j: int) -> Found | None:
    stop = r.clause_end(i)
    said = r.first(("defined",), j, stop)
    verb = said or r.first(("implemented",), j, stop)
    subject = r.object_at(subject_at(r, j), verb[0] if verb else stop)
    after = r.object_at(verb[1], stop) if verb else subject
    thing = max(subject, after, key=lambda o: o.grade)
    if verb is None and (thing.others or stop > thing.end):
        return None  # "where is parse_config tested" asks for something else
    if thing.grade is Grade.SHAPED or said or (thing.grade is Grade.PLAIN and verb is None):
        ask = Ask(Direction.BACKWARD, thing, i, verb[1] if verb else j, False)
        return _undirected(found(r, "definition.where", ask, DEFINED))
    return None


def _undirected(match: Found) -> Found:
    """A definition has no direction."""
    return replace(match, target=replace(match.target, direction=None))
