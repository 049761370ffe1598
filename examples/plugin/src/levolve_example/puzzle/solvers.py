"""Ice solved exactly, by breadth-first search, and by evolution of lists of moves."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.random_streams import Draws
from levolve.puzzles.position import Solution
from levolve.puzzles.settings import check_range, setting
from levolve.puzzles.solvers import PuzzleSearch
from levolve_example.puzzle.rules import STEPS, Lake, Place

MOVES = "".join(STEPS)


def explore(lake: Lake, budget: int = 1 << 30) -> tuple[dict[Place, str], bool]:
    """The shortest moves to every place where a slide can stop, and whether the budget of places
    sufficed.
    """
    ways = {lake.start: ""}
    queue = [lake.start]
    for examined, place in enumerate(queue):
        if examined >= budget:
            return ways, False
        for move in MOVES:
            stop = lake.slide(place, move)
            if stop not in ways:
                ways[stop] = ways[place] + move
                queue.append(stop)
    return ways, True


def solve_exactly(lake: Lake, budget: int) -> Solution:
    """The shortest solution, or the proof that there is none."""
    began = time.perf_counter()
    ways, complete = explore(lake, budget)
    moves = ways.get(lake.exit)
    seconds = time.perf_counter() - began
    length = None if moves is None else len(moves)
    return Solution(
        "ice",
        "exact",
        moves,
        0,
        len(ways),
        None,
        seconds,
        optimal=length,
        unsolvable=complete and moves is None,
    )


@dataclass(frozen=True)
class IceSettings:
    """Evolution of lists of moves: tournaments, one-point crossover, genes reset at random."""

    population: int = setting(60, "Individuals per generation, at least 2.")
    generations: int = setting(1000, "The most generations.")
    elites: int = setting(4, "How many of the best individuals are handed on unchanged.")
    genes: int = setting(30, "The number of moves in a list.")
    mutation: float = setting(0.06, "The probability that a gene is reset.")

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("population", self.population, 2, 100_000)
        check_range("generations", self.generations, 1, 1 << 40)
        check_range("elites", self.elites, 0, self.population - 1)
        check_range("genes", self.genes, 1, 1000)
        check_range("mutation", self.mutation, 0, 1, whole=False)


class IceSearch(PuzzleSearch[Lake]):
    """A population of lists of moves. Each is scored by the number of places it stops at and by how
    near the exit it comes.
    """

    def __init__(self, lake: Lake, settings: IceSettings, seed: int | None) -> None:
        """Draw the first population."""
        super().__init__("ice", lake, settings.population, settings.generations, seed)
        self.settings = settings
        self.genes: NDArray[np.uint8] = np.zeros((settings.population, settings.genes), np.uint8)
        self.scores = np.zeros(settings.population)
        for individual in range(settings.population):
            draws = Draws(int(self.seed), 0, individual)
            self.genes[individual] = [draws.below(4) for _ in range(settings.genes)]

    def _walk(self, individual: int) -> tuple[str, float, bool]:
        """The moves of an individual, its score, and whether it comes to the exit."""
        lake, place, moves = self.position, self.position.start, ""
        stops = {place}
        nearest = lake.width + lake.height
        for gene in self.genes[individual]:
            stop = lake.slide(place, MOVES[gene])
            if stop == place:
                continue
            place, moves = stop, moves + MOVES[gene]
            stops.add(place)
            nearest = min(nearest, abs(place[0] - lake.exit[0]) + abs(place[1] - lake.exit[1]))
            if place == lake.exit:
                return moves, float(lake.width * lake.height), True
        return moves, len(stops) - nearest / 4, False

    def advance(self, count: int) -> None:
        """Breed up to `count` generations."""
        for _ in range(count):
            for individual in range(self.population):
                _, self.scores[individual], won = self._walk(individual)
                if won:
                    self.winner = individual
                    return
            self.genes[:] = self._bred()
            self.generation += 1

    def _bred(self) -> NDArray[np.uint8]:
        order = np.argsort(-self.scores, kind="stable")
        bred = self.genes[order].copy()
        threshold = round(self.settings.mutation * 1_000_000)
        for individual in range(self.settings.elites, self.population):
            draws = Draws(int(self.seed), self.generation + 1, individual)
            first, second = (
                min(draws.below(self.population), draws.below(self.population)) for _ in range(2)
            )
            cut = draws.below(self.settings.genes + 1)
            child = np.concatenate(
                [self.genes[order[first], :cut], self.genes[order[second], cut:]]
            )
            for index in range(self.settings.genes):
                if draws.below(1_000_000) < threshold:
                    child[index] = draws.below(4)
            bred[individual] = child
        return bred

    def moves_of(self, individual: int) -> str:
        """The moves that go somewhere, up to the exit."""
        return self._walk(individual)[0]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The lists of moves and their scores."""
        return {"genes": self.genes, "scores": self.scores}

    @property
    def diversity(self) -> float:
        """The share of different lists."""
        return len(np.unique(self.genes, axis=0)) / self.population

    def least_moves(self) -> int | None:
        """The length of the shortest solution: a lake is small enough to search it."""
        moves = explore(self.position)[0].get(self.position.exit)
        return None if moves is None else len(moves)
