"""Puzzle solvers: boards and rounds per second, and the source's algorithm for Reach the Flag beside plain Python."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from levolve.bench.figures import Effort, Figure
from levolve.bench.plain.flag import PlainSource
from levolve.bench.timing import processor_seconds
from levolve.puzzles.flag.genetic import flag_search
from levolve.puzzles.flag.settings import SourceSettings
from levolve.puzzles.flag.shipped import shipped
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.solution import Solution
from levolve.puzzles.solving import solve

SUBJECT = "puzzles"
PLAIN_GENERATIONS = 200


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure the sliding puzzle by evolution and exactly, and both solvers of Reach the Flag."""
    boards = random_boards(effort.choose(20, 200))
    for method in ("genetic", "exact"):
        solve("sliding", boards[0], method=method, seed=0)
        seconds, solutions = _solve_all("sliding", boards, method)
        note = f"{sum(solution.solved for solution in solutions)} of {len(boards)} random 8-puzzles solved"
        yield Figure(SUBJECT, f"8-puzzle, {method}", 1000 * seconds / len(boards), "ms per board", note=note)
    played, settings = shipped()[26], SourceSettings()
    flag_search(played, settings, 0).advance(2)
    ratios, rates = [], []
    for turn in range(effort.rounds):
        plain = PlainSource(played, settings)
        count = effort.choose(40, PLAIN_GENERATIONS)
        slow = processor_seconds(_breed, plain, count) / count
        searches = [flag_search(played, settings, seed) for seed in range(10 * turn, 10 * turn + 10)]
        seconds = sum(processor_seconds(search.advance, 4000) for search in searches)
        fast = seconds / sum(search.generation for search in searches)
        ratios.append(slow / fast)
        rates.append(1 / fast)
    yield Figure(SUBJECT, "Reach the Flag, source's algorithm", statistics.median(rates), "generations/s", statistics.median(ratios), "plain Python")
    rounds = shipped()[: effort.choose(5, 30)]
    seconds, solutions = _solve_all("flag", rounds, "genetic")
    note = f"{sum(solution.solved for solution in solutions)} of {len(rounds)} rounds solved"
    yield Figure(SUBJECT, "Reach the Flag, guided", 1000 * seconds / len(rounds), "ms per round", note=note)


def _solve_all(puzzle: str, positions: Sequence[Any], method: str) -> tuple[float, list[Solution]]:
    """Return the processor seconds, and the solutions."""
    solutions: list[Solution] = []
    seconds = processor_seconds(lambda: solutions.extend(solve(puzzle, position, method=method, seed=7) for position in positions))
    return seconds, solutions


def _breed(plain: PlainSource, generations: int) -> None:
    for _ in range(generations):
        plain.breed()


def random_boards(count: int) -> list[Board]:
    """Return random solvable boards of the 8-puzzle."""
    dice = np.random.default_rng(1)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board.read(dice.permutation(9).tolist(), None, (3, 3))
        boards += [board] if board.solvable else []
    return boards
