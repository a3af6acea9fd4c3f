"""Clients for the carriers' HTTP interfaces."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import ssl
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from parcels.config import load_settings
from parcels.errors import CarrierError, ConfigError, describe_failure
from parcels.log import get_logger, timed

from .policy import Exchange
from .ratelimit import TokenBucket
from .retry import RetryConfig, call_with_retry, call_with_retry_async

logger = get_logger(__name__)

Transport = Callable[[str, str, dict[str, str], bytes | None, float], tuple[int, bytes]]


@dataclass(frozen=True)
class TrackingStep:
    """One scan of a parcel on its way."""

    at: str
    place: str
    note: str


def open_url(
    method: str, url: str, headers: dict[str, str], body: bytes | None, timeout: float
) -> tuple[int, bytes]:
    """The default transport: one HTTP exchange with the standard library."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()


def failure_code(problem: BaseException) -> str:
    """Give an operating system or TLS error the short code used in our error table."""
    reason = getattr(problem, "reason", problem)
    if isinstance(reason, ConnectionRefusedError):
        return "ECONNREFUSED"
    if isinstance(reason, ConnectionResetError):
        return "ECONNRESET"
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return "ETIMEDOUT"
    if isinstance(reason, ssl.SSLCertVerificationError):
        return "ECERT"
    if isinstance(reason, socket.gaierror):
        return "ENOTFOUND"
    number = getattr(reason, "errno", None)
    return errno.errorcode.get(number, "EUNKNOWN") if number else "EUNKNOWN"


class CarrierClient:
    """What every carrier can do; subclasses know the carrier's own wording."""

    name = "generic"

    def __init__(
        self,
        base_url: str,
        transport: Transport = open_url,
        retry: RetryConfig | None = None,
    ) -> None:
        settings = load_settings().net
        self.base_url = base_url.rstrip("/")
        self.timeout = settings.connect_timeout
        self.retry = retry or RetryConfig.from_settings()
        self._transport = transport
        self._bucket = TokenBucket(settings.requests_per_minute, settings.requests_per_minute / 60)

    def book(self, parcel: dict[str, Any], recipient: dict[str, str]) -> str:
        """Order a pickup and return the carrier's tracking number."""
        answer = self._send(
            "POST", "/bookings", self.booking_body(parcel, recipient), uuid.uuid4().hex
        )
        return str(answer["tracking"])

    def cancel(self, tracking: str) -> bool:
        """Call a pickup off; tells whether the carrier accepted."""
        answer = self._send("DELETE", f"/bookings/{tracking}")
        return bool(answer.get("cancelled", False))

    @timed
    def track(self, tracking: str) -> list[TrackingStep]:
        """Ask where a parcel is, oldest scan first."""
        answer = self._send("GET", f"/tracking/{tracking}")
        steps = [self.read_step(item) for item in answer.get("steps", [])]
        return sorted(steps, key=lambda step: step.at)

    async def track_many(self, numbers: Iterable[str]) -> dict[str, list[TrackingStep]]:
        """Track several parcels side by side; those that fail are left out."""
        wanted = list(numbers)

        async def one(tracking: str) -> list[TrackingStep]:
            exchange = Exchange("GET", f"/tracking/{tracking}")

            async def send() -> list[TrackingStep]:
                answer = await asyncio.to_thread(self._exchange, exchange, None)
                return [self.read_step(item) for item in answer.get("steps", [])]

            return await call_with_retry_async(exchange, send, self.retry)

        results = await asyncio.gather(*(one(number) for number in wanted), return_exceptions=True)
        return {
            number: result
            for number, result in zip(wanted, results, strict=True)
            if not isinstance(result, BaseException)
        }

    def booking_body(self, parcel: dict[str, Any], recipient: dict[str, str]) -> dict[str, Any]:
        """The body of a booking in this carrier's wording."""
        return {"parcel": parcel, "to": recipient}

    def read_step(self, item: dict[str, Any]) -> TrackingStep:
        """Read one scan from this carrier's wording."""
        return TrackingStep(item["at"], item.get("place", ""), item.get("note", ""))

    def _send(
        self, method: str, path: str, body: dict[str, Any] | None = None, key: str | None = None
    ) -> dict[str, Any]:
        exchange = Exchange(method, path, key)
        return call_with_retry(exchange, lambda: self._exchange(exchange, body), self.retry)

    def _exchange(self, exchange: Exchange, body: dict[str, Any] | None) -> dict[str, Any]:
        """Send once and turn every kind of trouble into a CarrierError."""
        if not self._bucket.allow():
            raise CarrierError(f"our own limit for {self.name} is used up", "ELIMIT", 429)
        headers = {"content-type": "application/json", "accept": "application/json"}
        if exchange.idempotency_key:
            headers["idempotency-key"] = exchange.idempotency_key
        data = json.dumps(body).encode("utf-8") if body is not None else None
        url = self.base_url + exchange.path
        try:
            status, raw = self._transport(exchange.method, url, headers, data, self.timeout)
        except OSError as problem:
            code = failure_code(problem)
            if code == "ECONNREFUSED":
                logger.error("%s is not listening at %s", self.name, self.base_url)
            raise CarrierError(f"{self.name}: {describe_failure(code)}", code) from problem
        if status >= 400:
            raise CarrierError(f"{self.name} answered {status}", f"HTTP_{status}", status)
        return json.loads(raw or b"{}")


class SwiftPostClient(CarrierClient):
    """SwiftPost wants grams and a flat recipient."""

    name = "swiftpost"

    def booking_body(self, parcel: dict[str, Any], recipient: dict[str, str]) -> dict[str, Any]:
        grams = int(float(parcel["weight_kg"]) * 1000)
        flat = {f"recipient_{key}": value for key, value in recipient.items()}
        return {"weight_g": grams, "service": "standard", **flat}

    def read_step(self, item: dict[str, Any]) -> TrackingStep:
        return TrackingStep(item["scanned"], item.get("hub", ""), item.get("text", ""))


class NordFreightClient(CarrierClient):
    """NordFreight wants kilograms and dimensions, and calls a parcel a consignment."""

    name = "nordfreight"

    def booking_body(self, parcel: dict[str, Any], recipient: dict[str, str]) -> dict[str, Any]:
        consignment = {"kg": parcel["weight_kg"], "cm": parcel.get("size_cm", [0, 0, 0])}
        return {"consignment": consignment, "consignee": recipient}

    def read_step(self, item: dict[str, Any]) -> TrackingStep:
        place = ", ".join(filter(None, [item.get("town"), item.get("country")]))
        return TrackingStep(item["when"], place, item.get("status", ""))


CLIENTS: dict[str, type[CarrierClient]] = {
    client.name: client for client in (SwiftPostClient, NordFreightClient)
}


def client_for(carrier: str, transport: Transport = open_url) -> CarrierClient:
    """Build the client for a carrier named in the settings."""
    addresses = load_settings().net.carriers
    if carrier not in addresses or carrier not in CLIENTS:
        raise ConfigError(f"no carrier is called {carrier!r}", known=sorted(addresses))
    return CLIENTS[carrier](addresses[carrier], transport)
