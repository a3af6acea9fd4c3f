"""Signed tokens: a JSON body and an HMAC over it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import asdict, dataclass
from enum import Enum

from parcels.config import load_settings
from parcels.errors import AuthError


class TokenKind(str, Enum):
    """What a token may be used for."""

    ACCESS = "access"
    REFRESH = "refresh"


@dataclass(frozen=True)
class Claims:
    """What a token says about its bearer."""

    subject: str
    role: str
    kind: str
    token_id: str
    expires_at: float


def issue_access_token(subject: str, role: str, now: float | None = None) -> str:
    """Make a short-lived token that is sent along with every request."""
    settings = load_settings().auth
    issued = time.time() if now is None else now
    claims = Claims(
        subject=subject,
        role=role,
        kind=TokenKind.ACCESS.value,
        token_id=secrets.token_hex(8),
        expires_at=issued + settings.access_lifetime,
    )
    return _sign(claims, settings.signing_key)


def issue_refresh_token(subject: str, role: str, now: float | None = None) -> str:
    """Make a long-lived token that can only be exchanged for a new access token."""
    settings = load_settings().auth
    issued = time.time() if now is None else now
    claims = Claims(
        subject=subject,
        role=role,
        kind=TokenKind.REFRESH.value,
        token_id=secrets.token_hex(8),
        expires_at=issued + settings.refresh_lifetime,
    )
    return _sign(claims, settings.signing_key)


def verify_token(
    token: str, kind: TokenKind = TokenKind.ACCESS, now: float | None = None
) -> Claims:
    """Check signature, purpose and age of a token and return what it says.

    Raises AuthError with a message that never tells an attacker which part of
    the signature was wrong.
    """
    body, _, signature = token.partition(".")
    expected = _signature(body, load_settings().auth.signing_key)
    if not signature or not hmac.compare_digest(signature, expected):
        raise AuthError("the token is not valid")
    claims = Claims(**json.loads(_unpack(body)))
    if claims.kind != kind.value:
        raise AuthError(f"this is not a token for {kind.value}")
    if claims.expires_at <= (time.time() if now is None else now):
        raise AuthError("the token has expired")
    return claims


def _sign(claims: Claims, key: str) -> str:
    body = _pack(json.dumps(asdict(claims), sort_keys=True).encode("utf-8"))
    return f"{body}.{_signature(body, key)}"


def _signature(body: str, key: str) -> str:
    digest = hmac.new(key.encode("utf-8"), body.encode("ascii", "ignore"), hashlib.sha256)
    return _pack(digest.digest())


def _pack(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _unpack(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
