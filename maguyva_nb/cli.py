"""The command line: parses arguments, calls the engine, prints. Exit 0 ok, 1 a MaguyvaError, 2 usage."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from tqdm import tqdm

from maguyva_nb import __version__
from maguyva_nb.arguments import build_parser, search_options
from maguyva_nb.config import Settings, load_settings, profiles_folder
from maguyva_nb.display import classification_lines, clean, evaluation_lines, impact_lines, models_lines, trace_lines
from maguyva_nb.doctor import checks_json, examine
from maguyva_nb.embed.listing import missing_packages, usable_models
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import MaguyvaError, MissingExtra
from maguyva_nb.evaluate.baseline import Variant, compare, read_baseline, scored
from maguyva_nb.evaluate.querysets import read_queries
from maguyva_nb.evaluate.records import Evaluation, QuerySet
from maguyva_nb.evaluate.report import evaluation_json
from maguyva_nb.evaluate.run import evaluate, keep
from maguyva_nb.samples import sample_path
from maguyva_nb.types import Json, Profile, Progress, ProgressListener
from maguyva_nb.understand import understand
from maguyva_nb.wire import (
    classification_json,
    error_json,
    impact_json,
    index_json,
    models_json,
    profiles_json,
    search_json,
)

# Of the files of one reason: enough to see what they are.
EXAMPLES = 3
_COMMAND = re.compile(r"(maguyva-nb [a-z]+) PATH\b")
DEMO_QUERIES = (
    "dónde está definido parseConfig",
    "qué se rompe si cambio load_settings",
    "encontrar la cadena ECONNREFUSED",
    "how is a password checked",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            # Here, where a refusal can be answered; None where the caller closed it.
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (``| head``).
        _drop_output()
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        print(f"The output cannot be written: {error.strerror}.\nFree space, or write it elsewhere.", file=sys.stderr)
        _drop_output()
        return 1


def _run(argv: Sequence[str]) -> int:
    as_json = "--json" in takewhile(lambda word: word != "--", argv)
    args = build_parser(COMMANDS, __version__, as_json=as_json).parse_args(argv)
    try:
        return COMMANDS[args.command](args)
    except MaguyvaError as error:
        _print_error(_placed(error, args), as_json=args.json)
        return 1
    except KeyboardInterrupt:
        print("Stopped; the index is as it was.", file=sys.stderr)
        return 130


def _drop_output() -> None:
    """What is still buffered must not complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())


