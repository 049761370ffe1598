"""`Frame`: the size, places and goal that are fixed before any tile is chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from levolve.core.errors import InputError
from levolve.levels.goal import Goal, default_goal
from levolve.levels.places import (
    CHECKPOINTS,
    ENTRANCE,
    EXIT,
    TOUR,
    Place,
    check_places,
    checkpoint,
    default_checkpoints,
    is_checkpoint,
    ordered_places,
)

__all__ = [
    "CHECKPOINTS",
    "ENTRANCE",
    "EXIT",
    "FREE",
    "HALL",
    "MOST_CELLS",
    "SMALLEST",
    "TOUR",
    "UNKEPT",
    "Examples",
    "Frame",
    "Kept",
    "Place",
    "check_kept",
    "check_size",
    "checkpoint",
    "default_checkpoints",
]

# Rows of characters, one per cell: a tile's character keeps the cell as that tile, FREE and HALL
# leave it to evolution.
Kept = tuple[str, ...]
FREE = "?"
# A free cell of a hall: evolution may close it, but a hall is never filled.
HALL = ":"
UNKEPT = FREE + HALL
# Example levels, each as rows of the characters of its tiles.
Examples = tuple[tuple[str, ...], ...]

SMALLEST = 2
# 2**28 cells: 256 MiB for one level at one byte per cell.
MOST_CELLS = 1 << 28


def check_size(width: int, height: int, argument: str = "size") -> None:
    """Raise `InputError` for sizes that no level can have."""
    if width < SMALLEST or height < SMALLEST:
        raise InputError(
            f"{argument}: expected at least {SMALLEST}x{SMALLEST} (WIDTHxHEIGHT), got "
            f"{width}x{height}"
        )
    if width * height > MOST_CELLS:
        raise InputError(
            f"{argument}: {width}x{height} is {width * height:,} cells, more than the "
            f"{MOST_CELLS:,} that fit; choose a smaller size"
        )


@dataclass(frozen=True)
class Frame:
    """The size, places and goal that all levels of a batch share, and the cells that evolution must
    not change.

    With `tours`, every level also has its own places A, B and C; with `ends`, its own entrance and
    exit. By default, the goal follows from the places. `like` are the example levels whose style
    the levels should have. With `things`, levels have things that act, such as keys and doors; with
    `floors`, several floors.
    """

    width: int
    height: int
    places: Mapping[str, Place]
    kept: Kept = ()
    tours: bool = False
    goal: Goal = None  # type: ignore[assignment] # replaced by the goal that follows from the places
    ends: bool = False
    like: Examples = ()
    things: bool = False
    floors: int = 1

    def __post_init__(self) -> None:
        """Check the size, that every place is inside, and that the cells to keep have the same
        size.
        """
        check_size(self.width, self.height)
        object.__setattr__(self, "places", ordered_places(self.places))
        check_places(self.places, self.width, self.height)
        check_kept(self.kept, self.width, self.height)
        if self.goal is None:
            object.__setattr__(self, "goal", default_goal(self.place_names))

    def __hash__(self) -> int:
        """Return equal hashes for equal frames."""
        return hash(
            (
                self.width,
                self.height,
                tuple(self.places.items()),
                self.kept,
                self.tours,
                self.goal.name,
                self.ends,
                self.like,
                self.things,
                self.floors,
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copying and pickling."""
        return Frame, (
            self.width,
            self.height,
            dict(self.places),
            self.kept,
            self.tours,
            self.goal,
            self.ends,
            self.like,
            self.things,
            self.floors,
        )

    @property
    def place_names(self) -> tuple[str, ...]:
        """The names of all places of every level, including its own."""
        return (
            *((ENTRANCE, EXIT) if self.ends else ()),
            *self.places,
            *(TOUR if self.tours else ()),
        )

    def has(self, name: str) -> bool:
        """Whether there is a place called `name`, or any checkpoint for "checkpoints"."""
        return bool(self.checkpoints) if name == CHECKPOINTS else name in self.place_names

    @property
    def entrance(self) -> Place:
        """The start of the path, (x, y)."""
        return self._need(ENTRANCE)

    @property
    def exit(self) -> Place:
        """The end of the path, (x, y)."""
        return self._need(EXIT)

    @property
    def checkpoints(self) -> tuple[Place, ...]:
        """The checkpoints in order of number."""
        return tuple(place for name, place in self.places.items() if is_checkpoint(name))

    def _need(self, name: str) -> Place:
        if name not in self.places:
            raise InputError(
                f"places: expected one called {name!r}, got {', '.join(self.places) or 'none'}"
            )
        return self.places[name]


def check_kept(kept: Kept, width: int, height: int) -> None:
    """Raise `InputError` if the cells to keep have another size than the level."""
    if not kept:
        return
    if len(kept) != height or any(len(row) != width for row in kept):
        lengths = sorted({len(row) for row in kept})
        raise InputError(
            f"keep: expected {height} rows of {width} characters like the level, got {len(kept)} "
            f"rows of {' and '.join(map(str, lengths))}"
        )
