"""Copied helper: draw a table with plain characters."""

from __future__ import annotations

from collections.abc import Sequence


def column_widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The widest cell of each column."""
    return [max(len(str(row[index])) for row in [header, *rows]) for index in range(len(header))]


def render_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """One line of the table, each cell padded to its column."""
    return " | ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))


def render_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The whole table as text."""
    widths = column_widths(header, rows)
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([render_row(header, widths), rule, *(render_row(row, widths) for row in rows)])
