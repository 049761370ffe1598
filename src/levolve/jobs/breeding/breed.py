"""`breed`: a recipe in, a breeding session out; or a saved session in, and the same session out.

Sessions in a store and in files: kept after every action, found and replayed again.
"""

from __future__ import annotations

import json
import shlex
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.core.arguments import named_arguments
from levolve.core.errors import InputError, StoreError
from levolve.core.safe_text import printable
from levolve.jobs.breeding.session import WILDNESS, Session
from levolve.jobs.store.places import Storing, default_path
from levolve.jobs.store.store import Store
from levolve.levels.level import Level
from levolve.recipes.finding import RecipeSource, Size, adapt

if TYPE_CHECKING:
    from levolve.jobs.store.kept import StoredSession


@named_arguments()
def breed(
    recipe: RecipeSource | Mapping[str, Any],
    *,
    size: Size | None = None,
    sheet: int | None = None,
    seed: int | None = None,
    wildness: float | None = None,
    blend: float | None = None,
    strategy: str | None = None,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
) -> Session:
    """Begin a breeding session, or replay one.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a `Recipe`; or the data of a session,
        as `Session.to_data` gives it, and nothing else.
    size, objective, target, settings, start, keep
        Changes to the recipe; see `levolve.recipes.finding.adapt`.
    sheet
        Levels per sheet, from 2 to 48; 12 by default.
    seed
        From 0 to 2**64 - 1; by default a random one, which the session names.
    wildness
        How much children differ from their parents, from 0 to 1; 0.3 by default.
    blend
        How much the objective counts beside the picks, from 0 to 1; 0 by default.
    strategy
        The strategy that takes the picks; "picks" by default. The recipe's own keeps its settings.

    >>> session = breed("maze", size=(14, 14), sheet=6, seed=3)
    >>> session.pick({0: "love", 3: "like"})
    >>> levels = session.next()
    >>> levels[0].check()
    >>> breed(session.to_data()).levels == levels
    True
    """
    if isinstance(recipe, Mapping):
        given: dict[str, object] = {
            "size": size,
            "sheet": sheet,
            "seed": seed,
            "wildness": wildness,
            "blend": blend,
            "strategy": strategy,
        }
        given |= {
            "objective": objective,
            "target": target,
            "settings": settings,
            "start": start,
            "keep": keep or None,
        }
        unexpected = [name for name, value in given.items() if value is not None]
        if unexpected:
            raise InputError(
                f"{unexpected[0]}: cannot be combined with the data of a session, which has all "
                "settings"
            )
        return Session.from_data(recipe)
    return Session(
        adapt(
            recipe,
            size=size,
            objective=objective,
            target=target,
            settings=settings,
            start=start,
            keep=keep,
        ),
        seed,
        sheet=12 if sheet is None else sheet,
        wildness=WILDNESS if wildness is None else wildness,
        blend=0.0 if blend is None else blend,
        strategy="picks" if strategy is None else strategy,
    )


def name_of(session: Session) -> str:
    """The name that a session has in a store, unless it gets another: its recipe and size."""
    width, height = session.recipe.size
    return f"{session.recipe.name} {width}x{height}"


def add_session(store: Store, session: Session) -> int:
    """Add a session to a store, and return its number."""
    return store.sessions.add(name_of(session), session.recipe.name, session.to_data())


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
            warnings.warn(
                printable(f"{trouble}; the session goes on, but it is not stored"), stacklevel=2
            )

    @property
    def remark(self) -> str:
        """How to continue the session; an empty text if it is not stored."""
        if self.number is None or self._storing.path is None:
            return ""
        place = (
            f" --store {shlex.quote(str(self._storing.path))}"
            if self._storing.path != default_path()
            else ""
        )
        return (
            f"session {self.number} is stored; continue with: levolve breed --resume "
            f"{self.number}{place}"
        )


def encode_session(session: Session, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a session."""
    return {path: (json.dumps(session.to_data(), indent=2) + "\n").encode()}


def read_session(path: str | Path) -> Session:
    """Replay the session in a file."""
    return Session.read(path)
