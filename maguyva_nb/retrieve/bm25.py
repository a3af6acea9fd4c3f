"""BM25 over weighted fields (BM25F: Robertson, Zaragoza and Taylor, CIKM 2004), on postings as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.store.columns import Postings

Floats = NDArray[np.float64]


def idf_of(chunks: int, document_frequency: int) -> float:
    """``ln(1 + (N - df + .5) / (df + .5))``: positive for every frequency."""
    return float(np.log1p((chunks - document_frequency + 0.5) / (document_frequency + 0.5)))


def field_norms(lengths: Floats, b: float) -> Floats:
    """``(chunks, fields)``: ``1 - b + b * length / mean length``; a field without tokens anywhere gives 1."""
    mean = lengths.mean(axis=0, keepdims=True) if len(lengths) else np.ones((1, lengths.shape[1]))
    norms: Floats = 1.0 - b + b * lengths / np.where(mean > 0, mean, 1.0)
    return np.maximum(norms, 1e-9)


def pseudo_frequencies(postings: Postings, norms: Floats, weights: Floats) -> tuple[NDArray[np.int64], Floats]:
    """``(chunk ids, weighted and length-normalised frequency)`` of one term, one entry a chunk."""
    value = weights[postings.field] * postings.count / norms[postings.chunk_id, postings.field]
    chunk_ids, place = np.unique(postings.chunk_id, return_inverse=True)
    summed: Floats = np.bincount(place, value, minlength=chunk_ids.size).astype(np.float64)
    return chunk_ids, summed


def bm25f(
    postings: Iterable[Postings],
    norms: Floats,
    weights: Floats,
    *,
    k1: float,
    shares: Mapping[int, float] | None = None,
) -> Floats:
    """``(chunks,)``: ``sum over terms of idf * tf / (k1 + tf)``; ``shares`` scales single terms by position."""
    scores = np.zeros(len(norms))
    for place, one in enumerate(postings):
        if not one.chunk_id.size:
            continue
        chunk_ids, tf = pseudo_frequencies(one, norms, weights)
        share = 1.0 if shares is None else shares.get(place, 1.0)
        scores[chunk_ids] += share * idf_of(len(norms), chunk_ids.size) * tf / (k1 + tf)
    return scores
