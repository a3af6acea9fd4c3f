"""Long work leaves the event loop free and brings its result back to it."""

from __future__ import annotations

import asyncio
import threading

from maguyva_nb_widgets.runner import Done, run_beside


def test_without_a_loop_everything_happens_at_once() -> None:
    seen: list[str] = []

    def work() -> Done:
        seen.append("work")
        return lambda: seen.append("done")

    run_beside(work)
    assert seen == ["work", "done"]


def test_work_runs_in_a_thread_and_its_result_on_the_loop_that_asked() -> None:
    async def ask() -> tuple[int, int]:
        finished: asyncio.Future[tuple[int, int]] = asyncio.get_running_loop().create_future()

        def work() -> Done:
            worker = threading.get_ident()
            return lambda: finished.set_result((worker, threading.get_ident()))

        run_beside(work)
        return await asyncio.wait_for(finished, 30)

    worker, loop = asyncio.run(ask())
    assert loop == threading.get_ident()
    assert worker != loop
