"""An index made or brought up to date: usable at once with a quick model, then with the better one asked for."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from maguyva_nb.config import Settings
from maguyva_nb.embed.registry import BUNDLED, load_embedder
from maguyva_nb.errors import IndexMissing, IndexOutdated, IndexUnreadable, ModelUnavailable
from maguyva_nb.index.build import IndexReport, build_index
from maguyva_nb.index.fresh import current_report
from maguyva_nb.index.upgrade import upgrade_index
from maguyva_nb.protocols import Embedder
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.store.user import UserStore
from maguyva_nb.types import ProgressListener


def refresh_index(
    source: Path,
    path: Path,
    *,
    settings: Settings,
    force: bool = False,
    embedder: str | None = None,
    progress: ProgressListener | None = None,
) -> IndexReport:
    """Makes the index, or leaves it where nothing changed; then adds the vectors of a slow model.

    Without ``embedder`` it is that of the settings, or else the one the index has. A model that cannot load is told
    before anything is built.
    """
    started = time.perf_counter()
    model = _wanted(path, settings, embedder)
    base = load_embedder(BUNDLED) if model.info.slow else model
    report = None if force else current_report(source, path, settings=settings, embedder=base)
    report = report or build_index(source, path, settings=settings, embedder=base, progress=progress, force=force)
    reader = IndexReader(path)
    try:
        upgrade_index(reader, model, cache=UserStore(), progress=progress)
    finally:
        reader.close()
    return replace(report, model=model.info.name, seconds=time.perf_counter() - started)


def _wanted(path: Path, settings: Settings, embedder: str | None) -> Embedder:
    if embedder is not None or settings.index.embedder != BUNDLED:
        return load_embedder(embedder or settings.index.embedder, settings.embed)
    try:
        return load_embedder(_recorded(path), settings.embed)
    except ModelUnavailable as error:
        said = f"The index was made with an embedder that is not there any more. {error.message}"
        raise ModelUnavailable(said, next=f"{error.next} Or go back with --embedder {BUNDLED}.") from error


def _recorded(path: Path) -> str:
    """The model that answers from the index there is."""
    try:
        with closing(IndexReader(path)) as reader:
            return reader.model[0] or BUNDLED
    except (IndexMissing, IndexOutdated, IndexUnreadable):
        return BUNDLED
