"""The sliding puzzle: bring the tiles into order by sliding them into the blank."""

from levolve.puzzles.sliding.rules import Board

__all__ = ["Board"]
