"""Carriers, attempts, limits, cache."""

import asyncio

import pytest

from parcels.cache import TTLCache, cached
from parcels.errors import CarrierError, describe_failure
from parcels.net import RetryConfig, SlidingWindow, SwiftPostClient, TokenBucket, call_with_retry
from parcels.net.client import NordFreightClient, failure_code
from parcels.net.policy import Exchange, may_attempt_again
from parcels.net.retry import RETRYABLE_REQUEST_LIMIT, retry_after_seconds
from vendor.retrying import RetryError, retry

FAST = RetryConfig(attempts=3, first_delay=0.0, longest_delay=0.0)
GET = Exchange("GET", "/tracking/1")


class FakeClock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def failing_transport(times, problem, then=(200, b'{"tracking": "SP1"}')):
    """A transport that fails a number of times before it answers."""
    calls = []

    def transport(method, url, headers, body, timeout):
        calls.append((method, url, headers))
        if len(calls) <= times:
            raise problem
        return then

    transport.calls = calls
    return transport


def test_request_can_be_retried():
    """A request can be retried when the failure is a request that can be retried."""
    assert may_attempt_again(GET, CarrierError("busy", "HTTP_503", 503), 1, 3)


def test_request_can_be_retried_only_within_the_limit():
    """Where the limit decides that a request can be retried no more."""
    assert not may_attempt_again(GET, CarrierError("busy", "HTTP_503", 503), 3, 3)
    assert RETRYABLE_REQUEST_LIMIT >= RetryConfig.from_settings().attempts


def test_post_without_key_is_sent_once():
    failure = CarrierError("reset", "ECONNRESET")
    assert not may_attempt_again(Exchange("POST", "/bookings"), failure, 1, 3)
    assert may_attempt_again(Exchange("POST", "/bookings", "key-1"), failure, 1, 3)


def test_refusals_are_final():
    assert not may_attempt_again(GET, CarrierError("bad", "HTTP_400", 400), 1, 3)
    assert not may_attempt_again(GET, CarrierError("who", "ENOTFOUND"), 1, 3)


def test_booking_survives_a_refused_connection():
    transport = failing_transport(2, ConnectionRefusedError())
    client = SwiftPostClient("http://gateway.test/", transport, FAST)
    assert client.book({"weight_kg": "1.5"}, {"name": "Ana"}) == "SP1"
    keys = {headers["idempotency-key"] for _, _, headers in transport.calls}
    assert len(transport.calls) == 3 and len(keys) == 1


def test_refused_connection_is_reported_with_its_code():
    transport = failing_transport(9, ConnectionRefusedError())
    client = SwiftPostClient("http://gateway.test", transport, FAST)
    with pytest.raises(CarrierError) as caught:
        client.track("SP1")
    assert caught.value.code == "ECONNREFUSED"
    assert "nothing is listening" in describe_failure("ECONNREFUSED")


def test_failure_codes():
    assert failure_code(TimeoutError()) == "ETIMEDOUT"
    assert failure_code(ConnectionResetError()) == "ECONNRESET"
    assert failure_code(ValueError()) == "EUNKNOWN"


def test_many_parcels_at_once_leave_out_the_lost_one():
    def transport(method, url, headers, body, timeout):
        if url.endswith("N2"):
            return 404, b""
        return 200, b'{"steps": [{"when": "2024-05-01", "town": "Vigo", "country": "ES"}]}'

    client = NordFreightClient("http://gateway.test", transport, FAST)
    found = asyncio.run(client.track_many(["N1", "N2"]))
    assert list(found) == ["N1"] and found["N1"][0].place == "Vigo, ES"


def test_last_failure_is_raised():
    def send():
        raise CarrierError("slow", "ETIMEDOUT")

    waits = []
    with pytest.raises(CarrierError, match="slow"):
        call_with_retry(GET, send, RetryConfig(3, 1.0, 1.5), waits.append)
    assert len(waits) == 2 and max(waits) <= 1.5


def test_retry_after_header():
    assert retry_after_seconds({"retry-after": "7"}, 5.0) == 5.0
    assert retry_after_seconds({"retry-after": "tomorrow"}, 5.0) is None


def test_bucket_refills():
    clock = FakeClock()
    bucket = TokenBucket(2, 1.0, clock)
    assert [bucket.allow() for _ in range(3)] == [True, True, False]
    clock.now = 1.0
    assert bucket.allow()


def test_window_slides():
    clock = FakeClock()
    window = SlidingWindow(1, 10.0, clock)
    assert window.allow() and not window.allow()
    clock.now = 10.0
    assert window.allow()


def test_cache_expires_and_evicts():
    clock = FakeClock()
    cache = TTLCache(5.0, 2, clock)
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.get("a") is None and cache.get("c") == "C"
    clock.now = 6.0
    assert cache.purge() == 2


def test_cached_calls_once():
    calls = []

    @cached(60.0)
    def double(number):
        calls.append(number)
        return number * 2

    assert double(4) == double(4) == 8
    assert calls == [4]


def test_vendored_decorator_gives_up():
    @retry(attempts=2, sleep=lambda seconds: None)
    def broken():
        raise ValueError("no")

    with pytest.raises(RetryError):
        broken()
