"""`Shelf`: levels that a user keeps, in a store."""

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from levolve.errors import InputError
from levolve.runs.store.columns import CONTENT, MOMENT, TEXT, WHOLE, intact, read_row
from levolve.runs.store.database import Database

COLUMNS = {"id": WHOLE, "name": TEXT, "digest": TEXT, "content": CONTENT, "source": TEXT, "added": MOMENT}


@dataclass(frozen=True)
class ShelfLevel:
    """A kept level: `content` are the bytes of its JSON file, `source` says where it is from, `added` is in seconds since 1970."""

    id: int
    name: str
    digest: str
    content: bytes = field(repr=False)
    source: str
    added: float

    @classmethod
    def of(cls, row: sqlite3.Row) -> "ShelfLevel":
        """Read a row of the table `shelf`."""
        return cls(**read_row("kept level", row, COLUMNS))

    def to_data(self) -> dict[str, Any]:
        """Return everything but the content as JSON-compatible data."""
        return {name: getattr(self, name) for name in ("id", "name", "digest", "source", "added")}


class Shelf:
    """The kept levels of a store."""

    def __init__(self, database: Database) -> None:
        """Use an open store."""
        self._database = database

    def add(self, name: str, digest: str, content: bytes, source: str) -> int:
        """Keep a level, and return its number on the shelf. A level that is there already, with the same name, is not added again."""

        def insert() -> int:
            execute = self._database.execute
            known = execute("SELECT id FROM shelf WHERE digest = ? AND name = ?", digest, name).fetchone()
            if known is not None:
                return int(known["id"])
            add = "INSERT INTO shelf (name, digest, content, source, added) VALUES (?, ?, ?, ?, ?)"
            return int(execute(add, name, digest, content, source, time.time()).lastrowid or 0)

        return self._database.write(insert)

    def rename(self, level: int, name: str) -> None:
        """Change the name of a kept level."""

        def change() -> None:
            if self._database.execute("UPDATE shelf SET name = ? WHERE id = ?", name, level).rowcount == 0:
                raise InputError(self._unknown(level))

        self._database.write(change)

    def delete(self, levels: Iterable[int]) -> None:
        """Delete kept levels; if one of them does not exist, none is deleted."""
        chosen = list(levels)

        def remove() -> None:
            for level in chosen:
                if self._database.execute("DELETE FROM shelf WHERE id = ?", level).rowcount == 0:
                    raise InputError(self._unknown(level))

        self._database.write(remove)

    def list(self) -> "list[ShelfLevel]":
        """Return all kept levels, the one that was added last first. Damaged ones are named in a warning, and left out."""
        return intact(self._database.rows("SELECT * FROM shelf ORDER BY added DESC, id DESC"), ShelfLevel.of)

    def find(self, level: int) -> ShelfLevel:
        """Return a kept level by its number."""
        rows = self._database.rows("SELECT * FROM shelf WHERE id = ?", level)
        if not rows:
            raise InputError(self._unknown(level))
        return ShelfLevel.of(rows[0])

    def _unknown(self, level: int) -> str:
        return f"shelf: there is no level {level} on the shelf of {self._database.path}"
