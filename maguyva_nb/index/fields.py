"""Searchable units of chunks: terms, trigrams and token totals of their four fields, many chunks at a time.

Postings are packed into one ``uint64`` each, ``unit << 34 | chunk << 2 | field``, so that sorting, counting and
joining batches are single numpy calls; ``unit`` is a trigram or the position of a term in a vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from maguyva_nb.tokens import WORD, lower_bytes, terms_of
from maguyva_nb.types import FIELD_CODE, Field

Keys = NDArray[np.uint64]
Counts = NDArray[np.uint32]

UNIT_SHIFT = np.uint64(34)
DOC_MASK = np.uint64((1 << 34) - 1)
FIELD_BITS = np.uint64(2)
# Longer runs of word characters are encoded data, which nobody types; trigrams still find them.
MAX_WORD = 200
# Bytes whose trigrams are sorted at once: bounds memory at about forty times as much.
TRIGRAM_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class FieldText:
    """The four fields of one chunk."""

    name: str
    path: str
    doc: str
    body: str


@dataclass(frozen=True, slots=True)
class Postings:
    """Parallel arrays, sorted by key; see the module's text for the packing."""

    keys: Keys
    counts: Counts


NO_POSTINGS = Postings(np.empty(0, np.uint64), np.empty(0, np.uint32))


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """All that the chunks of one batch add to ``terms``, ``trigrams`` and ``lengths``; chunks are numbered from 0."""

    vocabulary: tuple[str, ...]
    terms: Postings
    trigrams: Postings
    length_keys: Keys
    lengths: Counts


def count_fields(chunks: Sequence[FieldText]) -> FieldCounts:
    """Counts the fields of a batch; a trigram of a comment is counted under ``body``, which includes it."""
    numbers = np.arange(len(chunks), dtype=np.uint64) << FIELD_BITS
    texts = {
        Field.NAME: [c.name for c in chunks],
        Field.PATH: [c.path for c in chunks],
        Field.DOC: [c.doc for c in chunks],
        Field.BODY: [c.body for c in chunks],
    }
    docs = np.concatenate([numbers | np.uint64(FIELD_CODE[f]) for f in texts])
    vocabulary, terms, totals = count_terms(list(chain.from_iterable(texts.values())), docs)
    grams = [f for f in texts if f is not Field.DOC]
    gram_docs = np.concatenate([numbers | np.uint64(FIELD_CODE[f]) for f in grams])
    trigrams = count_trigrams(list(chain.from_iterable(texts[f] for f in grams)), gram_docs)
    return FieldCounts(vocabulary, terms, trigrams, docs, totals)


def count_terms(texts: Sequence[str], docs: Keys) -> tuple[tuple[str, ...], Postings, Counts]:
    """``(vocabulary, postings, terms per text)`` of texts whose packed chunk and field are ``docs``."""
    known = {text: WORD.findall(text) for text in texts}  # the chunks of a file share its path
    found = [known[text] for text in texts]
    sizes = np.fromiter(map(len, found), np.int64, len(found))
    words = list(dict.fromkeys(chain.from_iterable(found)))
    number = dict(zip(words, range(len(words)), strict=True))
    word = np.fromiter(map(number.__getitem__, chain.from_iterable(found)), np.uint64, int(sizes.sum()))
    text = np.repeat(np.arange(len(texts), dtype=np.uint64), sizes)
    pairs, times = np.unique((text << np.uint64(32)) | word, return_counts=True)
    vocabulary, starts, members = _expand(words)
    at = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    sizes = starts[at + 1] - starts[at]
    slots = np.repeat(starts[at] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    owner = np.repeat((pairs >> np.uint64(32)).astype(np.int64), sizes)
    weight = np.repeat(times, sizes)
    totals = np.bincount(owner, weights=weight, minlength=len(texts)).astype(np.uint32)
    return vocabulary, add_up((members[slots] << UNIT_SHIFT) | docs[owner], weight), totals


def _expand(words: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64], Keys]:
    """Each word's terms as numbers: those of word ``i`` are ``members[starts[i]:starts[i + 1]]``."""
    per_word = [terms_of(word) if len(word) <= MAX_WORD else () for word in words]
    starts = np.concatenate([[0], np.cumsum(np.fromiter(map(len, per_word), np.int64, len(words)))]).astype(np.int64)
    vocabulary = tuple(dict.fromkeys(chain.from_iterable(per_word)))
    number = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
    members = np.fromiter(map(number.__getitem__, chain.from_iterable(per_word)), np.uint64, int(starts[-1]))
    return vocabulary, starts, members


