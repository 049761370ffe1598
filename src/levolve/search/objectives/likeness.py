"""Likeness: levels in the style of examples that are no copies of them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from levolve.core.settings import setting
from levolve.levels.batch import Batch
from levolve.levels.measures.structure import likeness
from levolve.levels.measures.structure_features import originality, pockets
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.reward import Reward, Share


@dataclass(frozen=True, kw_only=True)
class Likeness(Reward):
    """The likeness to the examples of the recipe (`like`), from 0 to 1: 1 / (1 + divergence).
    Without examples, every level has the value 0.

    A level that differs in less than a share `originality` of the cells from a part of an example
    counts half or less, in proportion. A level with pockets counts less, if `one_region` is true:
    its value is divided by 1 plus a tenth of their number.
    """

    least: ClassVar[float | None] = 0.0

    originality: Share = setting(
        0.25, "The share of cells in which a level differs from every part of an example."
    )
    one_region: bool = setting(
        default=True, meaning="Whether pockets, regions that cannot be reached, lower the value."
    )

    @property
    def compares_with_examples(self) -> bool:
        """True."""
        return True

    def value(self, batch: Batch) -> Scores:
        """Return the likeness, lowered for copies and pockets."""
        if not batch.frame.like:
            return np.zeros(len(batch))
        found = likeness(batch)
        if self.originality:
            share = originality(batch)
            found = np.where(
                share < self.originality, found * share / (2.0 * self.originality), found
            )
        if self.one_region:
            found = found / (1.0 + 0.1 * pockets(batch))
        return np.asarray(found, np.float64)
