"""Evolution by ask and tell: a strategy proposes genes, and the caller scores them.

**Higher scores are better, everywhere in levolve.** A new strategy is one file and one line here.
"""

from levolve.core.registry import Registry
from levolve.search.search import Strategy

STRATEGIES: Registry[type[Strategy]] = Registry(
    "strategy",
    {
        "generational": "levolve.search.strategies.generational:Generational",
        "steady_state": "levolve.search.strategies.steady_state:SteadyState",
        "truncation": "levolve.search.strategies.truncation:Truncation",
        "annealing": "levolve.search.strategies.annealing:Annealing",
        "nsga2": "levolve.search.strategies.nsga2:NSGA2",
        "novelty": "levolve.search.strategies.novelty:Novelty",
        "islands": "levolve.search.strategies.islands:Islands",
        "map_elites": "levolve.search.strategies.map_elites:MapElites",
        "picks": "levolve.search.strategies.picks:Picks",
    },
    "levolve.strategies",
    classes="levolve.search.search:Strategy",
)
