"""Budgets as people write them: evaluations (`2e6`) or time (`90s`, `5min`, `2h`).

Names of the recipes of a study: distinct, and in every error about one of them. `varied`: a recipe
once for each value of some settings. `Contest`: recipes with one problem and equal budgets.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.jobs.runs.run import Run
from levolve.levels.places import TOUR_RULES
from levolve.recipes.finding import Size, adapt
from levolve.recipes.recipe import Recipe
from levolve.recipes.search_space import choices_from_text
from levolve.search.problem import choose_seed

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
        raise InputError(
            "budget: expected a number of evaluations such as 2e6, or a time such as 90s, 5min "
            f"or 2h, got {value!r}"
        )
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
        raise InputError(f"recipe {name}: {problem}") from problem


def varied(
    recipes: Mapping[str, Recipe], vary: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> dict[str, Recipe]:
    """Return each recipe once for each combination of the values of `vary`, named after them;
    without `vary` the recipes themselves.

    `vary` has a list of values per path of a setting, or a text such as "direct,chromatic". The
    `settings` are changed first.
    """
    choices: list[list[tuple[str, Any]]] = []
    for path, given in (vary or {}).items():
        values = choices_from_text(given, f"vary.{path}") if isinstance(given, str) else given
        if not isinstance(values, list | tuple) or not values:
            raise InputError(
                f"vary.{path}: expected a list of values, or text such as direct,chromatic, got "
                f"{shown(given)}"
            )
        choices.append([(path, value) for value in values])
    if not choices:
        return dict(recipes)
    found: dict[str, Recipe] = {}
    for name, recipe in recipes.items():
        for chosen in product(*choices):
            parts = [name] * (len(recipes) > 1) + [_value_name(*choice) for choice in chosen]
            with about_recipe(" ".join(parts)):
                changed = recipe.changed(settings).changed(dict(chosen))
            if " ".join(parts) in found:
                raise InputError(f"vary: expected different values, got {parts[-1]} again")
            found[" ".join(parts)] = changed
    return found


def _value_name(path: str, value: object) -> str:
    """Return the value of a setting for people: a part is called by its kind."""
    name = path.removesuffix(".kind").rpartition(".")[2]
    if isinstance(value, Mapping):
        inner = next((part for part in value.values() if isinstance(part, Mapping)), {})
        return " of ".join(str(part["kind"]) for part in (value, inner) if "kind" in part) or name
    return str(value) if isinstance(value, str) and value != name else f"{name}={value}"


# What all recipes must have in common, or their scores mean different things. The first recipe
# decides.
PROBLEM = ("size", "entrance", "exit", "checkpoints", "keep", "objective")
BUDGET = ("generations", "evaluations")


@dataclass(frozen=True)
class Contest:
    """Recipes by their names, ready to run, with the problem that they have in common."""

    problem: Mapping[str, Any]
    rivals: Mapping[str, Recipe]

    @property
    def evaluations(self) -> int:
        """The evaluations of each run."""
        return next(iter(self.rivals.values())).evaluations or 0


def check_axes(
    label: str, axes: object, needing: Mapping[str, object], excluded: Mapping[str, object]
) -> None:
    """Raise `InputError` for arguments that have no meaning with axes, or without; `label` is what
    the caller calls the axes.
    """
    for name, given in (needing if axes is None else excluded).items():
        if given:
            without = f"{label}: expected without {name}: archives are compared as a whole"
            raise InputError(f"{name}: expected only with {label}" if axes is None else without)


def check_numbers(recipes: int, runs: int, seed: int) -> None:
    """Raise `InputError` if there is nothing to compare, or if a seed is too large."""
    for argument, least, given in (("recipes", 2, recipes), ("runs", 2, runs)):
        if given < least:
            raise InputError(f"{argument}: expected at least {least} to compare, got {given}")
    choose_seed(seed)
    choose_seed(seed + runs - 1)


def common_problem(
    recipes: Mapping[str, Recipe],
    objective: str | Mapping[str, Any] | None,
    target: Mapping[str, Any] | None,
    size: Size | None,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the common problem: the first recipe's size, places and objective, with the changes
    asked for.
    """
    for path in settings:
        if path in BUDGET:
            raise InputError(
                f"settings: expected nothing about {path!r}, because all have the same budget; "
                "give the number of evaluations instead"
            )
    name, recipe = next(iter(recipes.items()))
    table = {"kind": objective} if isinstance(objective, str) else objective
    with about_recipe(name):
        first = adapt(recipe, size=size, objective=table, target=target)
        data = first.changed(
            {path: value for path, value in settings.items() if _is_common(path)}
        ).to_data()
    return {part: data.get(part) for part in PROBLEM}


def check_variable(vary: Mapping[str, Any] | None) -> None:
    """Raise `InputError` for settings that all recipes of a comparison have in common."""
    for path in vary or {}:
        if _is_common(path) or path in BUDGET:
            raise InputError(
                f"vary.{path}: expected a setting of the genotype or the strategy, because all "
                "recipes of a comparison have the same size, places, objective and budget; "
                "expressive_range (levolve range) varies those too"
            )


def _is_common(path: str) -> bool:
    """Whether the setting at a path is part of the problem that all recipes have in common."""
    return path.partition(".")[0] in PROBLEM


def without_places(settings: Mapping[str, Any], recipe: Recipe) -> Mapping[str, Any]:
    """Return the settings without a rule for A, B and C if the recipe's genotype, such as
    `dungeon`, has such places anyway.
    """
    if settings.get("places") in TOUR_RULES and recipe.parts[0].sets_places:
        return {path: value for path, value in settings.items() if path != "places"}
    return settings


def rivals(
    recipes: Mapping[str, Recipe],
    problem: Mapping[str, Any],
    evaluations: int,
    settings: Mapping[str, Any],
    cells: Mapping[str, Any] | None,
) -> dict[str, Recipe]:
    """Return recipes with the common problem and the common budget; with `cells`, recipes that fill
    archives of the same cells.

    A recipe that cannot run is refused here, before any work.
    """
    rivals: dict[str, Recipe] = {}
    for name, recipe in recipes.items():
        with about_recipe(name):
            if cells is None:
                # A generation with a single new individual is the smallest that uses up the budget.
                budget = {"evaluations": evaluations, "generations": max(evaluations, 0)}
                own = without_places(settings, recipe)
                rivals[name] = rival = recipe.changed(own).changed({**problem, **budget})
                Run(rival, 0)
            else:
                rivals[name] = rival = illumination_recipe(
                    recipe.changed(problem), evaluations=evaluations, settings=settings, **cells
                )
                Illumination(rival, 0)
                # The archives of all recipes have the cells of the first one.
                axes = list(rival.strategy["axes"])
                cells = {
                    **cells,
                    "axes": axes,
                    "ranges": dict(zip(axes, map(tuple, rival.strategy["ranges"]), strict=True)),
                }
        if cells is None and evaluations < rival.population:
            message = (
                f"evaluations: expected at least {rival.population}, the population of recipe "
                f"{name}, got {evaluations}"
            )
            message += "; or choose a smaller population"
            raise InputError(message)
    return rivals
