"""Places: the named cells of a level, and their order."""

import operator
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from levolve.core.errors import InputError, shown

Place = tuple[int, int]

ENTRANCE, EXIT = "entrance", "exit"
# Stands for all checkpoints of a level in lists of place names.
CHECKPOINTS = "checkpoints"
TOUR = ("A", "B", "C")
MOST_CHECKPOINTS = 64
# Where the places lie if every level has its own; see `levolve.search.genotypes.placed`: an
# entrance and an exit, or A, B and C of a tour.
PlacesRule = Literal[
    "anywhere", "border", "sides", "rooms", "farthest", "tour", "tour_uniform", "tour_best"
]
TOUR_RULES = ("tour", "tour_uniform", "tour_best")


def checkpoint(number: int) -> str:
    """Return the name of checkpoint `number`, counted from 1."""
    return f"checkpoint {number}"


def way_to(places: Iterable[str]) -> str:
    """Return what to set in a recipe so that its levels have these places."""
    if set(places) & set(TOUR):
        return f"set places to {', '.join(TOUR_RULES[:-1])} or {TOUR_RULES[-1]}"
    return "choose a genotype, a goal and places (such as fixed) with an entrance and an exit"


def is_checkpoint(name: str) -> bool:
    """Whether this is the name of a checkpoint."""
    return name.startswith("checkpoint ")


def known_place(name: str) -> bool:
    """Whether `name` is a valid name of a place."""
    return (
        name in {ENTRANCE, EXIT, *TOUR}
        or re.fullmatch(r"checkpoint [1-9][0-9]{0,8}", name) is not None
    )


def _order(name: str) -> tuple[int, int, str]:
    if name in {ENTRANCE, EXIT}:
        return (0, 0, name)
    if is_checkpoint(name):
        return (1, int(name.removeprefix("checkpoint ")), name)
    return (2, 0, name)


def ordered_places(places: Mapping[str, Iterable[int]]) -> Mapping[str, Place]:
    """Return the places, read-only, in the fixed order: entrance, exit, checkpoints by number,
    tour. Unknown names raise `InputError`.
    """
    for name in places:
        if not known_place(name):
            raise InputError(
                f"unknown place {shown(name)}: expected entrance, exit, A, B, C or 'checkpoint "
                "N' with N from 1"
            )
    checked: dict[str, Place] = {}
    for name in sorted(places, key=_order):
        try:
            x, y = (operator.index(part) for part in places[name])
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"{name}: expected a place (x, y) of two whole numbers, got {shown(places[name])}"
            ) from problem
        checked[name] = (x, y)
    return MappingProxyType(checked)


def check_places(places: Mapping[str, Place], width: int, height: int) -> None:
    """Raise `InputError` for places outside a level of this size, and if entrance and exit are the
    same cell.
    """
    for name, (x, y) in places.items():
        if not (0 <= x < width and 0 <= y < height):
            raise InputError(
                f"{name}: expected a cell inside the {width}x{height} level, x from 0 to "
                f"{width - 1} and y from 0 to {height - 1}, got {x},{y}"
            )
    checkpoints = [name for name in places if is_checkpoint(name)]
    if len(checkpoints) > MOST_CHECKPOINTS:
        raise InputError(
            f"checkpoints: expected at most {MOST_CHECKPOINTS}, got {len(checkpoints)}"
        )
    if ENTRANCE in places and places[ENTRANCE] == places.get(EXIT):
        raise InputError(
            "exit: expected a cell other than the entrance, got "
            f"{places[EXIT][0]},{places[EXIT][1]} for both"
        )


def default_checkpoints(width: int, height: int, taken: Iterable[Place]) -> list[Place]:
    """Return default checkpoints: the centres of the level and of its four quarters, except
    duplicates and cells in `taken`.
    """
    left, right, top, bottom = (
        (width - 1) // 4,
        width - 1 - (width - 1) // 4,
        (height - 1) // 4,
        height - 1 - (height - 1) // 4,
    )
    centres = [
        (left, top),
        (right, top),
        ((width - 1) // 2, (height - 1) // 2),
        (left, bottom),
        (right, bottom),
    ]
    free = dict.fromkeys(centres)
    for place in taken:
        free.pop(place, None)
    return list(free)
