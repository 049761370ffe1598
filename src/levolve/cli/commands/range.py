"""`levolve range`: which levels recipes make, over two measures side by side."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from levolve.cli.options import Choices, Cluster, FirstSeed, Json, Quiet, Settings, Size, Threads
from levolve.cli.presenters import (
    Options,
    StudyPresenter,
    Written,
    carry_out,
    check_study_files,
    start,
)
from levolve.cli.progress import Report
from levolve.cli.values import parse_choices, parse_settings
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.core.events import Event, Watch
    from levolve.jobs.store.places import Storing
    from levolve.jobs.studies.expressive_range import ExpressiveRange
    from levolve.jobs.studies.range_sampling import RangeJob

# Overlaps are a matrix for a few recipes; for more only the largest are printed.
MOST_PAIRS = 10
LONGEST_TITLE = 12


def range(  # noqa: A001 the command's name
    recipes: Annotated[
        list[str],
        typer.Argument(
            metavar="RECIPE",
            help=(
                "One or more recipes: names (see 'levolve recipes') or paths of .toml or .json "
                "files."
            ),
        ),
    ],
    axes: Annotated[
        str | None,
        typer.Option(
            "--axes",
            metavar="X,Y",
            help=(
                "Two measures. Default: walls and exit_path, or longest_path for levels without "
                "an exit."
            ),
        ),
    ] = None,
    samples: Annotated[
        int,
        typer.Option("--samples", metavar="N", min=1, help="Runs per recipe, or random levels."),
    ] = 200,
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            metavar="WHICH",
            help=(
                "best (of each run), population (the last one of each run), or random (not "
                "evolved)."
            ),
        ),
    ] = "best",
    evaluations: Annotated[
        int, typer.Option("--evaluations", metavar="N", min=1, help="Evaluations per run.")
    ] = 5000,
    size: Size = None,
    grid: Annotated[
        str, typer.Option("--grid", metavar="WxH", help="Cells of the histograms.")
    ] = "25x25",
    seed: FirstSeed = 1,
    settings: Settings = None,
    vary: Choices = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write heat maps (.png), a row per level (.csv, .parquet), or all data (.json).",
        ),
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Show the expressive range of recipes: where their levels lie between two measures, and how
    much the recipes overlap.

    'levolve expressive-range', the name in Python, is the same command.
    """
    outputs = output or []
    changes = parse_settings(settings)
    check_study_files(outputs, "heat maps", "levels")
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.executors import work_pool
        from levolve.jobs.studies.range_sampling import RangeJob

        names = None if axes is None else [name.strip() for name in axes.split(",")]
        job = RangeJob.of(
            recipes,
            axes=names,
            samples=samples,
            levels=levels,
            evaluations=evaluations,
            size=size,
            grid=grid,
            seed=seed,
            settings=changes,
            vary=parse_choices(vary),
        )
        options = {"output": outputs, "json": json, "quiet": quiet}
        with work_pool(threads, cluster) as pool:
            job.executor = pool
            written = carry_out(start(job, storing, options), RANGE, report)
    RANGE.show(job, options, written, report, json=json)


class RangePresenter(StudyPresenter):
    """Shows expressive ranges."""

    kind: ClassVar[str] = "range"

    @contextmanager
    def watching(self, report: Report, job: "RangeJob") -> "Iterator[Watch]":
        """Show a bar of runs."""
        from levolve.jobs.studies.range_sampling import SampleTaken

        with report.bar(
            f"sampling {len(job.rivals)} recipes"
            if len(job.rivals) > 1
            else f"sampling {job.name}",
            len(job.units()),
        ) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, SampleTaken):
                    bar.reach(event.done, event.recipe)

            yield watch

    def print_result(self, job: "RangeJob", written: Written, options: Options) -> None:
        """Print the table and the overlaps."""
        _print_table(
            job.result,
            (
                f"{'random levels' if job.levels == 'random' else f'{job.levels} of each run'}, "
                f"seeds from {job.seed}"
            ),
        )
        _print_overlaps(job.result)


RANGE = RangePresenter()


def _print_table(found: "ExpressiveRange", levels: str) -> None:
    """Print one line per recipe."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from levolve.cli.terminal import console

    first, second = (edges.size - 1 for edges in found.edges)
    print(f"{' and '.join(found.axes)} on {first}x{second} cells: {levels}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("recipe", overflow="fold")
    for title in found.figures(found.recipes[0]):
        # Long names of measures take two lines, so that the table fits a terminal.
        name = "\n".join(title.rsplit("_", 1)) if len(title) > LONGEST_TITLE else title
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.recipes:
        table.add_row(Text(one_line(one.name)), *found.figures(one).values())
    console().print(table)
    print("Measures: lowest, median, highest. cells: share of the grid that is filled.")


def _print_overlaps(found: "ExpressiveRange") -> None:
    """Print the overlap of every two recipes, the largest first."""
    overlaps = sorted(found.overlaps.items(), key=lambda item: -item[1])
    if overlaps:
        print("Overlap: the share of levels that two recipes have in common, cell by cell.")
    for (one, other), share in overlaps[:MOST_PAIRS]:
        print(f"  {share:4.0%}  {one_line(one)} and {one_line(other)}")
    if len(overlaps) > MOST_PAIRS:
        print(
            f"  and {len(overlaps) - MOST_PAIRS} more pairs with "
            f"{overlaps[MOST_PAIRS][1]:.0%} or less; see --json"
        )
