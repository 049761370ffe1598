"""`PuzzleSearch`: what the genetic solvers of all puzzles have in common.

`ExactSearch`: what the exact searches of all puzzles have in common. It runs in pieces, and its
state can be stored and restored between two.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.core.stopping import check_stop, run_in_pieces
from levolve.puzzles.position import Position, Solution
from levolve.puzzles.progress import SolverProgress, Throttle
from levolve.search.clock import work_clock
from levolve.search.problem import choose_seed

# Individuals bred between two progress reports.
INDIVIDUALS_PER_REPORT = 20_000

AnyPosition = TypeVar("AnyPosition", bound=Position)


class PuzzleSearch(ABC, Generic[AnyPosition]):
    """A population that is bred to solve a position.

    `generation` generations have been bred, at most `generations` will be; `winner` is the
    individual that solves the puzzle, or -1. The same position, settings and seed give the same
    moves. A subclass breeds, names its arrays, and reads the moves of an individual.
    """

    generation = 0
    winner = -1
    # The score of every individual, the larger the better, as of the last generation.
    scores: NDArray[np.float64]

    def __init__(
        self,
        puzzle: str,
        position: AnyPosition,
        population: int,
        generations: int,
        seed: int | None,
    ) -> None:
        """Start at generation 0; the subclass draws the first population."""
        self._began = work_clock()
        self.puzzle = puzzle
        self.position = position
        self.population = population
        self.generations = generations
        self.seed = np.uint64(choose_seed(seed))

    @abstractmethod
    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them solves the puzzle. Updates
        `generation` and `winner`.
        """

    @abstractmethod
    def moves_of(self, individual: int) -> str:
        """The moves that an individual makes."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that the next generation depends on, by name, not copied. They keep their
        shapes from the first generation to the last.
        """

    @property
    @abstractmethod
    def diversity(self) -> float:
        """The share of the population that differs, from 0 to 1."""

    def solution_moves(self) -> str:
        """The moves of the solution that was found. A search may improve what its winner does."""
        return self.moves_of(self.winner)

    def least_moves(self) -> int | None:
        """The least number of moves of any solution, where it is known at no great cost."""
        return None

    def facts(self) -> dict[str, Any]:
        """Further results for the solution's facts, plain data."""
        return {}

    def remarks(self) -> tuple[str, ...]:
        """Sentences about the result that a user should know."""
        return ()

    @property
    def evaluations(self) -> int:
        """How many individuals were scored; those of the last generation only if it solved the
        puzzle.
        """
        return (self.generation + (self.winner >= 0)) * self.population

    def progress(self) -> SolverProgress:
        """The present state, as an event."""
        best = int(np.argmax(self.scores)) if self.winner < 0 else self.winner
        return SolverProgress(
            self.generation,
            self.generations,
            float(self.scores[best]),
            self.diversity,
            self.moves_of(best),
        )

    def state(self) -> dict[str, Any]:
        """Everything needed to continue, as plain numbers and arrays: `generation`, `winner`,
        `seed`, and copies of all `arrays`.
        """
        state: dict[str, Any] = {
            "generation": self.generation,
            "winner": self.winner,
            "seed": int(self.seed),
        }
        return state | {name: array.copy() for name, array in self.arrays().items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `state` of a search for the same position with the same settings. It ends
        with the same moves and generations.
        """
        arrays = self.arrays()
        expected = {"generation", "winner", "seed", *arrays}
        if set(state) != expected:
            raise InputError(
                f"state: expected {', '.join(sorted(expected))}, got "
                f"{', '.join(sorted(map(str, state)))}"
            )
        for name, array in arrays.items():
            given = np.asarray(state[name])
            if given.shape != array.shape or given.dtype != array.dtype:
                raise InputError(
                    f"state: expected {name} of shape {array.shape} and type {array.dtype}, "
                    f"got {given.shape} and {given.dtype}; "
                    "restore it with the same position and settings"
                )
        for name, array in arrays.items():
            array[...] = state[name]
        self.generation, self.winner = int(state["generation"]), int(state["winner"])
        self.seed = np.uint64(choose_seed(state["seed"]))

    def finish(self, watch: Watch | None = None) -> None:
        """Breed up to a solution or the last generation. `watch` receives a `SolverProgress` now
        and then, and one at the end.
        """
        group = max(1, INDIVIDUALS_PER_REPORT // self.population)
        throttle = Throttle(watch)
        while self.winner < 0 and self.generation < self.generations:
            check_stop()
            self.advance(min(group, self.generations - self.generation))
            throttle.report(self.progress)
        throttle.report(self.progress, now=True)

    def solve(self, watch: Watch | None = None) -> Solution:
        """Finish, replay the solution that was found, and give the result."""
        self.finish(watch)
        return self.result()

    def result(self) -> Solution:
        """The result of a search that has ended; a solution that was found is replayed."""
        moves = None
        if self.winner >= 0:
            moves = self.solution_moves()
            self.position.with_solution(moves).check()
        seconds = work_clock() - self._began
        counts = self.generation, self.evaluations, int(self.seed)
        return Solution(
            self.puzzle,
            "genetic",
            moves,
            *counts,
            seconds,
            self.least_moves(),
            facts=self.facts(),
            remarks=self.remarks(),
        )


class ExactSearch(ABC, Generic[AnyPosition]):
    """An exact search for a solution of a position that examines at most `budget` positions.

    A subclass holds everything that the search depends on in arrays, which change only within
    kernels, so that an interrupt at any moment leaves a valid state.
    """

    # The positions of the first piece; they take no longer than a moment.
    first_piece: int

    def __init__(self, position: AnyPosition, budget: int) -> None:
        """Start with nothing examined."""
        self.position = position
        self.budget = budget
        self.seconds = 0.0

    @property
    @abstractmethod
    def evaluations(self) -> int:
        """The positions examined so far."""

    @abstractmethod
    def advance(self, positions: int) -> bool:
        """Examine about so many more positions; return whether the search goes on."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that the search depends on, by name, not copied."""

    @abstractmethod
    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over copies of the arrays of another search for the same position."""

    @abstractmethod
    def solution(self) -> Solution:
        """The result of a search that has ended; its moves have been replayed."""

    def proceed(self, positions: int) -> bool:
        """Advance, and count the time."""
        began = work_clock()
        goes_on = self.advance(positions)
        self.seconds += work_clock() - began
        return goes_on

    def solve(self) -> Solution:
        """Search to the end, in pieces."""
        run_in_pieces(self.proceed, self.first_piece)
        return self.solution()

    def state(self) -> dict[str, Any]:
        """Everything needed to continue, as plain numbers and arrays."""
        return {
            "seconds": self.seconds,
            **{name: array.copy() for name, array in self.arrays().items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `state` of a search for the same position with the same budget. It ends
        with the same result.
        """
        expected = {"seconds", *self.arrays()}
        if set(state) != expected:
            raise InputError(
                f"state: expected {', '.join(sorted(expected))}, got "
                f"{', '.join(sorted(map(str, state)))}"
            )
        self.set_arrays({name: np.array(state[name]) for name in self.arrays()})
        self.seconds = float(state["seconds"])
