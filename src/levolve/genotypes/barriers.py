"""Barriers, the positive generative representation: lines of wall in an empty arena."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.genotypes.genes import Genes, NumberGenes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.pairs import pair_space, uniform_pairs
from levolve.genotypes.stamp import stamp
from levolve.kernels.digging import lay_barriers
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.settings import setting

LONGEST_LENGTH_GENE = 10_000 >> 4


@dataclass(frozen=True)
class Barriers(Genotype):
    """Pairs of numbers, each a line of wall. `limit` is the share of walls after which no more lines are laid; a run starts with short lines."""

    pairs: Annotated[int, Ge(1)] = setting(40, "How many pairs of numbers there are, each a line of wall.")
    limit: Annotated[float, Interval(ge=0, le=1)] = setting(0.5, "The share of wall squares at which no further line is laid.")
    start_length: Annotated[int, Interval(ge=1, lt=LONGEST_LENGTH_GENE)] = setting(3, "The length of the longest line at the start of a run.")

    def space(self, frame: Frame) -> NumberGenes:  # noqa: ARG002 the same for every size
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
