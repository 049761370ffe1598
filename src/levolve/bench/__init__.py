"""Benchmarks: the speed of levolve on this machine, and of other libraries beside it.

A subject is a function that takes an `Effort` and yields `Figure`s; a new one is one file and one line here. Times are processor seconds unless a
figure says otherwise. Contenders take turns in one process, so that the speed of the machine and its other work have little influence on ratios.
"""

from levolve.bench.figures import Subject
from levolve.registry import Registry

SUBJECTS: Registry[Subject] = Registry(
    "benchmark",
    {
        "evolution": "levolve.bench.evolution:measure",
        "quality": "levolve.bench.quality:measure",
        "genotypes": "levolve.bench.genotypes:measure",
        "measures": "levolve.bench.measures:measure",
        "growth": "levolve.bench.growth:measure",
        "fashion": "levolve.bench.fashion:measure",
        "automaton": "levolve.bench.automaton:measure",
        "dungeons": "levolve.bench.dungeons:measure",
        "puzzles": "levolve.bench.puzzles:measure",
        "packs": "levolve.bench.packs:measure",
        "threads": "levolve.bench.threads:measure",
        "environments": "levolve.bench.environments:measure",
        "startup": "levolve.bench.startup:measure",
    },
)
