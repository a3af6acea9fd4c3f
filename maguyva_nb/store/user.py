"""``user.duckdb``: opened for short writes with retries, closed at once, so that many processes can share it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import duckdb

from maguyva_nb.errors import StoreLocked
from maguyva_nb.store.connect import CONFIG, clear_errors, sql_text
from maguyva_nb.store.locate import user_path

# Writers hold the file for milliseconds; a holder that lasts longer than this is a person's open shell.
RETRIES = 5
RETRY_S = 0.1
MEND = "Move that file aside; a new one is made at the next start."
ACCESS = "Check permissions and free space there, or set XDG_DATA_HOME to another folder."


class UserStore:
    """The user's database; every method opens, does one thing and closes."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_path()

    def check(self) -> None:
        """Opens the file for writing once; raises ``StoreLocked`` (with the PID) when another process holds it."""
        with self._open():
            pass

    def keep_run(
        self,
        *,
        source: str,
        commit: str | None,
        model: str,
        config: str,
        query_set: str,
        metrics: object,
        per_query: object,
    ) -> str:
        """Adds one evaluation to ``runs`` and returns its id; the last two are kept as JSON."""
        run = uuid.uuid4().hex
        texts = [json.dumps(value, ensure_ascii=False, allow_nan=False) for value in (metrics, per_query)]
        row = [run, datetime.now(), source, commit, model, config, query_set, *texts]
        with self._open() as con:
            con.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return run

    def vectors(self, model: str, shas: Sequence[str]) -> dict[str, bytes]:
        """Cached vectors (little-endian float32) of a model by text hash; missing ones are left out."""
        with self._open() as con:
            rows = con.execute(
                "SELECT text_sha, vector FROM vectors WHERE model = ? AND text_sha IN (SELECT unnest(?))",
                [model, list(shas)],
            ).fetchall()
        return {sha: bytes(vector) for sha, vector in rows}

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Adds vectors of a model; known hashes are left alone."""
        import pyarrow as pa

        rows = pa.table({"text_sha": list(vectors), "model": [model] * len(vectors), "vector": list(vectors.values())})
        with self._open() as con:
            con.register("new_vectors", rows)
            con.execute("INSERT OR IGNORE INTO vectors SELECT * FROM new_vectors")

    @contextmanager
    def _open(self) -> Iterator[duckdb.DuckDBPyConnection]:
        con = self._connect()
        try:
            yield con
        finally:
            con.close()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        for attempt in range(RETRIES):
            try:
                with clear_errors(self.path, mend=MEND, access=ACCESS):
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    con = duckdb.connect(str(self.path), config=CONFIG)
                    con.execute(sql_text("user.sql"))
                    return con
            except StoreLocked:
                if attempt == RETRIES - 1:
                    raise
                time.sleep(RETRY_S)
        raise AssertionError("unreachable: the last attempt returns or raises")
