"""Which files an import path means, one rule set a family of languages."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from maguyva_nb.index.resolve.codebase import Codebase
from maguyva_nb.index.resolve.model import OUTSIDE, UNKNOWN, Module, Nowhere

_SOURCE_ROOT = re.compile(r"(?:^|/)src/[^/]+/(?:java|kotlin|scala)/(.+)$")
SCRIPT_SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
# TypeScript writes the name of what a file compiles to.
COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


class Finder(Protocol):
    """Module paths of one family of languages."""

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:
        """What ``module`` means in a unit; ``OUTSIDE`` when it is surely no part of the codebase."""

    def child(self, module: Module, name: str) -> Module | None:
        """A submodule."""

    def home(self, unit: int) -> Module:
        """The units whose top-level names a unit sees without importing them, itself included."""


class PythonFinder:
    """Packages by ``__init__.py``, scripts by the folder they share."""

    def __init__(self, code: Codebase) -> None:
        self._code = code
        self._modules: dict[str, list[int]] = defaultdict(list)
        self._dotted: dict[int, str] = {}
        self._in_package: set[int] = set()
        self._siblings: dict[tuple[str, str], int] = {}
        paths = {code.units[u].path: u for u in code.families["python"]}
        for path, unit in sorted(paths.items()):
            self._add(path, unit, paths)
        self._packages = {
            dotted.rsplit(".", depth)[0] for dotted in self._modules for depth in range(dotted.count(".") + 1)
        }
        self._roots = {dotted.partition(".")[0] for dotted in self._modules}

    def _add(self, path: str, unit: int, paths: Mapping[str, int]) -> None:
        pure = PurePosixPath(path)
        parts = [*pure.parent.parts, pure.stem]
        self._siblings[str(pure.parent), pure.stem] = unit
        start = len(pure.parent.parts)
        while start and "/".join([*parts[:start], "__init__.py"]) in paths:
            start -= 1
        whole = start == 0 and "__init__.py" in paths
        names = [self._code.root_name, *parts] if whole else parts[start:]
        if names[-1] == "__init__":
            names = names[:-1] or [self._code.root_name]
        if whole or start < len(pure.parent.parts):
            self._in_package.add(unit)
        self._dotted[unit] = ".".join(names)
        spellings = {".".join(names)}
        if not whole:
            spellings |= {".".join(parts[i:]) for i in range(start) if not self._is_source_root(parts[i])}
            spellings |= {
                ".".join(parts[i + 1 : start] + names) for i in range(start) if self._is_source_root(parts[i])
            }
        for name in spellings:
            self._modules[name.removesuffix(".__init__")].append(unit)

    @staticmethod
    def _is_source_root(folder: str) -> bool:
        return folder in ("src", "lib", "python", "source")

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:
        """Relative paths from the unit's own package, absolute ones from every source root."""
        if level:
            base = self._dotted[unit].split(".")
            keep = len(base) - level + (PurePosixPath(self._code.units[unit].path).stem == "__init__")
            if keep < 0:
                return UNKNOWN
            dotted = ".".join([*base[:keep], *([module] if module else [])])
            return self._module(dotted) or (self._beside(unit, module) if keep == 0 else None) or UNKNOWN
        found = self._module(module)
        root = module.partition(".")[0]
        if found and (root not in sys.stdlib_module_names or root == self._dotted[unit].partition(".")[0]):
            return found
        if root not in sys.stdlib_module_names and (beside := self._beside(unit, module)):
            return beside
        return UNKNOWN if root in self._roots and root not in sys.stdlib_module_names else OUTSIDE

    def child(self, module: Module, name: str) -> Module | None:
        """A module of a package."""
        return self._module(f"{module.path}.{name}" if module.path else name)

    def home(self, unit: int) -> Module:
        """Only the file itself."""
        return Module(self._dotted[unit], (unit,))

    def _module(self, dotted: str) -> Module | None:
        units = self._modules.get(dotted, [])
        if units:
            return Module(dotted, tuple(units)) if len(units) == 1 else None
        return Module(dotted, ()) if dotted in self._packages else None

    def _beside(self, unit: int, module: str) -> Module | None:
        """A script beside a script, as ``sys.path[0]`` has it; within a package that was Python 2."""
        folder = PurePosixPath(self._code.units[unit].path).parent / PurePosixPath(*module.split("."))
        for parent, stem in ((folder.parent, folder.name), (folder, "__init__")):
            found = self._siblings.get((str(parent), stem))
            if found is not None:
                return Module(self._dotted[found], (found,))
        return None


