"""Measures of what is in a level: enemies, treasure, and who controls which cells.

Area control, exploration and their balance follow Liapis, Yannakakis and Togelius (2013), leniency
Viana, Pereira and Toledo (2022).
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs.proving import TOUCHED
from levolve.kernels.proofs.sweeps import NEEDS, SPENDS
from levolve.kernels.walking.shortest_paths import distances_from as find_distances
from levolve.kernels.walking.structure import label_rooms
from levolve.levels.batch import Batch
from levolve.levels.measures import bounds
from levolve.levels.measures.measure import Measure, feature
from levolve.levels.measures.structure_features import links, open_cells, stops
from levolve.levels.measures.thing_features import (
    HEALTH,
    MOST_ORDERED,
    Roles,
    Shares,
    barred,
    marked_proofs,
    proofs,
    prove,
    roles,
    share,
    tables,
    things_of,
)

Counts = NDArray[np.int64]
FAR = np.iinfo(np.int32).max // 2
# A cell belongs to an element from which it is this safe, 0.35: 7 of 20.
SAFE, OF = 7, 20


def distances_from(batch: Batch, cells: Counts) -> NDArray[np.int32]:
    """Return the steps from a cell of each level, `(n,)`, to all cells, `(n, height * width)`, as
    if nothing barred the way; -1 where none leads, and everywhere for a missing cell.
    """
    steps = np.empty(batch.tiles.shape, np.int32)
    find_distances(batch.tiles, batch.tileset.table, np.maximum(cells, 0), steps)
    found = steps.reshape(len(batch), -1)
    found[cells < 0] = -1
    return found


def _enemies(batch: Batch) -> tuple[Roles, list[int]]:
    """Return the roles of things, and the enemies, of which at most `MOST_ORDERED` are compared."""
    parts = roles(batch)
    return parts, np.flatnonzero(parts.enemies)[:MOST_ORDERED].tolist()


def enemy_density(batch: Batch) -> Shares:
    """Return the enemies per walkable cell."""
    parts = roles(batch)
    return share((parts.present & parts.enemies).sum(axis=1), open_cells(batch))


def enemy_spread(batch: Batch) -> Shares:
    """Return the mean steps from an enemy to the nearest other one that it can reach, as if nothing
    barred the way; 0 without such enemies.
    """
    parts, enemies = _enemies(batch)
    total, counted = np.zeros(len(batch)), np.zeros(len(batch), np.int64)
    for enemy in enemies if len(enemies) > 1 else ():
        steps = distances_from(batch, parts.cells[:, enemy])
        others = parts.cells[:, [other for other in enemies if other != enemy]]
        found = np.take_along_axis(steps, np.maximum(others, 0), axis=1)
        nearest = np.where((others < 0) | (found < 0), FAR, found).min(axis=1)
        total += np.where(nearest < FAR, nearest, 0)
        counted += nearest < FAR
    return share(total, counted)


def guarded_treasure(batch: Batch) -> Shares:
    """Return the share of the treasures in reach that cannot be reached without meeting an enemy; 0
    without treasure.
    """
    parts = roles(batch)
    reached = (parts.marks(marked_proofs(batch).marks, TOUCHED) > 0) & parts.treasures
    rows = parts.rows[:, parts.enemies]
    again = prove(batch, barred(tables(batch), rows[rows >= 0]))
    left = parts.marks(again.marks, TOUCHED) > 0
    return share((reached & ~left).sum(axis=1), reached.sum(axis=1))


def least_damage(batch: Batch) -> Counts:
    """Return the least health that a play that wins loses to enemies in all; -1 if none wins."""
    parts, given = roles(batch), tables(batch)
    effects = things_of(batch).effects
    health = [index for index, name in enumerate(effects.resources) if name == HEALTH]
    damage = effects.spends[:, health].sum(axis=1).astype(np.int64)
    most = (parts.present * damage).sum(axis=1)
    # What a play may lose in all is one more resource, which nothing gives.
    amounts = np.pad(given.amounts, ((0, 0), (0, 0), (0, 1)))
    spent = given.amounts[:, SPENDS, health].sum(axis=1)
    amounts[:, NEEDS, -1] = amounts[:, SPENDS, -1] = spent
    winnable = proofs(batch).winnable
    low, high = np.zeros(len(batch), np.int64), np.where(winnable, most, 0)
    while np.any(low < high):
        middle = (low + high) // 2
        initial = np.concatenate([given.initial, middle[:, np.newaxis]], axis=1).astype(np.int32)
        won = prove(batch, given._replace(amounts=amounts, initial=initial)).winnable
        low, high = np.where(won, low, np.minimum(middle + 1, high)), np.where(won, middle, high)
    return np.where(winnable, low, -1)


def leniency(batch: Batch) -> Shares:
    """Return the share of the rooms in which no enemy stands; 1 without rooms."""
    parts = roles(batch)
    labels = np.empty(batch.tiles.shape, np.int32)
    label_rooms(batch.tiles, links(batch), labels)
    flat = labels.reshape(len(batch), -1)
    rooms = flat.max(axis=1)
    cells = parts.cells[:, parts.enemies]
    taken = np.where(cells < 0, 0, np.take_along_axis(flat, np.maximum(cells, 0), axis=1))
    taken = np.sort(taken, axis=1)
    first = np.diff(taken, axis=1, prepend=0) > 0
    return np.where(rooms > 0, 1.0 - first.sum(axis=1) / np.maximum(rooms, 1), 1.0)


@feature
def areas(batch: Batch) -> Counts:
    """Return the cells that each enemy controls, `(n, enemies)`; 0 for absent ones.

    The safety of a cell from an enemy at distance a, when the nearest other one is at distance b,
    is (b - a) / (b + a), and 1 without another one; an enemy controls the cells with more than
    0.35.
    """
    parts, enemies = _enemies(batch)
    shape = len(batch), batch.frame.width * batch.frame.height
    nearest, second = np.full(shape, FAR, np.int32), np.full(shape, FAR, np.int32)
    owner = np.zeros(shape, np.int32)
    for index, enemy in enumerate(enemies):
        steps = distances_from(batch, parts.cells[:, enemy])
        steps[steps < 0] = FAR
        closer = steps < nearest
        second = np.where(closer, nearest, np.minimum(second, steps))
        nearest = np.where(closer, steps, nearest)
        owner = np.where(closer, index, owner)
    near, other = nearest.astype(np.int64), second.astype(np.int64)
    safe = (near < FAR) & ((other == FAR) | (OF * (other - near) > SAFE * (other + near)))
    return np.stack(
        [(safe & (owner == index)).sum(axis=1) for index in range(len(enemies))]
        or [np.zeros(len(batch), np.int64)],
        axis=1,
    )


def area_control(batch: Batch) -> Shares:
    """Return the share of the walkable cells that are controlled by one enemy; see `areas`."""
    return share(areas(batch).sum(axis=1), open_cells(batch))


def area_balance(batch: Batch) -> Shares:
    """Return 1 minus the mean, over pairs of enemies, of the difference of the areas that they
    control divided by the larger one; 1 without pairs.
    """
    found = areas(batch)
    parts, enemies = _enemies(batch)
    present = parts.present[:, enemies]
    if not present.shape[1]:
        return np.ones(len(batch))
    one, other = found[:, :, np.newaxis], found[:, np.newaxis, :]
    larger = np.maximum(np.maximum(one, other), 1)
    both = present[:, :, np.newaxis] & present[:, np.newaxis, :]
    difference = np.where(both, np.abs(one - other) / larger, 0.0).sum(axis=(1, 2))
    count = present.sum(axis=1)
    return 1.0 - share(difference, count * (count - 1))


@feature
def explored(batch: Batch) -> Counts:
    """Return the cells that are no farther from the first stop than the last stop is, those no
    farther from the last than the first, and the cells in reach of the first, `(n, 3)`; the first
    two are 0 without a path.
    """
    ends = stops(batch)
    found = np.zeros((len(batch), 3), np.int64)
    for column, (start, end) in enumerate(((0, -1), (-1, 0))):
        steps = distances_from(batch, ends[:, start])
        away = np.take_along_axis(steps, np.maximum(ends[:, end : end + 1 or None], 0), axis=1)
        within = (steps >= 0) & (steps <= away)
        found[:, column] = np.where(away[:, 0] >= 0, within.sum(axis=1), 0)
        if not column:
            found[:, 2] = (steps >= 0).sum(axis=1)
    return found


def exploration(batch: Batch) -> Shares:
    """Return the share of the cells in reach of the first stop that are no farther from it than the
    last stop, as if nothing barred the way; 0 without a path.
    """
    found = explored(batch)
    return share(found[:, 0], found[:, 2])


def exploration_balance(batch: Batch) -> Shares:
    """Return 1 minus the difference of the cells that a search from the first stop for the last one
    covers, and a search back, divided by the larger number; 0 without both paths.
    """
    there, back = explored(batch)[:, 0], explored(batch)[:, 1]
    larger = np.maximum(np.maximum(there, back), 1)
    return np.where((there > 0) & (back > 0), 1.0 - np.abs(there - back) / larger, 0.0)


ENEMY_DENSITY = Measure(
    "enemies per walkable cell; enemies are what takes health",
    enemy_density,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
    span=bounds.of_small_share,
)
ENEMY_SPREAD = Measure(
    "mean steps from an enemy to the nearest other one, as if nothing barred the way",
    enemy_spread,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_cells,
    span=bounds.of_path,
)
GUARDED_TREASURE = Measure(
    "share of the treasures that cannot be reached without meeting an enemy",
    guarded_treasure,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
LEAST_DAMAGE = Measure(
    "the least health that a play that wins loses in all, -1 if none wins",
    least_damage,
    of_goal=True,
    of_things=True,
    span=bounds.of_damage,
)
LENIENCY = Measure(
    "share of the rooms in which no enemy stands",
    leniency,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
AREA_CONTROL = Measure(
    "share of the walkable cells that are clearly nearer to one enemy than to all others",
    area_control,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
AREA_BALANCE = Measure(
    "how equal the areas are that enemies control, from 0 to 1",
    area_balance,
    of_goal=True,
    of_things=True,
    whole=False,
    bounds=bounds.of_share,
)
EXPLORATION = Measure(
    "share of the cells that a search from the first stop covers before the last one",
    exploration,
    of_goal=True,
    whole=False,
    bounds=bounds.of_share,
)
EXPLORATION_BALANCE = Measure(
    "how equal the searches from the first stop for the last one and back are, from 0 to 1",
    exploration_balance,
    of_goal=True,
    whole=False,
    bounds=bounds.of_share,
)
