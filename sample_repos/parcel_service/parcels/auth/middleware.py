"""Wrappers around handlers: who is calling, may they, and how often."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from parcels.errors import AuthError, ForbiddenError, TooManyRequestsError
from parcels.log import get_logger

from .session import Role
from .tokens import verify_token as check_bearer

if TYPE_CHECKING:
    from parcels.api.router import Request, Response
    from parcels.net.ratelimit import LimiterRegistry

    Handler = Callable[[Request], Response]

logger = get_logger(__name__)


def authenticate_request(request: Request) -> None:
    """Find out who is calling from the Authorization header and note it on the request."""
    header = request.headers.get("authorization", "")
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise AuthError("sign in first")
    claims = check_bearer(token)
    if request.services.sessions.find(claims.token_id) is None:
        raise AuthError("this session was closed")
    request.user_id = claims.subject
    request.role = Role(claims.role)


def require_user(handler: Handler) -> Handler:
    """Decorator: let only signed-in users through."""

    @functools.wraps(handler)
    def guarded(request: Request) -> Response:
        authenticate_request(request)
        return handler(request)

    return guarded


def require_role(role: Role) -> Callable[[Handler], Handler]:
    """Decorator factory: let only users through whose role includes `role`."""

    def decorate(handler: Handler) -> Handler:
        @functools.wraps(handler)
        def guarded(request: Request) -> Response:
            authenticate_request(request)
            if not request.role.includes(role):
                raise ForbiddenError(f"only a {role.value} may do this")
            return handler(request)

        return guarded

    return decorate


def log_requests(handler: Handler) -> Handler:
    """Middleware: write one line for each request with its status and duration."""

    def logged(request: Request) -> Response:
        started = time.perf_counter()
        response = handler(request)
        elapsed = (time.perf_counter() - started) * 1000
        logger.info(
            "%s %s -> %d in %.1f ms", request.method, request.path, response.status, elapsed
        )
        return response

    return logged


def throttle(limiters: LimiterRegistry) -> Callable[[Handler], Handler]:
    """Middleware factory: refuse callers that exceed their share of requests."""

    def wrap(handler: Handler) -> Handler:
        def limited(request: Request) -> Response:
            if not limiters.for_caller(request.remote).allow():
                raise TooManyRequestsError("slow down", caller=request.remote)
            return handler(request)

        return limited

    return wrap
