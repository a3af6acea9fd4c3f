"""Rules over relation words: impact, references, and where a name is defined.

Every rule takes a ``Reading`` and gives a ``Found``, a near miss, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from maguyva_nb.intent_cues import RELATIONS
from maguyva_nb.intent_names import Shape
from maguyva_nb.intent_reading import Grade, Object, Reading, target_of
from maguyva_nb.types import Direction, Span, Target

# Confidence by how well the object is named. Only from 0.85 on does a search go direct, so prose and
# "this function" stay below it: one list alone would have nothing to start from.
ASKED: Mapping[Grade, float] = {Grade.SHAPED: 0.90, Grade.PLAIN: 0.90, Grade.PROSE: 0.75, Grade.DEICTIC: 0.80}
WHERE: Mapping[Grade, float] = ASKED | {Grade.PLAIN: 0.80}  # "where are errors raised": maybe a name, maybe prose
DEFINED: Mapping[Grade, float] = ASKED | {Grade.PROSE: 0.80}

ASK_FOR_NAME = "Which symbol is meant? Name it, for example in `backticks`."
ASK_FOR_DIFF = "Name the changed symbol, or use the impact view on a diff."
NO_TARGET = Target()
_LACKS_OBJECT = "a relation word, but nothing it relates to"
_FORMS = ("verb", "singular", "plural")
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


_ACTIVE = tuple(name for form in _FORMS for name in _families(form))
_PAST = _families("past")
_GERUND = _families("gerund")
_NOUN = _families("noun")
_ANY = (*_ACTIVE, *_PAST, *_GERUND)
_DEPEND = ("depend.verb", "depend.singular", "depend.plural", "depend.base", "depend.bare")


def found(r: Reading, rule: str, ask: Ask, levels: Mapping[Grade, float]) -> Found:
    """A match whose confidence follows the object's grade; without an object, a near miss."""
    thing = r.resolve(ask.thing)
    span = r.span(ask.start, ask.end)
    if thing.grade not in levels:
        return Found(rule, levels[Grade.PROSE], span, note=_LACKS_OBJECT, near=True)
    note = ASK_FOR_NAME if thing.grade is Grade.DEICTIC else ""
    return Found(rule, levels[thing.grade], span, target_of(thing.token, ask.direction), note)


def _asks(r: Reading, families: tuple[str, ...]) -> Iterator[Ask]:
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
    return True if r.at("relative", i) and before.shape is Shape.WORD else None


def _forward(r: Reading, i: int, j: int, v: int, end: int, family: str) -> Ask | None:
    form = family.rsplit(".", 1)[-1]
    for a, b in r.find("auxiliary", j, v):
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


# --- references ------------------------------------------------------------------------------------


def references(r: Reading) -> Found | None:
    """Callers, users, importers, subclasses of a thing; or, forward, what it calls and needs."""
    if r.asks_how:
        return None
    near = None
    for rule in (_where, _passive, _who, _gerund, _noun):
        match = rule(r)
        if match is not None and not match.near:
            return match
        near = near or match
    return near


def _who(r: Reading) -> Found | None:
    near = None
    for ask in (*_asks(r, _ACTIVE), *_asks(r, _DEPEND)):
        name = "references.forward" if ask.direction is Direction.FORWARD else "references.who"
        match = found(r, name, ask, ASKED)
        # "function that uses a heap" describes; "functions that call parse_config" asks.
        if match.near or (ask.relative and ask.thing.grade is not Grade.SHAPED):
            near = near or Found(
                name, match.confidence, match.span, note="a description, not a named target", near=True
            )
        else:
            return match
    return near


def _where(r: Reading) -> Found | None:
    for i, j in r.find("where"):
        stop = r.clause_end(i)
        subject = _skip(r, j)
        # After "where are" stands a subject, so "tests" or "calls" there is a noun.
        follows_be = r.tokens[subject - 1].fold in ("is", "are", "was", "were")
        verb = r.first(_ANY, subject + follows_be, stop)
        if verb is None or r.first(("defined", "implemented"), j, verb[0] + 1):
            continue
        v, end, family = verb
        active = not family.endswith(".past")
        sides = (r.object_at(end, stop), r.object_at(subject, v))
        thing = max(sides if active else sides[::-1], key=lambda o: o.grade)
        return found(r, "references.where", Ask(Direction.BACKWARD, thing, i, end, False), WHERE)
    return None


