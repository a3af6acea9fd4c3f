"""Background work: a queue with priorities, delays and a place for dead jobs."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from .config import load_settings
from .errors import CarrierError, ConfigError
from .log import get_logger

if TYPE_CHECKING:
    from .api import Services

logger = get_logger(__name__)

Task = Callable[..., Any]


class JobState(str, Enum):
    """Where a job is on its way."""

    WAITING = "waiting"
    DONE = "done"
    DEAD = "dead"


@dataclass
class Job:
    """A task to run, with its arguments and its history."""

    task: str
    arguments: dict[str, Any] = field(default_factory=dict)
    priority: int = 10
    tries: int = 0
    state: JobState = JobState.WAITING
    last_error: str = ""


TASKS: dict[str, Task] = {}


def task(name: str) -> Callable[[Task], Task]:
    """Decorator: make a function known to the queue under a name."""

    def register(function: Task) -> Task:
        if name in TASKS:
            raise ConfigError(f"two tasks are called {name}")
        TASKS[name] = function
        return function

    return register


class JobQueue:
    """Runs jobs in order of due time and priority; failures come back later."""

    def __init__(self, services: Services, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._clock = clock
        self._heap: list[tuple[float, int, int, Job]] = []
        self._numbers = itertools.count()
        self.dead: list[Job] = []

    def enqueue(self, name: str, delay: float = 0.0, priority: int = 10, **arguments: Any) -> Job:
        """Add a job that becomes due after `delay` seconds."""
        if name not in TASKS:
            raise ConfigError(f"no task is called {name!r}")
        job = Job(name, arguments, priority)
        self._push(job, delay)
        return job

    def run_due(self) -> int:
        """Run every job that is due now and return how many were run."""
        ran = 0
        while self._heap and self._heap[0][0] <= self._clock():
            job = heapq.heappop(self._heap)[-1]
            self._run(job)
            ran += 1
        return ran

    async def work(self, stop: asyncio.Event) -> None:
        """Run due jobs until asked to stop, resting in between."""
        interval = load_settings().jobs.poll_interval
        while not stop.is_set():
            if self.run_due() == 0:
                await asyncio.sleep(interval)

    def _run(self, job: Job) -> None:
        job.tries += 1
        try:
            TASKS[job.task](self._services, **job.arguments)
        except Exception as problem:  # noqa: BLE001 - a task must not stop the queue
            self._handle_failure(job, problem)
        else:
            job.state = JobState.DONE

    def _handle_failure(self, job: Job, problem: Exception) -> None:
        """Put a failed job back with a growing delay, or bury it after too many tries."""
        job.last_error = str(problem)
        if job.tries >= load_settings().jobs.max_attempts:
            job.state = JobState.DEAD
            self.dead.append(job)
            logger.error("job %s is dead after %d tries: %s", job.task, job.tries, problem)
            return
        self._push(job, delay=2.0**job.tries)

    def _push(self, job: Job, delay: float) -> None:
        entry = (self._clock() + delay, job.priority, next(self._numbers), job)
        heapq.heappush(self._heap, entry)

    def __len__(self) -> int:
        return len(self._heap)


@task("dispatch-waiting")
def dispatch_waiting(services: Services, limit: int = 20) -> int:
    """Hand orders that wait to their carriers; one bad order does not hold up the rest."""
    sent = 0
    for order in services.order_repository.waiting_for_dispatch(limit):
        try:
            services.orders.dispatch(order.order_id)
            sent += 1
        except CarrierError as problem:
            logger.warning("order %s stays in line: %s", order.order_id, problem.message)
    return sent


@task("follow-shipments")
def follow_shipments(services: Services) -> int:
    """Ask carriers about every shipment on its way; returns how many have arrived."""
    arrived = 0
    for shipment in services.shipment_repository.still_travelling():
        try:
            if services.orders.follow(shipment.shipment_id).delivered:
                arrived += 1
        except CarrierError as problem:
            logger.warning("shipment %s not updated: %s", shipment.shipment_id, problem.message)
    return arrived


@task("close-old-sessions")
def close_old_sessions(services: Services) -> int:
    """Sign people out whose session is older than a refresh token may be."""
    cutoff = time.time() - load_settings().auth.refresh_lifetime
    return services.sessions.drop_older_than(cutoff)
