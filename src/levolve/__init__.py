"""levolve: evolve grid levels and solve grid puzzles, with proofs that they can be won.

Public names are imported on first use: importing this package loads neither NumPy nor Numba.
"""

from typing import TYPE_CHECKING, Any

from levolve import display, version
from levolve.lazy import lazy_names

if TYPE_CHECKING:
    from levolve import contents, fashion, packs
    from levolve.archives.archive import Archive
    from levolve.archives.files import load_archive, save_archive
    from levolve.archives.illuminating import illuminate
    from levolve.breeding.breeding import breed
    from levolve.breeding.session import Session
    from levolve.functions import many_contents, many_levels, one_content, one_level
    from levolve.levels.level import Level
    from levolve.measures.field import field
    from levolve.measures.measuring import measure
    from levolve.packs.checking import check_pack
    from levolve.packs.pack import Pack
    from levolve.packs.packing import pack
    from levolve.puzzles.checking import check_file
    from levolve.puzzles.files import load, save
    from levolve.puzzles.solving import make, solve
    from levolve.recipes.recipe import Recipe
    from levolve.resuming import resume
    from levolve.runs.evolving import evolve
    from levolve.runs.run import Run
    from levolve.runs.store.store import Store
    from levolve.studies.comparing import compare
    from levolve.studies.illuminations import compare_illuminations
    from levolve.studies.ranging import expressive_range
    from levolve.studies.sizes import compare_sizes
    from levolve.studies.tuning import tune

__version__ = version.VERSION

__all__ = [
    "Archive",
    "Level",
    "Pack",
    "Recipe",
    "Run",
    "Session",
    "Store",
    "__version__",
    "breed",
    "check_file",
    "check_pack",
    "compare",
    "compare_illuminations",
    "compare_sizes",
    "contents",
    "evolve",
    "expressive_range",
    "fashion",
    "field",
    "illuminate",
    "load",
    "load_archive",
    "make",
    "many_contents",
    "many_levels",
    "measure",
    "one_content",
    "one_level",
    "pack",
    "packs",
    "resume",
    "save",
    "save_archive",
    "solve",
    "tune",
]

_HOMES = {
    "Archive": "levolve.archives.archive",
    "illuminate": "levolve.archives.illuminating",
    "load_archive": "levolve.archives.files",
    "save_archive": "levolve.archives.files",
    "Level": "levolve.levels.level",
    "Pack": "levolve.packs.pack",
    "Recipe": "levolve.recipes.recipe",
    "Run": "levolve.runs.run",
    "Session": "levolve.breeding.session",
    "Store": "levolve.runs.store.store",
    "breed": "levolve.breeding.breeding",
    "check_file": "levolve.puzzles.checking",
    "check_pack": "levolve.packs.checking",
    "compare": "levolve.studies.comparing",
    "compare_illuminations": "levolve.studies.illuminations",
    "compare_sizes": "levolve.studies.sizes",
    "evolve": "levolve.runs.evolving",
    "expressive_range": "levolve.studies.ranging",
    "field": "levolve.measures.field",
    "load": "levolve.puzzles.files",
    "make": "levolve.puzzles.solving",
    "many_contents": "levolve.functions",
    "many_levels": "levolve.functions",
    "measure": "levolve.measures.measuring",
    "one_content": "levolve.functions",
    "one_level": "levolve.functions",
    "pack": "levolve.packs.packing",
    "resume": "levolve.resuming",
    "save": "levolve.puzzles.files",
    "solve": "levolve.puzzles.solving",
    "tune": "levolve.studies.tuning",
    # Packages, which import their own names on first use.
    **dict.fromkeys(("contents", "fashion", "packs"), __name__),
}


if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES, __all__)


def _draw_level(level: Any) -> bytes:  # noqa: ANN401 a level, whose module is not loaded here
    from levolve.formats.png import encode  # noqa: PLC0415 loaded when a notebook shows a level

    return encode(level)


display.DRAWERS["level"] = _draw_level
