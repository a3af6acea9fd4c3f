"""What the relation rules share: a match, who asks about which side of a relation, and its object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from maguyva_nb.intent.cues import RELATIONS
from maguyva_nb.intent.names import Shape
from maguyva_nb.intent.reading import Grade, Object, Reading, target_of
from maguyva_nb.types import Direction, Span, Target, TargetKind

# Confidence by how well the object is named. Only from 0.85 on does a search go direct, so prose and
# "this function" stay below it: one list alone would have nothing to start from.
ASKED: dict[Grade, float] = {Grade.SHAPED: 0.90, Grade.PLAIN: 0.90, Grade.PROSE: 0.75, Grade.DEICTIC: 0.80}
WHERE: dict[Grade, float] = ASKED | {Grade.PLAIN: 0.80}  # "where are errors raised": maybe a name, maybe prose
DEFINED: dict[Grade, float] = ASKED | {Grade.PROSE: 0.80}
DOUBTFUL = 0.80  # a route, a path, or a name within prose: the direct list may not know it, so the others run too
NEAR = 0.75  # what a cue without a named object would have been worth

ASK_FOR_NAME = "Which symbol is meant? Name it, for example in `backticks`."
NO_TARGET = Target()
_LACKS_OBJECT = "a relation word, but nothing it relates to"
FORMS = ("verb", "singular", "plural")
_MAX_SUBJECT = 7  # words between an asker and its verb; beyond that they belong to different thoughts


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule made of a query; ``near`` when it almost matched."""

    rule: str
    confidence: float
    span: Span | None
    target: Target = NO_TARGET
    note: str = ""
    near: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A question for one side of a relation: which side, its object, and the tokens that said so."""

    direction: Direction
    thing: Object
    start: int
    end: int
    relative: bool


def _families(form: str) -> tuple[str, ...]:
    return tuple(f"{relation}.{form}" for relation in RELATIONS)


ACTIVE = tuple(name for form in FORMS for name in _families(form))
PAST = _families("past")
GERUND = _families("gerund")
NOUN = _families("noun")
ANY = (*ACTIVE, *PAST, *GERUND)


def found(r: Reading, rule: str, ask: Ask, levels: Mapping[Grade, float]) -> Found:
    """A match whose confidence follows the object's grade; without an object, a near miss."""
    thing = r.resolve(ask.thing)
    span = r.span(ask.start, ask.end)
    if thing.grade not in levels:
        return Found(rule, levels[Grade.PROSE], span, note=_LACKS_OBJECT, near=True)
    note = ASK_FOR_NAME if thing.grade is Grade.DEICTIC else ""
    target = target_of(thing.token, ask.direction)
    doubtful = target.kind is TargetKind.LITERAL or thing.others > 1
    return Found(rule, min(levels[thing.grade], DOUBTFUL if doubtful else 1.0), span, target, note)


def asks(r: Reading, families: tuple[str, ...]) -> Iterator[Ask]:
    """Every "who calls X", "what does X call", "de qué depende X" over the given verbs."""
    for i, j in sorted({*r.find("who", r.start), *r.find("relative", r.start)}):
        relative = _is_relative(r, i)
        stop = min(r.clause_end(i), j + _MAX_SUBJECT)
        verb = r.first(families, j, stop)
        if verb and r.at("kind", verb[0]) == verb[1] and verb[0] == j:  # "which tests cover X": a subject
            verb = r.first(families, verb[1], stop) or verb
        if relative is None or verb is None:
            continue
        v, end, family = verb
        ask = _forward(r, i, j, v, end, family) or _backward(r, i, v, end, relative)
        if ask is not None:
            yield ask


def _is_relative(r: Reading, i: int) -> bool | None:
    """True after a noun ("functions that call"), False for a question, None for neither."""
    before = r.tokens[i - 1] if i > 0 else None
    accent = not r.tokens[i].text.isascii()
    if before is None or i == r.start or before.ends or accent or r.at("away", i - 1) or r.at("lead", i - 1):
        return False
    if r.at("auxiliary", i - 1):  # "does anything call X"
        return False
    return True if r.at("relative", i) and before.shape is Shape.WORD else None


def _forward(r: Reading, i: int, j: int, v: int, end: int, family: str) -> Ask | None:
    form = family.rsplit(".", 1)[-1]
    for a, b in r.find("auxiliary", j, v):
        if not all(r.at("kind", k) or r.at("skip", k) for k in range(j, a)):
            return None  # "what sorting algorithm does X use" is no question about dependencies
        thing = r.object_at(b, v)
        if not r.at("pronoun", b) and thing.grade > Grade.NONE:
            return Ask(Direction.FORWARD, thing, i, end, relative=False)
        if r.tokens[a].fold in ("do", "does", "did"):
            return None
    away = i > 0 and r.at("away", i - 1) == i and not r.at("by_whom", i - 1)
    subject_is_plural = any(r.at("plural", k) for k in range(j, v))
    bare = family == "call.singular" and r.tokens[j - 1].fold == "que" and v == j and not _leads_to_object(r, end)
    if (form in ("singular", "bare") and (away or subject_is_plural or bare)) or (form == "plural" and away):
        return Ask(Direction.FORWARD, r.object_at(end), i - away, end, relative=False)
    return None


def _leads_to_object(r: Reading, i: int) -> bool:
    """Whether Spanish "a" follows: "qué llama a X" asks for callers, "qué llama X" for callees."""
    return i < len(r.tokens) and r.tokens[i].fold in ("a", "al")


def _backward(r: Reading, i: int, v: int, end: int, relative: bool) -> Ask | None:
    if r.tokens[v - 1].fold == "se" or any(r.tokens[k].fold in ("do", "does", "did") for k in range(i, v)):
        return None
    thing = r.object_at(end)
    if r.at("clitic", v - 1) and v - 1 > i and thing.grade is Grade.NONE:
        thing = Object(Grade.DEICTIC, None, end)
    return Ask(Direction.BACKWARD, thing, i, end, relative)


def subject_at(r: Reading, i: int) -> int:
    """Past "is", "does", "we" and the like, to the subject."""
    while i < len(r.tokens) and (end := r.at("be", i) or r.at("auxiliary", i) or r.at("pronoun", i)):
        i = end
    return i


def noun_object(r: Reading, i: int, j: int) -> Object:
    """The object of "callers of X", "usages X" or "X callers"."""
    if j < len(r.tokens) and r.at("link", j) and not r.tokens[j - 1].ends:
        return r.object_at(j)
    if i > 0 and r.tokens[i - 1].style == "possessive":
        return Object(Grade.SHAPED if r.tokens[i - 1].text[0].isupper() else Grade.PLAIN, r.tokens[i - 1], j)
    after = r.shaped(j, j + 1) if not r.tokens[j - 1].ends else []
    beside = after or r.shaped(max(0, i - 1), i)
    return Object(Grade.SHAPED, beside[0], j) if beside else Object(Grade.NONE, None, j)
