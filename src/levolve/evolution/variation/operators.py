"""What crossovers and mutations are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from levolve.genotypes.genes import Genes, GeneSpace, Masks


class Crossover(ABC):
    """Says which genes two parents exchange. A subclass is a frozen dataclass: its fields are its settings."""

    @abstractmethod
    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """One mask for each pair of parents: the genes they exchange."""


class Mutation(ABC):
    """Changes individuals. A subclass is a frozen dataclass: its fields are its settings."""

    @abstractmethod
    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals, in place."""
