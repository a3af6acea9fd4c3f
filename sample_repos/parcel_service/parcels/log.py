"""Logging helpers shared by every module of the service."""

from __future__ import annotations

import functools
import logging
import re
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_ROOT = "parcels"
_SECRET = re.compile(r"(password|token|signing_key)=([^\s,]+)", re.IGNORECASE)


class RedactingFilter(logging.Filter):
    """Blanks out passwords and tokens before a record is written."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = redact(record.getMessage())
        record.args = ()
        return True


def redact(text: str) -> str:
    """Replace the value of every secret in `text` by three stars."""
    return _SECRET.sub(lambda match: f"{match.group(1)}=***", text)


def get_logger(name: str) -> logging.Logger:
    """Return the logger for a module, below the service's root logger."""
    short = name.removeprefix(f"{_ROOT}.")
    logger = logging.getLogger(f"{_ROOT}.{short}")
    if not any(isinstance(one, RedactingFilter) for one in logger.filters):
        logger.addFilter(RedactingFilter())
    return logger


def configure_logging(level: str = "INFO") -> None:
    """Send the service's records to standard error at the given level."""
    root = logging.getLogger(_ROOT)
    root.setLevel(level.upper())
    if root.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    root.addHandler(handler)


def timed(function: F) -> F:
    """Decorator: log how long each call of the function took."""
    logger = get_logger(function.__module__)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            elapsed = (time.perf_counter() - started) * 1000
            logger.debug("%s took %.1f ms", function.__qualname__, elapsed)

    return wrapper  # type: ignore[return-value]
