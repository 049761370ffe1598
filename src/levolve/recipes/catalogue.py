"""The catalogue: everything that has a name, with its settings and where it comes from, as plain
data.

The form of a recipe: every setting with its path, sentence, type, limits and value, as plain data
from which a page makes fields.
"""

from collections.abc import Mapping
from dataclasses import Field
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from levolve.core.errors import UnknownNameError
from levolve.core.plugins import BUILT_IN, broken_plugins, present_plugins
from levolve.core.registry import Registry, did_you_mean
from levolve.core.settings import Configurable, settings_of, summary
from levolve.formats import FORMATS
from levolve.formats.themes import THEMES
from levolve.levels.goal import GOALS, Goal
from levolve.levels.measures import MEASURES
from levolve.levels.places import PlacesRule
from levolve.levels.things.kinds import FIELD_MEANINGS, KINDS, Kind
from levolve.levels.tileset import TILESETS, Tileset
from levolve.puzzles import PUZZLES
from levolve.puzzles.puzzle import Puzzle
from levolve.recipes.framing import FIXED
from levolve.recipes.part_tables import describe
from levolve.recipes.recipe import PARTS, RECIPES, Recipe, summary_of
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import FINISHES
from levolve.search.genotypes.furnishing import FURNISHERS
from levolve.search.objectives import OBJECTIVES
from levolve.search.selection import SELECTIONS
from levolve.search.strategies import STRATEGIES
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.worlds.legend import PALETTES, Palette
from levolve.worlds.shipped import ShippedRule, list_rules

Table = dict[str, Any]

REGISTRIES: dict[str, Registry[Any]] = {
    "genotypes": GENOTYPES,
    "finishes": FINISHES,
    "furnishers": FURNISHERS,
    "things": KINDS,
    "objectives": OBJECTIVES,
    "strategies": STRATEGIES,
    "selections": SELECTIONS,
    "crossovers": CROSSOVERS,
    "mutations": MUTATIONS,
    "measures": MEASURES,
    "formats": FORMATS,
    "themes": THEMES,
    "tilesets": TILESETS,
    "goals": GOALS,
    "puzzles": PUZZLES,
    "recipes": RECIPES,
}
RULES, PALETTE_NAMES, PLUGINS = "rules", "palettes", "plugins"
NOUNS = (*REGISTRIES, RULES, PALETTE_NAMES, PLUGINS)


LIMITS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def catalogue(noun: str | None = None) -> dict[str, dict[str, Table]]:
    """Return all entries of all nouns, or of the one called `noun`, such as "genotypes":
    registries, fashion rules and palettes.

    Each entry has `meaning`, a sentence; `source`, which is "built-in", a package with its version,
    or a module; and `settings` by name, each with its `default`, its `meaning`, a sentence that
    settings of plug-ins may lack, and `range` where there are limits. An entry of a plug-in that
    cannot be loaded has `broken`, a sentence, instead. "plugins" are the plug-ins themselves;
    without `noun` they are listed only if one of them is broken.
    """
    if noun is not None and noun not in NOUNS:
        raise UnknownNameError(f"unknown noun {noun!r}: {did_you_mean(noun, list(NOUNS))}")
    listed = {name: _listed(name) for name in NOUNS if noun in {None, name} and name != PLUGINS}
    broken = broken_plugins()
    if noun == PLUGINS or (broken and noun is None):
        listed[PLUGINS] = _plugins(broken)
    return listed


def _plugins(broken: Mapping[str, str]) -> dict[str, Table]:
    """Describe installed packages and named modules, and those that cannot be used at all."""
    present = {
        name: {"meaning": f"version {version}"} for name, version in present_plugins().items()
    }
    about: dict[str, Table] = {
        **present,
        **{name: {"broken": reason} for name, reason in broken.items()},
    }
    return {name: {"source": "plug-in", **table} for name, table in about.items()}


def _listed(noun: str) -> dict[str, Table]:
    if noun == RULES:
        return {
            rule.name: {
                "source": str(BUILT_IN),
                "meaning": rule.summary,
                "settings": _rule_settings(rule),
            }
            for rule in list_rules()
        }
    if noun == PALETTE_NAMES:
        return {
            name: {"source": str(BUILT_IN), "meaning": _colours(colours), "settings": {}}
            for name, colours in PALETTES.items()
        }
    return _entries(REGISTRIES[noun])


