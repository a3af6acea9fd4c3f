"""The state of the explorer: everything views show, and every action they can ask for.

No widget is needed to use it. Long work goes through a ``Runner``; what it brings back is applied on the
document's own thread, and only while nothing newer has been asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import param

from maguyva_nb.config import check_weight
from maguyva_nb.errors import ConfigError, MaguyvaError, UnknownSymbol
from maguyva_nb.reweigh import reweigh
from maguyva_nb.route import SearchOptions
from maguyva_nb.types import (
    Absent,
    ChunkCard,
    Impact,
    Intent,
    Modality,
    Profile,
    SearchTrace,
    Symbol,
    TargetKind,
    WeightRow,
)
from maguyva_nb_widgets.contract import Chosen, Engine, Problem, Source, problem_of
from maguyva_nb_widgets.runner import Done, Runner, run_now


class SearchState(param.Parameterized):  # type: ignore[misc]
    """One explorer's state; views watch its parameters and call its actions."""

    query = param.String(default="", doc="The text of the query box.")
    preset = param.String(default="", doc="The name of the preset.")
    profile = param.ClassSelector(class_=Profile, doc="The weights in force; an edit makes a new one.")
    trace = param.ClassSelector(class_=SearchTrace, allow_None=True, doc="The last search, fused with the profile.")
    chunk_id = param.Integer(default=None, allow_None=True, doc="The chosen result.")
    source = param.ClassSelector(class_=Source, allow_None=True, doc="The file of the chosen result.")
    symbols = param.ClassSelector(class_=tuple, default=(), doc="The symbols of the chosen result.")
    symbol_id = param.Integer(default=None, allow_None=True, doc="The symbol whose blast radius is shown.")
    impact = param.ClassSelector(class_=Impact, allow_None=True, doc="That blast radius.")
    busy = param.Boolean(default=False, doc="A search is running.")
    filling = param.Boolean(default=False, doc="Missing lists are being run after the first paint.")
    problem = param.ClassSelector(class_=Problem, allow_None=True, doc="The error to show.")
    weight_problem = param.ClassSelector(class_=Problem, allow_None=True, doc="Why an edited weight was refused.")

    def __init__(
        self,
        engine: Engine,
        *,
        query: str = "",
        preset: str | None = None,
        weights: WeightRow | Sequence[float] | None = None,
        run: Runner = run_now,
    ) -> None:
        settings = engine.settings
        self.engine = engine
        self.settings = settings
        self._run = run
        self._turn = 0
        self._choice = 0
        self._searched: SearchTrace | None = None
        self._shipped = settings.profile(settings.search.profile)
        self._row = checked_row(weights) if weights is not None else None
        profile = self._shipped if self._row is None else _flat_profile(self._row)
        name = settings.search.preset if preset is None else preset
        settings.preset(name)
        super().__init__(query=query, preset=name, profile=profile)

    def run_with(self, run: Runner) -> None:
        """Takes another runner, for what is asked from now on."""
        self._run = run

    # --- actions ---------------------------------------------------------------------------

    def search(self, query: str | None = None) -> None:
        """Runs the query; an earlier search still running is forgotten."""
        if query is not None:
            self.query = query
        self._turn += 1
        text = self.query.strip()
        if not text:
            self.problem = Problem("The query is empty.", 'Type a question, a name, or a "literal" to find.')
            return
        self.param.update(busy=True, filling=False, problem=None, weight_problem=None)
        options = SearchOptions(preset=self.preset, profile=self.profile, weights=self._row)
        self._start(partial(self._find, self._turn, text, options), self._turn)

    def set_preset(self, name: str) -> None:
        """Takes another preset and, when there is a result already, searches again with it."""
        self.settings.preset(name)
        if name != self.preset:
            self.preset = name
            if self.trace is not None:
                self.search()

    def set_weight(self, intent: Intent, modality: Modality, value: Any) -> bool:
        """Sets one cell and re-fuses at once; a bad value is refused with ``weight_problem`` and False."""
        try:
            weight = check_weight(value, f"{intent}.{modality}")
        except ConfigError as error:
            self.weight_problem = Problem(error.message, "A weight is a finite number of 0 or more; the old one stays.")
            return False
        rows = {**self.profile.weights, intent: {**self.profile.row(intent), modality: weight}}
        self._row = None
        self.param.update(profile=Profile(_edited(self.profile.name), rows), weight_problem=None)
        self._refuse()
        return True

    def reset_profile(self) -> None:
        """Back to the profile of the settings."""
        self._row = None
        self.param.update(profile=self._shipped, weight_problem=None)
        self._refuse()

    @property
    def edited(self) -> bool:
        """Whether any weight differs from the profile of the settings."""
        return dict(self.profile.weights) != dict(self._shipped.weights)

    def run_modality(self, modality: Modality) -> None:
        """Runs one list that the trace lacks, because the user asked for it."""
        if self._searched is not None:
            self._complete((modality,))

    def choose(self, chunk_id: int) -> None:
        """Shows a chunk: its source, its symbols, and the blast radius of the symbol it is named after."""
        self._choose(chunk_id, None)

    def _choose(self, chunk_id: int, asked: str | None) -> None:
        if self.trace is None or chunk_id not in self.trace.cards:
            return
        self._choice += 1
        self.chunk_id = chunk_id
        self._start(partial(self._look_up, self._choice, self.trace.cards[chunk_id], asked), None)

    def choose_symbol(self, symbol_id: int) -> None:
        """Shows the blast radius of any symbol; the chosen result stays."""
        self._choice += 1
        chosen = Chosen(self.source, self.symbols, symbol_id)
        self._start(partial(self._measure, self._choice, chosen), None)

    def show_lines(self, path: str, start_line: int, end_line: int) -> None:
        """Shows lines of any indexed file, for instance of a caller in the blast radius."""
        try:
            self.source = self._source(path, start_line, end_line)
        except MaguyvaError as error:
            self.problem = Problem(error.message, error.next)

    # --- long work: these run off the document's thread and return what to do on it --------

    def _start(self, work: Callable[[], Done], turn: int | None) -> None:
        try:
            self._run(work)
        except Exception as error:
            self._fail(turn, problem_of(error))

    def _find(self, turn: int, text: str, options: SearchOptions) -> Done:
        try:
            trace = self.engine.search(text, options)
        except Exception as error:
            return partial(self._fail, turn, problem_of(error))
        return partial(self._found, turn, trace)

    def _found(self, turn: int, trace: SearchTrace) -> None:
        if turn != self._turn:
            return
        try:
            self._searched = trace
            self.param.update(trace=self._fused(trace), busy=False)
            if trace.results:
                self._choose(self.trace.results[0].chunk_id, _asked_about(trace))
            else:
                self._clear_choice()
            self._complete(None)
        finally:
            self.busy = False

    def _complete(self, modalities: tuple[Modality, ...] | None) -> None:
        trace = self._searched
        if trace is None or not any(isinstance(found, Absent) for found in trace.lists.values()):
            return
        self.filling = True
        self._start(partial(self._fill, self._turn, trace, modalities), self._turn)

    def _fill(self, turn: int, trace: SearchTrace, modalities: tuple[Modality, ...] | None) -> Done:
        try:
            completed = self.engine.complete(trace, modalities)
        except Exception as error:
            return partial(self._fail, turn, problem_of(error))
        return partial(self._filled, turn, completed)

    def _filled(self, turn: int, completed: SearchTrace) -> None:
        if turn != self._turn:
            return
        self._searched = completed
        self.param.update(trace=self._fused(completed), filling=False)

    def _look_up(self, choice: int, card: ChunkCard, asked: str | None) -> Done:
        try:
            symbols = self.engine.symbols_of(card.chunk_id)
            symbol_id = self._named(asked) if asked else None
            source = self._source(card.path, card.start_line, card.end_line)
        except Exception as error:
            return partial(self._fail, None, problem_of(error))
        if symbol_id is None:
            symbol_id = _main_symbol(symbols, card.symbol)
        return self._measure(choice, Chosen(source, symbols, symbol_id))

    def _named(self, name: str) -> int | None:
        """The symbol of that name, the first of several, None where there is none."""
        try:
            impact = self.engine.impact(name)
        except UnknownSymbol:
            return None
        return next((node.symbol_id for node in (impact.symbol, *impact.candidates) if node is not None), None)

    def _measure(self, choice: int, chosen: Chosen) -> Done:
        try:
            impact = None if chosen.symbol_id is None else self.engine.symbol_impact(chosen.symbol_id)
        except Exception as error:
            return partial(self._fail, None, problem_of(error))
        return partial(self._apply, choice, replace(chosen, impact=impact))

    def _apply(self, choice: int, chosen: Chosen) -> None:
        if choice == self._choice:
            self.param.update(**{name: getattr(chosen, name) for name in Chosen.__slots__})

    # --- helpers ---------------------------------------------------------------------------

    def _fail(self, turn: int | None, problem: Problem) -> None:
        """Shows a problem; ``turn`` is that of a search, None for anything smaller."""
        if turn is None:
            self.problem = problem
        elif turn == self._turn:
            self.param.update(problem=problem, busy=False, filling=False)

    def _clear_choice(self) -> None:
        self._choice += 1
        self.param.update(chunk_id=None, source=None, symbols=(), symbol_id=None, impact=None)

    def _fused(self, searched: SearchTrace) -> SearchTrace:
        """Under the profile in force, always from the lists as searched: edits do not pile up."""
        same = dict(self.profile.weights) == dict(searched.profile.weights)
        return searched if same else reweigh(searched, self.profile)

    def _refuse(self) -> None:
        if self._searched is not None:
            self.trace = self._fused(self._searched)

    def _source(self, path: str, start_line: int, end_line: int) -> Source:
        return Source(path, self.engine.language(path), self.engine.file_text(path), start_line, end_line)


