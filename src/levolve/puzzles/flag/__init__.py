"""Reach the Flag: walk over tiles that fall, use up every one, and end on the flag."""

from levolve.puzzles.flag.files import read_round
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.puzzle import Puzzle, Solution
from levolve.puzzles.search import check_known


def solve(position: object, *, method: str = "genetic", seed: int | None = None, **settings: object) -> Solution:
    """Solve a round: a `Round`, its text form, or a file's path."""
    played = read_round(position)
    if method == "exact":
        from levolve.puzzles.flag import exact  # noqa: PLC0415 kernels are loaded when they are needed

        check_known(settings, ["budget"], "the exact method")
        return exact.solve(played, **settings)  # type: ignore[arg-type]
    from levolve.puzzles.flag import genetic  # noqa: PLC0415 same

    return genetic.solve(played, seed=seed, **settings)  # type: ignore[arg-type]


FLAG = Puzzle("walk over tiles that fall, use up every one, and end on the flag", read_round, solve)

__all__ = ["FLAG", "Round", "read_round", "solve"]
