"""Prints the microseconds a query takes to parse and classify, and the worst of some very long ones.

Run it by hand: ``python tests/benchmarks/bench_intent.py``.
"""

from __future__ import annotations

import statistics
import time

from maguyva_nb.intent import TABLES, classify
from maguyva_nb.query import parse_query

QUERIES = (
    "where is parseConfig defined",
    "qué se rompe si cambio load_settings",
    "encontrar la cadena ECONNREFUSED",
    "what other functions call the `get_user_by_id` function?",
    "parse_config",
    '"connection reset by peer"',
    "retry with exponential backoff and jitter",
    "Why does the session keep growing when a client reconnects many times, and which cache could be the reason?",
)
LONG = ("who calls " * 1_000, "what breaks if i change " * 416, "a " * 5_000, "`" * 10_000, "e\u0301" * 5_000)
REPEATS = 200


def microseconds(text: str, table: str, repeats: int) -> float:
    """The median time of one parse and one classification."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        classify(parse_query(text), table=table)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    """One row a query and table."""
    for table in TABLES:
        for text in QUERIES:
            print(f"{table:8} {microseconds(text, table, REPEATS):10.1f} us  {text[:60]}")
        for text in LONG:
            print(f"{table:8} {microseconds(text, table, 3):10.1f} us  {text[:20]!r}, {len(text):,} characters")


if __name__ == "__main__":
    main()