def count_trigrams(texts: Sequence[str], docs: Keys) -> Postings:
    """Postings of the trigrams of texts whose packed chunk and field are ``docs``."""
    data = [lower_bytes(text) for text in texts]
    blocks: list[Postings] = []
    first = size = 0
    for position, one in enumerate(data):
        size += len(one)
        if size >= TRIGRAM_BLOCK or position == len(data) - 1:
            blocks.append(_block_trigrams(data[first : position + 1], docs[first : position + 1]))
            first, size = position + 1, 0
    return blocks[0] if len(blocks) == 1 else merge(blocks)


def _block_trigrams(data: Sequence[bytes], docs: Keys) -> Postings:
    every = np.frombuffer(b"".join(data), np.uint8).astype(np.uint64)
    if every.size < 3:
        return NO_POSTINGS
    owner = np.repeat(docs, np.fromiter(map(len, data), np.int64, len(data)))
    text = np.repeat(np.arange(len(data)), np.fromiter(map(len, data), np.int64, len(data)))
    packed = (every[:-2] << np.uint64(50)) | (every[1:-1] << np.uint64(42)) | (every[2:] << UNIT_SHIFT) | owner[:-2]
    keys, counts = np.unique(packed[text[:-2] == text[2:]], return_counts=True)
    return Postings(keys, counts.astype(np.uint32))


def merge(parts: Sequence[Postings]) -> Postings:
    """The postings of batches that share no key as one, sorted."""
    if not parts:
        return NO_POSTINGS
    keys = np.concatenate([p.keys for p in parts])
    order = np.argsort(keys, kind="stable")  # made for sorted runs, which batches are
    return Postings(keys[order], np.concatenate([p.counts for p in parts])[order])


def add_up(keys: Keys, counts: NDArray[np.integer]) -> Postings:
    """Sorts by key and adds the counts of equal keys."""
    if not keys.size:
        return NO_POSTINGS
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.concatenate([[True], keys[1:] != keys[:-1]])
    return Postings(keys[first], np.add.reduceat(counts, np.flatnonzero(first)).astype(np.uint32))


def shift_chunks(keys: Keys, first_chunk: int) -> Keys:
    """Keys of a batch with its chunks numbered from ``first_chunk``."""
    return keys + (np.uint64(first_chunk) << FIELD_BITS)


def unpack(keys: Keys) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8]]:
    """``(unit, chunk, field)`` of packed keys."""
    doc = keys & DOC_MASK
    return (
        (keys >> UNIT_SHIFT).astype(np.uint32),
        (doc >> FIELD_BITS).astype(np.uint32),
        (doc & np.uint64(3)).astype(np.uint8),
    )


def join_terms(parts: Iterable[tuple[Sequence[str], Postings]]) -> tuple[tuple[str, ...], Postings]:
    """Batches with a vocabulary each -> one sorted vocabulary and its postings, sorted by term, chunk, field."""
    batches = list(parts)
    vocabulary = tuple(sorted(set(chain.from_iterable(v for v, _ in batches))))
    number = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
    moved = []
    for words, postings in batches:
        to = np.fromiter(map(number.__getitem__, words), np.uint64, len(words))
        unit = (postings.keys >> UNIT_SHIFT).astype(np.int64)
        moved.append(Postings((to[unit] << UNIT_SHIFT) | (postings.keys & DOC_MASK), postings.counts))
    return vocabulary, merge(moved)
