"""`Sessions`: breeding sessions in a store, each as the data from which it is replayed."""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from levolve.errors import InputError, StoreError
from levolve.runs.store.columns import MOMENT, TABLE, TEXT, WHOLE, intact, read_row
from levolve.runs.store.database import Database
from levolve.runs.store.records import to_json

LAST = "last"
FIELDS = {"id": WHOLE, "name": TEXT, "recipe": TEXT, "created": MOMENT, "updated": MOMENT}
COLUMNS = ", ".join(FIELDS)


@dataclass(frozen=True)
class StoredSession:
    """A breeding session of a store, without its data. `created` and `updated` are seconds since 1970."""

    id: int
    name: str
    recipe: str
    created: float
    updated: float

    @classmethod
    def of(cls, row: sqlite3.Row) -> "StoredSession":
        """Read a row of the table `sessions`."""
        return cls(**read_row("session", row, FIELDS))

    def to_data(self) -> dict[str, Any]:
        """Return the record as JSON-compatible data."""
        return asdict(self)


class Sessions:
    """The breeding sessions of a store."""

    def __init__(self, database: Database) -> None:
        """Use an open store."""
        self._database = database

    def add(self, name: str, recipe: str, data: Mapping[str, Any]) -> int:
        """Add a session, and return its number. `recipe` is the name of its recipe, `data` what `Session.to_data` returned."""
        now, content = time.time(), to_json(data)
        add = "INSERT INTO sessions (name, recipe, created, updated, data) VALUES (?, ?, ?, ?, ?)"
        return self._database.write(lambda: int(self._database.execute(add, name, recipe, now, now, content).lastrowid or 0))

    def update(self, session: int, data: Mapping[str, Any]) -> None:
        """Replace the data of a session."""
        self._change(session, "UPDATE sessions SET data = ?, updated = ? WHERE id = ?", to_json(data), time.time())

    def rename(self, session: int, name: str) -> None:
        """Change the name of a session."""
        self._change(session, "UPDATE sessions SET name = ? WHERE id = ?", name)

    def delete(self, sessions: Iterable[int]) -> None:
        """Delete sessions; if one of them does not exist, none is deleted."""
        chosen = list(sessions)

        def remove() -> None:
            for session in chosen:
                if self._database.execute("DELETE FROM sessions WHERE id = ?", session).rowcount == 0:
                    raise InputError(self._unknown(session))

        self._database.write(remove)

    def list(self) -> "list[StoredSession]":
        """Return all sessions, the one that was updated last first. Damaged ones are named in a warning, and left out."""
        rows = self._database.rows(f"SELECT {COLUMNS} FROM sessions ORDER BY updated DESC, id DESC")  # noqa: S608 fixed names
        return intact(rows, StoredSession.of)

    def find(self, session: int | str) -> StoredSession:
        """Return a session by its number, or the one that was updated last by "last"."""
        if session == LAST:
            found = self.list()
            if not found:
                message = f"store {self._database.path}: there are no breeding sessions yet"
                raise InputError(message)
            return found[0]
        if not str(session).isascii() or not str(session).isdecimal() or int(session) >= 1 << 63:
            message = f"session: expected the number of a session or {LAST!r}, got {session!r}"
            raise InputError(message)
        rows = self._database.rows(f"SELECT {COLUMNS} FROM sessions WHERE id = ?", int(session))  # noqa: S608 fixed names
        if not rows:
            raise InputError(self._unknown(session))
        return StoredSession.of(rows[0])

    def data(self, session: int) -> dict[str, Any]:
        """Return the data of a session, from which it is replayed."""
        rows = self._database.rows("SELECT data FROM sessions WHERE id = ?", session)
        if not rows:
            raise InputError(self._unknown(session))
        try:
            data: dict[str, Any] = TABLE.read(rows[0]["data"])
        except (ValueError, TypeError, RecursionError) as problem:
            message = f"store {self._database.path}: the data of session {session} is damaged: expected {TABLE.expected}; delete the session"
            raise StoreError(message) from problem
        return data

    def _change(self, session: int, statement: str, *values: object) -> None:
        def change() -> None:
            if self._database.execute(statement, *values, session).rowcount == 0:
                raise InputError(self._unknown(session))

        self._database.write(change)

    def _unknown(self, session: int | str) -> str:
        return f"session: there is no session {session} in {self._database.path}; 'levolve breed --sessions' lists what there is"
