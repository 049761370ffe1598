"""Other libraries, each with an ordinary genetic algorithm for the same task. A library that is not installed is left out.

A peer is a function `evolve(fitness, generations, seed) -> SearchOutcome`; the time of its imports does not count.
"""

from collections.abc import Callable
from importlib.util import find_spec

from levolve.bench.maze_task import Fitness, SearchOutcome
from levolve.registry import Registry

Peer = Callable[[Fitness, int, int], SearchOutcome]

PEERS: Registry[Peer] = Registry(
    "library",
    {
        "DEAP": "levolve.bench.peers.deap:evolve",
        "PyGAD": "levolve.bench.peers.pygad:evolve",
        "pymoo": "levolve.bench.peers.pymoo:evolve",
        "leap_ec": "levolve.bench.peers.leap_ec:evolve",
        "pyribs": "levolve.bench.peers.ribs:evolve",
        "evosax": "levolve.bench.peers.evosax:evolve",
    },
)
MODULES = {"pyribs": "ribs"}


def installed_peers() -> list[str]:
    """Return the names of the libraries that are installed here."""
    return [name for name in PEERS if find_spec(MODULES.get(name, name.lower())) is not None]
