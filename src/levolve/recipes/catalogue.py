"""The catalogue: everything that has a name, with its settings and where it comes from, as plain data."""

from collections.abc import Mapping
from dataclasses import Field
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from levolve.errors import UnknownNameError
from levolve.evolution import STRATEGIES
from levolve.evolution.selection import SELECTIONS
from levolve.evolution.variation import CROSSOVERS, MUTATIONS
from levolve.fashion.legend import PALETTES, Palette
from levolve.fashion.shipped import ShippedRule, list_rules
from levolve.formats import FORMATS
from levolve.formats.themes import THEMES
from levolve.genotypes import GENOTYPES
from levolve.genotypes.finish import FINISHES
from levolve.levels.goal import GOALS, Goal
from levolve.levels.tileset import TILESETS, Tileset
from levolve.measures import MEASURES
from levolve.objectives import OBJECTIVES
from levolve.plugins import BUILT_IN, broken_plugins, present_plugins
from levolve.puzzles import PUZZLES
from levolve.puzzles.puzzle import Puzzle
from levolve.recipes.parts import describe
from levolve.recipes.recipe import RECIPES, Recipe, summary_of
from levolve.registry import Registry, did_you_mean
from levolve.settings import Part, settings_of

Table = dict[str, Any]

REGISTRIES: dict[str, Registry[Any]] = {
    "genotypes": GENOTYPES,
    "finishes": FINISHES,
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
    """Return all entries of all nouns, or of the one called `noun`, such as "genotypes": registries, fashion rules and palettes.

    Each entry has `meaning`, a sentence; `source`, which is "built-in", a package with its version, or a module; and `settings` by name, each with
    its `default`, its `meaning`, a sentence that settings of plug-ins may lack, and `range` where there are limits. An entry of a plug-in that
    cannot be loaded has `broken`, a sentence, instead. "plugins" are the plug-ins themselves; without
    `noun` they are listed only if one of them is broken.
    """
    if noun is not None and noun not in NOUNS:
        message = f"unknown noun {noun!r}: {did_you_mean(noun, list(NOUNS))}"
        raise UnknownNameError(message)
    listed = {name: _listed(name) for name in NOUNS if noun in {None, name} and name != PLUGINS}
    broken = broken_plugins()
    if noun == PLUGINS or (broken and noun is None):
        listed[PLUGINS] = _plugins(broken)
    return listed


def _plugins(broken: Mapping[str, str]) -> dict[str, Table]:
    """Describe installed packages and named modules, and those that cannot be used at all."""
    present = {name: {"meaning": f"version {version}"} for name, version in present_plugins().items()}
    about: dict[str, Table] = {**present, **{name: {"broken": reason} for name, reason in broken.items()}}
    return {name: {"source": "plug-in", **table} for name, table in about.items()}


def _listed(noun: str) -> dict[str, Table]:
    if noun == RULES:
        return {rule.name: {"source": str(BUILT_IN), "meaning": rule.summary, "settings": _rule_settings(rule)} for rule in list_rules()}
    if noun == PALETTE_NAMES:
        return {name: {"source": str(BUILT_IN), "meaning": _colours(colours), "settings": {}} for name, colours in PALETTES.items()}
    return _entries(REGISTRIES[noun])


def _rule_settings(listed: ShippedRule) -> dict[str, Table]:
    """What `levolve map` can change of a rule, each an option of that command."""
    design, rule = listed.design, listed.design.rule
    return {
        "updates": {"default": design.updates, "meaning": "How often all cells change."},
        "smooth": {"default": design.smooth, "meaning": "Passes of the majority filter at the end."},
        "border": {"default": rule.border, "range": "torus or bounded", "meaning": "Whether the sides are joined."},
        "arithmetic": {"default": rule.arithmetic, "range": "exact, float or text", "meaning": "How sums of scores are compared."},
        "palette": {"default": design.palette, "meaning": "The colours of pictures: see 'levolve parts palettes'."},
    }


def _colours(palette: Palette) -> str:
    return f"{len(palette)} colours: {' '.join('#{:02x}{:02x}{:02x}'.format(*colour) for colour in palette)}"


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


def _meaning(entry: Any) -> str:  # noqa: ANN401 the type depends on the registry
    if isinstance(entry, Mapping | Recipe):
        return summary_of(entry)
    if isinstance(entry, Goal):
        return ", ".join(entry.stops) or "no stops: the level has no goal"
    if hasattr(entry, "meaning"):
        return str(entry.meaning)
    if isinstance(entry, type):
        return next(iter((entry.__doc__ or "").splitlines()), "").replace("**", "")
    return _tiles(entry)


def _tiles(tileset: Tileset) -> str:
    """The tiles with their characters, and which steps are legal where that is not plain to see."""
    written = ", ".join(f"{name} {character}" for name, character in zip(tileset.names, tileset.characters, strict=True))
    return f"{written}: {tileset.rule}" if tileset.rule else written


def _settings(registry: Registry[Any], name: str) -> dict[str, Table]:
    entry = registry[name]
    if isinstance(entry, Puzzle):
        return entry.described_settings()
    if not (isinstance(entry, type) and issubclass(entry, Part)):
        return {}
    hints = get_type_hints(entry, include_extras=True)
    defaults = describe(registry, entry())
    return {field.name: _setting(field, hints[field.name], defaults.get(field.name)) for field in settings_of(entry)}


def _setting(field: Field[Any], hint: Any, default: Any) -> Table:  # noqa: ANN401 any annotation, any value
    table: Table = {"default": default}
    if "registry" in field.metadata:
        table["default"] = [part["kind"] for part in default] if "many" in field.metadata else default["kind"]
    elif limits := _range(hint):
        table["range"] = limits
    if "meaning" in field.metadata:
        table["meaning"] = field.metadata["meaning"]
    return table


def _range(hint: Any) -> str:  # noqa: ANN401 any annotation
    """Describe the values that an annotation accepts; empty if it sets no limits."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(str(value) for value in arguments)
    if origin is not Annotated:
        return next((found for part in arguments if (found := _range(part))), "")
    limits = {word: getattr(rule, word) for rule in arguments[1:] for word in LIMITS if getattr(rule, word, None) is not None}
    if set(limits) == {"ge", "le"}:
        return f"{limits['ge']} to {limits['le']}"
    return ", ".join(f"{LIMITS[word]} {limit}" for word, limit in limits.items()) or _range(arguments[0])
