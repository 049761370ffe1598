"""Measures of levels with things: in which order they are entered, how far the player walks for
them, and how easily the level is lost.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs import plays
from levolve.kernels.proofs.proving import ENTERED_IN, SEEN_IN
from levolve.levels.batch import Batch
from levolve.levels.measures import bounds, structure_features
from levolve.levels.measures.contents import distances_from
from levolve.levels.measures.measure import Bounds, Measure, Numbers
from levolve.levels.measures.thing_features import (
    Shares,
    marked_proofs,
    order,
    proofs,
    roles,
    share,
    solutions,
    useless,
)

Counts = NDArray[np.int64]
NEVER = np.iinfo(np.int32).max


def spheres(batch: Batch) -> Numbers:
    """Count the rounds of a sweep that takes all it reaches, then opens all it can."""
    return proofs(batch).spheres


def required_doors(batch: Batch) -> Counts:
    """Count the doors that every play that wins enters."""
    return np.asarray((order(batch).needed & roles(batch).doors).sum(axis=1), np.int64)


def optional_doors(batch: Batch) -> Counts:
    """Count the other doors that can be entered."""
    found = order(batch)
    return np.asarray((found.reached & ~found.needed & roles(batch).doors).sum(axis=1), np.int64)


def order_freedom(batch: Batch) -> Shares:
    """Return the share of the pairs of keys and doors that can be entered of which neither has to
    be entered before the other; 1 without pairs.
    """
    found, parts = order(batch), roles(batch)
    counted = found.reached & (parts.doors | parts.keys)
    if not found.before.size:
        return np.ones(len(batch))
    both = counted[:, :, np.newaxis] & counted[:, np.newaxis, :]
    size = counted.sum(axis=1)
    pairs = size * (size - 1) // 2
    bound = (both & (found.before | found.before.transpose(0, 2, 1))).sum(axis=(1, 2)) // 2
    return share(pairs - bound, pairs, 1.0)


def key_door_distance(batch: Batch) -> Shares:
    """Return the mean, over doors, of the steps from the door to the nearest thing that opens it,
    as if nothing barred the way; 0 without such doors.
    """
    parts = roles(batch)
    total, doors = np.zeros(len(batch)), np.zeros(len(batch), np.int64)
    for door in np.flatnonzero(parts.doors & parts.opens.any(axis=0)).tolist():
        steps = distances_from(batch, parts.cells[:, door])
        cells = parts.cells[:, parts.opens[:, door]]
        found = np.where(cells < 0, -1, np.take_along_axis(steps, np.maximum(cells, 0), axis=1))
        nearest = np.where(found < 0, NEVER, found).min(axis=1)
        known = (parts.cells[:, door] >= 0) & (nearest < NEVER)
        total += np.where(known, nearest, 0)
        doors += known
    return share(total, doors)


def door_seen_first(batch: Batch) -> Shares:
    """Return the share of the doors that the sweep finds in an earlier round than that in which it
    takes the first thing that opens them; 0 without doors.
    """
    parts, marks = roles(batch), marked_proofs(batch).marks
    entered, seen = parts.marks(marks, ENTERED_IN), parts.marks(marks, SEEN_IN)
    taken = np.where(entered > 0, entered, NEVER)
    first = np.full(entered.shape, NEVER, np.int32)
    for door in np.flatnonzero(parts.opens.any(axis=0)).tolist():
        first[:, door] = taken[:, parts.opens[:, door]].min(axis=1)
    doors = parts.present & parts.doors
    return share((doors & (seen > 0) & (seen < first)).sum(axis=1), doors.sum(axis=1))


def useless_keys(batch: Batch) -> Counts:
    """Count the keys without which all the same can be entered and won."""
    return useless(batch)


def solution_steps(batch: Batch) -> Numbers:
    """Return the moves of a shortest solution; -1 if there is none."""
    return np.maximum(solutions(batch)[:, plays.MOVES], -1)


def backtracking(batch: Batch) -> Shares:
    """Return the share of the moves of the solution that do not lead to a new cell; 0 without a
    solution.
    """
    parts = solutions(batch)
    return share(parts[:, plays.MOVES] + 1 - parts[:, plays.CELLS], parts[:, plays.MOVES])


def longest_errand(batch: Batch) -> Numbers:
    """Return the most moves of the solution from one thing to the next that it enters for the first
    time or uses; -1 without a solution.
    """
    return np.maximum(solutions(batch)[:, plays.ERRAND], -1)


def shortcut_gain(batch: Batch) -> Counts:
    """Return the moves that the solution takes more than the shortest path through the stops, as if
    nothing barred the way; 0 without such a path, and -1 without a solution.
    """
    steps = solutions(batch)[:, plays.MOVES].astype(np.int64)
    straight = structure_features.way_steps(batch)
    gain = np.where(straight < 0, 0, np.maximum(steps - straight, 0))
    return np.where(steps < 0, -1, gain)


def coverage(batch: Batch) -> Shares:
    """Return the share of the walkable cells that the solution visits; 0 without a solution."""
    cells = np.maximum(solutions(batch)[:, plays.CELLS], 0)
    return share(cells, structure_features.open_cells(batch))


def lost_share(batch: Batch) -> Shares:
    """Return the share of the states of the condensed level from which it cannot be won; 1 if it
    cannot be won at all or is undecided.
    """
    found = proofs(batch)
    return np.where(found.winnable, share(found.lost, found.states), 1.0)


def losing_moves(batch: Batch) -> Numbers:
    """Count the moves between states of the condensed level that lose it."""
    return proofs(batch).losing


def forgiveness(batch: Batch) -> Shares:
    """Return the share of the moves between states of the condensed level, from those that can be
    won, that do not lose it; 1 without such moves, 0 if it cannot be won.
    """
    found = proofs(batch)
    kept = share(found.choices - found.losing, found.choices, 1.0)
    return np.where(found.winnable, kept, 0.0)


def _of_few(most: int) -> Bounds:
    """Return the range from 0 to a number in which most levels lie."""
    return lambda _frame, _tileset: (0, most)


SPHERES = Measure(
    "rounds of a sweep that takes all things it reaches, then opens all it can",
    spheres,
    of_goal=True,
    of_things=True,
    bounds=bounds.of_cells,
    span=_of_few(12),
)
REQUIRED_DOORS = Measure(
    "doors that every play that wins passes; doors are what needs something, and gates",
    required_doors,
    of_goal=True,
    of_things=True,
    bounds=bounds.of_cells,
    span=_of_few(12),
)
OPTIONAL_DOORS = Measure(
    "doors that can be passed, but need not be to win",
    optional_doors,
    of_goal=True,
    of_things=True,
    bounds=bounds.of_cells,
    span=_of_few(12),
)
ORDER_FREEDOM = Measure(
    "share of the pairs of keys and doors of which neither has to come before the other",
    order_freedom,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
KEY_DOOR_DISTANCE = Measure(
    "mean steps from a door to the nearest thing that opens it, as if nothing barred the way",
    key_door_distance,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_cells,
    span=bounds.of_path,
)
DOOR_SEEN_FIRST = Measure(
    "share of the doors that are found in an earlier sphere than the first thing that opens them",
    door_seen_first,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
USELESS_KEYS = Measure(
    "keys and switches without which all the same can be entered and won",
    useless_keys,
    of_goal=True,
    of_things=True,
    bounds=bounds.of_cells,
    span=_of_few(6),
)
SOLUTION_STEPS = Measure(
    "moves of a shortest solution, -1 if there is none",
    solution_steps,
    of_goal=True,
    of_things=True,
    span=bounds.of_long_walks,
)
BACKTRACKING = Measure(
    "share of the moves of the solution that lead to no new cell",
    backtracking,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
LONGEST_ERRAND = Measure(
    "most moves of the solution from one thing that it enters or uses to the next",
    longest_errand,
    of_goal=True,
    of_things=True,
    span=bounds.of_path,
)
SHORTCUT_GAIN = Measure(
    "moves that the solution takes more than a path as if nothing barred the way",
    shortcut_gain,
    of_goal=True,
    of_things=True,
    span=bounds.of_long_walks,
)
COVERAGE = Measure(
    "share of the walkable cells that the solution visits",
    coverage,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
LOST_SHARE = Measure(
    "share of the states of the condensed level from which it cannot be won",
    lost_share,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
LOSING_MOVES = Measure(
    "moves between states of the condensed level that lose it",
    losing_moves,
    of_goal=True,
    of_things=True,
    span=_of_few(64),
)
FORGIVENESS = Measure(
    "share of the moves between states of the condensed level that do not lose it",
    forgiveness,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
