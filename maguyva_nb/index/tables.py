"""Drafts of all files -> the Arrow tables of an index, with ids given in path order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from maguyva_nb.graph.pagerank import degrees, distinct_pairs, pagerank
from maguyva_nb.index.analyse import FileDraft
from maguyva_nb.index.fields import FieldCounts, Postings, join_terms, merge, shift_chunks, unpack
from maguyva_nb.index.resolve import Links
from maguyva_nb.types import EdgeKind

# Converged to a printed digit on every codebase tried; queries use fewer rounds.
ITERATIONS = 100


def file_table(drafts: Sequence[FileDraft]) -> pa.Table:
    """``files``; the id is the position."""
    return pa.table(
        {
            "file_id": pa.array(range(len(drafts)), pa.uint32()),
            "path": pa.array([d.path for d in drafts], pa.string()),
            "language": pa.array([d.language for d in drafts], pa.string()),
            "bytes": pa.array([d.size for d in drafts], pa.uint64()),
            "lines": pa.array([d.lines for d in drafts], pa.uint32()),
            "sha256": pa.array([d.sha256 for d in drafts], pa.string()),
            "mtime_ns": pa.array([d.mtime_ns for d in drafts], pa.int64()),
            "status": pa.array([str(d.status) for d in drafts], pa.string()),
            "reason": pa.array([d.reason for d in drafts], pa.string()),
        }
    )


def chunk_table(drafts: Sequence[FileDraft]) -> pa.Table:
    """``chunks``; ids run through the files in order."""
    chunks = list(chain.from_iterable(d.chunks for d in drafts))
    sizes = [len(d.chunks) for d in drafts]
    return pa.table(
        {
            "chunk_id": pa.array(range(len(chunks)), pa.uint32()),
            "file_id": pa.array(np.repeat(np.arange(len(drafts)), sizes), pa.uint32()),
            "kind": pa.array([c.kind for c in chunks], pa.string()),
            "name": pa.array([c.name for c in chunks], pa.string()),
            "start_line": pa.array([c.start for c in chunks], pa.uint32()),
            "end_line": pa.array([c.end for c in chunks], pa.uint32()),
            "text": pa.array([c.text for c in chunks], pa.string()),
            "is_test": pa.array([c.is_test for c in chunks], pa.bool_()),
        }
    )


def symbol_table(drafts: Sequence[FileDraft]) -> pa.Table:
    """``symbols``; ids run through the files in order, as in ``resolve``."""
    rows: list[tuple[Any, ...]] = []
    first_chunk = 0
    for file_id, draft in enumerate(drafts):
        first = len(rows)
        symbols = draft.parsed.symbols if draft.parsed else ()
        for symbol, chunk in zip(symbols, draft.symbol_chunk, strict=True):
            parent = None if symbol.parent is None else first + symbol.parent
            rows.append((file_id, first_chunk + chunk, parent, draft.is_test, symbol))
        first_chunk += len(draft.chunks)
    symbols_ = [row[4] for row in rows]
    return pa.table(
        {
            "symbol_id": pa.array(range(len(rows)), pa.uint32()),
            "file_id": pa.array([r[0] for r in rows], pa.uint32()),
            "chunk_id": pa.array([r[1] for r in rows], pa.uint32()),
            "parent_id": pa.array([r[2] for r in rows], pa.uint32()),
            "name": pa.array([s.name for s in symbols_], pa.string()),
            "qualified_name": pa.array([s.qualified_name for s in symbols_], pa.string()),
            "kind": pa.array([str(s.kind) for s in symbols_], pa.string()),
            "signature": pa.array([s.signature for s in symbols_], pa.string()),
            "doc": pa.array([s.doc for s in symbols_], pa.string()),
            "line": pa.array([s.line for s in symbols_], pa.uint32()),
            "start_line": pa.array([s.start_line for s in symbols_], pa.uint32()),
            "end_line": pa.array([s.end_line for s in symbols_], pa.uint32()),
            "exported": pa.array([s.exported for s in symbols_], pa.bool_()),
            "is_test": pa.array([s.is_test or r[3] for s, r in zip(symbols_, rows, strict=True)], pa.bool_()),
        }
    )


def field_tables(batches: Sequence[FieldCounts]) -> dict[str, pa.Table]:
    """``terms``, ``trigrams`` and ``lengths``, each sorted by its first column."""
    sizes = [_chunks_of(batch) for batch in batches]
    firsts = [sum(sizes[:i]) for i in range(len(sizes))]
    shifted = list(zip(batches, firsts, strict=True))
    vocabulary, terms = join_terms(
        (b.vocabulary, Postings(shift_chunks(b.terms.keys, first), b.terms.counts)) for b, first in shifted
    )
    trigrams = merge([Postings(shift_chunks(b.trigrams.keys, first), b.trigrams.counts) for b, first in shifted])
    unit, chunk, field = unpack(terms.keys)
    words = pa.DictionaryArray.from_arrays(pa.array(unit, pa.uint32()), pa.array(vocabulary, pa.string()))
    term_table = pa.table({"term": words, "chunk_id": chunk, "field": field, "count": terms.counts})
    unit, chunk, field = unpack(trigrams.keys)
    trigram_table = pa.table({"trigram": unit, "chunk_id": chunk, "field": field, "count": trigrams.counts})
    return {"terms": term_table, "trigrams": trigram_table, "lengths": _length_table(shifted)}


def link_tables(links: Links, symbols: int, damping: float) -> dict[str, pa.Table]:
    """``call_sites``, ``edges`` and ``centrality``."""
    sites, edges = links.sites, links.edges
    kinds = [str(e.kind) for e in edges]
    site_table = pa.table(
        {
            "site_id": pa.array([s.site_id for s in sites], pa.uint32()),
            "file_id": pa.array([s.file_id for s in sites], pa.uint32()),
            "caller_id": pa.array([s.caller_id for s in sites], pa.uint32()),
            "name": pa.array([s.name for s in sites], pa.string()),
            "receiver": pa.array([s.receiver for s in sites], pa.string()),
            "line": pa.array([s.line for s in sites], pa.uint32()),
            "resolution": pa.array([str(s.resolution) for s in sites], pa.string()),
        }
    )
    edge_table = pa.table(
        {
            "src": pa.array([e.src for e in edges], pa.uint32()),
            "dst": pa.array([e.dst for e in edges], pa.uint32()),
            "kind": pa.array(kinds, pa.string()),
            "confidence": pa.array([e.confidence for e in edges], pa.float32()),
            "provenance": pa.array([str(e.provenance) for e in edges], pa.string()),
            "line": pa.array([e.line for e in edges], pa.uint32()),
            "site_id": pa.array([e.site_id for e in edges], pa.uint32()),
        }
    )
    return {"call_sites": site_table, "edges": edge_table, "centrality": _centrality(links, symbols, damping)}


def _centrality(links: Links, n: int, damping: float) -> pa.Table:
    pairs = [(e.src, e.dst) for e in links.edges if e.kind is not EdgeKind.CONTAINS]
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    src, dst = distinct_pairs(n, ends[:, 0], ends[:, 1])
    into, out = degrees(n, src, dst)
    return pa.table(
        {
            "symbol_id": pa.array(range(n), pa.uint32()),
            "pagerank": pagerank(n, src, dst, damping=damping, iterations=ITERATIONS),
            "in_degree": pa.array(into, pa.uint32()),
            "out_degree": pa.array(out, pa.uint32()),
        }
    )


def _chunks_of(batch: FieldCounts) -> int:
    return len(batch.lengths) // 4


def _length_table(shifted: Sequence[tuple[FieldCounts, int]]) -> pa.Table:
    keys = np.concatenate([shift_chunks(b.length_keys, first) for b, first in shifted] or [np.empty(0, np.uint64)])
    tokens = np.concatenate([b.lengths for b, _ in shifted] or [np.empty(0, np.uint32)])
    order = np.argsort(keys)
    _, chunk, field = unpack(keys[order])
    return pa.table({"chunk_id": chunk, "field": field, "tokens": tokens[order]})
