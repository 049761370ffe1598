"""Variation: crossover between two parents, and mutation of one individual. A new operator is one
file and one line here.
"""

from levolve.core.registry import Registry
from levolve.search.variation.operators import Crossover, Mutation

CROSSOVERS: Registry[type[Crossover]] = Registry(
    "crossover",
    {
        "uniform": "levolve.search.variation.crossovers:UniformCrossover",
        "one_point": "levolve.search.variation.crossovers:OnePointCrossover",
        "two_point": "levolve.search.variation.crossovers:TwoPointCrossover",
        "chunk": "levolve.search.variation.crossovers:ChunkCrossover",
    },
    "levolve.crossovers",
    classes="levolve.search.variation.operators:Crossover",
)

MUTATIONS: Registry[type[Mutation]] = Registry(
    "mutation",
    {
        "uniform": "levolve.search.variation.crossovers:UniformMutation",
        "point": "levolve.search.variation.mutations:PointMutation",
        "patch": "levolve.search.variation.mutations:PatchMutation",
        "fill": "levolve.search.variation.mutations:FillMutation",
        "window": "levolve.search.variation.mutations:WindowMutation",
        "double_rotation": "levolve.search.variation.mutations:DoubleRotation",
        "sequence": "levolve.search.variation.mutations:MutationSequence",
        "mixture": "levolve.search.variation.mutations:MutationMixture",
        "repair": "levolve.search.variation.mutations:RepairMutation",
    },
    "levolve.mutations",
    classes="levolve.search.variation.operators:Mutation",
)
