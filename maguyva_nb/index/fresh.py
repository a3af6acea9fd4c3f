"""Whether an index still tells the truth about its folder, and the report of one that does."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from maguyva_nb.config import Settings
from maguyva_nb.errors import IndexMissing, IndexOutdated, IndexUnreadable
from maguyva_nb.index.build import IndexReport, index_meta
from maguyva_nb.index.walk import walk
from maguyva_nb.protocols import Embedder
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.types import FileStatus

# Rows of meta that must be the same for an index to be reused.
DECISIVE = ("source_root", "settings_hash", "base_model", "base_revision", "tool_version")


def current_report(source: Path, database: Path, *, settings: Settings, embedder: Embedder) -> IndexReport | None:
    """The report of the index if it is whole and no file, setting or model has changed; else None.

    A file counts as changed when its size or its time of modification differs.
    """
    started = time.perf_counter()
    try:
        with closing(IndexReader(database)) as reader:
            wanted = index_meta(source, settings, embedder)
            if any(reader.meta.get(key) != wanted[key] for key in DECISIVE):
                return None
            if _places(source, settings) != _indexed(reader):
                return None
            reader.verify()
            return _report(reader, started)
    except (IndexMissing, IndexOutdated, IndexUnreadable):
        return None


def _places(source: Path, settings: Settings) -> dict[str, tuple[int, int]]:
    listing = walk(source, max_bytes=settings.index.max_bytes)
    skipped = {one.path: (one.size, one.mtime_ns) for one in listing.skipped}
    return skipped | {one.path: (one.size, one.mtime_ns) for one in listing.files}


def _indexed(reader: IndexReader) -> dict[str, tuple[int, int]]:
    files = reader.files
    return dict(zip(files.path, zip(files.bytes, files.mtime_ns, strict=True), strict=True))


def _report(reader: IndexReader, started: float) -> IndexReport:
    counts = reader.rows(
        "SELECT (SELECT count(*) FROM idx.edges), (SELECT count(*) FROM idx.call_sites),"
        " (SELECT count(DISTINCT site_id) FROM idx.edges WHERE kind <> 'contains')"
    )[0]
    return IndexReport(
        database=reader.path,
        files=sum(status != "skipped" for status in reader.files.status),
        chunks=len(reader.chunks),
        symbols=len(reader.symbols),
        edges=int(counts[0]),
        call_sites=int(counts[1]),
        resolved=int(counts[2]),
        skipped=_with_status(reader, FileStatus.SKIPPED),
        seconds=time.perf_counter() - started,
        parse_errors=int(reader.meta.get("parse_errors", "0")),
        model=reader.meta.get("model", ""),
        partial=_with_status(reader, FileStatus.PARTIAL),
    )


def _with_status(reader: IndexReader, status: FileStatus) -> tuple[tuple[str, str], ...]:
    rows = reader.rows("SELECT path, coalesce(reason, '') FROM idx.files WHERE status = ? ORDER BY path", [str(status)])
    return tuple((str(path), str(reason)) for path, reason in rows)
