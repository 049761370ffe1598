"""Tunnels, the negative generative representation: corridors and rooms dug out of a full arena."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from levolve.genotypes.genes import Genes, NumberGenes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.pairs import pair_space, uniform_pairs
from levolve.genotypes.stamp import stamp
from levolve.kernels.digging import dig_tunnels
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame
from levolve.levels.tileset import WALLS
from levolve.settings import setting


@lru_cache(maxsize=64)
def _rooms(frame: Frame, side: int) -> NDArray[np.int64]:
    """Return the upper-left corners of the rooms around the entrance and the exit, moved inside the level."""
    corners = []
    for name in (ENTRANCE, EXIT):
        if name in frame.places:
            x, y = frame.places[name]
            corners.append((min(max(x - side // 2, 0), max(frame.width - side, 0)), min(max(y - side // 2, 0), max(frame.height - side, 0))))
    return np.array(corners, np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Tunnels(Genotype):
    """Pairs of numbers, each a corridor, a room or nothing. A square room of side `room` is always dug at the entrance and at the exit."""

    pairs: Annotated[int, Ge(1)] = setting(40, "How many pairs of numbers there are, each a corridor, a room or nothing.")
    room: Annotated[int, Interval(ge=0, le=1024)] = setting(4, "The side of the room that is always dug at the entrance and at the exit.")

    def space(self, frame: Frame) -> NumberGenes:  # noqa: ARG002 the same for every size
        """Return the gene space: the pairs."""
        return pair_space(self.pairs)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:  # noqa: ARG002 the same for every size
        """Draw uniform numbers."""
        return uniform_pairs(self.pairs, seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Dig corridors and rooms one after the other."""
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        dig_tunnels(genes, _rooms(frame, self.room), self.room, tiles)
        return Batch(frame, tiles=stamp(tiles, frame, WALLS))
