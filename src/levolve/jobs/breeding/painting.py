"""Painting: a level of the sheet that was changed by hand, and the genes that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.core.errors import InputError
from levolve.jobs.breeding.actions import PaintCells
from levolve.jobs.breeding.sheet import first_starts, winnable
from levolve.levels.level import Level
from levolve.levels.places import TOUR, Place
from levolve.levels.solver import explain_unwinnable
from levolve.recipes.from_levels import recipe_that_encodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from levolve.recipes.recipe import Recipe
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.level_problem import LevelProblem


def painted_tiles(level: Level, action: PaintCells, locks: Mapping[Place, str]) -> Level:
    """The level with other tiles, without a solution; raises `InputError` for cells outside, locked
    cells, unknown tiles, and if nothing changes.
    """
    tiles = level.tiles.copy()
    for character, cells in action.tiles:
        if character not in level.tileset.characters:
            message = (
                f"paint: expected tiles of a {level.tileset.name} level "
                f"({' '.join(level.tileset.characters)}), got {character!r}"
            )
            raise InputError(message)
        for x, y in cells:
            if not (0 <= x < level.width and 0 <= y < level.height):
                message = (
                    f"paint: expected cells inside the {level.width}x{level.height} level, got "
                    f"{x},{y}"
                )
                raise InputError(message)
            if not action.lock and locks.get((x, y), character) != character:
                message = (
                    f"paint: expected cells that are not locked, got {x},{y}, which is locked as "
                    f"{locks[x, y]!r}; unlock it first"
                )
                raise InputError(message)
            tiles[y, x] = level.tileset.characters.index(character)
    if np.array_equal(tiles, level.tiles):
        message = "paint: expected at least one cell that changes, but all have these tiles already"
        raise InputError(message)
    # Places that follow from the tiles, such as the ends of a tour, are found again.
    places = {
        name: place for name, place in level.places.items() if name not in {TOUR[0], TOUR[-1]}
    }
    return Level(tiles, places, level.tileset, goal=level.goal)


def painted_individual(level: Level, recipe: Recipe) -> tuple[Genes, Level]:
    """The genes of a painted level, and the level with its solution; raises `InputError` if the
    genotype cannot write it, or it cannot be won.
    """
    problem = first_starts(recipe.problem)
    try:
        genes = problem.genotype.write(level, problem.frame)
        again = problem.batch(genes[np.newaxis]).tiles[0]
    except InputError as problem_of_genotype:
        raise InputError(_explain(str(problem_of_genotype), level, recipe)) from problem_of_genotype
    different = np.argwhere(again != level.tiles)
    if len(different):
        y, x = different[0].tolist()
        raise InputError(
            _explain(
                f"{len(different)} cells would not stay as painted, such as {x},{y}", level, recipe
            )
        )
    return genes, _proven(problem, genes, level)


def _proven(problem: LevelProblem, genes: Genes, level: Level) -> Level:
    for _, proven in winnable(problem, genes[np.newaxis]):
        return proven
    message = (
        f"paint: expected a level that can be won, but {explain_unwinnable(level)}; open a way "
        "first"
    )
    raise InputError(message)


def _explain(reason: str, level: Level, recipe: Recipe) -> str:
    name = recipe_that_encodes(level)
    other = (
        f"; begin a session with the recipe {name!r} and this level as its start"
        if name not in {None, recipe.name}
        else ""
    )
    return f"paint: recipe {recipe.name!r} cannot continue from this level: {reason}{other}"
