"""Likeness: levels in the style of examples that are no copies of them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from levolve.core.settings import setting
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.measures.paths import sweep_path
from levolve.levels.measures.structure import likeness
from levolve.levels.measures.structure_features import exit_steps, originality, pockets
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.style import style_of
from levolve.levels.tileset import Tileset
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.reward import Reward, Share


@dataclass(frozen=True, kw_only=True)
class Likeness(Reward):
    """The likeness to the examples of the recipe (`like`), from 0 to 1. Without examples, every
    level has the value 0.

    A level that differs in less than a share `originality` of the cells from a part of an example
    counts half or less, in proportion. The share is lowered for examples of which most cells are
    alike, such as large halls with thin walls, where even unrelated levels differ in few cells. A
    level with pockets counts less, if `one_region` is true: its value is divided by 1 plus a tenth
    of their number. A level whose shortest path to the exit is less than a share `way` of its
    longest shortest path counts less, in proportion; one without an exit, such as a tour, does not.
    """

    least: ClassVar[float | None] = 0.0

    originality: Share = setting(
        0.3, "The share of cells in which a level differs from every part of an example."
    )
    one_region: bool = setting(
        default=True, meaning="Whether pockets, regions that cannot be reached, lower the value."
    )
    way: Share = setting(
        0.5,
        "The share of the longest shortest path, as two sweeps find it, that the path to the exit "
        "should have.",
    )

    @property
    def compares_with_examples(self) -> bool:
        """True."""
        return True

    def least_originality(self, frame: Frame, tileset: Tileset) -> float:
        """Return the share of cells in which levels have to differ from every part of an
        example.
        """
        return self.originality * style_of(frame.like, tileset).variety

    def value(self, batch: Batch) -> Scores:
        """Return the likeness, lowered for copies and pockets."""
        if not batch.frame.like:
            return np.zeros(len(batch))
        found = likeness(batch)
        if self.originality:
            share = originality(batch)
            least = self.least_originality(batch.frame, batch.tileset)
            found = np.where(share < least, found * share / (2.0 * least), found)
        if self.one_region:
            found = found / (1.0 + 0.1 * pockets(batch))
        if self.way and {ENTRANCE, EXIT} <= set(batch.frame.place_names):
            wanted = self.way * sweep_path(batch)
            found = found * np.minimum((exit_steps(batch) + 1.0) / (wanted + 1.0), 1.0)
        return np.asarray(found, np.float64)
