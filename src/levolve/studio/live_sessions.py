"""`LiveSessions`: the breeding sessions that the page has open; each is written to the store after every action."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from levolve.breeding.keeping import add_session, stored_session
from levolve.breeding.session import Session
from levolve.errors import InputError
from levolve.recipes.recipe import Recipe
from levolve.runs.store.sessions import StoredSession
from levolve.runs.store.store import Store

# Sessions that are kept open; others are replayed when they are used again.
MOST_SESSIONS = 8
# Larger levels would make people wait for every sheet.
MOST_CELLS = 128 * 128


@dataclass
class OpenSession:
    """A session, and its record in the store."""

    record: StoredSession
    session: Session


class LiveSessions:
    """Opens, keeps and deletes breeding sessions. The store is shared with the command line.

    Parameters
    ----------
    store
        The path of the SQLite file.
    """

    def __init__(self, store: Path) -> None:
        """Open the store, and no session yet."""
        self.store = Store(store)
        self._open: OrderedDict[int, OpenSession] = OrderedDict()
        self._locks: dict[int, threading.Lock] = {}
        self._lock = threading.Lock()

    def list(self) -> "list[StoredSession]":
        """Return the sessions of the store, the one that was used last first."""
        return self.store.sessions.list()

    def begin(self, recipe: Recipe, seed: int | None, **settings: Any) -> int:  # noqa: ANN401 those of a session
        """Begin a session, store it, and return its number."""
        width, height = recipe.size
        if width * height > MOST_CELLS:
            message = f"size: expected at most {MOST_CELLS} cells to breed on this page, got {width}x{height}; choose a smaller size"
            raise InputError(message)
        session = Session(recipe, seed, **settings)
        number = add_session(self.store, session)
        self._remember(OpenSession(self.store.sessions.find(number), session))
        return number

    @contextmanager
    def using(self, number: int) -> Iterator[OpenSession]:
        """Use a session, one request at a time; one that another process has changed is replayed."""
        self.store.sessions.find(number)
        with self._lock:
            lock = self._locks.setdefault(number, threading.Lock())
        with lock:
            yield self._opened(number)

    @contextmanager
    def changing(self, number: int) -> Iterator[OpenSession]:
        """Change a session, and write it to the store."""
        with self.using(number) as opened:
            yield opened
            self.store.sessions.update(number, opened.session.to_data())
            opened.record = self.store.sessions.find(number)

    def rename(self, number: int, name: str) -> None:
        """Change the name of a session."""
        with self.using(number) as opened:
            self.store.sessions.rename(number, name)
            opened.record = self.store.sessions.find(number)

    def delete(self, number: int) -> None:
        """Delete a session from the store."""
        with self._lock:
            self._open.pop(number, None)
        self.store.sessions.delete([number])

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def _opened(self, number: int) -> OpenSession:
        record = self.store.sessions.find(number)
        with self._lock:
            known = self._open.get(number)
        if known is not None and known.record.updated == record.updated:
            return self._remember(known)
        return self._remember(OpenSession(*stored_session(self.store, number)))

    def _remember(self, opened: OpenSession) -> OpenSession:
        with self._lock:
            self._open[opened.record.id] = opened
            self._open.move_to_end(opened.record.id)
            while len(self._open) > MOST_SESSIONS:
                self._open.popitem(last=False)
        return opened
