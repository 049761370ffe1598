"""Files of a run: its best level in any format, an animation of the run (.gif), and evolved fashion
rules (.toml).

Files of a run of contents: the best content as JSON, and its picture if its kind can draw one.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.level_files import check_size, encode_all, suffix_of
from levolve.formats.originals import Original
from levolve.formats.writing import check_writable, write_files
from levolve.levels.level import Level

if TYPE_CHECKING:
    from levolve.formats.look import Look
    from levolve.jobs.runs.run import ContentRun, Run
    from levolve.recipes.content_recipe import ContentRecipe
    from levolve.recipes.recipe import Recipe

RULE_FILE = "toml"
FILM = "gif"


def check_outputs(recipe: Recipe, paths: Iterable[Path], look: Look | None = None) -> None:
    """Raise an error, before a run, for outputs that could not be written.

    Reasons are unknown suffixes, unsupported tilesets, levels that are too large, and folders that
    are not writable.
    """
    problem = recipe.problem
    for path in paths:
        suffix = suffix_of(path)
        if suffix == RULE_FILE:
            if recipe.genotype["kind"] != "fashion":
                raise InputError(
                    f"output {path}: expected a recipe that evolves a fashion rule, such as "
                    f"cavern, to write a rule file; got {recipe.name}"
                )
        else:
            FORMATS[suffix]
        check_writable(path)
        if suffix != RULE_FILE:
            check_size(path, problem.frame.width, problem.frame.height, look)
            tileset = problem.batch(problem.start(0, 0, 1)).tileset
            encode_all(Level(np.zeros((2, 2), np.uint8), tileset=tileset), path, look)


def encode_run(
    run: Run, path: Path, look: Look | None = None, original: Original | None = None
) -> dict[Path, bytes]:
    """Return the bytes of each file for an output path, in a look: several if a run evolved several
    rules, or if a format needs additional files.

    A level has the foreign parts of the original, the file that the run continues from.
    """
    suffix = suffix_of(path)
    if suffix == FILM:
        from levolve.formats.pictures.gif import encode_frames

        return {path: encode_frames(run.frames, look)}
    if suffix != RULE_FILE:
        return encode_all(run.best, path, look, original)
    from levolve.jobs.runs.world_jobs import designs_of

    designs = designs_of(run)
    names = (
        [path]
        if len(designs) == 1
        else [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(designs) + 1)]
    )
    return {name: design.to_toml().encode() for name, design in zip(names, designs, strict=True)}


def write_run(
    run: Run, paths: Iterable[Path], look: Look | None = None, original: Original | None = None
) -> list[Path]:
    """Write the files of a run in a look, and return their paths. All files are encoded before the
    first is written.
    """
    files = {
        name: content
        for path in paths
        for name, content in encode_run(run, path, look, original).items()
    }
    return write_files(files)


DATA, PICTURE = "json", "png"


def check_content_outputs(recipe: ContentRecipe, paths: Iterable[Path]) -> None:
    """Raise an error, before a run, for outputs that could not be written."""
    draws = recipe.parts[0].draws
    for path in paths:
        if suffix_of(path) not in ((DATA, PICTURE) if draws else (DATA,)):
            raise InputError(
                f"output {path}: expected a file name that ends in "
                f".{DATA}{f' or .{PICTURE}' if draws else ''} for contents of {recipe.name}"
            )
        check_writable(path)


def write_content(run: ContentRun, paths: Iterable[Path]) -> list[Path]:
    """Write the files of a run, and return their paths. All files are encoded before the first is
    written.
    """
    return write_files({path: _encoded(run, path) for path in paths})


def _encoded(run: ContentRun, path: Path) -> bytes:
    if suffix_of(path) == DATA:
        return run.to_file()
    drawn = BytesIO()
    run.recipe.parts[0].picture(run.best).save(drawn, "PNG")
    return drawn.getvalue()