def _skip(r: Reading, i: int) -> int:
    """Past "is", "does", "we" and the like, to the subject."""
    while i < len(r.tokens) and (end := r.at("be", i) or r.at("auxiliary", i) or r.at("pronoun", i)):
        i = end
    return i


def _passive(r: Reading) -> Found | None:
    for i, j in r.find("by_whom"):
        if (verb := r.first((*_PAST, *_ACTIVE), j, r.clause_end(i))) is not None:
            return found(r, "references.who", Ask(Direction.BACKWARD, r.object_at(verb[1]), i, verb[1], False), ASKED)
    for family in _PAST:
        for i, j in r.find(family):
            if r.at("by", j) and (match := _agent(r, i, j)) is not None:
                return match
    return None


def _agent(r: Reading, i: int, j: int) -> Found | None:
    """ "called by X" (X calls), or "what is X called by" (X is called)."""
    agent = r.object_at(j + 1)
    asked = r.at("who", r.start)
    if j + 1 >= len(r.tokens) or r.at("who", j + 1):
        thing = r.object_at(_skip(r, asked or r.start), i)
        return found(r, "references.who", Ask(Direction.BACKWARD, thing, i, j + 1, False), ASKED)
    ask = Ask(Direction.FORWARD, agent, i, j + 1, False)
    if agent.grade is Grade.SHAPED or (asked and agent.grade in (Grade.PLAIN, Grade.DEICTIC)):
        return found(r, "references.forward", ask, ASKED)
    return Found("references.forward", ASKED[Grade.PROSE], r.span(i, j + 1), note="no named target", near=True)


def _gerund(r: Reading) -> Found | None:
    near = None
    for family in (*_GERUND, "depend.gerund"):
        for i, j in r.find(family, 1):
            if not (r.at("kind", i - 1) or r.at("who", i - 1)):
                continue
            match = found(r, "references.who", Ask(Direction.BACKWARD, r.object_at(j), i, j, False), ASKED)
            if not match.near and r.object_at(j).grade is Grade.SHAPED:
                return match
            near = near or Found(match.rule, match.confidence, match.span, note="no named target", near=True)
    return near


def _noun(r: Reading) -> Found | None:
    near = None
    for family in (*_NOUN, "forward.noun"):
        forward = family == "forward.noun"
        name = "references.forward" if forward else "references.noun"
        for i, j in r.find(family):
            thing = _noun_object(r, i, j)
            opens = i == r.start or (r.at("skip", i - 1) and i - 1 <= r.start) or r.at("be", i - 1)
            match = found(r, name, Ask(Direction.FORWARD if forward else Direction.BACKWARD, thing, i, j, False), WHERE)
            if not match.near and thing.grade > Grade.NONE and (opens or thing.grade is Grade.SHAPED):
                return match
            near = near or Found(
                name, match.confidence, match.span, note="a relation noun without a named target", near=True
            )
    return near


def _noun_object(r: Reading, i: int, j: int) -> Object:
    """The object of "callers of X", "usages X" or "X callers"."""
    if j < len(r.tokens) and r.at("link", j) and not r.tokens[j - 1].ends:
        return r.object_at(j)
    if i > 0 and r.tokens[i - 1].style == "possessive":
        return Object(Grade.SHAPED if r.tokens[i - 1].text[0].isupper() else Grade.PLAIN, r.tokens[i - 1], j)
    after = r.shaped(j, j + 1) if not r.tokens[j - 1].ends else []
    beside = after or r.shaped(max(0, i - 1), i)
    return Object(Grade.SHAPED, beside[0], j) if beside else Object(Grade.NONE, None, j)


# --- impact ----------------------------------------------------------------------------------------


def impact(r: Reading) -> Found | None:
    """What breaks, depends or is affected when a thing changes."""
    if r.at("question", r.start) and r.tokens[r.start].fold in ("why", "por", "porque"):
        return None
    near = None
    for rule in (_break, _condition, _safe, _effect, _depend, _affect, _diff, _radius):
        match = rule(r)
        if match is not None and not match.near:
            return match
        near = near or match
    return near


