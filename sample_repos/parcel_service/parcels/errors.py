"""Errors of the service and the table that explains network error codes."""

from __future__ import annotations

from dataclasses import dataclass


class ParcelError(Exception):
    """Base of every error the service raises on purpose."""

    status = 500
    code = "internal"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class ConfigError(ParcelError):
    """The settings file is missing, malformed or contradicts itself."""

    code = "config"


class ValidationError(ParcelError):
    """The caller sent something that cannot be accepted as it is."""

    status = 422
    code = "invalid"


class NotFoundError(ParcelError):
    """The thing asked for does not exist."""

    status = 404
    code = "not_found"


class ConflictError(ParcelError):
    """The thing exists but is in a state that forbids the change."""

    status = 409
    code = "conflict"


class AuthError(ParcelError):
    """Nobody is signed in, or the proof of identity does not hold."""

    status = 401
    code = "unauthenticated"


class ForbiddenError(AuthError):
    """Somebody is signed in but may not do this."""

    status = 403
    code = "forbidden"


class TooManyRequestsError(ParcelError):
    """A limit on attempts or requests was exceeded."""

    status = 429
    code = "too_many_requests"


class CarrierError(ParcelError):
    """A carrier could not be reached or answered with a failure.

    `code` is a network code such as ``ETIMEDOUT`` or ``HTTP_502``; `http_status`
    is what the carrier answered, or None when no answer arrived.
    """

    status = 503

    def __init__(self, message: str, code: str, http_status: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.http_status = http_status


@dataclass(frozen=True)
class FailureEntry:
    """One row of the network error table: what it means and what to do."""

    meaning: str
    advice: str
    passing: bool


NETWORK_FAILURES = {
    "ECONNREFUSED": FailureEntry(
        "nothing is listening at the carrier's address",
        "check that the gateway is up and that [net.carriers] names the right port",
        passing=True,
    ),
    "ECONNRESET": FailureEntry(
        "the carrier closed the connection half way", "usually passes by itself", passing=True
    ),
    "ETIMEDOUT": FailureEntry(
        "the carrier did not answer in time", "raise connect_timeout or try later", passing=True
    ),
    "ENOTFOUND": FailureEntry(
        "the carrier's host name does not resolve",
        "check the spelling of the address",
        passing=False,
    ),
    "ECERT": FailureEntry(
        "the carrier's certificate was not accepted", "ask the carrier to renew it", passing=False
    ),
}


def describe_failure(code: str) -> str:
    """Explain a network error code in one sentence for people on call."""
    entry = NETWORK_FAILURES.get(code)
    if entry is None:
        return f"unknown failure {code}"
    return f"{entry.meaning}; {entry.advice}"


def to_problem(error: ParcelError) -> dict[str, object]:
    """Turn an error into the JSON body that the API answers with."""
    body: dict[str, object] = {"error": error.code, "message": error.message}
    if isinstance(error, CarrierError):
        body["explanation"] = describe_failure(error.code)
    if error.details:
        body["details"] = {key: str(value) for key, value in error.details.items()}
    return body
