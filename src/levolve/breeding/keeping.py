"""Sessions in a store: kept after every action, found and replayed again."""

from __future__ import annotations

import shlex
import warnings
from typing import TYPE_CHECKING

from levolve.breeding.session import Session
from levolve.errors import StoreError
from levolve.printable import printable
from levolve.runs.store.places import Storing, default_path
from levolve.runs.store.store import Store

if TYPE_CHECKING:
    from levolve.runs.store.sessions import StoredSession


def name_of(session: Session) -> str:
    """The name that a session has in a store, unless it gets another: its recipe and size."""
    width, height = session.recipe.size
    return f"{session.recipe.name} {width}x{height}"


def add_session(store: Store, session: Session, name: str = "") -> int:
    """Add a session to a store, and return its number."""
    return store.sessions.add(name or name_of(session), session.recipe.name, session.to_data())


def stored_session(store: Store, number: int | str) -> tuple[StoredSession, Session]:
    """A session of a store by its number or "last": its record, and the session, replayed."""
    record = store.sessions.find(number)
    return record, Session.from_data(store.sessions.data(record.id), f"session {record.id}")


class SessionKeeper:
    """Stores a session each time that `keep` is called.

    Parameters
    ----------
    session
        What to store.
    storing
        Where; a store that was not requested is left out with a warning if it cannot be written.
    number
        The number of a session that is in the store already.
    """

    def __init__(self, session: Session, storing: Storing, number: int | None = None) -> None:
        """Write nothing yet."""
        self.session = session
        self.number = number
        self._storing = storing

    def keep(self) -> None:
        """Write the session as it is now."""
        if self._storing.path is None:
            return
        try:
            with Store(self._storing.path) as store:
                if self.number is None:
                    self.number = add_session(store, self.session)
                else:
                    store.sessions.update(self.number, self.session.to_data())
        except StoreError as trouble:
            if self._storing.requested:
                raise
            self._storing = Storing(None)
            warnings.warn(printable(f"{trouble}; the session goes on, but it is not stored"), stacklevel=2)

    @property
    def remark(self) -> str:
        """How to continue the session; an empty text if it is not stored."""
        if self.number is None or self._storing.path is None:
            return ""
        place = f" --store {shlex.quote(str(self._storing.path))}" if self._storing.path != default_path() else ""
        return f"session {self.number} is stored; continue with: levolve breed --resume {self.number}{place}"
