"""Copied helper: a general decorator that repeats a function when it fails.

Kept for scripts outside the service. The service itself uses parcels.net.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from typing import Any


class RetryError(Exception):
    """Raised when every attempt failed; `last` is the final exception."""

    def __init__(self, attempts: int, last: BaseException) -> None:
        super().__init__(f"gave up after {attempts} attempts: {last}")
        self.attempts = attempts
        self.last = last


def should_retry_on(*kinds: type[BaseException]) -> Callable[[BaseException], bool]:
    """Build a predicate that says whether an exception can be retried, by its type."""

    def predicate(problem: BaseException) -> bool:
        return isinstance(problem, kinds)

    return predicate


def exponential_backoff(attempt: int, base: float = 0.1, limit: float = 30.0) -> float:
    """Delay before the next retry: grows by powers of two up to a limit."""
    return min(base * 2**attempt, limit) * random.uniform(0.5, 1.0)


def fixed_backoff(attempt: int, seconds: float = 1.0) -> float:
    """Delay before the next retry: always the same."""
    return seconds


def retry(
    attempts: int = 3,
    when: Callable[[BaseException], bool] = should_retry_on(Exception),
    backoff: Callable[[int], float] = exponential_backoff,
    sleep: Callable[[float], None] = time.sleep,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: retry the function up to `attempts` times when `when` says so."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(attempts):
                try:
                    return function(*args, **kwargs)
                except Exception as problem:
                    if not when(problem):
                        raise
                    if attempt + 1 == attempts:
                        raise RetryError(attempts, problem) from problem
                    sleep(backoff(attempt))
            return None

        return wrapper

    return decorate
