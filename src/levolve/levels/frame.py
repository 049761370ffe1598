"""Sizes and places: what is fixed about a level before a single tile is."""

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from levolve.errors import InputError

Place = tuple[int, int]
# Rows of characters, one a cell: a tile's character keeps the cell as that tile, FREE leaves it to evolution.
Kept = tuple[str, ...]
FREE = "?"

SMALLEST = 2
# 2**28 cells: 256 MiB for one level at one byte a cell.
MOST_CELLS = 1 << 28

ENTRANCE, EXIT = "entrance", "exit"
CHECKPOINTS = "checkpoints"
TOUR = ("A", "B", "C")
MOST_CHECKPOINTS = 64


def checkpoint(number: int) -> str:
    """The name of checkpoint `number`, counted from 1."""
    return f"checkpoint {number}"


def _order(name: str) -> tuple[int, int, str]:
    if name in {ENTRANCE, EXIT}:
        return (0, 0, name)
    if name.startswith("checkpoint "):
        return (1, int(name.removeprefix("checkpoint ")), name)
    return (2, 0, name)


def default_checkpoints(width: int, height: int, taken: Iterable[Place]) -> list[Place]:
    """Checkpoints that suit the size: the centre of the level and of its four quarters, those that are on cells of their own."""
    left, right, top, bottom = (width - 1) // 4, width - 1 - (width - 1) // 4, (height - 1) // 4, height - 1 - (height - 1) // 4
    wanted = [(left, top), (right, top), ((width - 1) // 2, (height - 1) // 2), (left, bottom), (right, bottom)]
    free = dict.fromkeys(wanted)
    for place in taken:
        free.pop(place, None)
    return list(free)


def known_place(name: str) -> bool:
    """Whether `name` is one a place may have."""
    return name in {ENTRANCE, EXIT, *TOUR} or re.fullmatch(r"checkpoint [1-9][0-9]{0,8}", name) is not None


def ordered_places(places: Mapping[str, Iterable[int]]) -> Mapping[str, Place]:
    """The places in their one order (entrance, exit, checkpoints by number, tour), unchangeable; unknown names are refused."""
    for name in places:
        if not known_place(name):
            message = f"unknown place {name!r}: expected entrance, exit, A, B, C or 'checkpoint N' with N from 1"
            raise InputError(message)
    checked: dict[str, Place] = {}
    for name in sorted(places, key=_order):
        try:
            x, y = (operator.index(part) for part in places[name])
        except (TypeError, ValueError) as problem:
            message = f"{name}: expected a place (x, y) of two whole numbers, got {places[name]!r}"
            raise InputError(message) from problem
        checked[name] = (x, y)
    return MappingProxyType(checked)


def check_size(width: int, height: int, argument: str = "size") -> None:
    """Refuse sizes that no level can have."""
    if width < SMALLEST or height < SMALLEST:
        message = f"{argument}: expected at least {SMALLEST}x{SMALLEST} (WIDTHxHEIGHT), got {width}x{height}"
        raise InputError(message)
    if width * height > MOST_CELLS:
        message = f"{argument}: {width}x{height} is {width * height:,} cells, more than the {MOST_CELLS:,} that fit; choose a smaller size"
        raise InputError(message)


@dataclass(frozen=True)
class Frame:
    """The size and the places that all levels of a batch share, and the cells that are not for evolution to change.

    With `tours`, every level has places A, B and C of its own besides.
    """

    width: int
    height: int
    places: Mapping[str, Place]
    kept: Kept = ()
    tours: bool = False

    def __post_init__(self) -> None:
        """Check the size, that every place is inside, and that the cells to keep fit them."""
        check_size(self.width, self.height)
        object.__setattr__(self, "places", ordered_places(self.places))
        check_places(self.places, self.width, self.height)
        check_kept(self.kept, self.width, self.height)

    def __hash__(self) -> int:
        """Equal frames have equal hashes."""
        return hash((self.width, self.height, tuple(self.places.items()), self.kept, self.tours))

    def __reduce__(self) -> tuple[Any, ...]:
        """A frame can be copied and sent to other processes."""
        return Frame, (self.width, self.height, dict(self.places), self.kept, self.tours)

    def has(self, name: str) -> bool:
        """Whether there is a place called `name`, or any checkpoint for "checkpoints"."""
        return bool(self.checkpoints) if name == CHECKPOINTS else name in self.places or (self.tours and name in TOUR)

    @property
    def entrance(self) -> Place:
        """Where a walk begins."""
        return self._need(ENTRANCE)

    @property
    def exit(self) -> Place:
        """Where a walk ends."""
        return self._need(EXIT)

    @property
    def checkpoints(self) -> tuple[Place, ...]:
        """The checkpoints, by number."""
        return tuple(place for name, place in self.places.items() if name.startswith("checkpoint "))

    def _need(self, name: str) -> Place:
        if name not in self.places:
            message = f"places: expected one called {name!r}, got {', '.join(self.places) or 'none'}"
            raise InputError(message)
        return self.places[name]


def check_kept(kept: Kept, width: int, height: int) -> None:
    """Refuse a mask of cells to keep that has another size."""
    if not kept:
        return
    if len(kept) != height or any(len(row) != width for row in kept):
        lengths = sorted({len(row) for row in kept})
        message = f"keep: expected {height} rows of {width} characters like the level, got {len(kept)} rows of {' and '.join(map(str, lengths))}"
        raise InputError(message)


def check_places(places: Mapping[str, Place], width: int, height: int) -> None:
    """Refuse places outside a level of this size, and an entrance that is the exit."""
    for name, (x, y) in places.items():
        if not (0 <= x < width and 0 <= y < height):
            message = f"{name}: expected a cell inside the {width}x{height} level, x from 0 to {width - 1} and y from 0 to {height - 1}, got {x},{y}"
            raise InputError(message)
    checkpoints = {name: place for name, place in places.items() if name.startswith("checkpoint ")}
    if len(checkpoints) > MOST_CHECKPOINTS:
        message = f"checkpoints: expected at most {MOST_CHECKPOINTS}, got {len(checkpoints)}"
        raise InputError(message)
    if ENTRANCE in places and places[ENTRANCE] == places.get(EXIT):
        message = f"exit: expected another cell than the entrance, got {places[EXIT][0]},{places[EXIT][1]} for both"
        raise InputError(message)
