"""Weighted: several objectives together."""

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
    """The sum of the values of `parts`, each times its own `weight`. Conditions are set on the whole, not on a part."""

    parts: tuple[Reward, ...] = field(default=(ExitPath(), CulsDeSac()), metadata={"registry": OBJECTIVES, "many": True})

    def __post_init__(self) -> None:
        """Refuse parts that bring conditions of their own, and no parts at all."""
        super().__post_init__()
        if not self.parts:
            message = "parts: expected at least one objective, got none"
            raise InputError(message)
        for part in self.parts:
            if not isinstance(part, Reward):
                message = f"parts: expected objectives with a value of their own, such as exit_path, got {type(part).__name__}"
                raise InputError(message)
            for setting in fields(Reward):
                if setting.name != "weight" and getattr(part, setting.name) != setting.default:
                    message = f"parts: expected {setting.name!r} on the weighted objective itself, got it on {type(part).__name__}"
                    raise InputError(message)

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return tuple(dict.fromkeys([*super().needs, *(place for part in self.parts for place in part.needs)]))

    def value(self, batch: Batch) -> Scores:
        """The weighted sum."""
        return np.asarray(sum(part.weight * part.value(batch) for part in self.parts), np.float64)

    def unmet(self, batch: Batch) -> list[str]:
        """The conditions that are not met, and what the parts miss."""
        missed = [sentence for part in self.parts for sentence in part.unmet(batch)]
        return list(dict.fromkeys([*super().unmet(batch), *missed]))
