"""`Sessions`: breeding sessions in a store, each as the data from which it is replayed.

`Shelf`: levels that a user keeps, in a store.

`KeptWorlds`: fashion worlds that a user keeps, in a store.
"""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from levolve.core.errors import InputError, StoreError
from levolve.jobs.store.database import Database
from levolve.jobs.store.records import (
    CONTENT,
    MOMENT,
    TABLE,
    TEXT,
    WHOLE,
    intact,
    read_row,
    to_json,
)

LAST = "last"
FIELDS = {"id": WHOLE, "name": TEXT, "recipe": TEXT, "created": MOMENT, "updated": MOMENT}
SESSION_COLUMNS = ", ".join(FIELDS)


@dataclass(frozen=True)
class StoredSession:
    """A breeding session of a store, without its data. `created` and `updated` are seconds
    since 1970.
    """

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
        """Add a session, and return its number. `recipe` is the name of its recipe, `data` what
        `Session.to_data` returned.
        """
        now, content = time.time(), to_json(data)
        add = "INSERT INTO sessions (name, recipe, created, updated, data) VALUES (?, ?, ?, ?, ?)"
        return self._database.write(
            lambda: int(self._database.execute(add, name, recipe, now, now, content).lastrowid or 0)
        )

    def update(self, session: int, data: Mapping[str, Any]) -> None:
        """Replace the data of a session."""
        self._change(
            session,
            "UPDATE sessions SET data = ?, updated = ? WHERE id = ?",
            to_json(data),
            time.time(),
        )

    def rename(self, session: int, name: str) -> None:
        """Change the name of a session."""
        self._change(session, "UPDATE sessions SET name = ? WHERE id = ?", name)

    def delete(self, sessions: Iterable[int]) -> None:
        """Delete sessions; if one of them does not exist, none is deleted."""
        chosen = list(sessions)

        def remove() -> None:
            for session in chosen:
                if (
                    self._database.execute("DELETE FROM sessions WHERE id = ?", session).rowcount
                    == 0
                ):
                    raise InputError(self._unknown(session))

        self._database.write(remove)

    def list(self) -> "list[StoredSession]":
        """Return all sessions, the one that was updated last first. Damaged ones are named in a
        warning, and left out.
        """
        rows = self._database.rows(
            f"SELECT {SESSION_COLUMNS} FROM sessions ORDER BY updated DESC, id DESC"
        )
        return intact(rows, StoredSession.of)

    def find(self, session: int | str) -> StoredSession:
        """Return a session by its number, or the one that was updated last by "last"."""
        if session == LAST:
            found = self.list()
            if not found:
                raise InputError(f"store {self._database.path}: there are no breeding sessions yet")
            return found[0]
        if not str(session).isascii() or not str(session).isdecimal() or int(session) >= 1 << 63:
            raise InputError(
                f"session: expected the number of a session or {LAST!r}, got {session!r}"
            )
        rows = self._database.rows(
            f"SELECT {SESSION_COLUMNS} FROM sessions WHERE id = ?", int(session)
        )
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
            raise StoreError(
                f"store {self._database.path}: the data of session {session} is damaged: "
                f"expected {TABLE.expected}; delete the session"
            ) from problem
        return data

    def _change(self, session: int, statement: str, *values: object) -> None:
        def change() -> None:
            if self._database.execute(statement, *values, session).rowcount == 0:
                raise InputError(self._unknown(session))

        self._database.write(change)

    def _unknown(self, session: int | str) -> str:
        return (
            f"session: there is no session {session} in {self._database.path}; 'levolve breed "
            "--sessions' lists what there is"
        )


SHELF_COLUMNS = {
    "id": WHOLE,
    "name": TEXT,
    "digest": TEXT,
    "content": CONTENT,
    "source": TEXT,
    "added": MOMENT,
}


@dataclass(frozen=True)
class ShelfLevel:
    """A kept level: `content` are the bytes of its JSON file, `source` says where it is from,
    `added` is in seconds since 1970.
    """

    id: int
    name: str
    digest: str
    content: bytes = field(repr=False)
    source: str
    added: float

    @classmethod
    def of(cls, row: sqlite3.Row) -> "ShelfLevel":
        """Read a row of the table `shelf`."""
        return cls(**read_row("kept level", row, SHELF_COLUMNS))

    def to_data(self) -> dict[str, Any]:
        """Return everything but the content as JSON-compatible data."""
        return {name: getattr(self, name) for name in ("id", "name", "digest", "source", "added")}


