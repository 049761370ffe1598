"""levolve: evolve grid levels and solve grid puzzles, with proof that they can be won.

Everything is loaded when it is first used: importing this package compiles and loads nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

from levolve import version

if TYPE_CHECKING:
    from levolve import fashion, packs
    from levolve.formats.files import load, save
    from levolve.levels.level import Level
    from levolve.measures.measuring import measure
    from levolve.meta.tuning import tune
    from levolve.packs.pack import Pack
    from levolve.packs.packing import pack
    from levolve.puzzles.solving import solve
    from levolve.runs.comparing import compare
    from levolve.runs.evolving import evolve
    from levolve.runs.recipe import Recipe
    from levolve.runs.run import Run

__version__ = version.VERSION

__all__ = [
    "Level",
    "Pack",
    "Recipe",
    "Run",
    "__version__",
    "compare",
    "evolve",
    "fashion",
    "load",
    "measure",
    "pack",
    "packs",
    "save",
    "solve",
    "tune",
]

_HOMES = {
    "Level": "levolve.levels.level",
    "Pack": "levolve.packs.pack",
    "Recipe": "levolve.runs.recipe",
    "Run": "levolve.runs.run",
    "compare": "levolve.runs.comparing",
    "evolve": "levolve.runs.evolving",
    "load": "levolve.formats.files",
    "measure": "levolve.measures.measuring",
    "pack": "levolve.packs.packing",
    "save": "levolve.formats.files",
    "solve": "levolve.puzzles.solving",
    "tune": "levolve.meta.tuning",
}


# Packages that are public as they are, and load their own parts when those are first used.
_PACKAGES = ("fashion", "packs")


def __getattr__(name: str) -> Any:  # noqa: ANN401 as many types as public names
    if name in _PACKAGES:
        return importlib.import_module(f"levolve.{name}")
    if name not in _HOMES:
        message = f"module 'levolve' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_PACKAGES})