def _rule_settings(listed: ShippedRule) -> dict[str, Table]:
    """What `levolve map` can change of a rule, each an option of that command."""
    design, rule = listed.design, listed.design.rule
    return {
        "updates": {"default": design.updates, "meaning": "How often all cells change."},
        "smooth": {
            "default": design.smooth,
            "meaning": "Passes of the majority filter at the end.",
        },
        "border": {
            "default": rule.border,
            "range": "torus or bounded",
            "meaning": "Whether the sides are joined.",
        },
        "arithmetic": {
            "default": rule.arithmetic,
            "range": "exact, float or text",
            "meaning": "How sums of scores are compared.",
        },
        "palette": {
            "default": design.palette,
            "meaning": "The colours of pictures: see 'levolve parts palettes'.",
        },
    }


def _colours(palette: Palette) -> str:
    return (
        f"{len(palette)} colours: "
        f"{' '.join('#{:02x}{:02x}{:02x}'.format(*colour) for colour in palette)}"
    )


def _entries(registry: Registry[Any]) -> dict[str, Table]:
    broken = registry.broken()
    entries: dict[str, Table] = {}
    for name in [*(name for name in registry if name not in broken), *broken]:
        about = {"broken": broken[name]} if name in broken else _described(registry, name)
        entries[name] = {"source": str(registry.origin_of(name)), **about}
    return entries


def _described(registry: Registry[Any], name: str) -> Table:
    try:
        return {"meaning": _meaning(registry[name]), "settings": _settings(registry, name)}
    except Exception as problem:
        if registry.origin_of(name) == BUILT_IN:
            raise
        return {"broken": f"cannot be described: {type(problem).__name__}: {problem}"}


def _meaning(entry: Any) -> str:
    if isinstance(entry, Mapping | Recipe):
        return summary_of(entry)
    if isinstance(entry, Goal):
        return ", ".join(entry.stops) or "no stops: the level has no goal"
    if hasattr(entry, "meaning"):
        return str(entry.meaning)
    if isinstance(entry, type):
        return summary(entry).replace("**", "")
    return _tiles(entry)


def _tiles(tileset: Tileset) -> str:
    """The tiles with their characters, and which steps are legal where that is not plain to see."""
    written = ", ".join(
        f"{name} {character}"
        for name, character in zip(tileset.names, tileset.characters, strict=True)
    )
    return f"{written}: {tileset.rule}" if tileset.rule else written


def _settings(registry: Registry[Any], name: str) -> dict[str, Table]:
    entry = registry[name]
    if isinstance(entry, Puzzle):
        return entry.described_settings()
    if isinstance(entry, Kind):
        meanings = FIELD_MEANINGS if registry.origin_of(name) == BUILT_IN else {}
        return {
            field: {"default": value} | ({"meaning": meanings[field]} if field in meanings else {})
            for field, value in entry.fields.items()
        }
    if not (isinstance(entry, type) and issubclass(entry, Configurable)):
        return {}
    hints = get_type_hints(entry, include_extras=True)
    defaults = describe(registry, entry())
    return {
        field.name: _setting(field, hints[field.name], defaults.get(field.name))
        for field in settings_of(entry)
    }


def _setting(field: Field[Any], hint: Any, default: Any) -> Table:
    table: Table = {"default": default}
    if "registry" in field.metadata:
        table["default"] = (
            [part["kind"] for part in default] if "many" in field.metadata else default["kind"]
        )
    elif limits := _range(hint):
        table["range"] = limits
    if "meaning" in field.metadata:
        table["meaning"] = field.metadata["meaning"]
    return table


