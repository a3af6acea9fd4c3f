"""Syntax patterns (``ast[LANG]: PATTERN``): every match of an ast-grep pattern, in the indexed text of whole files."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from maguyva_nb.errors import MissingExtra, QueryError
from maguyva_nb.index.languages import language
from maguyva_nb.retrieve.clock import Clock
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.exact import candidates, in_order, several
from maguyva_nb.retrieve.scope import language_name
from maguyva_nb.types import Modality, Query, RankedHit, RankedList, Span

# Our name of a language -> ast-grep's; any other name makes ast-grep panic.
LANGUAGES: Mapping[str, str] = {
    **{
        name: name
        for name in (
            *("python", "javascript", "typescript", "tsx", "rust", "go", "java", "c", "cpp", "csharp", "ruby", "php"),
            *("bash", "kotlin", "swift", "scala", "lua", "yaml", "json", "html", "css", "elixir", "haskell", "nix"),
            "solidity",
        )
    },
    "terraform": "hcl",
}
_KNOWN = f"Those that have syntax patterns: {', '.join(LANGUAGES)}."
# Where a call alone reads as a declaration or a conversion, it is read inside a function, too.
_INSIDE = {"go": "func _() {{ {} }}", "c": "void f() {{ {}; }}", "cpp": "void f() {{ {}; }}"}
_CALL = re.compile(r"(?!(?:if|for|while|switch|return|sizeof|func)\b)[\w$]+(?:(?:\.|::|->)[\w$]+)*\(")
_VARIABLE = re.compile(r"\${1,3}[A-Z_][A-Z0-9_]*|\$\$\$")
_WORD = re.compile(r"[^\W\d]\w{2,}")
# What ast-grep writes for the $ of a pattern.
_MARKS = str.maketrans({"µ": "$", "𐀀": "$"})
_COMMENT = re.compile(r"//|/\*|#|--|<!--")
# Files read from the index at once: bounds memory.
BATCH = 200


@dataclass(frozen=True, slots=True)
class _Matcher:
    """A pattern in one language."""

    language: str
    rule: Mapping[str, Any]


def check_pattern(pattern: str, name: str | None) -> None:
    """Raises ``QueryError`` for a language that has no syntax patterns, or a pattern that none can have."""
    names = _names(name)
    if find_spec("ast_grep_py") is not None:
        _matchers(pattern, names)


def require_package() -> None:
    """Raises ``MissingExtra`` where ast-grep is not installed."""
    if find_spec("ast_grep_py") is None:
        raise MissingExtra("ast-grep-py", "ast")


def syntax_list(corpus: Corpus, query: Query) -> RankedList:
    """Every chunk that holds the first line of a match; none is left out. Raises ``QueryError`` out of time."""
    clock = Clock(corpus.settings.search.timeout_s)
    pattern = query.ast or ""
    matchers = _matchers(pattern, _names(query.ast_language))
    found: dict[int, list[Span]] = {}
    files = 0
    for matcher in matchers:
        for file_id, text in _texts(corpus, query, matcher.language):
            files += 1
            if clock.left() is None:
                raise _too_slow(corpus, query, file_id, clock)
            for first, last in _matches(matcher, text):
                chunk_id = corpus.chunk_at(file_id, first)
                if chunk_id is not None:
                    found.setdefault(chunk_id, []).append((first, last))
    mask = corpus.mask(query.filters)
    hits = [
        RankedHit(i, 1.0 + several(len(lines)), lines=tuple(sorted(set(lines))))
        for i, lines in found.items()
        if mask is None or mask[i]
    ]
    note = f"every match of {pattern!r}" if hits else _nothing(pattern, matchers, files)
    return in_order(corpus, hits, note=note, modality=Modality.STRUCTURAL)


def _names(name: str | None) -> Sequence[str]:
    """The languages of a query: the one it names, or all with a grammar of ours."""
    if name is None:
        return [one for one in LANGUAGES if (row := language(one)) and row.grammar]
    try:
        found = language_name(name)
    except QueryError as error:
        close = difflib.get_close_matches(name, LANGUAGES, 1, 0.5)
        raise QueryError(error.message, next=f"Did you mean ast[{close[0]}]?" if close else _KNOWN) from error
    if found not in LANGUAGES:
        raise QueryError(f"There are no syntax patterns for {found}.", next=_KNOWN)
    return [found]


def _matchers(pattern: str, names: Sequence[str]) -> list[_Matcher]:
    """The pattern in each language that takes it; raises ``QueryError`` when none does."""
    found: list[_Matcher] = []
    refused = ""
    for name in names:
        rules: list[dict[str, Any]] = [{"pattern": pattern}]
        if name in _INSIDE and _is_call(pattern):
            rules.append({"pattern": {"context": _INSIDE[name].format(pattern), "selector": "call_expression"}})
        try:
            one = _Matcher(name, {"any": rules})
            _matches(one, "")
        except QueryError as error:
            refused = refused or error.message
        else:
            found.append(one)
    if not found:
        raise QueryError(refused, next="Write one whole expression, statement or definition, as in ast[python]: f($X)")
    return found


def _is_call(pattern: str) -> bool:
    """Whether a pattern is one call and nothing else."""
    match = _CALL.match(pattern)
    if match is None:
        return False
    open_ones = 0
    for place, char in enumerate(pattern):
        open_ones += (char == "(") - (char == ")")
        if open_ones == 0 and place >= match.end() - 1:
            return place == len(pattern) - 1
    return False


def _matches(matcher: _Matcher, text: str) -> list[Span]:
    """The lines of each match, 1-based."""
    from ast_grep_py import SgRoot

    config: Any = {"rule": matcher.rule}
    try:
        nodes = SgRoot(text, LANGUAGES[matcher.language]).root().find_all(config)
        places = [node.range() for node in nodes]
    except BaseException as error:  # a panic of ast-grep is no Exception
        if not isinstance(error, RuntimeError) and type(error).__name__ != "PanicException":
            raise
        raise QueryError(
            f"The syntax pattern cannot be used in {matcher.language}: {_cause(str(error))}",
            next="Write one whole expression, statement or definition.",
        ) from error
    return [(place.start.line + 1, place.end.line + 1) for place in places]


def _cause(message: str) -> str:
    """The last reason in ast-grep's chain of them."""
    reasons = re.findall(r"^\s*\d+: (.+)$", message.partition("Stack backtrace")[0], re.MULTILINE)
    said = str(reasons[-1]) if reasons else message.partition("\n")[0]
    return said.translate(_MARKS).strip()


