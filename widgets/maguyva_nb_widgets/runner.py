"""Where long work runs, and how its result gets back to the thread that owns the widgets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Protocol

import panel as pn

Done = Callable[[], None]
Deliver = Callable[[Done], None]


class Runner(Protocol):
    """Runs ``work`` and then, on the document's thread, the function that it returned."""

    def __call__(self, work: Callable[[], Done]) -> None:
        """Returns at once or after the work, as the runner likes."""


def run_now(work: Callable[[], Done]) -> None:
    """Work and its result, here and now: for tests and for the first paint in a notebook."""
    work()()


def in_thread(deliver: Deliver) -> Runner:
    """A runner with a thread for each piece of work; ``deliver`` hands results to the right thread."""

    def run(work: Callable[[], Done]) -> None:
        threading.Thread(target=lambda: deliver(work()), name="maguyva-nb", daemon=True).start()

    return run


def document_runner() -> Runner:
    """The runner for the place where the app is being built: a served session, a notebook, or neither."""
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        return in_thread(document.add_next_tick_callback)
    return run_beside


def run_beside(work: Callable[[], Done]) -> None:
    """Work in a thread, its result on the event loop that asked for it; without a loop, all of it now.

    Notebooks handle messages of widgets on the loop of a thread of their own, so the loop is looked up each time.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        run_now(work)
    else:
        in_thread(lambda done: _post(loop, done))(work)


def _post(loop: asyncio.AbstractEventLoop, done: Done) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(done)
