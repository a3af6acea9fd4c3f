"""The loop that repeats a call, and the numbers that steer it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from parcels.config import load_settings
from parcels.errors import CarrierError
from parcels.log import get_logger

from .policy import Exchange, may_attempt_again, pause_before_next

T = TypeVar("T")

logger = get_logger(__name__)

# No settings file may ask for more attempts of a retryable request than this.
RETRYABLE_REQUEST_LIMIT = 8


@dataclass(frozen=True)
class RetryConfig:
    """How often and how patiently a request is retried: attempts and delays.

    Holds numbers only. A request can be retried up to `attempts` times with
    delays that grow from `first_delay` to `longest_delay`.
    """

    attempts: int = 4
    first_delay: float = 0.2
    longest_delay: float = 8.0

    @classmethod
    def from_settings(cls) -> RetryConfig:
        """Take the numbers from the [net] section, within the hard limit."""
        net = load_settings().net
        return cls(
            attempts=min(net.attempts, RETRYABLE_REQUEST_LIMIT),
            first_delay=net.first_delay,
            longest_delay=net.longest_delay,
        )

    def delays(self) -> Iterator[float]:
        """The waits between attempts, without the random spread."""
        for made in range(1, self.attempts):
            yield pause_before_next(made, self.first_delay, self.longest_delay)


def call_with_retry(
    exchange: Exchange,
    send: Callable[[], T],
    config: RetryConfig,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Send until it works or another attempt is pointless; raises the last failure."""
    made = 0
    while True:
        try:
            return send()
        except CarrierError as failure:
            made += 1
            if not may_attempt_again(exchange, failure, made, config.attempts):
                raise
            pause = pause_before_next(
                made, config.first_delay, config.longest_delay, random.random()
            )
            logger.info(
                "%s %s failed (%s), waiting %.2f s",
                exchange.method,
                exchange.path,
                failure.code,
                pause,
            )
            sleep(pause)


async def call_with_retry_async(
    exchange: Exchange,
    send: Callable[[], Awaitable[T]],
    config: RetryConfig,
) -> T:
    """The same loop for coroutines."""
    made = 0
    while True:
        try:
            return await send()
        except CarrierError as failure:
            made += 1
            if not may_attempt_again(exchange, failure, made, config.attempts):
                raise
            pause = pause_before_next(
                made, config.first_delay, config.longest_delay, random.random()
            )
            logger.info(
                "%s %s failed (%s), waiting %.2f s",
                exchange.method,
                exchange.path,
                failure.code,
                pause,
            )
            await asyncio.sleep(pause)


def retry_after_seconds(headers: Mapping[str, str], longest: float) -> float | None:
    """Read the Retry-After header of an answer, if it holds a number of seconds."""
    value = headers.get("retry-after", "").strip()
    if not value.isdigit():
        return None
    return min(float(value), longest)
