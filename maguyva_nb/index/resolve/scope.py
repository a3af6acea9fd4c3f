"""What a name stands for at a place: its scopes, then imports, then what the file sees without them."""

from __future__ import annotations

from collections.abc import Sequence

from maguyva_nb.index.resolve.codebase import Codebase
from maguyva_nb.index.resolve.hierarchy import Hierarchy
from maguyva_nb.index.resolve.imports import Imports, latest
from maguyva_nb.index.resolve.model import (
    CODE,
    OUTSIDE,
    TYPES,
    UNKNOWN,
    VALUES,
    Found,
    Instance,
    Module,
    Nowhere,
    Place,
)
from maguyva_nb.index.resolve.outside import is_builtin
from maguyva_nb.index.resolve.receiver import split_chain
from maguyva_nb.index.resolve.signatures import go_receiver, parameters, plain_type, result_type, value_type
from maguyva_nb.types import Resolution, SymbolKind

# Inside a class, these languages call its methods by their bare names.
IMPLICIT_SELF = frozenset({"java", "c", "csharp", "swift", "ruby"})
# What a class's constructor is called where it is not called like the class.
CONSTRUCTORS = {"python": "__init__", "javascript": "constructor", "php": "__construct", "ruby": "initialize"}
# What is known by its bare name all over a program, once its file is included, required or linked.
GLOBAL = {
    "c": TYPES | {SymbolKind.FUNCTION, SymbolKind.MACRO},
    "csharp": TYPES,
    "swift": TYPES | {SymbolKind.FUNCTION},
    "ruby": TYPES,
}
# The types of values may be made from each other this often; more is a cycle in disguise.
MAX_DEPTH = 25


