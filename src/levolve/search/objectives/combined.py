"""Target: values of measures to meet, instead of one value to maximise.

Weighted: a weighted sum of several objectives.
"""

from dataclasses import dataclass, field, fields
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Len
from numpy.typing import NDArray
from pydantic import BeforeValidator

from levolve.core.errors import InputError, UnknownNameError
from levolve.levels.batch import Batch
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measure import number_text
from levolve.search.objectives import OBJECTIVES
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.paths import CulsDeSac, ExitPath
from levolve.search.objectives.reward import Reward


def parse_range(value: object) -> object:
    """Parse a number, `LOW..HIGH`, or a pair of numbers."""
    if isinstance(value, str):
        low, dots, high = value.partition("..")
        try:
            return (float(low), float(high)) if dots else (float(low), float(low))
        except ValueError as problem:
            raise InputError(f"expected a number or LOW..HIGH, got {value!r}") from problem
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value, value
    return value


Range = Annotated[tuple[float, float], BeforeValidator(parse_range)]


@dataclass(frozen=True, kw_only=True)
class Target(Reward):
    """Ranges for measures. The score is 1 if every measure in `targets` is within its range, and
    decreases towards 0 with the distance.

    A range is a pair of numbers, a string such as "50..64", or one number.
    """

    targets: Annotated[dict[str, Range], Len(1)] = field(
        default_factory=lambda: {"exit_path": (60.0, 80.0)},
        metadata={
            "meaning": "Measures, each with its lowest and highest value.",
            "names": MEASURES,
        },
    )
    goal: ClassVar[float | None] = 1.0
    least: ClassVar[float | None] = 0.0

    def __post_init__(self) -> None:
        """Raise `InputError` for unknown measures and for ranges whose lower end is above the upper
        one.
        """
        super().__post_init__()
        for name, (low, high) in self.targets.items():
            try:
                MEASURES[name]
            except UnknownNameError as problem:
                raise InputError(f"targets: {problem}") from problem
            if not low <= high:
                raise InputError(
                    f"targets.{name}: expected a lower value and a higher one, got {low:g} and "
                    f"{high:g}"
                )

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return tuple(
            dict.fromkeys(
                [
                    *super().needs,
                    *(place for name in self.targets for place in MEASURES[name].needs),
                ]
            )
        )

    @property
    def compares_with_examples(self) -> bool:
        """Whether a measure does."""
        return any(MEASURES[name].of_examples for name in self.targets)

    def value(self, batch: Batch) -> Scores:
        """Return the mean of 1 / (1 + distance) over the measures."""
        closeness = [1.0 / (1.0 + self._distance(name, batch)) for name in self.targets]
        return np.asarray(sum(closeness) / len(closeness), np.float64)

    def _distance(self, name: str, batch: Batch) -> NDArray[np.float64]:
        low, high = self.targets[name]
        count = MEASURES[name].values(batch)
        return np.asarray(np.maximum(np.maximum(low - count, count - high), 0.0), np.float64)

    def unmet(self, batch: Batch) -> list[str]:
        """Return the measures out of range and the constraints that are not met."""
        sentences = super().unmet(batch)
        for name, (low, high) in self.targets.items():
            if self._distance(name, batch)[0] > 0:
                wanted = f"{low:g}" if low == high else f"{low:g} to {high:g}"
                sentences.append(
                    f"{name}: wanted {wanted}, the nearest found is "
                    f"{number_text(MEASURES[name].values(batch)[0])}"
                )
        return sentences


@dataclass(frozen=True, kw_only=True)
class Weighted(Reward):
    """The sum of the values of `parts`, each times its `weight`. Constraints are set on the
    weighted objective, not on its parts.
    """

    parts: tuple[Reward, ...] = field(
        default=(ExitPath(), CulsDeSac()),
        metadata={
            "meaning": "The objectives that are added up.",
            "registry": OBJECTIVES,
            "many": True,
        },
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for parts that set constraints, and for an empty list of parts."""
        super().__post_init__()
        if not self.parts:
            raise InputError("parts: expected at least one objective, got none")
        for part in self.parts:
            if not isinstance(part, Reward):
                raise InputError(
                    "parts: expected objectives that are rewards, such as exit_path, got "
                    f"{type(part).__name__}"
                )
            for setting in fields(Reward):
                if setting.name != "weight" and getattr(part, setting.name) != setting.default:
                    raise InputError(
                        f"parts: expected {setting.name!r} on the weighted objective itself, got "
                        f"it on {type(part).__name__}"
                    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return tuple(
            dict.fromkeys([*super().needs, *(place for part in self.parts for place in part.needs)])
        )

    @property
    def compares_with_examples(self) -> bool:
        """Whether a part does."""
        return any(part.compares_with_examples for part in self.parts)

    def least_value(self) -> float | None:
        """Return the weighted sum of the lowest values; None if one of them is unknown."""
        values = [(part.weight, part.least_value()) for part in self.parts]
        return (
            None
            if any(least is None for _, least in values)
            else sum(weight * (least or 0.0) for weight, least in values)
        )

    def value(self, batch: Batch) -> Scores:
        """Return the weighted sum."""
        return np.asarray(sum(part.weight * part.value(batch) for part in self.parts), np.float64)

    def unmet(self, batch: Batch) -> list[str]:
        """Return the constraints that are not met, and the unmet targets of the parts."""
        missed = [sentence for part in self.parts for sentence in part.unmet(batch)]
        return list(dict.fromkeys([*super().unmet(batch), *missed]))
