"""What a Spanish query becomes for code written in English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Translation:
    """The words that are searched for a term of the query; none for one that says nothing about code.

    ``span`` is where ``word`` stands in the raw query. ``kept`` when the term itself is searched too.
    """

    span: tuple[int, int]
    word: str
    english: tuple[str, ...]
    kept: bool = False


def translated(raw: str, terms: tuple[Translation, ...]) -> str:
    """The raw text with each term replaced by what is searched for it; ``terms`` in order of place."""
    if not terms:
        return raw  # to the byte
    parts: list[str] = []
    at = 0
    for term in terms:
        parts += [raw[at : term.span[0]], *([term.word] if term.kept else []), *term.english]
        at = term.span[1]
    return " ".join(" ".join([*parts, raw[at:]]).split())