def _changed(r: Reading, start: int, *forms: str) -> tuple[int, int] | None:
    hit = r.first(tuple(f"change.{form}" for form in forms), start, len(r.tokens))
    return (hit[0], hit[1]) if hit else None


def _break(r: Reading) -> Found | None:
    for i, j in r.find("break"):
        asker = r.first(("who",), r.start, i)
        change = _changed(r, 0, "base", "first", "passive", "gerund")
        if asker is None and (change is None or not r.first(("condition", "safe"), 0, len(r.tokens))):
            continue
        if change and change[0] != i:
            thing = r.object_at(change[1])
            if thing.grade is Grade.NONE:
                thing = _subject(r, change[0])
            return _strong(r, "impact.break", thing, asker[0] if asker else i, max(j, change[1]))
        link = r.first(("condition",), j, len(r.tokens))
        thing = r.object_at(link[1] if link else j)
        return _strong(r, "impact.break", thing, asker[0] if asker else i, j)
    return None


def _subject(r: Reading, i: int) -> Object:
    """What stands between "if" and the verb: "if X changes"."""
    opener = [b for _, b in r.find("condition", 0, i)]
    return r.object_at(opener[-1], i) if opener else Object(Grade.NONE, None, i)


def _strong(r: Reading, rule: str, thing: Object, i: int, j: int) -> Found:
    """Impact is certain here, so a missing object is asked for and does not undo the match."""
    if r.resolve(thing).grade is Grade.NONE:
        thing = Object(Grade.DEICTIC, None, thing.end)
    return found(r, rule, Ask(Direction.BACKWARD, thing, min(i, j - 1), max(i + 1, j), False), DEFINED)


def _condition(r: Reading) -> Found | None:
    """ "if I change X", "si toco X"; and "if X changes" when X is a name."""
    for i, j in r.find("condition"):
        k = _skip(r, j)
        first = r.first(("change.first",) if k == j else ("change.base", "change.first"), k, k + 3)
        if first and not (r.tokens[i].fold in ("before", "after", "once") and k == j):
            return _strong(r, "impact.condition", r.object_at(first[1]), i, first[1])
        if r.at("change.base", j) and r.tokens[i].fold in ("al", "de"):
            return _strong(r, "impact.condition", r.object_at(r.at("change.base", j) or j), i, j + 1)
        passive = r.first(("change.passive",), j, r.clause_end(i))
        if passive:
            thing = max(r.object_at(passive[1]), r.object_at(j, passive[0]), key=lambda o: o.grade)
            if thing.grade in (Grade.SHAPED, Grade.DEICTIC):
                return _strong(r, "impact.condition", thing, i, passive[1])
            return Found("impact.condition", 0.75, r.span(i, passive[1]), note="no named target", near=True)
    return None


def _safe(r: Reading) -> Found | None:
    for family in ("safe", "may"):
        for i, j in r.find(family):
            change = r.first(("change.base", "change.gerund"), j, j + 3)
            if change is None:
                continue
            thing = r.object_at(change[1])
            if family == "safe" or thing.grade in (Grade.SHAPED, Grade.DEICTIC):
                return _strong(r, "impact.safe", thing, i, change[1])
            return Found("impact.safe", 0.75, r.span(i, change[1]), note="no named target", near=True)
    return None


def _effect(r: Reading) -> Found | None:
    """ "impact of changing X", "does changing X affect Y", "afecta cambiar X"."""
    change = _changed(r, 0, "gerund", "base")
    if change is None:
        return None
    near_by = r.first(("effect", "affect"), max(0, change[0] - 4), len(r.tokens))
    if near_by is None or r.tokens[change[0]].fold == r.tokens[near_by[0]].fold:
        return None
    span = min(change[0], near_by[0]), max(change[1], near_by[1])
    return _strong(r, "impact.effect", r.object_at(change[1]), *span)


