"""Archives in files: arrays as `.npz`, and beside it what they mean as `.json`, with recipe, seed
and version.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.reading.arrays import read_arrays
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_bytes
from levolve.formats.writing import write_files
from levolve.jobs.archives.archive import Archive, Progress
from levolve.recipes.recipe import Recipe
from levolve.search.strategies.map_elites import MapElites
from levolve.version import difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "levolve archive"
FORMAT_VERSION = 1
ARRAYS = ("cells", "genes", "scores", "values")
ARRAY_FILE, DATA_FILE = "archive.npz", "archive.json"


def encode_archive(archive: Archive) -> dict[str, bytes]:
    """Return the two files of an archive by name. The same archive gives the same bytes."""
    arrays = {name: np.ascontiguousarray(getattr(archive, name)) for name in ARRAYS}
    data = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": archive.version,
        "engine": archive.engine,
        **archive.to_data(),
        "recipe": archive.recipe.to_data(),
        "floor": archive.floor,
        "ahead": archive.ahead,
        "progress": vars(archive.progress),
    }
    return {ARRAY_FILE: _zipped(arrays), DATA_FILE: (json.dumps(data, indent=1) + "\n").encode()}


def archive_files(archive: Archive, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the two files of an archive by path: in a folder, or side by side with a
    name of their own.
    """
    if not path.suffix:
        return {path / name: content for name, content in encode_archive(archive).items()}
    return archive.encoded_files(path)


def save_archive(archive: Archive, folder: str | Path) -> list[Path]:
    """Write the two files of an archive to a folder, and return their paths."""
    return write_files(
        {Path(folder) / name: content for name, content in encode_archive(archive).items()}
    )


def load_archive(path: str | Path) -> Archive:
    """Read an archive: its folder, or either of its two files, which lie side by side.

    Raises `InputError` if the files are damaged, or if the levels do not have the scores and the
    values that the files say.
    """
    given = Path(path)
    folder = given if given.is_dir() else given.parent
    stem = Path(ARRAY_FILE).stem if given.is_dir() else given.stem
    arrays = read_arrays(read_bytes(folder / f"{stem}.npz"), ARRAYS, str(folder / f"{stem}.npz"))
    source = str(folder / f"{stem}.json")
    data = parse_json(read_bytes(folder / f"{stem}.json").decode("utf-8", "replace"), source)
    if (
        not isinstance(data, dict)
        or data.get("format") != FORMAT
        or data.get("format_version") != FORMAT_VERSION
    ):
        raise InputError(
            f"{source}: expected an archive of version {FORMAT_VERSION}, as written by 'levolve "
            "illuminate', got something else"
        )
    missing = [name for name in ARRAYS if name not in arrays]
    if missing:
        raise InputError(f"{given}: expected the arrays {', '.join(ARRAYS)}, got no {missing[0]}")
    return _checked(data, arrays, str(given))


def _checked(data: dict[str, Any], arrays: dict[str, NDArray[Any]], source: str) -> Archive:
    """Build an archive, and check that its levels are what its numbers say."""
    recipe = Recipe.from_data(data.get("recipe") or {}, f"{source}, recipe")
    problem = recipe.problem
    strategy = recipe.parts[2]
    if not isinstance(strategy, MapElites):
        raise InputError(
            f"{source}: expected a recipe with the strategy map_elites, got "
            f"{recipe.strategy['kind']}"
        )
    fitted = strategy.fitted(problem)
    grid = fitted.cells
    genes, cells = arrays["genes"], arrays["cells"]
    problem.space.check(genes)
    evaluation = problem.evaluate(genes)
    values = grid.values(evaluation.features).T
    same = (
        cells.shape == (len(genes),)
        and len(np.unique(cells)) == len(cells)
        and np.array_equal(grid.cells(np.ascontiguousarray(values.T)), cells)
        and np.array_equal(arrays["scores"], evaluation.scores)
        and np.array_equal(arrays["values"], values)
    )
    if not same:
        made = difference(str(data.get("version")), str(data.get("engine", "")))
        raise InputError(
            f"{source}: expected the cells, scores and values of its levels, got others; "
            f"{made or 'the file is damaged'}"
        )
    try:
        seed, evaluations, ahead = (int(data[name]) for name in ("seed", "evaluations", "ahead"))
        filling = data["progress"]
        progress = Progress(
            list(map(int, filling["evaluations"])),
            *(list(map(float, filling[name])) for name in ("coverage", "qd_score")),
        )
        floor, version, engine = (
            float(data["floor"]),
            str(data["version"]),
            str(data.get("engine", "")),
        )
        return Archive(
            recipe,
            seed,
            evaluations,
            grid,
            cells,
            genes,
            arrays["scores"],
            values,
            floor,
            ahead,
            progress,
            version,
            engine,
        )
    except (KeyError, TypeError, ValueError) as problem_:
        raise InputError(
            f"{source}: expected seed, evaluations, floor and progress of an archive, got "
            f"{problem_}"
        ) from problem_


def progress_table(archive: Archive) -> bytes:
    """Return coverage and QD score over time as CSV."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["evaluations", "coverage", "qd_score"])
    filling = archive.progress
    table.writerows(zip(filling.evaluations, filling.coverage, filling.qd_score, strict=True))
    return text.getvalue().encode()


def _zipped(arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return arrays as NPZ. NumPy writes a fixed date, so that equal arrays give equal bytes."""
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type] # names of arrays, none of them an option
    return content.getvalue()
