"""What the tile maps of the benchmark need, by problem: the numbers that its `quality` functions
ask for. Repairs are made by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SOLID, EMPTY = 0, 1


@dataclass(frozen=True)
class Need:
    """Between `low` and `high` cells have one of these tiles."""

    tiles: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True)
class Way:
    """At least `count` cells of the shortest way from the tile `start` to the tile `end` have one
    of these tiles, if there is room.
    """

    start: int
    end: int
    tiles: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class TileRules:
    """What a map needs.

    Parameters
    ----------
    needs
        How often tiles may occur.
    equal
        Pairs of tiles that must occur equally often.
    connected
        The tiles that must form one region, with four neighbours; empty if they need not.
    way
        The tiles that must lie on a way through the connected ones; None if none need to.
    fillers
        The tiles that replace removed ones. With walls among them, maps do not become wide and
        open.
    """

    needs: tuple[Need, ...] = ()
    equal: tuple[tuple[int, int], ...] = ()
    connected: tuple[int, ...] = ()
    way: Way | None = None
    fillers: tuple[int, ...] = (EMPTY, SOLID)


def _binary(problem: Any) -> TileRules:
    return TileRules(connected=(EMPTY,))


def _zelda(problem: Any) -> TileRules:
    enemies, spread = problem._enemies, problem._erange
    # The player, the key, the door, and enemies.
    needs = (
        Need((2,), 1, 1),
        Need((3,), 1, 1),
        Need((4,), 1, 1),
        Need((5,), enemies - spread, enemies + spread),
    )
    return TileRules(needs, connected=(1, 2, 3, 4, 5))


def _sokoban(problem: Any) -> TileRules:
    width, height = problem._width, problem._height
    # The player, and as many crates as targets: at most as many as the control parameter may ask
    # for.
    most = max(width, height)
    return TileRules(
        (Need((2,), 1, 1), Need((3,), 1, most), Need((4,), 1, most)),
        equal=((3, 4),),
        fillers=(EMPTY,),
    )


def _mini_dungeons(problem: Any) -> TileRules:
    enemies, cells = problem._enemies, problem._width * problem._height
    # The player, the exit, potions, treasures, and enemies; half of the cells must be floor or
    # wall.
    needs = (
        Need((2,), 1, 1),
        Need((3,), 1, 1),
        Need((4,), 0, enemies),
        Need((5,), 0, cells // 6),
        Need((6, 7), enemies, enemies + 4),
    )
    # The solution has to meet the enemies.
    return TileRules(needs, connected=(1, 2, 3, 4, 5, 6, 7), way=Way(2, 3, (6, 7), enemies))


def _dangerous_dave(problem: Any) -> TileRules:
    width, height = problem._width, problem._height
    # The player, the exit, diamonds, the key, and spikes.
    return TileRules(
        (
            Need((2,), 1, 1),
            Need((3,), 1, 1),
            Need((4,), 0, min(width, height)),
            Need((5,), 1, 1),
            Need((6,), 0, max(width, height)),
        )
    )


def _lode_runner(problem: Any) -> TileRules:
    gold, enemies = problem._gold, problem._enemies
    # The player, gold, and enemies.
    return TileRules(
        (Need((2,), 1, 1), Need((3,), gold, 2 * gold), Need((4,), enemies, 2 * enemies))
    )


# By the first part of a problem's name.
RULES: dict[str, Callable[[Any], TileRules]] = {
    "binary": _binary,
    "zelda": _zelda,
    "sokoban": _sokoban,
    "mdungeons": _mini_dungeons,
    "ddave": _dangerous_dave,
    "loderunnertile": _lode_runner,
}


def rules_for(name: str, problem: Any) -> TileRules | None:
    """Return what the maps of a problem need; None if nothing is known about them."""
    find = RULES.get(name.partition("-")[0])
    return None if find is None else find(problem)
