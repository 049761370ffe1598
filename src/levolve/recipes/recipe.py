"""`Recipe`: the complete definition of a run except its seed; immutable, validated, with conversion
to and from TOML and JSON.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field, PlainSerializer

from levolve.core.errors import InputError, UnknownNameError
from levolve.core.plugins import BUILT_IN
from levolve.core.registry import Registry
from levolve.levels.frame import (
    Examples,
    Frame,
    Place,
)
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.places import PlacesRule
from levolve.levels.tileset import Tileset
from levolve.recipes.base_recipe import (
    BaseRecipe,
    parse_place,
    parse_places,
    parse_size,
    write_place,
    write_places,
    write_size,
)
from levolve.recipes.framing import FIXED, frame_of
from levolve.recipes.furnishing import build_furnisher, complete_furnish
from levolve.recipes.part_tables import (
    Table,
    build,
    build_many,
    check_setting,
    check_value,
    describe,
)
from levolve.recipes.schemes import AnyScheme
from levolve.recipes.search_space import Variable, check_vary, variables_of
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import FINISHES
from levolve.search.level_problem import LevelProblem
from levolve.search.objectives import OBJECTIVES
from levolve.search.strategies import STRATEGIES

if TYPE_CHECKING:
    from levolve.search.genotypes.finish_steps import FinishStep
    from levolve.search.genotypes.furnishing.furnisher import Furnisher
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.genotypes.genotype import Genotype
    from levolve.search.objectives.floors import FloorsScore
    from levolve.search.objectives.furnishing import FurnishedScore
    from levolve.search.objectives.objective import Objective
    from levolve.search.search import Strategy

PARTS: dict[str, Registry[Any]] = {
    "genotype": GENOTYPES,
    "objective": OBJECTIVES,
    "strategy": STRATEGIES,
}

Size = Annotated[tuple[int, int], BeforeValidator(parse_size), PlainSerializer(write_size)]
Cell = Annotated[Place, BeforeValidator(parse_place), PlainSerializer(write_place)]
Share = Annotated[float, Field(ge=0, le=1)]
Cells = Annotated[
    tuple[Place, ...] | None, BeforeValidator(parse_places), PlainSerializer(write_places)
]


class Recipe(BaseRecipe):
    """What to evolve and how. A recipe and a seed give the same levels on any machine.

    Attributes
    ----------
    name, summary
        The recipe's name, and what it makes in one line.
    size
        (width, height).
    genotype, objective, strategy
        Tables with a `kind` and its settings. Missing settings get their defaults, so that a recipe
        in a file is complete.
    entrance, exit, checkpoints
        "x,y"; negative numbers count from the right and the bottom. An objective that needs
        checkpoints gets five by default.
    places
        How entrance and exit of each level are placed by its genes instead: "anywhere", "border",
        "sides" (opposite ones), "rooms" (different ones), or "farthest" (as far apart as possible);
        its checkpoints then lie on the nearest floor. With "tour", "tour_uniform" or "tour_best",
        levels have places A, B and C of a tour instead. "fixed", the default, uses `entrance` and
        `exit`.
    keep
        Rows of characters, one per cell: a tile's character fixes the cell, `?` leaves it free.
    start
        A level in text form that is added to the first generation.
    change
        With `start`: levels are edits of that level, instead of what the genotype decodes, and at
        most this share of its cells changes.
    like
        Example levels whose style the levels should have, each as rows of the characters of its
        tiles.
    generations, evaluations
        A run ends after this many generations, or earlier when it has used this many evaluations or
        reached the highest possible score.
    goal
        The name of the goal, such as "none"; by default it follows from the places.
    finish
        Steps that tidy every level before it is measured, such as `["fill_pockets", {kind =
        "frame"}]`; None for no steps.
    furnish
        The things of every level, such as keys, doors, treasure and monsters: `{things = {key = 2,
        door = 2, treasure = 5}}`, and how genes place them (`levolve parts furnishers`); None for
        no things.
    floors
        The number of floors, each of this size, decoded by genes of its own and joined by stairs
        from the exit of one to the entrance of the next.
    vary, meta
        Which settings `levolve meta` may change, and how. Runs do not use them.
    """

    registries: ClassVar[Mapping[str, Registry[Any]]] = PARTS

    size: Size = (20, 20)
    entrance: Cell = (0, 0)
    exit: Cell = (-1, -1)
    checkpoints: Cells = None
    places: PlacesRule | None = None
    goal: str | None = None
    keep: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    change: Share | None = None
    like: Examples = ()
    generations: int = Field(default=200, ge=0)
    evaluations: int | None = Field(default=None, ge=1)
    genotype: Table
    objective: Table
    strategy: Table
    finish: tuple[Table, ...] | None = None
    furnish: Table | None = None
    floors: int = Field(default=1, ge=1, le=100)
    vary: Table | None = None
    meta: AnyScheme | None = None

    @classmethod
    def _completed(cls, data: Table) -> Table:
        completed = dict(data)
        if data.get("places") == FIXED:
            completed["places"] = None
        if data.get("finish") is not None:
            steps = build_many(FINISHES, _listed(data["finish"]), "finish")
            completed["finish"] = [describe(FINISHES, step) for step in steps] or None
        if data.get("furnish") is not None:
            completed["furnish"] = complete_furnish(data["furnish"])
        if data.get("vary") is not None:
            everything = {"generations": cls.model_fields["generations"].default, **completed}
            completed["vary"] = check_vary(data["vary"], everything, cls._checker(completed))
        return completed

    @classmethod
    def _checker(cls, data: Table) -> Callable[[str, object], None]:
        """Return a function that raises `InputError` for a value that the setting at a path cannot
        have.
        """

        def check(path: str, value: object) -> None:
            root, _, rest = path.partition(".")
            if root in PARTS:
                check_setting(PARTS[root], data[root], rest, value, f"vary.{path}")
            else:
                check_value(cls.model_fields[root].rebuild_annotation(), value, f"vary.{path}")

        return check

    def to_data(self) -> Table:
        """Return the recipe as plain data, with all settings."""
        unused = {"like": [], "floors": 1}
        return {
            key: value
            for key, value in super().to_data().items()
            if key not in unused or value != unused[key]
        }

    @cached_property
    def frame(self) -> Frame:
        """The size, the places and the cells to keep."""
        frame = frame_of(self)
        if self.floors == 1:
            return frame
        from levolve.search.genotypes.floors import whole_frame

        return whole_frame(frame, self.floors)

    @cached_property
    def tileset(self) -> Tileset:
        """The tileset of the levels."""
        genotype = self.encoding
        frame = Frame(*self.size, {}, (), genotype.sets_places)
        return genotype.batch(genotype.start(frame, 0, 0, 1), frame).tileset

    @cached_property
    def first_genes(self) -> "Genes | None":
        """The genes of the level to start with; None if there is none."""
        if not self.start:
            return None
        try:
            return self.parts[0].write(Level.from_text("\n".join(self.start)), self.frame)
        except InputError as problem:
            raise InputError(f"start: {problem}") from problem

    @cached_property
    def parts(self) -> "tuple[Genotype, Objective, Strategy]":
        """The genotype with its finish steps and places, the objective and the strategy."""
        return (
            self._whole_genotype,
            build(OBJECTIVES, self.objective, "objective"),
            build(STRATEGIES, self.strategy, "strategy"),
        )

    @property
    def _whole_genotype(self) -> "Genotype":
        genotype = self.encoding
        if self.change is not None:
            genotype = self._edited(self.change)
        elif self.steps:
            from levolve.search.genotypes.finished import Finished

            genotype = Finished(genotype, self.steps)
        if self.places is not None:
            from levolve.search.genotypes.placed import Placed

            genotype = Placed(genotype, self.places)
        if self.furnisher is not None:
            from levolve.search.genotypes.furnishing.furnished import Furnished

            genotype = Furnished(genotype, self.furnisher)
        if self.floors > 1:
            from levolve.search.genotypes.floors import Floors

            genotype = Floors(genotype, self.floors)
        return genotype

    @cached_property
    def furnisher(self) -> "Furnisher | None":
        """What places things in levels; None if they have none."""
        if self.furnish is None:
            return None
        return build_furnisher(self.furnish)

    def _edited(self, change: float) -> "Genotype":
        """Return the genotype of edits to the level to start with."""
        from levolve.search.genotypes.edited import Edited
        from levolve.search.genotypes.placed import Placed

        edited = Edited(self.start, change, self.steps)
        if not self.start:
            raise InputError(
                "change: expected a level to start from (--from FILE) as well, got none"
            )
        if self.floors > 1:
            raise InputError(f"change: expected a recipe with one floor, got {self.floors} floors")
        try:
            own = self.tileset
        except InputError:
            # Levels of this size cannot be decoded, but edited.
            own = edited.level.tileset
        if edited.level.tileset != own:
            raise InputError(
                f"start: expected a level of the tileset {own.name!r} like those of "
                f"recipe {self.name!r}, got {edited.level.tileset.name!r}"
            )
        return Placed(edited, "tour") if self.encoding.sets_places else edited

    @cached_property
    def encoding(self) -> "Genotype":
        """The genotype without finish steps and places."""
        return build(GENOTYPES, self.genotype, "genotype")  # type: ignore[no-any-return] # the registry defines the type

    @cached_property
    def steps(self) -> "tuple[FinishStep, ...]":
        """The finish steps."""
        return build_many(FINISHES, list(self.finish or ()), "finish")

    @cached_property
    def problem(self) -> LevelProblem:
        """The problem that a run of this recipe solves."""
        genotype, _, strategy = self.parts
        first = self.first_genes
        return LevelProblem(
            genotype,
            self.scored,
            self.frame,
            strategy.features,
            None if first is None else first[np.newaxis],
        )

    @cached_property
    def scored(self) -> "Objective | FurnishedScore | FloorsScore":
        """The objective, with that of the furnishing, for each floor."""
        from levolve.search.objectives.floors import FloorsScore
        from levolve.search.objectives.furnishing import FurnishedScore

        objective, furnisher = self.parts[1], self.furnisher
        each = objective if furnisher is None else FurnishedScore(objective, furnisher.weight)
        return each if self.floors == 1 else FloorsScore(each)

    @property
    def measured(self) -> tuple[str, ...]:
        """The measures that the objective names: its targets, and objectives that are measures."""
        return tuple(dict.fromkeys(_named_measures(self.objective)))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The settings that may vary, in the order of the `vary` table."""
        return variables_of(self.vary or {}, self.to_data())


