"""SQLite access: one connection, transactions, and the base of all repositories."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from parcels.config import load_settings
from parcels.errors import ConflictError, NotFoundError
from parcels.log import get_logger

E = TypeVar("E")

logger = get_logger(__name__)


class Database:
    """A connection with nested transactions."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path or load_settings().storage.database
        self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._depth = 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: what happens inside is undone if an error leaves the block."""
        name = f"level_{self._depth}"
        self._connection.execute(f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._connection.execute(f"ROLLBACK TO {name}")
            raise
        finally:
            self._depth -= 1
            self._connection.execute(f"RELEASE {name}")

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._connection.execute(sql, values)

    def close(self) -> None:
        self._connection.close()


class BaseRepository(ABC, Generic[E]):
    """Stores one kind of entity in one table.

    Subclasses name the table, its columns (the key first) and say how an entity
    becomes a row and back.
    """

    table: str
    columns: tuple[str, ...]

    def __init__(self, database: Database) -> None:
        self.database = database
        self._create_table()

    @abstractmethod
    def to_row(self, entity: E) -> dict[str, Any]:
        """Turn an entity into column values."""

    @abstractmethod
    def from_row(self, row: sqlite3.Row) -> E:
        """Turn column values back into an entity."""

    @property
    def key(self) -> str:
        return self.columns[0]

    def get(self, key: str) -> E:
        """Return the entity with this key or raise NotFoundError."""
        row = self.database.execute(
            f"SELECT * FROM {self.table} WHERE {self.key} = ?", (key,)
        ).fetchone()
        if row is None:
            raise NotFoundError(f"there is no {self.table.rstrip('s')} {key}")
        return self.from_row(row)

    def add(self, entity: E) -> None:
        """Insert a new entity; a key that exists already is a conflict."""
        row = self.to_row(entity)
        marks = ", ".join("?" for _ in self.columns)
        sql = f"INSERT INTO {self.table} ({', '.join(self.columns)}) VALUES ({marks})"
        try:
            with self.database.transaction():
                self.database.execute(sql, tuple(row[name] for name in self.columns))
        except sqlite3.IntegrityError as problem:
            raise ConflictError(f"{row[self.key]} exists already in {self.table}") from problem

    def update(self, entity: E) -> None:
        """Write an entity that exists already."""
        row = self.to_row(entity)
        settings = ", ".join(f"{name} = ?" for name in self.columns[1:])
        values = tuple(row[name] for name in self.columns[1:]) + (row[self.key],)
        cursor = self.database.execute(
            f"UPDATE {self.table} SET {settings} WHERE {self.key} = ?", values
        )
        if cursor.rowcount == 0:
            raise NotFoundError(f"there is no {self.table.rstrip('s')} {row[self.key]}")

    def remove(self, key: str) -> bool:
        """Delete by key; tells whether there was something to delete."""
        cursor = self.database.execute(f"DELETE FROM {self.table} WHERE {self.key} = ?", (key,))
        return cursor.rowcount > 0

    def count(self) -> int:
        return self.database.execute(f"SELECT COUNT(*) FROM {self.table}").fetchone()[0]

    def pages(self) -> Iterator[list[E]]:
        """Go through the whole table one page at a time."""
        size = load_settings().storage.page_size
        for offset in range(0, self.count(), size):
            cursor = self.database.execute(
                f"SELECT * FROM {self.table} ORDER BY {self.key} LIMIT ? OFFSET ?", (size, offset)
            )
            yield [self.from_row(row) for row in cursor]

    def _create_table(self) -> None:
        rest = ", ".join(f"{name} TEXT" for name in self.columns[1:])
        self.database.execute(
            f"CREATE TABLE IF NOT EXISTS {self.table} ({self.key} TEXT PRIMARY KEY, {rest})"
        )
        logger.debug("table %s is ready", self.table)
