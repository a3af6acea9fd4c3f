"""Sign codes: one bit a dimension, compared by Hamming distance, to choose what is worth an exact look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.protocols import Vectors

_WORD_BITS = 64


class SignCodes:
    """The signs of the rows of a matrix, 32 times smaller than it."""

    def __init__(self, matrix: Vectors) -> None:
        # One row a word of 64 dimensions: adding up whole rows runs through memory in order, 8 times faster.
        self._words = np.ascontiguousarray(_pack(matrix).T)

    def nearest(self, vector: Vectors, count: int, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Numbers, rising, of the ``count`` rows with the most equal signs, all of those at the last distance included.

        Rows outside ``allowed`` are left out.
        """
        distances = np.zeros(self._words.shape[1], np.uint16)
        for word, asked in zip(self._words, _pack(vector[None, :])[0], strict=True):
            distances += np.bitwise_count(word ^ asked)
        rows = np.arange(distances.size) if allowed is None else np.flatnonzero(allowed)
        if rows.size > count:
            near = distances[rows]
            rows = rows[near <= np.partition(near, count - 1)[count - 1]]
        return rows.astype(np.int64)


def _pack(matrix: Vectors) -> NDArray[np.uint64]:
    """``(rows, words)``: signs as bits, padded with zeros to whole words."""
    bits = np.packbits(matrix > 0, axis=1)
    padding = -bits.shape[1] % (_WORD_BITS // 8)
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, padding)))).view(np.uint64)
