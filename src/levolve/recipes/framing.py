"""The frame of a recipe's levels: their size with what grows them, their places, and the cells to
keep; refused if these cannot go together.
"""

from typing import TYPE_CHECKING

import numpy as np

from levolve.core.errors import InputError
from levolve.levels.frame import (
    CHECKPOINTS,
    ENTRANCE,
    EXIT,
    Frame,
    Place,
    checkpoint,
    default_checkpoints,
)
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.places import way_to
from levolve.levels.solver import explain_unwinnable, recertified
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.finish_steps import margin_of, moved_inside, padded_rows

if TYPE_CHECKING:
    from levolve.recipes.recipe import Recipe

# The rule of places that uses the entrance and the exit of the recipe.
FIXED = "fixed"


def frame_of(recipe: "Recipe") -> Frame:
    """Return the size, the places and the cells to keep of each floor of a recipe's levels."""
    grown, margin = sum(step.margin for step in recipe.steps if step.grows), margin_of(recipe.steps)
    width, height = (side + 2 * grown for side in recipe.size)
    genotype, objective, _ = recipe.parts
    goal = None if recipe.goal is None else GOALS[recipe.goal]
    own = recipe.encoding.sets_places
    unplaced = own or (goal is not None and not goal.stops)
    if unplaced and recipe.places is not None:
        busy = f"the genotype {recipe.genotype['kind']!r} places A, B and C itself"
        reason = busy if own else f"the goal {recipe.goal!r} has no stops"
        raise InputError(f"places: expected {FIXED!r}, because {reason}, got {recipe.places!r}")
    fixed = (
        ()
        if unplaced or recipe.places is not None
        else ((ENTRANCE, recipe.entrance), (EXIT, recipe.exit))
    )
    places = moved_inside(
        {name: _resolved(recipe, place, grown) for name, place in fixed}, width, height, margin
    )
    if (
        ENTRANCE in places
        and (opposite := genotype.exit_for(places[ENTRANCE], width, height)) is not None
    ):
        places[EXIT] = opposite
    if recipe.checkpoints is not None:
        listed = {
            checkpoint(number): _resolved(recipe, place, grown)
            for number, place in enumerate(recipe.checkpoints, 1)
        }
        checkpoints = list(moved_inside(listed, width, height, margin).values())
    else:
        checkpoints = (
            default_checkpoints(width, height, places.values())
            if CHECKPOINTS in (*objective.needs, *(goal.stops if goal else ()))
            else []
        )
    for number, place in enumerate(checkpoints, 1):
        taken = next((name for name, other in places.items() if other == place), None)
        if taken is not None:
            raise InputError(
                f"checkpoints: expected number {number} on a free cell, got "
                f"{place[0]},{place[1]}, which is the {taken}"
            )
        places[checkpoint(number)] = place
    keep = padded_rows(recipe.keep, grown) if recipe.keep and grown else recipe.keep
    frame = Frame(
        width,
        height,
        places,
        keep,
        genotype.sets_places,
        goal,  # type: ignore[arg-type] # None: the goal follows from the places
        genotype.sets_ends,
        recipe.like,
        recipe.furnisher is not None and recipe.furnisher.acts,
    )
    if missing := frame.goal.missing(frame.place_names):
        raise InputError(
            f"goal: expected one whose stops the levels have, got {frame.goal.name!r} without "
            f"{' and '.join(missing)}; {way_to(missing)}"
        )
    objective.check(frame)
    if recipe.keep:
        # Cells to keep are checked with the tileset of the genotype.
        genotype.space(frame)
        check_way(frame)
    if recipe.like:
        from levolve.levels.style import style_of

        style_of(recipe.like, recipe.tileset)
    elif objective.compares_with_examples:
        raise InputError(
            "like: expected examples (--like FILE), because the objective compares levels "
            "with them, got none"
        )
    return frame


def _resolved(recipe: "Recipe", place: Place, grown: int) -> Place:
    """Resolve negative numbers of a place, and add the border by which the levels grow."""
    x, y = from_the_far_side(place, *recipe.size)
    return x + grown, y + grown


def from_the_far_side(place: Place, width: int, height: int) -> Place:
    """Resolve negative numbers, which count from the right and the bottom: -1 is the last column or
    row. Places outside stay outside.
    """
    x, y = place
    return (x + width if -width <= x < 0 else x), (y + height if -height <= y < 0 else y)


def check_way(frame: Frame) -> None:
    """Raise `InputError` if the walls to keep make every level unwinnable."""
    wall = WALLS.characters[1]
    tiles = np.array([[character == wall for character in row] for row in frame.kept], np.uint8)
    if (
        ENTRANCE in frame.places
        and EXIT in frame.places
        and recertified(open_level := Level(tiles, frame.places)).solution is None
    ):
        raise InputError(
            f"keep: {explain_unwinnable(open_level)}, because of the walls to keep; open one, or "
            "keep less"
        )