def _range(hint: Any) -> str:
    """Describe the values that an annotation accepts; empty if it sets no limits."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(str(value) for value in arguments)
    if origin is not Annotated:
        return next((found for part in arguments if (found := _range(part))), "")
    limits = {
        word: getattr(rule, word)
        for rule in arguments[1:]
        for word in LIMITS
        if getattr(rule, word, None) is not None
    }
    if set(limits) == {"ge", "le"}:
        return f"{limits['ge']} to {limits['le']}"
    return ", ".join(f"{LIMITS[word]} {limit}" for word, limit in limits.items()) or _range(
        arguments[0]
    )


# Lower and upper limits of an annotation, and whether the limit itself is allowed.
FORM_LIMITS = {
    "ge": ("least", True),
    "gt": ("least", False),
    "le": ("most", True),
    "lt": ("most", False),
}


def form_of(recipe: Recipe) -> list[Table]:
    """Return the groups of fields of a recipe: general, genotype, objective, strategy.

    A group has a `title` and `fields`. A field has the `path` of a setting, as `Recipe.changed`
    takes it; `meaning`, a sentence, if there is one; `type`: "size", "integer", "number", "switch",
    "choice", "text" or "data" (JSON); `value`; `choices` for a choice; `least` and `most` where
    there are limits, which are excluded if `open` names them; and `optional` if it may be empty.
    """
    data = recipe.to_data()
    groups = [{"title": "general", "fields": _general(recipe)}]
    return groups + [
        {"title": part, "fields": _part_fields(registry, data[part], part)}
        for part, registry in {**PARTS, "furnish": FURNISHERS}.items()
        if part in data
    ]


def _general(recipe: Recipe) -> list[Table]:
    width, height = recipe.size
    whole = {"type": "integer"}
    return [
        {
            "path": "size",
            "meaning": "Width and height in tiles.",
            "type": "size",
            "value": f"{width}x{height}",
        },
        {
            "path": "generations",
            "meaning": "Generations after the start.",
            **whole,
            "least": 0,
            "value": recipe.generations,
        },
        {
            "path": "evaluations",
            "meaning": "The run ends earlier when it has evaluated this many levels.",
            **whole,
            "least": 1,
            "optional": True,
            "value": recipe.evaluations,
        },
        {
            "path": "places",
            "meaning": "How the entrance and the exit of each level are placed.",
            "type": "choice",
            "choices": [FIXED, *get_args(PlacesRule)],
            "value": recipe.places or FIXED,
        },
    ]


def _part_fields(registry: Registry[Any], table: Mapping[str, Any], path: str) -> list[Table]:
    """Return the fields of a part: its kind, then its settings; those of parts inside it follow."""
    broken = registry.broken()
    names = [name for name in registry if name not in broken]
    fields: list[Table] = [
        {"path": f"{path}.kind", "type": "choice", "choices": names, "value": table["kind"]}
    ]
    kind = registry[table["kind"]]
    hints = get_type_hints(kind, include_extras=True)
    for setting in settings_of(kind):
        inside = f"{path}.{setting.name}"
        nested = setting.metadata.get("registry")
        if nested is not None and "many" not in setting.metadata:
            first, *others = _part_fields(nested, table[setting.name], inside)
            fields += [first | _meaning_of_field(setting), *others]
        else:
            described = (
                {"type": "data"} if nested is not None else described_type(hints[setting.name])
            )
            fields.append(
                {
                    "path": inside,
                    **_meaning_of_field(setting),
                    **described,
                    "value": table.get(setting.name),
                }
            )
    return fields


def _meaning_of_field(setting: Field[Any]) -> Table:
    return {"meaning": setting.metadata["meaning"]} if "meaning" in setting.metadata else {}


def described_type(hint: Any) -> Table:
    """Return the type of the values that an annotation accepts, with limits and choices.

    >>> described_type(float | None)
    {'type': 'number', 'optional': True}
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        inner = [part for part in arguments if part is not NoneType]
        described = described_type(inner[0]) if len(inner) == 1 else {"type": "data"}
        return described | ({"optional": True} if NoneType in arguments else {})
    if origin is Annotated:
        return described_type(arguments[0]) | _limits(arguments[1:])
    if origin is Literal and all(isinstance(value, str) for value in arguments):
        return {"type": "choice", "choices": list(arguments)}
    return {
        "type": {bool: "switch", int: "integer", float: "number", str: "text"}.get(hint, "data")
    }


def _limits(rules: tuple[Any, ...]) -> Table:
    found: Table = {}
    for rule in rules:
        for word, (name, included) in FORM_LIMITS.items():
            limit = getattr(rule, word, None)
            if limit is not None:
                found[name] = limit
                if not included:
                    found["open"] = [*found.get("open", []), name]
    return found
