"""The explorer: classify -> route -> retrieve -> fuse -> trace. One object an index, shared by threads."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from maguyva_nb.config import Settings, load_settings, whole_row
from maguyva_nb.embed.registry import BUNDLED, canonical_name, load_embedder
from maguyva_nb.errors import PathNotFound, QueryError
from maguyva_nb.index.build import IndexReport, build_index
from maguyva_nb.index.refresh import refresh_index
from maguyva_nb.protocols import Embedder, Retriever
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.graph import GraphRetriever
from maguyva_nb.retrieve.impact import ImpactAnalysis
from maguyva_nb.retrieve.lookup import SymbolLookup
from maguyva_nb.retrieve.run import ListRunner
from maguyva_nb.retrieve.semantic import SemanticRetriever, Space
from maguyva_nb.retrieve.spaces import added_space, base_space, better_space
from maguyva_nb.retrieve.structural import StructuralRetriever
from maguyva_nb.retrieve.syntax import require_package
from maguyva_nb.retrieve.text import TextRetriever
from maguyva_nb.reweigh import fused_results, present, reweigh, weighted_absent
from maguyva_nb.route import Route, SearchOptions, choose_route, fused_route
from maguyva_nb.stale import stale_warnings
from maguyva_nb.store.locate import index_path
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.store.user import UserStore
from maguyva_nb.translate import translate
from maguyva_nb.types import (
    Absent,
    AbsentReason,
    Chunk,
    ChunkCard,
    Classification,
    Example,
    Impact,
    Intent,
    Modality,
    Profile,
    ProgressListener,
    Query,
    RankedList,
    SearchTrace,
    SearchWarning,
    Strategy,
    Symbol,
    TargetKind,
)
from maguyva_nb.understand import understand

__all__ = ["Explorer", "SearchOptions", "reweigh"]

Lists = Mapping[Modality, RankedList | Absent]
Warnings = list[SearchWarning]


class Explorer:
    """Answers questions about one indexed codebase."""

    def __init__(self, source: Path, reader: IndexReader, settings: Settings, base: Space) -> None:
        self.source = source
        self.settings = settings
        self.reader = reader
        self._corpus = Corpus(reader, settings)
        self._lookup = SymbolLookup(reader)
        graph = GraphRetriever(self._corpus, self._lookup)
        self._base = base
        self._semantic = SemanticRetriever(self._corpus, base, better_space(reader, settings))
        others: list[Retriever] = [
            self._semantic,
            TextRetriever(self._corpus),
            StructuralRetriever(self._corpus, self._lookup),
        ]
        self._runner = ListRunner(self._corpus, others, graph, settings)
        self._impact = ImpactAnalysis(self._corpus, self._lookup, graph)

    @classmethod
    def open(
        cls,
        source: Path | str,
        *,
        settings: Settings | None = None,
        db: Path | None = None,
        embedder: Embedder | None = None,
        model: str | None = None,
        progress: ProgressListener | None = None,
    ) -> Explorer:
        """Opens the index of a codebase, making it first (with the base ``embedder``) where there is none.

        ``model`` names the embedder that is to answer; its vectors are made where the index has none.
        """
        settings = settings or load_settings()
        source = _folder(source)
        path = db or index_path(source)
        if not os.path.isfile(path):
            base = embedder or load_embedder(BUNDLED)
            build_index(source, path, settings=settings, embedder=base, progress=progress)
        reader = IndexReader(path)
        explorer = cls(source, reader, settings, base_space(reader, embedder))
        if model is not None:
            explorer.upgrade(model, progress=progress)
        return explorer

    @staticmethod
    def index(
        source: Path | str,
        *,
        settings: Settings | None = None,
        db: Path | None = None,
        force: bool = False,
        embedder: str | None = None,
        progress: ProgressListener | None = None,
    ) -> IndexReport:
        """Makes or refreshes the index of a codebase; nothing is done when nothing changed, unless forced."""
        settings = settings or load_settings()
        source = _folder(source)
        path = db or index_path(source)
        return refresh_index(source, path, settings=settings, force=force, embedder=embedder, progress=progress)

    @property
    def model(self) -> str:
        """The name of the embedder that answers."""
        return self._semantic.model

    @property
    def pending(self) -> str | None:
        """The embedder of the settings where it does not answer yet: ``upgrade`` makes it."""
        wanted = self.settings.index.embedder
        return None if wanted == BUNDLED or canonical_name(wanted) == self.model else wanted

    def upgrade(self, embedder: str | None = None, *, progress: ProgressListener | None = None) -> str:
        """Makes an embedder (default: that of the settings) answer from now on, and returns its name.

        Its vectors are made in this thread where the index has none, each batch kept at once; searches in other threads
        go on with the vectors there are. Raises ``ModelUnavailable``.
        """
        name = embedder or self.settings.index.embedder
        if canonical_name(name) == self._base.model.name:
            self._semantic.answer_with(self._base)
            return self.model
        model = load_embedder(name, self.settings.embed)
        space = better_space(self.reader, self.settings, name)
        if space is None or space.model.revision != model.info.revision:
            space = added_space(self.reader, model, cache=UserStore(), progress=progress)
        self._semantic.answer_with(space)
        return self.model

    @property
    def runs(self) -> Mapping[Modality, int]:
        """How often each retriever ran in this object's life."""
        return self._runner.runs

    def close(self) -> None:
        """Ends the threads and releases the index file."""
        self._runner.close()
        self.reader.close()

    def search(self, text: str, options: SearchOptions | None = None) -> SearchTrace:
        """Runs one query; see ``SearchOptions``. The trace holds every result, best first."""
        options = options or SearchOptions()
        started = time.perf_counter()
        query, found = understand(text, options, self.settings)
        query = self._by_example(query, found)
        if query.ast is not None:
            require_package()
        classified = time.perf_counter()
        profile = self._profile(options)
        route = choose_route(found, profile, options, self.settings)
        query = self._expanded(query, found, route, options)
        lists, warnings = self._run(query, route, {})
        if route.strategy is Strategy.DIRECT and _empty(lists, route):
            only = next(iter(route.weights))
            became = "is empty" if isinstance(lists[only], RankedList) else "failed"
            warnings.append(SearchWarning("fallback", f"The {only} list {became}, so all lists were asked."))
            route = fused_route(found.intent, profile, options, self.settings)
            query = self._expanded(query, found, route, options)
            again = {m: weight for m, weight in route.weights.items() if m is not only or became == "is empty"}
            lists, more = self._run(query, replace(route, weights=again), lists)
            warnings += more
        trace = self._trace(query, found, profile, route, lists, options)
        timings = {**trace.timings_ms, "classify": (classified - started) * 1e3}
        timings["total"] = (time.perf_counter() - started) * 1e3
        if options.weights is not None and trace.strategy is Strategy.RRF:
            warnings.extend(weighted_absent(trace, whole_row(options.weights)))
        warnings.extend(
            (
                *self._unknown(found),
                *self._nothing(query, lists),
                *self._awaited(lists),
                *self._stale(trace, options.top or self.settings.search.top),
            )
        )
        return replace(trace, timings_ms=timings, warnings=tuple(warnings))

    def complete(self, trace: SearchTrace, modalities: Collection[Modality] | None = None) -> SearchTrace:
        """Adds the lists that the route left out; results stay as they are until ``reweigh``.

        Without ``modalities``: all that are absent, except failed ones and one the intent gives weight 0.
        """
        if modalities is None:
            modalities = [
                m
                for m, one in trace.lists.items()
                if isinstance(one, Absent)
                and one.reason is not AbsentReason.FAILED
                and not (m is Modality.SEMANTIC and trace.profile_weights[m] <= 0)
            ]
        missing = {m: 1.0 for m in Modality if m in modalities and m not in present(trace.lists)}
        route = Route(trace.strategy, missing, {}, trace.fusion.k)
        lists, warnings = self._run(trace.query, route, trace.lists)
        kept = [w for w in trace.warnings if w.type != "modality_failed"]
        return replace(trace, lists=lists, cards={**trace.cards, **self._cards(lists)}, warnings=(*kept, *warnings))

    def impact(self, symbol: str, *, depth: int | None = None) -> Impact:
        """The blast radius of a named symbol (``name``, ``Class.name`` or ``path:name``)."""
        if not symbol.strip():
            raise QueryError("The symbol is empty.", next="Name a function, class or method.")
        return self._impact.of_name(symbol, max_depth=depth)

    def symbol_impact(self, symbol_id: int, *, depth: int | None = None) -> Impact:
        """The blast radius of one symbol by id."""
        return self._impact.of_symbol(symbol_id, max_depth=depth)

    def symbols_of(self, chunk_id: int) -> tuple[Symbol, ...]:
        """The symbols defined in a chunk, by line."""
        rows = self.reader.rows(
            "SELECT symbol_id FROM idx.symbols WHERE chunk_id = ? ORDER BY line, symbol_id", [chunk_id]
        )
        return tuple(self.reader.symbols.row(int(row[0])) for row in rows)

    def chunk(self, chunk_id: int) -> Chunk:
        """One chunk with its text."""
        columns = self.reader.chunks
        return Chunk(
            chunk_id=chunk_id,
            file_id=columns.file_id[chunk_id],
            kind=columns.kind[chunk_id],
            name=columns.name[chunk_id],
            start_line=columns.start_line[chunk_id],
            end_line=columns.end_line[chunk_id],
            text=self.reader.texts([chunk_id])[chunk_id],
            is_test=columns.is_test[chunk_id],
        )

    def file_text(self, path: str) -> str:
        """The indexed text of a file."""
        return self.reader.file_text(path)

    def language(self, path: str) -> str | None:
        """The language of an indexed file."""
        files = self.reader.files
        return files.language[files.path.index(path)] if path in files.path else None

    def summary(self) -> dict[str, int]:
        """Counts of files, chunks, symbols and edges."""
        reader = self.reader
        indexed = sum(status != "skipped" for status in reader.files.status)
        return {
            "files": indexed,
            "chunks": len(reader.chunks),
            "symbols": len(reader.symbols),
            "edges": int(reader.rows("SELECT count(*) FROM idx.edges")[0][0]),
        }

    def _profile(self, options: SearchOptions) -> Profile:
        if isinstance(options.profile, Profile):
            return options.profile
        return self.settings.profile(options.profile or self.settings.search.profile)

    def _run(self, query: Query, route: Route, have: Lists) -> tuple[dict[Modality, RankedList | Absent], Warnings]:
        """The lists of a route, those at hand reused; a failed one is a warning that names it."""
        absent = {m: Absent(reason) for m, reason in route.absent.items()}
        kept = {m: one for m, one in have.items() if m not in absent or isinstance(one, RankedList)}
        lists = self._runner.run(query, route.weights, {**absent, **kept})
        failed = [(m, one) for m, one in lists.items() if m in route.weights and isinstance(one, Absent)]
        warnings = [SearchWarning("modality_failed", f"{m} failed: {one.message}") for m, one in failed]
        fresh = [one for m, one in lists.items() if isinstance(one, RankedList) and one is not have.get(m)]
        warnings += [SearchWarning("model_unavailable", one.warning) for one in fresh if one.warning]
        return lists, warnings

    def _trace(
        self, query: Query, found: Classification, profile: Profile, route: Route, lists: Lists, options: SearchOptions
    ) -> SearchTrace:
        started = time.perf_counter()
        fusion = self.settings.fusion.settings(route.k, options.max_per_file)
        cards = self._cards(lists)
        central, symbols = self._corpus.pagerank_max, len(self.reader.symbols)
        results = fused_results(lists, route.weights, cards, fusion, route.strategy, central, symbols)
        timings = {str(m): one.elapsed_ms for m, one in lists.items() if isinstance(one, RankedList)}
        timings["fuse"] = (time.perf_counter() - started) * 1e3
        preset = options.preset or self.settings.search.preset
        return SearchTrace(
            query=query,
            classification=found,
            preset=preset,
            strategy=route.strategy,
            weights=route.weights,
            profile=profile,
            lists=lists,
            cards=cards,
            fusion=fusion,
            pagerank_max=central,
            symbol_count=symbols,
            results=results,
            timings_ms=timings,
        )

    def _by_example(self, query: Query, found: Classification) -> Query:
        """Asked for code like that of a named symbol: its code is the query, and it is no result itself."""
        named = [i for name in query.symbols for i in self._lookup.find(name)]
        if found.intent is not Intent.FIND_SIMILAR or not named:
            return query
        chunk_id = self.reader.symbols.chunk_id[named[0]]
        text = self.reader.texts([chunk_id])[chunk_id]
        return replace(query, symbols=(), direction=None, example=Example(chunk_id, text))

    def _unknown(self, found: Classification) -> Warnings:
        """One warning when the query names a symbol that the index does not have."""
        name = found.target.text
        if found.target.kind is not TargetKind.SYMBOL or self._lookup.find(name):
            return []
        nearest = self._lookup.nearest(name, 3)
        offer = f" Did you mean {', '.join(nearest)}?" if nearest else ""
        return [SearchWarning("unknown_symbol", f"No symbol named {name} in this index.{offer}")]

    def _expanded(self, query: Query, found: Classification, route: Route, options: SearchOptions) -> Query:
        """The query with its Spanish words as English ones; not where a form or a symbol alone is looked up."""
        wanted = self.settings.search.expand_spanish if options.expand is None else options.expand
        form = query.literal is not None or query.regex is not None or query.ast is not None
        if not wanted or form or (route.strategy is Strategy.DIRECT and query.symbols):
            return query
        spans = (*query.spans, *((found.target.span,) if found.target.span else ()))
        return replace(query, expansion=self._corpus.with_known(translate(query.raw, spans)))

    def _cards(self, lists: Lists) -> dict[int, ChunkCard]:
        ids = {hit.chunk_id for one in lists.values() if isinstance(one, RankedList) for hit in one.hits}
        return self._corpus.cards(sorted(ids))

    def _stale(self, trace: SearchTrace, top: int) -> Warnings:
        """Warnings about the shown files that are no longer as they were indexed."""
        return stale_warnings(self.reader, self.source, (trace.cards[hit.chunk_id].path for hit in trace.results[:top]))

    def _nothing(self, query: Query, lists: Lists) -> Warnings:
        """Warnings that say why there is nothing: no code passes the filters, or no code has the syntax."""
        mask = self._corpus.mask(query.filters)
        if mask is not None and not mask.any():
            known = ", ".join(sorted({name for name in self.reader.files.language if name}))
            said = f"Nothing in the index passes the filters {', '.join(query.filters.names)}. Its languages: {known}."
            return [SearchWarning("filtered_empty", said)]
        found = lists.get(Modality.STRUCTURAL)
        if query.ast is None or not isinstance(found, RankedList) or found.hits:
            return []
        return [SearchWarning("no_match", f"{found.note[:1].upper()}{found.note[1:]}.")]

    def _awaited(self, lists: Lists) -> Warnings:
        """A warning that the embedder of the settings has yet to read this codebase, where it would have answered."""
        if not isinstance(lists.get(Modality.SEMANTIC), RankedList) or self.pending is None:
            return []
        said = f"{self.model} answered. The vectors of {self.pending} are made by: maguyva-nb index {self.source}"
        return [SearchWarning("model_pending", said)]


def _folder(source: Path | str) -> Path:
    path = Path(source).expanduser()
    if not os.path.isdir(path):
        what = "is a file, not a folder" if os.path.exists(path) else "does not exist or may not be looked at"
        raise PathNotFound(f"{path} {what}.", next="Give the folder that holds the codebase.")
    return path


def _empty(lists: Lists, route: Route) -> bool:
    return not any(one.hits for m in route.weights if isinstance(one := lists[m], RankedList))
