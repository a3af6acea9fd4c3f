"""Building an index: walk, parse, resolve, embed, write; each stage reports, and nothing is half done."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path

import pyarrow as pa

from maguyva_nb import __version__
from maguyva_nb.config import Settings
from maguyva_nb.errors import NothingToIndex, PathNotFound
from maguyva_nb.index.analyse import Batch, FileDraft, Options, analyse_batch, without_gc
from maguyva_nb.index.git import head_commit
from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.index.resolve import Links, Unit, resolve
from maguyva_nb.index.tables import chunk_table, field_tables, file_table, link_tables, symbol_table
from maguyva_nb.index.vectors import VectorBuilder
from maguyva_nb.index.walk import Found, Skipped, walk
from maguyva_nb.protocols import Embedder
from maguyva_nb.store.target import check_target
from maguyva_nb.store.writer import write_index
from maguyva_nb.types import EdgeKind, FileStatus, Progress, ProgressListener

# What one task reads: enough to be worth sending to another process, little enough to share out evenly.
BATCH_BYTES = 400_000
BATCH_FILES = 64


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build made. ``resolved`` counts call sites with an edge; ``stages`` are seconds by stage.

    ``model`` is the embedder that answers; ``skipped`` and ``partial`` are paths with their reasons.
    """

    database: Path
    files: int
    chunks: int
    symbols: int
    edges: int
    call_sites: int
    resolved: int
    skipped: tuple[tuple[str, str], ...]
    seconds: float
    parse_errors: int
    stages: dict[str, float] = field(default_factory=dict)
    model: str = ""
    partial: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Clock:
    """Stage seconds and progress events of one build."""

    listener: ProgressListener | None
    started: float = field(default_factory=time.perf_counter)
    stages: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds up the time of a stage; that of a stage within it is the inner one's alone."""
        inside = sum(self.stages.values())
        begun = time.perf_counter()
        yield
        spent = time.perf_counter() - begun - (sum(self.stages.values()) - inside)
        self.stages[name] = self.stages.get(name, 0.0) + spent

    def tell(self, stage: str, done: int, total: int) -> None:
        if self.listener is not None:
            self.listener(Progress(stage, done, total))


def build_index(
    source: Path,
    target: Path,
    *,
    settings: Settings,
    embedder: Embedder,
    progress: ProgressListener | None = None,
    executor: Executor | None = None,
    force: bool = False,
) -> IndexReport:
    """Indexes the folder ``source`` into the file ``target``, replacing it whole when all has succeeded.

    Only an index is replaced; a damaged one that is not at the default place only with ``force``.

    ``executor`` runs the reading and parsing; without one a process pool is used where the input is worth it.
    Raises ``PathNotFound`` and ``NothingToIndex``.
    """
    _check_source(source)
    check_target(source, target, force=force)
    with without_gc():
        return _build(source, target, settings, embedder, _Clock(progress), executor)


def _build(
    source: Path,
    target: Path,
    settings: Settings,
    embedder: Embedder,
    clock: _Clock,
    executor: Executor | None,
) -> IndexReport:
    clock.tell("walk", 0, 0)
    with clock.stage("walk"):
        listing = walk(source, max_bytes=settings.index.max_bytes)
    vectors = VectorBuilder(embedder, step=lambda done, total: clock.tell("embed", done, total))
    with clock.stage("parse"):
        batches = _analyse(listing.files, settings, executor, clock, vectors)
    drafts = _all_files(batches, listing.skipped)
    if not any(d.chunks for d in drafts):
        raise NothingToIndex(str(source), Counter(d.reason or "empty" for d in drafts))
    clock.tell("resolve", 0, 0)
    with clock.stage("resolve"):
        links = resolve(_units(drafts), settings.confidence, root_name=source.resolve().name)
    with clock.stage("embed"):
        vectors.embed(rest=True)
    clock.tell("write", 0, 0)
    with clock.stage("write"):
        tables = _tables(drafts, batches, links, settings) | vectors.tables()
        meta = index_meta(source, settings, embedder) | {"parse_errors": str(_parse_errors(drafts))}
        write_index(target, tables, meta)
    return replace(_report(target, drafts, links, tables, clock), model=embedder.info.name)


def index_meta(source: Path, settings: Settings, embedder: Embedder) -> dict[str, str]:
    """The rows of ``meta`` but for the schema version, which the writer adds.

    ``model`` is the one that answers: the base that the index is built with, or a better one added later.
    """
    info = embedder.info
    return {
        "source_root": str(source.resolve()).encode("utf-8", "backslashreplace").decode("utf-8"),
        "commit": head_commit(source) or "",
        "settings_hash": settings_hash(settings),
        "model": info.name,
        "model_revision": info.revision,
        "dimensions": str(info.dimensions),
        "base_model": info.name,
        "base_revision": info.revision,
        "build": uuid.uuid4().hex,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "tool_version": __version__,
    }


