"""Intents: many phrasings in two languages, both rule tables, spans, and text nobody would type."""

from __future__ import annotations

import unicodedata

import pytest

from maguyva_nb.errors import ConfigError, QueryError
from maguyva_nb.intent import TABLES, classify
from maguyva_nb.query import parse_query
from maguyva_nb.types import Classification, Direction, Intent, TargetKind

DIRECT = 0.85  # from here on a search asks one list only


def ask(text: str, table: str = "default") -> Classification:
    return classify(parse_query(text), table=table)


def summary(text: str) -> tuple[Intent, str]:
    found = ask(text)
    return found.intent, found.target.text


REFERENCES = [
    ("who calls load_order", "load_order"),
    ("Who calls Refund()?", "Refund"),
    ("who invokes refund", "refund"),
    ('who calls "do_refund"', "do_refund"),
    ("what calls `refund`?", "refund"),
    ("what functions call load_order", "load_order"),
    ("which other modules import shop.tax.rates", "shop.tax.rates"),
    ("Which classes inherit from BaseTax?", "BaseTax"),
    ("which functions raise TaxError", "TaxError"),
    ("who instantiates OrderQueue", "OrderQueue"),
    ("functions that call load_order", "load_order"),
    ("all classes that extend BaseTax", "BaseTax"),
    ("files importing shop.tax", "shop.tax"),
    ("everything that uses load_order", "load_order"),
    ("where is load_order used", "load_order"),
    ("Where is TaxError raised?", "TaxError"),
    ("where do we call load_order", "load_order"),
    ("where does load_order get called", "load_order"),
    ("what is load_order called by", "load_order"),
    ("is load_order used anywhere?", "load_order"),
    ("does anything call load_order?", "load_order"),
    ("who is using OrderQueue", "OrderQueue"),
    ("find everywhere that load_order is called", "load_order"),
    ("¿alguien usa load_order?", "load_order"),
    ("usages of load_order", "load_order"),
    ("find all references to Queue::push", "Queue::push"),
    ("callers of load_order in the tests", "load_order"),
    ("loadOrder callers", "loadOrder"),
    ("subclasses of BaseTax", "BaseTax"),
    ("how many places use load_order", "load_order"),
    ("quién llama a load_order", "load_order"),
    ("¿Quién usa load_order?", "load_order"),
    ("qué funciones llaman a loadOrder", "loadOrder"),
    ("qué clases heredan de BaseTax", "BaseTax"),
    ("qué módulos importan shop.tax", "shop.tax"),
    ("¿qué llama a load_order?", "load_order"),
    ("dónde se usa load_order", "load_order"),
    ("en qué archivos se importa shop.tax", "shop.tax"),
    ("dónde se lanza TaxError", "TaxError"),
    ("por quién es llamada load_order", "load_order"),
    ("clases que extienden BaseTax", "BaseTax"),
    ("usos de load_order", "load_order"),
    ("todas las referencias a `Queue`", "Queue"),
    ("¿se usa load_order?", "load_order"),
]

FORWARD = [
    ("what does load_order call", "load_order"),
    ("which functions does load_order call?", "load_order"),
    ("what does shop.tax depend on", "shop.tax"),
    ("what does shop.tax import", "shop.tax"),
    ("functions called by load_order", "load_order"),
    ("callees of load_order", "load_order"),
    ("dependencies of shop.tax", "shop.tax"),
    ("de qué depende shop.tax", "shop.tax"),
    ("a qué funciones llama load_order", "load_order"),
    ("qué funciones llama load_order", "load_order"),
    ("de quién hereda SalesTax", "SalesTax"),
    ("qué módulos importa shop.tax", "shop.tax"),
    ("dependencias de shop.tax", "shop.tax"),
]

IMPACT = [
    ("what breaks if I change load_order", "load_order"),
    ("What would break if load_order changes?", "load_order"),
    ("what happens if we remove load_order", "load_order"),
    ("would renaming load_order break anything?", "load_order"),
    ("is it safe to delete load_order", "load_order"),
    ("can I rename load_order", "load_order"),
    ("what depends on shop.tax", "shop.tax"),
    ("which services depend on OrderQueue", "OrderQueue"),
    ("blast radius of load_order", "load_order"),
    ("impact of changing load_order", "load_order"),
    ("load_order impact analysis", "load_order"),
    ("what is affected by load_order", "load_order"),
    ("who calls load_order and what breaks if I change it", "load_order"),
    ("qué se rompe si cambio load_order", "load_order"),
    ("¿Qué podría romperse al renombrar load_order?", "load_order"),
    ("si toco load_order, ¿qué pasa?", "load_order"),
    ("es seguro borrar load_order", "load_order"),
    ("¿puedo eliminar load_order?", "load_order"),
    ("qué depende de shop.tax", "shop.tax"),
    ("radio de impacto de load_order", "load_order"),
    ("impacto de cambiar load_order", "load_order"),
    ("a qué afecta load_order", "load_order"),
]

