"""Requests, responses, and the table that maps one to the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from parcels.auth.session import Role
from parcels.errors import NotFoundError, ParcelError, ValidationError, to_problem
from parcels.log import get_logger

if TYPE_CHECKING:
    from parcels.api import Services

logger = get_logger(__name__)


@dataclass
class Request:
    """What a client asked for."""

    method: str
    path: str
    services: Services
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    query: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    remote: str = "local"
    user_id: str | None = None
    role: Role = Role.CLERK

    def json(self) -> dict[str, Any]:
        """The body as a JSON object."""
        try:
            data = json.loads(self.body or b"{}")
        except json.JSONDecodeError as problem:
            raise ValidationError("the body is not valid JSON") from problem
        if not isinstance(data, dict):
            raise ValidationError("the body should be a JSON object")
        return data


@dataclass
class Response:
    """What we answer."""

    status: int
    data: Any

    def encode(self) -> bytes:
        return json.dumps(self.data, default=str).encode("utf-8")


Handler = Callable[[Request], Response]
Middleware = Callable[[Handler], Handler]


@dataclass(frozen=True)
class Route:
    """One row of the routing table."""

    method: str
    pattern: str
    regex: re.Pattern[str]
    handler: Handler


class Router:
    """Finds the handler for a request and runs it inside the middlewares."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self._middlewares: list[Middleware] = []

    def use(self, middleware: Middleware) -> None:
        """Add a middleware; the first one added is the outermost."""
        self._middlewares.append(middleware)

    def add(self, method: str, pattern: str, handler: Handler) -> None:
        """Register a handler for a path pattern such as ``/orders/{order_id}``."""
        self.routes.append(Route(method, pattern, compile_pattern(pattern), handler))

    def get(self, pattern: str) -> Callable[[Handler], Handler]:
        """Decorator: register a handler for GET."""
        return self._register("GET", pattern)

    def post(self, pattern: str) -> Callable[[Handler], Handler]:
        """Decorator: register a handler for POST."""
        return self._register("POST", pattern)

    def _register(self, method: str, pattern: str) -> Callable[[Handler], Handler]:
        def decorate(handler: Handler) -> Handler:
            self.add(method, pattern, handler)
            return handler

        return decorate

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the matching route and the values of its path parameters."""
        other_methods = []
        for route in self.routes:
            match = route.regex.fullmatch(path)
            if match is None:
                continue
            if route.method == method:
                return route, match.groupdict()
            other_methods.append(route.method)
        if other_methods:
            raise ValidationError(
                f"{path} answers {', '.join(sorted(other_methods))}, not {method}"
            )
        raise NotFoundError(f"nothing lives at {path}")

    def handle(self, request: Request) -> Response:
        """Answer a request; errors of ours become JSON, others a plain 500."""

        def run(inner: Request) -> Response:
            route, inner.params = self.find(inner.method, inner.path)
            return route.handler(inner)

        chain: Handler = reduce(lambda inner, wrap: wrap(inner), reversed(self._middlewares), run)
        try:
            return chain(request)
        except ParcelError as problem:
            return Response(problem.status, to_problem(problem))
        except Exception:
            logger.exception("unexpected failure at %s %s", request.method, request.path)
            return Response(500, {"error": "internal", "message": "something went wrong"})


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Turn ``/orders/{order_id}`` into a regular expression with named groups."""
    parts = re.split(r"\{(\w+)\}", pattern)
    pieces = [
        f"(?P<{part}>[^/]+)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    ]
    return re.compile("".join(pieces))
