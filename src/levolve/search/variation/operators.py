"""`Crossover` and `Mutation`: the base classes of variation operators."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from levolve.core.settings import Configurable

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes, GeneSpace, Masks


class Crossover(Configurable):
    """Selects which genes two parents exchange. A subclass is a frozen dataclass whose fields are
    its settings.
    """

    @abstractmethod
    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Return one mask per pair of parents: the genes they exchange."""


class Mutation(Configurable):
    """Changes individuals. A subclass is a frozen dataclass whose fields are its settings."""

    @abstractmethod
    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals, in place."""
