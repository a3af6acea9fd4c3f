"""Spanish queries for English code: a shipped glossary of programming terms, matched on folded words and stems.

A query counts as Spanish when it has a word that only Spanish has, and more such words than English ones; any other
is left as it is, to the byte. Names stay as written: what is marked or quoted, what holds anything but letters, what
has a capital inside, and a capitalised word inside a sentence.
"""

from __future__ import annotations

import re
import threading
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

import Stemmer

from maguyva_nb.types import Span, Translation

# A marked or quoted part, passed over whole; else a run of letters with nothing of code on either side.
_TOKEN = re.compile(
    r"`[^`\n]*+`|\"[^\"\n]*+\"|“[^”\n]*+”|«[^»\n]*+»"
    r"|(?<![\w./\\:@#$%&=<>~+*^-])(?P<word>(?:[^\W\d_][\u0300-\u036f]*+)++)(?![\w(\[$@#=~/\\<>*^+-]|[.:]\w)"
)
_ACCENTED = re.compile("[áéíóúñÁÉÍÓÚÑ]")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_OPENING = re.compile(r"[\s¿¡(]*")
# Two letters of a function word are weak evidence: "de" and "en" are also names of languages.
_WEAK_LENGTH = 2
_WEAK = 0.5
# Shorter words have no ending that could be told from their root.
_SHORTEST_COGNATE = 7
_INFINITIVE = ("ar", "er", "ir")
# How the last vowel of a verb's root changes under stress, and the last consonant before another vowel.
_VOWELS = (("o", "ue"), ("e", "ie"), ("e", "i"), ("u", "ue"))
_CONSONANTS = (("c", "qu"), ("z", "c"), ("c", "zc"), ("g", "j"), ("u", "uy"), ("e", "ey"))

_stemmer = Stemmer.Stemmer("spanish", 0)
_stemmer_lock = threading.Lock()  # the C stemmer keeps state between calls

English = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glossary:
    """The data of ``glossary.toml``, folded.

    ``verbs`` are third persons, which short or irregular verbs do not share a stem with; ``phrases`` go by the stem of
    their first word, longest first.
    """

    filler: frozenset[str]
    homographs: frozenset[str]
    english: frozenset[str]
    exact: Mapping[str, English]
    verbs: Mapping[str, English]
    stems: Mapping[str, English]
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], English]]]
    endings: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    fold: str
    span: Span


def translate(raw: str, names: Sequence[Span] = ()) -> tuple[Translation, ...]:
    """What each term of a Spanish query is searched as, in order; nothing for a query in another language.

    ``names`` are spans of the query that name code: they stay.
    """
    words = [w for w in _words(raw) if not any(a < w.span[1] and w.span[0] < b for a, b in names)]
    glossary = load_glossary()
    if not _is_spanish(raw, words, glossary):
        return ()
    found = list(_terms(raw, words, glossary))
    return tuple(found) if any(term.english for term in found) else ()


def fold(word: str) -> str:
    """Lower case without accents."""
    if word.isascii():
        return word.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", word.lower()))


def _words(raw: str) -> Iterator[_Word]:
    """The words that may be prose, in order."""
    first = _OPENING.match(raw)
    start = first.end() if first else 0
    for match in _TOKEN.finditer(raw):
        text = match["word"]
        if text and (text.islower() or (text[1:].islower() and (match.start() == start or not text.isascii()))):
            yield _Word(text, fold(text), match.span())


def _is_spanish(raw: str, words: Sequence[_Word], glossary: Glossary) -> bool:
    strong = float("¿" in raw or "¡" in raw)
    weak = 0.0
    english = 0
    for word in words:
        if _ACCENTED.search(word.text) and word.text not in glossary.homographs:
            strong += 1
        elif word.fold in glossary.filler:
            sure = len(word.fold) > _WEAK_LENGTH and word.fold not in glossary.homographs
            strong, weak = (strong + 1, weak) if sure else (strong, weak + _WEAK)
        elif word.fold in glossary.english:
            english += 1
        elif word.fold not in glossary.homographs:
            strong += _by_form(word.fold, glossary) is not None
    return strong > 0 and strong + weak > english


def _terms(raw: str, words: Sequence[_Word], glossary: Glossary) -> Iterator[Translation]:
    i = 0
    while i < len(words):
        size, english = _phrase(raw, words, i, glossary) or (1, _single(words[i].fold, glossary))
        if english is not None:
            span = (words[i].span[0], words[i + size - 1].span[1])
            guessed = size == 1 and _is_guess(words[i].fold, glossary)
            yield Translation(span, raw[span[0] : span[1]], english, kept=guessed)
        i += size


def _phrase(raw: str, words: Sequence[_Word], i: int, glossary: Glossary) -> tuple[int, English] | None:
    """The longest term of several words that starts at word ``i``: its length in words, and its English."""
    for stems, english in glossary.phrases.get(_stem(words[i].fold), ()):
        group = words[i : i + len(stems)]
        if len(group) == len(stems) and all(_stem(w.fold) == s for w, s in zip(group, stems, strict=True)):
            gaps = (raw[a.span[1] : b.span[0]] for a, b in pairwise(group))
            if all(gap.isspace() for gap in gaps):
                return len(stems), english
    return None


