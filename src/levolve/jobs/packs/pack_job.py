"""`PackJob`: builds a pack of levels from one or several recipes, and of puzzles."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, Self

from levolve.jobs.executors import stop_requested
from levolve.jobs.job import JobOutcome
from levolve.jobs.packs.events import SearchFinished
from levolve.jobs.packs.level_source import LevelPackSource, SearchResult
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.puzzle_source import PuzzleSource
from levolve.jobs.packs.section import AnyOrder, PackSource, order_of
from levolve.jobs.units import UnitJob
from levolve.search.problem import choose_seed

# The kinds under which packs are stored: of a recipe, of a puzzle, and of several of these.
KINDS = PACK, PUZZLE_PACK, MIXED_PACK = "pack", "puzzle-pack", "mixed-pack"


class PackJob(UnitJob[Pack, Any]):
    """Builds a pack. `events()` yields an event per search; `finish()` runs to the end.

    A source per order does the searches, one source after the other. What they found is joined in
    the order of difficulty, as `Pack.joined` does. The units of this job are the searches.

    Parameters
    ----------
    orders
        One order per recipe or puzzle.
    seed
        From 0 to 2**64 - 1; by default a random one. All orders use the same.
    executor
        Any `concurrent.futures.Executor` to search with; by default this thread. It does not
        change the result.
    stop
        Called between searches; return True to end early with a `CancelledError`.
    """

    def __init__(
        self,
        orders: Sequence[AnyOrder],
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> None:
        """Prepare; nothing is searched yet."""
        self.orders = list(orders)
        alone = PACK if isinstance(self.orders[0], Order) else PUZZLE_PACK
        # Jobs of this class have three kinds, those of any other one.
        self.kind = alone if len(self.orders) == 1 else MIXED_PACK  # type: ignore[misc]
        self.name = ", ".join(order.name for order in self.orders)
        self.title = ", ".join(order.title for order in self.orders)
        self.count = sum(order.count for order in self.orders)
        super().__init__(choose_seed(seed), executor, stop)

    def _reset(self) -> None:
        self.sources = [_source_of(order, self.seed) for order in self.orders]

    def call(self) -> dict[str, Any]:
        """Return the orders and the seed as JSON-compatible data."""
        if self.kind == MIXED_PACK:
            return {"orders": [order.to_data() for order in self.orders], "seed": self.seed}
        (order,) = self.orders
        if isinstance(order, Order):
            return {"order": order.to_data(), "seed": self.seed}
        curve = order.curve and list(order.curve)
        return {**order.to_data(), "size": list(order.size), "curve": curve, "seed": self.seed}

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Return the job that `call` describes."""
        alone = {key: value for key, value in call.items() if key != "seed"}
        orders = call.get("orders") or [call.get("order", alone)]
        return cls([order_of(order) for order in orders], call["seed"], executor, stop)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state; levolve 0.1 stored one state per part of a mixed pack."""
        if parts := state.get("parts"):
            units = [unit for part in parts for unit in part["units"]]
            events, seconds = (sum(part[name] for part in parts) for name in ("events", "seconds"))
            state = {**state, "units": units, "events": events, "seconds": seconds}
        super().restore(state)

    def _advance(self) -> Iterator[SearchFinished]:
        """Build what one source builds after the other; all numbers are those of the whole pack."""
        for source in self.sources:
            for evaluations in source.search(self._in_order):
                source.searches += evaluations is not None
                source.evaluations += evaluations or 0
                yield SearchFinished(
                    source.order.name,
                    self.count,
                    sum(int(each.decided) for each in self.sources),
                    self.found,
                    sum(each.searches for each in self.sources),
                    sum(each.evaluations for each in self.sources),
                )

    def _to_state(self, unit: Any) -> Any:
        return (LevelPackSource if isinstance(unit, SearchResult) else PuzzleSource).encode(unit)

    def _from_state(self, state: Any) -> Any:
        return (LevelPackSource if isinstance(state, Mapping) else PuzzleSource).decode(state)

    @property
    def result(self) -> Pack:
        """The pack so far: in the order of its targets or its curve; if mixed, by difficulty."""
        packs = [Pack(each.order.name, each.items, (each.section,)) for each in self.sources]
        curve = self.orders[0].curve
        descending = curve is not None and curve[0] > curve[1]
        made = packs[0] if len(packs) == 1 else Pack.joined(self.name, packs, descending=descending)
        return replace(made, seconds=self.seconds)

    def outcome(self) -> JobOutcome:
        """Return the manifest, and all items as JSON."""
        made = self.result
        items = tuple((member.item.digest, member.json()) for member in made.members)
        return JobOutcome(made.to_data(), made.digest, items)

    @property
    def size(self) -> str:
        """The size of the levels or puzzles; empty for a mixed pack."""
        return "" if self.kind == MIXED_PACK else "{}x{}".format(*self.orders[0].size)

    @property
    def found(self) -> int:
        """The number of levels and puzzles found so far."""
        return sum(source.found for source in self.sources)

    @property
    def noun(self) -> str:
        """What the pack consists of."""
        return "puzzles" if self.kind == PUZZLE_PACK else "levels"

    @property
    def progress(self) -> float:
        """The share of the levels that are found or abandoned."""
        return sum(source.decided for source in self.sources) / self.count

    @property
    def headline(self) -> str:
        """How many levels and puzzles were found."""
        return f"{self.found} of {self.count} {self.noun}"

    @property
    def advice(self) -> str:
        """What to do if too few were found, from the first source that lacks some."""
        lacking = [source for source in self.sources if source.found < source.order.count]
        return (lacking or self.sources)[0].advice


def _source_of(order: AnyOrder, seed: int) -> PackSource:
    if isinstance(order, Order):
        return LevelPackSource(order, seed)
    return PuzzleSource(order, seed)
