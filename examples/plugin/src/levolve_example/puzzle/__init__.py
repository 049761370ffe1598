"""Ice: a puzzle for levolve, in one folder. Slide over the ice from rock to rock until you come to
the exit.

`ICE` is the entry for the registry: `levolve.puzzles.PUZZLES.add("ice", ICE)`, or an entry point of
the group `levolve.puzzles`.
"""

from levolve_example.puzzle.puzzle import ICE

__all__ = ["ICE"]
