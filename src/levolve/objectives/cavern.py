"""Cavern: a connected open area of a given share, with varied terrain, on every start map of a rule."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.measures.cells import largest_region, walls
from levolve.measures.features import exit_steps
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward
from levolve.settings import setting

Share = Annotated[float, Interval(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class Cavern(Reward):
    """From 0 to 1: the largest region's share of the open cells, to the fourth power, times the closeness of the open share to `open`.

    `entropy`, `separation` and `playable` are the fractions of the score that depend on the entropy of the terrain, on the difference between the
    terrain of the left and the right third (for two rules that change into each other), and on entrance and exit being connected. The score is the
    average of the mean and the minimum over a level and its variants, because a rule must be good on every start map.
    """

    least: ClassVar[float | None] = 0.0

    open: Annotated[float, Interval(gt=0, lt=1)] = setting(0.5, "The target share of open cells.")
    entropy: Share = setting(0.1, "How much of the score depends on the entropy of the terrain.")
    separation: Share = setting(0.0, "How much of the score depends on how different the left and the right third are.")
    playable: Share = setting(0.3, "How much of the score depends on entrance and exit being connected.")

    def __post_init__(self) -> None:
        """Raise `InputError` if the fractions add up to more than 1."""
        super().__post_init__()
        if self.entropy + self.separation + self.playable > 1:
            message = (
                f"entropy: expected entropy, separation and playable to be at most 1 together, got {self.entropy}, {self.separation}, {self.playable}"
            )
            raise InputError(message)

    def value(self, batch: Batch) -> Scores:
        """Return half the mean plus half the minimum over all variants."""
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
            quality = quality + self.playable * (exit_steps(batch) >= 0)
        # To the fourth power, because a disconnected cave is worse than one of the wrong size.
        square = joined * joined
        return np.asarray(square * square * near * quality, np.float64)


def _shares(terrain: NDArray[np.uint8], kinds: int) -> NDArray[np.float64]:
    """Return the share of each kind: `(n, kinds)`."""
    cells = terrain.shape[1] * terrain.shape[2]
    return np.stack([(terrain == kind).sum(axis=(1, 2)) / cells for kind in range(kinds)], axis=1)


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the normalised entropy: 0 if all cells are equal, 1 if all kinds are equally frequent."""
    parts = np.where(shares > 0, shares * np.log(np.maximum(shares, 1e-300)), 0.0)
    return np.asarray(-parts.sum(axis=1) / np.log(shares.shape[1]), np.float64)
