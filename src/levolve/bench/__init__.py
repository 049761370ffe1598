"""Benchmarks: the speed of levolve on this machine, and of other libraries beside it.

A subject is a function that takes an `Effort` and yields `Figure`s; a new one is one file and one
line here. Times are processor seconds unless a figure says otherwise. Contenders take turns in one
process, so that the speed of the machine and its other work have little influence on ratios.
"""

from levolve.bench.measuring import Subject
from levolve.core.registry import Registry

SUBJECTS: Registry[Subject] = Registry(
    "benchmark",
    {
        "evolution": "levolve.bench.evolution:measure",
        "quality": "levolve.bench.evolution:measure_quality",
        "genotypes": "levolve.bench.evolution:measure_genotypes",
        "measures": "levolve.bench.kernels:measure_measures",
        "growth": "levolve.bench.kernels:measure_growth",
        "fashion": "levolve.bench.worlds:measure",
        "automaton": "levolve.bench.kernels:measure",
        "dungeons": "levolve.bench.dungeons:measure",
        "puzzles": "levolve.bench.puzzles:measure",
        "packs": "levolve.bench.usage:measure",
        "threads": "levolve.bench.usage:measure_threads",
        "proofs": "levolve.bench.proofs:measure",
        "environments": "levolve.bench.usage:measure_environments",
        "startup": "levolve.bench.usage:measure_startup",
    },
)
