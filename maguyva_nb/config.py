"""Strict settings: ``defaults.toml`` < user config file < ``--config`` file < the call.

Unknown keys are refused with the nearest known name; types are checked; only ``defaults.toml`` and the
24 cells of a profile must be complete.
"""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import platformdirs

from maguyva_nb.errors import ConfigError
from maguyva_nb.sections import (
    AppSettings,
    ChunkSettings,
    EmbedSettings,
    EvaluateSettings,
    FusionDefaults,
    GraphSettings,
    IndexSettings,
    PathMarkers,
    Preset,
    SearchSettings,
    SemanticSettings,
    StructuralSettings,
    TextSettings,
)
from maguyva_nb.types import Intent, Modality, Profile, WeightRow

__all__ = [
    "APP",
    "LARGEST",
    "RULE_TABLES",
    "SCALES",
    "AppSettings",
    "ChunkSettings",
    "EmbedSettings",
    "EvaluateSettings",
    "FusionDefaults",
    "GraphSettings",
    "IndexSettings",
    "PathMarkers",
    "Preset",
    "SearchSettings",
    "SemanticSettings",
    "Settings",
    "StructuralSettings",
    "TextSettings",
    "check_k",
    "check_weight",
    "config_folder",
    "default_settings",
    "format_profile",
    "load_profile",
    "load_settings",
    "profiles_folder",
    "whole_row",
]

APP = "maguyva-nb"
# Beyond this a number of results, steps or k means nothing.
LARGEST = 1_000_000
# A refused value is shown, not recited.
SHOWN = 40
T = TypeVar("T")
SCALES = ("pagerank_max", "pagerank_mean", "in_degree", "pagerank_raw", "off")
RULE_TABLES = ("default", "article")
POOLINGS = ("mean", "cls", "last_token")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one call."""

    index: IndexSettings
    chunk: ChunkSettings
    embed: EmbedSettings
    search: SearchSettings
    presets: Mapping[str, Preset]
    fusion: FusionDefaults
    demotion: Mapping[str, float]
    text: TextSettings
    structural: StructuralSettings
    semantic: SemanticSettings
    graph: GraphSettings
    confidence: Mapping[str, float]
    paths: PathMarkers
    app: AppSettings
    evaluate: EvaluateSettings
    profiles: Mapping[str, Profile]

    def preset(self, name: str) -> Preset:
        """A preset by name."""
        return _named(self.presets, name, "preset")

    def profile(self, name_or_file: str) -> Profile:
        """A profile by name (shipped or saved) or from a TOML file."""
        if name_or_file in self.profiles:
            return self.profiles[name_or_file]
        path = Path(name_or_file).expanduser()
        if path.suffix == ".toml" and os.path.isfile(path):
            return load_profile(path)
        saved = profiles_folder() / f"{name_or_file}.toml"
        if Path(name_or_file).name == name_or_file and _is_there(saved):
            return load_profile(saved)
        known = [*self.profiles, *(p.stem for p in saved.parent.glob("*.toml"))]
        raise ConfigError(f"There is no profile {name_or_file!r}.", next=_nearest(name_or_file, known))


def config_folder() -> Path:
    """The user's config folder (honours ``XDG_CONFIG_HOME``)."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False))


def profiles_folder() -> Path:
    """Where saved weight profiles live, one TOML file each."""
    return config_folder() / "profiles"


def load_settings(file: Path | None = None) -> Settings:
    """The settings of a call: shipped, then the user's ``config.toml``, then ``file``."""
    table = _copy(_defaults())
    user = config_folder() / "config.toml"
    for path in (user if _is_there(user) else None, file):
        if path is not None:
            _merge(table, _read(path), where=str(path))
    return _settings(table)


def default_settings() -> Settings:
    """The shipped settings alone."""
    return _settings(_copy(_defaults()))


def load_profile(path: Path) -> Profile:
    """A profile file: six tables (or inline tables) of four weights each."""
    return _profile(path.stem, _read(path), str(path))


