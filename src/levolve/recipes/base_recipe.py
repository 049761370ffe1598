"""`BaseRecipe`: what recipes of levels and of other contents share: files, changes, limits.

Sizes `20x20` and places `3,4` as text.
"""

import json
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from levolve.core.errors import InputError, explain, shown
from levolve.core.registry import Registry, did_you_mean
from levolve.formats.reading.data import parse_json, parse_toml
from levolve.formats.reading.files import read_data
from levolve.levels.frame import Place, check_size
from levolve.recipes.part_tables import Table, build, describe, shared_settings
from levolve.search.loop import Limits

if TYPE_CHECKING:
    from levolve.search.problem import Problem

# A run with a budget of evaluations ends after this number of consecutive generations without new
# individuals.
IDLE_GENERATIONS = 1000


class BaseRecipe(BaseModel):
    """The complete definition of a run, except its seed. It is immutable and validated.

    A subclass sets `registries`: by the name of a table with a `kind`, the registry of its kinds.
    Its fields include these tables, `generations` and `evaluations`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    registries: ClassVar[Mapping[str, Registry[Any]]]

    name: str = Field(min_length=1)
    summary: str = ""
    if TYPE_CHECKING:
        # Each subclass has these fields in its own order, which is that of its files.
        generations: int
        evaluations: int | None

        @property
        def parts(self) -> tuple[Any, ...]:
            """What levels or contents are made of and scored by, and the strategy."""

        @property
        def problem(self) -> Problem:
            """The problem that a run of this recipe solves."""

    @model_validator(mode="before")
    @classmethod
    def _complete_parts(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise InputError(f"recipe: expected a table of settings, got {type(data).__name__}")
        known = list(cls.model_fields)
        for key in data:
            if key not in known:
                raise InputError(
                    f"recipe: unknown key {shown(key)}: {did_you_mean(str(key), known)}"
                )
        completed = dict(data)
        for part, registry in cls.registries.items():
            field = cls.model_fields[part]
            if part not in data and field.is_required():
                raise InputError(
                    f"recipe: expected a table {part!r} with a 'kind', one of {', '.join(registry)}"
                )
            completed[part] = describe(
                registry, build(registry, data.get(part, field.default), part)
            )
        return cls._completed(completed)

    @classmethod
    def _completed(cls, data: Table) -> Table:
        """Complete and check the settings that only this class has."""
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any], source: str = "recipe") -> Self:
        """Create a recipe from plain data, as parsed from TOML or JSON."""
        try:
            return cls.model_validate(data)
        except ValidationError as problem:
            raise InputError(explain(problem, source)) from problem

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a recipe from a `.toml` or `.json` file."""
        return cls._from_parsed(read_data(path, "recipe"), f"recipe {path}")

    @classmethod
    def from_text(cls, content: str, form: str = "toml", source: str = "recipe") -> Self:
        """Parse a recipe from TOML or JSON text."""
        data = parse_json(content, source) if form == "json" else parse_toml(content, source)
        return cls._from_parsed(data, source)

    @classmethod
    def _from_parsed(cls, data: Any, source: str) -> Self:
        if isinstance(data, dict) and data.get("format") == "levolve level":
            advice = "use 'levolve show' to see it, or 'levolve replay' to regenerate it"
            raise InputError(f"{source}: expected a recipe, got a level; {advice}")
        return cls.from_data(data, source)

    def to_data(self) -> Table:
        """Return the recipe as plain data, with all settings."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_toml(self) -> str:
        """Return the recipe as TOML."""
        return tomli_w.dumps(self.to_data())

    def to_json(self) -> str:
        """Return the recipe as JSON."""
        return json.dumps(self.to_data(), indent=2) + "\n"

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Return the recipe with some settings changed.

        Each is given by its path, such as `strategy.mutation.rate` or `size`. Changing a part's
        `kind` drops the settings of the old kind, except those that both kinds share, such as the
        constraints of rewards.
        """
        data = self.to_data()
        kinds = {
            path
            for path, value in changes.items()
            if isinstance(value, str) and _is_part(data, path)
        }
        changes = {
            f"{path}.kind" if path in kinds else path: value for path, value in changes.items()
        }
        # Kinds first, outer before inner: the other settings belong to the new kinds.
        for path in sorted(
            changes, key=lambda path: (path.split(".")[-1] != "kind", path.count("."))
        ):
            value = changes[path]
            *tables, last = path.split(".")
            table = data
            for key in tables:
                if not isinstance(table.get(key), dict):
                    known = did_you_mean(key, [k for k, v in table.items() if isinstance(v, dict)])
                    raise InputError(f"{path}: {key!r} is not a table of the recipe: {known}")
                table = table[key]
            if last == "kind":
                whole = len(tables) == 1 and tables[0] in self.registries
                shared = shared_settings(self.registries[tables[0]], table, value) if whole else {}
                table.clear()
                table.update(shared)
                table[last] = value
                data = self.from_data(data, "").to_data()
            else:
                table[last] = value
        return self.from_data(data, "")

    @cached_property
    def limits(self) -> Limits:
        """The limits of a run of this recipe."""
        # The objective, or the content with its function, precedes the strategy.
        *_, scored, strategy = self.parts
        # A search without new individuals would never use up its evaluations.
        idle = None if self.evaluations is None else IDLE_GENERATIONS
        return Limits(
            self.generations, self.evaluations, scored.goal if strategy.ends_at_goal else None, idle
        )

    @property
    def population(self) -> int:
        """The number of individuals in the population."""
        return int(self.parts[-1].individuals)

    @property
    def planned_generations(self) -> int:
        """The expected number of generations of a run.

        That of the recipe, or as many complete populations as its evaluations allow.
        """
        if self.evaluations is None:
            return self.generations
        return min(self.generations, self.evaluations // self.population)


def _is_part(data: Table, path: str) -> bool:
    """Whether the value at this path is a table with a kind."""
    table: object = data
    for key in path.split("."):
        table = table.get(key) if isinstance(table, dict) else None
    return isinstance(table, dict) and "kind" in table


def _pair(value: object, between: str) -> tuple[int, int] | None:
    """Parse two integers from a string or a pair; None if it is neither."""
    if isinstance(value, str) and (
        match := re.fullmatch(rf"\s*(-?\d{{1,9}})\s*{between}\s*(-?\d{{1,9}})\s*", value)
    ):
        return int(match[1]), int(match[2])
    match value:
        case (int() | np.integer(), int() | np.integer()) if not any(
            isinstance(part, bool) for part in value
        ):
            return int(value[0]), int(value[1])
    return None


def parse_size(value: object) -> tuple[int, int]:
    """Parse `WIDTHxHEIGHT`, or a pair of integers."""
    pair = _pair(value, "[xX]")
    if pair is None:
        raise InputError(f"size: expected WIDTHxHEIGHT such as 20x20, got {shown(value)}")
    check_size(*pair)
    return pair


def write_size(size: tuple[int, int]) -> str:
    """`20x20`."""
    return f"{size[0]}x{size[1]}"


def parse_place(value: object) -> Place:
    """Parse `x,y`, or a pair of integers."""
    pair = _pair(value, ",")
    if pair is None:
        raise InputError(f"expected x,y such as 3,4, got {shown(value)}")
    return pair


def write_place(place: Place) -> str:
    """`3,4`."""
    return f"{place[0]},{place[1]}"


def parse_places(value: object) -> tuple[Place, ...] | None:
    """Parse a list of places, or a string such as `3,4 10,12`."""
    if value is None:
        return None
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        raise InputError(f"expected a list of places x,y, got {shown(value)}")
    return tuple(parse_place(entry) for entry in listed)


def write_places(places: tuple[Place, ...] | None) -> list[str] | None:
    """Format places as `["3,4", "10,12"]`."""
    return None if places is None else [f"{x},{y}" for x, y in places]
