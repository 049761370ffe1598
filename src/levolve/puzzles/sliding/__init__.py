"""The sliding puzzle: bring the tiles into order by sliding them into the blank."""

from levolve.puzzles.puzzle import Puzzle, Solution
from levolve.puzzles.search import check_known
from levolve.puzzles.sliding.rules import Board


def solve(
    position: object,
    *,
    method: str = "genetic",
    seed: int | None = None,
    goal: object = None,
    size: tuple[int, int] | str | None = None,
    **settings: object,
) -> Solution:
    """Solve a board, as `Board.read` takes it."""
    board = Board.read(position, goal, size)
    board.check_solvable()
    if method == "exact":
        from levolve.puzzles.sliding import exact  # noqa: PLC0415 kernels are loaded when they are needed

        check_known(settings, ["budget"], "the exact method")
        return exact.solve(board, **settings)  # type: ignore[arg-type]
    from levolve.puzzles.sliding import genetic  # noqa: PLC0415 same

    return genetic.solve(board, seed=seed, **settings)  # type: ignore[arg-type]


SLIDING = Puzzle("bring the tiles into order by sliding them into the blank", Board.read, solve)

__all__ = ["SLIDING", "Board", "solve"]
