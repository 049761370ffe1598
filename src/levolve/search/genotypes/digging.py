"""Genes of the generative representations: pairs (A, N) of numbers from 0 to 9999.

Barriers, the positive generative representation: lines of wall in an empty arena.

Tunnels, the negative generative representation: corridors and rooms dug out of a full arena.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from levolve.core.settings import setting
from levolve.kernels.building.digging import dig_tunnels, lay_barriers
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype

VALUES = 10_000


@lru_cache(maxsize=64)
def pair_space(pairs: int) -> NumberGenes:
    """Return the space of `pairs` pairs (A, N), all free."""
    return NumberGenes(np.full(2 * pairs, VALUES))


def uniform_pairs(pairs: int, seed: int, generation: int, count: int) -> Genes:
    """Draw `count` individuals with uniform numbers."""
    return pair_space(pairs).draw(seed, generation, count)


LONGEST_LENGTH_GENE = 10_000 >> 4


@dataclass(frozen=True)
class Barriers(Genotype):
    """Pairs of numbers, each a line of wall. `limit` is the share of walls after which no more
    lines are laid; a run starts with short lines.
    """

    pairs: Annotated[int, Ge(1)] = setting(
        40, "How many pairs of numbers there are, each a line of wall."
    )
    limit: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.5, "The share of wall squares at which no further line is laid."
    )
    start_length: Annotated[int, Interval(ge=1, lt=LONGEST_LENGTH_GENE)] = setting(
        3, "The length of the longest line at the start of a run."
    )

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the pairs."""
        return pair_space(self.pairs)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw lines of 1 to `start_length` cells."""
        genes = uniform_pairs(self.pairs, seed, generation, count)
        longest = min(self.start_length, max(frame.width, frame.height) - 1)
        shapes = genes[:, 0::2]
        genes[:, 0::2] = (shapes & 15) | (((shapes >> 4) % longest + 1) << 4)
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Lay the lines one after the other."""
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        lay_barriers(genes, round(self.limit * frame.width * frame.height), tiles)
        return Batch(frame, tiles=stamp(tiles, frame, WALLS))


@lru_cache(maxsize=64)
def _rooms(frame: Frame, side: int) -> NDArray[np.int64]:
    """Return the upper-left corners of the rooms around the entrance and the exit, moved inside the
    level.
    """
    corners = []
    for name in (ENTRANCE, EXIT):
        if name in frame.places:
            x, y = frame.places[name]
            corners.append(
                (
                    min(max(x - side // 2, 0), max(frame.width - side, 0)),
                    min(max(y - side // 2, 0), max(frame.height - side, 0)),
                )
            )
    return np.array(corners, np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Tunnels(Genotype):
    """Pairs of numbers, each a corridor, a room or nothing. A square room of side `room` is always
    dug at the entrance and at the exit.
    """

    pairs: Annotated[int, Ge(1)] = setting(
        40, "How many pairs of numbers there are, each a corridor, a room or nothing."
    )
    room: Annotated[int, Interval(ge=0, le=1024)] = setting(
        4, "The side of the room that is always dug at the entrance and at the exit."
    )

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the pairs."""
        return pair_space(self.pairs)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform numbers."""
        return uniform_pairs(self.pairs, seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Dig corridors and rooms one after the other."""
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        dig_tunnels(genes, _rooms(frame, self.room), self.room, tiles)
        return Batch(frame, tiles=stamp(tiles, frame, WALLS))
