"""Cue phrases: the data of ``rules.toml``, folded and indexed by first word."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

# Relation families, in the order in which a tie between them is settled.
RELATIONS = ("call", "use", "import", "raise", "create", "inherit", "write", "cover")
_LANGUAGES = ("any", "en", "es")  # these keys of a family are merged: a query may mix languages

Phrase = tuple[str, ...]


@lru_cache(20_000)
def fold(word: str) -> str:
    """Lower case without accents: ``¿Cómo`` and ``como`` are one cue."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower().replace("’", "'"))
    return "".join(c for c in parts if not unicodedata.combining(c))


@dataclass(frozen=True, slots=True)
class Cues:
    """Phrases by their first word, longest first, each with its families; and the plain word sets."""

    phrases: Mapping[str, Sequence[tuple[Phrase, tuple[str, ...]]]]
    words: Mapping[str, frozenset[str]]
    article: Mapping[str, tuple[str, ...]]
    accented: frozenset[str]


@cache
def load_cues() -> Cues:
    """The cues of ``rules.toml``, read once."""
    text = resources.files("maguyva_nb").joinpath("rules.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    article = {name: tuple(phrases) for name, phrases in table.pop("article").items()}
    accented = frozenset(table.pop("accented")["es"])
    families: dict[Phrase, dict[str, None]] = {}
    words: dict[str, set[str]] = {}
    for name, phrase in _entries(table):
        families.setdefault(phrase, {})[name] = None
        words.setdefault(name, set()).add(" ".join(phrase))
    return Cues(_by_first_word(families), {k: frozenset(v) for k, v in words.items()}, article, accented)


def _entries(table: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[tuple[str, Phrase]]:
    for family, lists in table.items():
        for key, phrases in lists.items():
            name = family if key in _LANGUAGES else f"{family}.{key}"
            for phrase in phrases:
                yield name, tuple(fold(phrase).split())


def _by_first_word(families: Mapping[Phrase, Mapping[str, None]]) -> dict[str, list[tuple[Phrase, tuple[str, ...]]]]:
    index: dict[str, list[tuple[Phrase, tuple[str, ...]]]] = {}
    for phrase in sorted(families, key=lambda p: (-len(p), p)):
        index.setdefault(phrase[0], []).append((phrase, tuple(families[phrase])))
    return index
