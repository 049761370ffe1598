"""`solve` and `make`: the puzzles by name."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from levolve.core.events import Watch
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position, Solution
from levolve.puzzles.settings import changed_settings


def solve(
    puzzle: str,
    position: object,
    *,
    method: str = "genetic",
    seed: int | None = None,
    watch: Watch | None = None,
    **settings: Any,
) -> Solution:
    """Solve a position of a puzzle, by evolution or by exact search.

    `puzzle` is a name such as "sliding" or "flag", `position` whatever the puzzle reads: a board, a
    round, a text, a path. `method` is "genetic" or "exact", `seed` a whole number from 0 to 2**64 -
    1 (random by default). `watch` receives `SolverProgress` events of the genetic method.
    `settings` are the puzzle's options of reading (`goal`, `size`), its `scheme`, and settings of
    the scheme or of exact search.

    >>> solution = solve("sliding", "1234567_8", method="exact")
    >>> solution.solved, solution.moves
    (True, 'l')
    """
    chosen = PUZZLES[puzzle]
    names = {entry.name for entry in fields(chosen.options)}
    options = {name: settings.pop(name) for name in list(settings) if name in names}
    return chosen.solve(
        chosen.read(position, **options), method=method, seed=seed, watch=watch, **settings
    )


def make(
    puzzle: str,
    count: int = 1,
    *,
    seed: int | None = None,
    tries: int = 4000,
    watch: Watch | None = None,
    **request: Any,
) -> Iterator[Position]:
    """Make new positions of a puzzle, each with its solution and facts, no two alike.

    `request` are fields of the puzzle's request, such as `size=(7, 7)` or `length="20..30"`;
    `tries` is the most candidates for each. `watch` receives `MakerProgress` events.

    >>> board = next(make("sliding", seed=1, length=(10, 12)))
    >>> 10 <= len(board.solution) <= 12
    True
    """
    chosen = PUZZLES[puzzle]
    return chosen.make(
        count,
        changed_settings(chosen.request, request, f"a request for {chosen.plural}"),
        seed=seed,
        tries=tries,
        watch=watch,
    )
