"""Load time, chunks a second and microseconds a query of the bundled embedder, on one core.

``python tests/benchmarks/bench_embed.py [FOLDER]``: chunks are 25-line pieces of the Python files of a folder, this
package by default.
"""

from __future__ import annotations

import os

# One core: set before numpy starts its threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from maguyva_nb.embed.bundled import BundledEmbedder
from maguyva_nb.protocols import EmbedItem

LINES = 25
QUERIES = ("how are weights normalised", "where is the index file locked", "parse a quoted literal in a query")


def main() -> None:
    """Loads, embeds and asks, each timed with cold caches."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "maguyva_nb"
    items = [item for path in sorted(folder.rglob("*.py")) for item in pieces(path, folder)]
    start = time.perf_counter()
    embedder = BundledEmbedder()
    loaded = time.perf_counter()
    rows = embedder.embed_chunks(items)
    embedded = time.perf_counter()
    for query in QUERIES * 100:
        embedder.embed_query(query)
    asked = time.perf_counter()
    characters = sum(len(item.text) for item in items) / len(items)
    print(f"load            {(loaded - start) * 1e3:8.1f} ms")
    print(
        f"chunks          {len(items) / (embedded - loaded):8,.0f} /s   {len(items):,} of {characters:,.0f} characters"
    )
    print(f"query           {(asked - embedded) / (len(QUERIES) * 100) * 1e6:8.1f} us")
    print(f"zero rows       {int((~np.any(rows, axis=1)).sum()):8,}")


def pieces(path: Path, folder: Path) -> Iterator[EmbedItem]:
    """Windows of a file, named by the first definition inside."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for first in range(0, len(lines), LINES):
        text = "\n".join(lines[first : first + LINES])
        name = re.search(r"(?:def|class) (\w+)", text)
        comments = " ".join(re.findall(r'#.*|""".*?"""', text))
        yield EmbedItem(str(path.relative_to(folder)), name[1] if name else "", path.stem, "text", comments, text)


if __name__ == "__main__":
    main()
