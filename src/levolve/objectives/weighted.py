"""Weighted: a weighted sum of several objectives."""

from dataclasses import dataclass, field, fields

import numpy as np

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.objectives import OBJECTIVES
from levolve.objectives.culs_de_sac import CulsDeSac
from levolve.objectives.exit_path import ExitPath
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class Weighted(Reward):
    """The sum of the values of `parts`, each times its `weight`. Constraints are set on the weighted objective, not on its parts."""

    parts: tuple[Reward, ...] = field(
        default=(ExitPath(), CulsDeSac()), metadata={"meaning": "The objectives that are added up.", "registry": OBJECTIVES, "many": True}
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for parts that set constraints, and for an empty list of parts."""
        super().__post_init__()
        if not self.parts:
            message = "parts: expected at least one objective, got none"
            raise InputError(message)
        for part in self.parts:
            if not isinstance(part, Reward):
                message = f"parts: expected objectives that are rewards, such as exit_path, got {type(part).__name__}"
                raise InputError(message)
            for setting in fields(Reward):
                if setting.name != "weight" and getattr(part, setting.name) != setting.default:
                    message = f"parts: expected {setting.name!r} on the weighted objective itself, got it on {type(part).__name__}"
                    raise InputError(message)

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return tuple(dict.fromkeys([*super().needs, *(place for part in self.parts for place in part.needs)]))

    @property
    def compares_with_examples(self) -> bool:
        """Whether a part does."""
        return any(part.compares_with_examples for part in self.parts)

    def least_value(self) -> float | None:
        """Return the weighted sum of the lowest values; None if one of them is unknown."""
        values = [(part.weight, part.least_value()) for part in self.parts]
        return None if any(least is None for _, least in values) else sum(weight * (least or 0.0) for weight, least in values)

    def value(self, batch: Batch) -> Scores:
        """Return the weighted sum."""
        return np.asarray(sum(part.weight * part.value(batch) for part in self.parts), np.float64)

    def unmet(self, batch: Batch) -> list[str]:
        """Return the constraints that are not met, and the unmet targets of the parts."""
        missed = [sentence for part in self.parts for sentence in part.unmet(batch)]
        return list(dict.fromkeys([*super().unmet(batch), *missed]))
