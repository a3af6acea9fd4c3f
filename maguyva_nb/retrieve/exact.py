"""What literals and regular expressions share: candidate chunks by trigram, and hits from the places that match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.tokens import lower_bytes, trigrams
from maguyva_nb.types import FIELD_CODE, Field, Filters, Modality, RankedHit, RankedList, Span

BODY = FIELD_CODE[Field.BODY]
# What the odd-cased characters of a corpus are in lower case.
ODD_LETTERS = frozenset(b"ski")
# Finds the spans that match in the text of one chunk, in order.
Finder = Callable[[int, str], Iterable[Span]]


def candidates(corpus: Corpus, branches: Iterable[Iterable[str]], *, ignore_case: bool) -> Sequence[int] | None:
    """Chunks that hold all trigrams of all texts of a branch; None when a branch has no trigram to go by.

    Trigrams are of lowered ASCII, so that case is no matter. Without case, those with a non-ASCII byte are left out,
    and a chunk with a non-ASCII character that is an ASCII letter in another case need not hold those with that letter.
    """
    found: set[int] = set()
    for branch in branches:
        keys = {key for text in branch for key in trigrams(lower_bytes(text)).tolist()}
        if ignore_case:
            keys = {key for key in keys if not key & 0x808080}
        if not keys:
            return None
        found.update(_holding(corpus, sorted(keys)))
        if ignore_case:
            sure = sorted(key for key in keys if not ODD_LETTERS.intersection(key.to_bytes(3, "big")))
            found.update(corpus.odd_cased.intersection(_holding(corpus, sure)) if sure else corpus.odd_cased)
    return sorted(found)


def inside(corpus: Corpus, chunk_ids: Sequence[int], filters: Filters) -> Sequence[int]:
    """The chunks that pass the filters."""
    mask = corpus.mask(filters)
    return chunk_ids if mask is None else [i for i in chunk_ids if mask[i]]


def ranked_matches(corpus: Corpus, texts: Iterable[tuple[int, str]], find: Finder, *, note: str) -> RankedList:
    """Every chunk with a match: whole words and definitions first, then several matches; equals by place."""
    hits = [hit for chunk_id, text in texts if (hit := _hit(corpus, chunk_id, text, find)) is not None]
    return in_order(corpus, hits, note=note)


def in_order(corpus: Corpus, hits: list[RankedHit], *, note: str, modality: Modality = Modality.TEXT) -> RankedList:
    """All hits by score, then place."""
    hits.sort(key=lambda hit: (-hit.score, int(corpus.place_order[hit.chunk_id])))
    return RankedList(modality, tuple(hits), note=note)


def joined(lines: Iterable[Span]) -> tuple[Span, ...]:
    """Ranges in order, those that touch as one."""
    found: list[Span] = []
    for first, last in lines:
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def several(count: int) -> float:
    """0 for one match, towards 0.4 for many."""
    return 0.4 * (1.0 - 1.0 / count)


def _holding(corpus: Corpus, keys: Sequence[int]) -> Sequence[int]:
    postings = sorted(corpus.reader.trigram_postings(keys).values(), key=lambda one: one.chunk_id.size)
    found = postings[0].chunk_id[postings[0].field == BODY]
    for one in postings[1:]:
        if not found.size:
            break
        found = np.intersect1d(found, one.chunk_id[one.field == BODY], assume_unique=True)
    ids: list[int] = found.tolist()
    return ids


def _hit(corpus: Corpus, chunk_id: int, text: str, find: Finder) -> RankedHit | None:
    """1 for a match, more for one that is a whole word, for several, and for one in the chunk's name."""
    spans = list(find(chunk_id, text))
    if not spans:
        return None
    whole = any(_stands_alone(text, *span) for span in spans)
    named = any(True for _ in find(chunk_id, corpus.reader.chunks.name[chunk_id]))
    lines = joined(_lines(text, spans, corpus.reader.chunks.start_line[chunk_id]))
    return RankedHit(chunk_id, 1.0 + whole + 0.5 * named + several(len(spans)), lines=lines)


def _lines(text: str, spans: Iterable[Span], line: int) -> Iterable[Span]:
    at = 0
    for start, _ in spans:
        line += text.count("\n", at, start)
        at = start
        yield line, line


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    return not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_")
