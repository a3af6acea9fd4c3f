"""Spanish questions become the words of code; questions in English stay as they are, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from maguyva_nb.display import trace_lines
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.query import parse_query
from maguyva_nb.translate import load_glossary, translate
from maguyva_nb.types import Query, Strategy
from maguyva_nb.wire import search_json


def searched(raw: str) -> str:
    return Query(raw, expansion=translate(raw)).words


@pytest.mark.parametrize(
    ("spanish", "words"),
    [
        ("cómo se valida la sesión", {"validate", "session"}),
        ("como se valida la sesion", {"validate", "session"}),
        ("dónde se guardan las contraseñas cifradas", {"save", "password", "encrypt"}),
        ("reintenta la petición cuando falla la red", {"retry", "request", "fail", "network"}),
        ("leyendo los ficheros comprimidos", {"read", "file", "compress"}),
        ("¿Quién renueva los certificados caducados?", {"renew", "certificate", "expired"}),
        ("muestra los índices de la tabla", {"show", "index", "table"}),
        ("la función que devuelve las facturas vencidas", {"function", "return", "invoice", "expired"}),
        ("se elige la ruta más corta", {"select", "path", "short"}),
        ("sigue los enlaces y mide su profundidad", {"follow", "link", "measure", "depth"}),
        ("búscame las luces de aviso repetidas", {"search", "notice", "duplicate"}),
        ("reconstruyendo el árbol", {"rebuild", "tree"}),
    ],
)
def test_forms_of_words_are_found_with_and_without_accents(spanish: str, words: set[str]) -> None:
    assert words <= set(searched(spanish).split())


def test_a_term_of_several_words_wins_over_its_parts() -> None:
    assert searched("la cola de trabajos de la base de datos") == "job queue database db"
    assert searched("las colas de trabajos") == "job queue"


def test_a_term_of_several_words_does_not_reach_over_punctuation() -> None:
    assert "database" not in searched("usa esta base, de datos limpios")


@pytest.mark.parametrize(
    "english",
    [
        "how is the session validated",
        "total final error",
        "actual base real simple local",
        "red button color panel",
        "where is the base class of the total error",
        "café résumé menu",
        "naïve parser of the señor table",
        "translate en to es",
        "the del statement and the la locale",
        "como.para(por)",
        "persona visible",
        "retry   http\trequest\n",
        'how does the `cadena` parser treat "los datos"',
        "LOS DATOS",
        "",
    ],
)
def test_other_queries_stay_as_they_are(english: str) -> None:
    assert translate(english) == ()
    assert searched(english) == english


def test_english_words_in_a_spanish_query_stay() -> None:
    assert searched("cómo funciona el retry del cliente http") == "retry client customer http"


def test_homographs_mean_the_spanish_word_only_in_a_spanish_query() -> None:
    assert "current" in searched("cuál es el usuario actual").split()
    assert searched("actual user") == "actual user"


def test_names_stay_as_written() -> None:
    query = "cómo usa `lista_pedidos` la clase Pedido de tienda.carrito con guardarTodo y MAX_VALOR"
    words = searched(query)
    assert all(name in words for name in ("`lista_pedidos`", "Pedido", "tienda.carrito", "guardarTodo", "MAX_VALOR"))


def test_spans_that_name_code_stay() -> None:
    raw = "qué depende de guardar en la tienda"
    at = raw.index("guardar")
    terms = translate(raw, [(at, at + len("guardar"))])
    assert "guardar" not in [term.word for term in terms]
    assert "tienda" in [term.word for term in terms]


def test_every_term_says_where_it_stands() -> None:
    raw = "¿dónde está el límite de la sesio\u0301n?"
    terms = translate(raw)
    assert all(raw[term.span[0] : term.span[1]] == term.word for term in terms)
    assert {term.word: term.english for term in terms}["sesio\u0301n"] == ("session",)
    assert {term.word: term.english for term in terms}["dónde"] == ()


def test_an_unknown_word_with_a_shared_ending_is_guessed_and_kept() -> None:
    (guess,) = [term for term in translate("la interpolación del valor") if term.word == "interpolación"]
    assert (guess.english, guess.kept) == (("interpolation",), True)


def test_forms_are_never_expanded_by_themselves() -> None:
    query = parse_query('"guardar la sesión"')
    assert query.expansion == ()
    assert query.words == "guardar la sesión"


def test_the_glossary_is_wide_and_sound() -> None:
    glossary = load_glossary()
    assert len(glossary.exact) > 700
    assert all(word.isascii() and word.islower() for english in glossary.exact.values() for word in english)
    assert not glossary.english & glossary.exact.keys()
    assert not glossary.filler & glossary.exact.keys()


def test_a_search_in_spanish_names_what_it_looked_for(explorer: Explorer) -> None:
    trace = explorer.search("cómo se firma el token de acceso")
    assert {term.word: term.english for term in trace.expansion}["firma"] == ("sign", "signature")
    assert any(line.startswith("spanish") and "firma -> sign signature" in line for line in trace_lines(trace, top=1))
    term = next(t for t in search_json(trace, explorer, top=1)["expansion"] if t["word"] == "firma")
    assert term == {"span": (8, 13), "word": "firma", "english": ["sign", "signature"], "kept": False}


def test_the_step_can_be_switched_off(explorer: Explorer) -> None:
    trace = explorer.search("cómo se firma el token de acceso", SearchOptions(expand=False))
    assert trace.expansion == ()
    assert trace.query.words == trace.query.raw


def test_a_question_in_english_is_answered_alike_with_the_step_on_or_off(explorer: Explorer) -> None:
    on, off = (explorer.search("how is the total weight rounded", SearchOptions(expand=e)) for e in (True, False))
    assert (on.query, on.results) == (off.query, off.results)


def test_a_named_symbol_that_is_looked_up_directly_is_not_translated(explorer: Explorer) -> None:
    trace = explorer.search("dónde está definido parseConfig")
    assert (trace.strategy, trace.expansion) == (Strategy.DIRECT, ())


def test_a_quoted_text_is_searched_as_it_is(explorer: Explorer) -> None:
    trace = explorer.search('"guardar la sesión"')
    assert trace.expansion == ()


def test_a_term_that_the_codebase_uses_itself_is_searched_too(tmp_path: Path) -> None:
    (tmp_path / "tienda.py").write_text(
        "def calcular_importe(pedido):\n    return pedido.peso\n\n\ndef save(order):\n    return order\n",
        encoding="utf-8",
    )
    explorer = Explorer.open(tmp_path, db=tmp_path / "index.duckdb")
    try:
        trace = explorer.search("dónde se guarda el pedido y se calcula su importe")
    finally:
        explorer.close()
    assert {term.word: term.kept for term in trace.expansion if term.english} == {
        "guarda": False,
        "pedido": True,
        "calcula": False,
        "importe": True,
    }
    assert {trace.cards[hit.chunk_id].path for hit in trace.results} == {"tienda.py"}
