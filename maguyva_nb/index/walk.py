"""Which files of a folder are explored: ignore rules kept, links not followed, every other omission a row."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from maguyva_nb.index.ignore import Ignored, is_work_tree, nested_rules, rules_for
from maguyva_nb.index.paths import stored_path

METADATA = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})
# Installed or derived by tools, at times tens of thousands of files: nobody's source, ignored or not.
ENVIRONMENTS = frozenset(
    {
        "node_modules",
        "bower_components",
        ".venv",
        "__pycache__",
        "site-packages",
        "__pypackages__",
        ".tox",
        ".nox",
        ".eggs",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".ipynb_checkpoints",
        ".gradle",
        ".terraform",
    }
)
KINDS = ((stat.S_ISFIFO, "fifo"), (stat.S_ISSOCK, "socket"), (stat.S_ISCHR, "device"), (stat.S_ISBLK, "device"))


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: ``path`` is its name in the index, ``real`` the one to open."""

    path: str
    real: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is not read, and why."""

    path: str
    reason: str
    size: int = 0
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Walk:
    """What a folder holds, both sorted by path; files that ignore rules hide are in neither."""

    files: tuple[Found, ...]
    skipped: tuple[Skipped, ...]


def walk(root: Path, *, max_bytes: int, use_git: bool = True) -> Walk:
    """Lists a folder; ``use_git`` asks git for the ignored files where it can, else the rules are read here."""
    rules = rules_for(root, use_git=use_git)
    entries = list(_folder(root, "", rules, max_bytes, use_git))
    return Walk(
        tuple(sorted((e for e in entries if isinstance(e, Found)), key=lambda e: e.path)),
        tuple(sorted((e for e in entries if isinstance(e, Skipped)), key=lambda e: e.path)),
    )


def _folder(root: Path, top: str, rules: Ignored, max_bytes: int, use_git: bool) -> Iterator[Found | Skipped]:
    """Everything below ``root/top``, without recursion: folders can be nested deeper than the stack."""
    todo = [(top, rules)]
    while todo:
        folder, rules = todo.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda e: e.name)
        except OSError as error:
            yield Skipped(stored_path(folder) or ".", _reason(error))
            continue
        if folder and any(e.name == ".git" for e in entries) and is_work_tree(root / folder):
            rules = nested_rules(root, folder, use_git=use_git)
        else:
            rules = rules.enter(folder, [e.name for e in entries])
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if (is_folder and entry.name in METADATA) or entry.name == ".git" or rules.hides(path, is_folder):
                continue
            if not is_folder:
                yield _file(entry, path, max_bytes)
            elif _is_environment(entry):
                yield Skipped(stored_path(path), "environment folder")
            else:
                todo.append((path, rules))


def _file(entry: os.DirEntry[str], path: str, max_bytes: int) -> Found | Skipped:
    name = stored_path(path)
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Skipped(name, _reason(error))
    if stat.S_ISLNK(info.st_mode):
        return Skipped(name, "symlink", 0, info.st_mtime_ns)
    for test, reason in KINDS:
        if test(info.st_mode):
            return Skipped(name, reason, 0, info.st_mtime_ns)
    if info.st_size >= max_bytes:
        return Skipped(name, "too large", info.st_size, info.st_mtime_ns)
    return Found(name, entry.path, info.st_size, info.st_mtime_ns)


def _is_environment(entry: os.DirEntry[str]) -> bool:
    return entry.name in ENVIRONMENTS or os.path.lexists(os.path.join(entry.path, "pyvenv.cfg"))


def _reason(error: OSError) -> str:
    return "no permission" if isinstance(error, PermissionError) else f"unreadable ({error.strerror or error})"
