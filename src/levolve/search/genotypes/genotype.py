"""`Genotype`: the base class of genotypes."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from levolve.core.errors import InputError
from levolve.core.settings import Configurable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame
    from levolve.levels.level import Level
    from levolve.levels.places import Place
    from levolve.search.genotypes.gene_space import Genes, GeneSpace


class Genotype(Configurable):
    """An encoding of levels as genes. A subclass is a frozen dataclass whose fields are its
    settings.
    """

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own places (A, B and C of a tour) instead of a shared
        entrance and exit.
        """
        return False

    @property
    def sets_ends(self) -> bool:
        """Whether every level has its own entrance and exit."""
        return False

    @property
    def variants(self) -> int:
        """The number of levels per individual: a batch has one, and the others as its variants."""
        return 1

    @property
    def sensitivity(self) -> float:
        """The share of genes of which a change usually changes the level, above 0 and at most 1.
        Breeding varies more genes if it is low.
        """
        return 1.0

    @abstractmethod
    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space for levels of this frame."""

    @abstractmethod
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw `count` random individuals for the start of a run."""

    @abstractmethod
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode genes into levels."""

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode a level as the genes of one individual; raise `InputError` if that is not
        possible.
        """
        message = f"genotype {type(self).__name__.lower()}: cannot encode a given level"
        raise InputError(message)

    def exit_for(self, entrance: Place, width: int, height: int) -> Place | None:
        """Return the exit of levels with this entrance if the genotype defines it, otherwise
        None.
        """
        return None

    def result(self, level: Level) -> Level | None:
        """Return a decoded level as the result of a run, with a checked solution; None if it cannot
        be won.
        """
        from levolve.levels.solver import proven

        return proven(level)

    def express(self, genes: Genes, frame: Frame) -> NDArray[np.uint8]:
        """Decode genes into `(n, height, width)` uint8 tiles."""
        return self.batch(genes, frame).tiles
