"""What git knows of a folder, without letting the repository run anything."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

# A repository's own configuration can name programs to run; each of these takes one such name away.
GUARDS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "credential.helper=",
    "protocol.allow=never",
)
# Git answers from its index and the folder; more than this is a stuck disk, and the rules are read here instead.
TIMEOUT_S = 60
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ENTRY_HEAD = 62  # bytes of an index entry before its name, for SHA-1


def git_folder(root: Path) -> Path | None:
    """The top of the work tree that holds a folder, or None."""
    root = root.resolve()
    for folder in (root, *root.parents):
        # Of os.path: what may not be looked into is no work tree, and no error.
        if os.path.isfile(folder / ".git" / "HEAD") or os.path.isfile(folder / ".git"):
            return folder
    return None


def ignored_by_git(root: Path) -> frozenset[str] | None:
    """Paths below ``root`` that git ignores, whole folders as one; ``""`` when it ignores ``root`` itself.

    None when git is missing or refuses (another owner's repository, a damaged one).
    """
    out = _git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    if out is None:
        return None
    paths = frozenset(os.fsdecode(path).rstrip("/") for path in out.split(b"\0") if path)
    return frozenset({""}) if paths & {".", "./", ""} else paths


def tracked_files(top: Path) -> tuple[str, ...]:
    """Paths in the index file of a work tree, read here; empty for a format that is not known."""
    try:
        return tuple(_index_entries((_git_dir(top) / "index").read_bytes()))
    except (OSError, struct.error, ValueError, IndexError):
        return ()


def exclude_file(top: Path) -> Path:
    """Where a work tree keeps rules of its own that are in no commit."""
    try:
        return _folders(_git_dir(top))[-1] / "info" / "exclude"
    except (OSError, UnicodeDecodeError):
        return top / ".git" / "info" / "exclude"


def head_commit(root: Path) -> str | None:
    """The commit that is checked out, read from the files of the repository."""
    top = git_folder(root)
    if top is None:
        return None
    try:
        git_dir = _git_dir(top)
        head = (git_dir / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head if _SHA.fullmatch(head) else None
        return _ref(git_dir, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return None


def _git(root: Path, *args: str) -> bytes | None:
    program = shutil.which("git")
    if program is None:
        return None
    guards = [part for guard in GUARDS for part in ("-c", guard)]
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            [program, *guards, *args],
            cwd=root,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def _git_dir(top: Path) -> Path:
    """``.git``, or where the file of that name (worktrees, submodules) points."""
    dot = top / ".git"
    if dot.is_dir():
        return dot
    return top / dot.read_text("utf-8").removeprefix("gitdir:").strip()


def _folders(git_dir: Path) -> list[Path]:
    """The repository folder of a work tree and, for a linked one, that of the main one."""
    common = git_dir / "commondir"
    return [git_dir, git_dir / common.read_text("utf-8").strip()] if common.is_file() else [git_dir]


def _ref(git_dir: Path, name: str) -> str | None:
    for folder in _folders(git_dir):
        loose, packed = folder / name, folder / "packed-refs"
        if ".." not in Path(name).parts and loose.is_file():
            sha = loose.read_text("utf-8").strip()
            return sha if _SHA.fullmatch(sha) else None
        for line in packed.read_text("utf-8").splitlines() if packed.is_file() else ():
            sha, _, ref = line.partition(" ")
            if ref == name and _SHA.fullmatch(sha):
                return sha
    return None


def _index_entries(data: bytes) -> Iterator[str]:
    """Names of an index file of version 2, 3 or 4 (gitformat-index)."""
    magic, version, count = struct.unpack_from(">4sII", data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("unknown index format")
    at, name = 12, b""
    for _ in range(count):
        start = at
        (flags,) = struct.unpack_from(">H", data, at + 60)
        at += _ENTRY_HEAD + (2 if flags & 0x4000 else 0)
        if version == 4:
            strip, at = _varint(data, at)
            name = name[: len(name) - strip]
        end = data.index(b"\0", at)
        name = (name if version == 4 else b"") + data[at:end]
        at = end + 1 if version == 4 else start + ((end - start + 8) & ~7)
        yield os.fsdecode(name)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
