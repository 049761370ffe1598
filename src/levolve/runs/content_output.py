"""Files of a run of contents: the best content as JSON, and its picture if its kind can draw one."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from levolve.errors import InputError
from levolve.formats.files import suffix_of
from levolve.formats.writing import check_writable, write_files
from levolve.recipes.content_recipe import ContentRecipe
from levolve.runs.content_run import ContentRun

DATA, PICTURE = "json", "png"


def check_content_outputs(recipe: ContentRecipe, paths: Iterable[Path]) -> None:
    """Raise an error, before a run, for outputs that could not be written."""
    draws = recipe.parts[0].draws
    for path in paths:
        if suffix_of(path) not in ((DATA, PICTURE) if draws else (DATA,)):
            message = f"output {path}: expected a file name that ends in .{DATA}{f' or .{PICTURE}' if draws else ''} for contents of {recipe.name}"
            raise InputError(message)
        check_writable(path)


def write_content(run: ContentRun, paths: Iterable[Path]) -> list[Path]:
    """Write the files of a run, and return their paths. All files are encoded before the first is written."""
    return write_files({path: _encoded(run, path) for path in paths})


def _encoded(run: ContentRun, path: Path) -> bytes:
    if suffix_of(path) == DATA:
        return run.to_file()
    drawn = BytesIO()
    run.recipe.parts[0].picture(run.best).save(drawn, "PNG")
    return drawn.getvalue()
