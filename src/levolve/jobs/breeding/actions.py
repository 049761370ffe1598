"""Actions of a breeding session as plain data. A recipe, a seed and a list of actions give the same
levels on any machine.

Arguments of a breeding session's methods, checked and brought into one form: picks, cells, tiles,
shares and counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.reading.budgets import MOST_CELLS
from levolve.levels.places import Place
from levolve.levels.tileset import Tileset
from levolve.recipes.base_recipe import parse_place, write_place

LOVE, LIKE, NONE, NEVER = "love", "like", "none", "never"
WORDS = (LOVE, LIKE, NONE, NEVER)
LONGEST_SIDE = 1 << 14
# How many generations automatic evolution may run before it shows a sheet.
MOST_GENERATIONS = 500


def parse_picks(picks: object) -> tuple[tuple[int, str], ...]:
    """Picks by place, from a mapping of places to words, or a list of places that are liked."""
    if not isinstance(picks, Mapping):
        if isinstance(picks, str) or not isinstance(picks, Iterable):
            raise InputError(
                f"picks: expected places and words such as {{0: 'love', 3: 'like'}}, got "
                f"{shown(picks)}"
            )
        picks = dict.fromkeys(picks, LIKE)
    for place, word in picks.items():
        if word not in WORDS:
            known = (
                did_you_mean(word, list(WORDS))
                if isinstance(word, str)
                else f"Known: {', '.join(WORDS)}"
            )
            raise InputError(
                f"picks: expected a word for place {place}, got {shown(word)}: {known}"
            )
    return tuple(picks.items())


def parse_cells(cells: object) -> tuple[Place, ...]:
    """Cells from pairs (x, y), texts "x,y", or texts "x,y..x,y" for all cells of a rectangle; one
    text may hold several, with spaces between.
    """
    listed = cells.split() if isinstance(cells, str) else cells
    if not isinstance(listed, Iterable):
        raise InputError(f"cells: expected a list of cells (x, y), got {shown(cells)}")
    found: dict[Place, None] = {}
    for entry in listed:
        corners = re.split(r"\.\.", entry, maxsplit=1) if isinstance(entry, str) else [entry]
        try:
            (left, top), (right, bottom) = (parse_place(corners[0]), parse_place(corners[-1]))
        except InputError as problem:
            raise InputError(f"cells: {problem}") from problem
        width, height = abs(right - left) + 1, abs(bottom - top) + 1
        if max(width, height) > LONGEST_SIDE or width * height + len(found) > MOST_CELLS:
            raise InputError(f"cells: expected a rectangle inside the level, got {shown(entry)}")
        rows = range(min(top, bottom), max(top, bottom) + 1)
        found |= dict.fromkeys(
            (x, y) for y in rows for x in range(min(left, right), max(left, right) + 1)
        )
    if not found:
        raise InputError("cells: expected at least one cell (x, y), got none")
    return tuple(found)


def parse_share(name: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"{name}: expected a number from 0 to 1, got {shown(value)}")
    return float(value)


def parse_tiles(
    cells: object, tile: object, tileset: Tileset
) -> tuple[tuple[str, tuple[Place, ...]], ...]:
    """Cells by the character of the tile that they get: one `tile` for all cells, or a mapping of
    cells to tiles and None.
    """
    if not isinstance(cells, Mapping):
        return ((parse_tile(tile, tileset), parse_cells(cells)),)
    if tile is not None:
        raise InputError(
            f"tile: cannot be combined with cells that name their tiles, got {shown(tile)}"
        )
    found: dict[str, dict[Place, None]] = {}
    for cell, kind in cells.items():
        found.setdefault(parse_tile(kind, tileset), {}).update(dict.fromkeys(parse_cells([cell])))
    if not found:
        raise InputError("cells: expected at least one cell (x, y), got none")
    return tuple((character, tuple(listed)) for character, listed in found.items())


def parse_tile(tile: object, tileset: Tileset) -> str:
    """The character of a tile, from its character or its name."""
    if isinstance(tile, str) and tile in tileset.names:
        return tileset.characters[tileset.names.index(tile)]
    if isinstance(tile, str) and len(tile) == 1 and tile in tileset.characters:
        return tile
    known = (
        did_you_mean(tile, list(tileset.names))
        if isinstance(tile, str)
        else f"Known: {', '.join(tileset.names)}"
    )
    raise InputError(
        f"tile: expected the name or the character of a tile of a {tileset.name} level, got "
        f"{shown(tile)}: {known}"
    )


def parse_generations(value: object) -> int:
    """A number of generations."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_GENERATIONS:
        raise InputError(
            f"generations: expected a whole number from 1 to {MOST_GENERATIONS}, got {shown(value)}"
        )
    return value


# How many generations of evolution lead to a sheet of levels that are more like one of them.
LIKE_GENERATIONS = 8


@dataclass(frozen=True)
class Pick:
    """Picks for some places of the sheet, each "love", "like", "never", or "none" to take a pick
    back.
    """

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
    """A sheet after some generations of evolution, whose objective is blended with the likeness to
    what was picked.
    """

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
        return {
            "action": self.kind,
            "cells": [write_place(cell) for cell in self.cells],
            "place": self.place,
        }


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
    """Cells of the level at `place` of the sheet that get other tiles, by the character of the
    tile; with `lock`, they are locked as well.
    """

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
        tiles = {
            character: [write_place(cell) for cell in cells] for character, cells in self.tiles
        }
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


# Actions with generations above 0 lead to a new sheet, the others change what is known about this
# one.
Action = Pick | Next | Cross | Advance | MoreLike | Lock | Unlock | PaintCells | Adjust
KINDS = tuple(
    kind.kind for kind in (Pick, Next, Cross, Advance, MoreLike, Lock, Unlock, PaintCells, Adjust)
)
SETTINGS = ("wildness", "blend")


def cells_of(action: Action) -> int:
    """How many cells an action names."""
    return len(action.cells) if isinstance(action, Lock | Unlock | PaintCells) else 0


def read_action(data: object, where: str) -> Action:
    """An action from plain data. `where` names it in error messages."""
    if not isinstance(data, Mapping):
        raise InputError(f"{where}: expected a table with an 'action', got {shown(data)}")
    try:
        found = _read_breeding(data) or _read_change(data)
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from problem
    if found is None:
        raise InputError(
            f"{where}: expected an action of a session ({', '.join(KINDS)}) with what it needs, "
            f"got {shown(dict(data))}"
        )
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
        case {
            "action": "paint",
            "place": int() as place,
            "tiles": Mapping() as tiles,
            "lock": bool() as lock,
        } if tiles:
            return PaintCells(
                place,
                tuple((str(character), parse_cells(cells)) for character, cells in tiles.items()),
                lock,
            )
        case {"action": "adjust", "setting": str() as setting, "value": value} if (
            setting in SETTINGS
        ):
            return Adjust(setting, parse_share(setting, value))
    return None


def _whole(place: object) -> int:
    try:
        return int(str(place))
    except ValueError:
        raise InputError(f"picks: expected the number of a place, got {shown(place)}") from None
