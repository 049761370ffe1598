"""Design: levels that look as if a person had drawn them, with tidy walls, a winding way and some
dead ends.

Cavern: a connected open area of a given share, with varied terrain, on every start map of a rule.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.walking import packed_layout, path_shape, structure
from levolve.levels.batch import Batch
from levolve.levels.measures.structure import largest_region, walls
from levolve.levels.measures.structure_features import layouts, pockets, reaches_exit, shapes, way
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.reward import Reward

Weight = Annotated[float, Ge(0)]


@dataclass(frozen=True, kw_only=True)
class LevelDesign(Reward):
    """A weighted sum of measures of structure, each counted per cell of the level.

    Penalties for pockets, specks, plazas, blocks and diagonals: 1 minus the count per cell. Rewards
    for the length of the way, its turns, and a number of dead ends near `dead_end_share`. The value
    is at least 0; a weight of 1 for `plazas` and for `way` trades one plaza for one step.
    """

    least: ClassVar[float | None] = 0.0

    pockets: Weight = setting(6.0, "The penalty for every region that cannot be reached.")
    specks: Weight = setting(3.0, "The penalty for every wall without an adjacent wall.")
    plazas: Weight = setting(3.0, "The penalty for every 2x2 square of floor.")
    blocks: Weight = setting(1.5, "The penalty for every 2x2 square of walls.")
    diagonals: Weight = setting(4.0, "The penalty for every two walls that touch by a corner only.")
    way: Weight = setting(1.0, "The reward for every cell of the way.")
    turns: Weight = setting(0.1, "The reward for every turn of the way.")
    dead_ends: Weight = setting(3.0, "The penalty for every dead end too many or too few.")
    dead_end_share: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.04, "How many dead ends there should be, as a share of the cells."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if every weight is 0."""
        super().__post_init__()
        if not any(
            (
                self.pockets,
                self.specks,
                self.plazas,
                self.blocks,
                self.diagonals,
                self.way,
                self.turns,
                self.dead_ends,
            )
        ):
            raise InputError(
                "plazas: expected a weight above 0 for at least one part of the design, got 0 "
                "for all"
            )

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores. The layouts come first: they contain the steps to the exit, which
        are not computed again.
        """
        if not self.feasible_first:
            layouts(batch)
        return super().score(batch)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the parts of a layout, in the order of `kernels.layouts`."""
        return np.array(
            (
                self.pockets,
                self.specks,
                self.plazas,
                self.blocks,
                self.diagonals,
                self.dead_ends,
                self.way,
                self.turns,
            )
        )

    def wanted_dead_ends(self, cells: int) -> int:
        """Return how many dead ends are no flaw of a level with so many cells."""
        return round(self.dead_end_share * cells)

    def value(self, batch: Batch) -> Scores:
        """Return the weighted sum, at least 0."""
        cells = batch.frame.width * batch.frame.height
        parts = layouts(batch)
        if parts is not None:
            values = np.empty(len(batch))
            packed_layout.weigh_layouts(
                parts, cells, self.weights, self.wanted_dead_ends(cells), values
            )
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
        rewards = (
            (self.way, path[:, path_shape.WAY_CELLS]),
            (self.turns, path[:, path_shape.TURNS]),
        )
        total = sum(weight * (cells - count) for weight, count in penalties) + sum(
            weight * np.maximum(count, 0) for weight, count in rewards
        )
        return np.asarray(total / cells, np.float64)


Share = Annotated[float, Interval(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class Cavern(Reward):
    """From 0 to 1: the largest region's share of the open cells, to the fourth power, times the
    closeness of the open share to `open`.

    `entropy`, `separation` and `playable` are the fractions of the score that depend on the entropy
    of the terrain, on the difference between the terrain of the left and the right third (for two
    rules that change into each other), and on entrance and exit being connected. The score is the
    average of the mean and the minimum over a level and its variants, because a rule must be good
    on every start map.
    """

    least: ClassVar[float | None] = 0.0

    open: Annotated[float, Interval(gt=0, lt=1)] = setting(0.5, "The target share of open cells.")
    entropy: Share = setting(0.1, "How much of the score depends on the entropy of the terrain.")
    separation: Share = setting(
        0.0, "How much of the score depends on how different the left and the right third are."
    )
    playable: Share = setting(
        0.3, "How much of the score depends on entrance and exit being connected."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if the fractions add up to more than 1."""
        super().__post_init__()
        if self.entropy + self.separation + self.playable > 1:
            raise InputError(
                "entropy: expected entropy, separation and playable to be at most 1 together, "
                f"got {self.entropy}, {self.separation}, {self.playable}"
            )

    def value(self, batch: Batch) -> Scores:
        """Return half the mean plus half the minimum over all variants."""
        values = np.stack([self._value(variant) for variant in (batch, *batch.variants)])
        return np.asarray((values.sum(axis=0) / len(values) + values.min(axis=0)) / 2, np.float64)

    def _value(self, batch: Batch) -> Scores:
        cells = batch.frame.width * batch.frame.height
        ground = cells - walls(batch)
        joined = largest_region(batch) / np.maximum(ground, 1)
        share = ground / cells
        near = 1 - np.maximum(
            (self.open - share) / self.open, (share - self.open) / (1 - self.open)
        )
        terrain, kinds = (
            (batch.terrain, batch.kinds)
            if batch.terrain is not None
            else (batch.tiles, len(batch.tileset.characters))
        )
        rest = 1 - self.entropy - self.separation - self.playable
        quality = rest + self.entropy * _entropy(_shares(terrain, kinds))
        if self.separation:
            third = max(batch.frame.width // 3, 1)
            left, right = (
                _shares(terrain[:, :, :third], kinds),
                _shares(terrain[:, :, -third:], kinds),
            )
            quality = quality + self.separation * np.abs(left - right).sum(axis=1) / 2
        if self.playable:
            quality = quality + self.playable * reaches_exit(batch)
        # To the fourth power, because a disconnected cave is worse than one of the wrong size.
        square = joined * joined
        return np.asarray(square * square * near * quality, np.float64)


def _shares(terrain: NDArray[np.uint8], kinds: int) -> NDArray[np.float64]:
    """Return the share of each kind: `(n, kinds)`."""
    cells = terrain.shape[1] * terrain.shape[2]
    return np.stack([(terrain == kind).sum(axis=(1, 2)) / cells for kind in range(kinds)], axis=1)


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the normalised entropy: 0 if all cells are equal, 1 if all kinds are equally
    frequent.
    """
    parts = np.where(shares > 0, shares * np.log(np.maximum(shares, 1e-300)), 0.0)
    return np.asarray(-parts.sum(axis=1) / np.log(shares.shape[1]), np.float64)
