"""What may vary about a recipe: for each setting a range of numbers or some choices, and the scheme by which sets of settings are evolved.

In a recipe's `vary` table a setting stands under its path, such as "strategy.mutation.rate". A range is a table with `low` and `high`; a bound may
be the path of another setting that varies between numbers, whose value then is the bound. Choices are a list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Annotated, Any, Self

from annotated_types import Interval
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from levolve.errors import InputError, explain
from levolve.registry import did_you_mean
from levolve.runs.parts import Table

Number = int | float
Bound = int | float | str
Settings = Mapping[str, Any]

PATH_KEYS = ("low", "high")


@dataclass(frozen=True)
class Span:
    """Numbers from `low` to `high`, both included; whole ones if `whole`. A bound that is a path is the value of the setting there."""

    path: str
    low: Bound
    high: Bound
    whole: bool

    def bounds(self, others: Settings) -> tuple[Number, Number]:
        """The bounds in numbers, where the settings they name have these values."""
        low, high = (others[bound] if isinstance(bound, str) else bound for bound in (self.low, self.high))
        return low, high


@dataclass(frozen=True)
class Choice:
    """One of several values."""

    path: str
    values: tuple[Any, ...]


Variable = Span | Choice


def variables_of(vary: Table, recipe: Table) -> tuple[Variable, ...]:
    """The variables that a checked `vary` table stands for, in its order."""
    return tuple(
        Choice(path, tuple(entry)) if isinstance(entry, list) else Span(path, entry["low"], entry["high"], isinstance(_value_at(recipe, path), int))
        for path, entry in vary.items()
    )


class Scheme(BaseModel):
    """How sets of settings are evolved: a recipe's `meta` table.

    Each generation the `drop` worst sets go, and all that scored below 0. `mutants` of survivors, each number moved by up to a share `spread`
    of its range, `children`, the means of two survivors, and `fresh` random ones take their places; more fresh ones do where more had to go.
    A set is judged by the mean of `seeds` runs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    population: Annotated[int, Field(ge=2, le=1 << 20)] = 100
    generations: Annotated[int, Field(ge=0)] = 100
    drop: Annotated[int, Field(ge=1)] = 50
    mutants: Annotated[int, Field(ge=0)] = 20
    children: Annotated[int, Field(ge=0)] = 20
    fresh: Annotated[int, Field(ge=0)] = 10
    spread: Annotated[float, Interval(gt=0, le=1)] = 0.1
    seeds: Annotated[int, Field(ge=1, le=1 << 20)] = 1

    @model_validator(mode="before")
    @classmethod
    def _knows(cls, data: Any) -> Any:  # noqa: ANN401 what pydantic hands over
        for key in data if isinstance(data, Mapping) else ():
            if key not in cls.model_fields:
                message = f"unknown setting {key!r}: {did_you_mean(str(key), list(cls.model_fields))}"
                raise InputError(message)
        return data

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.drop >= self.population:
            message = f"drop: expected fewer than the population of {self.population}, got {self.drop}"
            raise InputError(message)
        if self.mutants + self.children + self.fresh != self.drop:
            counts = f"{self.mutants} + {self.children} + {self.fresh}"
            message = f"drop: expected as many as mutants + children + fresh, {counts}, got {self.drop}"
            raise InputError(message)
        return self

    @property
    def total(self) -> int:
        """How many sets are judged in all, unless more have to go than `drop`."""
        return self.population + self.generations * self.drop

    def adjusted(self, *, population: int | None = None, generations: int | None = None, seeds: int | None = None) -> "Scheme":
        """The scheme with some of its settings changed; with another population, every count in proportion."""
        changes = {"population": population, "generations": generations, "seeds": seeds}
        given: Table = {name: value for name, value in changes.items() if value is not None}
        if population is not None:
            drop, mutants, children = (count * population // self.population for count in (self.drop, self.mutants, self.children))
            drop = max(drop, 1)
            given |= {"drop": drop, "mutants": mutants, "children": children, "fresh": max(drop - mutants - children, 0)}
        try:
            return Scheme.model_validate({**self.model_dump(), **given})
        except ValidationError as problem:
            message = explain(problem, "meta")
            raise InputError(message) from problem

    def at_random(self) -> "Scheme":
        """The scheme that learns nothing: all newcomers are fresh. What the full scheme has to beat."""
        return self.model_copy(update={"mutants": 0, "children": 0, "fresh": self.drop})


def check_vary(vary: object, recipe: Table, check_value: Callable[[str, object], None]) -> Table:
    """A `vary` table as it should be written, or an error that says what is wrong with it.

    `recipe` is the recipe's data with every setting written out; `check_value(path, value)` refuses what the setting there cannot be.
    """
    if not isinstance(vary, Mapping) or not vary:
        message = f"vary: expected a table of settings and their ranges, such as {{'strategy.population' = {{low = 20, high = 200}}}}, got {vary!r}"
        raise InputError(message)
    known = _settings(recipe)
    entries = {
        str(path).removesuffix(".kind"): _span_from_text(entry, f"vary.{path}") if isinstance(entry, str) else entry for path, entry in vary.items()
    }
    checked: Table = {}
    # The same order however the table was written, and a bound before what is bound by it: sets are drawn in this order.
    for path in sorted(entries, key=lambda path: (_refers(entries[path]), path)):
        where, entry = f"vary.{path}", entries[path]
        if path not in known:
            message = f"{where}: not a setting that may vary: {did_you_mean(path, known)}"
            raise InputError(message)
        if isinstance(entry, Mapping):
            checked[path] = _checked_span(entry, _value_at(recipe, path), where, checked)
        elif isinstance(entry, list | tuple):
            checked[path] = _checked_choices(entry, where)
        else:
            message = f"{where}: expected a table {{low = …, high = …}} or a list of choices, got {entry!r}"
            raise InputError(message)
        for value in _values_in(checked[path]):
            check_value(path, value)
    for one, other in pairwise(sorted(checked)):
        if other.startswith(f"{one}."):
            message = f"vary.{other}: expected no setting of a part that varies as a whole ({one}): another kind need not have it"
            raise InputError(message)
    return checked


def _refers(entry: object) -> bool:
    """Whether a bound is another setting."""
    return isinstance(entry, Mapping) and any(isinstance(bound, str) for bound in entry.values())


def _settings(recipe: Table) -> list[str]:
    """The paths of all settings that may vary: those of genotype and strategy, and how long a run is. The others say what the problem is."""
    paths = [root for root in ("genotype", "strategy", "generations", "evaluations") if recipe.get(root) is not None]
    tables = [(part, recipe[part]) for part in ("genotype", "strategy")]
    while tables:
        place, table = tables.pop(0)
        for key, value in table.items():
            if key == "kind":
                continue
            paths.append(f"{place}.{key}")
            if isinstance(value, dict) and "kind" in value:
                tables.append((f"{place}.{key}", value))
    return paths


def _value_at(recipe: Table, path: str) -> object:
    value: Any = recipe
    for key in path.split("."):
        value = value[key]
    return value


def _span_from_text(text: str, where: str) -> object:
    """`low..high` as people write it on the command line, or choices with commas between them."""
    low, dots, high = text.partition("..")
    if dots:
        return {"low": _number(low), "high": _number(high)}
    choices = [choice.strip() for choice in text.split(",")]
    if not all(choices):
        message = f"{where}: expected LOW..HIGH such as 1..10, or choices with commas between, got {text!r}"
        raise InputError(message)
    return [_number(choice) for choice in choices]


def _number(text: str) -> bool | Bound:
    """A number or a truth value as it is written, or the text itself."""
    text = text.strip()
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _checked_span(entry: Mapping[str, Any], present: object, where: str, before: Table) -> Table:
    """A range whose bounds are numbers of the setting's own kind, or settings listed before it."""
    if set(entry) != set(PATH_KEYS):
        message = f"{where}: expected 'low' and 'high' and nothing else, got {', '.join(entry) or 'nothing'}"
        raise InputError(message)
    if isinstance(present, bool) or not isinstance(present, int | float):
        message = f"{where}: expected a list of choices, for the setting is no number but {present!r}; got a range"
        raise InputError(message)
    whole = isinstance(present, int)
    span: Table = {}
    for key in PATH_KEYS:
        bound = entry[key]
        if isinstance(bound, str) and (not isinstance(before.get(bound), dict) or _refers(before[bound])):
            message = f"{where}.{key}: expected a number, or the path of another setting that varies between numbers, got {bound!r}"
            raise InputError(message)
        value = _extreme(bound, before, key)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not isfinite(value):
            message = f"{where}.{key}: expected a {'whole ' if whole else ''}number, as the setting is, got {bound!r}"
            raise InputError(message)
        span[key] = bound if whole or isinstance(bound, str) else float(bound)
    if _extreme(span["low"], before, "high") > _extreme(span["high"], before, "low"):
        message = f"{where}: expected low to be at most high, got {span['low']}..{span['high']}"
        raise InputError(message)
    return span


def _extreme(bound: Bound, before: Table, key: str) -> Number:
    """The lowest or the highest value that a bound can have, by way of the setting it names."""
    return before[bound][key] if isinstance(bound, str) else bound


def _checked_choices(values: Sequence[Any], where: str) -> list[Any]:
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    if not distinct or len(distinct) < len(values):
        message = f"{where}: expected one choice or more, none twice, got {list(values)!r}"
        raise InputError(message)
    return distinct


def _values_in(entry: object) -> list[Any]:
    """The values of an entry to be checked: every choice, or both bounds if they are numbers."""
    if isinstance(entry, Mapping):
        return [bound for bound in entry.values() if not isinstance(bound, str)]
    return list(entry) if isinstance(entry, list) else []
