"""`KeptWorlds`: fashion worlds that a user keeps, in a store."""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from levolve.errors import InputError, StoreError
from levolve.runs.store.columns import MOMENT, TABLE, TEXT, WHOLE, intact, read_row
from levolve.runs.store.database import Database
from levolve.runs.store.records import to_json

# The data is read when it is used: the studio lists a world whose data is damaged, with the reason.
COLUMNS = {"id": WHOLE, "name": TEXT, "data": TEXT, "added": MOMENT}


@dataclass(frozen=True)
class KeptWorld:
    """A kept world: `content` is JSON that describes it and the place that was seen, `added` is in seconds since 1970."""

    id: int
    name: str
    content: str
    added: float

    @classmethod
    def of(cls, row: sqlite3.Row) -> "KeptWorld":
        """Read a row of the table `worlds`."""
        values = read_row("world", row, COLUMNS)
        return cls(values["id"], values["name"], values["data"], values["added"])

    @property
    def data(self) -> dict[str, Any]:
        """The description and the place."""
        try:
            data: dict[str, Any] = TABLE.read(self.content)
        except (ValueError, TypeError, RecursionError) as problem:
            message = f"the data of world {self.id} is damaged; delete it"
            raise StoreError(message) from problem
        return data


class KeptWorlds:
    """The kept worlds of a store."""

    def __init__(self, database: Database) -> None:
        """Use an open store."""
        self._database = database

    def add(self, name: str, data: Mapping[str, Any]) -> int:
        """Keep a world, and return its number."""
        add, content = "INSERT INTO worlds (name, data, added) VALUES (?, ?, ?)", to_json(data)
        return self._database.write(lambda: int(self._database.execute(add, name, content, time.time()).lastrowid or 0))

    def delete(self, world: int) -> None:
        """Delete a kept world."""

        def remove() -> None:
            if self._database.execute("DELETE FROM worlds WHERE id = ?", world).rowcount == 0:
                raise InputError(self._unknown(world))

        self._database.write(remove)

    def list(self) -> "list[KeptWorld]":
        """Return all kept worlds, the one that was added last first. Damaged ones are named in a warning, and left out."""
        return intact(self._database.rows("SELECT * FROM worlds ORDER BY added DESC, id DESC"), KeptWorld.of)

    def find(self, world: int) -> KeptWorld:
        """Return a kept world by its number."""
        rows = self._database.rows("SELECT * FROM worlds WHERE id = ?", world)
        if not rows:
            raise InputError(self._unknown(world))
        return KeptWorld.of(rows[0])

    def _unknown(self, world: int) -> str:
        return f"worlds: there is no world {world} in {self._database.path}"
