"""Batches of questions and code out of pairs: what each side of a training example shows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from embedder_pairs import Pair
from numpy.typing import NDArray

from maguyva_nb.embed.words import WordRows

Ids = NDArray[np.int32]

PACKAGES = 16  # of a batch; code of one package is the harder to tell apart
EACH = 64  # pairs of a package
LANGUAGE_POWER = 0.6  # of the number of pairs: rare languages come more often than their share
SAID_SHARE = 0.7  # of questions; the others are the words of the name
DROPPED_SHARE = 0.5  # of questions, which lose some words
QUESTION_DROP = 0.2
FRAMED_SHARE = 1 / 3
BODY_DROP = 0.2
CROPPED_SHARE = 0.4
SHORTEST_CROP = 0.3
JOINED_SHARE = 0.2
LONGEST = 400  # ids of a body
FRAMES = (
    "how does the code {} work",
    "how does {} work",
    "how is {} implemented",
    "how are {} done",
    "how to {}",
    "where is {} handled",
    "where is {} defined",
    "where does it {}",
    "what does {} do",
    "which function {}",
    "which class is for {}",
    "what happens when {}",
    "find the code for {}",
    "show {} logic",
    "explain {} in this codebase",
    "{} implementation",
)


@dataclass(frozen=True, slots=True)
class Bags:
    """Weighted token ids of many texts: text ``i`` has ``ids[starts[i]:starts[i + 1]]``."""

    ids: Ids
    weights: NDArray[np.float32]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Question ``i`` belongs to code ``i``; ``same[i, j]`` marks other code with the same comment."""

    questions: Bags
    code: Bags
    same: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Example:
    said: Ids
    name: Ids
    path: Ids
    rest: Ids
    body: Ids
    doc_key: int
    follower: int


class Examples:
    """Pairs as ids, drawn by language and package."""

    def __init__(self, pairs: Sequence[Pair], words: WordRows) -> None:
        self._frames = [tuple(_ids(words, part) for part in frame.split("{}")) for frame in FRAMES]
        keys: dict[str, int] = {}
        self._examples = [
            _Example(
                _ids(words, pair.said),
                _ids(words, pair.name),
                _ids(words, pair.path),
                _ids(words, pair.rest)[:LONGEST],
                _ids(words, _without_name(pair))[:LONGEST],
                keys.setdefault(pair.said or f"{pair.package} {pair.path} {pair.name}", len(keys)),
                place + 1 if place + 1 < len(pairs) and pairs[place + 1].path == pair.path else place,
            )
            for place, pair in enumerate(pairs)
        ]
        self._groups, self._chances = _group(pairs)

    def batches(self, count: int, seed: int) -> Iterator[Batch]:
        """Batches that depend on the seed alone."""
        random = np.random.default_rng(seed)
        for _ in range(count):
            chosen = random.choice(len(self._groups), PACKAGES, replace=False, p=self._chances)
            places = np.concatenate([random.choice(self._groups[group], EACH, replace=False) for group in chosen])
            yield self._batch(places.tolist(), random)

    def _batch(self, places: Sequence[int], random: np.random.Generator) -> Batch:
        questions, code = [], []
        for place in places:
            example = self._examples[place]
            by_name = not example.said.size or (example.name.size > 1 and random.random() > SAID_SHARE)
            questions.append(self._question(example.name if by_name else example.said, random))
            code.append(self._code(example, by_name, random))
        keys = np.array([self._examples[place].doc_key for place in places])
        same = (keys[:, None] == keys[None, :]) & ~np.eye(len(places), dtype=bool)
        return Batch(_bags([(ids, np.ones(ids.size, np.float32)) for ids in questions]), _bags(code), same)

    def _question(self, ids: Ids, random: np.random.Generator) -> Ids:
        if ids.size > 3 and random.random() < DROPPED_SHARE:
            kept = ids[random.random(ids.size) > QUESTION_DROP]
            ids = kept if kept.size else ids
        if random.random() < FRAMED_SHARE:
            before, after = self._frames[random.integers(len(self._frames))]
            ids = np.concatenate([before, ids, after])
        return ids

    def _code(self, example: _Example, by_name: bool, random: np.random.Generator) -> tuple[Ids, NDArray[np.float32]]:
        body = example.body
        if random.random() < CROPPED_SHARE:
            size = int(body.size * random.uniform(SHORTEST_CROP, 1))
            first = int(random.integers(body.size - size + 1))
            body = body[first : first + size]
        parts = [body, example.rest]
        if random.random() < JOINED_SHARE:
            follower = self._examples[example.follower]
            parts += [follower.name, follower.body]
        text = np.concatenate(parts)
        ids, counts = np.unique(text[random.random(text.size) > BODY_DROP], return_counts=True)
        head = np.concatenate([example.path, *([] if by_name else [example.name])])
        weights = np.concatenate([np.sqrt(counts), np.ones(head.size)]).astype(np.float32)
        return np.concatenate([ids, head]), weights


def _group(pairs: Sequence[Pair]) -> tuple[list[Ids], NDArray[np.float64]]:
    """Places by language and package, and each group's chance; small packages of a language share a group."""
    sizes: dict[tuple[str, str], list[int]] = defaultdict(list)
    languages: dict[str, int] = defaultdict(int)
    for place, pair in enumerate(pairs):
        sizes[pair.language, pair.package].append(place)
        languages[pair.language] += 1
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for (language, package), places in sizes.items():
        groups[language, package if len(places) >= EACH else ""] += places
    kept = {key: places for key, places in groups.items() if len(places) >= EACH}
    chances = np.array([languages[key[0]] ** (LANGUAGE_POWER - 1) * len(places) for key, places in kept.items()])
    return [np.array(places, np.int32) for places in kept.values()], chances / chances.sum()


def _without_name(pair: Pair) -> str:
    """The body less the name it defines: a question of that name must be answered by the rest."""
    return re.sub(rf"\b{re.escape(pair.name.split(' ')[-1])}\b", " ", pair.body)


def _ids(words: WordRows, text: str) -> Ids:
    return np.array(words.of_text(text), np.int32)


def _bags(texts: Sequence[tuple[Ids, NDArray[np.float32]]]) -> Bags:
    sizes = [ids.size for ids, _ in texts]
    ids = np.concatenate([ids for ids, _ in texts])
    return Bags(ids, np.concatenate([weights for _, weights in texts]), np.concatenate([[0], np.cumsum(sizes)]))
