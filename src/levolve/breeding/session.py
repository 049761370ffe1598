"""`Session`: interactive evolution. A sheet of levels, picks, the next sheet; every action can be undone, and a saved session replays exactly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from levolve.breeding.actions import NONE, Action, Adjust, Lock, Next, Pick, Unlock, parse_cells, parse_picks, parse_share, read_action
from levolve.breeding.breeder import Breeder
from levolve.breeding.sheet import PICK_SCORES, Setup, Sheet
from levolve.errors import InputError, shown
from levolve.evolution import STRATEGIES
from levolve.evolution.seeds import choose_seed
from levolve.formats.reading.budgets import check_amount
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_text
from levolve.formats.writing import write_file
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.recipes.recipe import Recipe
from levolve.runs.memory import check_memory
from levolve.version import VERSION

# Each action of a file is carried out again when it is read.
MOST_ACTIONS = 10_000
FORMAT = "levolve session"
SESSION_VERSION = 1
FEWEST, MOST = 2, 48
WILDNESS = 0.3


@dataclass(frozen=True)
class _Moment:
    """A session between two actions."""

    sheet: Sheet
    picks: Mapping[int, str]
    locks: Mapping[Place, str]
    wildness: float
    blend: float
    generation: int


class Session:
    """A breeding session. `levels` is the sheet; `pick` says what is good about it, `next` breeds the next one.

    Parameters
    ----------
    recipe
        What the levels are like.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed and actions give the same levels.
    sheet
        Levels per sheet, from 2 to 48. A sheet has fewer where no more winnable ones were found.
    wildness
        How much children differ from their parents, from 0 to 1.
    blend
        How much the objective of the recipe counts beside the picks, from 0 to 1.
    strategy
        The strategy that takes the picks, by its name; the recipe's own keeps its settings.
    """

    def __init__(  # noqa: PLR0913 as many settings
        self, recipe: Recipe, seed: int | None = None, *, sheet: int = 12, wildness: float = WILDNESS, blend: float = 0.0, strategy: str = "picks"
    ) -> None:
        """Breed the first sheet."""
        if isinstance(sheet, bool) or not isinstance(sheet, int) or not FEWEST <= sheet <= MOST:
            message = f"sheet: expected a whole number of levels from {FEWEST} to {MOST}, got {shown(sheet)}"
            raise InputError(message)
        STRATEGIES[strategy]
        check_memory(recipe)
        # What `levolve meta` may vary would refer to settings of another strategy.
        recipe = recipe.changed({"vary": None, "meta": None}) if recipe.vary or recipe.meta else recipe
        self._breeder = Breeder(recipe, choose_seed(seed), sheet, strategy)
        wildness, blend = parse_share("wildness", wildness), parse_share("blend", blend)
        self._first = (wildness, blend)
        self._actions: list[Action] = []
        self._undone: list[Action] = []
        self._moments = [_Moment(self._breeder.first(Setup((), wildness), blend, self._origin_data()), {}, {}, wildness, blend, 0)]

    @property
    def recipe(self) -> Recipe:
        """What the levels are like."""
        return self._breeder.recipe

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self._breeder.seed

    @property
    def levels(self) -> list[Level]:
        """The sheet: winnable levels, no two equal, each with its solution and origin."""
        return list(self._now.sheet.levels)

    @property
    def picks(self) -> Mapping[int, str]:
        """The picks on this sheet, by place."""
        return MappingProxyType(dict(self._now.picks))

    @property
    def locked(self) -> Mapping[Place, str]:
        """The locked cells, (x, y), each with the character of its tile."""
        return MappingProxyType(dict(self._now.locks))

    @property
    def generation(self) -> int:
        """The number of this sheet; the first is 0."""
        return self._now.generation

    @property
    def digest(self) -> str:
        """Sha256 over the levels of the sheet, in their order."""
        return hashlib.sha256("".join(level.digest for level in self._now.sheet.levels).encode()).hexdigest()

    @property
    def wildness(self) -> float:
        """How much the children on the next sheet differ from their parents, from 0 (one gene) to 1 (three genes in ten)."""
        return self._now.wildness

    @wildness.setter
    def wildness(self, value: float) -> None:
        self._do(Adjust("wildness", parse_share("wildness", value)))

    @property
    def blend(self) -> float:
        """How much the objective of the recipe counts beside the picks, from 0 (not at all) to 1 (alone, apart from "love" and "never")."""
        return self._now.blend

    @blend.setter
    def blend(self, value: float) -> None:
        self._do(Adjust("blend", parse_share("blend", value)))

    def pick(self, picks: Mapping[int, str] | list[int]) -> None:
        """Say what is good about this sheet.

        Parameters
        ----------
        picks
            Words by place, the first of which is 0: "love" (a parent that also returns on the next sheet), "like" (a parent), "never" (no parent,
            even if nothing is picked), "none" (takes a pick back). A list of places means "like".
        """
        self._do(Pick(parse_picks(picks)))

    def next(self) -> list[Level]:
        """Breed the next sheet from this one and its picks. Without picks, all levels but those picked "never" are parents."""
        self._do(Next())
        return self.levels

    def lock(self, cells: object, place: int | None = None) -> None:
        """Keep cells as they are, on all later sheets.

        Parameters
        ----------
        cells
            A list of cells (x, y), or a text such as "3,4 5,6" or "3,4..8,6", which is a rectangle.
        place
            The level of this sheet whose cells to keep; by default the one with the best pick, or else the first.
        """
        if place is None:
            place = max(range(len(self._now.sheet.levels)), key=lambda one: PICK_SCORES[self._now.picks.get(one, NONE)])
        self._do(Lock(parse_cells(cells), place))

    def unlock(self, cells: object = None) -> None:
        """Let locked cells vary again; by default all of them."""
        if cells is None and not self._now.locks:
            message = "unlock: expected locked cells, but none is locked"
            raise InputError(message)
        self._do(Unlock(tuple(self._now.locks) if cells is None else parse_cells(cells)))

    def undo(self) -> None:
        """Go back by one action."""
        if not self._actions:
            message = "undo: expected an action before it, but there is nothing to undo"
            raise InputError(message)
        self._undone.append(self._actions.pop())
        self._moments.pop()

    def redo(self) -> None:
        """Do the action that was undone last once more."""
        if not self._undone:
            message = "redo: expected an action that was undone before it, but there is nothing to redo"
            raise InputError(message)
        action = self._undone[-1]
        self._moments.append(self._after(action))
        self._actions.append(self._undone.pop())

    def to_data(self) -> dict[str, Any]:
        """The session as plain data that JSON can hold; `levolve.breed` replays it to the same levels, with the same actions to undo and redo."""
        return {**self._origin_data(), "undone": [action.to_data() for action in self._undone], "digest": self.digest}

    def save(self, path: str | Path) -> Path:
        """Write the session into a JSON file."""
        return write_file(path, (json.dumps(self.to_data(), indent=2) + "\n").encode())

    @classmethod
    def from_data(cls, data: Mapping[str, Any], source: str = "session") -> Session:
        """Replay a session from what `to_data` gave."""
        if data.get("format") != FORMAT:
            message = f"{source}: expected data of a session, with format {FORMAT!r}, got format {shown(data.get('format'))}"
            raise InputError(message)
        if data.get("version") != SESSION_VERSION:
            message = (
                f"{source}: expected version {SESSION_VERSION}, got {shown(data.get('version'))}; "
                f"it was saved by levolve {shown(data.get('levolve'))}, this is {VERSION}"
            )
            raise InputError(message)
        missing = [name for name in ("recipe", "seed", "sheet", "strategy", "wildness", "blend", "actions") if name not in data]
        if missing:
            message = f"{source}: expected {', '.join(missing)} in it; the file is damaged"
            raise InputError(message)
        recipe = Recipe.from_data(data["recipe"], source)
        actions, undone = (_read_actions(data.get(name, []), f"{source}: {name}") for name in ("actions", "undone"))
        try:
            settings = {name: data[name] for name in ("sheet", "wildness", "blend", "strategy")}
            session = cls(recipe, choose_seed(-1 if data["seed"] is None else data["seed"]), **settings)
            for action in actions:
                session._do(action)
        except InputError as problem:
            message = f"{source}: {problem}"
            raise InputError(message) from problem
        session._undone = undone
        if data.get("digest", session.digest) != session.digest:
            message = (
                f"{source}: replayed, but the levels differ: digest {shown(data['digest'])} in it, {session.digest} now; it was changed after it was "
                f"saved, or saved by another version (levolve {shown(data.get('levolve'))}, this is {VERSION})"
            )
            raise InputError(message)
        return session

    @classmethod
    def read(cls, path: str | Path) -> Session:
        """Replay a session from a JSON file."""
        data = parse_json(read_text(path), f"session {path}: expected a JSON file that 'save' of a session wrote")
        if not isinstance(data, dict):
            message = f"session {path}: expected data of a session, got {type(data).__name__}"
            raise InputError(message)
        return cls.from_data(data, f"session {path}")

    @property
    def _now(self) -> _Moment:
        return self._moments[-1]

    def _origin_data(self) -> dict[str, Any]:
        """The session as far as levels depend on it."""
        wildness, blend = self._first
        head = {"format": FORMAT, "version": SESSION_VERSION, "levolve": VERSION}
        return {**head, **self._breeder.to_data(), "wildness": wildness, "blend": blend, "actions": [action.to_data() for action in self._actions]}

    def _do(self, action: Action) -> None:
        """Carry out an action; one that fails changes nothing. Actions that were undone before it are forgotten."""
        self._moments.append(self._after(action))
        self._actions.append(action)
        self._undone.clear()

    def _after(self, action: Action) -> _Moment:
        """The moment after an action."""
        now = self._now
        match action:
            case Pick(picks):
                for place, _ in picks:
                    self._check_place("picks", place)
                merged = {**now.picks, **dict(picks)}
                return replace(now, picks={place: word for place, word in sorted(merged.items()) if word != NONE})
            case Lock(cells, place):
                return replace(now, locks=self._locks(cells, place))
            case Unlock(cells):
                for x, y in cells:
                    if (x, y) not in now.locks:
                        message = f"unlock: expected a locked cell, got {x},{y}, which is not locked"
                        raise InputError(message)
                return replace(now, locks={cell: sign for cell, sign in now.locks.items() if cell not in cells})
            case Adjust("wildness", value):
                return replace(now, wildness=value)
            case Adjust(_, value):
                return replace(now, blend=value)
            case Next():
                setup = Setup(tuple(sorted(now.locks.items())), now.wildness)
                data = self._origin_data()
                data["actions"].append(action.to_data())
                sheet = self._breeder.following(now.sheet, now.picks, now.blend, setup, data)
                return replace(now, sheet=sheet, picks={}, generation=now.generation + 1)

    def _locks(self, cells: tuple[Place, ...], place: int) -> dict[Place, str]:
        """The locks with some more; those that no level could satisfy are refused."""
        self._check_place("place", place)
        level = self._now.sheet.levels[place]
        for x, y in cells:
            if not (0 <= x < level.width and 0 <= y < level.height):
                message = f"lock: expected cells inside the {level.width}x{level.height} level, got {x},{y}"
                raise InputError(message)
        locks = {**self._now.locks, **{(x, y): level.tileset.characters[level.tiles[y, x]] for x, y in cells}}
        # A frame checks what it is to keep.
        _ = self._breeder.recipe_for(Setup(tuple(sorted(locks.items())), self._now.wildness)).frame
        return locks

    def _check_place(self, argument: str, place: object) -> None:
        most = len(self._now.sheet.levels) - 1
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place <= most:
            message = f"{argument}: expected a place of the sheet, from 0 to {most}, got {shown(place)}"
            raise InputError(message)


def _read_actions(listed: object, where: str) -> list[Action]:
    if not isinstance(listed, list):
        message = f"{where}: expected a list of actions, got {type(listed).__name__}"
        raise InputError(message)
    check_amount(len(listed), MOST_ACTIONS, "actions", where)
    return [read_action(entry, f"{where} {number}") for number, entry in enumerate(listed, 1)]
