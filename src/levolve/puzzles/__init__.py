"""Puzzles: the sliding puzzle and Reach the Flag, each with its rules, an exact and a genetic solver, and a maker.

The two folders have the same file names: know one, know both. A new puzzle is one folder and one line here.
"""

from levolve.puzzles.puzzle import Puzzle
from levolve.registry import Registry

PUZZLES: Registry[Puzzle] = Registry(
    "puzzle",
    {
        "sliding": "levolve.puzzles.sliding:SLIDING",
        "flag": "levolve.puzzles.flag:FLAG",
    },
)
