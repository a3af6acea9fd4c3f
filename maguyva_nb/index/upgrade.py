"""Better vectors for an index that is in use: made beside it, kept as they come, swapped in when all are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from maguyva_nb.errors import StoreLocked
from maguyva_nb.index.vectors import VectorBuilder, VectorCache
from maguyva_nb.protocols import Embedder, EmbedItem, ModelInfo
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.store.writer import add_to_index
from maguyva_nb.types import Progress, ProgressListener, SymbolKind

STAGE = "embed"


def upgrade_index(
    reader: IndexReader, embedder: Embedder, *, cache: VectorCache, progress: ProgressListener | None = None
) -> ModelInfo:
    """Makes ``embedder`` the model that answers from the reader's index; only what is not cached is embedded.

    The file at the reader's path is replaced, the reader goes on with the old one. Raises ``ModelUnavailable``, and
    ``IndexOutdated`` when the index was built anew meanwhile; what was embedded stays in the cache either way.
    """
    info = embedder.info
    tables = {}
    if info.key not in reader.models:
        builder = VectorBuilder(embedder, step=_teller(progress), cache=_Lenient(cache))
        builder.add(list(stored_items(reader)))
        tables = builder.tables()
        info = embedder.info
    elif reader.model == (info.name, info.revision):
        return info
    meta = {"model": info.name, "model_revision": info.revision, "dimensions": str(info.dimensions)}
    add_to_index(reader.path, tables, meta, build=reader.meta.get("build", ""))
    return info


def stored_items(reader: IndexReader) -> Iterator[EmbedItem | None]:
    """What a transformer may use of each chunk, by chunk id; None for those that have no vector of the base either."""
    chunks, files, symbols = reader.chunks, reader.files, reader.symbols
    texts = reader.texts(range(len(chunks)))
    defined: list[list[int]] = [[] for _ in range(len(chunks))]
    for symbol_id, (chunk_id, kind) in enumerate(zip(symbols.chunk_id, symbols.kind, strict=True)):
        if kind != SymbolKind.MODULE:
            defined[chunk_id].append(symbol_id)
    with_vector = {
        int(row[0])
        for row in reader.rows("SELECT chunk_id FROM idx.chunk_vectors WHERE model = ?", ["@".join(reader.base_model)])
    }
    for chunk_id, inside in enumerate(defined):
        if chunk_id not in with_vector:
            yield None
            continue
        first = inside[0] if inside else None
        parent = None if first is None else symbols.parent_id[first]
        outer = "" if parent is None or symbols.kind[parent] == SymbolKind.MODULE else symbols.qualified_name[parent]
        yield EmbedItem(
            path=files.path[chunks.file_id[chunk_id]],
            name=" ".join(dict.fromkeys(symbols.name[i] for i in inside)) or chunks.name[chunk_id],
            parent=outer,
            kind=chunks.kind[chunk_id],
            doc=next((symbols.doc[i] for i in inside if symbols.doc[i]), ""),
            text=texts[chunk_id],
        )


class _Lenient:
    """A cache that is held by another process is one without vectors: the work is done again, never given up."""

    def __init__(self, cache: VectorCache) -> None:
        self._cache = cache

    def vectors(self, model: str, shas: Sequence[str]) -> dict[str, bytes]:
        """Those that are known and can be read."""
        try:
            return self._cache.vectors(model, shas)
        except StoreLocked:
            return {}

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Adds some, if it can."""
        try:
            self._cache.keep_vectors(model, vectors)
        except StoreLocked:
            return


def _teller(progress: ProgressListener | None) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress(Progress(STAGE, done, total))

    return tell