def _texts(corpus: Corpus, query: Query, name: str) -> Iterator[tuple[int, str]]:
    """The files of a language that hold every word of the pattern."""
    files, chunks = corpus.reader.files, corpus.reader.chunks
    mask = corpus.mask(query.filters)
    wanted = {i for i, other in enumerate(files.language) if other == name}
    if mask is not None:
        wanted &= {chunks.file_id[i] for i in range(corpus.size) if mask[i]}
    for word in _words(query.ast or ""):
        holding = candidates(corpus, [[word]], ignore_case=False) if wanted else ()
        wanted &= {chunks.file_id[i] for i in holding or ()}
    ids = sorted(wanted)
    for start in range(0, len(ids), BATCH):
        yield from corpus.reader.file_texts(ids[start : start + BATCH]).items()


def _words(pattern: str) -> Iterable[str]:
    """Words that every match must hold; none where the pattern may have a comment, which matches do without."""
    return () if _COMMENT.search(pattern) else dict.fromkeys(_WORD.findall(_VARIABLE.sub(" ", pattern)))


def _nothing(pattern: str, matchers: Sequence[_Matcher], files: int) -> str:
    """Why there is no match, as far as that can be told."""
    where = matchers[0].language if len(matchers) == 1 else "any language"
    said = f"no match of {pattern!r} in {where}, {files} files tried"
    if len(matchers) == 1 and _is_broken(matchers[0].language, pattern):
        said += f"; as {where} by itself the pattern has a syntax error, which may be why"
    return said


def _is_broken(name: str, pattern: str) -> bool:
    from ast_grep_py import SgRoot

    text = ("<?php " if name == "php" else "") + _VARIABLE.sub("x", pattern)
    return SgRoot(text, LANGUAGES[name]).root().find(kind="ERROR") is not None


def _too_slow(corpus: Corpus, query: Query, file_id: int, clock: Clock) -> QueryError:
    path = corpus.reader.files.path[file_id]
    return QueryError(
        f"The syntax pattern {query.ast!r} was stopped after {clock.seconds:g} s, at {path}.",
        next="Name a language, a word that matches must hold, or search less with --path.",
    )
