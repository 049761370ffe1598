"""The origin of a level as plain data, the same in every format."""

from typing import Any, TypeGuard

from levolve.errors import InputError
from levolve.levels.level import Origin


def origin_to_data(origin: Origin | None) -> dict[str, Any]:
    """Recipe, seed, index and version; nothing where there is no origin."""
    if origin is None:
        return {}
    return {"recipe": origin.recipe, "seed": origin.seed, "index": origin.index, "version": origin.version}


def origin_from_data(data: object) -> Origin | None:
    """What `origin_to_data` wrote."""
    if not isinstance(data, dict):
        message = f"origin: expected an object, got {type(data).__name__}"
        raise InputError(message)
    if "recipe" not in data:
        return None
    recipe, seed, index, version = data["recipe"], data.get("seed"), data.get("index", 0), data.get("version")
    if not isinstance(recipe, dict) or not _is_whole(seed) or not _is_whole(index) or not isinstance(version, str) or not version.isprintable():
        message = "origin: expected a recipe (a table), a seed and an index (whole numbers from 0) and a version (a text of one line)"
        raise InputError(message)
    return Origin.of(recipe, seed, index, version)


def _is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
