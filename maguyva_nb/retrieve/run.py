"""Running lists side by side: timed, counted, bounded, and never taking a search down."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from maguyva_nb.config import Settings
from maguyva_nb.errors import IndexUnreadable, MaguyvaError
from maguyva_nb.protocols import Retriever
from maguyva_nb.retrieve.corpus import Corpus
from maguyva_nb.retrieve.graph import GraphRetriever
from maguyva_nb.types import Absent, AbsentReason, Modality, Query, RankedList

Lists = Mapping[Modality, RankedList | Absent]
SEED_LISTS = (Modality.TEXT, Modality.STRUCTURAL)


class ListRunner:
    """The retrievers of one index on a pool of threads. ``runs`` counts retriever runs by modality."""

    def __init__(
        self, corpus: Corpus, retrievers: Sequence[Retriever], graph: GraphRetriever, settings: Settings
    ) -> None:
        self._corpus = corpus
        self.runs: Counter[Modality] = Counter()
        self._retrievers = {retriever.modality: retriever for retriever in retrievers}
        self._graph = graph
        self._settings = settings.search
        self._pool = ThreadPoolExecutor(len(Modality), thread_name_prefix="retrieve")

    def close(self) -> None:
        """Waits for what runs, then ends the threads."""
        self._pool.shutdown(wait=True)

    def run(self, query: Query, wanted: Iterable[Modality], have: Lists) -> dict[Modality, RankedList | Absent]:
        """``have`` with the wanted lists added, in parallel; the graph starts when its seeds are there."""
        missing = [m for m in Modality if m in set(wanted) and not isinstance(have.get(m), RankedList)]
        if missing and query.literal is None and query.regex is None:
            self._corpus.prepare(query.words)
        pending = {m: self._pool.submit(self._timed, m, query) for m in missing if m is not Modality.GRAPH}
        lists = dict(have)
        lists.update({m: self._outcome(future) for m, future in pending.items()})
        if Modality.GRAPH in missing:
            lists[Modality.GRAPH] = self._outcome(self._pool.submit(self._timed_graph, query, lists))
        return {m: lists[m] for m in Modality if m in lists}

    def _timed(self, modality: Modality, query: Query) -> RankedList:
        started = time.perf_counter()
        self.runs[modality] += 1
        ranked = _but_example(self._retrievers[modality](query, depth=self._settings.depth), query)
        return replace(ranked, elapsed_ms=(time.perf_counter() - started) * 1e3)

    def _timed_graph(self, query: Query, lists: Lists) -> RankedList:
        started = time.perf_counter()
        self.runs[Modality.GRAPH] += 1
        seeds = self._seeds(query, lists)
        ranked = _but_example(self._graph(query, depth=self._settings.depth, seeds=seeds), query)
        return replace(ranked, elapsed_ms=(time.perf_counter() - started) * 1e3)

    def _seeds(self, query: Query, lists: Lists) -> tuple[RankedList, ...]:
        """The text and structural lists, run for this purpose where there is none; none for a named symbol."""
        if query.symbols:
            return ()
        present = {m: lists.get(m) for m in SEED_LISTS}
        return tuple(one if isinstance(one, RankedList) else self._timed(m, query) for m, one in present.items())

    def _outcome(self, future: Future[RankedList]) -> RankedList | Absent:
        limit = self._settings.timeout_s
        try:
            return future.result(timeout=limit)
        except TimeoutError:
            return Absent(AbsentReason.FAILED, f"no answer within {limit:g} s")
        except IndexUnreadable:
            # No list can be trusted then, and the next step is the same for all.
            raise
        except MaguyvaError as error:
            return Absent(AbsentReason.FAILED, str(error))
        except Exception as error:
            return Absent(AbsentReason.FAILED, f"{type(error).__name__}: {error}")


def _but_example(ranked: RankedList, query: Query) -> RankedList:
    """The list without the chunk that the query is: the best match of all, and no news."""
    if query.example is None:
        return ranked
    own = query.example.chunk_id
    return replace(ranked, hits=tuple(hit for hit in ranked.hits if hit.chunk_id != own))
