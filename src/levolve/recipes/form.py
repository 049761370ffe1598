"""The form of a recipe: every setting with its path, sentence, type, limits and value, as plain data from which a page makes fields."""

from collections.abc import Mapping
from dataclasses import Field
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from levolve.levels.places import PlacesRule
from levolve.recipes.recipe import FIXED, PARTS, Recipe
from levolve.registry import Registry
from levolve.settings import settings_of

Table = dict[str, Any]

# Lower and upper limits of an annotation, and whether the limit itself is allowed.
LIMITS = {"ge": ("least", True), "gt": ("least", False), "le": ("most", True), "lt": ("most", False)}


def form_of(recipe: Recipe) -> list[Table]:
    """Return the groups of fields of a recipe: general, genotype, objective, strategy.

    A group has a `title` and `fields`. A field has the `path` of a setting, as `Recipe.changed` takes it; `meaning`, a sentence, if there is one;
    `type`: "size", "integer", "number", "switch", "choice", "text" or "data" (JSON); `value`; `choices` for a choice; `least` and `most` where there
    are limits, which are excluded if `open` names them; and `optional` if it may be empty.
    """
    data = recipe.to_data()
    groups = [{"title": "general", "fields": _general(recipe)}]
    return groups + [{"title": part, "fields": _part_fields(registry, data[part], part)} for part, registry in PARTS.items()]


def _general(recipe: Recipe) -> list[Table]:
    width, height = recipe.size
    whole = {"type": "integer"}
    return [
        {"path": "size", "meaning": "Width and height in tiles.", "type": "size", "value": f"{width}x{height}"},
        {"path": "generations", "meaning": "Generations after the start.", **whole, "least": 0, "value": recipe.generations},
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
    fields: list[Table] = [{"path": f"{path}.kind", "type": "choice", "choices": names, "value": table["kind"]}]
    kind = registry[table["kind"]]
    hints = get_type_hints(kind, include_extras=True)
    for setting in settings_of(kind):
        inside = f"{path}.{setting.name}"
        nested = setting.metadata.get("registry")
        if nested is not None and "many" not in setting.metadata:
            first, *others = _part_fields(nested, table[setting.name], inside)
            fields += [first | _meaning(setting), *others]
        else:
            described = {"type": "data"} if nested is not None else described_type(hints[setting.name])
            fields.append({"path": inside, **_meaning(setting), **described, "value": table.get(setting.name)})
    return fields


def _meaning(setting: Field[Any]) -> Table:
    return {"meaning": setting.metadata["meaning"]} if "meaning" in setting.metadata else {}


def described_type(hint: Any) -> Table:  # noqa: ANN401 any annotation
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
    return {"type": {bool: "switch", int: "integer", float: "number", str: "text"}.get(hint, "data")}


def _limits(rules: tuple[Any, ...]) -> Table:
    found: Table = {}
    for rule in rules:
        for word, (name, included) in LIMITS.items():
            limit = getattr(rule, word, None)
            if limit is not None:
                found[name] = limit
                if not included:
                    found["open"] = [*found.get("open", []), name]
    return found
