"""`TileMap`: a position of a puzzle as the tiles and places of a level, so that every format of
editors and engines can hold it.

The level carries the puzzle's name and what tiles cannot show (solution, facts, another goal) as
JSON in `Level.puzzle`. A file that was edited is solved again: its position is what the tiles show,
and the stored solution counts only if it wins.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

from levolve.core.errors import InputError, LevolveError, ProofError, shown
from levolve.formats.reading.budgets import MOST_POSITION_MOVES, check_amount
from levolve.formats.reading.data import parse_json
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset
from levolve.puzzles.solvers import AnyPosition

if TYPE_CHECKING:
    from levolve.puzzles.puzzle import Puzzle

# The formats of editors and engines, which keep `Level.puzzle`.
MAP_FORMS = ("tmx", "tmj", "ldtk", "tscn", "csv")


@dataclass(frozen=True)
class TileMap(Generic[AnyPosition]):
    """How a puzzle's positions are shown by tiles.

    Attributes
    ----------
    tileset
        The kinds of tiles; it must be registered in `TILESETS`, and no other tileset may have its
        kinds.
    level_of
        Returns the level that shows a position, and what it cannot show, as plain data.
    position_of
        Returns the position that a level shows, given the same data. Raises `InputError` if it
        shows none.
    """

    tileset: Tileset
    level_of: Callable[[AnyPosition], tuple[Level, Mapping[str, Any]]]
    position_of: Callable[[Level, Mapping[str, Any]], AnyPosition]


def to_level(puzzle: "Puzzle[AnyPosition]", position: AnyPosition) -> Level:
    """Return the level that shows a position. Raises `ProofError` for a wrong solution,
    `InputError` for a puzzle without a tile map.
    """
    tile_map = puzzle.tile_map()
    if tile_map is None:
        raise InputError(f"expected a puzzle that can be shown by tiles, got {puzzle.noun}")
    if position.solution is not None:
        position.check()
    level, rest = tile_map.level_of(position)
    data = {
        "name": puzzle.name,
        **rest,
        "digest": position.digest,
        "solution": position.solution,
        "facts": dict(position.facts),
    }
    return replace(
        level,
        puzzle=json.dumps({key: value for key, value in data.items() if value}, sort_keys=True),
    )


def from_level(puzzle: "Puzzle[AnyPosition]", level: Level) -> AnyPosition:
    """Return the position that a level shows, with a solution that wins: the stored one or a new
    one; None if it cannot be won.

    Facts are dropped if the digest shows that the position was edited.
    """
    tile_map = puzzle.tile_map()
    data = puzzle_data(level)
    if tile_map is None or level.tileset != tile_map.tileset:
        kinds = "none" if tile_map is None else f"the tileset {tile_map.tileset.name!r}"
        raise InputError(
            f"tiles: expected those of {puzzle.noun}, {kinds}, got the tileset "
            f"{level.tileset.name!r}"
        )
    position = tile_map.position_of(level, data)
    solution, facts = data.get("solution"), data.get("facts")
    if isinstance(solution, str) and set(solution) <= set(MOVES):
        check_amount(len(solution), MOST_POSITION_MOVES, "moves", "solution")
        position = position.with_solution(solution)
    if data.get("digest") == position.digest and isinstance(facts, dict):
        position = position.with_facts(facts)
    return recertified(puzzle, position)


def recertified(puzzle: "Puzzle[AnyPosition]", position: AnyPosition) -> AnyPosition:
    """Return the position with its own solution if it wins, otherwise with one that exact search
    finds; None if there is none.
    """
    try:
        position.check()
    except ProofError:
        bare = position.with_solution(None)
        try:
            bare.check_solvable()
            found = bare.with_solution(
                puzzle.search_exactly(
                    bare, puzzle.settings("exact", changes={"budget": puzzle.loading_budget})
                ).moves
            )
        except LevolveError:
            # It is known to be in vain, or the search gave up. `check` reports the reason.
            return bare
        if found.solution is not None:
            found.check()
        return found
    return position


def puzzle_data(level: Level) -> dict[str, Any]:
    """Return what a level carries about the puzzle whose position it is; empty for a level, and for
    a map drawn by hand.
    """
    if not level.puzzle:
        return {}
    data = parse_json(level.puzzle, "puzzle")
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise InputError(
            f"puzzle: expected an object with the name of a puzzle, got {shown(level.puzzle)}"
        )
    return data
