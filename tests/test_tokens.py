from __future__ import annotations

import pytest

from maguyva_nb.tokens import fold_name, lower_bytes, query_terms, split_identifier, stem, terms, terms_of, trigrams


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseHTTPConfig_v2", ("parse", "http", "config", "v", "2")),
        ("MAX_RETRIES", ("max", "retries")),
        ("ñandúFoo_bar2", ("ñandú", "foo", "bar", "2")),
        ("__init__", ("init",)),
        ("_", ()),
        ("utf8", ("utf", "8")),
        ("HTTPServer", ("http", "server")),
    ],
)
def test_identifiers_split_at_case_digits_and_underscores(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


def test_the_joined_identifier_is_a_term_beside_its_stems() -> None:
    assert terms_of("retryRequests") == ("retri", "request", "retryrequests")
    assert set(terms("retry_requests(x)")) >= {"retri", "request", "retryrequests"}


def test_spellings_of_one_name_fold_together() -> None:
    assert fold_name("parse_config") == fold_name("parseConfig") == fold_name("PARSE_CONFIG")


def test_stop_words_leave_a_query_unless_it_is_nothing_else() -> None:
    assert query_terms("where do we retry the request") == ("retri", "request")
    assert query_terms("where is the") != ()


def test_trigrams_are_over_lowered_utf8_bytes() -> None:
    assert trigrams(b"abcd").tolist() == [0x616263, 0x626364]
    assert trigrams(b"ab").size == 0
    assert lower_bytes("AÑB") == "aÑb".encode()


def test_stems_are_the_same_from_many_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    words = [f"{a}{b}" for a in ("retry", "connect", "pars", "generat") for b in ("ing", "ed", "s", "ion", "er")] * 50
    stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(stem, words))
    stem.cache_clear()
    assert got == [stem(word) for word in words]
