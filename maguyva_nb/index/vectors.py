"""The vectors of chunks: embedded in batches, each distinct text once, cached where the model is slow."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa

from maguyva_nb.protocols import Embedder, EmbedItem

# Items an embedder gets at once: large enough for numpy, small enough for progress to be seen.
BATCH = 512


class VectorCache(Protocol):
    """Keeps vectors (little-endian float32) between builds, by model and text hash."""

    def vectors(self, model: str, shas: Sequence[str]) -> dict[str, bytes]:
        """Those that are known."""

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Adds some."""


def item_sha(item: EmbedItem) -> str:
    """The hash of all that an embedder may use of a chunk."""
    parts = (item.path, item.name, item.parent, item.kind, item.doc, item.text)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def vector_tables(
    items: Sequence[EmbedItem | None],
    embedder: Embedder,
    *,
    step: Callable[[int, int], None],
    cache: VectorCache | None = None,
) -> dict[str, pa.Table]:
    """``embeddings`` and ``chunk_vectors`` of chunks by id; chunks without an item or without words have none."""
    shas = {number: item_sha(item) for number, item in enumerate(items) if item is not None}
    distinct: dict[str, EmbedItem] = {}
    for number, sha in shas.items():
        item = items[number]
        if item is not None:
            distinct.setdefault(sha, item)
    model = model_key(embedder)
    known = cache.vectors(model, list(distinct)) if cache is not None else {}
    fresh = _embed({sha: item for sha, item in distinct.items() if sha not in known}, embedder, step)
    if cache is not None and fresh:
        cache.keep_vectors(model, fresh)
    found = {sha: known.get(sha) or fresh[sha] for sha in distinct}
    rows = {sha: blob for sha, blob in sorted(found.items()) if any(blob)}
    placed = [(number, sha) for number, sha in shas.items() if sha in rows]
    return {
        "embeddings": pa.table(
            {
                "text_sha": pa.array(rows, pa.string()),
                "model": pa.array([model] * len(rows), pa.string()),
                "vector": pa.array(rows.values(), pa.binary()),
            }
        ),
        "chunk_vectors": pa.table(
            {
                "chunk_id": pa.array([number for number, _ in placed], pa.uint32()),
                "text_sha": pa.array([sha for _, sha in placed], pa.string()),
                "model": pa.array([model] * len(placed), pa.string()),
            }
        ),
    }


def model_key(embedder: Embedder) -> str:
    """What names a space of vectors: the model and its revision."""
    return f"{embedder.info.name}@{embedder.info.revision}"


def _embed(items: Mapping[str, EmbedItem], embedder: Embedder, step: Callable[[int, int], None]) -> dict[str, bytes]:
    shas = list(items)
    out: dict[str, bytes] = {}
    for first in range(0, len(shas), BATCH):
        some = shas[first : first + BATCH]
        matrix = np.ascontiguousarray(embedder.embed_chunks([items[sha] for sha in some]), dtype="<f4")
        out.update(zip(some, (row.tobytes() for row in matrix), strict=True))
        step(len(out), len(shas))
    return out
