"""Plug-ins that a recipe uses, for the origin of its levels."""

from collections.abc import Iterable, Mapping
from typing import Any

from levolve.contents import CONTENTS
from levolve.evolution import STRATEGIES
from levolve.functions import LOCAL, FunctionName
from levolve.genotypes import GENOTYPES
from levolve.genotypes.finish import FINISHES
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS
from levolve.measures import MEASURES
from levolve.objectives import OBJECTIVES
from levolve.plugins import Source, module_source
from levolve.registry import Registry
from levolve.settings import settings_of


def plugins_of(recipe: Mapping[str, Any], level: Level | None = None) -> dict[str, str]:
    """Return the plug-ins that a level depends on: packages by name, modules as `module:NAME`, each with its version. Often there are none.

    `recipe` is a recipe as plain data, or the order of a pack. The tileset and the goal of `level` are included.
    """
    sources = [source for part, registry in _PARTS.items() if part in recipe for source in _sources(registry, recipe[part])]
    sources += [source for step in recipe.get("finish") or () for source in _sources(FINISHES, step)]
    sources += [MEASURES.origin_of(name) for name in recipe.get("pack", {}).get("target", {})]
    if level is not None:
        sources += [registry.origin_of(name) for registry, name in ((TILESETS, level.tileset.name), (GOALS, level.goal.name)) if name in registry]
    return {source.key: source.version for source in sorted(sources, key=lambda source: source.key) if source.kind != "built-in"}


_PARTS: dict[str, Registry[Any]] = {"content": CONTENTS, "genotype": GENOTYPES, "objective": OBJECTIVES, "strategy": STRATEGIES}


def _sources(registry: Registry[Any], table: Mapping[str, Any]) -> list[Source]:
    """Return the source of a part, and those of the parts and names in its settings."""
    found = [registry.origin_of(table["kind"])]
    for field in settings_of(registry[table["kind"]]):
        value = table.get(field.name)
        if value is None:
            continue
        if "function" in field.metadata and ":" in str(value) and not str(value).startswith(LOCAL):
            found.append(module_source(str(value).partition(":")[0]))
        if "names" in field.metadata:
            found += [field.metadata["names"].origin_of(name) for name in value]
        if "registry" in field.metadata:
            for part in value if "many" in field.metadata else (value,):
                found += _sources(field.metadata["registry"], part)
    return found


def local_functions(parts: Iterable[object]) -> list[str]:
    """Return the names of functions in the settings of parts that only this process knows: a recipe with one cannot be used by another process."""
    found: list[str] = []
    for part in parts:
        for field in settings_of(type(part)):
            value = getattr(part, field.name)
            if isinstance(value, FunctionName) and value.is_local:
                found.append(value)
            if "registry" in field.metadata:
                found += local_functions(value if "many" in field.metadata else (value,))
    return found
