"""TREC form: ``topic 0 document relevance`` rows, and topics as ``id<TAB>query`` rows.

A document is a path of the codebase or ``path:start-end``. Topics without a relevant document are left out, as
trec_eval does; relevance 0 or less means not relevant.
"""

from __future__ import annotations

import re
from pathlib import Path

from maguyva_nb.errors import QuerySetError
from maguyva_nb.evaluate.records import Answer, EvalQuery, Level, QuerySet

TOPICS, QRELS = (".tsv", ".topics"), ".qrels"
# The document may hold blanks, as paths may.
_QREL = re.compile(r"(\S+)\s+\S+\s+(\S.*?)\s+(-?\d+)")
_RANGE = re.compile(r"(.+):(\d+)-(\d+)")


def read_trec(queries: Path, qrels: Path | None) -> QuerySet:
    """Topics and qrels; without ``qrels`` the two lie side by side under one name (a.tsv, a.qrels)."""
    topics, judged = _files(queries, qrels)
    texts = _topics(topics)
    answers: dict[str, list[Answer]] = {name: [] for name in texts}
    for number, line in _lines(judged):
        topic, answer = _qrel(line, judged, number)
        if topic not in answers:
            raise QuerySetError(
                f"{judged} line {number}: topic {topic!r} is not in {topics}.", next="Add its text there."
            )
        if answer.relevance > 0:
            answers[topic].append(answer)
    whole = {answer.start is None for found in answers.values() for answer in found}
    if len(whole) > 1:
        raise QuerySetError(
            f"{judged} has documents with and without lines.", next="Give all as path:start-end, or all as path."
        )
    kept = [EvalQuery(name, texts[name], "en", None, None, tuple(found)) for name, found in answers.items() if found]
    level = Level.FILE if whole == {True} else Level.LINE
    return QuerySet(topics.stem, tuple(kept), level, len(answers) - len(kept))


def _files(queries: Path, qrels: Path | None) -> tuple[Path, Path]:
    if qrels is not None:
        return queries, qrels
    if queries.suffix != QRELS:
        return queries, queries.with_suffix(QRELS)
    found = [path for suffix in TOPICS if (path := queries.with_suffix(suffix)).is_file()]
    return (found[0] if found else queries.with_suffix(TOPICS[0])), queries


def _topics(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, line in _lines(path):
        name, tab, text = line.partition("\t")
        if not tab or not name.strip() or not text.strip():
            raise QuerySetError(f"{path} line {number} is no topic.", next="Write it as: id, a tab, the query.")
        if name.strip() in texts:
            raise QuerySetError(f"{path} line {number}: topic {name.strip()!r} is there twice.", next="Remove one.")
        texts[name.strip()] = text.strip()
    return texts


def _qrel(line: str, path: Path, number: int) -> tuple[str, Answer]:
    found = _QREL.fullmatch(line.strip())
    if not found:
        raise QuerySetError(f"{path} line {number} is no judgement.", next="Write it as: topic 0 path relevance.")
    topic, document, relevance = found.groups()
    if lines := _RANGE.fullmatch(document):
        start, end = int(lines[2]), int(lines[3])
        if not 1 <= start <= end:
            raise QuerySetError(f"{path} line {number}: lines {start}-{end}.", next="Lines start at 1 and go up.")
        return topic, Answer(lines[1], start, end, int(relevance))
    return topic, Answer(document, relevance=int(relevance))


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QuerySetError(
            f"Cannot read {path}: {getattr(error, 'strerror', None) or error}.",
            next="Give the topics with --queries and the judgements with --qrels, both UTF-8.",
        ) from error
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
