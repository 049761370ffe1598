"""The search space of meta-evolution: a range of numbers or a list of choices per setting.

The keys of a recipe's `vary` table are paths of settings, such as "strategy.mutation.rate". A range
is a table with `low` and `high`; a bound may be the path of another setting with a range, whose
value is then the bound. Choices are a list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.recipes.part_tables import Table

Number = int | float
Bound = int | float | str
Settings = Mapping[str, Any]

PATH_KEYS = ("low", "high")
LARGEST = 1 << 63


@dataclass(frozen=True)
class Span:
    """Numbers from `low` to `high`, inclusive; integers if `whole`. A bound that is a path stands
    for the value of that setting.
    """

    path: str
    low: Bound
    high: Bound
    whole: bool

    def bounds(self, others: Settings) -> tuple[Number, Number]:
        """Return the bounds as numbers, given the values of the settings they refer to."""
        low, high = (
            others[bound] if isinstance(bound, str) else bound for bound in (self.low, self.high)
        )
        return low, high


@dataclass(frozen=True)
class Choice:
    """One of several values."""

    path: str
    values: tuple[Any, ...]


Variable = Span | Choice


def variables_of(vary: Table, recipe: Table) -> tuple[Variable, ...]:
    """Return the variables of a checked `vary` table, in its order."""
    return tuple(
        Choice(path, tuple(entry))
        if isinstance(entry, list)
        else Span(path, entry["low"], entry["high"], isinstance(_value_at(recipe, path), int))
        for path, entry in vary.items()
    )


def check_vary(vary: object, recipe: Table, check_value: Callable[[str, object], None]) -> Table:
    """Check and normalise a `vary` table; raise `InputError` if it is invalid.

    `recipe` is the recipe's data with all settings; `check_value(path, value)` raises `InputError`
    for a value that the setting cannot have.
    """
    if not isinstance(vary, Mapping) or not vary:
        raise InputError(
            "vary: expected a table of settings and their ranges, such as "
            f"{{'strategy.population' = {{low = 20, high = 200}}}}, got {shown(vary)}"
        )
    known = _settings(recipe)
    entries = {
        str(path).removesuffix(".kind"): _span_from_text(entry, f"vary.{path}")
        if isinstance(entry, str)
        else entry
        for path, entry in vary.items()
    }
    checked: Table = {}
    # The same order however the table was written, and a bound before what is bound by it: sets are
    # drawn in this order.
    for path in sorted(entries, key=lambda path: (_refers(entries[path]), path)):
        where, entry = f"vary.{path}", entries[path]
        if path not in known:
            raise InputError(f"{where}: not a setting that may vary: {did_you_mean(path, known)}")
        if isinstance(entry, Mapping):
            checked[path] = _checked_span(entry, _value_at(recipe, path), where, checked)
        elif isinstance(entry, list | tuple):
            checked[path] = _checked_choices(entry, where)
        else:
            raise InputError(
                f"{where}: expected a table {{low = …, high = …}} or a list of choices, got "
                f"{shown(entry)}"
            )
        for value in _values_in(checked[path]):
            check_value(path, value)
    for one, other in pairwise(sorted(checked)):
        if other.startswith(f"{one}."):
            raise InputError(
                f"vary.{other}: expected no setting of a part that itself varies ({one}), "
                "because another kind may not have it"
            )
    return checked


def _refers(entry: object) -> bool:
    """Whether a bound refers to another setting."""
    return isinstance(entry, Mapping) and any(isinstance(bound, str) for bound in entry.values())


def _settings(recipe: Table) -> list[str]:
    """Return the paths of all settings that may vary: those of genotype and strategy, and the
    length of a run. The others define the problem.
    """
    paths = [
        root
        for root in ("genotype", "strategy", "generations", "evaluations")
        if recipe.get(root) is not None
    ]
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
    """Parse `low..high` or comma-separated choices from the command line."""
    low, dots, high = text.partition("..")
    if dots:
        return {"low": _number(low), "high": _number(high)}
    return choices_from_text(text, where, "LOW..HIGH such as 1..10, or ")


def choices_from_text(text: str, where: str, other: str = "") -> list[Bound | bool]:
    """Parse comma-separated values. `where` and `other`, what else is allowed, are for the
    error.
    """
    choices = [choice.strip() for choice in text.split(",")]
    if not all(choices):
        raise InputError(f"{where}: expected {other}choices separated by commas, got {shown(text)}")
    return [_number(choice) for choice in choices]


def _number(text: str) -> bool | Bound:
    """Parse a number or a boolean; return other text unchanged."""
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
    """Check a range: its bounds must be numbers of the setting's type, or settings listed before
    it.
    """
    if set(entry) != set(PATH_KEYS):
        raise InputError(
            f"{where}: expected 'low' and 'high' and nothing else, got "
            f"{', '.join(entry) or 'nothing'}"
        )
    if isinstance(present, bool) or not isinstance(present, int | float):
        raise InputError(
            f"{where}: expected a list of choices, because the setting is not a number but "
            f"{present!r}; got a range"
        )
    whole = isinstance(present, int)
    span: Table = {}
    for key in PATH_KEYS:
        bound = entry[key]
        if isinstance(bound, str) and (
            not isinstance(before.get(bound), dict) or _refers(before[bound])
        ):
            raise InputError(
                f"{where}.{key}: expected a number, or the path of another setting with a range, "
                f"got {shown(bound)}"
            )
        value = _extreme(bound, before, key)
        if (
            isinstance(value, bool)
            or not isinstance(value, int if whole else int | float)
            or not -inf < value < inf
        ):
            raise InputError(
                f"{where}.{key}: expected a {'whole ' if whole else ''}number like the setting, "
                f"got {shown(bound)}"
            )
        if not abs(value) < LARGEST:
            raise InputError(f"{where}.{key}: expected a number below 2**63, got {shown(bound)}")
        span[key] = bound if whole or isinstance(bound, str) else float(bound)
    if _extreme(span["low"], before, "high") > _extreme(span["high"], before, "low"):
        raise InputError(
            f"{where}: expected low to be at most high, got {span['low']}..{span['high']}"
        )
    return span


def _extreme(bound: Bound, before: Table, key: str) -> Number:
    """Return the lowest or the highest value of a bound, which may refer to another setting."""
    return before[bound][key] if isinstance(bound, str) else bound


def _checked_choices(values: Sequence[Any], where: str) -> list[Any]:
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    if not distinct or len(distinct) < len(values):
        raise InputError(
            f"{where}: expected one or more different choices, got {shown(list(values))}"
        )
    return distinct


def _values_in(entry: object) -> list[Any]:
    """Return the values of an entry to check: all choices, or both bounds if they are numbers."""
    if isinstance(entry, Mapping):
        return [bound for bound in entry.values() if not isinstance(bound, str)]
    return list(entry) if isinstance(entry, list) else []
