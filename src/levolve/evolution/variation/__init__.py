"""Variation: crossover between two parents, and mutation of one individual. A new operator is one file and one line here."""

from levolve.evolution.variation.operators import Crossover, Mutation
from levolve.registry import Registry

CROSSOVERS: Registry[type[Crossover]] = Registry(
    "crossover",
    {
        "uniform": "levolve.evolution.variation.uniform:UniformCrossover",
        "one_point": "levolve.evolution.variation.segment:OnePointCrossover",
        "two_point": "levolve.evolution.variation.segment:TwoPointCrossover",
        "chunk": "levolve.evolution.variation.chunk:ChunkCrossover",
    },
    "levolve.crossovers",
    classes="levolve.evolution.variation.operators:Crossover",
)

MUTATIONS: Registry[type[Mutation]] = Registry(
    "mutation",
    {
        "uniform": "levolve.evolution.variation.uniform:UniformMutation",
        "point": "levolve.evolution.variation.point:PointMutation",
        "patch": "levolve.evolution.variation.patch:PatchMutation",
        "fill": "levolve.evolution.variation.fill:FillMutation",
        "window": "levolve.evolution.variation.window:WindowMutation",
        "double_rotation": "levolve.evolution.variation.rotation:DoubleRotation",
        "sequence": "levolve.evolution.variation.sequence:MutationSequence",
        "mixture": "levolve.evolution.variation.mixture:MutationMixture",
        "repair": "levolve.evolution.variation.repair:RepairMutation",
    },
    "levolve.mutations",
    classes="levolve.evolution.variation.operators:Mutation",
)
