"""Mutation followed by repair."""

from dataclasses import dataclass, field

from levolve.evolution.variation import MUTATIONS
from levolve.evolution.variation.operators import Mutation
from levolve.evolution.variation.uniform import UniformMutation
from levolve.genotypes.genes import Genes, GeneSpace


@dataclass(frozen=True)
class RepairMutation(Mutation):
    """A mutation, after which individuals get what their content lacks, if the gene space knows it: such as exactly one key in a dungeon.

    Without such knowledge it is only the mutation.
    """

    mutation: Mutation = field(default_factory=UniformMutation, metadata={"meaning": "What is repaired.", "registry": MUTATIONS})

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals, and repair them, in place."""
        self.mutation.apply(space, genes, seed, generation)
        if space.repair is not None:
            space.repair(genes, seed, generation)
