"""Parts of a recipe: settings as data on one side, the genotype, objective or strategy they stand for on the other.

A part is a table with a `kind`, a registry's name, and settings, the fields of the dataclass registered there. A field that is itself
such a part (the selection of a strategy, say) names its registry in the field's metadata.
"""

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from functools import lru_cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from levolve.errors import InputError, explain
from levolve.registry import Registry, did_you_mean

Table = dict[str, Any]


@lru_cache(maxsize=256)
def _adapters(kind: type) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: TypeAdapter(hints[field.name]) for field in _settings(kind) if "registry" not in field.metadata}


def _settings(kind: type) -> tuple[Field[Any], ...]:
    if not is_dataclass(kind):
        message = f"{kind.__name__}: expected a frozen dataclass whose fields are its settings"
        raise InputError(message)
    return fields(kind)


def build(registry: Registry[Any], table: Mapping[str, Any] | str, where: str) -> Any:  # noqa: ANN401 as many types as registries
    """The object that a part stands for. `where` is the part's place in the recipe, such as "strategy.mutation"."""
    table = {"kind": table} if isinstance(table, str) else table
    if not isinstance(table, Mapping) or not isinstance(table.get("kind"), str):
        message = f"{where}: expected a table with a 'kind', such as {{kind = {next(iter(registry))!r}}}, got {table!r}"
        raise InputError(message)
    kind = registry[table["kind"]]
    settings = {field.name: field for field in _settings(kind)}
    values: Table = {}
    for name, value in table.items():
        if name == "kind":
            continue
        if name not in settings:
            known = did_you_mean(name, list(settings)) if settings else f"{registry.noun} {table['kind']!r} has no settings"
            message = f"{where}.{name}: unknown setting of {registry.noun} {table['kind']!r}: {known}"
            raise InputError(message)
        nested = settings[name].metadata.get("registry")
        if nested is not None and "many" in settings[name].metadata:
            values[name] = _build_many(nested, value, f"{where}.{name}")
        elif nested is not None:
            values[name] = build(nested, value, f"{where}.{name}")
        else:
            values[name] = _checked(_adapters(kind)[name], value, f"{where}.{name}")
    try:
        return kind(**values)
    except InputError as problem:
        message = f"{where}.{problem}"
        raise InputError(message) from problem


def _build_many(registry: Registry[Any], tables: object, where: str) -> tuple[Any, ...]:
    if not isinstance(tables, list | tuple):
        message = f"{where}: expected a list of tables with a 'kind' each, got {tables!r}"
        raise InputError(message)
    return tuple(build(registry, table, f"{where}.{position}") for position, table in enumerate(tables))


def _checked(adapter: TypeAdapter[Any], value: object, where: str) -> Any:  # noqa: ANN401 as many types as settings
    try:
        return adapter.validate_python(value)
    except ValidationError as problem:
        message = explain(problem, where)
        raise InputError(message) from problem


def describe(registry: Registry[Any], part: object) -> Table:
    """The table that `build` makes this part from, every setting written out."""
    table: Table = {"kind": registry.name_of(type(part))}
    for field in _settings(type(part)):
        value = getattr(part, field.name)
        if value is None:
            continue
        nested = field.metadata.get("registry")
        if nested is not None:
            value = [describe(nested, part) for part in value] if "many" in field.metadata else describe(nested, value)
        table[field.name] = _plain(value)
    return table


def shared_settings(registry: Registry[Any], table: Table, kind: object) -> Table:
    """The settings in a part's table that another kind has too because both have them from the class they derive from."""
    if kind not in registry or table.get("kind") not in registry:
        return {}
    old, new = registry[table["kind"]], registry[str(kind)]
    bases = [base for base in new.__mro__ if issubclass(old, base) and is_dataclass(base)]
    names = {field.name for base in bases for field in fields(base)}
    return {name: value for name, value in table.items() if name in names}


def _plain(value: object) -> object:
    """Tuples as lists, as TOML and JSON have them."""
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value
