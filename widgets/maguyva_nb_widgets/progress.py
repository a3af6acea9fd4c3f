"""Progress of indexing as a bar on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tqdm.auto import tqdm

from maguyva_nb.types import Progress, ProgressListener


@contextmanager
def progress_bar() -> Iterator[ProgressListener]:
    """A listener that draws one bar for the stage that runs; nothing is drawn where nothing is reported."""
    bar: tqdm[None] | None = None

    def listen(event: Progress) -> None:
        nonlocal bar
        if bar is None or bar.desc != f"{event.stage}: ":
            if bar is not None:
                bar.close()
            bar = tqdm(desc=event.stage, total=event.total or None, leave=False)
        bar.n = event.done
        bar.refresh()

    try:
        yield listen
    finally:
        if bar is not None:
            bar.close()
