"""Reach the Flag: walk over tiles that fall, use up every one, and end on the flag."""

from levolve.puzzles.flag.files import read_round
from levolve.puzzles.flag.rules import Round

__all__ = ["Round", "read_round"]
