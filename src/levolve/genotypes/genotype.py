"""What a genotype is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from levolve.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.genotypes.genes import Genes, GeneSpace
    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame
    from levolve.levels.level import Level


class Genotype(ABC):
    """A way to write levels down. A subclass is a frozen dataclass: its fields are the settings that a recipe may change."""

    # Whether every level gets places of its own (A, B and C of a tour) instead of an entrance and an exit that all share.
    sets_places: ClassVar[bool] = False

    @abstractmethod
    def space(self, frame: Frame) -> GeneSpace:
        """Which genes there are for levels of this frame."""

    @abstractmethod
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """`count` fresh individuals, as a run starts with them."""

    @abstractmethod
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """The levels that the genes stand for."""

    def write(self, level: Level, frame: Frame) -> Genes:  # noqa: ARG002 for those that can
        """The genes of one individual that stand for a level, for a run to start with; `InputError` where no genes do."""
        message = f"genotype {type(self).__name__.lower()}: no genes can be found for a given level"
        raise InputError(message)

    def express(self, genes: Genes, frame: Frame) -> NDArray[np.uint8]:
        """The levels that the genes stand for, as `(n, height, width)` tiles."""
        return self.batch(genes, frame).tiles
