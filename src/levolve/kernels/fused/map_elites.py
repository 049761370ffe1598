"""A generation of MAP-Elites in one call: parents, children, their evaluation, and their insertion
into the archive.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.address_calls import Address, call
from levolve.kernels.fused.breeding import Indices, Kernel, breeding
from levolve.kernels.fused.crossovers import Layout
from levolve.kernels.fused.scores import best_index
from levolve.kernels.fused.values import Scores, Settings, Words
from levolve.kernels.variation.elites import (
    OUTSIDE,
    drop_copies,
    grid_cells,
    insert_elites,
    uniform_parents,
    update_curiosity,
)
from levolve.kernels.variation.selection import proportional

# The features that a level's packed rows tell.
WALLS, EXIT_PATH = 0, 1


@kernel
def describe_exit_paths(
    settings: tuple[Address, int, int, int, int, int],
    axes: Indices,
    rows: Words,
    scores: Scores,
    values: Scores,
) -> None:
    """Write the scores for the exit path, and the `(axes, n)` features; NaN for levels without a
    path, which are infeasible.

    Settings: those of `scores.score_exit_paths`.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    call(flood, rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(steps[level], 0)
        walls = np.uint64(0)
        for y in range(rows.shape[1]):
            walls += bit_count(rows[level, y])
        for axis in range(axes.size):
            value = float(walls) if axes[axis] == WALLS else float(steps[level])
            values[axis, level] = value if steps[level] >= 0 else np.nan


@lru_cache(maxsize=256)
def map_elites(exchange: Kernel, vary: Kernel, describe: Kernel) -> Kernel:
    """Compose a generation of a crossover, a mutation, and what describes levels."""
    breed = breeding(exchange, vary)

    @kernel
    def advance(
        seed: np.uint64,
        generation: int,
        at_most: int,
        layout: Layout,
        exchanging: Settings,
        mutating: Settings,
        describing: Settings,
        axes: Indices,
        low: Scores,
        high: Scores,
        sizes: Indices,
        is_curious: bool,
        changes: tuple[float, float, float],
        count: int,
        slots: NDArray[np.int32],
        genes: Words,
        scores: Scores,
        cells: Indices,
        curiosity: Scores,
        values: Scores,
        parents: Indices,
        children: Words,
        child_scores: Scores,
    ) -> tuple[int, int, int]:
        """Breed children, evaluate at most `at_most` of them, and insert these into an archive of
        `count` elites, in place.

        Returns the new number of elites, the number of evaluated children, which are the first of
        `children`, and the index of the best of them, -1 if there are none. `changes` are the
        arguments of `update_curiosity`; `low`, `high` and `sizes` are those of `grid_cells`.
        """
        if is_curious:
            proportional(seed, generation, curiosity[:count], parents)
        else:
            uniform_parents(seed, generation, count, parents)
        breed(seed, generation, layout, exchanging, mutating, genes, parents, children)
        origins = empty(children.shape[0], np.int64)
        found = min(drop_copies(genes, parents, children, origins), at_most)
        new, new_scores = children[:found], child_scores[:found]
        child_values = empty((axes.size, found), np.float64)
        describe(describing, axes, new, new_scores, child_values)
        child_cells = empty(found, np.int64)
        grid_cells(child_values, low, high, sizes, False, child_cells)
        placed = empty(found, np.int64)
        after = insert_elites(
            new, new_scores, child_cells, slots, count, genes, scores, cells, placed
        )
        for slot in range(count, after):
            curiosity[slot] = 1.0
        stored = empty(found, np.bool_)
        for child in range(found):
            stored[child] = placed[child] != OUTSIDE
            if stored[child]:
                for axis in range(axes.size):
                    values[placed[child], axis] = child_values[axis, child]
        gain, loss, least = changes
        update_curiosity(origins[:found], stored, gain, loss, least, curiosity)
        return after, found, best_index(child_scores, found)

    return advance
