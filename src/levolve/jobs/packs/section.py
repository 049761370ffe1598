"""`PackPart`: one order of a pack and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from levolve.core.errors import InputError
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.targets import Range
from levolve.search.problem import choose_seed

AnyOrder = Order | PuzzleOrder


@dataclass(frozen=True)
class MissedLevel:
    """An abandoned level: its index in the order, the unmet targets of the nearest result, one sentence each, and the reason, if more is known."""

    index: int
    unmet: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class PackPart:
    """One order of a pack, with its seed, the number of levels found, the abandoned levels, and the number of searches and evaluations.

    For puzzles, a search is a candidate that was made. `scale` contains the difficulties of the easiest and the hardest level that the searches for
    the ends of a curve found.
    """

    order: AnyOrder
    seed: int
    found: int
    missed: tuple[MissedLevel, ...]
    searches: int
    evaluations: int
    scale: Range | None = None

    def order_data(self) -> dict[str, Any]:
        """Return the seed and the order as plain data, as the manifest lists them under `orders`."""
        return {"seed": self.seed, **self.order.to_data()}

    def to_data(self) -> dict[str, Any]:
        """Return everything else as plain data, as the manifest lists it under `results`."""
        return {
            "found": self.found,
            "missed": [{"index": miss.index, "unmet": list(miss.unmet), "reason": miss.reason} for miss in self.missed],
            "searches": self.searches,
            "evaluations": self.evaluations,
            "scale": None if self.scale is None else [float(end) for end in self.scale],
        }

    @classmethod
    def from_data(cls, order: Mapping[str, Any], data: Mapping[str, Any]) -> "PackPart":
        """Create a part from the results of `order_data` and `to_data`; raises `InputError` for anything else."""
        try:
            missed = tuple(MissedLevel(_whole(miss["index"]), tuple(map(str, miss["unmet"])), str(miss["reason"])) for miss in data["missed"])
            scale = None if data["scale"] is None else (float(data["scale"][0]), float(data["scale"][1]))
            counts = [_whole(data[name]) for name in ("found", "searches", "evaluations")]
            seed, wanted = choose_seed(order["seed"]), order_of({key: value for key, value in order.items() if key != "seed"})
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            message = f"expected the order of a part and its results, as levolve writes them, got something else: {problem}"
            raise InputError(message) from problem
        return cls(wanted, seed, counts[0], missed, counts[1], counts[2], scale)


def order_of(data: Mapping[str, Any]) -> AnyOrder:
    """Create an order of levels or of puzzles from the result of its `to_data`."""
    return PuzzleOrder.from_data(data) if "puzzle" in data else Order.from_data(data)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        message = f"expected a whole number from 0, got {value!r}"
        raise InputError(message)
    return value
