"""levolve: evolve grid levels and solve grid puzzles, with proofs that they can be won.

Public names are imported on first use: importing this package loads neither NumPy nor Numba.
"""

from typing import TYPE_CHECKING, Any

from levolve import version
from levolve.core import display
from levolve.core.startup import lazy_names

if TYPE_CHECKING:
    from levolve import contents
    from levolve import worlds as fashion
    from levolve.core.errors import InputError, LevolveError
    from levolve.core.function_names import many_contents, many_levels, one_content, one_level
    from levolve.formats.file_kinds import load, save
    from levolve.jobs import packs
    from levolve.jobs.archives.archive import Archive
    from levolve.jobs.archives.files import load_archive, save_archive
    from levolve.jobs.archives.illuminate import illuminate
    from levolve.jobs.breeding.breed import breed
    from levolve.jobs.breeding.session import Session
    from levolve.jobs.packs.check_pack import check_pack
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.packs.pack_function import pack
    from levolve.jobs.resume import resume
    from levolve.jobs.runs.evolve import evolve
    from levolve.jobs.runs.furnish import furnish
    from levolve.jobs.runs.run import Run
    from levolve.jobs.store.store import Store
    from levolve.jobs.studies.compare import compare, compare_illuminations, compare_sizes
    from levolve.jobs.studies.range_sampling import expressive_range
    from levolve.jobs.studies.tune import tune
    from levolve.levels.level import Level
    from levolve.levels.measures.field import field
    from levolve.levels.measures.key_order import key_order
    from levolve.levels.measures.measuring import measure
    from levolve.puzzles.check_file import check_file
    from levolve.puzzles.solve_make import make, solve
    from levolve.recipes.recipe import Recipe

__version__ = version.VERSION

__all__ = [
    "Archive",
    "InputError",
    "Level",
    "LevolveError",
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
    "furnish",
    "illuminate",
    "key_order",
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
    "Archive": "levolve.jobs.archives.archive",
    "illuminate": "levolve.jobs.archives.illuminate",
    "load_archive": "levolve.jobs.archives.files",
    "save_archive": "levolve.jobs.archives.files",
    "InputError": "levolve.core.errors",
    "Level": "levolve.levels.level",
    "LevolveError": "levolve.core.errors",
    "Pack": "levolve.jobs.packs.pack",
    "Recipe": "levolve.recipes.recipe",
    "Run": "levolve.jobs.runs.run",
    "Session": "levolve.jobs.breeding.session",
    "Store": "levolve.jobs.store.store",
    "breed": "levolve.jobs.breeding.breed",
    "check_file": "levolve.puzzles.check_file",
    "check_pack": "levolve.jobs.packs.check_pack",
    "compare": "levolve.jobs.studies.compare",
    "compare_illuminations": "levolve.jobs.studies.compare",
    "compare_sizes": "levolve.jobs.studies.compare",
    "evolve": "levolve.jobs.runs.evolve",
    "expressive_range": "levolve.jobs.studies.range_sampling",
    "field": "levolve.levels.measures.field",
    "furnish": "levolve.jobs.runs.furnish",
    "key_order": "levolve.levels.measures.key_order",
    "load": "levolve.formats.file_kinds",
    "make": "levolve.puzzles.solve_make",
    "many_contents": "levolve.core.function_names",
    "many_levels": "levolve.core.function_names",
    "measure": "levolve.levels.measures.measuring",
    "one_content": "levolve.core.function_names",
    "one_level": "levolve.core.function_names",
    "pack": "levolve.jobs.packs.pack_function",
    "resume": "levolve.jobs.resume",
    "save": "levolve.formats.file_kinds",
    "solve": "levolve.puzzles.solve_make",
    "tune": "levolve.jobs.studies.tune",
    # Packages, which import their own names on first use.
    "contents": "levolve.contents:",
    "fashion": "levolve.worlds:",
    "packs": "levolve.jobs.packs:",
}


if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES, __all__)


def _draw_level(level: Any) -> bytes:
    from levolve.formats.pictures.png import encode

    return encode(level)


display.DRAWERS["level"] = _draw_level
