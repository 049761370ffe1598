"""Actions of a breeding session as plain data. A recipe, a seed and a list of actions give the same levels on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from levolve.breeding.arguments import parse_cells, parse_generations, parse_picks, parse_share
from levolve.errors import InputError, shown
from levolve.levels.places import Place
from levolve.recipes.values import write_place

# How many generations of evolution lead to a sheet of levels that are more like one of them.
LIKE_GENERATIONS = 8


@dataclass(frozen=True)
class Pick:
    """Picks for some places of the sheet, each "love", "like", "never", or "none" to take a pick back."""

    kind: ClassVar[str] = "pick"
    generations: ClassVar[int] = 0
    picks: tuple[tuple[int, str], ...]

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "picks": {str(place): word for place, word in self.picks}}


@dataclass(frozen=True)
class Next:
    """The next sheet."""

    kind: ClassVar[str] = "next"
    generations: ClassVar[int] = 1

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind}


@dataclass(frozen=True)
class Cross:
    """A sheet of children of the levels at two places."""

    kind: ClassVar[str] = "cross"
    generations: ClassVar[int] = 1
    places: tuple[int, int]

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "places": list(self.places)}


@dataclass(frozen=True)
class Advance:
    """A sheet after some generations of evolution, whose objective is blended with the likeness to what was picked."""

    kind: ClassVar[str] = "advance"
    generations: int

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "generations": self.generations}


@dataclass(frozen=True)
class MoreLike:
    """A sheet of levels in the style of the one at `place`."""

    kind: ClassVar[str] = "more_like"
    generations: ClassVar[int] = LIKE_GENERATIONS
    place: int

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "place": self.place}


@dataclass(frozen=True)
class Lock:
    """Cells, each (x, y), that stay as they are in the level at `place` of the sheet."""

    kind: ClassVar[str] = "lock"
    generations: ClassVar[int] = 0
    cells: tuple[Place, ...]
    place: int

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "cells": [write_place(cell) for cell in self.cells], "place": self.place}


@dataclass(frozen=True)
class Unlock:
    """Cells that may vary again."""

    kind: ClassVar[str] = "unlock"
    generations: ClassVar[int] = 0
    cells: tuple[Place, ...]

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "cells": [write_place(cell) for cell in self.cells]}


@dataclass(frozen=True)
class PaintCells:
    """Cells of the level at `place` of the sheet that get other tiles, by the character of the tile; with `lock`, they are locked as well."""

    kind: ClassVar[str] = "paint"
    generations: ClassVar[int] = 0
    place: int
    tiles: tuple[tuple[str, tuple[Place, ...]], ...]
    lock: bool = False

    @property
    def cells(self) -> tuple[Place, ...]:
        """All cells that are painted."""
        return tuple(cell for _, cells in self.tiles for cell in cells)

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        tiles = {character: [write_place(cell) for cell in cells] for character, cells in self.tiles}
        return {"action": self.kind, "place": self.place, "tiles": tiles, "lock": self.lock}


@dataclass(frozen=True)
class Adjust:
    """Another `wildness` or `blend`, from 0 to 1."""

    kind: ClassVar[str] = "adjust"
    generations: ClassVar[int] = 0
    setting: str
    value: float

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "setting": self.setting, "value": self.value}


# Actions with generations above 0 lead to a new sheet, the others change what is known about this one.
Action = Pick | Next | Cross | Advance | MoreLike | Lock | Unlock | PaintCells | Adjust
KINDS = tuple(kind.kind for kind in (Pick, Next, Cross, Advance, MoreLike, Lock, Unlock, PaintCells, Adjust))
SETTINGS = ("wildness", "blend")


def cells_of(action: Action) -> int:
    """How many cells an action names."""
    return len(action.cells) if isinstance(action, Lock | Unlock | PaintCells) else 0


def read_action(data: object, where: str) -> Action:
    """An action from plain data. `where` names it in error messages."""
    if not isinstance(data, Mapping):
        message = f"{where}: expected a table with an 'action', got {shown(data)}"
        raise InputError(message)
    try:
        found = _read_breeding(data) or _read_change(data)
    except InputError as problem:
        message = f"{where}: {problem}"
        raise InputError(message) from problem
    if found is None:
        message = f"{where}: expected an action of a session ({', '.join(KINDS)}) with what it needs, got {shown(dict(data))}"
        raise InputError(message)
    return found


def _read_breeding(data: Mapping[str, Any]) -> Action | None:
    """An action that leads to a new sheet."""
    match data:
        case {"action": "next"}:
            return Next()
        case {"action": "cross", "places": [int() as first, int() as second]}:
            return Cross((first, second))
        case {"action": "advance", "generations": generations}:
            return Advance(parse_generations(generations))
        case {"action": "more_like", "place": int() as place}:
            return MoreLike(place)
    return None


def _read_change(data: Mapping[str, Any]) -> Action | None:
    """An action that changes what is known about a sheet."""
    match data:
        case {"action": "pick", "picks": Mapping() as picks}:
            return Pick(parse_picks({_whole(place): word for place, word in picks.items()}))
        case {"action": "lock", "cells": list() as cells, "place": int() as place}:
            return Lock(parse_cells(cells), place)
        case {"action": "unlock", "cells": list() as cells}:
            return Unlock(parse_cells(cells))
        case {"action": "paint", "place": int() as place, "tiles": Mapping() as tiles, "lock": bool() as lock} if tiles:
            return PaintCells(place, tuple((str(character), parse_cells(cells)) for character, cells in tiles.items()), lock)
        case {"action": "adjust", "setting": str() as setting, "value": value} if setting in SETTINGS:
            return Adjust(setting, parse_share(setting, value))
    return None


def _whole(place: object) -> int:
    try:
        return int(str(place))
    except ValueError:
        message = f"picks: expected the number of a place, got {shown(place)}"
        raise InputError(message) from None
