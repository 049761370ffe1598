"""Parts of a recipe: conversion between tables of settings and genotypes, objectives and
strategies.

The table of a part has a `kind`, the name of a registry entry, and settings, the fields of the
dataclass registered under this name. If a field is itself a part, such as the selection of a
strategy, its metadata names the registry.

Plug-ins that a recipe uses, for the origin of its levels.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from levolve.contents import CONTENTS
from levolve.core.errors import LONGEST_INPUT, InputError, shown
from levolve.core.function_names import LOCAL, FunctionName
from levolve.core.plugins import Source, module_source
from levolve.core.registry import Registry, did_you_mean
from levolve.core.settings import checked_setting, checked_value, settings_of
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.tileset import TILESETS
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import FINISHES
from levolve.search.objectives import OBJECTIVES
from levolve.search.strategies import STRATEGIES

Table = dict[str, Any]


def build(registry: Registry[Any], table: Mapping[str, Any] | str, where: str) -> Any:
    """Build a part from its table. `where` is its path in the recipe, such as
    "strategy.mutation".
    """
    table = {"kind": table} if isinstance(table, str) else table
    if not isinstance(table, Mapping) or not isinstance(table.get("kind"), str):
        raise InputError(
            f"{where}: expected a table with a 'kind', such as {{kind = "
            f"{next(iter(registry))!r}}}, got {shown(table)}"
        )
    kind = registry[table["kind"]]
    settings = {field.name: field for field in settings_of(kind)}
    values: Table = {}
    for name, value in table.items():
        if name == "kind":
            continue
        if name not in settings:
            known = (
                did_you_mean(name, list(settings))
                if settings
                else f"{registry.noun} {shown(table['kind'])} has no settings"
            )
            raise InputError(
                f"{where}.{str(name)[:LONGEST_INPUT]}: unknown setting of {registry.noun} "
                f"{shown(table['kind'])}: {known}"
            )
        nested = settings[name].metadata.get("registry")
        if nested is not None and "many" in settings[name].metadata:
            values[name] = build_many(nested, value, f"{where}.{name}")
        elif nested is not None:
            values[name] = build(nested, value, f"{where}.{name}")
        else:
            # The part checks its settings, as when it is built in Python.
            values[name] = value
    try:
        return kind(**values)
    except InputError as problem:
        raise InputError(f"{where}.{problem}") from problem


def check_setting(
    registry: Registry[Any], table: Table, path: str, value: object, where: str
) -> None:
    """Raise `InputError` if the setting at `path` of a part cannot have this value. Without a path,
    the value is the whole part.
    """
    name, _, rest = path.partition(".")
    if not name:
        build(registry, value if isinstance(value, Mapping) else str(value), where)
        return
    kind = registry[table["kind"]]
    metadata = next(field.metadata for field in settings_of(kind) if field.name == name)
    nested = metadata.get("registry")
    if nested is None:
        checked_setting(kind, name, value, where)
    elif "many" in metadata:
        build_many(nested, value, where)
    else:
        check_setting(nested, table[name], rest, value, where)


def build_many(registry: Registry[Any], tables: object, where: str) -> tuple[Any, ...]:
    """Build parts from a list of their tables or names."""
    if not isinstance(tables, list | tuple):
        raise InputError(
            f"{where}: expected a list of tables with a 'kind' each, got {shown(tables)}"
        )
    return tuple(
        build(registry, table, f"{where}.{position}") for position, table in enumerate(tables)
    )


def check_value(kind: Any, value: object, where: str) -> None:
    """Raise `InputError` if a value does not have this type."""
    checked_value(kind, value, where)


def describe(registry: Registry[Any], part: object) -> Table:
    """Return the table of a part for `build`, with all settings."""
    table: Table = {"kind": registry.name_of(type(part))}
    for field in settings_of(type(part)):
        value = getattr(part, field.name)
        if value is None:
            continue
        nested = field.metadata.get("registry")
        if nested is not None:
            value = (
                [describe(nested, part) for part in value]
                if "many" in field.metadata
                else describe(nested, value)
            )
        table[field.name] = _plain(value)
    return table


def shared_settings(registry: Registry[Any], table: Table, kind: object) -> Table:
    """Return the settings of a part's table that another kind shares, because both inherit them
    from the same class.
    """
    if kind not in registry or table.get("kind") not in registry:
        return {}
    old, new = registry[table["kind"]], registry[str(kind)]
    bases = [base for base in new.__mro__ if issubclass(old, base) and is_dataclass(base)]
    names = {field.name for base in bases for field in fields(base)}
    return {name: value for name, value in table.items() if name in names}


def _plain(value: object) -> object:
    """Convert tuples to lists, as in TOML and JSON, and values with data of their own, such as
    spaces, to that.
    """
    if hasattr(value, "to_data"):
        return value.to_data()
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value


def plugins_of(recipe: Mapping[str, Any], level: Level | None = None) -> dict[str, str]:
    """Return the plug-ins that a level depends on: packages by name, modules as `module:NAME`, each
    with its version. Often there are none.

    `recipe` is a recipe as plain data, or the order of a pack. The tileset and the goal of `level`
    are included.
    """
    sources = [
        source
        for part, registry in _PARTS.items()
        if part in recipe
        for source in _sources(registry, recipe[part])
    ]
    sources += [
        source for step in recipe.get("finish") or () for source in _sources(FINISHES, step)
    ]
    sources += [MEASURES.origin_of(name) for name in recipe.get("pack", {}).get("target", {})]
    if level is not None:
        sources += [
            registry.origin_of(name)
            for registry, name in ((TILESETS, level.tileset.name), (GOALS, level.goal.name))
            if name in registry
        ]
    return {
        source.key: source.version
        for source in sorted(sources, key=lambda source: source.key)
        if source.kind != "built-in"
    }


_PARTS: dict[str, Registry[Any]] = {
    "content": CONTENTS,
    "genotype": GENOTYPES,
    "objective": OBJECTIVES,
    "strategy": STRATEGIES,
}


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
    """Return the names of functions in the settings of parts that only this process knows: a recipe
    with one cannot be used by another process.
    """
    found: list[str] = []
    for part in parts:
        for field in settings_of(type(part)):
            value = getattr(part, field.name)
            if isinstance(value, FunctionName) and value.is_local:
                found.append(value)
            if "registry" in field.metadata:
                found += local_functions(value if "many" in field.metadata else (value,))
    return found
