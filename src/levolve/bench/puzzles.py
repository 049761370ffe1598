"""Puzzle solvers: boards and rounds per second, and the source's algorithm for Reach the Flag
beside plain Python.

Reach the Flag by the genetic algorithm of its source: lists of moves, walked one by one.
"""

import random
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from levolve.bench.measuring import Effort, Figure, processor_seconds
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.puzzles.flag.files import shipped
from levolve.puzzles.flag.genetic import chromosome_length, flag_search
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import SourceSettings
from levolve.puzzles.position import Solution
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.solve_make import solve


class PlainSource:
    """The source's second version in plain Python, the same settings, its own random numbers."""

    def __init__(self, played: Round, settings: SourceSettings) -> None:
        """Draw the first population."""
        self.rows: list[list[int]] = played.tiles.tolist()
        self.start, self.flag, self.settings = played.start, played.flag, settings
        self.length, self.visits = chromosome_length(played), played.visits
        self.dice = random.Random(1)
        self.population = [
            [self.dice.choice("udlr") for _ in range(self.length)]
            for _ in range(settings.population)
        ]

    def fitness(self, chromosome: list[str]) -> float:
        """The negative of what the source makes small; 0 for a win, which is looked for after every
        move.
        """
        left = [list(row) for row in self.rows]
        x, y = self.start
        match = self.visits
        if left[y][x] != NEVER:
            left[y][x] -= 1
            match -= 1
        void = 0.0
        for gene in chromosome:
            to_x = x + (gene == "r") - (gene == "l")
            to_y = y + (gene == "d") - (gene == "u")
            if not (0 <= to_y < len(left) and 0 <= to_x < len(left[0])) or left[to_y][to_x] == 0:
                void += self.settings.void_mark
                continue
            x, y = to_x, to_y
            if left[y][x] != NEVER:
                left[y][x] -= 1
                match -= 1
            if match == 0 and (x, y) == self.flag:
                return 0.0
        distance = abs(x - self.flag[0]) + abs(y - self.flag[1])
        return -(
            self.settings.match_weight * match + self.settings.distance_weight * distance + void
        )

    def breed(self) -> None:
        """One generation."""
        dice, settings = self.dice, self.settings
        ranked = sorted(self.population, key=self.fitness, reverse=True)
        children = [list(chromosome) for chromosome in ranked[: settings.elites]]
        while len(children) < settings.population:
            one, other = (
                dice.choice(ranked[: settings.parents]),
                dice.choice(ranked[: settings.parents]),
            )
            low, high = sorted((dice.randrange(self.length), dice.randrange(self.length)))
            child = one[:low] + other[low : high + 1] + one[high + 1 :]
            at, to = dice.randrange(self.length), dice.randrange(self.length)
            if dice.random() <= settings.mutation_rate:
                child[at] = dice.choice("udlr")
            else:
                child[at], child[to] = child[to], child[at]
            children.append(child)
        self.population = children


SUBJECT = "puzzles"
PLAIN_GENERATIONS = 200


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure the sliding puzzle by evolution and exactly, and both solvers of Reach the Flag."""
    boards = random_boards(effort.choose(20, 200))
    for method in ("genetic", "exact"):
        solve("sliding", boards[0], method=method, seed=0)
        seconds, solutions = _solve_all("sliding", boards, method)
        note = (
            f"{sum(solution.solved for solution in solutions)} of {len(boards)} random 8-puzzles "
            "solved"
        )
        yield Figure(
            SUBJECT, f"8-puzzle, {method}", 1000 * seconds / len(boards), "ms per board", note=note
        )
    played, settings = shipped()[26], SourceSettings()
    flag_search(played, settings, 0).advance(2)
    ratios, rates = [], []
    for turn in range(effort.rounds):
        plain = PlainSource(played, settings)
        count = effort.choose(40, PLAIN_GENERATIONS)
        slow = processor_seconds(_breed, plain, count) / count
        searches = [
            flag_search(played, settings, seed) for seed in range(10 * turn, 10 * turn + 10)
        ]
        seconds = sum(processor_seconds(search.advance, 4000) for search in searches)
        fast = seconds / sum(search.generation for search in searches)
        ratios.append(slow / fast)
        rates.append(1 / fast)
    yield Figure(
        SUBJECT,
        "Reach the Flag, source's algorithm",
        statistics.median(rates),
        "generations/s",
        statistics.median(ratios),
        "plain Python",
    )
    rounds = shipped()[: effort.choose(5, 30)]
    seconds, solutions = _solve_all("flag", rounds, "genetic")
    note = f"{sum(solution.solved for solution in solutions)} of {len(rounds)} rounds solved"
    yield Figure(
        SUBJECT, "Reach the Flag, guided", 1000 * seconds / len(rounds), "ms per round", note=note
    )


def _solve_all(puzzle: str, positions: Sequence[Any], method: str) -> tuple[float, list[Solution]]:
    """Return the processor seconds, and the solutions."""
    solutions: list[Solution] = []
    seconds = processor_seconds(
        lambda: solutions.extend(
            solve(puzzle, position, method=method, seed=7) for position in positions
        )
    )
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
