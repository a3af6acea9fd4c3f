"""What a run is compared with: a saved evaluation, or other settings that are run on the spot."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maguyva_nb.config import EvaluateSettings, Settings, load_profile, load_settings
from maguyva_nb.errors import ConfigError, QuerySetError
from maguyva_nb.evaluate.metrics import METRICS
from maguyva_nb.evaluate.records import Comparison, QueryResult, Scores
from maguyva_nb.evaluate.statistics import difference
from maguyva_nb.index.build import settings_hash
from maguyva_nb.types import Intent, Profile


@dataclass(frozen=True, slots=True)
class Scored:
    """One query of a run: its text and its figures."""

    query: str
    scores: Scores


Run = Mapping[str, Scored]


@dataclass(frozen=True, slots=True)
class Variant:
    """Other settings, or another profile, over the same index and options."""

    settings: Settings
    profile: Profile | None


def read_baseline(file: Path, settings: Settings) -> Run | Variant:
    """``.toml``: a profile (its tables are intents) or settings in place of ``--config``; else a saved evaluation."""
    return _variant(file, settings) if file.suffix == ".toml" else _saved(file)


def scored(rows: Sequence[QueryResult]) -> Run:
    """A run's figures by query id."""
    return {one.query.id: Scored(one.query.query, one.scores) for one in rows}


def compare(mine: Run, other: Run, settings: EvaluateSettings, *, name: str) -> Comparison:
    """``mine`` minus ``other``, paired by query id; raises ``QuerySetError`` where ids stand for different queries."""
    both = [key for key in mine if key in other]
    if not both:
        raise QuerySetError(f"{name} has none of these queries.", next="Compare runs of the same query set.")
    changed = next((key for key in both if mine[key].query != other[key].query), None)
    if changed is not None:
        raise QuerySetError(
            f"Query {changed!r} is another one in {name}: {other[changed].query!r:.80}.",
            next="Compare runs of the same query set.",
        )
    gaps = {m: [(mine[key].scores.get(m), other[key].scores.get(m)) for key in both] for m in METRICS}
    return Comparison(name, len(both), {m: difference(pairs, settings) for m, pairs in gaps.items()})


def _variant(file: Path, settings: Settings) -> Variant:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error.strerror}.", next="Check the path.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML: {error}.", next="Correct that line.") from error
    if table and set(table) <= {str(intent) for intent in Intent}:
        return Variant(settings, load_profile(file))
    other = load_settings(file)
    if settings_hash(other) != settings_hash(settings):
        raise ConfigError(
            f"{file} changes settings of the index, which needs an index of its own.",
            next="Index with it (--config FILE --db OTHER), save evaluate --json, and compare with that file.",
        )
    return Variant(other, None)


def _saved(file: Path) -> Run:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {row["id"]: Scored(str(row["query"]), _scores(row["metrics"])) for row in found["per_query"]}
    except OSError as error:
        raise QuerySetError(f"Cannot read {file}: {error.strerror}.", next="Check the path.") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise QuerySetError(
            f"{file} is no saved evaluation ({type(error).__name__}: {error}).",
            next="Save one with: maguyva-nb evaluate PATH --queries FILE --json > saved.json",
        ) from error


def _scores(row: Mapping[str, Any]) -> Scores:
    return {name: None if row[name] is None else float(row[name]) for name in METRICS if name in row}
