"""Budgets as people write them: evaluations (`2e6`) or time (`90s`, `5min`, `2h`).

Names of the recipes of a study: distinct, and in every error about one of them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from levolve.core.errors import InputError
from levolve.recipes.recipe import Recipe

UNITS = {"s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Budget:
    """How much a meta-evolution may use: no generation is begun after so many evaluations, no trial
    evaluated after so many seconds.
    """

    evaluations: float = float("inf")
    seconds: float = float("inf")

    def to_data(self) -> dict[str, float | None]:
        """The budget as plain data; None is no limit."""
        return {
            name: None if value == float("inf") else value for name, value in vars(self).items()
        }

    @classmethod
    def from_data(cls, data: Mapping[str, float | None]) -> "Budget":
        """The budget that `to_data` described."""
        return cls(**{name: value for name, value in data.items() if value is not None})


def parse_budget(value: str | float | None) -> Budget:
    """A budget from `2e6`, a number of evaluations, or from `90s`, `5min` or `2h`. None is no
    limit.
    """
    if value is None:
        return Budget()
    match = re.fullmatch(r"\s*(\d+(?:_\d+)*(?:\.\d*)?(?:[eE][+]?\d+)?)\s*([a-z]*)\s*", str(value))
    amount = float(match[1]) if match else 0.0
    if match is None or not 0 < amount < float("inf") or (match[2] and match[2] not in UNITS):
        message = (
            "budget: expected a number of evaluations such as 2e6, or a time such as 90s, 5min "
            f"or 2h, got {value!r}"
        )
        raise InputError(message)
    return Budget(seconds=amount * UNITS[match[2]]) if match[2] else Budget(evaluations=amount)


def distinct_names(recipes: Sequence[Recipe], sources: Sequence[object]) -> list[str]:
    """A name for each recipe that no other has: its own; where several have the same, with the name
    of its file, or else a number.
    """
    own = [recipe.name for recipe in recipes]
    files = [
        f" ({Path(str(source)).name})" if str(source).endswith((".toml", ".json")) else ""
        for source in sources
    ]
    named = [
        name + file if own.count(name) > 1 else name for name, file in zip(own, files, strict=True)
    ]
    names: list[str] = []
    for name in named:
        numbered = (f"{name} #{number}" for number in range(1, 2 * len(named) + 1))
        names.append(
            name
            if named.count(name) == 1
            else next(each for each in numbered if each not in {*names, *named})
        )
    return names


@contextmanager
def about_recipe(name: str) -> Iterator[None]:
    """Let errors name the recipe they are about."""
    try:
        yield
    except InputError as problem:
        message = f"recipe {name}: {problem}"
        raise InputError(message) from problem
