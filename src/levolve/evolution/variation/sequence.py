"""Several mutations in a row."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from levolve.errors import InputError
from levolve.evolution.variation import MUTATIONS
from levolve.evolution.variation.operators import Mutation
from levolve.evolution.variation.rotation import DoubleRotation
from levolve.evolution.variation.uniform import UniformMutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.streams import MEMBER, draw, open_stream


@lru_cache(maxsize=1024)
def member_seed(seed: int, position: int) -> int:
    """The seed of the member of a sequence at a position, from 0.

    Members of one kind would make the same draws from the same seed: a point would be flipped and flipped back. All members have a derived seed,
    the first one too, so that those of a sequence inside a sequence differ as well.
    """
    start, step = open_stream(np.uint64(seed), MEMBER, 0, position)
    return int(draw((np.uint64(start), np.uint64(step)), 0))


@dataclass(frozen=True)
class MutationSequence(Mutation):
    """All of `mutations`, one after the other, each with random numbers of its own. The default is a double rotation, then bit flips."""

    mutations: tuple[Mutation, ...] = field(
        default=(DoubleRotation(), UniformMutation()), metadata={"meaning": "The mutations in their order.", "registry": MUTATIONS, "many": True}
    )

    def __post_init__(self) -> None:
        """Refuse an empty sequence, which would change nothing."""
        if not self.mutations:
            message = "mutations: expected at least one mutation, got none"
            raise InputError(message)

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals by each mutation in turn, in place."""
        for position, mutation in enumerate(self.mutations):
            mutation.apply(space, genes, member_seed(seed, position), generation)