class Scope:
    """Answers name questions over a codebase; caches what it finds."""

    def __init__(self, code: Codebase) -> None:
        self.code = code
        self.imports = Imports(code)
        self.hierarchy = Hierarchy(code)
        self._values: dict[int, Place] = {}
        self._depth = 0
        self._homes: dict[tuple[str, str], dict[str, list[int]]] = {}
        owners = self._adopt()
        self._owner = [self._owner_among(owners, symbol) for symbol in range(len(code.symbols))]

    def family(self, unit: int) -> str:
        """The family of a unit's language."""
        return self.code.family[unit]

    def _adopt(self) -> dict[int, int]:
        """Gives methods written outside of their class (Go, Rust, C++) to it, wherever in its package it is."""
        owners: dict[int, int] = {}
        for symbol, parsed in enumerate(self.code.symbols):
            owner_name, dot, _ = parsed.qualified_name.rpartition(".")
            parent = self.code.parent[symbol]
            if not dot or parent is None or parsed.kind not in CODE or self.code.parent[parent] is not None:
                continue
            place = self.chain(parent, split_chain(owner_name))
            types = [s for s in place.symbols if self.code.symbols[s].kind in TYPES] if isinstance(place, Found) else []
            if len(types) == 1:
                owners[symbol] = types[0]
                self.hierarchy.adopt(types[0], symbol)
        return owners

    def _owner_among(self, owners: dict[int, int], symbol: int) -> int | None:
        adopted = (owners[s] for s in self.code.scopes(symbol) if s in owners) if owners else iter(())
        return next(adopted, self.code.class_of(symbol))

    def owner_of(self, symbol: int) -> int | None:
        """The class a symbol is a method of, or is written in."""
        return self._owner[symbol]

    def _language(self, symbol: int) -> str:
        return self.code.units[self.code.unit_of[symbol]].language or ""

    # --- names ---------------------------------------------------------------------------

    def name_at(self, symbol: int, name: str) -> Place:
        """What a bare name means inside a symbol."""
        unit = self.code.unit_of[symbol]
        for scope in self.code.scopes(symbol):
            found = self._in_scope(symbol, scope, name)
            if found is not None:
                return found
        return self._in_file(unit, name)

    def _in_scope(self, symbol: int, scope: int, name: str) -> Place | None:
        """A parameter, a local definition, or (where the language says so) a member of a class around."""
        kind = self.code.symbols[scope].kind
        family = self.family(self.code.unit_of[scope])
        if kind in CODE:
            parameter = self._parameter(scope, name)
            if parameter is not None:
                return parameter
        is_type = kind in TYPES
        if is_type and scope != symbol:
            if family not in IMPLICIT_SELF:
                return None
            place = self.attribute(Instance((scope,), own=True), name)
            return place if place is not UNKNOWN else None
        found = self.code.inside(scope, name)
        if found:
            top = self.code.parent[scope] is None
            return Found(latest(self.code, found), Resolution.SAME_FILE if top else Resolution.SAME_SCOPE)
        return None

    def _parameter(self, scope: int, name: str) -> Place | None:
        unit = self.code.unit_of[scope]
        language = self.code.units[unit].language or ""
        signature = self.code.symbols[scope].signature
        if language == "go" and (receiver := go_receiver(signature)) and receiver[0] == name:
            owner = self.type_at(scope, receiver[1])
            return Instance(owner.classes, own=True) if isinstance(owner, Instance) else UNKNOWN
        written = parameters(signature, language).get(name.lstrip("$"))
        if written is None:
            return None
        return self.type_at(self.code.parent[scope] or scope, written) if written else UNKNOWN

    def _in_file(self, unit: int, name: str) -> Place:
        found = (
            self.imports.name_in(unit, name) or self._seen_unasked(unit, name) or self.imports.through_stars(unit, name)
        )
        if found is not None:
            return found
        if is_builtin(self.family(unit), name):
            return OUTSIDE
        return self._only_one(unit, name) or UNKNOWN

    def _only_one(self, unit: int, name: str) -> Found | None:
        """The one definition of a name that needs no import of its own."""
        family = self.family(unit)
        kinds = GLOBAL.get(family)
        found = [s for s in self.code.named(family, name) if self.code.symbols[s].kind in kinds] if kinds else []
        tests = self.code.is_test(self.code.first[unit])
        found = [s for s in found if tests or not self.code.is_test(s)]
        return Found((found[0],), Resolution.IMPORT) if len(found) == 1 else None

    def _seen_unasked(self, unit: int, name: str) -> Place | None:
        """Top-level names of the other files of a package."""
        family = self.family(unit)
        home = self.imports.finders[family].home(unit)
        if len(home.units) < 2:
            return None
        key = (family, home.path)
        if key not in self._homes:
            self._homes[key] = self._tops(home.units)
        found = [s for s in self._homes[key].get(name, ()) if self.code.unit_of[s] != unit]
        return Found(tuple(found), Resolution.IMPORT) if found else None

    def _tops(self, units: Sequence[int]) -> dict[str, list[int]]:
        """All top-level names of some units."""
        table: dict[str, list[int]] = {}
        for module in (self.code.module_symbol(unit) for unit in units):
            for name, symbols in self.code.children.get(module, {}).items() if module is not None else ():
                table.setdefault(name, []).extend(symbols)
        return table

    # --- members and types ---------------------------------------------------------------

    def chain(self, symbol: int, parts: Sequence[str]) -> Place:
        """What ``a.b.c`` means inside a symbol; a part ``f()`` is the result of calling ``f``."""
        if self._depth > MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            return self._chain(symbol, parts)
        finally:
            self._depth -= 1

    def _chain(self, symbol: int, parts: Sequence[str]) -> Place:
        place: Place = UNKNOWN
        for number, part in enumerate(parts):
            name = part.removesuffix("()")
            place = self.name_at(symbol, name) if number == 0 else self.attribute(place, name)
            if part.endswith("()"):
                place = self.result(place)
            if isinstance(place, Nowhere):
                return place
        return place

    def attribute(self, place: Place, name: str) -> Place:
        """A name looked up in what another stands for."""
        if isinstance(place, Module):
            return self.imports.export(place, name)
        if isinstance(place, Instance):
            return self._member(place, name)
        if isinstance(place, Found):
            types = tuple(s for s in place.symbols if self.code.symbols[s].kind in TYPES)
            if types:
                found = self.hierarchy.members(types, name)
                return (
                    Found(found.symbols, place.how if found.direct else Resolution.HIERARCHY)
                    if found
                    else self._open(types)
                )
            values = [s for s in place.symbols if self.code.symbols[s].kind in VALUES]
            if values:
                return self.attribute(self.value(values[0]), name)
            inner = [i for s in place.symbols for i in self.code.inside(s, name)]
            return Found(tuple(inner), place.how) if inner else UNKNOWN
        return place

    def _member(self, place: Instance, name: str) -> Place:
        found = self.hierarchy.members(place.classes, name, above=place.above)
        if found is None and place.own and not place.above:
            found = self.hierarchy.overrides(place.classes, name)
        if found is None:
            return self._promoted(place.classes, name) or self._open(place.classes)
        direct = Resolution.SELF if place.own else Resolution.TYPE
        return Found(found.symbols, direct if found.direct else Resolution.HIERARCHY)

    def _promoted(self, classes: Sequence[int], name: str) -> Place | None:
        """A field that a parameter of the constructor, or of the class itself, declares."""
        for one in classes:
            makers = self.hierarchy.members((one,), CONSTRUCTORS.get(self.family(self.code.unit_of[one]), ""))
            for maker in (one, *(makers.symbols if makers else ())):
                written = parameters(self.code.symbols[maker].signature, self._language(maker)).get(name)
                if written:
                    return self.type_at(self.code.parent[maker] or maker, written)
        return None

    def _open(self, classes: Sequence[int]) -> Place:
        """A member that is not in the codebase: outside when a base class is, else unknown."""
        return OUTSIDE if any(self.hierarchy.leads_outside(c) for c in classes) else UNKNOWN

    def result(self, place: Place) -> Place:
        """The value of a call: an instance of a class, or what a function says it returns."""
        if not isinstance(place, Found):
            return OUTSIDE if place is OUTSIDE else UNKNOWN
        symbol = place.symbols[0]
        if self.code.symbols[symbol].kind in TYPES:
            return Instance(tuple(s for s in place.symbols if self.code.symbols[s].kind in TYPES))
        parsed = self.code.symbols[symbol]
        written = result_type(parsed.signature, self._language(symbol), parsed.name)
        if written in ("Self", '"Self"', "this"):
            owner = self.code.class_of(symbol)
            return Instance((owner,)) if owner is not None else UNKNOWN
        return self.type_at(symbol, written) if written else UNKNOWN

    def value(self, symbol: int) -> Place:
        """The type of a constant, variable or field, as its own line tells it."""
        if symbol not in self._values:
            self._values[symbol] = UNKNOWN
            parsed = self.code.symbols[symbol]
            typed, made = value_type(parsed.signature, self._language(symbol), parsed.name)
            parent = self.code.parent[symbol]
            place: Place = self.type_at(parent, typed) if typed and parent is not None else UNKNOWN
            if place is UNKNOWN and made and parent is not None:
                place = self.result(self.chain(parent, split_chain(made) or ("",)))
            self._values[symbol] = place
        return self._values[symbol]

    def type_at(self, symbol: int, written: str) -> Place:
        """An instance of a type written inside a symbol."""
        parts = split_chain(plain_type(written))
        place = self.chain(symbol, parts) if parts else UNKNOWN
        if isinstance(place, Found):
            types = tuple(s for s in place.symbols if self.code.symbols[s].kind in TYPES)
            return Instance(types) if types else UNKNOWN
        return OUTSIDE if place is OUTSIDE else UNKNOWN
