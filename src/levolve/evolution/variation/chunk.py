"""Chunk crossover: the parents exchange every other chunk of the level, in a chessboard pattern."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge

from levolve.errors import InputError
from levolve.evolution.variation.operators import Crossover
from levolve.genotypes.genes import GeneSpace, Masks
from levolve.settings import setting


@lru_cache(maxsize=1024)
def _board(space: GeneSpace, width: int, height: int, pairs: int) -> Masks:
    if space.grid is None:
        message = "crossover: 'chunk' needs a genotype with one gene per cell, such as direct or dungeon"
        raise InputError(message)
    rows, columns = space.grid
    y, x = np.mgrid[0:rows, 0:columns]
    chunks = space.words_of(np.flatnonzero((x // width + y // height) % 2 == 0)) & space.free
    masks = np.tile(chunks, (pairs, 1))
    masks.setflags(write=False)
    return masks


@dataclass(frozen=True)
class ChunkCrossover(Crossover):
    """Exchange the cells where (x div `width`) + (y div `height`) is even, so the first chunk too."""

    width: Annotated[int, Ge(1)] = setting(5, "The width of a chunk in cells.")
    height: Annotated[int, Ge(1)] = setting(5, "The height of a chunk in cells.")

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:  # noqa: ARG002 always the same chunks
        """Return the same chunks for every pair."""
        return _board(space, self.width, self.height, pairs)
