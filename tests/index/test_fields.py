"""Postings say exactly what a plain count of words and trigrams says."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from maguyva_nb.index import fields
from maguyva_nb.index.fields import (
    FieldCounts,
    FieldText,
    Postings,
    count_fields,
    join_terms,
    merge,
    shift_chunks,
    unpack,
)
from maguyva_nb.tokens import lower_bytes, terms
from maguyva_nb.types import FIELD_CODE, Field

CHUNKS = [
    FieldText(
        "Config.parse",
        "src/config_file.py",
        "Parses the config.",
        "def parse(self):\n    return parseHTTPConfig(self)\n",
    ),
    FieldText("", "src/ñ.py", "", "x = 'ñandú'\n\n"),
    FieldText("A\nB", "a.py", "aa", ""),
    FieldText("A", "", "", "a"),
]


def expected_terms(chunks: list[FieldText]) -> Counter[tuple[str, int, int]]:
    return Counter(
        (term, number, FIELD_CODE[field])
        for number, chunk in enumerate(chunks)
        for field in Field
        for term in terms(text_of(chunk, field))
    )


def expected_trigrams(chunks: list[FieldText]) -> Counter[tuple[int, int, int]]:
    out: Counter[tuple[int, int, int]] = Counter()
    for number, chunk in enumerate(chunks):
        for field in (Field.NAME, Field.PATH, Field.BODY):
            data = lower_bytes(text_of(chunk, field))
            for a, b, c in zip(data, data[1:], data[2:], strict=False):
                out[(a << 16) | (b << 8) | c, number, FIELD_CODE[field]] += 1
    return out


def text_of(chunk: FieldText, field: Field) -> str:
    return str(getattr(chunk, field.value))


def rows(postings: Postings) -> Counter[tuple[int, int, int]]:
    unit, chunk, field = unpack(postings.keys)
    keys = zip(unit.tolist(), chunk.tolist(), field.tolist(), strict=True)
    return Counter(dict(zip(keys, postings.counts.tolist(), strict=True)))


def term_rows(vocabulary: tuple[str, ...], postings: Postings) -> Counter[tuple[str, int, int]]:
    return Counter({(vocabulary[t], c, f): n for (t, c, f), n in rows(postings).items()})


def random_chunks(seed: int, count: int) -> list[FieldText]:
    rng = random.Random(seed)
    words = ["parse", "parseConfig", "HTTP_server2", "ñandú", "x", "été", "=", "(", "\n", "🦊", "a" * 300]
    return [
        FieldText(*(" ".join(rng.choices(words[:-1], k=rng.randrange(12))) for _ in range(4))) for _ in range(count)
    ]


def test_postings_equal_a_plain_count() -> None:
    for chunks in (CHUNKS, random_chunks(1, 40), random_chunks(2, 7)):
        counted = count_fields(chunks)
        assert term_rows(counted.vocabulary, counted.terms) == expected_terms(chunks)
        assert rows(counted.trigrams) == expected_trigrams(chunks)


def test_lengths_are_token_totals() -> None:
    counted = count_fields(CHUNKS)
    _, chunk, field = unpack(counted.length_keys)
    got = dict(zip(zip(chunk.tolist(), field.tolist(), strict=True), counted.lengths.tolist(), strict=True))
    assert got == {(n, FIELD_CODE[f]): len(list(terms(text_of(c, f)))) for n, c in enumerate(CHUNKS) for f in Field}


def test_keys_are_sorted_and_distinct() -> None:
    counted = count_fields(random_chunks(3, 50))
    for postings in (counted.terms, counted.trigrams):
        assert (np.diff(postings.keys.astype(np.int64)) > 0).all()


def test_batches_join_to_what_one_batch_gives() -> None:
    chunks = random_chunks(4, 30)
    parts = [chunks[:11], chunks[11:12], chunks[12:12], chunks[12:]]
    counted = [count_fields(part) for part in parts]
    firsts = [0, 11, 12, 12]
    vocabulary, joined = join_terms((b.vocabulary, shifted(b.terms, f)) for b, f in zip(counted, firsts, strict=True))
    assert list(vocabulary) == sorted(vocabulary)
    assert term_rows(vocabulary, joined) == expected_terms(chunks)
    trigrams = merge([shifted(b.trigrams, f) for b, f in zip(counted, firsts, strict=True)])
    assert rows(trigrams) == expected_trigrams(chunks)


def shifted(postings: Postings, first: int) -> Postings:
    return Postings(shift_chunks(postings.keys, first), postings.counts)


def test_blocks_do_not_change_trigrams(monkeypatch: object) -> None:
    chunks = random_chunks(5, 30)
    whole = count_fields(chunks)
    before = fields.TRIGRAM_BLOCK
    try:
        fields.TRIGRAM_BLOCK = 64
        cut: FieldCounts = count_fields(chunks)
    finally:
        fields.TRIGRAM_BLOCK = before
    assert rows(cut.trigrams) == rows(whole.trigrams)


def test_encoded_data_makes_no_terms_but_trigrams() -> None:
    counted = count_fields([FieldText("", "", "", "Q" * 5000)])
    assert counted.vocabulary == ()
    assert rows(counted.trigrams)[(ord("q") << 16) | (ord("q") << 8) | ord("q"), 0, 3] == 4998


def test_nothing_gives_nothing() -> None:
    counted = count_fields([])
    assert counted.vocabulary == ()
    assert counted.terms.keys.size == counted.trigrams.keys.size == counted.lengths.size == 0
