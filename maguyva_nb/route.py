"""Which lists run for a query, and with which weights. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from maguyva_nb.config import Settings, check_k, whole_row
from maguyva_nb.errors import ConfigError
from maguyva_nb.types import (
    AbsentReason,
    Classification,
    Intent,
    Modality,
    Profile,
    Strategy,
    TargetKind,
    WeightRow,
)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a call sets beyond the query; None leaves the settings' value. ``max_per_file`` 0 is no limit.

    An intent, modality, weights or k makes the query explicit: it is then never sent down the direct route.
    ``path`` (globs), ``lang`` and ``no_tests`` are filters: what they leave out is in no list.
    """

    preset: str | None = None
    profile: Profile | str | None = None
    rules: str | None = None
    intent: Intent | None = None
    modality: Modality | None = None
    weights: WeightRow | None = None
    k: int | None = None
    top: int | None = None
    max_per_file: int | None = None
    ignore_case: bool = False
    expand: bool | None = None
    path: str | tuple[str, ...] = ()
    lang: str | tuple[str, ...] = ()
    no_tests: bool = False

    @property
    def explicit(self) -> bool:
        """True when this call overrides the intent, the modality, the weights or k."""
        return any(value is not None for value in (self.intent, self.modality, self.weights, self.k))


@dataclass(frozen=True, slots=True)
class Route:
    """The lists to run (``weights`` has exactly those), and why each other one is absent."""

    strategy: Strategy
    weights: WeightRow
    absent: Mapping[Modality, AbsentReason]
    k: int


# The list that a grammar form asks for by itself.
_GRAMMAR_LIST = {
    TargetKind.LITERAL: Modality.TEXT,
    TargetKind.REGEX: Modality.TEXT,
    TargetKind.AST: Modality.STRUCTURAL,
}


def choose_route(found: Classification, profile: Profile, options: SearchOptions, settings: Settings) -> Route:
    """Single, direct or rrf, by preset, confidence and overrides (an override always wins)."""
    name = options.preset or settings.search.preset
    k = options.k if options.k is not None else settings.preset(name).k
    check_k(k)
    if options.modality is not None:
        return _alone(Strategy.SINGLE, options.modality, AbsentReason.OFF_PRESET, k)
    if not options.explicit:
        grammar = found.rule == "grammar" and found.target.kind in _GRAMMAR_LIST
        if grammar:
            return _alone(Strategy.DIRECT, _GRAMMAR_LIST[found.target.kind], AbsentReason.DIRECT, k)
        if len(settings.preset(name).modalities) > 1 and found.confidence >= settings.search.direct_confidence:
            return _alone(Strategy.DIRECT, dominant(profile.row(found.intent)), AbsentReason.DIRECT, k)
    return fused_route(found.intent, profile, options, settings)


def fused_route(intent: Intent, profile: Profile, options: SearchOptions, settings: Settings) -> Route:
    """The route without the fast path: all lists of the preset with a weight, or its only one alone."""
    preset = settings.preset(options.preset or settings.search.preset)
    k = options.k if options.k is not None else preset.k
    if len(preset.modalities) == 1:
        return _alone(Strategy.SINGLE, preset.modalities[0], AbsentReason.OFF_PRESET, k)
    row = whole_row(options.weights) if options.weights is not None else profile.row(intent)
    if not any(weight > 0 for weight in row.values()):
        raise ConfigError("Every weight is 0.", next="Give at least one modality a weight above 0.")
    absent: dict[Modality, AbsentReason] = {}
    for modality in Modality:
        if modality not in preset.modalities:
            absent[modality] = AbsentReason.OFF_PRESET
        elif row[modality] <= 0:
            absent[modality] = AbsentReason.WEIGHT_ZERO
    return Route(Strategy.RRF, {m: row[m] for m in Modality if m not in absent}, absent, k)


def dominant(row: WeightRow) -> Modality:
    """The modality of the largest weight; the first in order among equals."""
    return max(Modality, key=lambda modality: row[modality])


def _alone(strategy: Strategy, modality: Modality, reason: AbsentReason, k: int) -> Route:
    return Route(strategy, {modality: 1.0}, {m: reason for m in Modality if m is not modality}, k)
