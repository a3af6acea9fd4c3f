"""Rules about failed exchanges with a carrier. No input or output happens here."""

from __future__ import annotations

from dataclasses import dataclass

from parcels.errors import NETWORK_FAILURES, CarrierError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
BUSY_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Exchange:
    """One message to a carrier, as far as the rules need to know it."""

    method: str
    path: str
    idempotency_key: str | None = None


def may_attempt_again(exchange: Exchange, failure: CarrierError, made: int, allowed: int) -> bool:
    """Judge whether a failed exchange deserves another go.

    Three things must hold: the budget is not used up; sending the same message
    twice does no harm (a safe method, or a key by which the carrier recognises
    the repetition); and the trouble looks like one that passes by itself rather
    than a refusal that would come back unchanged.
    """
    if made >= allowed:
        return False
    harmless = exchange.method in SAFE_METHODS or exchange.idempotency_key is not None
    if not harmless:
        return False
    if failure.http_status is not None:
        return failure.http_status in BUSY_STATUSES
    entry = NETWORK_FAILURES.get(failure.code)
    return entry is not None and entry.passing


def pause_before_next(made: int, first: float, longest: float, spread: float = 0.0) -> float:
    """Seconds to wait after the `made`-th failure: doubling, capped, with some spread.

    `spread` between 0 and 1 stands for the luck of the draw; callers that want
    their waits to differ from those of others pass a random number.
    """
    plain = min(first * 2 ** (made - 1), longest)
    return plain * (1.0 - 0.5 * spread)
