"""Exact matches: a literal or a regular expression, verified on the text, every true occurrence found."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.tokens import lower_bytes, trigrams
from maguyva_nb.types import FIELD_CODE, Field, Modality, Query, RankedHit, RankedList, Span

BODY = FIELD_CODE[Field.BODY]
Finder = Callable[[str], Iterable[Span]]


def literal_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk that holds the literal, as ``grep -F`` finds it: whole words and definitions first."""
    literal = query.literal or ""
    pattern = re.compile(re.escape(literal), re.IGNORECASE if query.ignore_case else 0)

    def find(line: str) -> Iterable[Span]:
        return (match.span() for match in pattern.finditer(line))

    return _matches(corpus, candidates(corpus, literal), find, note=f"every match of {literal!r}")


def regex_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk with a line that matches the regular expression; gives up after ``search.timeout_s``."""
    pattern = regex.compile(query.regex or "", regex.IGNORECASE if query.ignore_case else 0)
    deadline = time.monotonic() + corpus.settings.search.timeout_s

    def find(line: str) -> Iterable[Span]:
        left = max(deadline - time.monotonic(), 0.001)
        return (match.span() for match in pattern.finditer(line, timeout=left))

    return _matches(corpus, range(corpus.size), find, note=f"every match of /{query.regex}/")


def candidates(corpus: Corpus, literal: str) -> Sequence[int]:
    """Chunks whose text holds all trigrams of a literal; all chunks when it is too short to have one.

    Trigrams with a non-ASCII byte are left out, since lowering reaches ASCII only.
    """
    keys = [t for t in np.unique(trigrams(lower_bytes(literal))).tolist() if _ascii(t)]
    if not keys:
        return range(corpus.size)
    found: NDArray[np.int64] | None = None
    for postings in corpus.reader.trigram_postings(keys).values():
        here = postings.chunk_id[postings.field == BODY]
        found = here if found is None else np.intersect1d(found, here, assume_unique=True)
        if not found.size:
            break
    return [] if found is None else found.tolist()


def _ascii(trigram: int) -> bool:
    return not trigram & 0x808080


def _matches(corpus: Corpus, chunk_ids: Sequence[int], find: Finder, *, note: str) -> RankedList:
    scored = [
        RankedHit(chunk_id, score)
        for chunk_id, text in corpus.reader.texts(chunk_ids).items()
        if (score := _score(text, corpus.reader.chunks.name[chunk_id], find)) > 0
    ]
    scored.sort(key=lambda hit: (-hit.score, int(corpus.place_order[hit.chunk_id])))
    return RankedList(Modality.TEXT, tuple(scored), note=note)


def _score(text: str, name: str, find: Finder) -> float:
    """1 for a match, more for one that is a whole word, for several, and for one in the chunk's name."""
    spans = [(line, span) for line in text.split("\n") for span in find(line)]
    if not spans:
        return 0.0
    whole = any(_stands_alone(line, *span) for line, span in spans)
    named = any(True for _ in find(name))
    return 1.0 + whole + 0.5 * named + 0.4 * (1.0 - 1.0 / len(spans))


def _stands_alone(line: str, start: int, end: int) -> bool:
    before, after = line[max(start - 1, 0) : start], line[end : end + 1]
    return not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_")
