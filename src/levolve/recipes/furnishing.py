"""The table `furnish` of recipes, and recipes that furnish one level."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.core.errors import InputError, shown
from levolve.formats.reading.files import read_data
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.things.kinds import Kind
from levolve.levels.tileset import WALLS
from levolve.recipes.part_tables import Table, build, describe
from levolve.search.genotypes.furnishing import FURNISHERS
from levolve.search.genotypes.furnishing.wanted import kind_called

if TYPE_CHECKING:
    from levolve.search.genotypes.furnishing.furnisher import Furnisher

Things = Mapping[str, Any]
USUAL = "assumed_fill"
# The search for a furnishing of one level.
NAME = "furnish"
SEARCH: Table = {
    "summary": "keys, doors, treasure, monsters and other things in a given level",
    "generations": 60,
    "objective": {"kind": "furnishing"},
    "strategy": {
        "kind": "steady_state",
        "population": 60,
        "crossover": {"kind": "two_point"},
        "mutation": {"kind": "point", "points": 2},
    },
}


def complete_furnish(table: object) -> Table:
    """Return a table `furnish` with all settings: without `kind` it is assumed fill. The path of a
    file of kinds is replaced by what it contains.
    """
    return describe(FURNISHERS, build_furnisher(table))


def build_furnisher(table: object) -> "Furnisher":
    """Build the furnisher of a table `furnish`."""
    if not isinstance(table, Mapping):
        raise InputError(
            "furnish: expected a table with things, such as {things = {key = 2, door = 2}}, got "
            f"{shown(table)}"
        )
    given = {"kind": USUAL, **table}
    if isinstance(given.get("kinds"), str | Path):
        given["kinds"] = read_kinds(given["kinds"])
    built: Furnisher = build(FURNISHERS, given, "furnish")
    return built


def read_kinds(path: str | Path) -> list[Table]:
    """Read kinds of things from a TOML or JSON file: a list `kinds` of tables, or a table per
    name.
    """
    data = read_data(path, "kinds")
    kinds = data.get("kinds", data) if isinstance(data, Mapping) else data
    if isinstance(kinds, Mapping):
        kinds = [
            {"name": name, **table} if isinstance(table, Mapping) else table
            for name, table in kinds.items()
        ]
    if not isinstance(kinds, list) or not all(isinstance(table, Mapping) for table in kinds):
        raise InputError(
            f"{path}: expected a list 'kinds' of tables, or a table per kind, got {shown(data)}"
        )
    return [dict(table) for table in kinds]


def furnish_changes(
    table: Table | None, things: Things | None, *, allow_loss: bool = False
) -> Table:
    """Return the change to a recipe with a table `furnish`, or none, so that its levels have these
    things, besides those that it places already; a count of 0 removes a kind.
    """
    if things is not None and not isinstance(things, Mapping):
        raise InputError(
            "things: expected a table of counts by kind, such as {'keys': 2, 'doors': 2}, got "
            f"{shown(things)}"
        )
    if things is None and table is None and allow_loss:
        raise InputError(
            "allow_loss: expected things as well, because without any no level can be lost"
        )
    if things is None and not allow_loss:
        return {}
    changed = dict(table or {})
    own = {kind["name"]: Kind.from_data(kind) for kind in changed.get("kinds", ())}
    # One form of each name, so that `keys` replaces `key`.
    named = {kind_called(str(name), own).name: name for name in things or {}}
    before = {name: each for name, each in changed.get("things", {}).items() if name not in named}
    changed["things"] = {**before, **(things or {})}
    if allow_loss:
        changed["allow_loss"] = True
    return {"furnish": changed}


def furnishing_recipe(level: Level, things: Things, settings: Things | None = None) -> Table:
    """Return the recipe, as data, that places things in a level and changes nothing else.

    `settings` are further ones of the table `furnish`. The things of the level stay.
    """
    from levolve.levels.solver import explain_unwinnable, recertified
    from levolve.recipes.from_levels import ALL, changes_for

    if not isinstance(level, Level):
        raise InputError(f"level: expected a Level, got {type(level).__name__}")
    missing = [name for name in (ENTRANCE, EXIT) if name not in level.places]
    if missing:
        raise InputError(
            "furnish: expected a level with an entrance and an exit, got one without "
            f"{' and '.join(missing)}; add what is missing"
        )
    layout = recertified(level.with_things(()))
    if layout.solution is None:
        raise InputError(
            "furnish: expected a level that can be won without things, but "
            f"{explain_unwinnable(layout)}"
        )
    changes = changes_for(level, ALL)
    genotype: Table = {"kind": "direct"}
    if level.tileset != WALLS:
        genotype = {"kind": "tiles", "tileset": level.tileset.name}
    own = dict(settings or {})
    if isinstance(own.get("kinds"), str | Path):
        own["kinds"] = read_kinds(own["kinds"])
    known = [kind.to_data() for kind in level.kinds.values()]
    given = [kind for kind in own.get("kinds") or () if kind not in known]
    furnish = {
        **{name: value for name, value in own.items() if value is not None},
        "things": dict(things) if isinstance(things, Mapping) else things,
        "fixed": [thing.to_text() for thing in level.things],
        "kinds": [*known, *given],
    }
    places = {name: ",".join(map(str, level.places[name])) for name in (ENTRANCE, EXIT)}
    return {
        "name": NAME,
        **SEARCH,
        **changes,
        **places,
        "goal": level.goal.name,
        "genotype": genotype,
        "furnish": furnish,
    }
