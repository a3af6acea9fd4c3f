"""The time that one list may take."""

from __future__ import annotations

import time

# Of the limit, so that a list says itself why it stopped, before it is given up on.
SHARE = 0.8


class Clock:
    """Counts down from the moment it is made."""

    def __init__(self, limit: float) -> None:
        self.seconds = limit * SHARE
        self._deadline = time.monotonic() + self.seconds

    def left(self) -> float | None:
        """Seconds that remain; None when there are none."""
        remaining = self._deadline - time.monotonic()
        return remaining if remaining > 0 else None