DEFINITION = [
    ("where is loadOrder defined", "loadOrder"),
    ("Where is load_order implemented?", "load_order"),
    ("where's OrderQueue?", "OrderQueue"),
    ("where can I find load_order", "load_order"),
    ("which file defines load_order", "load_order"),
    ("in which file is OrderQueue declared", "OrderQueue"),
    ("what file contains the OrderQueue class", "OrderQueue"),
    ("definition of load_order", "load_order"),
    ("where is queue defined", "queue"),
    ("dónde está definido loadOrder", "loadOrder"),
    ("¿Dónde se define la clase OrderQueue?", "OrderQueue"),
    ("dónde está OrderQueue", "OrderQueue"),
    ("qué archivo define load_order", "load_order"),
    ("en qué módulo está declarada TAX_RATE", "TAX_RATE"),
    ("definición de load_order", "load_order"),
]

CODE = [
    ("def load_order", "load_order"),
    ("def refund", "refund"),
    ("class OrderQueue", "OrderQueue"),
    ("class Queue(Base):", "Queue"),
    ("async def fetch(url)", "fetch"),
    ("export default function Basket", "Basket"),
    ("func (q *Queue) Push()", "Push"),
    ("public static void main", "main"),
    ("the function loadOrder", "loadOrder"),
    ("la función loadOrder", "loadOrder"),
    ("import numpy as np", "numpy"),
    ("from shop.tax import rates", "shop.tax"),
]

UNDERSTAND = [
    "how does load_order work",
    "How is the impact score computed?",
    "why does load_order call refund twice",
    "explain OrderQueue",
    "what does load_order do?",
    "what is OrderQueue",
    "what happens when the queue is full",
    "walk me through the checkout flow",
    "architecture of the tax module",
    "difference between load_order and store_order",
    "where do we decide whether a refund is allowed",
    "how to use load_order",
    "cómo funciona load_order",
    "¿por qué falla load_order?",
    "qué hace load_order",
    "para qué sirve OrderQueue",
    "explícame la arquitectura",
    "¿dónde se decide el precio final?",
]

SIMILAR = [
    "functions similar to load_order",
    "find code similar to this",
    "more like load_order",
    "duplicates of load_order",
    "functions like load_order",
    "código parecido a load_order",
    "funciones similares a load_order",
    "buscar código similar",
]

PROSE = [
    "class hierarchy of the parser",
    "function that validates the token",
    "función que valida el token",
    "type checking",
    "error handling",
    "blast radius computation",
    "impact score of modules",
    "authentication using JWT",
    "use cases of the importer",
    "call graph traversal",
    "function that uses a heap to sort",
    "types used by a function that was never called",
    "JavaScript bundle size",
    "the string parser",
    "app crashes when I change theme",
    "retry with backoff",
    "autenticación de usuario",
]


@pytest.mark.parametrize(("text", "name"), REFERENCES)
def test_relation_verbs_and_nouns_ask_for_references(text: str, name: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.text) == (Intent.FIND_REFERENCES, name)
    assert found.target.direction is Direction.BACKWARD
    assert found.confidence >= DIRECT


@pytest.mark.parametrize(("text", "name"), FORWARD)
def test_what_a_name_calls_or_needs_is_forward(text: str, name: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.text) == (Intent.FIND_REFERENCES, name)
    assert found.target.direction is Direction.FORWARD


@pytest.mark.parametrize(("text", "name"), IMPACT)
def test_change_and_breakage_ask_for_impact(text: str, name: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.text) == (Intent.IMPACT_ANALYSIS, name)
    assert found.target.direction is Direction.BACKWARD
    assert found.confidence >= DIRECT


@pytest.mark.parametrize(("text", "name"), DEFINITION)
def test_questions_for_a_place_ask_for_the_definition_and_go_direct(text: str, name: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.text) == (Intent.FIND_DEFINITION, name)
    assert found.confidence == 0.90
    assert found.target.direction is None


