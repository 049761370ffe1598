"""`ContentRecipe`: the complete definition of a run of contents that are no levels, except its seed."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from levolve.contents import CONTENTS
from levolve.contents.problem import ContentProblem
from levolve.core.errors import InputError, explain, shown
from levolve.core.registry import Registry, did_you_mean
from levolve.recipes.part_tables import Table, build, describe
from levolve.search.loop import Limits
from levolve.search.strategies import STRATEGIES

if TYPE_CHECKING:
    from levolve.contents.content import Content
    from levolve.search.search import Strategy

# A run with a budget of evaluations ends after this number of consecutive generations without new individuals.
IDLE_GENERATIONS = 1000

PARTS: dict[str, Registry[Any]] = {"content": CONTENTS, "strategy": STRATEGIES}
STRATEGY: Table = {
    "kind": "generational",
    "population": 100,
    "elites": 5,
    "mutation": {"kind": "repair", "mutation": {"kind": "uniform", "rate": 0.03}},
}


class ContentRecipe(BaseModel):
    """What contents to evolve and how. A recipe and a seed give the same contents on any machine.

    Attributes
    ----------
    name, summary
        The recipe's name, and what it makes in one line.
    content
        A table with a `kind` and its settings: `function` for a space and any function, `pcg` for a problem of the PCG Benchmark.
    strategy
        As in recipes of levels.
    generations, evaluations
        A run ends after this many generations, or earlier when it has used this many evaluations or reached the highest possible score.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    summary: str = ""
    generations: int = Field(default=200, ge=0)
    evaluations: int | None = Field(default=None, ge=1)
    content: Table
    strategy: Table = STRATEGY

    @model_validator(mode="before")
    @classmethod
    def _complete_parts(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "content" not in data:
            message = f"recipe: expected a table of settings with a table 'content', got {shown(data)}"
            raise InputError(message)
        known = list(cls.model_fields)
        for key in data:
            if key not in known:
                message = f"recipe: unknown key {shown(key)}: {did_you_mean(str(key), known)}"
                raise InputError(message)
        completed = {"strategy": STRATEGY, **data}
        for part, registry in PARTS.items():
            completed[part] = describe(registry, build(registry, completed[part], part))
        return completed

    @classmethod
    def from_data(cls, data: Mapping[str, Any], source: str = "recipe") -> "ContentRecipe":
        """Create a recipe from plain data, as parsed from TOML or JSON."""
        try:
            return cls.model_validate(data)
        except ValidationError as problem:
            message = explain(problem, source)
            raise InputError(message) from problem

    def to_data(self) -> Table:
        """Return the recipe as plain data, with all settings."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_toml(self) -> str:
        """Return the recipe as TOML."""
        return tomli_w.dumps(self.to_data())

    def to_json(self) -> str:
        """Return the recipe as JSON."""
        return json.dumps(self.to_data(), indent=2) + "\n"

    def changed(self, changes: Mapping[str, Any]) -> "ContentRecipe":
        """Return the recipe with some settings changed, each given by its path, such as `strategy.mutation.mutation.rate`."""
        data = self.to_data()
        for path, value in changes.items():
            *tables, last = path.split(".")
            table = data
            for key in tables:
                if not isinstance(table.get(key), dict):
                    known = [name for name, inner in table.items() if isinstance(inner, dict)]
                    message = f"{path}: {key!r} is not a table of the recipe: {did_you_mean(key, known)}"
                    raise InputError(message)
                table = table[key]
            if isinstance(table.get(last), dict) and isinstance(value, str):
                value = {"kind": value}  # noqa: PLW2901 the name of another kind
            table[last] = value
        return ContentRecipe.from_data(data, "")

    @cached_property
    def parts(self) -> "tuple[Content, Strategy]":
        """The content and the strategy."""
        return build(CONTENTS, self.content, "content"), build(STRATEGIES, self.strategy, "strategy")

    @cached_property
    def problem(self) -> ContentProblem:
        """The problem that a run of this recipe solves."""
        content, strategy = self.parts
        return ContentProblem(content, strategy.features)

    @cached_property
    def limits(self) -> Limits:
        """The limits of a run of this recipe."""
        return Limits(self.generations, self.evaluations, self.parts[0].goal, None if self.evaluations is None else IDLE_GENERATIONS)

    @property
    def planned_generations(self) -> int:
        """The expected number of generations of a run: that of the recipe, or as many complete populations as its evaluations allow."""
        if self.evaluations is None:
            return self.generations
        return min(self.generations, self.evaluations // int(self.strategy.get("population", 1)))