class PathFinder:
    """Files by the paths they are imported by; ``guesses`` yields those to try, best first."""

    def __init__(self, code: Codebase, family: str, guesses: Callable[[str, str], Iterator[str]]) -> None:
        self._units = code.units
        self._by_path = {code.units[u].path: u for u in code.families[family]}
        self._guesses = guesses

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:  # noqa: ARG002
        """The first guess that is a file of the codebase; a path that is no relative one is a package's name."""
        for path in self._guesses(self._units[unit].folder, module):
            found = self._by_path.get(path)
            if found is not None:
                return Module(path, (found,))
        return UNKNOWN if module.startswith((".", "/", "@/", "~/")) else OUTSIDE

    def child(self, module: Module, name: str) -> Module | None:  # noqa: ARG002
        """Files hold no further files."""
        return None

    def home(self, unit: int) -> Module:
        """Only the file itself."""
        return Module(self._units[unit].path, (unit,))


class FolderFinder:
    """Go: a folder is a package; a package's path ends with its folder."""

    def __init__(self, code: Codebase, family: str) -> None:
        self._units = code.units
        self._folders = {folder: units for (name, folder), units in code.folders.items() if name == family}
        self._root = self._guess_root(code, family)

    def _guess_root(self, code: Codebase, family: str) -> str | None:
        """The module path, told by the imports: what stands before the folders that are here."""
        votes = Counter(
            module[: len(module) - len(folder) - 1]
            for unit in code.families[family]
            for module in {i.module for i in code.units[unit].parsed.imports}
            for folder in self._suffixes(module)
        )
        return min(votes, key=lambda root: (-votes[root], root)) if votes else None

    def _suffixes(self, module: str) -> Iterator[str]:
        parts = module.split("/")
        if "." in parts[0]:
            yield from (f for i in range(1, len(parts)) if (f := "/".join(parts[i:])) in self._folders)

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:  # noqa: ARG002
        """The folder below the module's path, or the one whose path ends so."""
        if self._root and (module == self._root or module.startswith(f"{self._root}/")):
            folder = module[len(self._root) + 1 :]
            return Module(folder, tuple(self._folders[folder])) if folder in self._folders else UNKNOWN
        return OUTSIDE

    def child(self, module: Module, name: str) -> Module | None:  # noqa: ARG002
        """A package's members are no packages."""
        return None

    def home(self, unit: int) -> Module:
        """All files of the folder."""
        folder = self._units[unit].folder
        return Module(folder, tuple(self._folders[folder]))


class SuffixFinder:
    """Languages that name files or classes by paths from some source root: the longest match of the end decides."""

    def __init__(self, code: Codebase, family: str, *, shares_folder: bool = False) -> None:
        self._units = code.units
        self._packages: dict[str, list[int]] = defaultdict(list)
        for unit in code.families[family] if shares_folder else ():
            self._packages[_package(code.units[unit].folder)].append(unit)
        self._by_stem: dict[str, list[int]] = defaultdict(list)
        for unit in code.families[family]:
            self._by_stem[PurePosixPath(code.units[unit].path).name.partition(".")[0]].append(unit)

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:  # noqa: ARG002
        """A file whose path ends with all of ``module``."""
        wanted = [p for p in path_parts(module) if p not in ("", ".", "..", "crate", "self", "super")]
        if not wanted:
            return UNKNOWN
        stem = wanted[-1]
        ends = [u for u in self._by_stem.get(stem, ()) if _ends(self._units[u].path, wanted)]
        near = [u for u in ends if self._units[u].folder == self._units[unit].folder]
        picked = near if len(near) == 1 else ends
        if len(picked) == 1:
            return Module(self._units[picked[0]].path, tuple(picked))
        package = "/".join(wanted)
        if not ends and package in self._packages:
            return Module(package, tuple(self._packages[package]))
        return UNKNOWN if ends else OUTSIDE

    def child(self, module: Module, name: str) -> Module | None:  # noqa: ARG002
        """Files hold no further files."""
        return None

    def home(self, unit: int) -> Module:
        """The file, or its whole folder where that is a package."""
        package = _package(self._units[unit].folder)
        return Module(package, tuple(self._packages.get(package, [unit])))


