"""Window mutation: parts of examples are laid into levels."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.errors import InputError
from levolve.evolution.variation.operators import Mutation
from levolve.evolution.variation.point import PointMutation
from levolve.evolution.variation.sequence import member_seed
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import spare
from levolve.kernels.streams import MUTATE, threshold_of
from levolve.kernels.windows import lay_windows
from levolve.settings import setting

FLIPPED, LAID = 0, 1


@dataclass(frozen=True)
class WindowMutation(Mutation):
    """Lay a square window of an example into every individual, where cells are genes and the run has examples (`like`); else change one gene.

    A share `flips` of the individuals changes one gene instead. Of up to `tries` windows, the one is laid whose surroundings fit best.
    """

    least: Annotated[int, Ge(1)] = setting(1, "The side of the smallest window.")
    most: Annotated[int, Ge(1)] = setting(4, "The side of the largest window.")
    tries: Annotated[int, Interval(ge=1, le=1 << 16)] = setting(8, "How many windows are compared, at most.")
    flips: Annotated[float, Interval(ge=0, le=1)] = setting(0.3, "The share of individuals in which one gene changes instead.")

    def __post_init__(self) -> None:
        """Raise `InputError` if the smallest window is larger than the largest."""
        if self.least > self.most:
            message = f"least: expected at most the side of the largest window, {self.most}, got {self.least}"
            raise InputError(message)

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw which individuals get a window, and lay it."""
        style = space.style
        if style is None or space.grid is None:
            PointMutation().apply(space, genes, seed, generation)
            return
        before = genes.copy()
        cells = space.cells(genes)
        most = min(self.most, style.smallest, *space.grid)
        layout, outside, least = style.layout, style.outside, min(self.least, most)
        lay_windows(np.uint64(member_seed(seed, LAID)), MUTATE, generation, style.padded, layout, outside, least, most, self.tries, cells)
        space.set_cells(genes, cells)
        chosen = np.full((len(genes), 1), 1, np.uint64)
        spare(np.uint64(seed), MUTATE, generation, threshold_of(self.flips), chosen)
        flipped = before
        PointMutation().apply(space, flipped, member_seed(seed, FLIPPED), generation)
        rows = np.flatnonzero(chosen[:, 0])
        genes[rows] = flipped[rows]
