"""The explorer: classify -> route -> retrieve -> fuse -> trace. One object an index, shared by threads."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from maguyva_nb.config import Settings, load_settings
from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.errors import IndexOutdated, MaguyvaError, PathNotFound, QueryError
from maguyva_nb.index.build import build_index
from maguyva_nb.intent import classify
from maguyva_nb.protocols import Embedder
from maguyva_nb.query import parse_query
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.graph import GraphRetriever
from maguyva_nb.retrieve.impact import ImpactAnalysis
from maguyva_nb.retrieve.lookup import SymbolLookup
from maguyva_nb.retrieve.semantic import SemanticRetriever
from maguyva_nb.retrieve.structural import StructuralRetriever
from maguyva_nb.retrieve.text import TextRetriever
from maguyva_nb.reweigh import fused_results, present, reweigh, weighted_absent
from maguyva_nb.route import Route, SearchOptions, choose_route, fused_route
from maguyva_nb.store.locate import index_path
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.types import (
    Absent,
    AbsentReason,
    Chunk,
    ChunkCard,
    Classification,
    Impact,
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

__all__ = ["Explorer", "SearchOptions", "reweigh"]

Lists = dict[Modality, RankedList | Absent]


class Explorer:
    """Answers questions about one indexed codebase. ``runs`` counts retriever runs by modality."""

    def __init__(self, source: Path, reader: IndexReader, settings: Settings, embedder: Embedder) -> None:
        self.source = source
        self.settings = settings
        self.reader = reader
        self.runs: Counter[Modality] = Counter()
        self._corpus = Corpus(reader, settings)
        self._lookup = SymbolLookup(reader)
        self._text = TextRetriever(self._corpus)
        self._structural = StructuralRetriever(self._corpus, self._lookup)
        self._semantic = SemanticRetriever(self._corpus, embedder)
        self._graph = GraphRetriever(self._corpus, self._lookup)
        self._impact = ImpactAnalysis(self._corpus, self._lookup, self._graph)
        self._pool = ThreadPoolExecutor(len(Modality), thread_name_prefix="retrieve")

    @classmethod
    def open(
        cls,
        source: Path | str,
        *,
        settings: Settings | None = None,
        db: Path | None = None,
        embedder: Embedder | None = None,
        progress: ProgressListener | None = None,
    ) -> Explorer:
        """Opens the index of a codebase, making it first where there is none."""
        settings = settings or load_settings()
        source = Path(source).expanduser()
        if not source.is_dir():
            raise PathNotFound(f"{source} is not a folder.", next="Give the folder of a codebase.")
        path = db or index_path(source)
        if not path.is_file():
            embedder = embedder or load_embedder(settings.index.embedder)
            build_index(source, path, settings=settings, embedder=embedder, progress=progress)
        reader = IndexReader(path)
        embedder = embedder or load_embedder(reader.meta.get("model", settings.index.embedder))
        made_by = reader.meta.get("model_revision")
        if made_by != embedder.info.revision:
            reader.close()
            raise IndexOutdated(
                f"The index {path} has vectors of {embedder.info.name} {made_by}, not {embedder.info.revision}.",
                next=f"Rebuild it with: maguyva-nb index {source} --force",
            )
        return cls(source, reader, settings, embedder)

    def close(self) -> None:
        """Ends the threads and releases the index file."""
        self._pool.shutdown(wait=True)
        self.reader.close()

    def search(self, text: str, options: SearchOptions | None = None) -> SearchTrace:
        """Runs one query; see ``SearchOptions``. The trace holds every result, best first."""
        options = options or SearchOptions()
        started = time.perf_counter()
        query, found = self._understand(text, options)
        classified = time.perf_counter()
        profile = self._profile(options)
        route = choose_route(found, profile, options, self.settings)
        lists, warnings = self._run(query, route)
        if route.strategy is Strategy.DIRECT and _empty(lists, route):
            only = next(iter(route.weights))
            warnings.append(SearchWarning("fallback", f"The {only} list is empty, so all lists were asked."))
            route = fused_route(found.intent, profile, options, self.settings)
            more, new = self._run(query, route, have=lists)
            lists, warnings = more, [*warnings, *new]
        trace = self._trace(query, found, profile, route, lists, options)
        timings = {**trace.timings_ms, "classify": (classified - started) * 1e3}
        timings["total"] = (time.perf_counter() - started) * 1e3
        if options.weights is not None and trace.strategy is Strategy.RRF:
            warnings.extend(weighted_absent(trace, options.weights))
        warnings.extend(self._stale(trace, options))
        return replace(trace, timings_ms=timings, warnings=tuple(warnings))

    def classify(self, text: str, *, rules: str | None = None) -> Classification:
        """The intent of a query and the rule that says so; needs no index."""
        return self._understand(text, SearchOptions(rules=rules))[1]

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
        lists, warnings = self._run(trace.query, route, have=dict(trace.lists))
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
            "edges": len(reader.edges.src),
        }

    def _understand(self, text: str, options: SearchOptions) -> tuple[Query, Classification]:
        query = parse_query(text, ignore_case=options.ignore_case, max_length=self.settings.search.max_query)
        found = classify(query, table=options.rules or self.settings.search.rules)
        if options.intent is not None and options.intent is not found.intent:
            found = replace(found, intent=options.intent, confidence=1.0, rule="override", span=None)
        if query.ast is not None:
            raise QueryError("Search by syntax pattern is not in this version.", next="Ask in words or by name.")
        return _with_target(query, found), found

    def _profile(self, options: SearchOptions) -> Profile:
        if isinstance(options.profile, Profile):
            return options.profile
        return self.settings.profile(options.profile or self.settings.search.profile)

    def _run(
        self, query: Query, route: Route, have: Mapping[Modality, RankedList | Absent] | None = None
    ) -> tuple[Lists, list[SearchWarning]]:
        """Runs the lists of a route that are not there yet, in parallel; the graph waits for its seeds."""
        lists: Lists = {m: Absent(reason) for m, reason in route.absent.items()}
        lists.update({m: one for m, one in (have or {}).items() if isinstance(one, RankedList)})
        wanted = [m for m in Modality if m in route.weights and not isinstance(lists.get(m), RankedList)]
        pending = {m: self._submit(m, query) for m in wanted if m is not Modality.GRAPH}
        for modality, future in pending.items():
            lists[modality] = self._outcome(modality, future)
        if Modality.GRAPH in wanted:
            future = self._pool.submit(self._timed, Modality.GRAPH, query, self._seeds(query, lists))
            lists[Modality.GRAPH] = self._outcome(Modality.GRAPH, future)
        for modality, one in (have or {}).items():
            lists.setdefault(modality, one)
        failed = [m for m in wanted if isinstance(lists[m], Absent)]
        warnings = [SearchWarning("modality_failed", f"{m} failed: {getattr(lists[m], 'message', '')}") for m in failed]
        return {m: lists[m] for m in Modality}, warnings

    def _seeds(self, query: Query, lists: Lists) -> tuple[RankedList, ...]:
        """The text and structural lists, run for this purpose where the route has none; none for a named symbol."""
        if query.symbols:
            return ()
        seeds = [lists.get(m) for m in (Modality.TEXT, Modality.STRUCTURAL)]
        return tuple(
            one if isinstance(one, RankedList) else self._timed(m, query)
            for m, one in zip((Modality.TEXT, Modality.STRUCTURAL), seeds, strict=True)
        )

    def _submit(self, modality: Modality, query: Query) -> Future[RankedList]:
        return self._pool.submit(self._timed, modality, query)

    def _timed(self, modality: Modality, query: Query, seeds: Sequence[RankedList] = ()) -> RankedList:
        started = time.perf_counter()
        self.runs[modality] += 1
        depth = self.settings.search.depth
        if modality is Modality.GRAPH:
            ranked = self._graph(query, depth=depth, seeds=seeds)
        else:
            ranked = self._retrievers[modality](query, depth=depth)
        return replace(ranked, elapsed_ms=(time.perf_counter() - started) * 1e3)

    @property
    def _retrievers(self) -> Mapping[Modality, SemanticRetriever | TextRetriever | StructuralRetriever]:
        return {
            Modality.SEMANTIC: self._semantic,
            Modality.TEXT: self._text,
            Modality.STRUCTURAL: self._structural,
        }

    def _outcome(self, modality: Modality, future: Future[RankedList]) -> RankedList | Absent:
        """The list, or why there is none: a retriever's failure must never take the search down."""
        limit = self.settings.search.timeout_s
        try:
            return future.result(timeout=limit)
        except TimeoutError:
            return Absent(AbsentReason.FAILED, f"no answer within {limit:g} s")
        except MaguyvaError as error:
            return Absent(AbsentReason.FAILED, str(error))
        except Exception as error:
            return Absent(AbsentReason.FAILED, f"{type(error).__name__}: {error}")

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

    def _cards(self, lists: Lists) -> dict[int, ChunkCard]:
        ids = {hit.chunk_id for one in lists.values() if isinstance(one, RankedList) for hit in one.hits}
        return self._corpus.cards(sorted(ids))

    def _stale(self, trace: SearchTrace, options: SearchOptions) -> list[SearchWarning]:
        """One warning that names the shown files which changed since they were indexed."""
        top = options.top or self.settings.search.top
        shown = sorted({trace.cards[hit.chunk_id].path for hit in trace.results[:top]})
        changed = [path for path in shown if self._changed(path)]
        if not changed:
            return []
        names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        next_step = f"maguyva-nb index {self.source} --force"
        return [SearchWarning("stale", f"Changed since they were indexed: {names}. Refresh with: {next_step}")]

    def _changed(self, path: str) -> bool:
        files = self.reader.files
        i = files.path.index(path)
        try:
            now = (self.source / path).stat()
            if (now.st_mtime_ns, now.st_size) == (files.mtime_ns[i], files.bytes[i]):
                return False
            return hashlib.sha256((self.source / path).read_bytes()).hexdigest() != files.sha256[i]
        except OSError:
            return True


def _empty(lists: Lists, route: Route) -> bool:
    return not any(one.hits for m in route.weights if isinstance(one := lists[m], RankedList))


def _with_target(query: Query, found: Classification) -> Query:
    """The query with what the classifier found in it: a symbol to look up, or a literal to verify."""
    target = found.target
    if target.kind is TargetKind.SYMBOL:
        names = tuple(dict.fromkeys((target.text, *query.symbols)))
        return replace(query, symbols=names, direction=target.direction)
    if target.kind is TargetKind.LITERAL and query.regex is None:
        return replace(query, literal=target.text)
    return replace(query, direction=target.direction or query.direction)
