"""References: callers, users, importers, subclasses of a thing, or what it calls and needs itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from maguyva_nb.intent.reading import Grade, Reading
from maguyva_nb.intent.relations import (
    ACTIVE,
    ANY,
    ASKED,
    FORMS,
    GERUND,
    NOUN,
    PAST,
    WHERE,
    Ask,
    Found,
    asks,
    found,
    noun_object,
    subject_at,
)
from maguyva_nb.types import Direction

_LISTED = tuple(f"{relation}.{form}" for relation in ("call", "import", "inherit", "raise") for form in FORMS)
_DEPEND = ("depend.verb", "depend.singular", "depend.plural", "depend.base", "depend.bare")


def references(r: Reading) -> Found | None:
    """Callers, users, importers, subclasses of a thing; or, forward, what it calls and needs."""
    if r.asks_how:
        return None
    near = None
    for rule in (_where, _passive, _who, _gerund, _polar, _noun):
        match = rule(r)
        if match is not None and not match.near:
            return match
        near = near or match
    return near


def _who(r: Reading) -> Found | None:
    near = None
    for ask in chain(asks(r, ACTIVE), asks(r, _DEPEND)):
        name = "references.forward" if ask.direction is Direction.FORWARD else "references.who"
        match = found(r, name, ask, WHERE if ask.relative else ASKED)
        if match.near or (ask.relative and not _is_asked_relatively(r, ask)):
            near = near or Found(
                name, match.confidence, match.span, note="a description, not a named target", near=True
            )
        else:
            return match
    return near


def _is_asked_relatively(r: Reading, ask: Ask) -> bool:
    """Such as "functions that call login" lists; "function that uses a heap" describes one."""
    verb = r.first(_LISTED, ask.start, ask.end)
    plural = r.tokens[ask.start - 1].fold.endswith("s")
    return ask.thing.grade is Grade.SHAPED or (ask.thing.grade is Grade.PLAIN and plural and verb is not None)


def _where(r: Reading) -> Found | None:
    for i, j in r.find("where"):
        stop = r.clause_end(i)
        subject = subject_at(r, j)
        # After "where are" stands a subject, so "tests" or "calls" there is a noun.
        follows_be = r.tokens[subject - 1].fold in ("is", "are", "was", "were")
        verb = r.first(ANY, subject + follows_be, stop)
        if verb is None or r.first(("defined", "implemented"), j, verb[0] + 1):
            continue
        v, end, family = verb
        active = not family.endswith(".past")
        sides = (r.object_at(end, stop), r.object_at(subject, v))
        thing = max(sides if active else sides[::-1], key=lambda o: o.grade)
        return found(r, "references.where", Ask(Direction.BACKWARD, thing, i, end, False), WHERE)
    return None


def _passive(r: Reading) -> Found | None:
    for i, j in r.find("by_whom"):
        if (verb := r.first((*PAST, *ACTIVE), j, r.clause_end(i))) is not None:
            return found(r, "references.who", Ask(Direction.BACKWARD, r.object_at(verb[1]), i, verb[1], False), ASKED)
    for family in PAST:
        for i, j in r.find(family):
            if r.at("by", j) and (match := _agent(r, i, j)) is not None:
                return match
    return None


def _agent(r: Reading, i: int, j: int) -> Found | None:
    """Such as "called by X" (X calls), or "what is X called by" (X is called)."""
    agent = r.object_at(j + 1)
    asked = r.at("who", r.start)
    if j + 1 >= len(r.tokens) or r.at("who", j + 1):
        thing = r.object_at(subject_at(r, asked or r.start), i)
        return found(r, "references.who", Ask(Direction.BACKWARD, thing, i, j + 1, False), ASKED)
    ask = Ask(Direction.FORWARD, agent, i, j + 1, False)
    if agent.grade is Grade.SHAPED or (asked and agent.grade in (Grade.PLAIN, Grade.DEICTIC)):
        return found(r, "references.forward", ask, ASKED)
    return Found("references.forward", ASKED[Grade.PROSE], r.span(i, j + 1), note="no named target", near=True)


def _gerund(r: Reading) -> Found | None:
    near = None
    for family in (*GERUND, "depend.gerund"):
        for i, j in r.find(family, 1):
            before = i - 2 if i > 1 and r.at("be", i - 1) else i - 1  # "who is using X"
            if not (r.at("kind", before) or r.at("who", before)):
                continue
            match = found(r, "references.who", Ask(Direction.BACKWARD, r.object_at(j), i, j, False), ASKED)
            if not match.near and r.object_at(j).grade is Grade.SHAPED:
                return match
            near = near or Found(match.rule, match.confidence, match.span, note="no named target", near=True)
    return near


def _polar(r: Reading) -> Found | None:
    """Such as "is X used anywhere", "¿se usa X?"."""
    subject, stop = subject_at(r, r.start), r.clause_end(r.start)
    if subject == r.start or not r.at("be", r.start):
        return None
    verb = r.first(PAST, subject + 1, stop) or (r.first(ACTIVE, subject, subject + 1))
    if verb is None or r.at("by", verb[1]):
        return None
    thing = max(r.object_at(subject, verb[0]), r.object_at(verb[1], stop), key=lambda o: o.grade)
    match = found(r, "references.polar", Ask(Direction.BACKWARD, thing, r.start, verb[1], False), WHERE)
    named = thing.grade in (Grade.SHAPED, Grade.DEICTIC)
    return match if named else replace(match, near=True, note="no named target")


def _noun(r: Reading) -> Found | None:
    near = None
    for family in (*NOUN, "forward.noun"):
        forward = family == "forward.noun"
        name = "references.forward" if forward else "references.noun"
        for i, j in r.find(family):
            thing = noun_object(r, i, j)
            opens = i == r.start or (r.at("skip", i - 1) and i - 1 <= r.start) or r.at("be", i - 1)
            match = found(r, name, Ask(Direction.FORWARD if forward else Direction.BACKWARD, thing, i, j, False), WHERE)
            if not match.near and thing.grade > Grade.NONE and (opens or thing.grade is Grade.SHAPED):
                return match
            near = near or Found(
                name, match.confidence, match.span, note="a relation noun without a named target", near=True
            )
    return near