class RustFinder:
    """Modules of crates: ``a/b.rs`` and ``a/b/mod.rs`` are ``crate::a::b``."""

    def __init__(self, code: Codebase) -> None:
        self._units = code.units
        self._place: dict[int, tuple[str, tuple[str, ...]]] = {}
        self._modules: dict[tuple[str, tuple[str, ...]], int] = {}
        self._crates: dict[str, str] = {}
        for unit in code.families["rust"]:
            self._add(unit)

    def _add(self, unit: int) -> None:
        pure = PurePosixPath(self._units[unit].path)
        folders = pure.parent.parts
        depth = len(folders) - 1 - folders[::-1].index("src") if "src" in folders else -1
        crate = "/".join(folders[:depth]) if depth >= 0 else ""
        inner = (*folders[depth + 1 :], pure.stem) if depth >= 0 else (*folders, pure.stem)
        if inner[-1] in ("mod", "lib", "main"):
            inner = inner[:-1]
        self._place[unit] = (crate, inner)
        self._modules.setdefault((crate, inner), unit)
        if crate:
            self._crates.setdefault(PurePosixPath(crate).name.replace("-", "_"), crate)

    def find(self, unit: int, module: str, level: int) -> Module | Nowhere:  # noqa: ARG002
        """``crate``, ``self``, ``super``, a child module, or another crate of the workspace."""
        crate, here = self._place[unit]
        head, *rest = path_parts(module)
        if head == "crate":
            base: tuple[str, ...] = ()
        elif head == "self":
            base = here
        elif head == "super":
            ups = 1 + next((i for i, part in enumerate(rest) if part != "super"), len(rest))
            base, rest = here[: len(here) - ups], rest[ups - 1 :]
        elif (crate, (*here, head)) in self._modules:
            base, rest = here, [head, *rest]
        elif head in self._crates:
            crate, base = self._crates[head], ()
        else:
            return OUTSIDE
        found = self._modules.get((crate, (*base, *rest)))
        return Module("::".join((crate, *base, *rest)), (found,)) if found is not None else UNKNOWN

    def child(self, module: Module, name: str) -> Module | None:
        """A module of a module."""
        for unit in module.units:
            crate, inner = self._place[unit]
            found = self._modules.get((crate, (*inner, name)))
            if found is not None:
                return Module("::".join((crate, *inner, name)), (found,))
        return None

    def home(self, unit: int) -> Module:
        """Only the file itself."""
        return Module("::".join(self._place[unit][1]), (unit,))


def finder_for(code: Codebase, family: str) -> Finder:
    """The rule set of a family of languages."""
    if family == "python":
        return PythonFinder(code)
    if family == "javascript":
        return PathFinder(code, family, _script_paths)
    if family == "go":
        return FolderFinder(code, family)
    if family == "rust":
        return RustFinder(code)
    return SuffixFinder(code, family, shares_folder=family in ("java", "csharp", "swift", "php"))


def _script_paths(folder: str, module: str) -> Iterator[str]:
    """Where a JavaScript or TypeScript import may lead, without its configuration."""
    if module.startswith("."):
        base = _join(folder, module)
    elif module.startswith(("@/", "~/")):
        base = f"src/{module[2:]}"
    else:
        base = module
    yield base
    stem, dot, extension = base.rpartition(".")
    yield from (stem + other for other in COMPILED.get(dot + extension, ()))
    yield from (base + suffix for suffix in SCRIPT_SUFFIXES)
    yield from (f"{base}/index{suffix}" if base else f"index{suffix}" for suffix in SCRIPT_SUFFIXES)


def _package(folder: str) -> str:
    """The package of a folder: main code and tests share it below different source roots."""
    match = _SOURCE_ROOT.search(folder)
    return match[1] if match else folder


def _join(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)


def path_parts(module: str) -> list[str]:
    """The names of a path, whatever separates them; a file's extension is none of them."""
    text = module.replace("::", "/").replace("\\", "/")
    if "/" in text or text.endswith((".h", ".hpp", ".hh", ".rb", ".php", ".sh", ".lua")):
        folder, _, name = text.rpartition("/")
        return [*filter(None, folder.split("/")), name.partition(".")[0] or name]
    return text.split(".")


def _ends(path: str, wanted: Sequence[str]) -> bool:
    pure = PurePosixPath(path)
    parts = [*pure.parent.parts, pure.name.partition(".")[0]]
    return parts[-len(wanted) :] == list(wanted)
