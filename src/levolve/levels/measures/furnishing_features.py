"""How good the furnishing of levels is: whether locks lead the player around, and whether things
are spread over the level.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.measures.measure import feature
from levolve.levels.measures.path_features import distances, path_steps
from levolve.levels.measures.thing_features import playable, proofs, solution_steps
from levolve.levels.things.batch_things import BatchThings

# A solution so many times as long as the way without locks, and so many spheres more than one, are
# as good as longer ones.
LONG_ENOUGH, MANY_SPHERES = 2.5, 4
HEALTH = "health"
Shares = NDArray[np.float64]


@feature
def absent_things(batch: Batch) -> NDArray[np.int64]:
    """Return how many of the wanted things each level lacks, because they have no place, `(n,)`.
    Genotypes that place things store it.
    """
    return np.zeros(len(batch), np.int64)


@feature
def furnishing(batch: Batch) -> Shares:
    """Return how well each level is furnished, `(n,)` from 0 to 1: the mean of parts. 0 for levels
    without things, with absent ones, or that can be lost.

    Where there are locks, the parts are the order in which they open (spheres), the length of a
    shortest solution compared with the way without locks, and the share of locks that are nearer to
    the entrance than what opens them. In all levels, it is how evenly things are spread.
    """
    things = batch.things
    if things is None or not things.prototypes:
        return np.zeros(len(batch))
    parts = [_spread(batch, things)]
    pairs = _locks(things)
    if pairs:
        order = np.minimum(proofs(batch).spheres - 1, MANY_SPHERES)
        parts.append(np.maximum(order, 0) / min(len(pairs), MANY_SPHERES))
        walked = solution_steps(batch) / np.maximum(path_steps(batch), 1)
        parts.append((walked - 1.0) / (LONG_ENOUGH - 1.0))
        parts.append(_seen_first(batch, things, pairs))
    quality = sum(np.clip(part, 0.0, 1.0) for part in parts) / len(parts)
    good = playable(batch) & (absent_things(batch) == 0)
    return np.where(good, quality, 0.0)


def _locks(things: BatchThings) -> list[tuple[int, list[int]]]:
    """Return the columns of barriers, each with those of what opens it."""
    effects = things.effects
    health = [name == HEALTH for name in effects.resources]
    needs = np.where(health, 0, effects.needs) if len(effects.things) else effects.needs
    columns = effects.things.tolist()
    found = []
    for row, column in enumerate(columns):
        gate = int(effects.gate[row])
        openers = [columns[gate]] if gate >= 0 else []
        for resource in np.flatnonzero(needs[row]):
            openers += [columns[other] for other in np.flatnonzero(effects.gives[:, resource])]
        if openers:
            found.append((column, openers))
    return found


def _seen_first(batch: Batch, things: BatchThings, pairs: list[tuple[int, list[int]]]) -> Shares:
    """Return the share of barriers that are nearer to the entrance than all that opens them."""
    steps = distances(batch).reshape(len(batch), -1)

    def at(columns: list[int]) -> NDArray[np.int32]:
        cells = things.cells[:, columns]
        found = np.take_along_axis(steps, np.maximum(cells, 0), axis=1)
        return np.where(cells < 0, np.iinfo(np.int32).max, found).astype(np.int32)

    seen = [at([barrier])[:, 0] < at(openers).min(axis=1) for barrier, openers in pairs]
    return np.asarray(np.mean(seen, axis=0), np.float64)


def _spread(batch: Batch, things: BatchThings) -> Shares:
    """Return how many of as many equal parts of the level as there are things contain one."""
    width, height, cells = batch.frame.width, batch.frame.height, things.cells
    count = max(int((cells >= 0).sum(axis=1).max(initial=1)), 1)
    columns = max(1, round((count * width / height) ** 0.5))
    rows = -(-count // columns)
    part = (cells // width * rows // height) * columns + cells % width * columns // width
    part = np.sort(np.where(cells < 0, -1, part), axis=1)
    new = np.concatenate((part[:, :1] >= 0, part[:, 1:] > part[:, :-1]), axis=1)
    # Things at random would be in 63 % of the parts.
    return np.asarray(new.sum(axis=1) / count, np.float64)
