"""A query as tokens with the cues found in it, and the objects its cues speak of.

Work is linear in the query: one pass makes tokens, one pass looks phrases up by their first word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from maguyva_nb.intent.cues import RELATIONS, Cues, fold, load_cues
from maguyva_nb.intent.names import Shape, shape_of
from maguyva_nb.types import Direction, Query, Span, Target, TargetKind

# Backticks and quotations are one token each, so that a cue inside them is never a cue. Each alternative
# stops at the next opening of its own kind, which keeps unclosed ones linear.
_TOKEN = re.compile(
    r'(?<!`)`++(?P<mark>[^`\n]++)`++|"(?P<straight>(?:[^"\\\n]|\\.)++)"|“(?P<curly>[^“”\n]++)”|«(?P<angle>[^«»\n]++)»'
    r"|(?P<chunk>[^\s`\"“”«»,;]++)|(?P<stop>[,;])"
)
_OPENING = "¿¡([{<'‘*"
_CLOSING = "?!.:)]}>'’…*"
_SPLIT_IS = frozenset("what where who how that there it".split())
_LONGEST_OBJECT = 40  # tokens; keeps hostile queries linear, no noun phrase is longer
_JOINING = ("of", "de", "del")
_SHAPED = (Shape.NAME, Shape.MARK, Shape.QUOTE, Shape.LITERAL)


class Grade(IntEnum):
    """How well an object is named: not at all, as "this", in prose, by one plain word, in code."""

    NONE = 0
    DEICTIC = 1
    PROSE = 2
    PLAIN = 3
    SHAPED = 4


@dataclass(frozen=True, slots=True)
class Token:
    """One word, name, quotation or marked symbol; ``ends`` when punctuation closes a clause after it."""

    text: str
    fold: str
    span: Span
    shape: Shape = Shape.WORD
    style: str = ""
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Object:
    """What a cue speaks of; ``token`` for ``PLAIN`` and ``SHAPED``; ``end`` is the token after it.

    ``others`` counts plain words beside a shaped token: with several, the token alone is not what is meant.
    """

    grade: Grade
    token: Token | None
    end: int
    others: int = 0


class Reading:
    """The tokens of a query, the cue phrases at each, and where its lead-in ends."""

    __slots__ = ("_ends", "_found", "_hits", "asks_how", "cues", "query", "searches", "start", "tokens")

    def __init__(self, query: Query) -> None:
        self.query = query
        self.cues = load_cues()
        self.tokens = tuple(_tokens(query, self.cues))
        self._ends = self._clause_ends()
        self._hits = self._look_up()
        self._found = {family: sorted(hits.items()) for family, hits in self._hits.items()}
        self.start, self.searches = self._drop_lead()
        self.asks_how = self.at("question", self.start) is not None and self.at("where", self.start) is None

    def _look_up(self) -> dict[str, dict[int, int]]:
        hits: dict[str, dict[int, int]] = {}
        for i, token in enumerate(self.tokens):
            for phrase, families in self.cues.phrases.get(token.fold, ()) if token.shape is Shape.WORD else ():
                if len(phrase) == 1 or self._continues(i, phrase):
                    for family in families:
                        hits.setdefault(family, {}).setdefault(i, i + len(phrase))
        terms = hits.get("domain", {})
        for family in hits if terms else ():
            if family.split(".")[0] in RELATIONS:
                hits[family] = {i: j for i, j in hits[family].items() if not any(a <= i < b for a, b in terms.items())}
        return hits

    def _continues(self, i: int, phrase: tuple[str, ...]) -> bool:
        words = self.tokens[i : i + len(phrase)]
        return (
            len(words) == len(phrase)
            and all(t.fold == w and t.shape is Shape.WORD for t, w in zip(words, phrase, strict=True))
            and not any(t.ends for t in words[:-1])
        )

    def _drop_lead(self) -> tuple[int, bool]:
        i, searches = 0, False
        while i < len(self.tokens):
            search, lead = self.at("search", i), self.at("lead", i)
            if search is None and lead is None:
                break
            searches = searches or search is not None
            i = max(search or 0, lead or 0)
        return (i, searches) if i < len(self.tokens) else (0, False)

    def at(self, family: str, i: int) -> int | None:
        """Where the longest phrase of a family that starts at token ``i`` ends."""
        return self._hits.get(family, {}).get(i)

    def find(self, family: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
        """Every phrase of a family that starts within ``[start, stop)``, in order."""
        hits = self._found.get(family, [])
        for n in range(bisect_left(hits, (start, 0)), len(hits)):
            if stop is not None and hits[n][0] >= stop:
                return
            yield hits[n]

    def first(self, families: tuple[str, ...], start: int, stop: int) -> tuple[int, int, str] | None:
        """The earliest (then longest) phrase of several families within ``[start, stop)``."""
        heads = ((n, next(self.find(family, start, stop), None)) for n, family in enumerate(families))
        found = [(hit[0], -hit[1], n) for n, hit in heads if hit]
        if not found:
            return None
        i, j, n = min(found)
        return i, -j, families[n]

    def clause_end(self, i: int) -> int:
        """The token after the clause that token ``i`` is in."""
        return self._ends[i] if i < len(self.tokens) else len(self.tokens)

    def _clause_ends(self) -> list[int]:
        ends, end = [0] * len(self.tokens), len(self.tokens)
        for i in range(len(self.tokens) - 1, -1, -1):
            end = i + 1 if self.tokens[i].ends else end
            ends[i] = end
        return ends

    def span(self, i: int, j: int) -> Span:
        """The code points from token ``i`` to before token ``j``."""
        return self.tokens[i].span[0], self.tokens[max(i, j - 1)].span[1]

    def after_lead(self) -> Iterator[tuple[int, Token]]:
        """The tokens past the lead-in, with their places."""
        yield from enumerate(self.tokens[self.start :], self.start)

    def shaped(self, start: int = 0, stop: int | None = None) -> list[Token]:
        """The tokens that can only be names or literals, marked ones first."""
        found = [t for t in self.tokens[start:stop] if t.shape in _SHAPED and not self.is_brand(t)]
        return sorted(found, key=lambda t: t.shape is not Shape.MARK)

    def is_brand(self, token: Token) -> bool:
        """Whether a token is a product name in a sentence: spelled like a name, but prose."""
        return token.shape is Shape.NAME and token.fold in self.cues.words["brand"]

    def object_at(self, i: int, stop: int | None = None) -> Object:
        """The noun phrase from token ``i``: a named thing, one plain word, prose, "this", or nothing."""
        limit = min(self.clause_end(i), i + _LONGEST_OBJECT, len(self.tokens) if stop is None else stop)
        words: list[Token] = []
        named: list[Token] = []
        deictic = kind = False
        begin = i
        while i < limit:
            token = self.tokens[i]
            if token.shape in _SHAPED and not self.is_brand(token):
                named.append(token)
            elif self.at("deictic", i) and not words and not kind and token.text.isascii():
                deictic = True
            elif self.at("kind", i) and (token.text.islower() or i == self.start):
                kind = True
            elif self.at("stop", i) or self.at("link", i):
                joins = token.fold in _JOINING and not named  # "the name of the parser" is one phrase
                if (words or named or kind or deictic) and not joins:
                    break
            elif not self.at("skip", i) and not (i == begin and self.at("pronoun", i)):
                words.append(token)
            i += 1
        return _object(words, named, deictic, i)

    def resolve(self, thing: Object) -> Object:
        """A named thing elsewhere in the query where the object itself only says "it" or nothing."""
        if thing.grade <= Grade.DEICTIC and (elsewhere := self.shaped()):
            return Object(Grade.SHAPED, elsewhere[0], thing.end)
        return thing


def _object(words: list[Token], named: list[Token], deictic: bool, end: int) -> Object:
    if named:
        return Object(Grade.SHAPED, min(named, key=lambda t: t.shape is not Shape.MARK), end, len(words))
    if len(words) == 1 and words[0].text[0].isalpha():
        shaped = words[0].text[0].isupper()
        return Object(Grade.SHAPED if shaped else Grade.PLAIN, words[0], end)
    if words:
        return Object(Grade.PROSE, None, end)
    return Object(Grade.DEICTIC if deictic else Grade.NONE, None, end)


def target_of(token: Token | None, direction: Direction | None = None) -> Target:
    """The target a token names; a quotation or a code-like literal is one only if it is no name."""
    if token is None:
        return Target(direction=direction)
    literal = token.shape is Shape.LITERAL or (token.shape is Shape.QUOTE and not token.text.isidentifier())
    return Target(TargetKind.LITERAL if literal else TargetKind.SYMBOL, token.text, token.span, direction)


def _tokens(query: Query, cues: Cues) -> Iterator[Token]:
    symbols = dict(query.spans) if query.symbols else {}
    pending: Token | None = None
    for match in _TOKEN.finditer(query.raw):
        if match.lastgroup == "stop":
            pending = pending and _ended(pending)
            continue
        for token in _chunk(match, cues) if match.lastgroup == "chunk" else (_quoted(match, symbols),):
            if pending is not None:
                yield pending if token.text else _ended(pending)
            pending = token if token.text else None
    if pending is not None:
        yield pending


def _ended(token: Token) -> Token:
    return Token(token.text, token.fold, token.span, token.shape, token.style, ends=True)


def _quoted(match: re.Match[str], symbols: dict[int, int]) -> Token:
    group = match.lastgroup or ""
    start, end = match.span(group)
    if group != "mark":
        text = match[group].replace('\\"', '"') if group == "straight" else match[group]
        return Token(text, "", (start, end), Shape.QUOTE)
    for at, to in symbols.items():
        if start <= at < end:
            return Token(match.string[at:to], "", (at, to), Shape.MARK)
    return Token(match[group], "", (start, end), Shape.LITERAL, "marked")


def _chunk(match: re.Match[str], cues: Cues) -> Iterator[Token]:
    text, at = match[0], match.start()
    body = text.lstrip(_OPENING)
    at += len(text) - len(body)
    word = body.rstrip("?!.:…'’*")
    call = False
    cut = min((k for c in "([<" if (k := word.find(c)) > 0), default=0)
    if cut and re.fullmatch(r"[$@~]?[^\W\d][\w.:#]*", word[:cut]):
        call = word[cut:] not in ("(s)", "(es)")
        word = word[:cut]
    elif not word.startswith(("/", "-")):
        word = word.rstrip(_CLOSING)
    ends = body.endswith(tuple("?!.:…")) or (body.endswith(")") and "(" not in body)
    folded = fold(word)
    stem = folded[:-2] if folded.endswith("'s") else ""
    if stem and stem in _SPLIT_IS:
        yield Token(word[:-2], stem, (at, at + len(word) - 2))
        yield Token("is", "is", (at + len(word) - 1, at + len(word)), ends=ends)
        return
    if stem:
        word, folded = word[:-2], stem
    if not any(c.isalnum() or c == "_" for c in word):
        yield Token("", "", (at, at))  # only punctuation: a border between clauses
        return
    shape, style = shape_of(word, folded, cues, call=call)
    if stem and shape is Shape.WORD:
        style = "possessive"
    yield Token(word, folded, (at, at + len(word)), shape, style, ends)
