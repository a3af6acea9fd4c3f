"""Limits on how many requests may pass in a stretch of time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from parcels.config import load_settings

Clock = Callable[[], float]


class Limiter(Protocol):
    """Anything that can say yes or no to one more request."""

    def allow(self) -> bool: ...


class TokenBucket:
    """Allows short bursts: a bucket that refills at a steady pace."""

    def __init__(
        self, capacity: int, refill_per_second: float, clock: Clock = time.monotonic
    ) -> None:
        self.capacity = capacity
        self.refill_per_second = refill_per_second
        self._clock = clock
        self._level = float(capacity)
        self._updated = clock()

    def allow(self) -> bool:
        """Take one token if there is one."""
        now = self._clock()
        gained = (now - self._updated) * self.refill_per_second
        self._level = min(float(self.capacity), self._level + gained)
        self._updated = now
        if self._level < 1.0:
            return False
        self._level -= 1.0
        return True


class SlidingWindow:
    """Counts exactly: at most `limit` requests in any `seconds` seconds."""

    def __init__(self, limit: int, seconds: float, clock: Clock = time.monotonic) -> None:
        self.limit = limit
        self.seconds = seconds
        self._clock = clock
        self._times: deque[float] = deque()

    def allow(self) -> bool:
        """Note the request if the window still has room."""
        now = self._clock()
        while self._times and self._times[0] <= now - self.seconds:
            self._times.popleft()
        if len(self._times) >= self.limit:
            return False
        self._times.append(now)
        return True


class LimiterRegistry:
    """One limiter for each caller, made when the caller is first seen."""

    def __init__(self, make: Callable[[], Limiter] | None = None) -> None:
        self._make = make or _limiter_from_settings
        self._limiters: dict[str, Limiter] = {}

    def for_caller(self, caller: str) -> Limiter:
        """The limiter of this caller."""
        if caller not in self._limiters:
            self._limiters[caller] = self._make()
        return self._limiters[caller]


def _limiter_from_settings() -> Limiter:
    return SlidingWindow(load_settings().net.requests_per_minute, 60.0)