def settings_hash(settings: Settings) -> str:
    """A hash of the settings that decide what an index holds; how many processes make it is none of them.

    Nor is the embedder: its vectors can be added later.
    """
    aside = ("workers", "parallel_from_bytes", "embedder")
    index = {k: v for k, v in asdict(settings.index).items() if k not in aside}
    parts = [index, asdict(settings.chunk), asdict(settings.paths), dict(settings.confidence), settings.graph.damping]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _check_source(source: Path) -> None:
    if not os.path.exists(source):
        raise PathNotFound(f"There is no folder {source}.", next="Check the path.")
    if not os.path.isdir(source):
        raise PathNotFound(f"{source} is a file, not a folder.", next="Give the folder that holds the codebase.")


def _analyse(
    files: Sequence[Found], settings: Settings, executor: Executor | None, clock: _Clock, vectors: VectorBuilder
) -> list[Batch]:
    """The batches in order; ``vectors`` takes their chunks, and embeds while other processes read on."""
    batches: list[Batch] = []
    done = 0
    clock.tell("parse", 0, len(files))
    with _runner(files, settings, executor) as run:
        for batch in _batches(list(_tasks(files)), Options.of(settings), run):
            batches.append(batch)
            done += len(batch.files)
            clock.tell("parse", done, len(files))
            vectors.add([chunk.item for draft in batch.files for chunk in draft.chunks])
            if run is not None:
                with clock.stage("embed"):
                    vectors.embed()
    return batches


def _batches(tasks: Sequence[tuple[Found, ...]], options: Options, run: Executor | None) -> Iterator[Batch]:
    done = 0
    futures: list[Future[Batch]] = []
    try:
        futures += [run.submit(analyse_batch, task, options) for task in tasks] if run else []
        for future in futures:
            yield future.result()
            done += 1
    except BrokenExecutor:
        # No process could start (a script without a main guard), or one was killed: the rest is read here.
        pass
    finally:
        for future in futures:
            future.cancel()
    yield from (analyse_batch(task, options) for task in tasks[done:])


@contextmanager
def _runner(files: Sequence[Found], settings: Settings, executor: Executor | None) -> Iterator[Executor | None]:
    """The executor that was given, a pool of spawned processes for much to read, or None: in this process."""
    if executor is not None:
        yield executor
        return
    workers = settings.index.workers or cpu_count() or 1
    if workers == 1 or sum(f.size for f in files) < settings.index.parallel_from_bytes:
        yield None
        return
    # Spawned, not forked: threads of a notebook or of the database must not be copied half-way.
    # An interrupt is for this process to handle: the others would only print that they were interrupted.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=signal.signal, initargs=ignore) as pool:
        yield pool


def _tasks(files: Sequence[Found]) -> Iterator[tuple[Found, ...]]:
    task: list[Found] = []
    size = 0
    for found in files:
        task.append(found)
        size += found.size
        if size >= BATCH_BYTES or len(task) >= BATCH_FILES:
            yield tuple(task)
            task, size = [], 0
    if task:
        yield tuple(task)


def _all_files(batches: Sequence[Batch], skipped: Sequence[Skipped]) -> list[FileDraft]:
    rows = [FileDraft(s.path, None, s.size, 0, "", s.mtime_ns, FileStatus.SKIPPED, s.reason) for s in skipped]
    return sorted([*chain.from_iterable(b.files for b in batches), *rows], key=lambda d: d.path)


def _units(drafts: Sequence[FileDraft]) -> list[Unit]:
    """The files to resolve; an empty one has no symbols, but it may make a package of its folder."""
    return [
        Unit(i, d.path, d.language, d.parsed or ParsedFile(d.language, ()), d.is_test)
        for i, d in enumerate(drafts)
        if d.parsed is not None or (d.language is not None and d.lines == 0)
    ]


def _tables(
    drafts: Sequence[FileDraft], batches: Sequence[Batch], links: Links, settings: Settings
) -> dict[str, pa.Table]:
    symbols = symbol_table(drafts)
    return {
        "files": file_table(drafts),
        "chunks": chunk_table(drafts),
        "symbols": symbols,
        **field_tables([b.fields for b in batches]),
        **link_tables(links, symbols.num_rows, settings.graph.damping),
    }


def _parse_errors(drafts: Sequence[FileDraft]) -> int:
    """How many files have a place that their parser did not understand."""
    return sum(d.parsed is not None and d.parsed.errors > 0 for d in drafts)


def _report(
    target: Path, drafts: Sequence[FileDraft], links: Links, tables: dict[str, pa.Table], clock: _Clock
) -> IndexReport:
    linked = {e.site_id for e in links.edges if e.kind is not EdgeKind.CONTAINS and e.site_id is not None}
    return IndexReport(
        database=target,
        files=sum(d.status is not FileStatus.SKIPPED for d in drafts),
        chunks=tables["chunks"].num_rows,
        symbols=tables["symbols"].num_rows,
        edges=tables["edges"].num_rows,
        call_sites=tables["call_sites"].num_rows,
        resolved=len(linked),
        skipped=tuple((d.path, d.reason or "") for d in drafts if d.status is FileStatus.SKIPPED),
        seconds=time.perf_counter() - clock.started,
        parse_errors=_parse_errors(drafts),
        stages=clock.stages,
        partial=tuple((d.path, d.reason or "") for d in drafts if d.status is FileStatus.PARTIAL),
    )
