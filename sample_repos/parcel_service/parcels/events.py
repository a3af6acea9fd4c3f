"""An in-process event bus: modules announce what happened, others react."""

from __future__ import annotations

import asyncio
import inspect
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .log import get_logger

logger = get_logger(__name__)

Listener = Callable[["Event"], Any]


@dataclass(frozen=True)
class Event:
    """Something that happened, with a dotted name such as ``order.created``."""

    name: str
    payload: dict[str, Any] = field(default_factory=dict)
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


class EventBus:
    """Delivers events to listeners by exact name or by a prefix such as ``order.*``."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self.failures: list[tuple[Event, Exception]] = []

    def subscribe(self, pattern: str, listener: Listener) -> Callable[[], None]:
        """Register a listener and return a function that removes it again."""
        self._listeners[pattern].append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners[pattern]:
                self._listeners[pattern].remove(listener)

        return unsubscribe

    def on(self, pattern: str) -> Callable[[Listener], Listener]:
        """Decorator form of `subscribe`."""

        def register(listener: Listener) -> Listener:
            self.subscribe(pattern, listener)
            return listener

        return register

    def publish(self, name: str, **payload: Any) -> int:
        """Call every interested listener; one that fails does not stop the others."""
        event = Event(name, payload)
        delivered = 0
        for listener in self._matching(name):
            try:
                listener(event)
                delivered += 1
            except Exception as problem:  # noqa: BLE001 - listeners are foreign code
                self.failures.append((event, problem))
                logger.warning("listener for %s failed: %s", name, problem)
        return delivered

    async def publish_async(self, name: str, **payload: Any) -> int:
        """Like `publish`, but listeners that are coroutines run side by side."""
        event = Event(name, payload)
        waiting = []
        for listener in self._matching(name):
            result = listener(event)
            if inspect.isawaitable(result):
                waiting.append(result)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                self.failures.append((event, result))
        return len(waiting)

    def _matching(self, name: str) -> list[Listener]:
        """Listeners for the exact name first, then those for its prefixes."""
        found = list(self._listeners.get(name, ()))
        parts = name.split(".")
        for size in range(len(parts) - 1, 0, -1):
            found.extend(self._listeners.get(".".join(parts[:size]) + ".*", ()))
        found.extend(self._listeners.get("*", ()))
        return found
