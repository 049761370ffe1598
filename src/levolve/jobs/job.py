"""`Job`: one long piece of work that can be stopped, stored and continued: a run, a pack, a
comparison, a meta-evolution, a solver, a map.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

from levolve.core.events import Event
from levolve.jobs.executors import stop_requested
from levolve.search.loop import GenerationScored

State = dict[str, Any]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Figures:
    """One row of a job's history: the best and the mean score after a step, and the evaluations so
    far.
    """

    step: int
    best: float
    mean: float | None
    evaluations: int


@dataclass(frozen=True)
class JobOutcome:
    """What a store records of a finished job.

    `summary` is short JSON-compatible data, `levels` the levels or positions of the result, each as
    the bytes of a JSON file with its digest.
    """

    summary: Mapping[str, Any]
    digest: str | None = None
    levels: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)


class Job(ABC, Generic[Result]):
    """The base class of jobs. `events()` advances it; `state()` between two events is plain data,
    from which `restore` continues to the same bytes.

    A subclass sets `kind`, `name` and `seed`. The state contains only numbers, texts, lists,
    tuples, dictionaries with text or integer keys, None, booleans and NumPy arrays. The law for
    every job, after any number of events: `from_call(call())`, then `restore(state)`, then
    `finish()` give the same bytes, the same report except for times, and the same history as a job
    that was never stopped.
    """

    # The command that makes it, such as "evolve" or "pack".
    kind: ClassVar[str]
    # Whether `state()` is valid at any moment, also after an interruption between two events.
    always_valid: ClassVar[bool] = False
    # What a list of jobs shows: the recipe, the rule or the puzzle.
    name: str
    seed: int

    @abstractmethod
    def call(self) -> dict[str, Any]:
        """Return JSON-compatible data from which `from_call` builds an equal job; no threads,
        executors or callbacks.

        Raises `InputError` for a job that cannot be written down, such as one with a Python
        function as its objective.
        """

    @classmethod
    @abstractmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Build a job from the result of `call`, with nothing computed yet."""

    def rebuilt(self) -> Self:
        """Return an equal job of this process, with nothing computed yet."""
        return self.from_call(self.call())

    @abstractmethod
    def events(self) -> Iterator[Event]:
        """Advance to the end; may be closed after any event."""

    @abstractmethod
    def state(self) -> State:
        """Return the complete state after an event, or before the first, as plain data that later
        events do not change.
        """

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state; raises `InputError` for that of another job or version."""

    @property
    @abstractmethod
    def result(self) -> Result:
        """The result so far; complete after the last event."""

    def finish(self) -> Result:
        """Advance to the end, and return the result."""
        for _ in self.events():
            pass
        return self.result

    @property
    def size(self) -> str:
        """The size of the levels, such as "20x20"; empty if there is none."""
        return ""

    @property
    def score(self) -> float | None:
        """The best score so far; None if there is none."""
        return None

    @property
    def progress(self) -> float | None:
        """The finished share of the work, from 0 to 1; None if unknown."""
        return None

    @property
    def is_stopped(self) -> bool:
        """Whether the job has ended early, because `stop` returned True."""
        return False

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it: nobody knows how long the first event takes."""
        return False

    @property
    def headline(self) -> str:
        """The result so far in a few words, for a list of jobs."""
        return "" if self.score is None else f"best {self.score:g}"

    def figures(self, event: Event) -> Figures | None:
        """Return what an event adds to the history; None if nothing."""
        if isinstance(event, GenerationScored):
            return Figures(event.generation, event.best, event.mean, event.evaluations)
        return None

    def outcome(self) -> JobOutcome:
        """Return what a store records of the result."""
        result: Any = self.result
        return JobOutcome(result.to_data(), getattr(result, "digest", None))
