"""The vectors of chunks: embedded in batches, each distinct text once, cached where the model is slow."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa

from maguyva_nb.protocols import Embedder, EmbedItem

# Items an embedder gets at once: large enough for numpy, small enough for progress to be seen. What a slow one has
# made since the last batch is lost when it is interrupted: a few seconds.
BATCH = 512
SLOW_BATCH = 64


class VectorCache(Protocol):
    """Keeps vectors (little-endian float32) between builds, by model and text hash."""

    def vectors(self, model: str, shas: Sequence[str]) -> dict[str, bytes]:
        """Those that are known."""

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Adds some."""


class VectorBuilder:
    """Takes chunks in the order of their ids, and embeds them as enough have come together.

    ``step(done, total)`` is told of distinct texts; chunks without an item or without a known word get no vector.
    """

    def __init__(
        self, embedder: Embedder, *, step: Callable[[int, int], None], cache: VectorCache | None = None
    ) -> None:
        self._embedder = embedder
        self._step = step
        self._cache = cache
        self._model = embedder.info.key
        self._batch = SLOW_BATCH if embedder.info.slow else BATCH
        self._chunks = 0
        self._placed: list[tuple[int, str]] = []
        self._waiting: dict[str, EmbedItem] = {}
        self._vectors: dict[str, bytes] = {}

    def add(self, items: Sequence[EmbedItem | None]) -> None:
        """The next chunks."""
        for number, item in enumerate(items, self._chunks):
            if item is not None:
                sha = item_sha(item)
                self._placed.append((number, sha))
                if sha not in self._vectors:
                    self._waiting[sha] = item
        self._chunks += len(items)

    def embed(self, *, rest: bool = False) -> None:
        """Embeds what fills whole batches, and the rest when asked."""
        total = len(self._vectors) + len(self._waiting)
        while len(self._waiting) >= (1 if rest else self._batch):
            shas = list(self._waiting)[: self._batch]
            self._some({sha: self._waiting.pop(sha) for sha in shas})
            self._step(len(self._vectors), total)

    def tables(self) -> dict[str, pa.Table]:
        """``embeddings`` and ``chunk_vectors`` of all chunks added."""
        self.embed(rest=True)
        rows = {sha: vector for sha, vector in sorted(self._vectors.items()) if any(vector)}
        placed = [(number, sha) for number, sha in self._placed if sha in rows]
        return {
            "embeddings": pa.table(
                {
                    "text_sha": pa.array(rows, pa.string()),
                    "model": pa.array([self._model] * len(rows), pa.string()),
                    "vector": pa.array(rows.values(), pa.binary()),
                }
            ),
            "chunk_vectors": pa.table(
                {
                    "chunk_id": pa.array([number for number, _ in placed], pa.uint32()),
                    "text_sha": pa.array([sha for _, sha in placed], pa.string()),
                    "model": pa.array([self._model] * len(placed), pa.string()),
                }
            ),
        }

    def _some(self, items: dict[str, EmbedItem]) -> None:
        known = self._cache.vectors(self._model, list(items)) if self._cache is not None else {}
        fresh = [sha for sha in items if sha not in known]
        if fresh:
            matrix = np.ascontiguousarray(self._embedder.embed_chunks([items[s] for s in fresh]), dtype="<f4")
            made = dict(zip(fresh, (row.tobytes() for row in matrix), strict=True))
            if self._cache is not None:
                self._cache.keep_vectors(self._model, made)
            known = {**known, **made}
        self._vectors.update(known)


def item_sha(item: EmbedItem) -> str:
    """The hash of all that an embedder may use of a chunk."""
    parts = (item.path, item.name, item.parent, item.kind, item.doc, item.text)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
