"""Cavern: open ground that hangs together, as much of it as wished, with terrain that is not all alike, on every start map a rule is tried on."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.measures.cells import largest_region, walls
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward

Share = Annotated[float, Interval(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class Cavern(Reward):
    """From 0 to 1: the largest open region's share of the open cells, to the fourth power, times how near the open share is to `open`.

    `entropy`, `separation` and `playable` say how much of the score depends on the entropy of the terrain, on how much the left third's terrain
    differs from the right third's (for two rules that change into each other), and on entrance and exit being joined. The score is the mean
    over a level and its variants, half of it that of the worst: a rule must be good on every start map.
    """

    open: Annotated[float, Interval(gt=0, lt=1)] = 0.5
    entropy: Share = 0.1
    separation: Share = 0.0
    playable: Share = 0.3

    def __post_init__(self) -> None:
        """Refuse shares that are more than the whole."""
        super().__post_init__()
        if self.entropy + self.separation + self.playable > 1:
            message = (
                f"entropy: expected entropy, separation and playable to be at most 1 together, got {self.entropy}, {self.separation}, {self.playable}"
            )
            raise InputError(message)

    def value(self, batch: Batch) -> Scores:
        """Half the mean and half the worst over all variants."""
        values = np.stack([self._value(variant) for variant in (batch, *batch.variants)])
        return np.asarray((values.sum(axis=0) / len(values) + values.min(axis=0)) / 2, np.float64)

    def _value(self, batch: Batch) -> Scores:
        cells = batch.frame.width * batch.frame.height
        ground = cells - walls(batch)
        joined = largest_region(batch) / np.maximum(ground, 1)
        share = ground / cells
        near = 1 - np.maximum((self.open - share) / self.open, (share - self.open) / (1 - self.open))
        terrain, kinds = (batch.terrain, batch.kinds) if batch.terrain is not None else (batch.tiles, len(batch.tileset.characters))
        rest = 1 - self.entropy - self.separation - self.playable
        quality = rest + self.entropy * _entropy(_shares(terrain, kinds))
        if self.separation:
            third = max(batch.frame.width // 3, 1)
            left, right = _shares(terrain[:, :, :third], kinds), _shares(terrain[:, :, -third:], kinds)
            quality = quality + self.separation * np.abs(left - right).sum(axis=1) / 2
        if self.playable:
            quality = quality + self.playable * (batch.exit_steps >= 0)
        # To the fourth: a cave that falls apart is worse than one of another size.
        square = joined * joined
        return np.asarray(square * square * near * quality, np.float64)


def _shares(terrain: NDArray[np.uint8], kinds: int) -> NDArray[np.float64]:
    """The share of each kind: `(n, kinds)`."""
    cells = terrain.shape[1] * terrain.shape[2]
    return np.stack([(terrain == kind).sum(axis=(1, 2)) / cells for kind in range(kinds)], axis=1)


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 0, all alike, to 1, all kinds equally often."""
    parts = np.where(shares > 0, shares * np.log(np.maximum(shares, 1e-300)), 0.0)
    return np.asarray(-parts.sum(axis=1) / np.log(shares.shape[1]), np.float64)
