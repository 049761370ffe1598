"""`Recipe`: everything about a run but its seed, frozen, checked, TOML and JSON both ways."""

import json
import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import tomli_w
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError, model_validator

from levolve.errors import InputError, explain
from levolve.evolution import STRATEGIES
from levolve.genotypes import GENOTYPES
from levolve.levels.certifying import certified, why_not
from levolve.levels.frame import CHECKPOINTS, ENTRANCE, EXIT, Frame, Place, checkpoint, default_checkpoints
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS
from levolve.objectives import OBJECTIVES
from levolve.registry import Registry, did_you_mean
from levolve.runs.parts import Table, build, describe, shared_settings
from levolve.runs.values import parse_place, parse_places, parse_size, write_place, write_places, write_size

if TYPE_CHECKING:
    from levolve.evolution.search import Strategy
    from levolve.genotypes.genes import Genes
    from levolve.genotypes.genotype import Genotype
    from levolve.objectives.objective import Objective

PARTS: dict[str, Registry[Any]] = {"genotype": GENOTYPES, "objective": OBJECTIVES, "strategy": STRATEGIES}

Size = Annotated[tuple[int, int], BeforeValidator(parse_size), PlainSerializer(write_size)]
Cell = Annotated[Place, BeforeValidator(parse_place), PlainSerializer(write_place)]
Cells = Annotated[tuple[Place, ...] | None, BeforeValidator(parse_places), PlainSerializer(write_places)]


class Recipe(BaseModel):
    """What to evolve and how. A recipe and a seed give the same levels on any machine.

    `genotype`, `objective` and `strategy` are tables with a `kind` and its settings; a missing setting has its default, and is written
    out, so that a recipe in a file says everything. `entrance`, `exit` and `checkpoints` are "x,y"; negative numbers count from the right and
    the bottom. Without checkpoints, an objective that needs some gets five that suit the size. `keep` are rows of characters, one a cell:
    a tile's character keeps the cell as it is, `?` leaves it to evolution. `start` is a level in its text form that the first generation has
    among it. A run ends after `generations`, or sooner: when it has used up `evaluations`, if that is given, or when its score cannot be beaten.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    summary: str = ""
    size: Size = (20, 20)
    entrance: Cell = (0, 0)
    exit: Cell = (-1, -1)
    checkpoints: Cells = None
    keep: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    generations: int = Field(default=200, ge=0)
    evaluations: int | None = Field(default=None, ge=1)
    genotype: Table
    objective: Table
    strategy: Table

    @model_validator(mode="before")
    @classmethod
    def _complete_parts(cls, data: Any) -> Any:  # noqa: ANN401 what pydantic hands over
        if not isinstance(data, Mapping):
            message = f"recipe: expected a table of settings, got {type(data).__name__}"
            raise InputError(message)
        known = list(cls.model_fields)
        for key in data:
            if key not in known:
                message = f"recipe: unknown key {key!r}: {did_you_mean(str(key), known)}"
                raise InputError(message)
        completed = dict(data)
        for part, registry in PARTS.items():
            if part not in data:
                message = f"recipe: expected a table {part!r} with a 'kind', one of {', '.join(registry)}"
                raise InputError(message)
            completed[part] = describe(registry, build(registry, data[part], part))
        return completed

    @classmethod
    def from_data(cls, data: Mapping[str, Any], source: str = "recipe") -> "Recipe":
        """A recipe from plain data, as TOML or JSON give it."""
        try:
            return cls.model_validate(data)
        except ValidationError as problem:
            message = explain(problem, source)
            raise InputError(message) from problem

    @classmethod
    def read(cls, path: str | Path) -> "Recipe":
        """A recipe from a `.toml` or `.json` file."""
        path = Path(path)
        try:
            content = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as problem:
            message = f"recipe {path}: expected a TOML or JSON file that can be read, got: {problem}"
            raise InputError(message) from problem
        return cls.from_text(content, "json" if path.suffix.lower() == ".json" else "toml", f"recipe {path}")

    @classmethod
    def from_text(cls, content: str, form: str = "toml", source: str = "recipe") -> "Recipe":
        """A recipe from TOML or JSON text."""
        try:
            data = json.loads(content) if form == "json" else tomllib.loads(content)
        except (ValueError, RecursionError) as problem:
            message = f"{source}: expected {form.upper()}, got something else: {problem}"
            raise InputError(message) from problem
        if isinstance(data, dict) and data.get("format") == "levolve level":
            message = f"{source}: expected a recipe, got a level; look at it with 'levolve show', or grow it again with 'levolve replay'"
            raise InputError(message)
        return cls.from_data(data, source)

    def to_data(self) -> Table:
        """The recipe as plain data; every setting is written out."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_toml(self) -> str:
        """The recipe as TOML."""
        return tomli_w.dumps(self.to_data())

    def to_json(self) -> str:
        """The recipe as JSON."""
        return json.dumps(self.to_data(), indent=2) + "\n"

    def changed(self, changes: Mapping[str, Any]) -> "Recipe":
        """The recipe with some settings changed, each by its path, such as `strategy.mutation.rate` or `size`.

        Changing a part's `kind` drops the settings of the old kind, but for those that all of a family have, such as the conditions of rewards.
        """
        data = self.to_data()
        changes = {f"{path}.kind" if isinstance(value, str) and _is_part(data, path) else path: value for path, value in changes.items()}
        # Kinds first, the outer ones before the inner: the settings named beside them belong to the new kind.
        for path, value in sorted(changes.items(), key=lambda item: (item[0].split(".")[-1] != "kind", item[0].count("."))):
            *tables, last = path.split(".")
            table = data
            for key in tables:
                if not isinstance(table.get(key), dict):
                    message = (
                        f"{path}: {key!r} is not a table of the recipe: {did_you_mean(key, [k for k, v in table.items() if isinstance(v, dict)])}"
                    )
                    raise InputError(message)
                table = table[key]
            if last == "kind":
                kept = shared_settings(PARTS[tables[0]], table, value) if len(tables) == 1 else {}
                table.clear()
                table.update(kept)
                table[last] = value
                data = Recipe.from_data(data, "").to_data()
            else:
                table[last] = value
        return Recipe.from_data(data, "")

    @cached_property
    def frame(self) -> Frame:
        """The size, where the places lie in it, and the cells to keep."""
        width, height = self.size
        genotype, objective, _ = self.parts
        fixed = () if genotype.sets_places else ((ENTRANCE, self.entrance), (EXIT, self.exit))
        places = {name: _from_the_far_side(place, width, height) for name, place in fixed}
        if self.checkpoints is not None:
            checkpoints = [_from_the_far_side(place, width, height) for place in self.checkpoints]
        else:
            checkpoints = default_checkpoints(width, height, places.values()) if CHECKPOINTS in objective.needs else []
        for number, place in enumerate(checkpoints, 1):
            taken = next((name for name, other in places.items() if other == place), None)
            if taken is not None:
                message = f"checkpoints: expected number {number} on a cell of its own, got {place[0]},{place[1]}, which is the {taken}"
                raise InputError(message)
            places[checkpoint(number)] = place
        frame = Frame(width, height, places, self.keep, genotype.sets_places)
        objective.check(frame)
        if self.keep:
            # Cells to keep are looked at with the genotype's own tiles.
            genotype.space(frame)
            _check_way(frame)
        return frame

    @cached_property
    def first_genes(self) -> "Genes | None":
        """The genes of the level to start with; None where there is none."""
        if not self.start:
            return None
        try:
            return self.parts[0].write(Level.from_text("\n".join(self.start)), self.frame)
        except InputError as problem:
            message = f"start: {problem}"
            raise InputError(message) from problem

    @cached_property
    def parts(self) -> "tuple[Genotype, Objective, Strategy]":
        """The genotype, the objective and the strategy, ready to use."""
        return (
            build(GENOTYPES, self.genotype, "genotype"),
            build(OBJECTIVES, self.objective, "objective"),
            build(STRATEGIES, self.strategy, "strategy"),
        )


