"""Readers: each form as its authors write it, and what is said of a file that is not in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from maguyva_nb.errors import QuerySetError
from maguyva_nb.evaluate.querysets import read_queries
from maguyva_nb.evaluate.records import Answer, Level, QuerySet
from maguyva_nb.types import Intent

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return put


def read(file: Path, source: Path = Path("code"), **more: object) -> QuerySet:
    return read_queries(file, source=source, **more)  # type: ignore[arg-type]


def refusal(file: Path, source: Path = Path("code"), **more: object) -> str:
    with pytest.raises(QuerySetError) as error:
        read(file, source, **more)
    assert error.value.next
    return str(error.value)


def test_octocode_csv(write: Write) -> None:
    found = read(
        write(
            "code.csv",
            "query,result1,result2,result3\r\n"
            "parse the config,src/a.rs:41-61:2,src/b:c.rs:3-3:1,\r\n"
            '"commas, in quotes",src/a.rs:1-2:1,,\r\n'
            "nothing known,,,\r\n",
        )
    )
    assert (found.name, found.level, found.left_out) == ("code", Level.LINE, 1)
    first, second = found.queries
    assert first.answers == (Answer("src/a.rs", 41, 61, 2), Answer("src/b:c.rs", 3, 3, 1))
    assert (first.id, second.id, second.query) == ("q001", "q002", "commas, in quotes")


def test_json_of_the_samples(write: Write) -> None:
    query = {"id": "es-1", "lang": "es", "query": "quién llama a f", "intent": "find_references", "category": "x"}
    answers = [{"path": "./a.py", "start": 1, "end": 2, "relevance": 2}, {"path": "b.py", "start": 3, "end": 3}]
    found = read(write("set.json", json.dumps({"repo": "r", "queries": [{**query, "answers": answers}]})))
    (one,) = found.queries
    assert (one.id, one.lang, one.intent, one.category) == ("es-1", "es", Intent.FIND_REFERENCES, "x")
    assert one.answers == (Answer("a.py", 1, 2, 2), Answer("b.py", 3, 3, 1))


def test_json_answers_without_lines_are_whole_files(write: Write) -> None:
    found = read(write("set.json", '{"queries": [{"id": "1", "query": "q", "answers": [{"path": "a.py"}]}]}'))
    assert found.level is Level.FILE


SEMBLE = [
    {"id": "one:0", "repo": "one", "query": "q", "category": "symbol", "relevant": [{"path": "a.py"}], "secondary": []},
    {
        "id": "two:0",
        "repo": "two",
        "query": "p",
        "category": "semantic",
        "relevant": [{"path": "a.py", "start_line": 3, "end_line": 9}, {"path": "a.py"}],
        "secondary": [{"path": "b.py"}, {"path": "a.py"}],
    },
]


def test_semble_annotations_are_files_of_the_codebase_that_the_path_names(write: Write) -> None:
    file = write("all.jsonl", "\n".join(map(json.dumps, SEMBLE)) + "\n")
    (one,) = read(file, Path("/corpora/two/lib")).queries
    assert (one.id, one.category) == ("two:0", "semantic")
    assert one.answers == (Answer("a.py", relevance=2), Answer("b.py", relevance=1))
    assert read(file, Path("/corpora/two"), repo="one").queries[0].id == "one:0"
    assert "one, two" in refusal(file, Path("/corpora/three"))
    assert "'four'" in refusal(file, repo="four")


def test_semble_annotations_of_one_codebase_as_a_json_list(write: Write) -> None:
    rows = [{"query": "q", "relevant": ["a.py"], "category": "symbol"}]
    found = read(write("one.json", json.dumps(rows)))
    assert (found.level, found.queries[0].id, found.queries[0].answers) == (
        Level.FILE,
        "q001",
        (Answer("a.py", relevance=2),),
    )


def test_trec_topics_with_qrels_of_lines(write: Write) -> None:
    topics = write("t.tsv", "7\twho calls f\n8\tno answer known\n")
    qrels = write("t.qrels", "7 0 a dir/b.py:3-9 2\n7 0 c.py:1-1 0\n")
    for found in (read(topics), read(qrels), read(topics, qrels=qrels)):
        assert (found.name, found.level, found.left_out) == ("t", Level.LINE, 1)
        assert found.queries[0].answers == (Answer("a dir/b.py", 3, 9, 2),)


def test_trec_documents_may_be_files(write: Write) -> None:
    write("t.qrels", "7\t0\ta.py\t1\n")
    found = read(write("t.topics", "7\tq\n"))
    assert (found.level, found.queries[0].answers) == (Level.FILE, (Answer("a.py"),))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "q,result1\nx,a:1-2:1\n", "line 1"),
        ("a.csv", "query,result1\nx,a:1-2:1\ny,a:1-2\n", "line 3: 'a:1-2'"),
        ("a.csv", "query,result1\nx,a:9-2:1\n", "line 2: lines 9-2"),
        ("a.csv", "query,result1\nx,a:1-2:0\n", "relevance 0"),
        ("a.csv", "query,result1\nx, y,a:1-2:1\n", "line 2 has more cells"),
        ("a.csv", "query,result1\nx,\n", "no query with an answer"),
        ("a.csv", "query,result1\n,a:1-2:1\n", "'q001' has no text"),
        ("a.json", '{"queries":\n [}', "line 2 is not valid JSON"),
        ("a.json", '{"repo": "x"}', "no list of queries"),
        ("a.json", '{"queries": [3]}', "query 1 is 3"),
        ("a.json", '{"queries": [{"id": "k", "answers": []}]}', "query 1 (k) has no 'query'"),
        ("a.json", '{"queries": [{"id": "k", "query": "q"}]}', "query 1 (k) has no list 'answers'"),
        ("a.json", '{"queries": [{"id": "k", "query": "q", "intent": "find", "answers": []}]}', "intent 'find'"),
        ("a.json", '{"queries": [{"id": "k", "query": "q", "answers": [{"path": "a", "start": 1}]}]}', "lines 1-None"),
        ("a.jsonl", '{"query": "q", "relevant": ["a"]}\n{"query": }\n', "line 2 is not valid JSON"),
        ("a.jsonl", '{"query": "q"}\n', "line 1 has no list 'relevant'"),
        ("a.jsonl", '{"query": "q", "relevant": [{}]}\n', "line 1: an answer has no path"),
        ("a.yaml", "", "no known form"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(write: Write, name: str, text: str, said: str) -> None:
    assert said in refusal(write(name, text))


def test_malformed_trec_is_refused_with_its_place(write: Write) -> None:
    topics = write("t.tsv", "7\tq\n8\tp\n")
    assert "line 2 is no judgement" in refusal(topics, qrels=write("a.qrels", "7 0 a.py 1\n7 a.py\n"))
    assert "topic '9' is not in" in refusal(topics, qrels=write("b.qrels", "9 0 a.py 1\n"))
    assert "with and without lines" in refusal(topics, qrels=write("c.qrels", "7 0 a.py 1\n8 0 b.py:1-2 1\n"))
    assert "line 2 is no topic" in refusal(write("d.tsv", "7\tq\n8 p\n"), qrels=write("d.qrels", "7 0 a.py 1\n"))
    assert "is there twice" in refusal(write("e.tsv", "7\tq\n7\tp\n"), qrels=write("e.qrels", "7 0 a.py 1\n"))
    assert "Cannot read" in refusal(write("f.tsv", "7\tq\n"))


def test_one_id_for_two_queries_is_refused(write: Write) -> None:
    row = '{"id": "k", "query": "q", "answers": [{"path": "a"}]}'
    assert "'k' twice" in refusal(write("a.json", f'{{"queries": [{row}, {row}]}}'))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "Cannot read" in refusal(tmp_path / "none.json")
