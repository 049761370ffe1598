"""`PackReport`: the targets of a pack, and how its levels meet them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from levolve.jobs.packs.members import Item
from levolve.jobs.packs.objective import nearest_pair
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.section import PackSection
from levolve.levels.level import Level


@dataclass(frozen=True)
class PackReport:
    """The targets of a pack, and how they were met. `remarks` are sentences about curves whose
    levels have too few different difficulties.
    """

    wanted: int
    found: int
    targets: list[dict[str, Any]]
    missed: list[dict[str, Any]]
    remarks: list[str]

    @property
    def met(self) -> bool:
        """Whether all requested levels were found."""
        return self.found == self.wanted

    def __str__(self) -> str:
        """Return one line with the count, one per group of abandoned levels, and one per remark."""
        return "\n".join([self.headline, *self.shortcomings, *self.remarks])

    @property
    def headline(self) -> str:
        """How many levels meet their targets."""
        puzzles = sum("puzzle" in targets for targets in self.targets)
        if puzzles and puzzles == len(self.targets):
            return f"{self.found} of {self.wanted} puzzles, no two alike, were found"
        uneven = ", but the curve is uneven" if self.remarks else ""
        return (
            f"{self.found} of {self.wanted} levels{' and puzzles' if puzzles else ''} meet their "
            f"targets{uneven}"
        )

    @property
    def asked(self) -> str:
        """The targets of all orders in one line, such as `exit path 30..60, distinct 40%`; empty if
        there are none.
        """
        found: list[str] = []
        for targets in self.targets:
            for name, each in targets.items():
                wanted = each.get("wanted") if isinstance(each, Mapping) else None
                curve = each.get("curve") if isinstance(each, Mapping) else None
                if name == "distinct" and wanted:
                    found.append(f"distinct {wanted:.0%}")
                elif name not in {"count", "distinct"} and wanted is not None:
                    found.append(f"{name.replace('_', ' ')} {_range_text(wanted)}")
                if curve is not None:
                    found.append(f"curve {_range_text(curve)}")
        return ", ".join(dict.fromkeys(found))

    @property
    def shortcomings(self) -> list[str]:
        """One sentence per group of abandoned levels: what the nearest result lacks, and why."""
        several = len(self.targets) > 1
        return [
            (
                f"{miss['recipe'] + ' ' if several else ''}{miss['levels']} abandoned: "
                f"{'; '.join([*miss['unmet'], *filter(None, [miss['reason']])])}"
            )
            for miss in self.missed
        ]


def _range_text(wanted: Any) -> str:
    """Return a pair of numbers as `LOW..HIGH`, one number for two equal ones, anything else as
    `one range per level`.
    """
    match wanted:
        case str():
            return wanted
        case [int() | float() as low, int() | float() as high]:
            return f"{low:g}" if low == high else f"{low:g}..{high:g}"
    return "one range per level"


def report_of(
    parts: Sequence[PackSection],
    homes: Sequence[int],
    items: Sequence[Item],
    measures: Sequence[Mapping[str, float]],
) -> PackReport:
    """Return the report of a pack. `homes` are the numbers of the parts of all items."""
    targets, missed, remarks = [], [], []
    for number, part in enumerate(parts):
        mine = [index for index, home in enumerate(homes) if home == number]
        values = [measures[index] for index in mine]
        if isinstance(part.order, PuzzleOrder):
            targets.append(_puzzle_targets(part.order, values))
        else:
            levels = [item for item in (items[index] for index in mine) if isinstance(item, Level)]
            targets.append(_level_targets(part.order, levels, values))
            remarks += (
                curve_remarks(part, [each["difficulty"] for each in values]) if part.scale else []
            )
        alike: dict[tuple[tuple[str, ...], str], list[int]] = {}
        for miss in part.missed:
            alike.setdefault((miss.unmet, miss.reason), []).append(miss.index + 1)
        for (unmet, reason), numbers in alike.items():
            missed.append(
                {
                    "recipe": part.order.name,
                    "levels": _numbers(numbers),
                    "unmet": list(unmet),
                    "reason": reason,
                }
            )
    return PackReport(sum(part.order.count for part in parts), len(items), targets, missed, remarks)


def _level_targets(
    order: Order, levels: Sequence[Level], values: Sequence[Mapping[str, float]]
) -> dict[str, Any]:
    """Return the targets of one order, each with the values of its levels."""
    data: dict[str, Any] = {
        "recipe": order.name,
        "count": {"wanted": order.count, "found": len(levels)},
    }
    settings = order.to_data()["pack"]
    for name in order.target:
        data[name] = {
            "wanted": settings["target"][name],
            **_extent([each[name] for each in values]),
        }
    nearest = nearest_pair(np.stack([level.tiles for level in levels])) if levels else None
    data["distinct"] = {
        "wanted": order.distinct,
        "found": None if nearest is None else round(nearest, 6),
    }
    if order.curve is not None:
        data["difficulty"] = {
            "curve": settings["curve"],
            **_extent([each["difficulty"] for each in values]),
        }
    return data


def _puzzle_targets(order: PuzzleOrder, values: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return how many puzzles were requested and found, and their difficulties."""
    data: dict[str, Any] = {
        "puzzle": order.puzzle,
        "count": {"wanted": order.count, "found": len(values)},
    }
    curve = {} if order.curve is None else {"curve": list(order.curve)}
    return {**data, "difficulty": {**curve, **_extent([each["difficulty"] for each in values])}}


def curve_remarks(part: PackSection, difficulties: Sequence[float]) -> list[str]:
    """Return a sentence if levels on a curve have the same difficulty, with the figures."""
    curve, values = part.order.curve, len(set(difficulties))
    if (
        not isinstance(part.order, Order)
        or curve is None
        or part.scale is None
        or curve[0] == curve[1]
        or values == len(difficulties)
    ):
        return []
    different = (
        f"{values} different difficulties, {min(difficulties):g} to {max(difficulties):g}"
        if values > 1
        else f"difficulty {difficulties[0]:g}"
    )
    advice = (
        f"{'widen the targets, ' if part.order.target else ''}enlarge the levels or request fewer"
    )
    figures = (
        f"the {len(difficulties)} levels have {different}, and the search for its ends found "
        f"{part.scale[0]:g} to {part.scale[1]:g}"
    )
    return [
        (
            f"{part.order.name}: some neighbours on the curve are equally difficult: {figures}; "
            f"{advice}"
        )
    ]


def _extent(values: list[float]) -> dict[str, float | None]:
    return {"least": min(values, default=None), "most": max(values, default=None)}


def _numbers(numbers: list[int]) -> str:
    """Return `level 3`, `levels 3, 4, 7`, or, for many, `92 levels from 9 to 100`."""
    if len(numbers) == 1:
        return f"level {numbers[0]}"
    if len(numbers) <= 5:  # a longer list would be hard to read
        return f"levels {', '.join(map(str, numbers))}"
    return f"{len(numbers)} levels from {numbers[0]} to {numbers[-1]}"
