"""Several mutations side by side."""

from dataclasses import dataclass, field

from levolve.errors import InputError
from levolve.evolution.variation import MUTATIONS
from levolve.evolution.variation.operators import Mutation
from levolve.evolution.variation.patch import PatchMutation
from levolve.evolution.variation.point import PointMutation
from levolve.evolution.variation.sequence import member_seed
from levolve.genotypes.genes import Genes, GeneSpace


@dataclass(frozen=True)
class MutationMixture(Mutation):
    """Each of `mutations` changes an even share of the individuals, so that small and large steps are taken side by side.

    Individual i changes by mutation (i + generation) modulo their number, as individual i // number. The default is changes of single genes, and
    patches of cells.
    """

    mutations: tuple[Mutation, ...] = field(
        default=(PointMutation(), PatchMutation()), metadata={"meaning": "The mutations.", "registry": MUTATIONS, "many": True}
    )

    def __post_init__(self) -> None:
        """Refuse an empty mixture, which would change nothing."""
        if not self.mutations:
            message = "mutations: expected at least one mutation, got none"
            raise InputError(message)

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change each share of the individuals by its mutation, in place."""
        count = len(self.mutations)
        for share in range(min(count, len(genes))):
            position = (share + generation) % count
            part = genes[share::count].copy()
            self.mutations[position].apply(space, part, member_seed(seed, position), generation)
            genes[share::count] = part