def _named_measures(objective: Table) -> Iterator[str]:
    if objective.get("kind") in MEASURES:
        yield objective["kind"]
    yield from objective.get("targets", ())
    for part in objective.get("parts", ()):
        yield from _named_measures(part)


def _listed(finish: object) -> object:
    """Return a list of finish steps that may be given as text, separated by commas."""
    return (
        [name.strip() for name in finish.split(",") if name.strip()]
        if isinstance(finish, str)
        else finish
    )


def _shipped() -> dict[str, str]:
    files = (Path(entry.name) for entry in resources.files("levolve.recipes").iterdir())
    return {
        name: f"levolve.recipes:{name}.toml"
        for name in sorted(file.stem for file in files if file.suffix == ".toml")
    }


# A recipe as data, or a `Recipe`. A plug-in refers to a TOML file in its package,
# `package:file.toml`, or to either of these, `module:NAME`.
RECIPES: Registry[Mapping[str, Any] | Recipe] = Registry(
    "recipe", _shipped(), "levolve.recipes", kinds=("collections.abc:Mapping", f"{__name__}:Recipe")
)


def shipped() -> list[str]:
    """Return the names of the built-in recipes."""
    return [name for name in RECIPES if RECIPES.origin_of(name) == BUILT_IN]


def summaries() -> dict[str, str]:
    """Return each recipe's name and its summary."""
    return {name: summary_of(RECIPES[name]) for name in RECIPES}


def summary_of(recipe: Mapping[str, Any] | Recipe) -> str:
    """Return the summary of a recipe, one line."""
    return recipe.summary if isinstance(recipe, Recipe) else str(recipe.get("summary", ""))


def comments_of(name: str) -> str:
    """Return the lines of comments at the start of a built-in recipe's file; empty if there are
    none.
    """
    if name not in shipped():
        return ""
    text = (resources.files("levolve.recipes") / f"{name}.toml").read_text(encoding="utf-8")
    lines = itertools.takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True))
    return "".join(lines)


def find_recipe(recipe: str | Path | Recipe) -> Recipe:
    """Find a recipe by name or by the path of a `.toml` or `.json` file; a `Recipe` is returned
    unchanged.
    """
    if isinstance(recipe, Recipe):
        return recipe
    if str(recipe).lower().endswith((".toml", ".json")):
        return Recipe.read(recipe)
    try:
        found = RECIPES[str(recipe)]
    except UnknownNameError as problem:
        raise UnknownNameError(f"{problem}; or give the path of a .toml or .json file") from problem
    return found if isinstance(found, Recipe) else Recipe.from_data(found, f"recipe {recipe}")
