"""The bundled embedder: what its vectors promise to a search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from maguyva_nb.embed.bundled import BundledEmbedder
from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.embed.words import WordRows, split_words
from maguyva_nb.errors import ModelUnavailable
from maguyva_nb.protocols import Embedder, EmbedItem

ITEMS = (
    EmbedItem(
        "net/retry.py", "retry_request", "Client", "method", "Tries again.", "def retry_request(self): sleep(delay)"
    ),
    EmbedItem("auth/tokens.py", "refresh", "", "function", "", "def refresh(token):\n    return sign(token.claims)"),
    EmbedItem(
        "src/parser.rs", "parse_expr", "Parser", "function", "", "fn parse_expr(&mut self) -> Expr { self.next() }"
    ),
    EmbedItem("docs/año.md", "", "", "text", "", "configuración de la sesión"),
)
RELATED = (
    ("delete file", "remove path", "sort numbers"),
    ("parse json", "decode string", "render button"),
    ("authentication", "login password", "matrix"),
    ("retry request", "timeout http", "colour palette"),
    ("database query", "sql select", "mouse click"),
    ("thread lock", "mutex", "font size"),
    ("config", "settings", "triangle"),
    ("regex", "pattern match", "socket"),
    ("exception", "error handling", "tree node"),
    ("async", "await coroutine", "stylesheet"),
    ("websocket", "http connection", "integer overflow"),
    ("tokenizer", "lexer", "payment"),
    ("serialize", "json encode", "keyboard"),
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder("bundled")


def chunk(**fields: str) -> EmbedItem:
    return replace(EmbedItem("", "", "", "", "", ""), **fields)


def test_rows_have_unit_length_and_the_promised_shape(embedder: Embedder) -> None:
    rows = embedder.embed_chunks(ITEMS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(ITEMS), embedder.info.dimensions) == (4, 256)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t", "{ } ( ) ; +", "x = y", "漢字"])
def test_a_chunk_without_known_words_is_a_zero_row(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_chunks([chunk(text=text)]).any()
    assert not embedder.embed_query(text).any()


def test_no_chunks_are_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_chunks([]).shape == (0, 256)


def test_a_vector_does_not_depend_on_its_batch(embedder: Embedder) -> None:
    together = embedder.embed_chunks(ITEMS)
    for item, row in zip(ITEMS, together, strict=True):
        np.testing.assert_array_equal(embedder.embed_chunks([item])[0], row)
    np.testing.assert_array_equal(embedder.embed_chunks(ITEMS[::-1])[::-1], together)


def test_a_fresh_embedder_gives_the_same_vectors(embedder: Embedder) -> None:
    fresh = BundledEmbedder()
    assert fresh.info == embedder.info
    np.testing.assert_array_equal(fresh.embed_chunks(ITEMS), embedder.embed_chunks(ITEMS))


@pytest.mark.parametrize(("query", "related", "unrelated"), RELATED)
def test_related_code_is_nearer_than_unrelated(embedder: Embedder, query: str, related: str, unrelated: str) -> None:
    near, far = embedder.embed_chunks([chunk(text=related), chunk(text=unrelated)]) @ embedder.embed_query(query)
    assert near > far + 0.05


@pytest.mark.parametrize(
    ("written", "plain"),
    [("sesión", "sesion"), ("sesio\u0301n", "sesion"), ("naïve_Café", "naive_cafe"), ("ÜBER", "uber")],
)
def test_accents_do_not_hide_a_word(embedder: Embedder, written: str, plain: str) -> None:
    np.testing.assert_array_equal(embedder.embed_query(written), embedder.embed_query(plain))


@pytest.mark.parametrize("text", ["naïve", "\ud800 lone", "e\u0301" * 50, "ﬁle", "a" * 20_000, "Ωmega_λ", "\0"])
def test_odd_text_gives_finite_vectors(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed_chunks([chunk(text=text, path=text, name=text, doc=text)])).all()


def test_identifiers_count_as_their_words(embedder: Embedder) -> None:
    np.testing.assert_allclose(
        embedder.embed_query("parseHTTPConfig retry_delay"), embedder.embed_query("parse http config retry delay")
    )


def test_an_unknown_word_falls_to_its_longest_pieces() -> None:
    rows = WordRows(["re", "retr", "##y", "##yb", "##ack", "##a", "b"])
    assert rows.of_word("retryback") == (1, 3, 4)
    assert rows.of_text("re retryB") == [0, 1, 2]
    assert rows.of_text("retryA_b") == [1, 2]
    assert rows.of_word("zz") == ()


def test_single_characters_are_no_words() -> None:
    assert list(split_words("for i in xs: sha256(x_y, 1, 22)")) == ["for", "in", "xs", "sha", "256", "22"]


def test_a_made_up_word_of_an_identifier_has_a_vector(embedder: Embedder) -> None:
    assert embedder.embed_query("tokioquux").any()


@pytest.mark.parametrize("field", ["path", "name", "parent", "doc", "text"])
def test_each_field_draws_a_chunk_to_its_words(embedder: Embedder, field: str) -> None:
    base = chunk(path="src/main.c", name="run", text="int run(void) { return step(); }")
    query = embedder.embed_query("password encryption")
    without, with_words = embedder.embed_chunks([base, replace(base, **{field: "password encryption"})]) @ query
    assert with_words > without + 0.1


def test_a_name_weighs_more_than_a_mention(embedder: Embedder) -> None:
    query = embedder.embed_query("checksum")
    named = chunk(path="a/disk.py", name="checksum", text="def checksum(block): return total(block)")
    mention = chunk(path="a/disk.py", name="write", text="def write(block): store(block, checksum(block))")
    first, second = embedder.embed_chunks([named, mention]) @ query
    assert first > second


def test_weigh_turns_a_query_towards_its_heavy_words(embedder: Embedder) -> None:
    parser = embedder.embed_query("parser")
    seen: list[str] = []

    def weigh(word: str) -> float:
        seen.append(word)
        return 1.0 if word == "parser" else 0.1

    assert embedder.embed_query("Parser socket", weigh=weigh) @ parser > embedder.embed_query("Parser socket") @ parser
    assert seen == ["parser", "socket"]


def test_weights_that_are_all_zero_give_a_zero_vector(embedder: Embedder) -> None:
    assert not embedder.embed_query("parser", weigh=lambda word: 0.0).any()


def test_the_registry_knows_the_bundled_embedder(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
    assert embedder.info.name == "bundled"
    assert load_embedder("bundled") is embedder


@pytest.mark.parametrize(("name", "next_step"), [("bundeld", "'bundled'"), ("xyz:model", "bundled"), ("", "bundled")])
def test_an_unknown_embedder_is_refused_with_the_nearest_name(name: str, next_step: str) -> None:
    with pytest.raises(ModelUnavailable, match="no embedder named") as caught:
        load_embedder(name)
    assert next_step in caught.value.next


def test_an_argument_for_the_bundled_embedder_is_refused() -> None:
    with pytest.raises(ModelUnavailable, match="takes no argument"):
        load_embedder("bundled:large")


@pytest.mark.parametrize("content", [None, b"", b"not a table", b"PK\x03\x04 cut short"])
def test_a_damaged_table_is_named(tmp_path: Path, content: bytes | None) -> None:
    table = tmp_path / "table.npz"
    if content is not None:
        table.write_bytes(content)
    with pytest.raises(ModelUnavailable, match=r"table\.npz") as caught:
        BundledEmbedder(table)
    assert "again" in caught.value.next