def _depend(r: Reading) -> Found | None:
    for ask in _asks(r, ("depend.verb", "depend.singular", "depend.plural")):
        if ask.direction is Direction.BACKWARD and not (ask.relative and ask.thing.grade is not Grade.SHAPED):
            return None if r.asks_how else found(r, "impact.depends", ask, DEFINED)
    return None


def _affect(r: Reading) -> Found | None:
    """ "what does X affect", "what is affected by X", "a qué afecta X"."""
    if r.asks_how:
        return None
    for ask in _asks(r, ("affect",)):
        if ask.thing.grade is Grade.SHAPED:
            return found(r, "impact.affects", Ask(Direction.BACKWARD, ask.thing, ask.start, ask.end, False), ASKED)
    for i, j in r.find("affect"):
        if r.at("by", j) and (thing := r.object_at(j + 1)).grade is Grade.SHAPED:
            return found(r, "impact.affects", Ask(Direction.BACKWARD, thing, i, j + 1, False), ASKED)
    return None


def _diff(r: Reading) -> Found | None:
    """ "what does this diff touch": impact of a change that is not named as a symbol."""
    for i, _ in r.find("deictic"):
        for family in ("affect", "break"):
            if r.at("diff", i + 1) and r.at("who", r.start) and (hit := r.first((family,), r.start, len(r.tokens))):
                a, b = min(i, hit[0]), max(i + 2, hit[1])
                return Found("impact.diff", 0.80, r.span(a, b), Target(direction=Direction.BACKWARD), ASK_FOR_DIFF)
    return None


def _radius(r: Reading) -> Found | None:
    if r.asks_how:
        return None
    near = None
    for i, j in r.find("radius"):
        thing = _noun_object(r, i, j)
        match = found(r, "impact.radius", Ask(Direction.BACKWARD, thing, i, j, False), WHERE)
        if not match.near and thing.grade > Grade.NONE and thing.grade is not Grade.PROSE:
            return match
        near = near or Found(
            match.rule, match.confidence, match.span, note="impact of nothing that is named", near=True
        )
    return near


# --- definitions -----------------------------------------------------------------------------------


def definition(r: Reading) -> Found | None:
    """ "where is X defined", "dónde está X", "which file defines X", "definition of X"."""
    if r.asks_how:
        return None
    for i, j in r.find("where"):
        if (match := _defined_where(r, i, j)) is not None:
            return match
    for ask in _asks(r, ("defined",)):
        if ask.direction is Direction.BACKWARD and ask.thing.grade is not Grade.NONE and not ask.relative:
            return found(r, "definition.where", ask, DEFINED)
    for i, j in r.find("definition"):
        thing = _noun_object(r, i, j)
        if thing.grade is Grade.SHAPED or (thing.grade is Grade.PLAIN and r.tokens[i].fold in _ONLY_OF_NAMES):
            return found(r, "definition.of", Ask(Direction.BACKWARD, thing, i, j, False), DEFINED)
    return None


_ONLY_OF_NAMES = ("definition", "declaration", "definicion", "declaracion")


def _defined_where(r: Reading, i: int, j: int) -> Found | None:
    stop = r.clause_end(i)
    said = r.first(("defined",), j, stop)
    verb = said or r.first(("implemented",), j, stop)
    subject = r.object_at(_skip(r, j), verb[0] if verb else stop)
    after = r.object_at(verb[1], stop) if verb else subject
    thing = max(subject, after, key=lambda o: o.grade)
    if verb is None and thing.grade is Grade.PLAIN and len(r.tokens) > thing.end:
        return None
    if thing.grade is Grade.SHAPED or said or (thing.grade is Grade.PLAIN and verb is None):
        ask = Ask(Direction.BACKWARD, thing, i, verb[1] if verb else j, False)
        match = found(r, "definition.where", ask, DEFINED)
        return Found(match.rule, match.confidence, match.span, _undirected(match.target), match.note, match.near)
    return None


def asks_for_name(r: Reading) -> bool:
    """Whether the query says "this function" and names nothing."""
    return any(r.at("kind", j) and not r.at("whole", j) for _, j in r.find("deictic"))


def _undirected(target: Target) -> Target:
    return Target(target.kind, target.text, target.span)
