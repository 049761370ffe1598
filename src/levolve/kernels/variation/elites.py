"""MAP-Elites: cells of a grid over features, insertion of a batch into an archive, and choice of
parents.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.random_streams import SELECT, draw_below, open_stream
from levolve.kernels.compiler import kernel

OUTSIDE = -1


@kernel
def grid_cells(
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    sizes: NDArray[np.int64],
    nearest: bool,
    out: NDArray[np.int64],
) -> None:
    """Write the cell of each of n individuals, numbered with the last axis fastest.

    Parameters
    ----------
    values
        `(axes, n)` features.
    low, high, sizes
        `(axes,)`: axis a is divided into `sizes[a]` equal intervals from `low[a]` to `high[a]`.
        Each contains its lower end, the last one both.
    nearest
        Whether values outside a range belong to the nearest cell; otherwise the individual is
        `OUTSIDE`. NaN is always `OUTSIDE`.
    out
        `(n,)` cells.
    """
    for i in range(out.size):
        cell = np.int64(0)
        for axis in range(sizes.size):
            value = values[axis, i]
            if nearest:
                value = min(max(value, low[axis]), high[axis])
            if not low[axis] <= value <= high[axis]:
                cell = np.int64(OUTSIDE)
                break
            span = high[axis] - low[axis]
            place = (
                np.int64((value - low[axis]) * sizes[axis] / span) if span > 0.0 else np.int64(0)
            )
            cell = cell * sizes[axis] + min(place, sizes[axis] - 1)
        out[i] = cell


@kernel
def insert_elites(
    genes: NDArray[Any],
    scores: NDArray[np.float64],
    cells: NDArray[np.int64],
    slots: NDArray[np.int32],
    count: int,
    elite_genes: NDArray[Any],
    elite_scores: NDArray[np.float64],
    elite_cells: NDArray[np.int64],
    placed: NDArray[np.int64],
) -> int:
    """Insert n individuals, one after the other: each enters its cell if that is empty or its elite
    has a lower score.

    Parameters
    ----------
    genes, scores, cells
        `(n, ...)`, `(n,)` and `(n,)`: the individuals. Those with the cell `OUTSIDE` are skipped.
    slots
        `(all cells,)`: the slot of each cell's elite, -1 for an empty cell. Changed in place.
    count
        The number of elites. Slots are numbered in the order in which cells were first filled.
    elite_genes, elite_scores, elite_cells
        The elites by slot, with room for the new ones. Changed in place.
    placed
        `(n,)`: the slot that each individual entered, -1 if it did not.

    Returns the new number of elites.
    """
    for i in range(scores.size):
        placed[i] = -1
        cell = cells[i]
        if cell < 0:
            continue
        slot = int(slots[cell])
        if slot < 0:
            slot = count
            count += 1
            slots[cell] = slot
            elite_cells[slot] = cell
        elif scores[i] <= elite_scores[slot]:
            continue
        elite_scores[slot] = scores[i]
        for k in range(genes.shape[1]):
            elite_genes[slot, k] = genes[i, k]
        placed[i] = slot
    return count


@kernel
def uniform_parents(seed: np.uint64, generation: int, count: int, out: NDArray[np.int64]) -> None:
    """Choose for each position one of `count` individuals with equal probability."""
    for place in range(out.size):
        out[place] = draw_below(open_stream(seed, SELECT, generation, place), 0, count)


@kernel
def drop_copies(
    genes: NDArray[Any],
    parents: NDArray[np.int64],
    children: NDArray[Any],
    origins: NDArray[np.int64],
) -> int:
    """Move the children that equal neither parent to the front, in their order, and write the first
    parent of each to `origins`.

    The second parent of child i is that of the pair's other child, `parents[i ^ 1]`. Returns the
    number of children at the front.
    """
    front = 0
    for child in range(len(children)):
        new = True
        for parent in (parents[child], parents[child ^ 1]):
            equal = True
            for i in range(children.shape[1]):
                if genes[parent, i] != children[child, i]:
                    equal = False
                    break
            if equal:
                new = False
                break
        if new:
            for i in range(children.shape[1]):
                children[front, i] = children[child, i]
            origins[front] = parents[child]
            front += 1
    return front


@kernel
def update_curiosity(
    origins: NDArray[np.int64],
    stored: NDArray[np.bool_],
    gain: float,
    loss: float,
    least: float,
    curiosity: NDArray[np.float64],
) -> None:
    """Raise the curiosity of a parent by `gain` for each child that was stored, lower it by `loss`
    for each other, at least to `least`.
    """
    for i in range(origins.size):
        change = gain if stored[i] else -loss
        curiosity[origins[i]] = max(curiosity[origins[i]] + change, least)
