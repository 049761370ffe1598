"""Evolution by ask and tell: a strategy proposes genes, and the caller scores them.

**Higher scores are better, everywhere in levolve.** A new strategy is one file and one line here.
"""

from levolve.evolution.search import Strategy
from levolve.registry import Registry

STRATEGIES: Registry[type[Strategy]] = Registry(
    "strategy",
    {
        "generational": "levolve.evolution.generational:Generational",
        "steady_state": "levolve.evolution.steady_state:SteadyState",
        "truncation": "levolve.evolution.truncation:Truncation",
        "annealing": "levolve.evolution.annealing:Annealing",
        "nsga2": "levolve.evolution.nsga2:NSGA2",
        "novelty": "levolve.evolution.novelty:Novelty",
        "islands": "levolve.evolution.islands:Islands",
        "map_elites": "levolve.evolution.map_elites:MapElites",
        "picks": "levolve.evolution.picks:Picks",
    },
    "levolve.strategies",
    classes="levolve.evolution.search:Strategy",
)
