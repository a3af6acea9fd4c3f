"""Regular expressions, line by line: no match goes over a line end, ``^`` and ``$`` are those of a line."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from maguyva_nb.errors import QueryError
from maguyva_nb.pattern import compile_line_bound, compile_pattern, requirements
from maguyva_nb.retrieve.clock import Clock
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.exact import Finder, candidates, inside, ranked_matches
from maguyva_nb.types import Query, RankedList, Span

# Shorter limits than the clock of the matcher can tell apart stop what is fast, too.
LEAST_S = 0.01


def regex_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk with a line that matches; raises ``QueryError`` when time runs out."""
    clock = Clock(corpus.settings.search.timeout_s)
    text = query.regex or ""
    needs = requirements(text)
    ignore_case = query.ignore_case or needs.ignore_case
    found = candidates(corpus, needs.branches, ignore_case=ignore_case) if needs.branches else None
    ids = inside(corpus, range(corpus.size) if found is None else found, query.filters)
    find = _finder(corpus, query, clock)
    return ranked_matches(corpus, corpus.reader.texts(ids).items(), find, note=f"every match of /{text}/")


def _finder(corpus: Corpus, query: Query, clock: Clock) -> Finder:
    """The first match of each line: by one pass over the text where that is sure to be the same, else line by line."""
    text = query.regex or ""
    whole = compile_line_bound(text, ignore_case=query.ignore_case)
    by_line = compile_pattern(text, ignore_case=query.ignore_case)

    def find(chunk_id: int, text: str) -> Iterable[Span]:
        try:
            text = text.removesuffix("\n")
            yield from _in_text(whole, text, clock) if whole else _in_lines(by_line, text, clock)
        except TimeoutError as error:
            raise _too_slow(corpus, query, chunk_id, clock) from error

    return find


def _in_text(pattern: regex.Pattern[str], text: str, clock: Clock) -> Iterable[Span]:
    reached = -1
    for match in pattern.finditer(text, timeout=_timeout(clock)):
        start = match.start()
        # The end of a last line that had its match is no line of its own.
        if not start == reached == len(text) or text.endswith("\n"):
            yield start, match.start(pattern.groups)
        reached = match.end()


def _in_lines(pattern: regex.Pattern[str], text: str, clock: Clock) -> Iterable[Span]:
    at = 0
    for line in text.split("\n"):
        if match := pattern.search(line, timeout=_timeout(clock)):
            yield at + match.start(), at + match.end()
        at += len(line) + 1


def _timeout(clock: Clock) -> float:
    left = clock.left()
    if left is None:
        raise TimeoutError
    return max(left, LEAST_S)


def _too_slow(corpus: Corpus, query: Query, chunk_id: int, clock: Clock) -> QueryError:
    place = f"{corpus.path(chunk_id)}:{corpus.reader.chunks.start_line[chunk_id]}"
    return QueryError(
        f"The regular expression /{query.regex}/ was stopped after {clock.seconds:g} s, in {place}.",
        next="Repeat less inside of what is repeated, as (a+)+ does, or search less with --path or --lang.",
    )
