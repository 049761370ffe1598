"""New boards of the sliding puzzle to order: a wanted number of moves, certified by exact search.

Boards are made by playing backwards from the goal, so every one can be solved. Evolution changes the moves played (cut, go on differently, more or
fewer of them) until the shortest solution has the wished length. Up to nine cells a table knows that length at once.
"""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from levolve.errors import InputError, LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.levels.grid import MOVES
from levolve.puzzles.draws import Draws
from levolve.puzzles.puzzle import Attempt, check_making, check_range
from levolve.puzzles.sliding import exact, genetic
from levolve.puzzles.sliding.rules import NINE, Board, Tiles, neighbours, parse_size
from levolve.puzzles.telling import Trying

BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}
SEARCH_BUDGET = 100_000_000
Watch = Callable[[Attempt], None] | None


@dataclass(frozen=True)
class Wish:
    """What a board should be like: its size, the length of its shortest solution, and the goal."""

    size: tuple[int, int] = (3, 3)
    length: tuple[int, int] = (18, 24)
    goal: Tiles | None = None

    def __post_init__(self) -> None:
        """Check every wish."""
        parse_size(self.size)
        low, high = self.length
        check_range("length, least", low, 1, 80)
        check_range("length, most", high, low, 200)
        width, height = self.size
        if width * height <= NINE:
            board = self.solved
            longest = exact.farthest(width, height, board.goal.index(0))
            if low > longest:
                message = f"length: expected at most {longest}, the farthest that a {width}x{height} board can be, got {low}"
                raise InputError(message)

    @property
    def solved(self) -> Board:
        """The board that is solved already."""
        plain = (*range(1, self.size[0] * self.size[1]), 0)
        goal = self.goal if self.goal is not None else plain
        return Board.read(list(goal), list(goal), self.size)


@dataclass(frozen=True)
class Made:
    """A board as wished, with its shortest solution and its facts."""

    board: Board
    solution: str
    facts: dict[str, object]


def make(count: int = 1, wish: Wish | None = None, *, seed: int | None = None, tries: int = 4000, watch: Watch = None) -> Iterator[Made]:
    """Boards to order, one after the other, no two the same, nor each other's reflection; each with its shortest solution.

    `watch` hears from time to time how far the making is.
    """
    wish = wish or Wish()
    check_making(count, tries)
    seed = choose_seed(seed)
    known: set[Tiles] = set()
    for number in range(count):
        board, solution = _evolve(wish, Draws(seed, number), Trying(number, tries, watch), known)
        known.add(likeness(board))
        yield Made(board, solution, {**difficulty(board), "length": len(solution), "seed": seed, "number": number})


def likeness(board: Board) -> Tiles:
    """The lesser of a board and its reflection in the diagonal, tiles renamed alike, where the goal has one; boards alike have the same."""
    normal = tuple(int(tile) for tile in board.normal)
    blank = board.goal.index(0)
    width = board.width
    if width != board.height or blank % width != blank // width:
        return normal

    def mirrored(cell: int) -> int:
        return cell % width * width + cell // width

    reflected = tuple(mirrored(normal[mirrored(cell)] - 1) + 1 if normal[mirrored(cell)] else 0 for cell in range(board.cells))
    return min(normal, reflected)


def _evolve(wish: Wish, draws: Draws, trying: Trying, known: set[Tiles]) -> tuple[Board, str]:
    low, high = wish.length
    played = ""
    steps = 2 * high
    best: tuple[int, Board] | None = None
    for _ in trying:
        changed = _play(wish, draws, played[: draws.below(len(played) + 1)], steps)
        board = wish.solved.after(changed)
        solution = exact.solve(board, budget=SEARCH_BUDGET)
        length = solution.length if solution.length is not None else high + 1
        if solution.moves is not None and low <= length <= high and likeness(board) not in known:
            return board, solution.moves
        miss = max(low - length, length - high, 0)
        best = (miss, board) if best is None or miss < best[0] else best
        trying.saw(board.tiles)
        trying.tell(best[0], partial(itemgetter(1), best))
        # Too near: play on for longer. Too far: for less long.
        steps = min(steps + 4, 2000) if length < low else max(low, steps - 2) if length > high else steps
        played = changed
    message = f"no board as wished came out of {trying.tries:,} tries; allow more tries, or a wider range of length"
    raise LevolveError(message)


def _play(wish: Wish, draws: Draws, before: str, steps: int) -> str:
    """Random moves from the goal on, none taken back at once."""
    near = neighbours(*wish.size)
    blank = wish.solved.after(before).blank
    moves = before
    while len(moves) < steps:
        choices = [move for number, move in enumerate(MOVES) if near[blank, number] >= 0 and (not moves or move != BACK[moves[-1]])]
        move = draws.choice(choices)
        blank = int(near[blank, MOVES.index(move)])
        moves += move
    return moves


def difficulty(board: Board, *, seeds: int = 5) -> dict[str, object]:
    """What makes a board hard for evolution: the generations it needs, and how long its own solutions come out."""
    runs = [genetic.solve(board, seed=seed) for seed in range(seeds)]
    lengths = [run.length for run in runs if run.length is not None]
    return {"generations": statistics.median(run.generations for run in runs), "evolved_length": statistics.median(lengths) if lengths else None}
