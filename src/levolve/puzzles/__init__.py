"""Puzzles: the sliding puzzle and Reach the Flag, each with its rules, an exact and a genetic
solver, and a maker.

Every puzzle follows the protocol of `Puzzle`, and every folder has the same file names. A new
puzzle is one folder and one line here, or an entry that a plug-in registers.
"""

from typing import Any

from levolve.core.registry import Registry
from levolve.puzzles.puzzle import Puzzle

PUZZLES: Registry[Puzzle[Any]] = Registry(
    "puzzle",
    {
        "sliding": "levolve.puzzles.sliding.puzzle:SLIDING",
        "flag": "levolve.puzzles.flag.puzzle:FLAG",
    },
    "levolve.puzzles",
    kinds=("levolve.puzzles.puzzle:Puzzle",),
)
