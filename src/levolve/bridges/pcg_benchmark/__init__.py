"""The PCG Benchmark (https://github.com/amidos2006/pcg_benchmark): its problems as contents of
levolve, and problems of levolve for it.

`levolve.evolve("pcg:zelda-v0")` evolves one content; `pack` builds many that pass quality,
diversity and control; `register` adds our problems to the benchmark. The benchmark is imported on
first use. It is not on PyPI: `pip install git+https://github.com/amidos2006/pcg_benchmark.git`.
"""

from levolve.bridges.pcg_benchmark.library import problem_names
from levolve.bridges.pcg_benchmark.pack import BenchmarkPack, BenchmarkPackBuilder, pack
from levolve.bridges.pcg_benchmark.registration import recipe, register

__all__ = ["BenchmarkPack", "BenchmarkPackBuilder", "pack", "problem_names", "recipe", "register"]
