"""The JSON of an evaluation: keys fixed by the contract. Ranks are 0-based."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from maguyva_nb.evaluate.records import Comparison, Evaluation, QueryResult, Summary
from maguyva_nb.types import Json


def evaluation_json(run: Evaluation, comparison: Comparison | None = None) -> Json:
    """A run; with ``comparison``, also each metric's difference from the other run."""
    found: Json = {
        "query_set": run.query_set,
        "level": str(run.level),
        **summary_json(run.overall),
        "by_intent": _groups(run.by_intent),
        "by_lang": _groups(run.by_lang),
        "by_category": _groups(run.by_category),
        "by_modality": _groups(run.by_modality),
        "per_query": [query_json(one) for one in run.per_query],
        "config": run.config,
        "model": run.model,
        "commit": run.commit,
        "warnings": [{"type": w.type, "message": w.message} for w in run.warnings],
    }
    if comparison is not None:
        found["compared_with"] = {"name": comparison.other, "n": comparison.n}
        found["comparison"] = {name: asdict(one) for name, one in comparison.metrics.items()}
    return found


def summary_json(summary: Summary) -> Json:
    """``n`` and every metric with its interval."""
    return {"n": summary.n, "metrics": {name: asdict(one) for name, one in summary.metrics.items()}}


def query_json(one: QueryResult) -> Json:
    """One query: its route, the rank of each answer, its figures and those of each list alone."""
    return {
        "id": one.query.id,
        "query": one.query.query,
        "lang": one.query.lang,
        "intent": str(one.intent),
        "expected_intent": None if one.query.intent is None else str(one.query.intent),
        "category": one.query.category,
        "route": one.route,
        "results": one.results,
        "answers": [
            {"path": a.path, "start": a.start, "end": a.end, "relevance": a.relevance, "rank": rank}
            for a, rank in zip(one.query.answers, one.ranks, strict=True)
        ],
        "metrics": dict(one.scores),
        "by_modality": {str(m): dict(scores) for m, scores in one.by_modality.items()},
    }


def _groups(groups: Mapping[str, Summary]) -> Json:
    return {name: summary_json(summary) for name, summary in groups.items()}
