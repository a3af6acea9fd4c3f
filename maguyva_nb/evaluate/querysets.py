"""Readers of query sets: Octocode's CSV, the JSON of the sample codebases, semble's annotations, TREC."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from maguyva_nb.errors import QuerySetError
from maguyva_nb.evaluate.records import Answer, EvalQuery, Level, QuerySet
from maguyva_nb.evaluate.trec import QRELS, TOPICS, read_trec
from maguyva_nb.types import Intent

_CELL = re.compile(r"(.+):(\d+)-(\d+):(\d+)")
FORMS = ".csv (query,result1,...), .json, .jsonl (semble), or .tsv with .qrels (TREC)"


def read_queries(file: Path, *, source: Path, repo: str | None = None, qrels: Path | None = None) -> QuerySet:
    """The query set of a file, by its suffix.

    Where a file holds several codebases, ``repo`` names the one; without it the innermost folder of ``source``
    that bears one of their names.
    """
    if qrels is not None or file.suffix in (*TOPICS, QRELS):
        found = read_trec(file, qrels)
    elif file.suffix == ".csv":
        found = _octocode(file)
    elif file.suffix == ".jsonl":
        found = _semble(file, _json_lines(file), source, repo)
    elif file.suffix == ".json":
        found = _json(file, source, repo)
    else:
        raise QuerySetError(f"{file} is no known form of query set.", next=f"Give {FORMS}.")
    _check(file, found)
    return found


def _check(file: Path, found: QuerySet) -> None:
    if not found.queries:
        raise QuerySetError(f"{file} holds no query with an answer.", next="Add an answer to a query.")
    twice = [name for name, count in Counter(q.id for q in found.queries).items() if count > 1]
    if twice:
        raise QuerySetError(f"{file} has the id {twice[0]!r} twice.", next="Give every query an id of its own.")
    blank = next((q.id for q in found.queries if not q.query.strip()), None)
    if blank is not None:
        raise QuerySetError(f"{file}: query {blank!r} has no text.", next="Write its text, or remove it.")


def _octocode(file: Path) -> QuerySet:
    reader = csv.DictReader(io.StringIO(_text(file), newline=""))
    columns = [name for name in reader.fieldnames or () if name and re.fullmatch(r"result\d+", name)]
    if "query" not in (reader.fieldnames or ()) or not columns:
        raise QuerySetError(f"{file} line 1 lacks a column.", next="Start with: query,result1,result2,result3")
    rows: list[EvalQuery] = []
    total = 0
    for total, row in enumerate(reader, 1):
        where = f"{file} line {reader.line_num}"
        if None in row:
            raise QuerySetError(f"{where} has more cells than line 1.", next="Put a query with commas in quotes.")
        cells = [cell for name in columns if (cell := (row[name] or "").strip())]
        answers = tuple(_cell(cell, where) for cell in cells)
        if answers:
            rows.append(EvalQuery(f"q{total:03}", (row["query"] or "").strip(), "en", None, None, answers))
    return QuerySet(file.stem, tuple(rows), Level.LINE, total - len(rows))


def _cell(cell: str, where: str) -> Answer:
    found = _CELL.fullmatch(cell)
    if not found:
        raise QuerySetError(f"{where}: {cell!r} is no answer.", next="Write it as path:start-end:relevance.")
    return _answer(found[1], int(found[2]), int(found[3]), int(found[4]), where)


def _answer(path: Any, start: Any, end: Any, relevance: Any, where: str) -> Answer:
    """An answer from untrusted values; without ``start`` and ``end`` it is a whole file."""
    if not isinstance(path, str) or not path.strip():
        raise QuerySetError(f"{where}: an answer has no path.", next="Give the path as in the codebase.")
    if type(relevance) is not int or relevance < 1:
        raise QuerySetError(f"{where}: relevance {relevance!r}.", next="It is a whole number of 1 or more.")
    if start is None and end is None:
        return Answer(path.removeprefix("./"), relevance=relevance)
    if type(start) is not int or type(end) is not int or not 1 <= start <= end:
        raise QuerySetError(f"{where}: lines {start!r}-{end!r}.", next="Lines are whole numbers from 1, start first.")
    return Answer(path.removeprefix("./"), start, end, relevance)


def _json(file: Path, source: Path, repo: str | None) -> QuerySet:
    found = _parsed(_text(file), str(file))
    if isinstance(found, list):
        return _semble(file, [(f"{file} item {i}", row) for i, row in enumerate(found, 1)], source, repo)
    queries = found.get("queries") if isinstance(found, dict) else None
    if not isinstance(queries, list):
        raise QuerySetError(f"{file} has no list of queries.", next='Write {"repo": ..., "queries": [...]}.')
    rows = [_json_query(row, f"{file} query {i}") for i, row in enumerate(queries, 1)]
    kept = tuple(row for row in rows if row.answers)
    whole = {answer.start is None for row in kept for answer in row.answers}
    if len(whole) > 1:
        raise QuerySetError(f"{file} has answers with and without lines.", next="Give start and end to all or none.")
    return QuerySet(file.stem, kept, Level.FILE if whole == {True} else Level.LINE, len(rows) - len(kept))


def _json_query(row: Any, where: str) -> EvalQuery:
    row = _object(row, where)
    name = _string(row, "id", where)
    where = f"{where} ({name})"
    intent = row.get("intent")
    if intent is not None and intent not in list(Intent):
        raise QuerySetError(f"{where}: unknown intent {intent!r}.", next=f"Known: {', '.join(Intent)}.")
    answers = [_object(answer, where) for answer in _list(row, "answers", where)]
    return EvalQuery(
        id=name,
        query=_string(row, "query", where),
        lang=str(row.get("lang", "en")),
        intent=None if intent is None else Intent(intent),
        category=None if row.get("category") is None else str(row["category"]),
        answers=tuple(
            _answer(a.get("path"), a.get("start"), a.get("end"), a.get("relevance", 1), where) for a in answers
        ),
    )


def _semble(file: Path, rows: Iterable[tuple[str, Any]], source: Path, repo: str | None) -> QuerySet:
    """File level: relevant files have relevance 2, secondary ones 1 (``ndcg10`` takes both as 1)."""
    found = [(where, _object(row, where)) for where, row in rows]
    chosen = _chosen({str(row["repo"]) for _, row in found if row.get("repo")}, source, repo, file)
    mine = [(where, row) for where, row in found if chosen is None or row.get("repo") == chosen]
    queries = [_semble_query(row, where, f"q{i:03}") for i, (where, row) in enumerate(mine, 1)]
    kept = tuple(query for query in queries if query.answers)
    return QuerySet(f"{file.stem}:{chosen}" if chosen else file.stem, kept, Level.FILE, len(queries) - len(kept))


def _chosen(repos: set[str], source: Path, repo: str | None, file: Path) -> str | None:
    if repo is None and len(repos) < 2:
        return next(iter(repos), None)
    names = [repo] if repo is not None else [p.name for p in (source.absolute(), *source.absolute().parents)]
    known = next((name for name in names if name in repos), None)
    if known is None:
        what = (
            f"{file} has no codebase {repo!r}." if repo else f"{file} holds several codebases, none named as PATH is."
        )
        raise QuerySetError(
            what, next=f"Name one with --repo: {', '.join(sorted(repos)[:20]) or 'the file names none'}."
        )
    return known


def _semble_query(row: Mapping[str, Any], where: str, name: str) -> EvalQuery:
    graded = [(one, 2) for one in _list(row, "relevant", where)]
    graded += [(one, 1) for one in row.get("secondary") or ()]
    best: dict[str, Answer] = {}
    for one, relevance in graded:
        path = one.get("path") if isinstance(one, dict) else one
        answer = _answer(path, None, None, relevance, where)
        best.setdefault(answer.path, answer)
    category = row.get("category")
    text = _string(row, "query", where)
    return EvalQuery(str(row.get("id", name)), text, "en", None, category and str(category), tuple(best.values()))


def _json_lines(file: Path) -> list[tuple[str, Any]]:
    lines = enumerate(_text(file).split("\n"), 1)
    return [(f"{file} line {n}", _parsed(line, f"{file} line {n}")) for n, line in lines if line.strip()]


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = "" if " line " in where else f" line {error.lineno}"
        raise QuerySetError(f"{where}{line} is not valid JSON ({error.msg}).", next="Correct that line.") from error


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise QuerySetError(f"{where} is {value!r:.60}.", next="It must be an object with named values.")
    return value


def _string(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise QuerySetError(f"{where} has no {key!r}.", next=f"Give it as text: {{{key!r}: ...}}.")
    return value


def _list(row: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = row.get(key)
    if not isinstance(value, list):
        raise QuerySetError(f"{where} has no list {key!r}.", next=f"Give {key} as a list.")
    return value


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise QuerySetError(
            f"Cannot read the queries {file}: {why}.", next="Check the path; it must be UTF-8."
        ) from error