class Shelf:
    """The kept levels of a store."""

    def __init__(self, database: Database) -> None:
        """Use an open store."""
        self._database = database

    def add(self, name: str, digest: str, content: bytes, source: str) -> int:
        """Keep a level, and return its number on the shelf. A level that is there already, with the
        same name, is not added again.
        """

        def insert() -> int:
            execute = self._database.execute
            known = execute(
                "SELECT id FROM shelf WHERE digest = ? AND name = ?", digest, name
            ).fetchone()
            if known is not None:
                return int(known["id"])
            add = "INSERT INTO shelf (name, digest, content, source, added) VALUES (?, ?, ?, ?, ?)"
            return int(execute(add, name, digest, content, source, time.time()).lastrowid or 0)

        return self._database.write(insert)

    def rename(self, level: int, name: str) -> None:
        """Change the name of a kept level."""

        def change() -> None:
            if (
                self._database.execute(
                    "UPDATE shelf SET name = ? WHERE id = ?", name, level
                ).rowcount
                == 0
            ):
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
        """Return all kept levels, the one that was added last first. Damaged ones are named in a
        warning, and left out.
        """
        return intact(
            self._database.rows("SELECT * FROM shelf ORDER BY added DESC, id DESC"), ShelfLevel.of
        )

    def find(self, level: int) -> ShelfLevel:
        """Return a kept level by its number."""
        rows = self._database.rows("SELECT * FROM shelf WHERE id = ?", level)
        if not rows:
            raise InputError(self._unknown(level))
        return ShelfLevel.of(rows[0])

    def _unknown(self, level: int) -> str:
        return f"shelf: there is no level {level} on the shelf of {self._database.path}"


# The data is read when it is used: the studio lists a world whose data is damaged, with the reason.
WORLD_COLUMNS = {"id": WHOLE, "name": TEXT, "data": TEXT, "added": MOMENT}


@dataclass(frozen=True)
class KeptWorld:
    """A kept world: `content` is JSON that describes it and the place that was seen, `added` is in
    seconds since 1970.
    """

    id: int
    name: str
    content: str
    added: float

    @classmethod
    def of(cls, row: sqlite3.Row) -> "KeptWorld":
        """Read a row of the table `worlds`."""
        values = read_row("world", row, WORLD_COLUMNS)
        return cls(values["id"], values["name"], values["data"], values["added"])

    @property
    def data(self) -> dict[str, Any]:
        """The description and the place."""
        try:
            data: dict[str, Any] = TABLE.read(self.content)
        except (ValueError, TypeError, RecursionError) as problem:
            raise StoreError(f"the data of world {self.id} is damaged; delete it") from problem
        return data


class KeptWorlds:
    """The kept worlds of a store."""

    def __init__(self, database: Database) -> None:
        """Use an open store."""
        self._database = database

    def add(self, name: str, data: Mapping[str, Any]) -> int:
        """Keep a world, and return its number."""
        add, content = "INSERT INTO worlds (name, data, added) VALUES (?, ?, ?)", to_json(data)
        return self._database.write(
            lambda: int(self._database.execute(add, name, content, time.time()).lastrowid or 0)
        )

    def delete(self, world: int) -> None:
        """Delete a kept world."""

        def remove() -> None:
            if self._database.execute("DELETE FROM worlds WHERE id = ?", world).rowcount == 0:
                raise InputError(self._unknown(world))

        self._database.write(remove)

    def list(self) -> "list[KeptWorld]":
        """Return all kept worlds, the one that was added last first. Damaged ones are named in a
        warning, and left out.
        """
        return intact(
            self._database.rows("SELECT * FROM worlds ORDER BY added DESC, id DESC"), KeptWorld.of
        )

    def find(self, world: int) -> KeptWorld:
        """Return a kept world by its number."""
        rows = self._database.rows("SELECT * FROM worlds WHERE id = ?", world)
        if not rows:
            raise InputError(self._unknown(world))
        return KeptWorld.of(rows[0])

    def _unknown(self, world: int) -> str:
        return f"worlds: there is no world {world} in {self._database.path}"
