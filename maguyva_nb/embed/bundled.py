"""The embedder in the package: a static table of words, composed by field; no network, no model to run."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.embed.words import WordRows, split_words
from maguyva_nb.errors import ModelUnavailable
from maguyva_nb.protocols import EmbedItem, ModelInfo, Vectors

# Share of each field in a chunk's vector; the optimum is flat (path .7-1, name 1-1.5, comments 0-.5).
PATH_SHARE = np.float32(0.7)
NAME_SHARE = np.float32(1.0)
COMMENT_SHARE = np.float32(0.3)
ALL_SHARE = np.float32(1.0)
# Paths and enclosing symbols repeat from chunk to chunk.
_PATH_CACHE = 4096
_REVISION_DIGITS = 12


class BundledEmbedder:
    """Unit vectors out of sums of table rows: ``unit(bag) = unit(sum of weight * row)`` for each field.

    ``chunk = unit(.7 unit(path) + unit(parent and name) + .3 unit(comments) + unit(all words))``, the last two
    weighted by the square root of the number of occurrences; ``query = unit(sum of weigh(word) * row)``.
    A vector depends on its own item alone, never on the batch.
    """

    def __init__(self, table: Traversable | None = None) -> None:
        path = table or files("maguyva_nb.embed") / "data" / "table.npz"
        try:
            data = path.read_bytes()
            words, self._rows, self._scales = _read_table(data)
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            what = f"The table of the bundled embedder, {path}, cannot be read: {error}."
            raise ModelUnavailable(what, next="Install maguyva-nb again.") from error
        self._words = WordRows(words)
        revision = hashlib.sha256(data).hexdigest()[:_REVISION_DIGITS]
        self._info = ModelInfo("bundled", revision, self._rows.shape[1])
        self._path = lru_cache(_PATH_CACHE)(self._plain)

    @property
    def info(self) -> ModelInfo:
        """``bundled``, and the hash of the table as its revision."""
        return self._info

    def embed_chunks(self, items: Sequence[EmbedItem]) -> Vectors:
        """``(len(items), dimensions)`` float32 rows of unit length; a zero row has no words."""
        out = np.zeros((len(items), self._info.dimensions), np.float32)
        for place, item in enumerate(items):
            out[place] = self._chunk(item)
        return out

    def embed_query(self, text: str, *, weigh: Callable[[str], float] | None = None) -> Vectors:
        """``(dimensions,)`` float32 of unit length, or zero without a known word; ``weigh`` weights its words."""
        rows: list[int] = []
        weights: list[float] = []
        for word in split_words(text):
            found = self._words.of_word(word)
            rows += found
            weights += [1.0 if weigh is None else weigh(word)] * len(found)
        return self._unit_bag(rows, np.array(weights, np.float32))

    def _chunk(self, item: EmbedItem) -> Vectors:
        vector = ALL_SHARE * self._counted(item.text)
        vector += PATH_SHARE * self._path(item.path)
        vector += NAME_SHARE * self._plain(f"{item.parent} {item.name}")
        if item.doc:
            vector += COMMENT_SHARE * self._counted(item.doc)
        return _unit(vector)

    def _plain(self, text: str) -> Vectors:
        rows = self._words.of_text(text)
        return self._unit_bag(rows, np.ones(len(rows), np.float32))

    def _counted(self, text: str) -> Vectors:
        counts = Counter(self._words.of_text(text))
        return self._unit_bag(counts.keys(), np.sqrt(np.fromiter(counts.values(), np.float32, len(counts))))

    def _unit_bag(self, rows: Collection[int], weights: Vectors) -> Vectors:
        if not rows:
            return np.zeros(self._info.dimensions, np.float32)
        places = np.fromiter(rows, np.intp, len(rows))
        return _unit((weights * self._scales[places]) @ self._rows[places].astype(np.float32))


def _unit(vector: Vectors) -> Vectors:
    length = np.sqrt(vector @ vector)
    return vector / length if length > 0 else vector


def _read_table(data: bytes) -> tuple[list[str], NDArray[np.int8], Vectors]:
    """Words, int8 rows and one scale a row; a row's vector is ``row * scale``."""
    with np.load(io.BytesIO(data), allow_pickle=False) as table:
        words = table["words"].tobytes().decode("ascii").split("\n")
        rows, scales = table["rows"], table["scales"].astype(np.float32)
    if rows.shape[0] != len(words) or scales.shape != (len(words),):
        raise ValueError(f"{len(words)} words, {rows.shape[0]} rows and {scales.size} scales do not fit")
    return words, rows, scales
