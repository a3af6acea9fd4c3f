"""Impact: what breaks, depends or is affected when a thing changes."""

from __future__ import annotations

from maguyva_nb.intent.reading import Grade, Object, Reading
from maguyva_nb.intent.relations import (
    ASKED,
    DEFINED,
    DOUBTFUL,
    NEAR,
    WHERE,
    Ask,
    Found,
    asks,
    found,
    noun_object,
    subject_at,
)
from maguyva_nb.types import Direction, Target

_TIMES = ("when", "once", "after", "cuando", "despues")
_FAR = 8  # tokens between "changing" and "affects"; beyond that they belong to different thoughts
ASK_FOR_DIFF = "Name the changed symbol, or use the impact view on a diff."


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
    """Such as "what breaks if I change X", "would removing X break anything", "qué se rompe si toco X"."""
    for i, j in r.find("break"):
        asker = _asker(r, i)
        change = _changed(r, 0, "gerund") or _changed(r, 0, "base", "infinitive", "first", "passive", "past")
        supposed = r.first(("condition", "safe", "change.gerund"), 0, len(r.tokens))
        if asker is None and (change is None or supposed is None or not _supposes(r, supposed[0])):
            continue
        start = i if asker is None else asker
        if change:
            thing = r.object_at(change[1], i if i > change[1] else None)
            if thing.grade is Grade.NONE:
                thing = _subject(r, change[0])
            return _strong(r, "impact.break", thing, start, max(j, change[1]))
        link = r.first(("condition",), j, len(r.tokens))
        return _strong(r, "impact.break", r.object_at(link[1] if link else j), start, j)
    return None


def _asker(r: Reading, i: int) -> int | None:
    """Where "what (else) (would)" or "qué (tests)" before token ``i`` starts."""
    while i > 0 and (r.at("modal", i - 1) or r.at("skip", i - 1) or r.at("kind", i - 1)):
        i -= 1
    return i - 1 if i > 0 and r.at("who", i - 1) == i else None


def _supposes(r: Reading, i: int) -> bool:
    """ "If" supposes a change; "it fails when I ..." reports a bug, unless the query asks what happens."""
    return r.tokens[i].fold not in _TIMES or r.at("who", r.start) is not None


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
    """Such as "if I change X", "si toco X"; and "if X changes" when X is a name."""
    for i, j in r.find("condition"):
        if not _supposes(r, i):
            continue
        k = subject_at(r, j)
        first = r.first(("change.first",) if k == j else ("change.base", "change.first", "change.past"), k, k + 3)
        infinitive = r.at("change.infinitive", j) if r.tokens[i].fold in ("al", "antes") else None
        if first or infinitive:
            end = infinitive or (first[1] if first else j)
            return _strong(r, "impact.condition", r.object_at(end), i, end)
        passive = r.first(("change.passive",), j, r.clause_end(i))
        if passive:
            thing = max(r.object_at(passive[1]), r.object_at(j, passive[0]), key=lambda o: o.grade)
            if thing.grade in (Grade.SHAPED, Grade.DEICTIC):
                return _strong(r, "impact.condition", thing, i, passive[1])
            return Found("impact.condition", NEAR, r.span(i, passive[1]), note="no named target", near=True)
    return None


def _safe(r: Reading) -> Found | None:
    for family in ("safe", "may"):
        for i, j in r.find(family):
            change = r.first(("change.base", "change.infinitive", "change.gerund"), j, j + 3)
            if change is None:
                continue
            thing = r.object_at(change[1])
            if family == "safe" or thing.grade in (Grade.SHAPED, Grade.DEICTIC):
                return _strong(r, "impact.safe", thing, i, change[1])
            return Found("impact.safe", NEAR, r.span(i, change[1]), note="no named target", near=True)
    return None


def _effect(r: Reading) -> Found | None:
    """Such as "impact of changing X", "does changing X affect Y", "cómo afecta cambiar X"."""
    for family, reach in (("effect", 4), ("affect", 3)):
        for i, j in r.find(family):
            after = r.first(("change.gerund", "change.infinitive"), j, j + reach)
            if after:
                return _strong(r, "impact.effect", r.object_at(after[1]), i, after[1])
            before = r.first(("change.gerund",), max(0, i - _FAR), i)
            if before and family == "affect":
                return _strong(r, "impact.effect", r.object_at(before[1], i), before[0], j)
    return None


def _depend(r: Reading) -> Found | None:
    for ask in asks(r, ("depend.verb", "depend.singular", "depend.plural")):
        if ask.direction is Direction.BACKWARD and not (ask.relative and ask.thing.grade is not Grade.SHAPED):
            return None if r.asks_how else found(r, "impact.depends", ask, DEFINED)
    return None


def _affect(r: Reading) -> Found | None:
    """Such as "what does X affect", "what is affected by X", "a qué afecta X"."""
    if r.asks_how:
        return None
    for ask in asks(r, ("affect",)):
        if ask.thing.grade is Grade.SHAPED:
            return found(r, "impact.affects", Ask(Direction.BACKWARD, ask.thing, ask.start, ask.end, False), ASKED)
    for i, j in r.find("affect"):
        if r.at("by", j) and (thing := r.object_at(j + 1)).grade is Grade.SHAPED:
            return found(r, "impact.affects", Ask(Direction.BACKWARD, thing, i, j + 1, False), ASKED)
    return None


def _diff(r: Reading) -> Found | None:
    """Such as "what does this diff touch": impact of a change that is not named as a symbol."""
    for i, _ in r.find("deictic"):
        for family in ("affect", "break"):
            if r.at("diff", i + 1) and r.at("who", r.start) and (hit := r.first((family,), r.start, len(r.tokens))):
                a, b = min(i, hit[0]), max(i + 2, hit[1])
                return Found("impact.diff", DOUBTFUL, r.span(a, b), Target(direction=Direction.BACKWARD), ASK_FOR_DIFF)
    return None


def _radius(r: Reading) -> Found | None:
    if r.asks_how:
        return None
    near = None
    for i, j in r.find("radius"):
        thing = noun_object(r, i, j)
        match = found(r, "impact.radius", Ask(Direction.BACKWARD, thing, i, j, False), WHERE)
        if not match.near and thing.grade > Grade.NONE and thing.grade is not Grade.PROSE:
            return match
        near = near or Found(
            match.rule, match.confidence, match.span, note="impact of nothing that is named", near=True
        )
    return near