@pytest.mark.parametrize(("text", "name"), CODE)
def test_code_that_opens_a_definition_asks_for_it(text: str, name: str) -> None:
    found = ask(text)
    assert (found.intent, found.confidence, found.target.text) == (Intent.FIND_DEFINITION, 0.95, name)


@pytest.mark.parametrize("text", UNDERSTAND)
def test_questions_win_over_names_and_relation_words_inside(text: str) -> None:
    found = ask(text)
    assert (found.intent, found.confidence) == (Intent.UNDERSTAND_CODE, 0.75)


@pytest.mark.parametrize("text", SIMILAR)
def test_likeness_asks_for_similar_code(text: str) -> None:
    found = ask(text)
    assert (found.intent, found.confidence) == (Intent.FIND_SIMILAR, 0.80)


@pytest.mark.parametrize("text", PROSE)
def test_prose_that_fits_no_intent_stays_low_and_says_so(text: str) -> None:
    found = ask(text)
    assert (found.intent, found.confidence) == (Intent.UNDERSTAND_CODE, 0.40)
    assert found.note


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("loadOrder", 0.80),
        ("load_order", 0.70),
        ("`refund`", 0.80),
        ("Queue::push", 0.80),
        ("find loadOrder", 0.80),
        ("the load_order function", 0.70),
        ("HTTPQueue struct", 0.80),
        ("load_order tax rounding", 0.60),
    ],
)
def test_a_name_alone_or_in_a_sentence_is_a_definition(text: str, confidence: float) -> None:
    found = ask(text)
    assert (found.intent, found.confidence) == (Intent.FIND_DEFINITION, confidence)
    assert found.target.kind is TargetKind.SYMBOL


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("encontrar la cadena ECONNREFUSED", "ECONNREFUSED"),
        ("find the string ECONNREFUSED in the client code", "ECONNREFUSED"),
        ('find "order not found"', "order not found"),
        ('search for the text "order not found"', "order not found"),
        ('where does the message "order not found" appear', "order not found"),
        ("busca el texto «sin stock»", "sin stock"),
        ("grep load_order", "load_order"),
        ('"order not found"?', "order not found"),
        ("ECONNREFUSED", "ECONNREFUSED"),
        ("0xDEADBEEF", "0xDEADBEEF"),
        ("errno 13", "errno 13"),
        ("--dry-run", "--dry-run"),
        ("src/shop/tax.py", "src/shop/tax.py"),
        ("/orders/all", "/orders/all"),
        ("/usr/local/bin/", "/usr/local/bin/"),
        ("TODO", "TODO"),
        ("permission denied", "permission denied"),
        ("permiso denegado", "permiso denegado"),
        ("ValueError: bad tax rate", "bad tax rate"),
    ],
)
def test_text_that_is_asked_for_or_alone_is_an_exact_match(text: str, literal: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.kind, found.target.text) == (
        Intent.EXACT_MATCH,
        TargetKind.LITERAL,
        literal,
    )
    assert found.confidence >= DIRECT


@pytest.mark.parametrize("text", ["it's the caller's fault, don't ask", "'order not found'"])
def test_apostrophes_are_not_quotation_marks(text: str) -> None:
    assert ask(text).intent is not Intent.EXACT_MATCH


def test_a_quotation_that_is_not_asked_for_is_only_a_near_miss() -> None:
    found = ask('the upgrade gives many "order not found" warnings')
    assert found.confidence == 0.40
    assert "exact.quoted" in {miss.rule for miss in found.near_misses}


@pytest.mark.parametrize("text", ["load_order|store_order", "foo | bar", "load.*order"])
def test_grep_patterns_without_slashes_are_exact_but_not_sure(text: str) -> None:
    found = ask(text)
    assert (found.intent, found.target.kind) == (Intent.EXACT_MATCH, TargetKind.REGEX)
    assert found.confidence < DIRECT


def test_several_lines_of_code_ask_for_similar_code() -> None:
    found = ask("for line in order.lines:\n    total += line.price\nreturn total")
    assert (found.intent, found.confidence, found.rule) == (Intent.FIND_SIMILAR, 0.80, "similar.code")


