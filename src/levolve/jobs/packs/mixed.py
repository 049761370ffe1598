"""`MixedPackBuilder`: a pack of levels from several recipes, and of puzzles."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, ClassVar, Self

from levolve.core.errors import InputError
from levolve.core.events import Event
from levolve.jobs.executors import stop_requested
from levolve.jobs.job import Job, JobOutcome, State
from levolve.jobs.packs.builder import PackBuilder
from levolve.jobs.packs.events import SearchFinished
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.puzzle_builder import PuzzlePackBuilder
from levolve.jobs.packs.section import AnyOrder, order_of
from levolve.jobs.units import STATE_VERSION, check_state
from levolve.search.problem import choose_seed


def shares_of(count: int, recipes: int) -> list[int]:
    """Divide a number of levels among recipes and puzzles as evenly as possible; the first ones get one more."""
    if count < recipes:
        message = f"count: expected at least one level for each of the {recipes} recipes, got {count}"
        raise InputError(message)
    return [count // recipes + (index < count % recipes) for index in range(recipes)]


def part_builder(
    order: AnyOrder, seed: int | None, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested
) -> PackBuilder | PuzzlePackBuilder:
    """Return the job that builds the pack of one order."""
    return PackBuilder(order, seed, executor, stop) if isinstance(order, Order) else PuzzlePackBuilder(order, seed, executor, stop)


class MixedPackBuilder(Job[Pack]):
    """Builds a pack for each of several orders, one after the other, and joins them in the order of difficulty, as `Pack.joined` does.

    Parameters
    ----------
    orders
        One order per recipe or puzzle.
    seed
        From 0 to 2**64 - 1; by default a random one. All orders use the same.
    executor
        Any `concurrent.futures.Executor` to search with; by default this thread. It does not change the result.
    stop
        Called between searches; return True to end early with a `CancelledError`.
    """

    kind: ClassVar[str] = "mixed-pack"
    always_valid: ClassVar[bool] = True

    def __init__(
        self, orders: Sequence[AnyOrder], seed: int | None = None, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested
    ) -> None:
        """Prepare; nothing is searched yet."""
        self.seed = choose_seed(seed)
        self.parts = [part_builder(order, self.seed, executor, stop) for order in orders]
        self.name = ", ".join(part.name for part in self.parts)

    @property
    def count(self) -> int:
        """The number of levels."""
        return sum(part.count for part in self.parts)

    @property
    def advice(self) -> str:
        """What to do if too few were found, from the first part that lacks some."""
        return next((part.advice for part in self.parts if part.chosen < part.count), self.parts[0].advice)

    @property
    def title(self) -> str:
        """The recipes and the sizes of their levels."""
        return ", ".join(part.title for part in self.parts)

    def call(self) -> dict[str, Any]:
        """Return the orders and the seed as JSON-compatible data."""
        return {"orders": [part.order.to_data() for part in self.parts], "seed": self.seed}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Return the builder that `call` describes."""
        return cls([order_of(order) for order in call["orders"]], call["seed"], executor, stop)

    def events(self) -> Iterator[Event]:
        """Build one pack after the other. The numbers of each event are those of the whole pack."""
        for part in self.parts:
            for event in part.events():
                yield self._event(part.name) if isinstance(event, SearchFinished) else event

    def _event(self, recipe: str) -> SearchFinished:
        parts = self.parts
        decided, found = sum(part.decided for part in parts), sum(part.chosen for part in parts)
        return SearchFinished(recipe, self.count, decided, found, sum(part.searches for part in parts), sum(part.evaluations for part in parts))

    def state(self) -> State:
        """Return the states of all packs."""
        return {"version": STATE_VERSION, "kind": self.kind, "call": self.call(), "parts": [part.state() for part in self.parts]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the states of all packs."""
        check_state(self, state)
        for part, known in zip(self.parts, state["parts"], strict=True):
            part.restore(known)

    @property
    def pack(self) -> Pack:
        """The levels and puzzles found so far, from easy to hard; descending if the curve is."""
        curve = self.parts[0].order.curve
        return Pack.joined(self.name, [part.pack for part in self.parts], descending=curve is not None and curve[0] > curve[1])

    @property
    def result(self) -> Pack:
        """The levels found so far, as a pack."""
        return self.pack

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return any(part.is_remote for part in self.parts)

    @property
    def progress(self) -> float:
        """The share of the levels that are found or abandoned."""
        return sum(part.progress * part.count for part in self.parts) / self.count

    @property
    def headline(self) -> str:
        """How many levels and puzzles were found."""
        return f"{sum(part.chosen for part in self.parts)} of {self.count} levels"

    def outcome(self) -> JobOutcome:
        """Return the manifest, and all levels and puzzles as JSON."""
        return self.pack.outcome()
