"""The origin of a level as plain data, the same in every format."""

from typing import Any

from levolve.errors import InputError
from levolve.levels.level import Origin


def origin_to_data(origin: Origin | None) -> dict[str, Any]:
    """Recipe, seed, index and version; nothing where there is no origin."""
    if origin is None:
        return {}
    return {"recipe": dict(origin.recipe), "seed": origin.seed, "index": origin.index, "version": origin.version}


def origin_from_data(data: dict[str, Any]) -> Origin | None:
    """What `origin_to_data` wrote."""
    if "recipe" not in data:
        return None
    recipe, seed, index, version = data["recipe"], data.get("seed"), data.get("index", 0), data.get("version")
    if not isinstance(recipe, dict) or not isinstance(seed, int) or not isinstance(index, int) or not isinstance(version, str):
        message = "origin: expected a recipe (a table), a seed and an index (whole numbers) and a version (a text)"
        raise InputError(message)
    return Origin(recipe, seed, index, version)
