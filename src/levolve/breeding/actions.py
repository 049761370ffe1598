"""Actions of a breeding session as plain data. A recipe, a seed and a list of actions give the same levels on any machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from levolve.errors import InputError, shown
from levolve.formats.reading.budgets import MOST_CELLS
from levolve.levels.places import Place
from levolve.recipes.values import parse_place, write_place
from levolve.registry import did_you_mean

LOVE, LIKE, NONE, NEVER = "love", "like", "none", "never"
WORDS = (LOVE, LIKE, NONE, NEVER)
LONGEST_SIDE = 1 << 14


@dataclass(frozen=True)
class Pick:
    """Picks for some places of the sheet, each "love", "like", "never", or "none" to take a pick back."""

    kind: ClassVar[str] = "pick"
    picks: tuple[tuple[int, str], ...]

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "picks": {str(place): word for place, word in self.picks}}


@dataclass(frozen=True)
class Next:
    """The next sheet."""

    kind: ClassVar[str] = "next"

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind}


@dataclass(frozen=True)
class Lock:
    """Cells, each (x, y), that stay as they are in the level at `place` of the sheet."""

    kind: ClassVar[str] = "lock"
    cells: tuple[Place, ...]
    place: int

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "cells": [write_place(cell) for cell in self.cells], "place": self.place}


@dataclass(frozen=True)
class Unlock:
    """Cells that may vary again."""

    kind: ClassVar[str] = "unlock"
    cells: tuple[Place, ...]

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "cells": [write_place(cell) for cell in self.cells]}


@dataclass(frozen=True)
class Adjust:
    """Another `wildness` or `blend`, from 0 to 1."""

    kind: ClassVar[str] = "adjust"
    setting: str
    value: float

    def to_data(self) -> dict[str, Any]:
        """The action as plain data."""
        return {"action": self.kind, "setting": self.setting, "value": self.value}


Action = Pick | Next | Lock | Unlock | Adjust
SETTINGS = ("wildness", "blend")


def read_action(data: object, where: str) -> Action:
    """An action from plain data. `where` names it in error messages."""
    if not isinstance(data, Mapping):
        message = f"{where}: expected a table with an 'action', got {shown(data)}"
        raise InputError(message)
    try:
        match data:
            case {"action": "pick", "picks": Mapping() as picks}:
                return Pick(parse_picks({_whole(place): word for place, word in picks.items()}))
            case {"action": "next"}:
                return Next()
            case {"action": "lock", "cells": list() as cells, "place": int() as place}:
                return Lock(parse_cells(cells), place)
            case {"action": "unlock", "cells": list() as cells}:
                return Unlock(parse_cells(cells))
            case {"action": "adjust", "setting": str() as setting, "value": value} if setting in SETTINGS:
                return Adjust(setting, parse_share(setting, value))
    except InputError as problem:
        message = f"{where}: {problem}"
        raise InputError(message) from problem
    message = f"{where}: expected an action of a session: pick, next, lock, unlock or adjust with what it needs, got {shown(dict(data))}"
    raise InputError(message)


def parse_picks(picks: object) -> tuple[tuple[int, str], ...]:
    """Picks by place, from a mapping of places to words, or a list of places that are liked."""
    if not isinstance(picks, Mapping):
        if isinstance(picks, str) or not isinstance(picks, Iterable):
            message = f"picks: expected places and words such as {{0: 'love', 3: 'like'}}, got {shown(picks)}"
            raise InputError(message)
        picks = dict.fromkeys(picks, LIKE)
    for place, word in picks.items():
        if word not in WORDS:
            known = did_you_mean(word, list(WORDS)) if isinstance(word, str) else f"Known: {', '.join(WORDS)}"
            message = f"picks: expected a word for place {place}, got {shown(word)}: {known}"
            raise InputError(message)
    return tuple(picks.items())


def parse_cells(cells: object) -> tuple[Place, ...]:
    """Cells from pairs (x, y), texts "x,y", or texts "x,y..x,y" for all cells of a rectangle; one text may hold several, with spaces between."""
    listed = cells.split() if isinstance(cells, str) else cells
    if not isinstance(listed, Iterable):
        message = f"cells: expected a list of cells (x, y), got {shown(cells)}"
        raise InputError(message)
    found: dict[Place, None] = {}
    for entry in listed:
        corners = re.split(r"\.\.", entry, maxsplit=1) if isinstance(entry, str) else [entry]
        try:
            (left, top), (right, bottom) = (parse_place(corners[0]), parse_place(corners[-1]))
        except InputError as problem:
            message = f"cells: {problem}"
            raise InputError(message) from problem
        width, height = abs(right - left) + 1, abs(bottom - top) + 1
        if max(width, height) > LONGEST_SIDE or width * height + len(found) > MOST_CELLS:
            message = f"cells: expected a rectangle inside the level, got {shown(entry)}"
            raise InputError(message)
        rows = range(min(top, bottom), max(top, bottom) + 1)
        found |= dict.fromkeys((x, y) for y in rows for x in range(min(left, right), max(left, right) + 1))
    if not found:
        message = "cells: expected at least one cell (x, y), got none"
        raise InputError(message)
    return tuple(found)


def parse_share(name: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        message = f"{name}: expected a number from 0 to 1, got {shown(value)}"
        raise InputError(message)
    return float(value)


def _whole(place: object) -> int:
    try:
        return int(str(place))
    except ValueError:
        message = f"picks: expected the number of a place, got {shown(place)}"
        raise InputError(message) from None