def _demo(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    with _progress() as listen:
        Explorer.index(sample_path(), settings=settings, db=args.db, progress=listen)
    with _opened(sample_path(), settings, args) as explorer:
        traces = [explorer.search(query) for query in DEMO_QUERIES]
        if args.json:
            _print_json({"demo": [search_json(t, explorer, top=settings.search.top) for t in traces]})
            return 0
        for trace in traces:
            print(f"\n> {trace.query.raw}")
            _print_lines(trace_lines(trace, top=3))
    print(f"\nYour own code:   maguyva-nb search PATH 'a question'\nThe explorer:    maguyva-nb app {sample_path()}")
    return 0


def _app(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    try:
        from maguyva_nb_widgets.serve import serve_app
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "panel", "widgets") from error
    with _progress() as listen:
        Explorer.open(args.path, settings=settings, db=args.db, progress=listen).close()
    serve_app(args.path, port=args.port, open_browser=not args.no_browser, settings=settings, db=args.db)
    return 0


def _doctor(args: argparse.Namespace) -> int:
    checks = [
        replace(check, error=_placed(check.error, args)) if check.error else check
        for check in examine(Path(args.path).expanduser(), args.config, args.db)
    ]
    failed = next((check.error for check in checks if check.error), None)
    if args.json:
        _print_json({**checks_json(checks), **(error_json(failed) if failed else {})})
    else:
        for check in checks:
            print(f"{'ok  ' if check.error is None else 'FAIL'} {check.name:<11} {clean(check.detail)}")
            if check.error:
                print(f"     {'':<11} {clean(check.error.next)}")
    return 1 if failed else 0


def _profiles(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    saved = sorted(profiles_folder().glob("*.toml"))
    profiles = [*settings.profiles.values(), *(settings.profile(str(path)) for path in saved)]
    if args.json:
        _print_json(profiles_json(profiles))
    else:
        _print_lines(line for profile in profiles for line in _profile_lines(profile))
    return 0


def _profile_lines(profile: Profile) -> Iterator[str]:
    rows = list(profile.weights.items())
    yield f"{profile.name}"
    yield f"  {'':<16}" + "".join(f"{m:>11}" for m in rows[0][1])
    for intent, row in rows:
        yield f"  {intent:<16}" + "".join(f"{weight:>11g}" for weight in row.values())


def _models(args: argparse.Namespace) -> int:
    load_settings(args.config)
    rows, missing = usable_models(), missing_packages()
    if args.json:
        _print_json(models_json(rows, missing))
    else:
        _print_lines(models_lines(rows, missing))
    return 0


def _index(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    if args.download:
        settings = replace(settings, embed=replace(settings.embed, download=True))
    with _progress() as listen:
        report = Explorer.index(
            args.path, settings=settings, db=args.db, force=args.force, embedder=args.embedder, progress=listen
        )
    if args.json:
        _print_json(index_json(report))
        return 0
    print(
        f"{report.files} files, {report.chunks} chunks, {report.symbols} symbols, {report.edges} edges; "
        f"{report.resolved} of {report.call_sites} call sites resolved; {report.seconds:.1f} s\n"
        f"vectors of {clean(report.model)}\n{report.database}"
    )
    for line in (*_by_reason("skipped", report.skipped), *_by_reason("only in part", report.partial)):
        print(line, file=sys.stderr)
    return 0


def _by_reason(what: str, files: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A line a reason, the most frequent first; how often a reason counts within a file is left out."""
    groups: dict[str, list[str]] = defaultdict(list)
    for path, reason in files:
        groups[re.sub(r"^\d+ syntax errors?$", "syntax errors", reason)].append(path)
    for reason, paths in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        more = ", …" if len(paths) > EXAMPLES else ""
        shown = ", ".join(clean(path) for path in paths[:EXAMPLES])
        yield f"{what}  {len(paths)} {'file' if len(paths) == 1 else 'files'}, {clean(reason)}: {shown}{more}"


def _search(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    options = search_options(args)
    understand(args.query, options, settings)  # a query that makes no sense must not cost an indexing run
    top = args.top or settings.search.top
    with _opened(args.path, settings, args) as explorer:
        trace = explorer.search(args.query, options)
        if args.json:
            _print_json(search_json(trace, explorer, top=top))
        else:
            _print_lines(trace_lines(trace, top=top))
    return 0


def _classify(args: argparse.Namespace) -> int:
    _, found = understand(args.query, search_options(args), load_settings(args.config))
    if args.json:
        _print_json({"query": args.query, **classification_json(found)})
    else:
        _print_lines(classification_lines(found))
    return 0


def _impact(args: argparse.Namespace) -> int:
    with _opened(args.path, load_settings(args.config), args) as explorer:
        impact = explorer.impact(args.symbol, depth=args.depth)
    if args.json:
        _print_json(impact_json(impact))
    else:
        _print_lines(impact_lines(impact))
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    queries = read_queries(args.queries, source=Path(args.path), repo=args.repo, qrels=args.qrels)
    other = None if args.compare is None else read_baseline(args.compare, settings)
    run = _evaluated(args, queries, settings, search_options(args))
    comparison = None
    if other is not None:
        if isinstance(other, Variant):
            options = search_options(args)
            options = replace(options, profile=other.profile or options.profile)
            other = scored(_evaluated(args, queries, other.settings, options).per_query)
        comparison = compare(scored(run.per_query), other, settings.evaluate, name=args.compare.name)
    if args.json:
        _print_json(evaluation_json(run, comparison))
    else:
        _print_lines(evaluation_lines(run, comparison))
    return 0


def _evaluated(args: argparse.Namespace, queries: QuerySet, settings: Settings, options: SearchOptions) -> Evaluation:
    with _opened(args.path, settings, args) as explorer, _progress() as listen:
        return keep(evaluate(explorer, queries, options, progress=listen), explorer.source)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": _demo,
    "app": _app,
    "doctor": _doctor,
    "profiles": _profiles,
    "models": _models,
    "index": _index,
    "search": _search,
    "classify": _classify,
    "impact": _impact,
    "evaluate": _evaluate,
}


@contextmanager
def _opened(path: str | Path, settings: Settings, args: argparse.Namespace) -> Iterator[Explorer]:
    with _progress() as listen:
        model = getattr(args, "embedder", None)
        explorer = Explorer.open(path, settings=settings, db=args.db, model=model, progress=listen)
    try:
        yield explorer
    finally:
        explorer.close()


@contextmanager
def _progress() -> Iterator[ProgressListener]:
    """A bar on stderr for work over a second; none where stderr is no terminal."""
    bars: list[tuple[str, tqdm[None]]] = []

    def listen(event: Progress) -> None:
        if not bars or bars[-1][0] != event.stage:
            close()
            bar = tqdm(desc=event.stage, file=sys.stderr, disable=None, leave=False, delay=0.5, dynamic_ncols=True)
            bars.append((event.stage, bar))
        bar = bars[-1][1]
        bar.total = event.total or None
        bar.update(event.done - bar.n)

    def close() -> None:
        if bars:
            bars.pop()[1].close()

    try:
        yield listen
    finally:
        close()


def _placed(error: MaguyvaError, args: argparse.Namespace) -> MaguyvaError:
    """The same error, with the codebase and index of this call in the command that it proposes."""
    path = getattr(args, "path", None)
    if path is not None:
        words = [f"./{path}" if path.startswith("-") else path]
        words += [] if args.db is None else ["--db", str(args.db)]
        error.next = _COMMAND.sub(lambda found: f"{found[1]} {shlex.join(words)}", error.next)
    return error


def _print_json(value: Json) -> None:
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _print_lines(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def _print_error(error: MaguyvaError, *, as_json: bool) -> None:
    if as_json:
        _print_json(error_json(error))
    else:
        print(f"{clean(error.message)}\n{clean(error.next)}", file=sys.stderr)