def checked_row(weights: WeightRow | Sequence[float]) -> WeightRow:
    """Four weights, by modality or in the order semantic, text, structural, graph."""
    named = weights if isinstance(weights, Mapping) else dict(zip(Modality, weights, strict=False))
    if {str(m) for m in named} != {str(m) for m in Modality} or len(weights) != len(Modality):
        raise ConfigError("Four weights are needed.", next=f"Give one each for {', '.join(Modality)}.")
    return {m: check_weight(float(named[m]), f"weights.{m}") for m in Modality}


def _asked_about(trace: SearchTrace) -> str | None:
    """The symbol whose dependants a query asks for: its blast radius answers better than that of a result."""
    target = trace.classification.target
    relation = trace.classification.intent in (Intent.FIND_REFERENCES, Intent.IMPACT_ANALYSIS)
    return target.text if relation and target.kind is TargetKind.SYMBOL else None


def _main_symbol(symbols: Sequence[Symbol], name: str) -> int | None:
    """The symbol that a result is named after, else its first."""
    named = [s for s in symbols if name in (s.qualified_name, s.name)]
    return next((s.symbol_id for s in [*named, *symbols]), None)


def _flat_profile(row: WeightRow) -> Profile:
    """The same four weights whatever the intent."""
    return Profile("call", {intent: dict(row) for intent in Intent})


def _edited(name: str) -> str:
    return name if name.endswith("*") else f"{name}*"
