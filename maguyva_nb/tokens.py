"""Words, stems and trigrams: the one way text becomes searchable units.

Case and accents: words are lower-cased; trigrams are over UTF-8 bytes with ASCII letters lowered, so one
index serves searches with and without case.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
import Stemmer
from numpy.typing import NDArray

WORD = re.compile(r"[^\W\d]\w*|\d+")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_RUNS = re.compile(r"[^\W\d_]+|\d+")
_CACHE = 200_000

# Frequent in questions, empty in code search; kept out of queries only, never out of the index.
STOP_WORDS = frozenset(
    "a an and are as at be by can do does for from had has have how i if in into is it its me my of on or our "
    "should that the their them then there these they this to was we were what when where which who why will "
    "with you your all any get gets let show find code "
    "el la los las un una unos unas de del en y o que qué cómo como "
    "por para con se es son al lo su sus este esta".split()
)

_stemmer = Stemmer.Stemmer("english", 0)
_stemmer_lock = threading.Lock()  # the C stemmer keeps state between calls


def identifiers(text: str) -> list[str]:
    """Identifiers, words and numbers of a text as written, in order."""
    return WORD.findall(text)


@lru_cache(_CACHE)
def split_identifier(name: str) -> tuple[str, ...]:
    """``parseHTTPConfig_v2`` -> ``("parse", "http", "config", "v", "2")``."""
    if name.islower() and name.isalpha():
        return (name,)
    if name.isascii():
        return tuple(map(str.lower, _PARTS.findall(name)))
    return tuple(part.lower() for run in _RUNS.findall(name) for part in _split_case(run))


def _split_case(run: str) -> list[str]:
    """Splits letters of any script where lower case turns to upper case."""
    if run.islower():
        return [run]
    cuts = [i for i in range(1, len(run)) if run[i].isupper() and not run[i - 1].isupper()]
    return [run[a:b] for a, b in zip([0, *cuts], [*cuts, len(run)], strict=True)]


@lru_cache(_CACHE)
def stem(word: str) -> str:
    """The English Snowball stem of a lower-case word; short words stay as they are."""
    if len(word) < 4:
        return word
    with _stemmer_lock:
        return str(_stemmer.stemWord(word))


@lru_cache(_CACHE)
def terms_of(identifier: str) -> tuple[str, ...]:
    """The index terms of one identifier: stems of its parts and, when it has several, the joined whole."""
    parts = split_identifier(identifier)
    if len(parts) == 1:
        return (stem(parts[0]),)
    stems = [stem(p) for p in parts if len(p) > 1]
    return (*stems, "".join(parts)) if parts else ()


def terms(text: str) -> Iterator[str]:
    """The index terms of a text, repeated as often as they occur."""
    for identifier in WORD.findall(text):
        yield from terms_of(identifier)


def query_terms(text: str) -> tuple[str, ...]:
    """Distinct terms of a query in order, without stop words unless nothing else is left."""
    found = identifiers(text)
    kept = [w for w in found if w.lower() not in STOP_WORDS] or found
    return tuple(dict.fromkeys(t for w in kept for t in terms_of(w)))


def fold_name(name: str) -> str:
    """What two spellings of one name share: ``parse_config`` and ``parseConfig`` -> ``parseconfig``."""
    return "".join(split_identifier(name))


def lower_bytes(text: str) -> bytes:
    """UTF-8 bytes with ASCII letters lowered: same length and offsets as the plain encoding."""
    return text.encode("utf-8", "surrogatepass").lower()


def trigrams(data: bytes) -> NDArray[np.uint32]:
    """Packed trigrams ``b0 << 16 | b1 << 8 | b2`` of lowered bytes, in order, repeated as they occur."""
    if len(data) < 3:
        return np.empty(0, np.uint32)
    b = np.frombuffer(data, np.uint8).astype(np.uint32)
    return (b[:-2] << np.uint32(16)) | (b[1:-1] << np.uint32(8)) | b[2:]


def distinct_trigrams(texts: Iterable[str]) -> NDArray[np.uint32]:
    """Sorted distinct trigrams of several texts."""
    return np.unique(np.concatenate([trigrams(lower_bytes(t)) for t in texts] or [np.empty(0, np.uint32)]))
