"""Runs a query set through an explorer, exactly as search would, and sums it up."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath

from maguyva_nb.config import EvaluateSettings, Settings
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import MaguyvaError, QueryError, QuerySetError
from maguyva_nb.evaluate.metrics import METRICS, answer_ranks, score
from maguyva_nb.evaluate.records import (
    EvalQuery,
    Evaluation,
    Level,
    Place,
    QueryResult,
    QuerySet,
    Scores,
    Summary,
)
from maguyva_nb.evaluate.report import evaluation_json
from maguyva_nb.evaluate.statistics import estimate
from maguyva_nb.retrieve.scope import read_filters
from maguyva_nb.reweigh import fused_results, present
from maguyva_nb.store.user import UserStore
from maguyva_nb.types import (
    FusedHit,
    Modality,
    Profile,
    Progress,
    ProgressListener,
    SearchTrace,
    SearchWarning,
    Strategy,
)

# Settings that change no result: how it is drawn, how it is summed up; profiles and presets count by what is used.
WITHOUT_EFFECT = ("app", "evaluate", "index", "profiles", "presets")


def evaluate(
    explorer: Explorer,
    queries: QuerySet,
    options: SearchOptions | None = None,
    *,
    progress: ProgressListener | None = None,
) -> Evaluation:
    """Searches every query with the same options (``top`` defaults to the settings' 20 results)."""
    settings = explorer.settings
    options = options or SearchOptions()
    options = replace(options, top=options.top or settings.evaluate.top)
    files = explorer.reader.files
    known = [path for path, status in zip(files.path, files.status, strict=True) if status != "skipped"]
    queries, notes = fit(queries, known)
    found: list[QueryResult] = []
    warned: Counter[tuple[str, str]] = Counter()
    for query in queries.queries:
        trace = _search(explorer, query, options)
        warned.update((w.type, w.message) for w in trace.warnings if w.type != "fallback")
        found.append(measure(query, trace, queries.level, options.top or settings.evaluate.top))
        if progress is not None:
            progress(Progress("evaluate", len(found), len(queries.queries)))
    meta = explorer.reader.meta
    sums = settings.evaluate
    return Evaluation(
        query_set=queries.name,
        level=queries.level,
        overall=summarise([one.scores for one in found], sums),
        by_intent=_groups(found, lambda one: one.query.intent or one.intent, sums),
        by_lang=_groups(found, lambda one: one.query.lang, sums),
        by_category=_groups(found, lambda one: one.query.category, sums),
        by_modality=_modalities(found, sums),
        per_query=tuple(found),
        config=config_hash(settings, options, meta.get("settings_hash", "")),
        model=explorer.model,
        commit=meta.get("commit") or None,
        warnings=(*notes, *_counted(warned)),
    )


def keep(run: Evaluation, source: Path, store: UserStore | None = None) -> Evaluation:
    """Adds the run to the user's ``runs``; a database that cannot be used costs a warning, not the run."""
    whole = evaluation_json(run)
    try:
        (store or UserStore()).keep_run(
            source=str(source.resolve()),
            commit=run.commit,
            model=run.model,
            config=run.config,
            query_set=run.query_set,
            metrics=whole["metrics"],
            per_query=whole["per_query"],
        )
    except MaguyvaError as error:
        return replace(run, warnings=(*run.warnings, SearchWarning("not_kept", f"The run was not kept: {error}")))
    return run


def measure(query: EvalQuery, trace: SearchTrace, level: Level, top: int) -> QueryResult:
    """One query's figures: of the result, and of each list present as if it had been asked for alone."""
    results = _places(trace, trace.results, top)
    alone = {m: score(_places(trace, _alone(trace, m), top), query.answers, level) for m in present(trace.lists)}
    return QueryResult(
        query=query,
        intent=trace.classification.intent,
        route=str(trace.strategy),
        results=len(results),
        ranks=answer_ranks(results, query.answers),
        scores=score(results, query.answers, level),
        by_modality=alone,
    )


def summarise(rows: Sequence[Scores], settings: EvaluateSettings) -> Summary:
    """Means over queries with their intervals, in the order of ``METRICS``."""
    return Summary(len(rows), {name: estimate([row[name] for row in rows], settings) for name in METRICS})


def fit(queries: QuerySet, paths: Collection[str]) -> tuple[QuerySet, tuple[SearchWarning, ...]]:
    """The set with its answers' paths as in the index, and what is still missing there.

    Answers often count from the root of a repository while the codebase is a folder in it: the folder that, taken
    off, makes most answers' files known is taken off. Raises ``QuerySetError`` when no file is known.
    """
    known = set(paths)
    files = {answer.path for query in queries.queries for answer in query.answers}
    folders = {"", *(f"{parent}/" for file in files for parent in PurePosixPath(file).parents if str(parent) != ".")}
    best = max(sorted(folders, key=len), key=lambda folder: sum(f.removeprefix(folder) in known for f in files))
    missing = sorted(f for f in files if f.removeprefix(best) not in known)
    if len(missing) == len(files):
        raise QuerySetError(
            f"None of the {len(files)} files that {queries.name} names is in the index (first: {missing[0]}).",
            next="Give the codebase that the queries are about, or refresh its index with --force.",
        )
    fitted = tuple(
        replace(q, answers=tuple(replace(a, path=a.path.removeprefix(best)) for a in q.answers))
        for q in queries.queries
    )
    return replace(queries, queries=fitted), tuple(_notes(queries, len(files), missing, best))


def _notes(queries: QuerySet, files: int, missing: Sequence[str], folder: str) -> Iterable[SearchWarning]:
    if folder:
        yield SearchWarning("answers_moved", f"The answers' paths were read without their leading {folder}")
    if missing:
        what = f"{len(missing)} of {files} files with an answer are not in the index (first: {missing[0]})."
        yield SearchWarning("answers_missing", what)
    if queries.left_out:
        yield SearchWarning("left_out", f"{queries.left_out} queries have no answer and were left out.")


def config_hash(settings: Settings, options: SearchOptions, index_settings: str) -> str:
    """A hash of what decides the results beside code, index contents and model; defaults and equal overrides agree."""
    search = settings.search
    profile = options.profile
    if not isinstance(profile, Profile):
        profile = settings.profile(profile or search.profile)
    preset = settings.preset(options.preset or search.preset)
    parts = {name: value for name, value in asdict(settings).items() if name not in WITHOUT_EFFECT}
    parts["search"] |= {"rules": options.rules or search.rules, "preset": "", "profile": "", "top": 0}
    if options.expand is not None:
        parts["search"]["expand_spanish"] = options.expand
    if options.max_per_file is not None:
        parts["fusion"]["max_per_file"] = options.max_per_file
    used = {
        "settings": parts,
        "index": index_settings,
        "preset": [list(preset.modalities), options.k or preset.k],
        "profile": {str(intent): dict(row) for intent, row in profile.weights.items()},
        "call": [options.intent, options.modality, options.weights and dict(options.weights), options.ignore_case],
        "filters": read_filters(options.path, options.lang, options.no_tests).names,
        "explicit": options.explicit,
        "top": options.top or settings.evaluate.top,
    }
    return hashlib.sha256(json.dumps(used, sort_keys=True).encode()).hexdigest()[:16]


def _search(explorer: Explorer, query: EvalQuery, options: SearchOptions) -> SearchTrace:
    try:
        return explorer.search(query.query, options)
    except QueryError as error:
        raise QueryError(f"Query {query.id!r}: {error.message}", next=error.next) from error


def _alone(trace: SearchTrace, modality: Modality) -> tuple[FusedHit, ...]:
    """What ``--modality`` would have given: the list, demoted and limited per file, without boost."""
    return fused_results(
        trace.lists,
        {modality: 1.0},
        trace.cards,
        trace.fusion,
        Strategy.SINGLE,
        trace.pagerank_max,
        trace.symbol_count,
    )


def _places(trace: SearchTrace, hits: Sequence[FusedHit], top: int) -> list[Place]:
    cards = (trace.cards[hit.chunk_id] for hit in hits[:top])
    return [Place(card.path, card.start_line, card.end_line) for card in cards]


def _groups(
    found: Sequence[QueryResult], key: Callable[[QueryResult], str | None], settings: EvaluateSettings
) -> dict[str, Summary]:
    groups: dict[str, list[Scores]] = {}
    for one in found:
        if (name := key(one)) is not None:
            groups.setdefault(str(name), []).append(one.scores)
    return {name: summarise(groups[name], settings) for name in sorted(groups)}


def _modalities(found: Sequence[QueryResult], settings: EvaluateSettings) -> Mapping[str, Summary]:
    rows = {m: [one.by_modality[m] for one in found if m in one.by_modality] for m in Modality}
    return {str(m): summarise(scores, settings) for m, scores in rows.items() if scores}


def _counted(warned: Counter[tuple[str, str]]) -> Iterable[SearchWarning]:
    """One warning a kind, with the number of queries it befell and one of its messages."""
    kinds = Counter({kind: 0 for kind, _ in warned})
    for (kind, _), count in warned.items():
        kinds[kind] += count
    for kind, count in sorted(kinds.items()):
        message = next(text for name, text in warned if name == kind)
        yield SearchWarning(kind, f"In {count} searches, such as: {message}")
