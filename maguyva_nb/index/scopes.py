"""Which span encloses a byte: nested spans flattened once, then found by bisection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

Nested = tuple[int, int, int]
_OUTERMOST = 1 << 62


class Scopes:
    """Innermost of nested ``(start, end, value)`` spans; ``outside`` is the value where none is.

    Spans come ordered by ``(start, -end)``; one that outlives the span it starts in is cut to it.
    """

    __slots__ = ("_bounds", "_values")

    def __init__(self, spans: Iterable[Nested], outside: int) -> None:
        self._bounds = [0]
        self._values = [outside]
        stack = [(_OUTERMOST, outside)]
        for start, end, value in spans:
            self._close(stack, start)
            self._add(start, value)
            stack.append((min(end, stack[-1][0]), value))
        self._close(stack, _OUTERMOST - 1)

    def at(self, offset: int) -> int:
        """The value of the innermost span around a byte."""
        return self._values[bisect_right(self._bounds, offset) - 1]

    def _close(self, stack: list[tuple[int, int]], start: int) -> None:
        while stack[-1][0] <= start:
            end = stack.pop()[0]
            self._add(end, stack[-1][1])

    def _add(self, bound: int, value: int) -> None:
        self._bounds.append(bound)
        self._values.append(value)
