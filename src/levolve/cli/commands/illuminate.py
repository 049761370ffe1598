"""`levolve illuminate`: the best level for every combination of two measures."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from levolve.cli.options import (
    Axes,
    Json,
    Objective,
    Quiet,
    Ranges,
    RecipeName,
    Seed,
    Settings,
    Size,
    ThemeOption,
    Threads,
    TileOption,
)
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start
from levolve.cli.progress import Report
from levolve.cli.values import parse_ranges, parse_settings
from levolve.core.errors import InputError

if TYPE_CHECKING:
    from levolve.core.events import Event, Watch
    from levolve.jobs.archives.archive import Archive
    from levolve.jobs.archives.illuminate import Illumination
    from levolve.jobs.store.places import Storing

MOST_EVALUATIONS = 1e12


def illuminate(
    recipe: RecipeName,
    axes: Axes = None,
    grid: Annotated[
        str, typer.Option("--grid", metavar="AxB", help="Cells on each axis.")
    ] = "50x50",
    ranges: Ranges = None,
    evaluations: Annotated[
        str,
        typer.Option(
            "--evaluations",
            metavar="N",
            help="Number of levels to evaluate, such as 200000 or 1e6.",
        ),
    ] = "1e6",
    size: Size = None,
    seed: Seed = None,
    objective: Objective = None,
    settings: Settings = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help=(
                "Write a page with all levels, the heat map, the archive, and its growth to this "
                "folder."
            ),
        ),
    ] = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Find the best level for every combination of two measures, and show which combinations there
    are.

    To compare the archives of several recipes with rank tests, use 'levolve compare RECIPE… --axes
    A,B'.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_for, look_of
        from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
        from levolve.jobs.executors import work_pool
        from levolve.jobs.packs.webpage import check_archive_folder

        adapted = illumination_recipe(
            recipe,
            axes=axes,
            grid=grid,
            ranges=parse_ranges(ranges),
            evaluations=_parse_evaluations(evaluations),
            size=size,
            objective=objective,
            settings=parse_settings(settings),
        )
        look = look_for([], theme, tile) if output is None else look_of(theme, tile)
        if output is not None:
            check_archive_folder(output)
        options = {"output": output, "look": look.to_data(), "json": json, "quiet": quiet}
        with work_pool(threads) as executor:
            job = Illumination(adapted, seed, executor)
            written = carry_out(start(job, storing, options), ILLUMINATE, report)
    ILLUMINATE.show(job, options, written, report, json=json)


class IlluminatePresenter(Presenter):
    """Shows an illumination."""

    kind: ClassVar[str] = "illuminate"

    @contextmanager
    def watching(self, report: Report, job: "Illumination") -> "Iterator[Watch]":
        """Show a bar of evaluations with the coverage."""
        from levolve.search.loop import GenerationScored

        with report.bar(f"illuminating {job.name}", job.recipe.evaluations or 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, GenerationScored):
                    bar.reach(event.evaluations, f"{event.figures['coverage']:.1%} covered")

            yield watch

    def save_partial(self, job: "Illumination", options: Options) -> list[str]:
        """Write the archive so far."""
        if not job.headline:
            return []
        written = _write(job.result, options)
        return [
            f"{job.headline} so far",
            *([f"the archive so far is in {options['output']}"] if written else []),
        ]

    def write(self, job: "Illumination", options: Options) -> Written:
        """Write the files of the archive."""
        return Written(job.to_data(), _write(job.result, options))

    def print_result(self, job: "Illumination", written: Written, options: Options) -> None:
        """Print the map and the figures."""
        _print(job.result, job.run.seconds)


ILLUMINATE = IlluminatePresenter()


def _write(archive: "Archive", options: Options) -> list[Path]:
    from levolve.formats.look import Look
    from levolve.jobs.packs.webpage import write_archive_folder

    if not options["output"]:
        return []
    return write_archive_folder(
        archive, Path(options["output"]), Look.from_data(options.get("look"))
    )


def _print(archive: "Archive", seconds: float) -> None:
    from levolve.jobs.archives.archive import map_lines

    print("\n".join(map_lines(archive)))
    print(
        f"{archive.recipe.name}, seed {archive.seed}: {len(archive):,} of "
        f"{archive.grid.count:,} cells ({archive.coverage:.1%} covered)"
    )
    rate = archive.evaluations / max(seconds, 1e-9)
    print(
        f"QD score {archive.qd_score:,.6g}, {archive.evaluations:,} evaluations in "
        f"{seconds:.1f} s ({rate:,.0f}/s)"
    )


def _parse_evaluations(text: str) -> int:
    try:
        number = float(text.replace("_", "").replace(",", ""))
    except ValueError:
        number = 0.0
    if not 1 <= number <= MOST_EVALUATIONS or number != int(number):
        raise InputError(
            "--evaluations: expected a whole number of at least 1, such as 200000 or 1e6, got "
            f"{text!r}"
        )
    return int(number)
