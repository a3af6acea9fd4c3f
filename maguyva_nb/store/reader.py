"""Read access to an index: shared by threads, attached READ_ONLY, never in the way of a rebuild."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from maguyva_nb.errors import IndexMissing, IndexOutdated, IndexUnreadable, MaguyvaError
from maguyva_nb.store.columns import ChunkColumns, EdgeColumns, FileColumns, Postings, SymbolColumns
from maguyva_nb.store.connect import CONFIG, REBUILD, clear_errors, quoted, sql_text
from maguyva_nb.store.version import SCHEMA_VERSION

# Postings kept in memory for the next query: a codebase's frequent terms, a few MB.
CACHED_TERMS = 4096
TABLES = tuple(re.findall(r"CREATE TABLE (\w+)", sql_text("schema.sql")))


class IndexReader:
    """One index file, as rows and as arrays. Ids are 0..n-1 and double as positions in the arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with clear_errors(path):
            if not path.is_file():
                raise IndexMissing(f"There is no index at {path}.", next="Make it with: maguyva-nb index PATH")
            # An in-memory instance of its own: a swapped file is then seen by the next reader of this process.
            self._root = duckdb.connect(":memory:", config=CONFIG)
            self._root.execute(f"ATTACH {quoted(path)} AS idx (READ_ONLY)")
        self._local = threading.local()
        self._postings: dict[tuple[str, str | int], Postings] = {}
        try:
            self._check_version()
            self._check_tables()
        except MaguyvaError:
            self.close()
            raise

    def close(self) -> None:
        """Releases the file; a closed reader answers nothing more."""
        self._root.close()

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement, on this thread's own cursor; raises ``IndexUnreadable`` for a damaged file."""
        with clear_errors(self.path):
            return self._cursor().execute(sql, list(params)).fetchall()

    def arrays(self, sql: str, params: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """All columns of a statement as numpy arrays; raises ``IndexUnreadable`` for a damaged file."""
        with clear_errors(self.path):
            return self._cursor().execute(sql, list(params)).fetchnumpy()

    def verify(self) -> None:
        """Reads all there is of every table; raises ``IndexUnreadable`` where that fails."""
        for name in TABLES:
            self.rows(f'SELECT count(*), bit_xor(hash(t)) FROM idx."{name}" AS t')

    @cached_property
    def meta(self) -> Mapping[str, str]:
        """Schema version, source root, commit, model and the like."""
        return dict(self.rows("SELECT key, value FROM idx.meta"))

    @cached_property
    def files(self) -> FileColumns:
        """All files, skipped ones included, by file id."""
        rows = self.rows(
            "SELECT path, language, status, lines, mtime_ns, bytes, sha256 FROM idx.files ORDER BY file_id"
        )
        return FileColumns(*(list(column) for column in zip(*rows, strict=True)))

    @cached_property
    def chunks(self) -> ChunkColumns:
        """Places and names of all chunks, without texts, by chunk id."""
        rows = self.rows("SELECT file_id, kind, name, start_line, end_line, is_test FROM idx.chunks ORDER BY chunk_id")
        return ChunkColumns(*(list(column) for column in zip(*rows, strict=True))) if rows else ChunkColumns.empty()

    @cached_property
    def symbols(self) -> SymbolColumns:
        """All symbols by symbol id, with their centrality."""
        rows = self.rows(
            "SELECT s.file_id, s.chunk_id, s.parent_id, s.name, s.qualified_name, s.kind, s.signature, s.doc, s.line,"
            " s.start_line, s.end_line, s.exported, s.is_test, coalesce(c.pagerank, 0), coalesce(c.in_degree, 0)"
            " FROM idx.symbols s LEFT JOIN idx.centrality c USING (symbol_id) ORDER BY s.symbol_id"
        )
        return SymbolColumns(*(list(column) for column in zip(*rows, strict=True))) if rows else SymbolColumns.empty()

    @cached_property
    def edges(self) -> EdgeColumns:
        """All edges but ``contains``, as arrays."""
        got = self.arrays(
            "SELECT src, dst, kind, confidence, line FROM idx.edges"
            " WHERE kind <> 'contains' ORDER BY src, dst, kind, line"
        )
        return EdgeColumns(
            got["src"].astype(np.int64),
            got["dst"].astype(np.int64),
            np.asarray(got["kind"], dtype=object).astype(str),
            got["confidence"].astype(np.float64),
            got["line"].astype(np.int64),
        )

    @property
    def model(self) -> tuple[str, str]:
        """Name and revision of the model that answers."""
        return self.meta.get("model", ""), self.meta.get("model_revision", "")

    @property
    def base_model(self) -> tuple[str, str]:
        """Name and revision of the quick model that the index was built with."""
        return self.meta.get("base_model", self.model[0]), self.meta.get("base_revision", self.model[1])

    @cached_property
    def models(self) -> frozenset[str]:
        """Keys (``name@revision``) of the models that the index has vectors of."""
        return frozenset(str(row[0]) for row in self.rows("SELECT DISTINCT model FROM idx.chunk_vectors"))

    def vectors(self, model: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """``(chunk_ids, matrix)`` of a model's key: ``matrix[i]`` is the unit vector of chunk ``chunk_ids[i]``."""
        rows = self.rows(
            "SELECT v.chunk_id, e.vector FROM idx.chunk_vectors v JOIN idx.embeddings e USING (text_sha, model)"
            " WHERE v.model = ? ORDER BY v.chunk_id",
            [model],
        )
        if not rows:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        matrix = np.frombuffer(b"".join(bytes(vector) for _, vector in rows), "<f4").reshape(len(rows), -1)
        return np.array([chunk_id for chunk_id, _ in rows], np.int64), matrix.astype(np.float32, copy=False)

    @cached_property
    def field_lengths(self) -> NDArray[np.float64]:
        """``(chunks, fields)`` token counts."""
        got = self.arrays("SELECT chunk_id, field, tokens FROM idx.lengths")
        table = np.zeros((len(self.chunks), 4))
        table[got["chunk_id"].astype(np.int64), got["field"].astype(np.int64)] = got["tokens"]
        return table

    def term_postings(self, terms: Sequence[str]) -> dict[str, Postings]:
        """Where each term occurs; a term without occurrences has empty postings."""
        return self._postings_of("terms", "term", terms)

    def trigram_postings(self, trigrams: Sequence[int]) -> dict[int, Postings]:
        """Where each packed trigram occurs."""
        return self._postings_of("trigrams", "trigram", trigrams)

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Texts of chunks by id."""
        rows = self.rows(
            "SELECT chunk_id, text FROM idx.chunks WHERE chunk_id IN (SELECT unnest(?::UINTEGER[]))", [list(chunk_ids)]
        )
        return dict(rows)

    def texts_holding(self, part: str) -> dict[int, str]:
        """Texts of the chunks that hold a text, byte for byte; of all chunks for an empty one."""
        where = " WHERE contains(text, ?)" if part else ""
        return dict(self.rows(f"SELECT chunk_id, text FROM idx.chunks{where}", [part] if part else []))

    def file_texts(self, file_ids: Sequence[int]) -> dict[int, str]:
        """Texts of files by id, in the order of ids: their chunks joined."""
        rows = self.rows(
            "SELECT file_id, string_agg(text, '' ORDER BY start_line) FROM idx.chunks"
            " WHERE file_id IN (SELECT unnest(?::UINTEGER[])) GROUP BY file_id ORDER BY file_id",
            [list(file_ids)],
        )
        return dict(rows)

    def file_text(self, path: str) -> str:
        """The stored text of a file: its chunks joined, which partition it."""
        rows = self.rows(
            "SELECT c.text FROM idx.chunks c JOIN idx.files f USING (file_id) WHERE f.path = ? ORDER BY c.start_line",
            [path],
        )
        return "".join(row[0] for row in rows)

    def _postings_of(self, table: str, column: str, keys: Sequence[Any]) -> dict[Any, Postings]:
        found = {key: self._postings.get((table, key)) for key in keys}
        missing = [key for key, postings in found.items() if postings is None]
        if missing:
            found.update(self._fetch_postings(table, column, missing))
        return {key: postings for key, postings in found.items() if postings is not None}

    def _fetch_postings(self, table: str, column: str, keys: Sequence[Any]) -> dict[Any, Postings]:
        kind = "UINTEGER" if table == "trigrams" else "VARCHAR"
        got = self.arrays(
            f"SELECT {column} AS key, chunk_id, field, count FROM idx.{table}"
            f" WHERE {column} IN (SELECT unnest(?::{kind}[])) ORDER BY key, chunk_id, field",
            [list(keys)],
        )
        fresh = dict.fromkeys(keys, Postings.nothing())
        names = np.asarray(got["key"])
        cuts = np.flatnonzero(names[1:] != names[:-1]) + 1 if len(names) else np.empty(0, np.int64)
        for a, b in zip([0, *cuts.tolist()], [*cuts.tolist(), len(names)], strict=True):
            if b > a:
                fresh[names[a].item() if hasattr(names[a], "item") else names[a]] = Postings(
                    got["chunk_id"][a:b].astype(np.int64),
                    got["field"][a:b].astype(np.int64),
                    got["count"][a:b].astype(np.float64),
                )
        if len(self._postings) > CACHED_TERMS:
            self._postings.clear()
        self._postings.update({(table, key): postings for key, postings in fresh.items()})
        return fresh

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self._root.cursor()
        return cursor

    def _check_version(self) -> None:
        found = self.meta.get("schema_version", "none")
        if found != SCHEMA_VERSION:
            raise IndexOutdated(
                f"The index {self.path} has schema version {found}; this program reads {SCHEMA_VERSION}.", next=REBUILD
            )

    def _check_tables(self) -> None:
        there = {row[0] for row in self.rows("SELECT table_name FROM duckdb_tables() WHERE database_name = 'idx'")}
        missing = [name for name in TABLES if name not in there]
        if missing:
            raise IndexUnreadable(f"The index {self.path} lacks the table {', '.join(missing)}.", next=REBUILD)
