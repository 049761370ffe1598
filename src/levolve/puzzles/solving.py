"""`solve`: a puzzle's name and a position in, a solution out."""

from levolve.errors import InputError
from levolve.puzzles import PUZZLES
from levolve.puzzles.puzzle import METHODS, Solution
from levolve.registry import did_you_mean


def solve(puzzle: str, position: object, *, method: str = "genetic", seed: int | None = None, **settings: object) -> Solution:
    """Solve a board of the sliding puzzle or a round of Reach the Flag, by evolution or by exact search.

    >>> solution = solve("sliding", "1234567_8", method="exact")
    >>> solution.solved, solution.moves
    (True, 'l')
    """
    if method not in METHODS:
        message = f"unknown method {method!r}: {did_you_mean(str(method), list(METHODS))}"
        raise InputError(message)
    return PUZZLES[puzzle].solve(position, method=method, seed=seed, **settings)
