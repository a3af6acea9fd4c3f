"""What a query becomes: its parsed form, what it names, and its intent."""

from __future__ import annotations

from dataclasses import dataclass

from maguyva_nb.types.enums import Direction, Intent, TargetKind
from maguyva_nb.types.translated import Translation, translated

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Filters:
    """What of a codebase a query is about: path globs, languages, code that is no test; nothing set is all of it."""

    globs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    no_tests: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Each filter as text, such as ``path=src/``, ``lang=python`` and ``no_tests``."""
        paths = tuple(f"path={glob}" for glob in self.globs)
        return (*paths, *(f"lang={name}" for name in self.languages), *(("no_tests",) if self.no_tests else ()))


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Example:
    """Code that the results shall be like: the chunk of a named symbol, which is no result itself."""

    chunk_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: at most one of literal, regex and ast is set, else it is words.

    An ast pattern without a language is for every language of the index. ``focus`` is the name a question is about,
    where its other words ("who calls", "what breaks") say nothing about the code.
    """

    raw: str
    literal: str | None = None
    regex: str | None = None
    ast: str | None = None
    ast_language: str | None = None
    symbols: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    direction: Direction | None = None
    ignore_case: bool = False
    expansion: tuple[Translation, ...] = ()
    filters: Filters = NO_FILTERS
    example: Example | None = None
    focus: str = ""

    @property
    def words(self) -> str:
        """The text that word-wise retrievers search: the form's inside, or the raw query in the words of code."""
        if self.example is not None:
            return self.example.text
        return self.focus or self.literal or self.regex or self.ast or translated(self.raw, self.expansion)


@dataclass(frozen=True, slots=True)
class Target:
    """What the query names, where (span in the raw query) and in which direction."""

    kind: TargetKind = TargetKind.NONE
    text: str = ""
    span: Span | None = None
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule that matched but did not win, or (near miss) almost matched."""

    rule: str
    intent: Intent
    confidence: float
    span: Span | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Classification:
    """The intent of a query, the rule that said so, and the rules it beat."""

    intent: Intent
    confidence: float
    rule: str
    span: Span | None
    target: Target = Target()
    shadowed: tuple[RuleMatch, ...] = ()
    near_misses: tuple[RuleMatch, ...] = ()
    note: str = ""
