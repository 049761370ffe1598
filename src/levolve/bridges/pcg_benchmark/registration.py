"""Problems of levolve for the PCG Benchmark: after `register()`,
`pcg_benchmark.make("levolve-maze-v0")` works like any of its own problems.

Recipes of the benchmark's problems, by names such as `pcg:zelda-v0`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.bridges.pcg_benchmark.library import MODULE, benchmark, environment
from levolve.formats.pictures.drawing import draw_level
from levolve.levels.frame import ENTRANCE, EXIT
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.recipes.content_recipe import ContentRecipe

if TYPE_CHECKING:
    from PIL.Image import Image

# By name: the size, the measure, the range of it that passes, and the range that may be asked for.
PROBLEMS: dict[str, dict[str, Any]] = {
    "levolve-maze-v0": {"width": 14, "height": 14, "measure": "exit_path", "least": 40, "most": 80},
    "levolve-maze-large-v0": {
        "width": 20,
        "height": 20,
        "measure": "exit_path",
        "least": 70,
        "most": 160,
    },
    "levolve-ends-v0": {
        "width": 14,
        "height": 14,
        "measure": "culs_de_sac",
        "least": 8,
        "most": 24,
    },
}
# The share of cells in which two different levels differ, and how far from a control parameter a
# value may be, relative to it.
DIVERSITY, TOLERANCE = 0.3, 0.1


def register() -> list[str]:
    """Register our problems in the benchmark, and return their names. A second call does
    nothing.
    """
    library = benchmark()
    known = library.list()
    for name, settings in PROBLEMS.items():
        if name not in known:
            library.register(name, LevolveProblem, settings)
    return list(PROBLEMS)


class LevolveProblem:
    """Levels from the corner at the top left to the one at the bottom right, as a problem of the
    benchmark.

    A level passes if it can be won and a measure of it is at least `least`. Levels differ if enough
    of their cells do. The control parameter is the value of the measure. It has all that the
    benchmark's class `Problem` has, which need not be installed to import this one.
    """

    def __init__(self, **settings: Any) -> None:
        """Set the size (`width`, `height`), the `measure`, its `least` value that passes, and the
        `most` that a control parameter asks for.
        """
        self.width, self.height = int(settings["width"]), int(settings["height"])
        self.measure, self.least, self.most = (
            str(settings["measure"]),
            int(settings["least"]),
            int(settings["most"]),
        )
        benchmark()
        spaces = importlib.import_module(f"{MODULE}.spaces")
        # Names that the benchmark's environments use.
        self._random = np.random.default_rng()
        self._content_space = spaces.ArraySpace((self.height, self.width), spaces.IntegerSpace(2))
        self._control_space = spaces.DictionarySpace(
            {self.measure: spaces.IntegerSpace(self.least, self.most + 1)}
        )

    def level(self, content: Any) -> Level:
        """Return the level of a content; the entrance and the exit are open."""
        tiles = np.array(content, np.uint8)
        tiles[0, 0] = tiles[-1, -1] = 0
        return Level(tiles, {ENTRANCE: (0, 0), EXIT: (self.width - 1, self.height - 1)})

    def info(self, content: Any) -> dict[str, Any]:
        """Return the tiles, whether the level can be won, and what is measured."""
        level = self.level(content)
        measured = measure(level)
        return {
            "tiles": level.tiles,
            "winnable": int(measured["exit_path"][0] >= 0),
            "reachable": int(measured["reachable"][0]),
            self.measure: int(max(measured[self.measure][0], 0)),
        }

    def quality(self, info: Mapping[str, Any]) -> float:
        """Return 1 for a level that passes; less, the more is missing: the way to the exit first,
        then the measure.
        """
        if not info["winnable"]:
            return 0.5 * float(info["reachable"]) / (self.width * self.height)
        return 0.5 + 0.5 * min(float(info[self.measure]) / self.least, 1.0)

    def diversity(self, info1: Mapping[str, Any], info2: Mapping[str, Any]) -> float:
        """Return 1 for two levels that differ in enough cells; less, the fewer they are."""
        differing = float((info1["tiles"] != info2["tiles"]).mean())
        return min(differing / DIVERSITY, 1.0)

    def controlability(self, info: Mapping[str, Any], control: Mapping[str, Any]) -> float:
        """Return 1 for a measure near the control parameter; less, the farther it is."""
        wanted = float(control[self.measure])
        miss = max(abs(float(info[self.measure]) - wanted) - TOLERANCE * wanted, 0.0)
        return max(1.0 - miss / wanted, 0.0)

    def render(self, content: Any) -> Image:
        """Return a picture of the level."""
        return draw_level(self.level(content), 16, path=False)


# Small generations: contents of most problems take milliseconds to play, and repaired maps are
# nearly good from the start.
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
        Control parameters that the content should meet, as the problem's control space has them; by
        default none.
    """
    environment(name)
    content: dict[str, Any] = {"kind": "pcg", "problem": name}
    if control is not None:
        content["control"] = {key: _plain(value) for key, value in control.items()}
    summary = f"Contents of the problem {name} of the PCG Benchmark."
    return ContentRecipe.from_data(
        {
            "name": f"pcg:{name}",
            "summary": summary,
            "generations": 500,
            "content": content,
            "strategy": STRATEGY,
        }
    )


def _plain(value: Any) -> Any:
    return (
        value.tolist()
        if hasattr(value, "tolist")
        else [_plain(part) for part in value]
        if isinstance(value, list)
        else value
    )
