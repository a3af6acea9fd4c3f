"""Which vectors of an index answer: those of its base model, or of a better one that was added later."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from maguyva_nb.config import Settings
from maguyva_nb.embed.registry import canonical_name, load_embedder
from maguyva_nb.errors import IndexOutdated
from maguyva_nb.index.upgrade import upgrade_index
from maguyva_nb.index.vectors import VectorCache
from maguyva_nb.protocols import Embedder
from maguyva_nb.retrieve.semantic import Model, Space
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.types import ProgressListener


def base_space(reader: IndexReader, embedder: Embedder | None = None) -> Space:
    """The vectors that the index was built with; raises ``IndexOutdated`` when they are of another model."""
    name, revision = reader.base_model
    embedder = embedder or load_embedder(name)
    if embedder.info.revision != revision:
        reader.close()
        raise IndexOutdated(
            f"The index {reader.path} has vectors of {name} {revision}, not {embedder.info.revision}.",
            next=f"Rebuild it with: maguyva-nb index {reader.meta.get('source_root', 'PATH')} --force",
        )
    return _space(reader, name, revision, lambda: embedder)


def better_space(reader: IndexReader, settings: Settings, name: str | None = None) -> Space | None:
    """The vectors of a model by name, of the one the index was last given without a name; None where it has none."""
    wanted = reader.model[0] if name is None else canonical_name(name)
    if wanted == reader.base_model[0]:
        return None
    revisions = [revision for found, _, revision in (key.rpartition("@") for key in reader.models) if found == wanted]
    if not revisions:
        return None
    revision = reader.model[1] if reader.model[0] == wanted else revisions[0]
    return _space(reader, wanted, revision, lambda: load_embedder(wanted, settings.embed))


def added_space(
    reader: IndexReader, embedder: Embedder, *, cache: VectorCache, progress: ProgressListener | None
) -> Space:
    """Adds the vectors of a model to the file of an index that stays open; chunks have the same ids in both."""
    info = upgrade_index(reader, embedder, cache=cache, progress=progress)
    fresh = IndexReader(reader.path)
    try:
        if fresh.meta.get("build") != reader.meta.get("build"):
            raise IndexOutdated(f"The index {reader.path} was built anew.", next="Open it again.")
        vectors = fresh.vectors(info.key)
    finally:
        fresh.close()
    return Space(Model(info.name, info.revision, lambda: embedder), lambda: vectors)


def _space(reader: IndexReader, name: str, revision: str, load: Callable[[], Embedder]) -> Space:
    model = Model(name, revision, load)
    return Space(model, partial(reader.vectors, model.key))