def test_a_traceback_is_an_exact_match() -> None:
    text = 'Traceback (most recent call last):\n  File "shop.py", line 3, in <module>\n    pay()\nTaxError: bad rate'
    assert (ask(text).intent, ask(text).confidence) == (Intent.EXACT_MATCH, 0.85)
    java = 'Exception in thread "main" java.lang.Error\n\tat shop.Tax.rate(Tax.java:12)'
    assert ask(java).intent is Intent.EXACT_MATCH


def test_several_lines_of_prose_are_read_as_one_question() -> None:
    assert ask("I am new here.\nPlease tell me\nwho calls load_order").intent is Intent.FIND_REFERENCES


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("what breaks if I change this function?", Intent.IMPACT_ANALYSIS),
        ("qué se rompe si cambio esta función", Intent.IMPACT_ANALYSIS),
        ("who calls this method", Intent.FIND_REFERENCES),
        ("quién lo usa", Intent.FIND_REFERENCES),
        ("where is this symbol defined", Intent.FIND_DEFINITION),
        ("what does this diff touch", Intent.IMPACT_ANALYSIS),
    ],
)
def test_this_function_asks_for_a_name_and_does_not_go_direct(text: str, intent: Intent) -> None:
    found = ask(text)
    assert (found.intent, found.target.kind) == (intent, TargetKind.NONE)
    assert found.note
    assert found.confidence < DIRECT


@pytest.mark.parametrize(
    "text",
    ["where is the main order logger defined", "who calls the old refund handler", "where is `/orders/all` defined"],
)
def test_an_object_in_prose_or_text_keeps_the_intent_but_not_the_direct_path(text: str) -> None:
    found = ask(text)
    assert found.intent in (Intent.FIND_DEFINITION, Intent.FIND_REFERENCES)
    assert found.confidence < DIRECT


@pytest.mark.parametrize(("text", "name"), [*REFERENCES[:8], *IMPACT[:4], *DEFINITION[:4]])
@pytest.mark.parametrize("lead", ["please ", "Could you tell me ", "hey, show me ", "I want to know "])
def test_polite_english_openings_change_nothing(text: str, name: str, lead: str) -> None:
    assert summary(lead + text) == summary(text)


@pytest.mark.parametrize(
    "text", ["quién llama a load_order", "dónde está definido loadOrder", "cómo funciona loadOrder"]
)
@pytest.mark.parametrize("lead", ["por favor, ", "Hola, ¿me puedes decir ", "quiero saber ", "dime "])
def test_polite_spanish_openings_change_nothing(text: str, lead: str) -> None:
    assert summary(lead + text) == summary(text)


def _plain(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).strip("¿?")


SPANISH = [t for t, _ in (*REFERENCES, *FORWARD, *IMPACT, *DEFINITION) if not t.isascii()]


@pytest.mark.parametrize("text", [t for t in (*SPANISH, *UNDERSTAND[-6:]) if not t.isascii()])
def test_accents_case_and_marks_are_optional(text: str) -> None:
    expected = summary(text)
    assert summary(_plain(text)) == expected
    assert summary(unicodedata.normalize("NFD", text)) == expected
    assert summary(f"¿{_plain(text)}?") == expected


def test_como_compares_only_without_its_accent() -> None:
    assert ask("necesito logging, muéstrame cómo está hecho").intent is Intent.UNDERSTAND_CODE
    assert ask("funciones como load_order").intent is Intent.FIND_SIMILAR


ALL = [t for t, _ in (*REFERENCES, *FORWARD, *IMPACT, *DEFINITION, *CODE)] + UNDERSTAND + SIMILAR + PROSE


@pytest.mark.parametrize("table", list(TABLES))
@pytest.mark.parametrize("text", ALL)
def test_spans_lie_in_the_raw_query_and_targets_are_quoted_from_it(text: str, table: str) -> None:
    raw = f"  🙂 {text}"
    found = ask(raw, table)
    for match in (found, *found.shadowed, *found.near_misses):
        if match.span is not None:
            assert raw[slice(*match.span)].strip()
    if found.target.span is not None:
        assert raw[slice(*found.target.span)] == found.target.text


def test_the_span_covers_the_words_that_fired() -> None:
    text = "¿Qué se rompe si cambio load_order?"
    assert text[slice(*(ask(text).span or ()))] == "Qué se rompe si cambio"
    assert "who calls" in "hey: who calls it"[slice(*(ask("hey: who calls it").span or ()))]