def _check_way(frame: Frame) -> None:
    """Refuse walls to keep that no level could have a way around."""
    wall = WALLS.characters[1]
    tiles = np.array([[character == wall for character in row] for row in frame.kept], np.uint8)
    if ENTRANCE in frame.places and EXIT in frame.places and certified(open_level := Level(tiles, frame.places)).solution is None:
        message = f"keep: {why_not(open_level)}: the walls to keep stand between them; open one, or keep less"
        raise InputError(message)


def _is_part(data: Table, path: str) -> bool:
    """Whether there is a table with a kind at this path."""
    table: object = data
    for key in path.split("."):
        table = table.get(key) if isinstance(table, dict) else None
    return isinstance(table, dict) and "kind" in table


def _from_the_far_side(place: Place, width: int, height: int) -> Place:
    """A place with negative numbers counted from the right and the bottom: -1 is the last column or row. What is outside stays outside."""
    x, y = place
    return (x + width if -width <= x < 0 else x), (y + height if -height <= y < 0 else y)


def shipped() -> list[str]:
    """The names of the recipes that come with levolve."""
    files = (Path(entry.name) for entry in resources.files("levolve.recipes").iterdir())
    return sorted(file.stem for file in files if file.suffix == ".toml")


def summaries() -> dict[str, str]:
    """Each recipe's name and what it makes, in one line."""
    return {name: str(tomllib.loads(_shipped_text(name)).get("summary", "")) for name in shipped()}


def _shipped_text(name: str) -> str:
    return (resources.files("levolve.recipes") / f"{name}.toml").read_text(encoding="utf-8")


def find_recipe(recipe: str | Path | Recipe) -> Recipe:
    """A recipe by its name, by the path of its file, or as it is."""
    if isinstance(recipe, Recipe):
        return recipe
    if str(recipe).lower().endswith((".toml", ".json")):
        return Recipe.read(recipe)
    known = shipped()
    if recipe not in known:
        message = f"unknown recipe {str(recipe)!r}: {did_you_mean(str(recipe), known)}; or give the path of a .toml or .json file"
        raise InputError(message)
    return Recipe.from_text(_shipped_text(str(recipe)), source=f"recipe {recipe}")
