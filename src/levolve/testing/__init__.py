"""Contracts for plug-ins: laws for genotypes, objectives, measures, strategies, formats and
puzzles. Our own tests check all entries with them.

Each function raises `AssertionError` with a sentence about the law that was broken.
"""

from levolve.testing.genotypes import check_format, check_genotype, frames
from levolve.testing.puzzles import check_puzzle
from levolve.testing.strategies import check_strategy
from levolve.testing.values import check_measure, check_objective

__all__ = [
    "check_format",
    "check_genotype",
    "check_measure",
    "check_objective",
    "check_puzzle",
    "check_strategy",
    "frames",
]
