"""Features: values of a batch of n levels that are computed once and shared by measures and
objectives.

A feature is a function of a `Batch`: `exit_steps(batch)` returns `(n,)` steps. A new feature is a
function decorated with `@feature`, in any module.

The goal of a batch: the cells of its stops, the effort to find the path through them, and whether
levels are winnable.

The layout of levels: counts of their shapes and groups of cells, and the shape of the way.

The structure of levels: regions, culs-de-sac, junctions, and reconvergences.

The likeness of levels to the examples of their frame.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.packed_flood import WIDEST
from levolve.kernels.building.patterns import least_differences, style_divergences
from levolve.kernels.compiler import SMALL
from levolve.kernels.walking import dead_ends, packed_layout, path_shape, structure
from levolve.kernels.walking.dead_ends import count_regions
from levolve.levels.batch import Batch
from levolve.levels.goal import EXIT_GOAL
from levolve.levels.measures.measure import Feature, feature
from levolve.levels.measures.path_features import (
    distances,
    exit_members,
    members,
    path_steps,
    stops,
    stranded,
    tour_steps,
    tours,
)
from levolve.levels.measures.thing_features import playable, proofs, solution_steps
from levolve.levels.places import TOUR
from levolve.levels.style import style_of

__all__ = [
    "Feature",
    "distances",
    "divergences",
    "efforts",
    "ends",
    "ends_by_squares",
    "exit_members",
    "exit_steps",
    "feature",
    "groups",
    "layouts",
    "members",
    "open_cells",
    "originality",
    "path_steps",
    "playable",
    "pockets",
    "proofs",
    "reaches_exit",
    "reconvergences",
    "regions",
    "shapes",
    "solution_steps",
    "stops",
    "stranded",
    "tour_steps",
    "tours",
    "unwinnable",
    "way",
    "winnable",
]

Steps = NDArray[np.int32]
Counts = NDArray[np.int64]


@feature
def regions(batch: Batch) -> tuple[Steps, Steps]:
    """Return the number of regions and the number of cells of the largest, each `(n,)`. A one-way
    step also connects its two cells.
    """
    found, largest = np.empty((2, len(batch)), np.int32)
    table = batch.tileset.table
    count_regions(
        batch.tiles, table if batch.tileset.reversible else table | table.T, found, largest
    )
    return found, largest


@feature
def ends(batch: Batch) -> tuple[Counts, Counts, Counts]:
    """Return the number of culs-de-sac, the sum of their |x|, and the number of junctions, each
    `(n,)`.
    """
    found, lengths, junctions = np.empty((3, len(batch)), np.int64)
    if batch.tileset.packs and batch.ends is None and not distances.is_known(batch):
        dead_ends.count_ends_of_walls(batch.tiles, *batch.frame.entrance, found, lengths, junctions)
        return found, lengths, junctions
    dead_ends.count_ends(
        batch.tiles, batch.tileset.table, distances(batch), found, lengths, junctions
    )
    return found, lengths, junctions


@feature
def ends_by_squares(batch: Batch) -> tuple[Counts, Counts]:
    """Return the number of culs-de-sac by squares and the sum of their |x|, each `(n,)`: reachable
    cells that no adjacent cell is farther than, whether a step to it is legal or not.
    """
    steps = distances(batch)
    framed = np.pad(steps, ((0, 0), (1, 1), (1, 1)), constant_values=-1)
    farthest = np.max(
        [framed[:, :-2, 1:-1], framed[:, 2:, 1:-1], framed[:, 1:-1, :-2], framed[:, 1:-1, 2:]],
        axis=0,
    )
    found = (steps >= 0) & (steps >= farthest)
    lengths = np.where(found, steps, 0).sum(axis=(1, 2), dtype=np.int64)
    return found.sum(axis=(1, 2), dtype=np.int64), lengths


@feature
def reconvergences(batch: Batch) -> tuple[Counts, Counts]:
    """Return the sums of prc and of iprc over all pairs of checkpoints, each `(n,)`."""
    sums, isolated = np.empty((2, len(batch)), np.int64)
    found = members(batch)
    dead_ends.sum_reconvergences(
        distances(batch), found, len(batch.frame.checkpoints), sums, isolated
    )
    return sums, isolated


@feature
def open_cells(batch: Batch) -> Counts:
    """Return the number of walkable cells of each level, `(n,)`."""
    kinds = range(len(batch.tileset.characters))
    walkable = np.array([batch.tileset.may_stand(kind) for kind in kinds])
    return np.asarray(walkable[batch.tiles].sum(axis=(1, 2)), np.int64)


def way_steps(batch: Batch) -> Counts:
    """Return the steps of a shortest path through the stops of the goal, as if things barred
    nothing, `(n,)`; -1 without a path.
    """
    if batch.frame.goal.stops == EXIT_GOAL.stops:
        return path_steps(batch).astype(np.int64)
    return efforts(batch)[:, path_shape.STEPS]


@feature
def efforts(batch: Batch) -> NDArray[np.int64]:
    """Return the parts of the difficulty of the path through the goal's stops, `(n, 5)`; all -1 if
    there is no path. See `kernels.efforts`.
    """
    parts = np.empty((len(batch), path_shape.EFFORT_PARTS), np.int64)
    table = batch.tileset.table
    path_shape.weigh_walks(batch.tiles, table, np.ascontiguousarray(table.T), stops(batch), parts)
    return parts


@feature
def exit_steps(batch: Batch) -> Steps:
    """|e|: the steps of a shortest path from the entrance to the exit, `(n,)`; -1 if there is none.
    Where things act: the fewest moves to win; -1 for a level that cannot be won or can be lost.
    """
    return solution_steps(batch) if batch.has_mechanics else path_steps(batch)


@feature
def reaches_exit(batch: Batch) -> NDArray[np.bool_]:
    """Return whether `exit_steps` is at least 0, `(n,)`, in less time."""
    return playable(batch) if batch.has_mechanics else np.asarray(path_steps(batch) >= 0)


@feature
def winnable(batch: Batch) -> NDArray[np.bool_]:
    """Return whether each level can be won, `(n,)`: it has a path through the stops of its goal or,
    where things act, a proof that it can be won and cannot be lost.
    """
    if batch.has_mechanics:
        return playable(batch)
    goal = batch.frame.goal
    if not goal.stops:
        return np.ones(len(batch), bool)
    if goal == EXIT_GOAL:
        return np.asarray(path_steps(batch) >= 0)
    return np.asarray(_steps(batch) >= 0)


@feature
def unwinnable(batch: Batch) -> NDArray[np.float64]:
    """Return 0 for a winnable level and 1 to 2 for others, `(n,)`: lower if more cells are
    reachable or the largest region is larger.

    Where things act, levels without a path have more than 5/3, others that cannot be won at least
    4/3, which falls with the things that can be reached, and levels that can be lost more than 1,
    which rises with the share of lost states.
    """
    without_things = _without_path(batch)
    if not batch.has_mechanics:
        return without_things
    proof = proofs(batch)
    lacking = 1.0 - (proof.reached + 1.0) / (proof.acting + 1.0)
    lost = proof.lost / np.maximum(proof.states, 1)
    return np.select(
        # Stairs may lead where there is no path.
        [playable(batch), proof.winnable, without_things > 0],
        [0.0, (3.0 + lost) / 3.0, (4.0 + without_things) / 3.0],
        (4.0 + lacking) / 3.0,
    )


def _without_path(batch: Batch) -> NDArray[np.float64]:
    """Return 0 for a level with a path through the stops of its goal and 1 to 2 for others."""
    goal, cells = batch.frame.goal, batch.frame.width * batch.frame.height
    if not goal.stops:
        return np.zeros(len(batch))
    if goal.stops == EXIT_GOAL.stops:
        reached = stranded(batch)
        return np.where(path_steps(batch) < 0, 2.0 - reached / cells, 0.0)
    return np.where(_steps(batch) < 0, 2.0 - regions(batch)[1] / cells, 0.0)


def _steps(batch: Batch) -> NDArray[np.signedinteger[Any]]:
    """Return the steps of a path through the stops of a goal other than the exit, `(n,)`; negative
    without a path.
    """
    return (
        tour_steps(batch) if batch.frame.goal.stops == TOUR else efforts(batch)[:, path_shape.STEPS]
    )


TWO = 2


@feature
def shapes(batch: Batch) -> Counts:
    """Return the counts of shapes that follow from neighbouring cells, `(n, 10)`; see
    `kernels.structure`.
    """
    counts = np.empty((len(batch), structure.SHAPES), np.int64)
    structure.count_shapes(batch.tiles, links(batch), _known_stops(batch), counts)
    return counts


@feature
def groups(batch: Batch) -> tuple[Counts, Counts]:
    """Return the numbers of corridors and of rooms, each `(n,)`."""
    corridors, rooms = np.empty((2, len(batch)), np.int64)
    structure.count_groups(batch.tiles, links(batch), corridors, rooms)
    return corridors, rooms


@feature
def pockets(batch: Batch) -> Counts:
    """Return the number of regions without a stop of the goal, `(n,)`; without stops, all regions
    but one.
    """
    found = np.empty(len(batch), np.int64)
    structure.count_pockets(batch.tiles, links(batch), _known_stops(batch), found)
    return found


@feature
def way(batch: Batch) -> Counts:
    """Return the turns, the longest straight run, the choke points and the cells of the way, `(n,
    4)`; all -1 without a way.
    """
    parts = np.empty((len(batch), path_shape.PARTS), np.int64)
    path_shape.follow_ways(batch.tiles, batch.tileset.table, stops(batch), parts)
    return parts


@feature
def layouts(batch: Batch) -> Counts | None:
    """Return the parts of the layout of levels of floor and walls with two stops, `(n, 8)`; see
    `kernels.layouts`. Also stores `exit_steps`.

    None for other levels, and for one small level: its parts are counted by `shapes`, `pockets` and
    `way`, which a report needs anyway.
    """
    frame = batch.frame
    if (
        not batch.tileset.packs
        or frame.width > WIDEST
        or (len(batch) == 1 and frame.width * frame.height <= SMALL)
    ):
        return None
    ends = stops(batch)
    if ends.shape[1] != TWO:
        return None
    parts = np.empty((len(batch), packed_layout.PARTS), np.int64)
    packed_layout.describe_layouts(batch.rows, frame.width, ends, parts)
    if frame.goal == EXIT_GOAL and not path_steps.is_known(batch):
        path_steps.store(
            batch, np.maximum(parts[:, packed_layout.WAY_CELLS] - 1, -1).astype(np.int32)
        )
    return parts


def links(batch: Batch) -> NDArray[np.uint8]:
    """Return the table of steps that are legal in at least one direction."""
    table = batch.tileset.table
    return table if batch.tileset.reversible else table | table.T


def _known_stops(batch: Batch) -> Counts:
    """Return the cells of the stops, `(n, stops)`; no stops for levels that lack one of their
    goal.
    """
    frame = batch.frame
    return (
        np.empty((len(batch), 0), np.int64)
        if frame.goal.missing(frame.place_names)
        else stops(batch)
    )


@feature
def divergences(batch: Batch) -> NDArray[np.float64]:
    """Return the divergence of each level from the style of the examples, `(n,)`; 0 for the same
    distributions of patterns.
    """
    style = style_of(batch.frame.like, batch.tileset)
    shares, log_shares, absent = style.shares(batch.frame.height, batch.frame.width)
    found = np.empty(len(batch))
    style_divergences(
        batch.tiles,
        style.outside,
        style.sizes,
        style.keys,
        style.mass,
        style.log_mass,
        absent,
        shares,
        log_shares,
        found,
    )
    # Rounding may give a tiny negative number for a level that equals the example.
    return np.maximum(found, 0.0)


@feature
def originality(batch: Batch) -> NDArray[np.float64]:
    """Return the smallest share of cells in which each level differs from a part of an example,
    `(n,)`.
    """
    found = np.ones(len(batch))
    for example in style_of(batch.frame.like, batch.tileset).examples:
        least_differences(batch.tiles, example, found)
    return found
