"""Literals, verified on the text: every true occurrence is found, as by ``grep -F``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.exact import candidates, in_order, inside, joined, ranked_matches, several
from maguyva_nb.types import Query, RankedHit, RankedList, Span

_DOTLESS = re.compile("[iIı]")


def literal_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk that holds the literal; a literal of several lines may reach over several chunks."""
    literal = query.literal or ""
    note = f"every match of {literal!r}"
    if "\n" in literal:
        return in_order(corpus, _across_lines(corpus, query, literal), note=note)
    pattern = re.compile(_source(query, literal))
    return ranked_matches(corpus, _texts(corpus, query, literal), lambda _, text: _spans(pattern, text), note=note)


def _source(query: Query, literal: str) -> str:
    """Case as Unicode folds it one to one; a dotted capital I stands for itself, as to grep."""
    if not query.ignore_case:
        return re.escape(literal)
    dotless = _DOTLESS.sub("(?-i:[iIı])", re.escape(literal))
    return f"(?i:{dotless.replace('İ', '(?-i:İ)')})"


def _spans(pattern: re.Pattern[str], text: str) -> Iterable[Span]:
    return (match.span() for match in pattern.finditer(text))


def _texts(corpus: Corpus, query: Query, literal: str) -> Iterable[tuple[int, str]]:
    """The chunks that may hold a literal of one line; a short one is looked for in every text."""
    found = candidates(corpus, [[literal]], ignore_case=query.ignore_case)
    mask = corpus.mask(query.filters)
    if found is not None:
        return corpus.reader.texts(inside(corpus, found, query.filters)).items()
    every = corpus.reader.texts_holding("" if query.ignore_case else literal)
    return every.items() if mask is None else ((i, text) for i, text in every.items() if mask[i])


def _across_lines(corpus: Corpus, query: Query, literal: str) -> list[RankedHit]:
    """Each match is a hit of every chunk it touches."""
    chunks, mask = corpus.reader.chunks, corpus.mask(query.filters)
    longest = max(literal.split("\n"), key=len)
    found = candidates(corpus, [[longest]], ignore_case=query.ignore_case)
    files = sorted({chunks.file_id[i] for i in (range(corpus.size) if found is None else found)})
    # Looks ahead, so that matches may overlap: the end of one can be the start of the next.
    pattern = re.compile(f"(?=({_source(query, literal)}))")
    touched: list[tuple[int, Span]] = []
    for file_id, text in corpus.reader.file_texts(files).items():
        for first, last in _line_ranges(text, (match.span(1) for match in pattern.finditer(text))):
            touched += [(i, (first, last)) for i in corpus.chunks_between(file_id, first, last)]
    touched.sort()
    hits = []
    for chunk_id, group in groupby(touched, key=lambda one: one[0]):
        if mask is None or mask[chunk_id]:
            start, end = chunks.start_line[chunk_id], chunks.end_line[chunk_id]
            lines = [(max(first, start), min(last, end)) for _, (first, last) in group]
            hits.append(RankedHit(chunk_id, 1.0 + several(len(lines)), lines=joined(lines)))
    return hits


def _line_ranges(text: str, spans: Iterable[Span]) -> Iterable[Span]:
    line, at = 1, 0
    for start, end in spans:
        line += text.count("\n", at, start)
        at = start
        yield line, line + text.count("\n", start, end - 1)
