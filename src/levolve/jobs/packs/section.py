"""`PackSection`: one order of a pack and what became of it. `PackSource`: the searches for it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.jobs.packs.members import Item
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.targets import Range
from levolve.kernels.bits.random_streams import PACK, draw, open_stream
from levolve.search.problem import choose_seed

AnyOrder = Order | PuzzleOrder
# Yields the results of units of work in their order: `UnitJob._in_order` of a job.
Take = Callable[..., Iterator[Any]]


@dataclass(frozen=True)
class MissedLevel:
    """An abandoned level: its index in the order, the unmet targets of the nearest result, one
    sentence each, and the reason, if more is known.
    """

    index: int
    unmet: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class PackSection:
    """One order of a pack, with its seed, the number of levels found, the abandoned levels, and the
    number of searches and evaluations.

    For puzzles, a search is a candidate that was made. `scale` contains the difficulties of the
    easiest and the hardest level that the searches for the ends of a curve found.
    """

    order: AnyOrder
    seed: int
    found: int
    missed: tuple[MissedLevel, ...]
    searches: int
    evaluations: int
    scale: Range | None = None

    def order_data(self) -> dict[str, Any]:
        """Return the seed and the order as plain data, as the manifest lists them under
        `orders`.
        """
        return {"seed": self.seed, **self.order.to_data()}

    def to_data(self) -> dict[str, Any]:
        """Return everything else as plain data, as the manifest lists it under `results`."""
        return {
            "found": self.found,
            "missed": [
                {"index": miss.index, "unmet": list(miss.unmet), "reason": miss.reason}
                for miss in self.missed
            ],
            "searches": self.searches,
            "evaluations": self.evaluations,
            "scale": None if self.scale is None else [float(end) for end in self.scale],
        }

    @classmethod
    def from_data(cls, order: Mapping[str, Any], data: Mapping[str, Any]) -> "PackSection":
        """Create a part from the results of `order_data` and `to_data`; raises `InputError` for
        anything else.
        """
        try:
            missed = tuple(
                MissedLevel(
                    _whole(miss["index"]), tuple(map(str, miss["unmet"])), str(miss["reason"])
                )
                for miss in data["missed"]
            )
            scale = (
                None
                if data["scale"] is None
                else (float(data["scale"][0]), float(data["scale"][1]))
            )
            counts = [_whole(data[name]) for name in ("found", "searches", "evaluations")]
            seed, wanted = (
                choose_seed(order["seed"]),
                order_of({key: value for key, value in order.items() if key != "seed"}),
            )
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            raise InputError(
                "expected the order of a part and its results, as levolve writes them, got "
                f"something else: {problem}"
            ) from problem
        return cls(wanted, seed, counts[0], missed, counts[1], counts[2], scale)


class PackSource(ABC):
    """Searches for what one order asks for. A new one has searched for nothing yet.

    `searches` and `evaluations` are totals so far; `scale` is that of `PackSection`.
    """

    order: AnyOrder
    # What to do if too few are found.
    advice: str
    scale: Range | None = None

    def __init__(self, order: AnyOrder, seed: int) -> None:
        """Prepare; nothing is searched yet."""
        self.order = order
        self.seed = seed
        self.searches = self.evaluations = 0
        # What was found, by its place or by what it is like.
        self._found: dict[Any, Any] = {}
        self._missed: list[MissedLevel] = []

    @abstractmethod
    def search(self, take: Take) -> Iterator[int | None]:
        """Search for everything.

        Units of work go through `take`. Yields the number of evaluations of each finished search,
        or None for other progress.
        """

    @staticmethod
    @abstractmethod
    def encode(unit: Any) -> Any:
        """Return the result of a unit as plain data and arrays."""

    @staticmethod
    @abstractmethod
    def decode(state: Any) -> Any:
        """Return the result that `encode` described."""

    @property
    @abstractmethod
    def items(self) -> tuple[Item, ...]:
        """The items found so far, in the order of the pack."""

    @property
    def found(self) -> int:
        """The number of items in the pack so far."""
        return min(len(self._found), self.order.count)

    @property
    def missed(self) -> list[MissedLevel]:
        """The abandoned items."""
        return self._missed

    @property
    def decided(self) -> float:
        """The number of items that are found or abandoned, with the begun share of the next."""
        return self.found + len(self._missed)

    @property
    def section(self) -> PackSection:
        """The order and what became of it so far."""
        missed = tuple(sorted(self.missed, key=lambda miss: miss.index))
        counts = self.found, missed, self.searches, self.evaluations
        return PackSection(self.order, self.seed, *counts, self.scale)


def seed_of(seed: int, number: int, attempt: int = 0) -> int:
    """Return the seed of an attempt at a numbered item of a pack."""
    start, step = open_stream(np.uint64(seed), PACK, number, attempt)
    return int(draw((np.uint64(start), np.uint64(step)), 0))


def order_of(data: Mapping[str, Any]) -> AnyOrder:
    """Create an order of levels or of puzzles from the result of its `to_data`."""
    return PuzzleOrder.from_data(data) if "puzzle" in data else Order.from_data(data)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"expected a whole number from 0, got {value!r}")
    return value
