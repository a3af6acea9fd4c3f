"""Cutting a run of lines into balanced parts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

# How far from the balanced place a better border may lie, as a share of a part.
SLACK = 0.3


def split_lines(
    lines: Sequence[str], start: int, end: int, limit: int, borders: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Parts ``(first, last)`` of at most ``limit`` lines; ``borders`` are sorted lines where a part may start.

    Cuts at the least indented border near the balanced place, else at any border the limit allows, else after a
    blank line, else hard.
    """
    while end - start + 1 > limit:
        cut = _cut(lines, start, end, limit, borders)
        yield start, cut - 1
        start = cut
    if start <= end:
        yield start, end


def _cut(lines: Sequence[str], start: int, end: int, limit: int, borders: Sequence[int]) -> int:
    """The first line of the second part."""
    size = end - start + 1
    part = size / -(-size // limit)
    target = start + part
    last = min(start + limit, end)
    near = borders[bisect_left(borders, start + 1) : bisect_right(borders, last)]
    if near:
        best = [b for b in near if abs(b - target) <= SLACK * part]
        if best:
            return min(best, key=lambda b: (_indent(lines[b - 1]), abs(b - target), b))
        return min(near, key=lambda b: (abs(b - target), b))
    blanks = [n for n in range(start + max(1, limit // 2), last + 1) if not lines[n - 2].strip()]
    return min(blanks, key=lambda b: (abs(b - target), b)) if blanks else min(round(target), last)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
