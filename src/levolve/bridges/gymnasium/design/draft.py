"""`Draft`: the tiles of a level under design, without a genotype, and their score by the objective of a recipe."""

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


class Draft:
    """The tiles of one level. The size, the places, the cells to keep, the tileset and the objective are those of a recipe.

    Entrance and exit lie where the recipe's rule of places puts them, again after every change. In a dungeon, A and C are the first and the last
    floor tile, and B lies where the tour is longest. Finish steps of the recipe are not applied: the level is what the agent makes of it.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Prepare; `begin` draws the tiles."""
        self.frame, self.tileset = recipe.frame, recipe.tileset
        self._objective = recipe.parts[1]
        plain = TileGenes(self.tileset.name)
        self._genotype: Genotype = plain if recipe.places is None else Placed(plain, recipe.places)
        self.free = ~fixed_cells(self.frame, self.tileset)[0]
        if not self.free.any():
            message = "keep: expected cells that may change, got a level of which every cell is kept"
            raise InputError(message)
        self._genes = self._genotype.start(self.frame, 0, 0, 1)

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """The tiles, `(height, width)` uint8: a view to read and to change."""
        cells = self.frame.height * self.frame.width
        return self._genes[0, :cells].reshape(self.frame.height, self.frame.width)

    @property
    def best_possible(self) -> float | None:
        """The highest possible score, if it is known."""
        return self._objective.goal

    def begin(self, seed: int, episode: int) -> None:
        """Draw a random kind of tile for each cell."""
        self._genes = self._genotype.start(self.frame, seed, episode, 1)

    def _batch(self) -> Batch:
        if self.frame.tours:
            return Batch(self.frame, self.tiles[np.newaxis].copy(), tileset=self.tileset, marks=np.zeros(1, np.int64), best_marks=True)
        return self._genotype.batch(self._genes.copy(), self.frame)

    def score(self) -> float:
        """Return the score by the recipe's objective; higher is better."""
        return float(self._objective.score(self._batch())[0])

    def level(self) -> Level:
        """Return the level, with a shortest solution if it can be won."""
        level = level_at(self._batch())
        solution = shortest_solution(level)
        if solution is None:
            return level
        proven = level.with_solution(solution)
        proven.check()
        return proven
