"""From text to rows of a table: words first, WordPieces for words without a row."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from maguyva_nb.tokens import identifiers, split_identifier

# Marks a piece that goes on inside a word, as in the vocabulary of BERT.
INSIDE = "##"
# Distinct identifiers kept with their rows: most of a large codebase repeats, and that is the speed.
_CACHE = 200_000


def split_words(text: str) -> Iterator[str]:
    """Lower-case words of two or more characters, in order, identifiers split at ``_`` and camel case."""
    for identifier in _identifiers(text):
        yield from _words(identifier)


def _identifiers(text: str) -> list[str]:
    # Composed accents are letters; as combining marks they would cut a word in two.
    return identifiers(text if text.isascii() else unicodedata.normalize("NFC", text))


def _words(identifier: str) -> Iterator[str]:
    return (word for word in split_identifier(identifier) if len(word) > 1)


class WordRows:
    """Numbers of the rows of a table that stand for a text; one object serves many threads."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._rows = {word: row for row, word in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary), default=0)
        self._of_identifier = lru_cache(_CACHE)(self._rows_of_identifier)
        self.of_word = lru_cache(_CACHE)(self._rows_of_word)

    def of_text(self, text: str) -> list[int]:
        """Rows of all words of a text, in order, repeated as they occur."""
        rows: list[int] = []
        for found in map(self._of_identifier, _identifiers(text)):
            rows += found
        return rows

    def _rows_of_identifier(self, identifier: str) -> tuple[int, ...]:
        return tuple(row for word in _words(identifier) for row in self.of_word(word))

    def _rows_of_word(self, word: str) -> tuple[int, ...]:
        """The word's own row, else that of its form without accents, else those of its pieces."""
        plain = word if word in self._rows or word.isascii() else _without_accents(word)
        row = self._rows.get(plain)
        return (row,) if row is not None else tuple(self._pieces(plain))

    def _pieces(self, word: str) -> Iterator[int]:
        """Greedy WordPiece: always the longest piece that fits; characters without a piece are passed over."""
        start = 0
        while start < len(word):
            mark = INSIDE if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                row = self._rows.get(mark + word[start:end])
                if row is not None:
                    yield row
                    break
            else:
                end = start + 1
            start = end


def _without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).lower()
