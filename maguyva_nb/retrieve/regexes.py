"""Regular expressions, line by line: no match goes over a line end, ``^`` and ``$`` are those of a line."""

from __future__ import annotations

from collections.abc import Iterable

from maguyva_nb.errors import QueryError
from maguyva_nb.pattern import Requirements, compile_pattern, requirements
from maguyva_nb.retrieve.clock import Clock
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.exact import Finder, candidates, inside, ranked_matches
from maguyva_nb.types import Query, RankedList, Span

# Shorter limits than the clock of the matcher can tell apart stop what is fast, too.
LEAST_S = 0.01


def regex_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk with a line that matches; raises ``QueryError`` when time runs out."""
    text = query.regex or ""
    needs = requirements(text)
    ignore_case = query.ignore_case or needs.ignore_case
    found = candidates(corpus, needs.branches, ignore_case=ignore_case) if needs.branches else None
    ids = inside(corpus, range(corpus.size) if found is None else found, query.filters)
    find = _finder(corpus, query, needs)
    return ranked_matches(corpus, corpus.reader.texts(ids).items(), find, note=f"every match of /{text}/")


def _finder(corpus: Corpus, query: Query, needs: Requirements) -> Finder:
    """Tries a chunk as a whole before its lines where that is sure to lose nothing: one call instead of thirty."""
    pattern = compile_pattern(query.regex or "", ignore_case=query.ignore_case)
    clock = Clock(corpus.settings.search.timeout_s)

    def find(chunk_id: int, text: str) -> Iterable[Span]:
        try:
            if needs.local and pattern.search(text, timeout=_timeout(clock)) is None:
                return
            at = 0
            for line in text.removesuffix("\n").split("\n"):
                for match in pattern.finditer(line, timeout=_timeout(clock)):
                    yield at + match.start(), at + match.end()
                at += len(line) + 1
        except TimeoutError as error:
            raise _too_slow(corpus, query, chunk_id, clock) from error

    return find


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
