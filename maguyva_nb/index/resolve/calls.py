"""One call site -> the symbols it calls, by the strongest mechanism that answers."""

from __future__ import annotations

from dataclasses import dataclass

from maguyva_nb.index.parsed import ParsedCall
from maguyva_nb.index.resolve.model import (
    CODE,
    OUTSIDE,
    TYPES,
    UNKNOWN,
    Found,
    Instance,
    Module,
    Place,
)
from maguyva_nb.index.resolve.outside import is_builtin, is_common_method
from maguyva_nb.index.resolve.receiver import is_literal, split_chain
from maguyva_nb.index.resolve.scope import CONSTRUCTORS, Scope
from maguyva_nb.tokens import fold_name
from maguyva_nb.types import Resolution, SymbolKind

SELF = frozenset({"self", "cls", "this", "Self", "$this", "static", "@self"})
SUPER = frozenset({"super", "super()", "base", "parent"})
# Languages where a bare name of another file needs no import that the parser sees.
BARE_ACROSS_FILES = frozenset({"c", "ruby", "php", "bash", "lua", "swift", "csharp", "java"})
# More functions than this under one name, and a name alone says nothing.
MAX_NAMESAKES = 3
# Shorter names resemble each other by accident.
ALIKE_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Resolved:
    """``targets`` are (symbol, mechanism), empty unless ``resolution`` is one that makes edges."""

    resolution: Resolution
    targets: tuple[tuple[int, Resolution], ...] = ()


def resolve_call(scope: Scope, caller: int, call: ParsedCall) -> Resolved:
    """Resolves one call site inside a symbol."""
    place = _callee(scope, caller, call)
    targets = _targets(scope, place)
    if targets:
        return Resolved(targets[0][1], targets)
    if place is OUTSIDE:
        return Resolved(Resolution.EXTERNAL)
    namesakes = _namesakes(scope, caller, call) if place is UNKNOWN else ()
    if namesakes:
        return Resolved(Resolution.NAME_ONLY, tuple((s, Resolution.NAME_ONLY) for s in namesakes))
    return Resolved(_without_target(scope, caller, call))


def _callee(scope: Scope, caller: int, call: ParsedCall) -> Place:
    if call.receiver is None:
        return scope.name_at(caller, call.name)
    if is_literal(call.receiver):
        return OUTSIDE
    parts = split_chain(call.receiver)
    if not parts:
        return UNKNOWN
    own = _own_object(scope, caller, parts[0])
    if own is None:
        return scope.attribute(scope.chain(caller, parts), call.name)
    place: Place = own
    for part in parts[1:]:
        place = scope.attribute(place, part.removesuffix("()"))
        if part.endswith("()"):
            place = scope.result(place)
        elif isinstance(place, Found):
            place = scope.value(place.symbols[0])
    return scope.attribute(place, call.name)


def _own_object(scope: Scope, caller: int, word: str) -> Place | None:
    """The object a method runs on, when the receiver says so."""
    if word not in SELF and word not in SUPER:
        return None
    owner = scope.owner_of(caller)
    return UNKNOWN if owner is None else Instance((owner,), own=True, above=word in SUPER)


def _targets(scope: Scope, place: Place) -> tuple[tuple[int, Resolution], ...]:
    code = scope.code
    if isinstance(place, Module):
        default = (
            scope.imports.export(place, "default", stem="") if place.units and _is_script(scope, place) else UNKNOWN
        )
        place = default if isinstance(default, Found) else UNKNOWN
    if isinstance(place, Instance) and not place.own:
        called = scope.attribute(place, "__call__")
        return tuple((s, Resolution.TYPE) for s in called.symbols) if isinstance(called, Found) else ()
    if not isinstance(place, Found):
        return ()
    targets: dict[int, Resolution] = {}
    for symbol in place.symbols:
        targets.setdefault(symbol, place.how)
        if code.symbols[symbol].kind in TYPES:
            for constructor, how in _constructors(scope, symbol, place.how):
                targets.setdefault(constructor, how)
    return tuple(targets.items())


def _constructors(scope: Scope, symbol: int, how: Resolution) -> list[tuple[int, Resolution]]:
    family = scope.family(scope.code.unit_of[symbol])
    name = CONSTRUCTORS.get(family, scope.code.symbols[symbol].name)
    found = scope.hierarchy.members((symbol,), name)
    if found is None:
        return []
    methods = [s for s in found.symbols if scope.code.symbols[s].kind in CODE]
    return [(s, how if found.direct else Resolution.HIERARCHY) for s in methods]


def _namesakes(scope: Scope, caller: int, call: ParsedCall) -> tuple[int, ...]:
    """Functions of that name anywhere, when they are few and nothing speaks against them."""
    code = scope.code
    family = scope.family(code.unit_of[caller])
    tests = code.is_test(caller)
    found = [s for s in code.named(family, call.name) if tests or not code.is_test(s)]
    if call.receiver is None:
        known = family in BARE_ACROSS_FILES and not is_builtin(family, call.name)
        found = [s for s in found if known and _stands_free(scope, s)]
    else:
        found = [s for s in found if code.symbols[s].kind in CODE and scope.owner_of(s) is not None]
        alike = [s for s in found if _alike(scope, s, call.receiver)]
        common = is_common_method(family, call.name) or call.name.startswith("__")
        found = alike or ([] if common else found)
    return tuple(found) if 0 < len(found) <= MAX_NAMESAKES else ()


def _stands_free(scope: Scope, symbol: int) -> bool:
    """Whether a bare name can mean a symbol from another file: a type, or a function that is no member."""
    kind = scope.code.symbols[symbol].kind
    around = scope.code.parent[symbol]
    top = around is not None and scope.code.parent[around] is None
    return kind in TYPES or (kind is not SymbolKind.METHOD and (top or scope.family(scope.code.unit_of[symbol]) == "c"))


def _alike(scope: Scope, symbol: int, receiver: str) -> bool:
    """Whether a receiver is named after the class of a method: ``reader`` and ``JsonReader``."""
    owner = scope.owner_of(symbol)
    parts = split_chain(receiver)
    if owner is None or not parts or parts[-1].endswith("()"):
        return False
    value, kind = fold_name(parts[-1]), fold_name(scope.code.symbols[owner].name)
    return min(len(value), len(kind)) >= ALIKE_LETTERS and (kind.endswith(value) or value.endswith(kind))


def _without_target(scope: Scope, caller: int, call: ParsedCall) -> Resolution:
    """External only on evidence: a name of the language's own that nothing in the codebase bears."""
    family = scope.family(scope.code.unit_of[caller])
    known = scope.code.named(family, call.name)
    own = is_common_method(family, call.name) if call.receiver is not None else is_builtin(family, call.name)
    return Resolution.EXTERNAL if own and not known else Resolution.UNRESOLVED


def _is_script(scope: Scope, place: Module) -> bool:
    return scope.family(place.units[0]) == "javascript"
