"""The search loop: `advance` calls a search until a limit is reached, and yields what it did."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar, overload

from levolve.core.events import Event

if TYPE_CHECKING:
    from levolve.search.search import Evaluator, Generations, Search

Evaluate_contra = TypeVar("Evaluate_contra", contravariant=True)
AnyEvent = TypeVar("AnyEvent", bound=Event)
AnyEvent_co = TypeVar("AnyEvent_co", bound=Event, covariant=True)

# The reasons why a search ends.
GENERATIONS, EVALUATIONS, GOAL, IDLE, STOPPED = (
    "generations",
    "evaluations",
    "goal",
    "idle",
    "stopped",
)


@dataclass(frozen=True)
class Limits:
    """The limits of a search, which ends at the first one reached. None means no limit.

    Parameters
    ----------
    generations
        Generations after the start, which counts as generation 0.
    evaluations
        Evaluated individuals; the last generation is cut, so that a search never uses more.
    goal
        A best score.
    idle
        Consecutive generations without new individuals.
    """

    generations: int | None = None
    evaluations: float | None = None
    goal: float | None = None
    idle: int | None = None


@dataclass(frozen=True)
class GenerationScored(Event):
    """A generation has been evaluated. `best` is the best score so far, `mean` that of the
    population, `evaluations` the total so far.

    `figures` are those of the strategy, such as `coverage` and `qd_score` of an archive; empty for
    most strategies.
    """

    kind: ClassVar[str] = "generation"

    generation: int
    best: float
    mean: float
    evaluations: int
    improved: bool
    figures: Mapping[str, float] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """Return the event as JSON-compatible data, without empty figures."""
        data = super().to_data()
        return (
            data
            if self.figures
            else {key: value for key, value in data.items() if key != "figures"}
        )


@dataclass(frozen=True)
class SearchEnded(Event):
    """A search has ended. The reason is "generations", "evaluations", "goal", "idle" or
    "stopped".
    """

    kind: ClassVar[str] = "ended"

    reason: str
    best: float
    evaluations: int


class Progressing(Protocol):
    """What the loop reads of a search. The searches of levels and of recipe settings implement
    it.
    """

    @property
    def generation(self) -> int:
        """The number of evaluated generations."""

    @property
    def evaluations(self) -> int:
        """The number of evaluated individuals."""

    @property
    def idle(self) -> int:
        """The number of consecutive generations without new individuals."""

    @property
    def best_score(self) -> float:
        """The best score so far."""

    @property
    def mean_score(self) -> float:
        """The mean score of the population."""

    @property
    def figures(self) -> Mapping[str, float]:
        """Figures of the strategy, by name; most have none."""


class Advancing(Progressing, Protocol, Generic[Evaluate_contra]):
    """The interface of a search for `advance`."""

    def step(self, evaluate: Evaluate_contra, at_most: int | None = None) -> None:
        """Advance by one generation, and evaluate at most `at_most` of its individuals."""


class Reporting(Progressing, Protocol, Generic[Evaluate_contra, AnyEvent_co]):
    """The interface of a search that yields events within a generation, which may take long."""

    def step(self, evaluate: Evaluate_contra, at_most: int | None = None) -> Iterable[AnyEvent_co]:
        """Advance by one generation like `Advancing.step`, and yield events meanwhile."""


def never() -> bool:
    """Return False: no stop is requested."""
    return False


@overload
def advance(
    search: Search,
    evaluate: Evaluator,
    limits: Limits,
    stop: Callable[[], bool] = never,
    *,
    events: Literal[False],
) -> Iterator[Generations | SearchEnded]: ...


@overload
def advance(
    search: Advancing[Evaluate_contra],
    evaluate: Evaluate_contra,
    limits: Limits,
    stop: Callable[[], bool] = never,
) -> Iterator[GenerationScored | SearchEnded]: ...


@overload
def advance(
    search: Reporting[Evaluate_contra, AnyEvent],
    evaluate: Evaluate_contra,
    limits: Limits,
    stop: Callable[[], bool] = never,
) -> Iterator[AnyEvent | GenerationScored | SearchEnded]: ...


def advance(
    search: Any,
    evaluate: Any,
    limits: Limits,
    stop: Callable[[], bool] = never,
    *,
    events: bool = True,
) -> Iterator[Any]:
    """Advance a search until a limit is reached or `stop()` is true between two generations.

    Yields a `GenerationScored` event per generation, after the events that the search itself
    yields, and at the end a `SearchEnded` event with the reason. With `events=False` it yields
    `Generations`, several at once where that takes less time, instead of the events of generations:
    for searches that nobody watches. A search restored from its state ends exactly like one that
    was never interrupted.
    """
    # A goal, or the last of several generations without new individuals, may be reached by any.
    single = limits.goal is not None or limits.idle is not None
    while (reason := _reason_to_end(search, limits, stop)) is None:
        generation, before, remaining = (
            search.generation,
            search.best_score,
            _remaining(search, limits),
        )
        if events:
            yield from search.step(evaluate, remaining) or ()
            best, mean = search.best_score, search.mean_score
            yield GenerationScored(
                generation, best, mean, search.evaluations, best > before, search.figures
            )
        else:
            last = sys.maxsize if limits.generations is None else limits.generations
            yield search.advance_many(evaluate, 1 if single else last - generation + 1, remaining)
    yield SearchEnded(reason, search.best_score, search.evaluations)


def _remaining(search: Progressing, limits: Limits) -> int | None:
    """Return the number of individuals that may still be evaluated; None for any number."""
    if limits.evaluations is None or limits.evaluations == float("inf"):
        return None
    return int(limits.evaluations - search.evaluations)


def _reason_to_end(search: Progressing, limits: Limits, stop: Callable[[], bool]) -> str | None:
    if limits.generations is not None and search.generation > limits.generations:
        return GENERATIONS
    if limits.evaluations is not None and search.evaluations >= limits.evaluations:
        return EVALUATIONS
    if limits.goal is not None and search.best_score >= limits.goal:
        return GOAL
    if limits.idle is not None and search.idle >= limits.idle:
        return IDLE
    return STOPPED if stop() else None
