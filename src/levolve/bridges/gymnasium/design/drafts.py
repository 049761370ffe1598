"""`Drafts`: the tiles of levels under design, without a genotype, and their scores by the objective of a recipe."""

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.placed import Placed
from levolve.genotypes.stamp import fixed_cells
from levolve.genotypes.tiles import TileGenes
from levolve.levels.batch import Batch
from levolve.levels.level import Level
from levolve.levels.solving import shortest_solution
from levolve.measures.levels import level_at
from levolve.recipes.recipe import Recipe


class Drafts:
    """The tiles of `count` levels. The size, the places, the cells to keep, the tileset and the objective are those of a recipe.

    Entrance and exit lie where the recipe's rule of places puts them, again after every change. In a dungeon, A and C are the first and the last
    floor tile, and B lies where the tour is longest. Finish steps of the recipe are not applied: the level is what the agent makes of it.
    """

    def __init__(self, recipe: Recipe, count: int) -> None:
        """Prepare; `begin` draws the tiles."""
        self.frame, self.tileset = recipe.frame, recipe.tileset
        self._objective = recipe.parts[1]
        plain = TileGenes(self.tileset.name)
        self._genotype: Genotype = plain if recipe.places is None else Placed(plain, recipe.places)
        self.free = ~fixed_cells(self.frame, self.tileset)[0]
        if not self.free.any():
            message = "keep: expected cells that may change, got a level of which every cell is kept"
            raise InputError(message)
        self._genes = np.repeat(self._genotype.start(self.frame, 0, 0, 1), count, axis=0)

    @property
    def cells(self) -> NDArray[np.uint8]:
        """The tiles, `(count, height * width)` uint8: a view to read and to change."""
        return self._genes[:, : self.frame.height * self.frame.width]

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """A copy of the tiles, `(count, height, width)` uint8."""
        return self.cells.reshape(len(self._genes), self.frame.height, self.frame.width).copy()

    @property
    def best_possible(self) -> float | None:
        """The highest possible score, if it is known."""
        return self._objective.goal

    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.uint64], episodes: NDArray[np.int64]) -> None:
        """Draw a random kind of tile for each cell of some levels: seeds and episodes `(count,)` are those of all."""
        for one in which.tolist():
            self._genes[one] = self._genotype.start(self.frame, int(seeds[one]), int(episodes[one]), 1)[0]

    def _batch(self, which: NDArray[np.int64]) -> Batch:
        if self.frame.tours:
            tiles = self.cells[which].reshape(len(which), self.frame.height, self.frame.width)
            return Batch(self.frame, tiles, tileset=self.tileset, marks=np.zeros(len(which), np.int64), best_marks=True)
        return self._genotype.batch(self._genes[which], self.frame)

    def scores(self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the scores of some levels by the recipe's objective, `(k,)`; higher is better."""
        return np.asarray(self._objective.score(self._batch(which)), np.float64)

    def level(self, which: int) -> Level:
        """Return one level, with a shortest solution if it can be won."""
        level = level_at(self._batch(np.array([which])))
        solution = shortest_solution(level)
        if solution is None:
            return level
        proven = level.with_solution(solution)
        proven.check()
        return proven
