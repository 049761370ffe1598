"""Figures for the puzzles: what is solved, how far from optimal, how fast beside the same algorithm in plain Python.

Run it with `make bench`. `LEVOLVE_BOARDS` is how many 8-puzzle boards to sample (all 181,440 with `all`); `LEVOLVE_ROUNDS` the path of a JSON list of
rounds to solve beside those that come with levolve.
"""

import itertools
import json
import os
import random
import statistics
import time
from pathlib import Path

import numpy as np

from levolve.kernels.flag.field import NEVER
from levolve.puzzles.flag import exact, read_round
from levolve.puzzles.flag.genetic import Search, Source, chromosome_length
from levolve.puzzles.flag.maker import Wish, make
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.shipped import shipped
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.solving import solve

KNOWN = ("_13425786", "_32871456", "8672543_1")
EXACT_BUDGET = 300_000_000


def random_board(cells: int, width: int, dice: np.random.Generator) -> Board:
    while True:
        board = Board.read(dice.permutation(cells).tolist(), None, (width, cells // width))
        if board.solvable:
            return board


def eight_puzzle() -> None:
    wanted = os.environ.get("LEVOLVE_BOARDS", "2000")
    dice = np.random.default_rng(1)
    if wanted == "all":
        boards = (board for order in itertools.permutations(range(9)) if (board := Board.read(list(order))).solvable)
    else:
        boards = (random_board(9, 3, dice) for _ in range(int(wanted)))
    solved = count = moves = fewest = worst = 0
    began = time.perf_counter()
    for seed, board in enumerate(boards):
        solution = solve("sliding", board, seed=seed)
        count += 1
        solved += solution.solved
        worst = max(worst, solution.generations)
        moves += solution.length or 0
        fewest += solution.optimal or 0
    seconds = time.perf_counter() - began
    print(f"8-puzzle, {count:,} boards{'' if wanted == 'all' else ' (a sample)'}: {solved / count:.2%} solved, at most {worst} generations,")
    print(f"  mean length {moves / fewest:.4f} of the fewest possible, {1000 * seconds / count:.1f} ms a board")
    for known in KNOWN:
        runs = [solve("sliding", known, seed=seed) for seed in range(100)]
        gap, worst = statistics.mean(run.gap or 0 for run in runs), max(run.generations for run in runs)
        print(f"  {known}: {sum(run.solved for run in runs)} of 100 seeds, at most {worst} generations, mean gap {gap:.2f}")


def fifteen_puzzle() -> None:
    dice = np.random.default_rng(2)
    boards = [random_board(16, 4, dice) for _ in range(100)]
    runs = [solve("sliding", board, seed=seed) for seed, board in enumerate(boards)]
    found = [solve("sliding", board, method="exact", budget=EXACT_BUDGET) for board in boards]
    pairs = [(run.length, known.length) for run, known in zip(runs, found, strict=True) if run.length is not None and known.length is not None]
    ratio = sum(evolved for evolved, _ in pairs) / sum(known for _, known in pairs)
    print(f"15-puzzle, 100 random boards, 500 x at most 2,000 generations: {sum(run.solved for run in runs)} solved,")
    print(f"  median {statistics.median(run.generations for run in runs)} generations, {statistics.median(run.seconds for run in runs):.2f} s;")
    print(f"  exact search finished {len(pairs)} within {EXACT_BUDGET:,} positions, median {statistics.median(run.seconds for run in found):.2f} s;")
    print(f"  evolved length {ratio:.3f} of the fewest possible")


def flag_rounds() -> None:
    path = os.environ.get("LEVOLVE_ROUNDS")
    rounds = {f"shipped {number}": played for number, played in enumerate(shipped(), 1)}
    if path:
        rounds |= {f"round {data['round']}": read_round(data) for data in json.loads(Path(path).read_text(encoding="utf-8"))}
    solve("flag", shipped()[0], method="exact")
    for name, played in rounds.items():
        known = solve("flag", played, method="exact")
        runs = [solve("flag", played, seed=seed) for seed in range(50)]
        generations = [run.generations for run in runs]
        print(
            f"  {name:<11} {sum(run.solved for run in runs)} of 50 seeds, generations: median {statistics.median(generations):g}, "
            f"worst {max(generations)}, "
            f"{1000 * statistics.median(run.seconds for run in runs):.2f} ms; exact {1000 * known.seconds:.2f} ms"
        )


class PlainSource:
    """The source's second version in plain Python, the same settings, its own random numbers."""

    def __init__(self, played: Round, settings: Source) -> None:
        """Draw the first population."""
        self.rows: list[list[int]] = played.tiles.tolist()
        self.start, self.flag, self.settings = played.start, played.flag, settings
        self.length = chromosome_length(played)
        self.dice = random.Random(1)
        self.population = [[self.dice.choice("udlr") for _ in range(self.length)] for _ in range(settings.population)]

    def fitness(self, chromosome: list[str]) -> float:
        """The negative of what the source makes small."""
        left = [list(row) for row in self.rows]
        x, y = self.start
        if left[y][x] != NEVER:
            left[y][x] -= 1
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
        match = sum(visits for row in left for visits in row if visits != NEVER)
        distance = abs(x - self.flag[0]) + abs(y - self.flag[1])
        return -(self.settings.match_weight * match + self.settings.distance_weight * distance + void)

    def breed(self) -> None:
        """One generation."""
        dice, settings = self.dice, self.settings
        ranked = sorted(self.population, key=self.fitness, reverse=True)
        children = [list(chromosome) for chromosome in ranked[: settings.elites]]
        while len(children) < settings.population:
            one, other = dice.choice(ranked[: settings.parents]), dice.choice(ranked[: settings.parents])
            low, high = sorted((dice.randrange(self.length), dice.randrange(self.length)))
            child = one[:low] + other[low : high + 1] + one[high + 1 :]
            at, to = dice.randrange(self.length), dice.randrange(self.length)
            if dice.random() <= settings.mutation_rate:
                child[at] = dice.choice("udlr")
            else:
                child[at], child[to] = child[to], child[at]
            children.append(child)
        self.population = children


def side_by_side() -> None:
    path = os.environ.get("LEVOLVE_ROUNDS")
    rounds = {data["round"]: read_round(data) for data in json.loads(Path(path).read_text(encoding="utf-8"))} if path else {}
    played = rounds.get(12, shipped()[26])
    settings = Source()
    ratios = []
    Search(played, settings, 0).advance(2)
    for turn in range(5):
        plain = PlainSource(played, settings)
        began = time.perf_counter()
        for _ in range(100):
            plain.breed()
        slow = 100 / (time.perf_counter() - began)
        search = Search(played, settings, turn)
        began = time.perf_counter()
        search.advance(10_000)
        fast = search.generation / (time.perf_counter() - began)
        ratios.append(fast / slow)
    name = "round 12" if 12 in rounds else "shipped round 27"
    print(f"the source's algorithm and settings on {name}, side by side: {fast:,.0f} generations/s here, {slow:,.0f} in plain Python,")
    print(f"  {statistics.median(ratios):.0f} times as many (median of 5 turns, from {min(ratios):.0f} to {max(ratios):.0f})")


def maker() -> None:
    began = time.perf_counter()
    rounds = list(make(100, Wish(unique=True, length=(20, 30)), seed=1))
    seconds = time.perf_counter() - began
    unique = sum(exact.count_solutions(made, 5) == 1 for made in rounds)
    for made in rounds:
        made.check()
    different = len({made.likeness() for made in rounds})
    print(f"maker, 100 rounds with one solution of 20 to 30 moves: {unique} certified, {different} different, {seconds:.1f} s")


if __name__ == "__main__":
    side_by_side()
    eight_puzzle()
    fifteen_puzzle()
    print("Reach the Flag, the usual scheme, population 40")
    flag_rounds()
    maker()
