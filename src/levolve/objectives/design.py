"""Design: levels that look as if a person had drawn them, with tidy walls, a winding way and some dead ends."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.kernels import layouts as kernels
from levolve.kernels import structure, ways
from levolve.levels.batch import Batch
from levolve.measures.features import layouts, pockets, shapes, way
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward
from levolve.settings import setting

Weight = Annotated[float, Ge(0)]


@dataclass(frozen=True, kw_only=True)
class LevelDesign(Reward):
    """A weighted sum of measures of structure, each counted per cell of the level.

    Penalties for pockets, specks, plazas, blocks and diagonals: 1 minus the count per cell. Rewards for the length of the way, its turns, and
    a number of dead ends near `dead_end_share`. The value is at least 0; a weight of 1 for `plazas` and for `way` trades one plaza for one step.
    """

    least: ClassVar[float | None] = 0.0

    pockets: Weight = setting(6.0, "The penalty for every region that cannot be reached.")
    specks: Weight = setting(3.0, "The penalty for every wall without a wall beside it.")
    plazas: Weight = setting(3.0, "The penalty for every 2x2 square of floor.")
    blocks: Weight = setting(1.5, "The penalty for every 2x2 square of walls.")
    diagonals: Weight = setting(4.0, "The penalty for every two walls that touch by a corner only.")
    way: Weight = setting(1.0, "The reward for every cell of the way.")
    turns: Weight = setting(0.1, "The reward for every turn of the way.")
    dead_ends: Weight = setting(3.0, "The penalty for every dead end too many or too few.")
    dead_end_share: Annotated[float, Interval(ge=0, le=1)] = setting(0.04, "How many dead ends there should be, as a share of the cells.")

    def __post_init__(self) -> None:
        """Raise `InputError` if every weight is 0."""
        super().__post_init__()
        if not any((self.pockets, self.specks, self.plazas, self.blocks, self.diagonals, self.way, self.turns, self.dead_ends)):
            message = "plazas: expected a weight above 0 for at least one part of the design, got 0 for all"
            raise InputError(message)

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores. The layouts come first: they contain the steps to the exit, which are not computed again."""
        if not self.feasible_first:
            layouts(batch)
        return super().score(batch)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the parts of a layout, in the order of `kernels.layouts`."""
        return np.array((self.pockets, self.specks, self.plazas, self.blocks, self.diagonals, self.dead_ends, self.way, self.turns))

    def wanted_dead_ends(self, cells: int) -> int:
        """Return how many dead ends are no flaw of a level with so many cells."""
        return round(self.dead_end_share * cells)

    def value(self, batch: Batch) -> Scores:
        """Return the weighted sum, at least 0."""
        cells = batch.frame.width * batch.frame.height
        parts = layouts(batch)
        if parts is not None:
            values = np.empty(len(batch))
            kernels.weigh_layouts(parts, cells, self.weights, self.wanted_dead_ends(cells), values)
            return values
        counts, path = shapes(batch), way(batch)
        wanted = self.wanted_dead_ends(cells)
        penalties = (
            (self.pockets, pockets(batch)),
            (self.specks, counts[:, structure.SPECKS]),
            (self.plazas, counts[:, structure.PLAZAS]),
            (self.blocks, counts[:, structure.BLOCKS]),
            (self.diagonals, counts[:, structure.DIAGONALS]),
            (self.dead_ends, np.abs(counts[:, structure.DEAD_ENDS] - wanted)),
        )
        rewards = ((self.way, path[:, ways.WAY_CELLS]), (self.turns, path[:, ways.TURNS]))
        total = sum(weight * (cells - count) for weight, count in penalties) + sum(weight * np.maximum(count, 0) for weight, count in rewards)
        return np.asarray(total / cells, np.float64)
