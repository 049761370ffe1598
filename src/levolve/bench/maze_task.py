"""The task that all libraries get: the longest shortest path through a maze of 20x20 cells, one bit per cell.

The fitness is available twice, with equal values: as an ordinary search in Python, and as levolve's kernel for a whole population at once.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.errors import LevolveError
from levolve.kernels.boards import exit_steps, pack_rows

SIDE = 20
CELLS = SIDE * SIDE
POPULATION = 120
FILL = 0.05
MUTATION = 0.005

Cells = NDArray[np.uint8]
Scores = NDArray[np.float64]


def search_in_python(cells: Sequence[int]) -> int:
    """Return the length of the exit path by an ordinary breadth-first search; 0 if there is none. The ends count as open."""
    distance = [-1] * CELLS
    distance[0] = 0
    queue = deque([0])
    while queue:
        cell = queue.popleft()
        if cell == CELLS - 1:
            return distance[cell]
        x, y = cell % SIDE, cell // SIDE
        for near_x, near_y in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if 0 <= near_x < SIDE and 0 <= near_y < SIDE:
                near = near_y * SIDE + near_x
                if distance[near] < 0 and (not cells[near] or near == CELLS - 1):
                    distance[near] = distance[cell] + 1
                    queue.append(near)
    return 0


def search_in_kernel(cells: Cells) -> Scores:
    """Return the lengths of the exit paths of `(n, 400)` cells; 0 where there is none. The ends count as open."""
    tiles = np.ascontiguousarray(cells.reshape(-1, SIDE, SIDE), np.uint8)
    rows = np.empty((len(tiles), SIDE), np.uint64)
    pack_rows(tiles, rows)
    rows[:, 0] &= ~np.uint64(1)
    rows[:, -1] &= ~(np.uint64(1) << np.uint64(SIDE - 1))
    steps = np.empty(len(tiles), np.int32)
    exit_steps(rows, None, SIDE, 0, 0, SIDE - 1, SIDE - 1, steps, None)
    return np.maximum(steps, 0).astype(np.float64)


@dataclass(frozen=True)
class Fitness:
    """A fitness function: `one` for libraries that evaluate one individual at a time, `many` for those that evaluate a population."""

    name: str
    one: Callable[[Sequence[int]], float]
    many: Callable[[Cells], Scores]
    # Whether `many` is the natural way to call it, also for libraries that usually call `one`.
    batched: bool


PYTHON = Fitness("Python search", search_in_python, lambda cells: np.array([search_in_python(row) for row in cells.tolist()], float), batched=False)
KERNEL = Fitness(
    "levolve's kernel", lambda cells: float(search_in_kernel(np.asarray(cells, np.uint8)[np.newaxis])[0]), search_in_kernel, batched=True
)


@dataclass(frozen=True)
class SearchOutcome:
    """A finished search: its evaluations, processor seconds, best score, and the last evaluated individuals with their scores."""

    evaluations: int
    seconds: float
    best: float
    cells: Cells
    scores: Scores

    def check(self, name: str) -> None:
        """Raise `LevolveError` if the scores are not those of the search in Python: speeds of different tasks are not compared."""
        expected = PYTHON.many(self.cells)
        if not np.array_equal(expected, self.scores):
            different = int((expected != self.scores).sum())
            message = f"benchmark: the fitness of {name} differs from the search in Python for {different} of {len(expected)} individuals"
            raise LevolveError(message)


def first_population(seed: int) -> Cells:
    """Return `(120, 400)` cells: walls with the usual probability."""
    return (np.random.default_rng(seed).random((POPULATION, CELLS)) < FILL).astype(np.uint8)
