"""`SolverJob`: a puzzle that is solved by evolution or by exact search, and can be stopped and
continued.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.core.stopping import SECONDS_PER_PIECE
from levolve.jobs.executors import stop_requested
from levolve.jobs.job import Figures, Job, JobOutcome, State
from levolve.jobs.runs.history import Curve
from levolve.jobs.units import STATE_VERSION, check_state
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position, Solution
from levolve.puzzles.progress import SolverProgress
from levolve.puzzles.solvers import INDIVIDUALS_PER_REPORT, ExactSearch, PuzzleSearch
from levolve.search.problem import choose_seed

EXACT, GENETIC = "exact", "genetic"
# Generations whose diversity is kept.
MOST_RECORDED = 500


@dataclass(frozen=True)
class PositionsExamined(Event):
    """An exact search has examined so many positions of at most `budget`."""

    kind: ClassVar[str] = "positions_examined"

    positions: int
    budget: int


class SolverJob(Job[Solution]):
    """Solves a position of a puzzle. `events()` yields an event about ten times a second; see
    `levolve.solve` for the parameters.

    The state is that after the last event: a population between two groups of generations, or an
    exact search between two pieces. With `recording`, `diversities` is the share of the population
    that differs after each generation, thinned for long searches.
    """

    kind: ClassVar[str] = "solve"
    always_valid: ClassVar[bool] = True

    def __init__(
        self,
        puzzle: str,
        position: Position,
        *,
        method: str = GENETIC,
        seed: int | None = None,
        scheme: str | None = None,
        settings: Mapping[str, Any] | None = None,
        recording: bool = False,
        stop: Callable[[], bool] = stop_requested,
    ) -> None:
        """Check everything; nothing is searched yet. A position that is known to have no solution
        is refused.
        """
        self.name = puzzle
        self.position = position
        self.method, self.scheme, self.settings = method, scheme, dict(settings or {})
        self.seed = choose_seed(seed)
        self._puzzle = PUZZLES[puzzle]
        self._chosen = self._puzzle.settings(method, scheme, self.settings)
        position.check_solvable()
        if recording and method != GENETIC:
            raise InputError("recording: expected the genetic method, which has a population")
        self.recording = recording
        self._stop = stop
        self._search = self._begun()
        self._solution: Solution | None = None
        self._kept = self._search_state()
        self._diversities: Curve[tuple[int, float]] = Curve(MOST_RECORDED)
        self._record()

    def _begun(self) -> PuzzleSearch[Any] | ExactSearch[Any] | None:
        """The search at its start; None where exact search is over in a moment, or cannot be
        stopped.
        """
        if self.method == GENETIC:
            return self._puzzle.search(self.position, self._chosen, self.seed)
        return self._puzzle.exact_search(self.position, self._chosen)

    def call(self) -> dict[str, Any]:
        """Return the position and all settings as JSON-compatible data."""
        return {
            "puzzle": self.name,
            "position": self._puzzle.encode_json(self.position).decode(),
            "method": self.method,
            "scheme": self.scheme,
            "settings": self.settings,
            "seed": self.seed,
            **({"recording": True} if self.recording else {}),
        }

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Return the job that `call` describes."""
        position = PUZZLES[call["puzzle"]].decode(call["position"].encode())
        if position is None:
            raise InputError(
                f"position: expected a position of {call['puzzle']}, got {call['position'][:80]!r}"
            )
        settings = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in call["settings"].items()
        }
        return cls(
            call["puzzle"],
            position,
            method=call["method"],
            seed=call["seed"],
            scheme=call["scheme"],
            settings=settings,
            recording=bool(call.get("recording")),
            stop=stop,
        )

    def events(self) -> Iterator[Event]:
        """Search to the end."""
        if self._solution is not None:
            return
        search = self._search
        if isinstance(search, PuzzleSearch):
            # An interrupt may have come in the middle of a group of generations.
            search.restore(self._kept)
            self._keep_recorded(self.diversities)
            yield from self._breed(search)
            solution = search.result()
        elif search is None:
            solution = self._puzzle.search_exactly(self.position, self._chosen)
        else:
            yield from self._examine(search)
            solution = search.solution()
        boards = (
            () if solution.moves is None else self._puzzle.boards(self.position, solution.moves)
        )
        self._solution = replace(solution, boards=boards)

    def _breed(self, search: PuzzleSearch[Any]) -> Iterator[Event]:
        group = 1 if self.recording else max(1, INDIVIDUALS_PER_REPORT // search.population)
        reported = time.perf_counter()
        while search.winner < 0 and search.generation < search.generations:
            self._check_stop()
            search.advance(min(group, search.generations - search.generation))
            self._record()
            if time.perf_counter() - reported >= SECONDS_PER_PIECE:
                self._kept = search.state()
                reported = time.perf_counter()
                yield search.progress()
        self._kept = search.state()
        yield search.progress()

    @property
    def diversities(self) -> list[tuple[int, float]]:
        """The recorded generations, each with the share of the population that differs, from 0 to
        1.
        """
        return self._diversities.points

    def _record(self) -> None:
        search = self._search
        if self.recording and isinstance(search, PuzzleSearch):
            self._diversities.add(search.generation, (search.generation, search.diversity))

    def _keep_recorded(self, points: Iterable[Sequence[float]]) -> None:
        """Set the recorded generations, up to that of the search."""
        self._diversities = Curve(MOST_RECORDED)
        last = self._search.generation if isinstance(self._search, PuzzleSearch) else -1
        for generation, diversity in points:
            if generation <= last:
                self._diversities.add(int(generation), (int(generation), diversity))

    def _examine(self, search: ExactSearch[Any]) -> Iterator[Event]:
        amount, goes_on = search.first_piece, True
        while goes_on:
            self._check_stop()
            began = time.perf_counter()
            goes_on = search.proceed(amount)
            amount = max(
                int(amount * min(SECONDS_PER_PIECE / max(time.perf_counter() - began, 1e-9), 2.0)),
                1,
            )
            yield PositionsExamined(search.evaluations, search.budget)

    def _check_stop(self) -> None:
        if self._stop():
            raise CancelledError

    def _search_state(self) -> State:
        return {} if self._search is None else self._search.state()

    def state(self) -> State:
        """Return what the job is, and the state of its search. It is valid at any time, after an
        interrupt too.
        """
        search = self._kept if isinstance(self._search, PuzzleSearch) else self._search_state()
        state: State = {
            "version": STATE_VERSION,
            "kind": self.kind,
            "call": self.call(),
            "search": search,
        }
        return state | ({"diversities": self.diversities} if self.recording else {})

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a job with the same call."""
        check_state(self, state)
        if self._search is not None:
            self._search.restore(state["search"])
        self._kept = self._search_state()
        self._keep_recorded(state.get("diversities", ()))
        self._solution = None

    @property
    def result(self) -> Solution:
        """The solution, or what is known without one."""
        if self._solution is None:
            raise LevolveError("solve: expected the search to be finished; call finish() first")
        return self._solution

    @property
    def progress(self) -> float | None:
        """The share of the generations or of the budget that is used."""
        if self._solution is not None:
            return 1.0
        if isinstance(self._search, PuzzleSearch):
            return self._search.generation / max(self._search.generations, 1)
        return (
            None
            if self._search is None
            else min(self._search.evaluations / self._search.budget, 1.0)
        )

    @property
    def attempt(self) -> str:
        """The moves of the solution, or of the best attempt so far; none before the first
        generation and during exact search.
        """
        if self._solution is not None and self._solution.moves is not None:
            return self._solution.moves
        begun = isinstance(self._search, PuzzleSearch) and self._search.generation > 0
        return (
            self._search.progress().attempt
            if begun and isinstance(self._search, PuzzleSearch)
            else ""
        )

    @property
    def is_solved(self) -> bool:
        """Whether a solution was found."""
        return self._solution is not None and self._solution.solved

    @property
    def headline(self) -> str:
        """The length of the solution."""
        if self._solution is None:
            return ""
        return (
            "no solution" if self._solution.moves is None else f"{len(self._solution.moves)} moves"
        )

    def figures(self, event: Event) -> Figures | None:
        """Return the best score of a population."""
        if isinstance(event, SolverProgress) and isinstance(self._search, PuzzleSearch):
            return Figures(event.generation, event.best, None, self._search.evaluations)
        return None

    def outcome(self) -> JobOutcome:
        """Return the report, and the solved position as JSON."""
        solution = self.result
        if solution.moves is None:
            return JobOutcome(solution.to_data())
        solved = self.position.with_solution(solution.moves)
        return JobOutcome(
            solution.to_data(), solved.digest, ((solved.digest, self._puzzle.encode_json(solved)),)
        )
