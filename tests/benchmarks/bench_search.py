"""How long searches take, stage by stage: ``python tests/benchmarks/bench_search.py FOLDER [QUERIES]``.

Queries come from the codebase itself: first sentences of documentation, names, and "who calls NAME".
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from maguyva_nb.engine import Explorer, SearchOptions, reweigh
from maguyva_nb.types import Modality, SearchTrace


def queries_of(explorer: Explorer, count: int) -> list[str]:
    """``count`` queries: half prose, a quarter names, a quarter relations; the same every time."""
    rng = random.Random(11)
    symbols = explorer.reader.symbols
    docs = sorted({doc.split(".")[0].strip() for doc in symbols.doc if 20 < len(doc.split(".")[0]) < 120})
    names = sorted(
        {name for name, kind in zip(symbols.name, symbols.kind, strict=True) if kind in ("function", "method")}
    )
    prose = rng.sample(docs, min(count // 2, len(docs)))
    some = rng.sample(names, min(count - len(prose), len(names)))
    return [*prose, *some[::2], *(f"who calls {name}" for name in some[1::2])]


def report(name: str, values: list[float]) -> None:
    p50, p95 = np.percentile(values, [50, 95])
    print(f"  {name:<12} p50 {p50:7.2f} ms   p95 {p95:7.2f} ms   n {len(values)}")


def main(folder: str, count: int = 100) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        db = Path(scratch) / "index.duckdb"
        Explorer.index(folder, db=db)
        opened = time.perf_counter()
        explorer = Explorer.open(folder, db=db)
        first = explorer.search("the first query of all", SearchOptions(preset="thorough", k=60))
        print(f"{folder}: {explorer.summary()}")
        print(f"  open and first search {time.perf_counter() - opened:.2f} s, {len(first.results)} results")
        queries = queries_of(explorer, count)
        traces = [explorer.search(q, SearchOptions(preset="thorough", k=60)) for q in queries]
        times: dict[str, list[float]] = {}
        for trace in traces:
            for stage, value in trace.timings_ms.items():
                times.setdefault(stage, []).append(value)
        for stage in (*map(str, Modality), "classify", "fuse", "total"):
            report(stage, times[stage])
        report("reweigh", [timed_reweigh(trace) for trace in traces])
        explorer.close()


def timed_reweigh(trace: SearchTrace) -> float:
    started = time.perf_counter()
    reweigh(trace, weights={Modality.SEMANTIC: 0.3, Modality.TEXT: 0.3, Modality.STRUCTURAL: 0.2, Modality.GRAPH: 0.2})
    return (time.perf_counter() - started) * 1e3


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
