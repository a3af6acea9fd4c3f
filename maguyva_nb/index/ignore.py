"""Ignore rules of git work trees: asked of git where it can be trusted to answer, read from the files elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pathspec import GitIgnoreSpec

from maguyva_nb.index.git import exclude_file, git_folder, ignored_by_git, tracked_files


class Ignored(Protocol):
    """Tells, while a walk goes down, what is hidden; paths are relative to the walk's root, ``/`` between names."""

    def enter(self, folder: str, names: Sequence[str], /) -> Ignored:
        """The rules inside a folder that holds ``names``."""

    def hides(self, path: str, is_folder: bool, /) -> bool:
        """Whether a path is left out with all it holds."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """Paths that git itself called ignored."""

    paths: frozenset[str]

    def enter(self, _folder: str, _names: Sequence[str], /) -> Ignored:
        return self

    def hides(self, path: str, _is_folder: bool, /) -> bool:
        return path in self.paths


NOTHING: Ignored = _Listed(frozenset())


@dataclass(frozen=True, slots=True)
class _Level:
    """One file of rules; ``base`` is its folder from the top of the work tree, with a final ``/`` unless empty."""

    base: str
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class _Rules:
    """Rules read from the files. ``prefix`` leads from the top of the work tree to the walk's root."""

    top: Path
    prefix: str
    cut: int
    levels: tuple[_Level, ...]
    tracked: frozenset[str]

    def enter(self, folder: str, names: Sequence[str], /) -> Ignored:
        if ".gitignore" not in names:
            return self
        base = _slash(self.prefix + folder[self.cut :])
        level = _read_level(self.top / base / ".gitignore", base)
        if level is None:
            return self
        return _Rules(self.top, self.prefix, self.cut, (*self.levels, level), self.tracked)

    def hides(self, path: str, is_folder: bool, /) -> bool:
        path = self.prefix + path[self.cut :]
        return _is_ignored(self.levels, path, is_folder) and path not in self.tracked


def rules_for(root: Path, *, use_git: bool) -> Ignored:
    """The rules that hold in ``root``: those of the work tree around it, or none. A root that its own work tree
    ignores was named on purpose, so the tree's rules do not hold in it."""
    top = git_folder(root)
    if top is None:
        return NOTHING
    listed = ignored_by_git(root) if use_git else None
    if listed is not None:
        return NOTHING if "" in listed else _Listed(listed)
    return _rules(top, root.resolve().relative_to(top).as_posix(), 0)


def nested_rules(root: Path, folder: str, *, use_git: bool) -> Ignored:
    """The rules of a work tree inside another: only its own."""
    listed = ignored_by_git(root / folder) if use_git else None
    if listed is not None:
        return _Listed(frozenset(f"{folder}/{path}" for path in listed))
    return _rules(root / folder, "", len(folder) + 1).enter(folder, [".gitignore"])


def is_work_tree(folder: Path) -> bool:
    """Whether a folder is the top of a work tree of its own."""
    return git_folder(folder) is not None


def _rules(top: Path, prefix: str, cut: int) -> Ignored:
    tracked = tracked_files(top)
    folders = (f"{path.rsplit('/', depth)[0]}" for path in tracked for depth in range(1, path.count("/") + 1))
    known = frozenset(tracked).union(folders)
    prefix = "" if prefix == "." else prefix
    exclude = _read_level(exclude_file(top), "")
    levels = (exclude,) if exclude else ()
    parts = prefix.split("/") if prefix else []
    for depth, _ in enumerate(parts):
        base = _slash("/".join(parts[:depth]))
        level = _read_level(top / base / ".gitignore", base)
        levels = (*levels, level) if level else levels
        here = "/".join(parts[: depth + 1])
        if _is_ignored(levels, here, True) and here not in known:
            return NOTHING
    return _Rules(top, _slash(prefix), cut, levels, known)


def _is_ignored(levels: Sequence[_Level], path: str, is_folder: bool) -> bool:
    """The deepest file of rules that says anything decides."""
    for level in reversed(levels):
        verdict = level.spec.check_file(path[len(level.base) :] + ("/" if is_folder else "")).include
        if verdict is not None:
            return verdict
    return False


def _read_level(file: Path, base: str) -> _Level | None:
    try:
        if file.is_symlink() or not file.is_file():
            return None
        lines: Iterable[str] = file.read_text("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")
    except OSError:
        return None
    return _Level(base, _spec([line.removesuffix("\r") for line in lines]))


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    """One bad pattern must not lose the others, as it does not in git."""
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _slash(folder: str) -> str:
    return f"{folder}/" if folder and not folder.endswith("/") else folder
