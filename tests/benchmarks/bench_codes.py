"""Sign codes against the exact scan: recall of the first pass, and time a query.

``python tests/benchmarks/bench_codes.py INDEX [QUERIES.csv]``: the vectors of an index, asked with the column ``query``
of a CSV, or else with names of its own chunks. ``python tests/benchmarks/bench_codes.py``: random vectors
in clusters, where only the times mean anything.
"""

from __future__ import annotations

import os

# One core: set before numpy starts its threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import csv
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.protocols import Vectors
from maguyva_nb.retrieve.codes import SignCodes
from maguyva_nb.store.reader import IndexReader

DEPTH = 100
OVERSAMPLE = (2, 5, 10, 20)
ROWS, DIMENSIONS, CLUSTERS, ASKED = 200_000, 384, 2_000, 64


def main() -> None:
    """Prints a table for every model of the index."""
    if len(sys.argv) == 1:
        report("random", *clustered())
        return
    reader = IndexReader(Path(sys.argv[1]))
    questions = asked(Path(sys.argv[2])) if len(sys.argv) > 2 else sorted({n for n in reader.chunks.name if n})[::10]
    for key in sorted(reader.models):
        embedder = load_embedder(key.rpartition("@")[0])
        if embedder.info.key != key:
            print(f"{key}: the model here is {embedder.info.revision}")
            continue
        rows = [embedder.embed_query(question) for question in questions]
        report(key, reader.vectors(key)[1], np.array([row for row in rows if row.any()]))


def report(name: str, matrix: Vectors, queries: Vectors) -> None:
    """Recall of the exact top ``DEPTH`` among the candidates, and milliseconds, by candidates a hit."""
    codes = SignCodes(matrix)
    exact = [np.argsort(-(matrix @ query), kind="stable")[:DEPTH] for query in queries]
    scan = timed(lambda query: matrix @ query, queries)
    print(f"{name}: {matrix.shape[0]:,} rows of {matrix.shape[1]}, {len(queries)} queries; exact scan {scan:.2f} ms")
    for oversample in OVERSAMPLE:
        found = [codes.nearest(query, oversample * DEPTH) for query in queries]
        top10 = recall([rows[:10] for rows in exact], found)
        share = sum(map(len, found)) / len(found) / len(matrix)
        spent = timed(lambda query: matrix[codes.nearest(query, oversample * DEPTH)] @ query, queries)  # noqa: B023
        print(
            f"  {oversample:>3} x {DEPTH}: recall@10 {top10:.4f}, recall@{DEPTH} {recall(exact, found):.4f}"
            f", {share:.1%} of the rows, {spent:.2f} ms"
        )


def recall(wanted: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> float:
    """The mean share of wanted rows that were found."""
    return float(np.mean([np.isin(w, f).mean() for w, f in zip(wanted, found, strict=True)]))


def timed(run: Callable[[Vectors], object], queries: Vectors) -> float:
    """Milliseconds a query."""
    started = time.perf_counter()
    for query in queries:
        run(query)
    return (time.perf_counter() - started) / len(queries) * 1e3


def asked(path: Path) -> list[str]:
    """The questions of a query set."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [row["query"] for row in csv.DictReader(stream)]


def clustered() -> tuple[Vectors, Vectors]:
    """Rows around random centres, and queries near some of them."""
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(CLUSTERS, DIMENSIONS)).astype(np.float32)
    rows = centres[rng.integers(CLUSTERS, size=ROWS)] + rng.normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
    queries = centres[:ASKED] + rng.normal(size=(ASKED, DIMENSIONS)).astype(np.float32)
    return tuple(m / np.linalg.norm(m, axis=1, keepdims=True) for m in (rows, queries))  # type: ignore[return-value]


if __name__ == "__main__":
    main()
