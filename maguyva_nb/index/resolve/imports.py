"""What imports bind in a file, and what a module shows to those that import it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from maguyva_nb.index.parsed import ParsedImport
from maguyva_nb.index.resolve.codebase import Codebase
from maguyva_nb.index.resolve.finders import Finder, finder_for, path_parts
from maguyva_nb.index.resolve.model import OUTSIDE, UNKNOWN, VALUES, Found, Module, Nowhere, Place
from maguyva_nb.types import Resolution

_DEFAULT_EXPORT = re.compile(r"export\s+default\b")
# A re-export may pass through this many files; more is a cycle in disguise.
MAX_HOPS = 12


class Imports:
    """Answers questions about imports over a codebase; caches what it finds."""

    def __init__(self, code: Codebase) -> None:
        self.finders: dict[str, Finder] = {family: finder_for(code, family) for family in code.families}
        self._code = code
        self._bound: dict[int, dict[str, list[ParsedImport]]] = {}
        self._imported: dict[tuple[int, ParsedImport], Place] = {}
        self._exports: dict[tuple[Module, str, str], Place] = {}

    def name_in(self, unit: int, name: str) -> Place | None:
        """What the imports of a unit bind a name to; None when they do not."""
        found = self._bound_names(unit).get(name)
        return self._first_known(unit, found) if found else None

    def through_stars(self, unit: int, name: str) -> Place | None:
        """A name that an import of everything brings in."""
        for star in self._bound_names(unit).get("*", ()):
            module = self.imported(unit, star)
            place = self.export(module, name) if isinstance(module, Module) else UNKNOWN
            if place is not UNKNOWN and place is not OUTSIDE:
                return place
        return None

    def _bound_names(self, unit: int) -> dict[str, list[ParsedImport]]:
        bound = self._bound.get(unit)
        if bound is None:
            bound = self._bound[unit] = {}
            for one in self._code.units[unit].parsed.imports:
                bound.setdefault(bound_name(one, self._code.family[unit]), []).append(one)
        return bound

    def _first_known(self, unit: int, imports: Sequence[ParsedImport]) -> Place:
        """The first that leads into the codebase: fallbacks (``try: import``) bind one name twice."""
        places = [self._binding(unit, one) for one in imports]
        known = [p for p in places if not isinstance(p, Nowhere)]
        return known[0] if known else places[0]

    def _binding(self, unit: int, one: ParsedImport) -> Place:
        if self._code.family[unit] == "python" and one.name is None and one.alias is None and "." in one.module:
            head = one.module.partition(".")[0]
            return self.finders["python"].find(unit, head, one.level)
        return self.imported(unit, one)

    def imported(self, unit: int, one: ParsedImport, hops: int = 0) -> Place:
        """What an import names: a module or symbols of the codebase, or nothing of it."""
        key = (unit, one)
        if key not in self._imported:
            self._imported[key] = UNKNOWN  # a cycle of re-exports ends here
            self._imported[key] = self._find_import(unit, one, hops)
        return self._imported[key]

    def _find_import(self, unit: int, one: ParsedImport, hops: int) -> Place:
        finder = self.finders[self._code.family[unit]]
        module = finder.find(unit, one.module, one.level)
        if one.name in (None, "*"):
            return self._whole(unit, one, module)
        if isinstance(module, Module) and one.name:
            place = self.export(module, one.name, hops=hops, stem=one.alias or "")
            return self._static(module, one) or place if place is UNKNOWN else place
        if self._code.family[unit] not in ("python", "javascript") and one.name:
            joined = finder.find(unit, "/".join([*path_parts(one.module), one.name]), 0)
            if isinstance(joined, Module):
                return self._named_like(joined, one.name) or joined
        return module

    def _whole(self, unit: int, one: ParsedImport, module: Module | Nowhere) -> Place:
        """A whole module; where files are named after their classes, the class."""
        if self._code.family[unit] in ("python", "go") or one.name == "*":
            return module
        if isinstance(module, Module):
            return self._named_like(module, bound_name(one, self._code.family[unit])) or module
        path, _, last = one.module.replace("::", ".").replace("\\", ".").rpartition(".")
        above = (
            self.finders[self._code.family[unit]].find(unit, path, 0)
            if path and self._code.family[unit] != "javascript"
            else None
        )
        return self.export(above, last) if isinstance(above, Module) else module

    def _static(self, module: Module, one: ParsedImport) -> Found | None:
        """A member of the class that a file is named after."""
        owner = self._named_like(module, path_parts(one.module)[-1])
        found = [s for o in owner.symbols for s in self._code.inside(o, one.name or "")] if owner else []
        return Found(tuple(found), Resolution.IMPORT) if found else None

    def _named_like(self, module: Module, name: str) -> Found | None:
        found = [s for u in module.units for s in self._code.top_level(u, name)]
        return Found(tuple(found), Resolution.IMPORT) if found else None

    def export(self, module: Module, name: str, *, hops: int = 0, stem: str = "") -> Place:
        """A name of a module, seen from outside: defined there, or passed on from elsewhere."""
        key = (module, name, stem)
        if key not in self._exports:
            self._exports[key] = self._export(module, name, hops, stem, set())
        return self._exports[key]

    def _export(self, module: Module, name: str, hops: int, stem: str, seen: set[Module]) -> Place:
        """``seen`` are the modules that star imports have led to: they lead back to each other."""
        if hops > MAX_HOPS or module in seen:
            return UNKNOWN
        seen.add(module)
        found = [s for u in module.units for s in self._code.top_level(u, name)]
        if found:
            return Found(latest(self._code, found), Resolution.IMPORT)
        for unit in module.units:
            for one in self._bound_names(unit).get(name, ()):
                place = self.imported(unit, one, hops + 1)
                if place is not UNKNOWN:
                    return place
        for unit in module.units:
            for star in self._bound_names(unit).get("*", ()):
                inner = self.imported(unit, star, hops + 1)
                place = self._export(inner, name, hops + 1, "", seen) if isinstance(inner, Module) else UNKNOWN
                if place is not UNKNOWN and place is not OUTSIDE:
                    return place
        if name == "default":
            return self._default(module, stem)
        family = self._code.family[module.units[0]] if module.units else "python"
        return self.finders[family].child(module, name) or UNKNOWN

    def _default(self, module: Module, stem: str) -> Place:
        """What a script exports as its default: marked so, or named like the file or its importer."""
        for unit in module.units:
            symbols = range(
                self._code.first[unit] + 1, self._code.first[unit] + len(self._code.units[unit].parsed.symbols)
            )
            tops = [s for s in symbols if self._code.parent[s] == self._code.first[unit]]
            marked = [s for s in tops if _DEFAULT_EXPORT.match(self._code.symbols[s].signature)]
            named = marked or [s for s in tops if stem and self._code.symbols[s].name == stem]
            if named:
                return Found((named[0],), Resolution.IMPORT)
        return UNKNOWN


def bound_name(one: ParsedImport, family: str) -> str:
    """The name an import brings into its file; ``*`` for all of a module's."""
    if one.name == "*":
        return one.alias or "*"
    if one.alias or one.name:
        return one.alias or one.name or ""
    if family == "python":
        return one.module.partition(".")[0]
    parts = re.split(r"::|[./\\]", one.module)
    last = parts[-1] or one.module
    return parts[-2] if family == "go" and re.fullmatch(r"v\d+", last) and len(parts) > 1 else last


def latest(code: Codebase, symbols: Sequence[int]) -> tuple[int, ...]:
    """Of definitions that replace each other (conditional ones, overloads) the whole set, else the only one."""
    kinds = {code.symbols[s].kind for s in symbols}
    if len(symbols) > 1 and kinds & VALUES and kinds - VALUES:
        return tuple(s for s in symbols if code.symbols[s].kind not in VALUES)
    return tuple(symbols)
