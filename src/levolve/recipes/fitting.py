"""Recipes fitted to examples: the genotype and settings whose random levels resemble the examples
most.

Levels with walls are built in three ways: as rooms with corridors, as mazes, and as caves. What can
be read off the examples, such as the widths of corridors and the sizes of rooms, is; other settings
are compared on random levels.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.areas import ROOM, find_areas
from levolve.levels.level import Level
from levolve.levels.measures.structure import likeness
from levolve.levels.style import rows_of
from levolve.levels.tileset import WALLS
from levolve.recipes.recipe import Recipe, find_recipe

# Random levels per choice of settings.
SAMPLES = 24
WIDEST = 4
# Rooms count as rectangles if they fill this share of the rectangle around them.
FULL = 0.97
# Corners per edge between a wall and a walkable cell: below, walls are straight; above, levels are
# caves.
SMOOTH, RAGGED = 0.45, 0.55
Settings = dict[str, Any]


def fitted_recipe(examples: list[Level]) -> Recipe | None:
    """Return a recipe for levels like these; None for levels without walls, or too small ones."""
    first = examples[0]
    if first.tileset != WALLS:
        return None
    like = {
        "like": [list(rows_of(level)) for level in examples],
        "size": (first.width, first.height),
        "objective": {"kind": "likeness", "feasible_first": True},
    }
    best: tuple[float, Recipe] | None = None
    for name, settings in _choices(examples):
        try:
            recipe = find_recipe(name).changed({**like, **settings})
            batch = recipe.problem.batch(recipe.problem.start(0, 0, SAMPLES))
        except InputError:
            # Such as rooms that do not fit into the level.
            continue
        score = float(likeness(batch).mean())
        if best is None or score > best[0]:
            best = score, recipe
    return None if best is None else best[1]


def _choices(examples: list[Level]) -> Iterator[tuple[str, Settings]]:
    """Yield the names of recipes, and settings to compare."""
    ragged = _corners(examples)
    if ragged > SMOOTH:
        for passes in (1, 2, 3):
            steps = [step for step in find_recipe("grotto").finish or () if step["kind"] != "frame"]
            steps[0] = {"kind": "smooth", "passes": passes}
            yield "grotto", {"name": "like-caves", "places": "sides", "finish": steps}
    if ragged > RAGGED:
        return
    corridor, wall = _widths(examples)
    lattice = {"corridor": corridor, "wall": wall}
    maze = {
        "name": "like-maze",
        "places": "sides",
        "strategy.mutation": {"kind": "point", "points": 2},
    }
    for straight, loops, braid in itertools.product(
        (0.0, 0.3, 0.6), (0.0, 0.03, 0.1), (0.0, 0.5, 1.0)
    ):
        genotype = {"kind": "passages", **lattice, "straight": straight}
        yield (
            "labyrinth",
            {**maze, "genotype": {**genotype, "loops": loops, "braid": braid}, "generations": 100},
        )
    areas = [area for level in examples for area in find_areas(level) if area.kind == ROOM]
    if areas:
        sides = sorted(side for area in areas for side in (area.width, area.height))
        full = sum(len(area.cells) >= FULL * area.width * area.height for area in areas)
        rounded = 2 * full < len(areas)
        rooms = {
            "kind": "rooms",
            **lattice,
            "smallest": max(2, sides[len(sides) // 10]),
            "largest": sides[-1 - len(sides) // 20],
            "shapes": ["cavern", "round", "corner"] if rounded else ["rectangle"],
        }
        for share, loops, dead_ends in itertools.product(
            (0.5, 0.75, 1.0), (0.0, 0.02, 0.06, 0.15), (0.0, 0.4)
        ):
            genotype = {**rooms, "share": share, "loops": loops, "dead_ends": dead_ends}
            yield (
                "crypt" if rounded else "castle",
                {"name": "like-rooms", "genotype": genotype, "generations": 100},
            )
        if not rounded:
            sizes = {name: rooms[name] for name in ("smallest", "largest")}
            for divide, loops in itertools.product((0.0, 0.4, 0.8), (0.0, 0.1, 0.2, 0.4)):
                genotype = {"kind": "chambers", **sizes, "wall": wall, "door": corridor}
                genotype |= {"divide": divide, "loops": loops}
                yield "manor", {"name": "like-rooms", "genotype": genotype, "generations": 100}


def _corners(examples: list[Level]) -> float:
    """Return the number of corners of walls per edge between a wall and a walkable cell."""
    corners = edges = 0
    for level in examples:
        walls = (~level.walkable).astype(int)
        squares = walls[1:, 1:] + walls[:-1, 1:] + walls[1:, :-1] + walls[:-1, :-1]
        corners += int((squares % 2).sum())
        edges += int((walls[1:] != walls[:-1]).sum() + (walls[:, 1:] != walls[:, :-1]).sum())
    return corners / max(edges, 1)


def _widths(examples: list[Level]) -> tuple[int, int]:
    """Return the usual widths of corridors and of walls inside the border."""
    corridors: Counter[int] = Counter()
    walls: Counter[int] = Counter()
    for level in examples:
        walkable = level.walkable
        in_room = np.zeros(walkable.shape, bool)
        for area in find_areas(level):
            if area.kind == ROOM:
                for x, y in area.cells:
                    in_room[y, x] = True
        widths = np.minimum(_runs(walkable), _runs(walkable.T).T)
        corridors.update(widths[walkable & ~in_room].tolist())
        inside = ~walkable
        inside[[0, -1]] = False
        inside[:, [0, -1]] = False
        walls.update(widths[inside].tolist())
    return tuple(  # type: ignore[return-value] # of two counters
        min(counts.most_common(1)[0][0], WIDEST) if counts else 1 for counts in (corridors, walls)
    )


def _runs(cells: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each cell how many equal cells follow each other there in its row."""
    found = np.empty(cells.shape, np.int64)
    for row, out in zip(cells, found, strict=True):
        starts = np.flatnonzero(np.diff(row, prepend=not row[0]))
        lengths = np.diff(starts, append=len(row))
        out[:] = np.repeat(lengths, lengths)
    return found
