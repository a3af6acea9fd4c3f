"""Progress of indexing as a bar of text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tqdm import tqdm

from maguyva_nb.types import Progress, ProgressListener

# A stage that is over sooner needs no bar.
_DELAY_S = 0.5


@contextmanager
def progress_bar(file: TextIO) -> Iterator[ProgressListener]:
    """A listener that draws one bar for the stage that runs, once it takes a while."""
    bar: tqdm[None] | None = None
    stage = ""

    def listen(event: Progress) -> None:
        nonlocal bar, stage
        if bar is None or event.stage != stage:
            if bar is not None:
                bar.close()
            stage = event.stage
            bar = tqdm(desc=stage, total=event.total or None, leave=False, delay=_DELAY_S, file=file)
        bar.update(event.done - bar.n)

    try:
        yield listen
    finally:
        if bar is not None:
            bar.close()
