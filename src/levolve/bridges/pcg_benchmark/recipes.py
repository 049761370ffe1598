"""Recipes of the benchmark's problems, by names such as `pcg:zelda-v0`."""

from collections.abc import Mapping
from typing import Any

from levolve.bridges.pcg_benchmark.library import environment
from levolve.recipes.content_recipe import ContentRecipe

# Small generations: contents of most problems take milliseconds to play, and repaired maps are nearly good from the start.
STRATEGY: dict[str, Any] = {
    "kind": "generational",
    "population": 20,
    "elites": 2,
    "selection": {"kind": "tournament", "size": 3},
    "mutation": {"kind": "repair", "mutation": {"kind": "uniform", "rate": 0.04}},
}


def recipe(name: str, control: Mapping[str, Any] | None = None) -> ContentRecipe:
    """Return the recipe of a problem.

    Parameters
    ----------
    name
        The name of a problem of the benchmark, such as "zelda-v0".
    control
        Control parameters that the content should meet, as the problem's control space has them; by default none.
    """
    environment(name)
    content: dict[str, Any] = {"kind": "pcg", "problem": name}
    if control is not None:
        content["control"] = {key: _plain(value) for key, value in control.items()}
    summary = f"Contents of the problem {name} of the PCG Benchmark."
    return ContentRecipe.from_data({"name": f"pcg:{name}", "summary": summary, "generations": 500, "content": content, "strategy": STRATEGY})


def _plain(value: Any) -> Any:  # noqa: ANN401 numbers and arrays of numbers
    return value.tolist() if hasattr(value, "tolist") else [_plain(part) for part in value] if isinstance(value, list) else value