def _single(word: str, glossary: Glossary) -> English | None:
    """The English of one word; empty for a filler, None for a word that stays."""
    if word in glossary.filler:
        return ()
    return _known(word, glossary) or _cognate(word, glossary)


def _known(word: str, glossary: Glossary) -> English | None:
    found = _by_form(word, glossary) or glossary.verbs.get(word.removesuffix("me"))  # "búscame"
    if found is None and (root := _stem(word)) != word:
        found = glossary.stems.get(root)
    return found


def _is_guess(word: str, glossary: Glossary) -> bool:
    return word not in glossary.filler and _known(word, glossary) is None


def _by_form(word: str, glossary: Glossary) -> English | None:
    """By the word as it is, then as a plural, then as a feminine."""
    return next((glossary.exact[form] for form in _forms(word) if form in glossary.exact), None)


def _forms(word: str) -> Iterator[str]:
    singular = [word]
    if word.endswith("ces"):
        singular.append(f"{word[:-3]}z")
    if word.endswith("s"):
        singular += [word[:-1], word[:-2]] if word.endswith("es") else [word[:-1]]
    yield from singular
    yield from (f"{form[:-1]}o" for form in singular if form.endswith("a"))


def _cognate(word: str, glossary: Glossary) -> English | None:
    if len(word) >= _SHORTEST_COGNATE:
        for spanish, english in glossary.endings:
            if word.endswith(spanish):
                return (word.removesuffix(spanish) + english,)
    return None


@lru_cache(20_000)
def _stem(word: str) -> str:
    with _stemmer_lock:
        return str(_stemmer.stemWord(word))


@cache
def load_glossary() -> Glossary:
    """The glossary of the package, read once, when a query first needs it."""
    text = resources.files("maguyva_nb").joinpath("glossary.toml").read_text(encoding="utf-8")
    table: dict[str, dict[str, str]] = tomllib.loads(text)
    entries = list(_entries(map(fold, table["terms"].values())))
    singles = {term: english for term, english in entries if " " not in term}
    phrases = {term: english for term, english in entries if " " in term}
    verbs = _third_persons(singles)
    return Glossary(
        filler=frozenset(fold(table["filler"]["words"]).split()),
        homographs=frozenset(table["homographs"]["words"].split()),
        english=frozenset(table["homographs"]["english"].split()),
        exact=singles,
        verbs=verbs,
        stems=_by_stem({form: e for form, e in verbs.items() if form.endswith("a")} | singles),
        phrases=_by_first_stem(phrases),
        endings=tuple((fold(spanish), english) for spanish, english in table["endings"].items()),
    )


def _entries(topics: Iterable[str]) -> Iterator[tuple[str, English]]:
    """Lines ``term, term = words`` as one pair a term."""
    for line in "\n".join(topics).splitlines():
        terms, _, english = line.partition(" = ")
        if english:
            words = tuple(english.split())
            yield from ((term, words) for term in terms.split(", "))


def _by_stem(terms: Mapping[str, English]) -> dict[str, English]:
    """English by stem; of several terms the first verb has it, else the first: endings are mostly those of verbs."""
    ordered = sorted(terms, key=lambda term: not term.endswith(_INFINITIVE))
    with _stemmer_lock:
        stems: list[str] = _stemmer.stemWords(ordered)
    found: dict[str, English] = {}
    for stem, term in zip(stems, ordered, strict=True):
        found.setdefault(stem, terms[term])
    return found


def _third_persons(singles: Mapping[str, English]) -> dict[str, English]:
    """``usar`` -> ``usa``, ``use``; ``mostrar`` -> ``muestra``. Many of them are no words, at no harm."""
    verbs = [(term, english) for term, english in singles.items() if term.endswith(_INFINITIVE) and len(term) > 3]
    changed = {f"{root}{end}": e for verb, e in verbs for root in _changed_roots(verb[:-2]) for end in "ae"}
    return changed | {f"{verb[:-2]}{end}": english for verb, english in verbs for end in "ae"}


def _changed_roots(root: str) -> Iterator[str]:
    heart = root.removesuffix("u")  # of "gu", as in "seguir"; a vowel in writing only
    at = max(heart.rfind(vowel) for vowel in "aeiou")
    yield from (
        f"{root[:at]}{after}{root[at + 1 :]}"
        for before, after in _VOWELS
        if 0 <= at < len(root) - 1 and root[at] == before
    )
    yield from (root.removesuffix(before) + after for before, after in _CONSONANTS if root.endswith(before))


def _by_first_stem(phrases: Mapping[str, English]) -> dict[str, list[tuple[tuple[str, ...], English]]]:
    index: dict[str, list[tuple[tuple[str, ...], English]]] = {}
    for term in sorted(phrases, key=lambda phrase: (-len(phrase.split()), phrase)):
        stems = tuple(_stem(word) for word in term.split())
        index.setdefault(stems[0], []).append((stems, phrases[term]))
    return index
