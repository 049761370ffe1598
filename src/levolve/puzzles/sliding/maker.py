"""New boards of the sliding puzzle, whose least number of moves is in a given range, certified by
exact search.

Boards are made by playing backwards from the goal, so every one can be solved. Evolution changes
the moves played (cut, go on differently, more or fewer of them) until the shortest solution has the
requested length. Up to nine cells a table knows that length at once.
"""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Watch
from levolve.kernels.bits.random_streams import Draws
from levolve.levels.grid import MOVES
from levolve.puzzles.progress import Attempts
from levolve.puzzles.settings import (
    check_making,
    check_pair,
    check_range,
    read_range,
    read_size,
    setting,
)
from levolve.puzzles.sliding import exact, genetic
from levolve.puzzles.sliding.rules import NINE, Board, neighbours, parse_size, read_tiles
from levolve.search.problem import choose_seed

BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}
SEARCH_BUDGET = 100_000_000


@dataclass(frozen=True)
class SlidingRequest:
    """The properties that a new board must have."""

    size: tuple[int, int] = setting((3, 3), "Width and height, from 2x2 to 5x5.", read_size)
    length: tuple[int, int] = setting(
        (18, 24),
        "The least and the largest number of moves of the shortest solution, such as 18..24.",
        read_range,
    )
    goal: tuple[int, ...] | None = setting(
        None, "Another goal than 1, 2, 3 … and the blank last.", read_tiles
    )

    def __post_init__(self) -> None:
        """Check every field."""
        parse_size(self.size)
        low, _ = check_pair("length", self.length, 1, 200)
        check_range("length, least", low, 1, 80)
        width, height = self.size
        if width * height <= NINE:
            board = self.solved
            longest = exact.farthest(width, height, board.goal.index(0))
            if low > longest:
                raise InputError(
                    f"length: expected at most {longest}, the farthest that a {width}x{height} "
                    f"board can be, got {low}"
                )

    @property
    def solved(self) -> Board:
        """The board that is solved already."""
        plain = (*range(1, self.size[0] * self.size[1]), 0)
        goal = self.goal if self.goal is not None else plain
        return Board.read(list(goal), list(goal), self.size)


def make(
    count: int = 1,
    request: SlidingRequest | None = None,
    *,
    seed: int | None = None,
    tries: int = 4000,
    watch: Watch | None = None,
    rated: bool = True,
) -> Iterator[Board]:
    """New boards, no two the same, nor each other's reflection; each with its shortest solution and
    its facts.

    `watch` receives `MakerProgress` events. Without `rated`, the facts do not include the
    difficulty, which takes most of the time. Raises `LevolveError` where `tries` boards did not
    give one that meets the request.
    """
    request = request or SlidingRequest()
    check_making(count, tries)
    return _boards(count, request, choose_seed(seed), tries, watch, rated=rated)


def _boards(
    count: int, request: SlidingRequest, seed: int, tries: int, watch: Watch | None, *, rated: bool
) -> Iterator[Board]:
    known: set[str] = set()
    for number in range(count):
        board = _evolve(request, Draws(seed, number), Attempts(number, tries, watch), known)
        known.add(board.likeness())
        yield board.with_facts(
            {
                **(difficulty(board) if rated else {}),
                "length": len(board.solution or ""),
                "seed": seed,
                "number": number,
            }
        )


def _evolve(request: SlidingRequest, draws: Draws, attempts: Attempts, known: set[str]) -> Board:
    low, high = request.length
    played = ""
    steps = 2 * high
    best: tuple[int, Board] | None = None
    for _ in attempts:
        changed = _play(request, draws, played[: draws.below(len(played) + 1)], steps)
        board = request.solved.after(changed)
        solution = exact.solve(board, budget=SEARCH_BUDGET)
        length = solution.length if solution.length is not None else high + 1
        if solution.moves is not None and low <= length <= high and board.likeness() not in known:
            return board.with_solution(solution.moves)
        miss = max(low - length, length - high, 0)
        best = (miss, board) if best is None or miss < best[0] else best
        attempts.count(board.tiles)
        attempts.report(best[0], partial(itemgetter(1), best))
        # Too near: play on for longer. Too far: for less long.
        steps = (
            min(steps + 4, 2000)
            if length < low
            else max(low, steps - 2)
            if length > high
            else steps
        )
        played = changed
    raise LevolveError(
        f"no board that meets the request came out of {attempts.tries:,} tries; allow more "
        "tries, or a wider range of length"
    )


def _play(request: SlidingRequest, draws: Draws, before: str, steps: int) -> str:
    """Random moves from the goal on, none taken back at once."""
    near = neighbours(*request.size)
    blank = request.solved.after(before).blank
    moves = before
    while len(moves) < steps:
        choices = [
            move
            for number, move in enumerate(MOVES)
            if near[blank, number] >= 0 and (not moves or move != BACK[moves[-1]])
        ]
        move = draws.choice(choices)
        blank = int(near[blank, MOVES.index(move)])
        moves += move
    return moves


def difficulty(board: Board, *, seeds: int = 5) -> dict[str, object]:
    """What makes a board hard for evolution: the generations it needs, and how long its own
    solutions come out.
    """
    runs = [genetic.solve(board, seed=seed) for seed in range(seeds)]
    lengths = [run.length for run in runs if run.length is not None]
    return {
        "generations": statistics.median(run.generations for run in runs),
        "evolved_length": statistics.median(lengths) if lengths else None,
    }
