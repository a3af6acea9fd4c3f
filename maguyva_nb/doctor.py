"""``doctor``: one line a part, what works, and for what does not the next step."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from maguyva_nb.config import Settings, default_settings, load_profile, load_settings, profiles_folder
from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.errors import ConfigError, IndexMissing, MaguyvaError, PathNotFound
from maguyva_nb.index.languages import all_languages
from maguyva_nb.index.parse import parse_source
from maguyva_nb.store.locate import index_path
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.store.user import UserStore
from maguyva_nb.types import Json

EXTRAS = {"panel": "widgets", "pyvis": "widgets", "jupyterlab": "lab", "fastembed": "embed", "litellm": "embed"}


@dataclass(frozen=True, slots=True)
class Check:
    """One part: ``error`` is None where it works; a missing extra is no error."""

    name: str
    detail: str
    error: MaguyvaError | None = None


def examine(source: Path, config: Path | None, db: Path | None) -> Iterator[Check]:
    """Checks the installation, the settings, then the codebase, its index and the user's data.

    Where the settings (``config`` over the user's own) cannot be used, the rest is checked with the shipped ones.
    """
    yield Check("python", f"{platform.python_version()}, maguyva-nb {metadata.version('maguyva-nb')}")
    settings, said = _settings(config)
    yield said
    yield _checked("profiles", _profiles)
    yield _checked("grammars", _grammars)
    yield _checked("embedder", lambda: _embedder(settings))
    for package, extra in EXTRAS.items():
        there = find_spec(package) is not None
        missing = f'not installed (pip install "maguyva-nb[{extra}]")'
        yield Check(package, metadata.version(package) if there else missing)
    yield _checked("codebase", lambda: _codebase(source))
    yield _checked("index", lambda: _index(source, db))
    yield _checked("user data", _user_data)


def checks_json(checks: list[Check]) -> Json:
    """All checks; ``error`` is the first that failed, in the form of every error."""
    return {
        "ok": all(check.error is None for check in checks),
        "checks": [
            {
                "name": check.name,
                "ok": check.error is None,
                "detail": check.detail,
                "next": check.error.next if check.error else None,
            }
            for check in checks
        ],
    }


def _checked(name: str, examine_part: Callable[[], str]) -> Check:
    try:
        return Check(name, examine_part())
    except IndexMissing as error:
        return Check(name, f"{error.message} A search makes one.")
    except MaguyvaError as error:
        return Check(name, error.message, error)


def _settings(config: Path | None) -> tuple[Settings, Check]:
    try:
        return load_settings(config), Check("settings", "usable")
    except ConfigError as error:
        return default_settings(), Check("settings", error.message, error)


def _profiles() -> str:
    saved = sorted(profiles_folder().glob("*.toml"))
    broken: list[ConfigError] = []
    for path in saved:
        try:
            load_profile(path)
        except ConfigError as error:
            broken.append(error)
    if broken:
        raise ConfigError(" ".join(error.message for error in broken), next=broken[0].next)
    return f"{len(saved)} saved"


def _grammars() -> str:
    broken: list[str] = []
    parsed = [row.name for row in all_languages() if row.grammar]
    for language in parsed:
        try:
            parse_source(language, b"x", "x")
        except Exception as error:
            broken.append(f"{language} ({type(error).__name__})")
    if broken:
        raise MaguyvaError(f"Grammars that do not load: {', '.join(broken)}.", next="Reinstall maguyva-nb.")
    return f"{len(parsed)} load"


def _embedder(settings: Settings) -> str:
    info = load_embedder(settings.index.embedder, settings.embed).info
    return f"{info.name} {info.revision}, {info.dimensions} dimensions"


def _codebase(source: Path) -> str:
    if not os.path.isdir(source):
        raise PathNotFound(f"{source} is not a folder.", next="Give the folder of a codebase.")
    return str(source.resolve())


def _index(source: Path, db: Path | None) -> str:
    with closing(IndexReader(db or index_path(source))) as reader:
        reader.verify()
        made = reader.meta.get("created_at", "at an unknown time")
        return f"{reader.path}: {len(reader.chunks)} chunks, {len(reader.symbols)} symbols, made {made}"


def _user_data() -> str:
    store = UserStore()
    store.check()
    return str(store.path)