def format_profile(profile: Profile) -> str:
    """The TOML text of a profile; ``load_profile`` reads it back unchanged."""
    rows = (
        f"{intent} = {{ {', '.join(f'{m} = {float(profile.weights[intent][m])!r}' for m in Modality)} }}"
        for intent in Intent
    )
    return "\n".join(rows) + "\n"


def _is_there(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unreadable(path, error) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        # Not the parser's own error alone: bad UTF-8, a number of thousands of digits, brackets without end.
        raise ConfigError(f"{path} is not valid TOML: {error}.", next="Correct that line.") from error


def _unreadable(path: Path, error: OSError) -> ConfigError:
    what = f"Cannot read the settings {path}: {error.strerror}."
    return ConfigError(what, next="Check the path and its permissions.")


@cache
def _defaults() -> dict[str, Any]:
    return tomllib.loads(resources.files("maguyva_nb").joinpath("defaults.toml").read_text(encoding="utf-8"))


def _copy(table: dict[str, Any]) -> dict[str, Any]:
    return {k: _copy(v) if isinstance(v, dict) else v for k, v in table.items()}


def _merge(base: dict[str, Any], extra: dict[str, Any], *, where: str, prefix: str = "") -> None:
    """Lays ``extra`` over ``base``; a new key is allowed only as a new profile or preset."""
    for key, value in extra.items():
        name = f"{prefix}{key}"
        if key not in base and prefix not in ("profiles.", "presets."):
            raise ConfigError(f"Unknown setting {name!r} in {where}.", next=_nearest(name, _names(_defaults())))
        table = key not in base or isinstance(base[key], dict)
        if table != isinstance(value, dict):
            raise ConfigError(f"Setting {name!r} in {where} has the wrong shape.", next="See defaults.toml.")
        if isinstance(base.get(key), dict):
            _merge(base[key], value, where=where, prefix=f"{name}.")
        else:
            base[key] = value


def _names(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _names(value, f"{prefix}{key}.")


def _settings(table: dict[str, Any]) -> Settings:
    hints = get_type_hints(Settings)
    parts: dict[str, Any] = {
        name: _section(hints[name], table[name], name)
        for name in table
        if name not in ("presets", "demotion", "confidence", "profiles")
    }
    parts["demotion"] = {k: _typed(float, v, f"demotion.{k}") for k, v in table["demotion"].items()}
    parts["confidence"] = {k: _typed(float, v, f"confidence.{k}") for k, v in table["confidence"].items()}
    parts["presets"] = {k: _preset(k, v) for k, v in table["presets"].items()}
    parts["profiles"] = {k: _profile(k, v, f"profiles.{k}") for k, v in table["profiles"].items()}
    settings = Settings(**parts)
    _check(settings)
    return settings


def _section(cls: type[T], table: Mapping[str, Any], where: str) -> T:
    hints = get_type_hints(cls)
    return cls(**{f.name: _typed(hints[f.name], table[f.name], f"{where}.{f.name}") for f in fields(cls)})  # type: ignore[arg-type]


def _typed(kind: Any, value: Any, name: str) -> Any:
    if kind == tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return tuple(value)
    elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):
            return float(value)
    elif type(value) is kind:
        return value
    want = "a list of strings" if kind == tuple[str, ...] else getattr(kind, "__name__", str(kind))
    raise ConfigError(f"Setting {name!r} is {_shown(value)}.", next=f"It must be {want}.")


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:
        return "a number too long to print"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _preset(name: str, table: Mapping[str, Any]) -> Preset:
    unknown = set(table) - {"modalities", "k"}
    if unknown or not {"modalities", "k"} <= set(table):
        raise ConfigError(f"Preset {name!r} has the wrong keys.", next="Give it exactly modalities and k.")
    listed = _typed(tuple[str, ...], table["modalities"], f"presets.{name}.modalities")
    chosen = tuple(_member(Modality, m, f"presets.{name}.modalities") for m in listed)
    return Preset(tuple(m for m in Modality if m in chosen), _positive(table["k"], f"presets.{name}.k"))


def _profile(name: str, table: Mapping[str, Any], where: str) -> Profile:
    for key in table:
        _member(Intent, key, where)
    missing = [str(i) for i in Intent if i not in table]
    if missing:
        raise ConfigError(f"Profile {where} lacks {', '.join(missing)}.", next="A profile has all six intents.")
    return Profile(name, {intent: _row(table[intent], f"{where}.{intent}") for intent in Intent})


def _row(table: Any, where: str) -> dict[Modality, float]:
    if not isinstance(table, dict) or set(table) != {str(m) for m in Modality}:
        raise ConfigError(f"{where} must give exactly four weights.", next=f"Name {', '.join(Modality)}.")
    return {m: check_weight(table[m], f"{where}.{m}") for m in Modality}


def check_weight(value: Any, name: str) -> float:
    """A finite weight of 0 or more, or a ``ConfigError`` that names it."""
    number = _typed(float, value, name)
    if not 0 <= number < float("inf"):
        raise ConfigError(f"Weight {name!r} is {value!r}.", next="A weight is a finite number of 0 or more.")
    return float(number)


def whole_row(weights: WeightRow) -> WeightRow:
    """All four weights, 0 where none is given; a negative or endless one is refused."""
    return {m: check_weight(weights.get(m, 0.0), m) for m in Modality}


def check_k(k: int) -> int:
    """A k from 1 to a million, or a ``ConfigError``."""
    if not 1 <= k <= LARGEST:
        raise ConfigError(f"k is {_shown(k)}.", next=f"k must be 1 or more, at most {LARGEST}; 40 and 60 are usual.")
    return k


def _positive(value: Any, name: str) -> int:
    if not 1 <= _typed(int, value, name) <= LARGEST:
        raise ConfigError(f"Setting {name!r} is {_shown(value)}.", next=f"It must be 1 or more, at most {LARGEST}.")
    return int(value)


E_ = TypeVar("E_", Modality, Intent)


def _member(enum: type[E_], value: Any, where: str) -> E_:
    try:
        return enum(value)
    except ValueError as error:
        raise ConfigError(
            f"Unknown name {_shown(value)} in {where}.", next=_nearest(_shown(value), map(str, enum))
        ) from error


def _check(settings: Settings) -> None:
    _named(settings.presets, settings.search.preset, "preset")
    _named(dict.fromkeys(RULE_TABLES), settings.search.rules, "rule table")
    _named(dict.fromkeys(POOLINGS), settings.embed.pooling, "pooling")
    _named(dict.fromkeys(SCALES), settings.fusion.centrality_scale, "centrality scale")
    for name in ("top", "depth", "max_query"):
        _positive(getattr(settings.search, name), f"search.{name}")
    if not 0 <= settings.fusion.max_per_file <= LARGEST:
        raise ConfigError(
            f"Setting 'fusion.max_per_file' is {_shown(settings.fusion.max_per_file)}.",
            next=f"It must be from 0 (no limit) to {LARGEST}.",
        )
    for name in ("max_tokens", "batch"):
        _positive(getattr(settings.embed, name), f"embed.{name}")
    _positive(settings.semantic.oversample, "semantic.oversample")
    for name in ("top", "resamples", "permutations"):
        _positive(getattr(settings.evaluate, name), f"evaluate.{name}")
    if not 0 <= settings.semantic.base_share < 1:
        raise ConfigError(
            f"Setting 'semantic.base_share' is {settings.semantic.base_share}.", next="From 0 to below 1."
        )
    for name in ("confidence", "significance"):
        if not 0 < (share := getattr(settings.evaluate, name)) < 1:
            raise ConfigError(f"Setting 'evaluate.{name}' is {share}.", next="It must lie between 0 and 1.")
    for key, factor in settings.demotion.items():
        if not 0 <= factor <= 1:
            raise ConfigError(f"Setting 'demotion.{key}' is {factor}.", next="A demotion is between 0 and 1.")


def _named(known: Mapping[str, T], name: str, what: str) -> T:
    if name not in known:
        raise ConfigError(f"There is no {what} {name!r}.", next=_nearest(name, known))
    return known[name]


def _nearest(name: str, known: Any) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(name, names, 1, 0.5)
    close = close or difflib.get_close_matches(name.rsplit(".", 1)[-1], names, 1, 0.5)
    return f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names[:20])}."
