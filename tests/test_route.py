from __future__ import annotations

from dataclasses import replace

import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.errors import ConfigError
from maguyva_nb.route import SearchOptions, choose_route
from maguyva_nb.types import AbsentReason, Classification, Intent, Modality, Strategy, Target, TargetKind

SETTINGS = load_settings()
ARTICLE = SETTINGS.profile("article")


def found(intent: Intent, confidence: float, rule: str = "some.rule", target: Target | None = None) -> Classification:
    return Classification(intent, confidence, rule, None, target or Target())


def route(wanted: Intent, confidence: float = 0.5, rule: str = "r", target: Target | None = None, **options: object):
    return choose_route(found(wanted, confidence, rule, target), ARTICLE, SearchOptions(**options), SETTINGS)  # type: ignore[arg-type]


def test_a_sure_query_goes_direct_even_to_a_list_outside_the_preset() -> None:
    got = route(Intent.IMPACT_ANALYSIS, 0.9)
    assert (got.strategy, dict(got.weights)) == (Strategy.DIRECT, {Modality.GRAPH: 1.0})
    assert set(got.absent.values()) == {AbsentReason.DIRECT}


def test_just_below_the_threshold_it_is_fused() -> None:
    got = route(Intent.FIND_DEFINITION, 0.849)
    assert got.strategy is Strategy.RRF
    assert dict(got.weights) == {Modality.SEMANTIC: 0.2, Modality.TEXT: 0.1, Modality.STRUCTURAL: 0.6}
    assert got.absent == {Modality.GRAPH: AbsentReason.OFF_PRESET}
    assert got.k == 40


@pytest.mark.parametrize(
    "override",
    [{"intent": Intent.FIND_DEFINITION}, {"weights": dict.fromkeys(Modality, 1.0)}, {"k": 50}],
)
def test_an_override_is_never_sent_direct(override: dict[str, object]) -> None:
    assert route(Intent.FIND_DEFINITION, 0.95, **override).strategy is Strategy.RRF


def test_a_saved_profile_is_no_override() -> None:
    assert route(Intent.FIND_DEFINITION, 0.95, profile="article").strategy is Strategy.DIRECT


def test_quick_is_semantic_alone_however_sure() -> None:
    got = route(Intent.FIND_DEFINITION, 0.95, preset="quick")
    assert (got.strategy, dict(got.weights), got.k) == (Strategy.SINGLE, {Modality.SEMANTIC: 1.0}, 60)
    assert set(got.absent.values()) == {AbsentReason.OFF_PRESET}


@pytest.mark.parametrize("preset", ["quick", "default", "thorough"])
def test_a_literal_goes_to_the_text_list_in_every_preset(preset: str) -> None:
    target = Target(TargetKind.LITERAL, "x", (1, 2))
    got = route(Intent.EXACT_MATCH, 0.9, "grammar", target, preset=preset)
    assert (got.strategy, dict(got.weights)) == (Strategy.DIRECT, {Modality.TEXT: 1.0})


def test_a_named_modality_runs_alone_with_the_presets_k() -> None:
    got = route(Intent.FIND_DEFINITION, 0.95, modality=Modality.GRAPH, preset="thorough")
    assert (got.strategy, dict(got.weights), got.k) == (Strategy.SINGLE, {Modality.GRAPH: 1.0}, 60)
    assert set(got.absent.values()) == {AbsentReason.OFF_PRESET}


def test_weight_zero_is_not_run() -> None:
    got = route(Intent.EXACT_MATCH, 0.5, preset="thorough")
    assert got.absent == {Modality.SEMANTIC: AbsentReason.WEIGHT_ZERO, Modality.GRAPH: AbsentReason.WEIGHT_ZERO}


def test_all_weights_zero_is_refused() -> None:
    with pytest.raises(ConfigError, match="Every weight is 0"):
        route(Intent.EXACT_MATCH, weights=dict.fromkeys(Modality, 0.0))


def test_the_dominant_list_follows_the_profile() -> None:
    weights = {**ARTICLE.weights, Intent.FIND_DEFINITION: dict.fromkeys(Modality, 0.1) | {Modality.TEXT: 0.9}}
    got = choose_route(
        found(Intent.FIND_DEFINITION, 0.95), replace(ARTICLE, weights=weights), SearchOptions(), SETTINGS
    )
    assert dict(got.weights) == {Modality.TEXT: 1.0}