def test_rules_beaten_and_nearly_matching_are_told() -> None:
    found = ask("who calls load_order and what breaks if I change it")
    assert [rule.rule for rule in found.shadowed][:1] == ["references.who"]
    assert "definition.inside" in {rule.rule for rule in found.shadowed}
    assert {miss.rule for miss in ask("class hierarchy of the parser").near_misses} == {"definition.keyword"}
    assert {miss.rule for miss in ask("blast radius computation").near_misses} == {"impact.radius"}
    assert ask("who calls load_order").near_misses == ()


@pytest.mark.parametrize("table", list(TABLES))
def test_forms_of_the_grammar_are_certain_in_both_tables(table: str) -> None:
    literal, regex = ask('"who calls"', table), ask("/who .*calls/", table)
    assert {(f.intent, f.confidence, f.rule) for f in (literal, regex)} == {(Intent.EXACT_MATCH, 0.90, "grammar")}
    assert (literal.target.kind, literal.target.text, literal.target.span) == (TargetKind.LITERAL, "who calls", (1, 10))
    assert (regex.target.kind, regex.target.text) == (TargetKind.REGEX, "who .*calls")
    pattern = ask("ast[python]: print($X)", table)
    assert (pattern.intent, pattern.confidence, pattern.rule) == (Intent.FIND_DEFINITION, 0.95, "grammar")
    assert (pattern.target.kind, pattern.target.text) == (TargetKind.AST, "print($X)")


@pytest.mark.parametrize(
    ("text", "intent", "confidence"),
    [
        ("class hierarchy of the parser", Intent.FIND_DEFINITION, 0.95),
        ("who calls load_order", Intent.FIND_REFERENCES, 0.90),
        ("usos de load_order", Intent.FIND_REFERENCES, 0.90),
        ("how is the impact score computed", Intent.IMPACT_ANALYSIS, 0.90),
        ("qué depende de shop.tax", Intent.IMPACT_ANALYSIS, 0.90),
        ('how do we print "order not found"', Intent.EXACT_MATCH, 0.90),
        ("a traceback in the log", Intent.EXACT_MATCH, 0.85),
        ("encontrar la cadena ECONNREFUSED", Intent.EXACT_MATCH, 0.85),
        ("loadOrder", Intent.FIND_DEFINITION, 0.80),
        ("load_order", Intent.FIND_DEFINITION, 0.70),
        ("how does load_order work", Intent.FIND_DEFINITION, 0.60),
        ("where is loadOrder used", Intent.FIND_DEFINITION, 0.60),
        ("cómo funciona el pago", Intent.UNDERSTAND_CODE, 0.75),
        ("functions similar to mine", Intent.UNDERSTAND_CODE, 0.40),
    ],
)
def test_the_article_table_reads_its_list_literally(text: str, intent: Intent, confidence: float) -> None:
    found = ask(text, "article")
    assert (found.intent, found.confidence) == (intent, confidence)


@pytest.mark.parametrize("text", ALL)
def test_the_article_table_never_yields_similar(text: str) -> None:
    assert ask(text, "article").intent is not Intent.FIND_SIMILAR


def test_an_unknown_table_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="default, article"):
        ask("x", "articl")


HOSTILE = [
    *("?", "...", "🙂", "🙂 who calls 🙂?", "¿¿¿", "e\u0301" * 50, "\u202eesrever who calls x", "קורא ל load_order"),
    *("\x00", "who calls \x00?", "\ud800", "``", "`" * 99, '"' * 99, "'", "who", "what", "where", "if", "callers of"),
    *("what breaks if I change", "where is", "who calls", "find", "please", "the string", "class", "def", "import"),
    *(
        "a\n\n\n\nb" * 100,
        "who calls " * 900,
        "what breaks " * 800,
        "where is x used " * 600,
        "if the x of the y " * 500,
    ),
    *(
        "(" * 9_999,
        "f(" * 4_999,
        "“" * 9_999,
        "a." * 4_999,
        "/" * 9_998 + "x",
        "x|" * 4_999,
        "é" * 9_999,
        "\n" * 9_000 + "x",
    ),
    *("Traceback " * 900, "at a:" * 1_900, "[^a" * 3_000, "\u0130" * 500, "ﬁ" * 500, "한국어 " * 500),
]


@pytest.mark.parametrize("table", list(TABLES))
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_gets_an_answer(text: str, table: str) -> None:
    try:
        found = ask(text, table)
    except QueryError:
        return
    assert 0 < found.confidence <= 1
    assert found.target.span is None or 0 <= found.target.span[0] <= found.target.span[1] <= len(text)
