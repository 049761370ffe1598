"""`levolve compare`: compare recipes on the same problem with the same budget."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from levolve.cli.options import (
    Choices,
    Cluster,
    FirstSeed,
    Json,
    Quiet,
    Ranges,
    Settings,
    Targets,
    Threads,
)
from levolve.cli.presenters import (
    Options,
    StudyPresenter,
    Written,
    carry_out,
    check_study_files,
    start,
)
from levolve.cli.progress import Report
from levolve.cli.values import parse_choices, parse_ranges, parse_settings, read_targets
from levolve.core.errors import requiring
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.core.events import Event, Watch
    from levolve.jobs.store.places import Storing
    from levolve.jobs.studies.comparison import Comparison, SizesComparison
    from levolve.jobs.studies.comparison_job import ComparisonJob
    from levolve.jobs.studies.rank_tests import Pair


PICTURE = ".png"
SMALLEST_P_SHOWN = 0.0001


def compare(
    recipes: Annotated[
        list[str],
        typer.Argument(
            metavar="RECIPE",
            help=(
                "Two or more recipes, or one with --vary: names (see 'levolve recipes') or paths "
                "of .toml or .json files."
            ),
        ),
    ],
    runs: Annotated[
        int, typer.Option("--runs", metavar="N", help="Number of runs per recipe.")
    ] = 20,
    evaluations: Annotated[
        int, typer.Option("--evaluations", metavar="N", help="Exact number of evaluations per run.")
    ] = 20_000,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            metavar="NAME",
            help="The objective of all recipes. Default: that of the first recipe.",
        ),
    ] = None,
    target: Targets = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="WxH,…",
            help=(
                "Width and height of the levels; several sizes are compared by ranks over all of "
                "them."
            ),
        ),
    ] = None,
    seed: FirstSeed = 1,
    settings: Settings = None,
    vary: Choices = None,
    paired: Annotated[
        bool,
        typer.Option(
            "--paired",
            help="Compare runs seed by seed (Wilcoxon) instead of all pairs (Mann-Whitney).",
        ),
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Test the others against this recipe only, instead of all pairs.",
        ),
    ] = None,
    axes: Annotated[
        str | None,
        typer.Option(
            "--axes",
            metavar="A,B",
            help=(
                "Illuminate over these measures, and compare the archives by QD score and coverage."
            ),
        ),
    ] = None,
    grid: Annotated[
        str | None,
        typer.Option(
            "--grid", metavar="AxB", help="With --axes: cells on each axis. Default: 50x50."
        ),
    ] = None,
    ranges: Ranges = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=(
                "Write a plot (.png), a row per run (.csv, .parquet), or all data (.json). May "
                "be repeated."
            ),
        ),
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Compare recipes with a rank test, all with the same size, places, objective and number of
    evaluations.

    Size, places and objective are those of the first recipe by default.
    """
    outputs = output or []
    check_study_files(outputs, "a plot", "all runs")
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.executors import work_pool
        from levolve.jobs.studies.arguments import check_axes
        from levolve.jobs.studies.comparison_job import ComparisonJob

        if any(path.suffix.lower() == PICTURE for path in outputs):
            with requiring("compare --output", ("matplotlib",), "plot"):
                import levolve.jobs.charts.studies  # noqa: F401 what is missing is reported before the work
        targets = read_targets(target)
        sizes = [] if size is None else [part.strip() for part in size.split(",")]
        needing = {"--grid": grid, "--range": ranges}
        check_axes("--axes", axes, needing, {"--target": targets, "several sizes": sizes[1:]})
        job = ComparisonJob.of(
            recipes,
            size=None if sizes[1:] else size,
            sizes=sizes if sizes[1:] else None,
            axes=axes,
            grid=grid,
            ranges=parse_ranges(ranges),
            runs=runs,
            evaluations=evaluations,
            objective=objective,
            target=targets,
            seed=seed,
            settings=parse_settings(settings),
            vary=parse_choices(vary),
            paired=paired,
            against=against,
        )
        options = {"output": outputs, "json": json, "quiet": quiet}
        with work_pool(threads, cluster) as pool:
            job.executor = pool
            written = carry_out(start(job, storing, options), COMPARE, report)
    COMPARE.show(job, options, written, report, json=json)


class ComparePresenter(StudyPresenter):
    """Shows a comparison of any kind."""

    kind: ClassVar[str] = "compare"

    @contextmanager
    def watching(self, report: Report, job: "ComparisonJob") -> "Iterator[Watch]":
        """Show a bar of runs."""
        from levolve.jobs.studies.comparison_job import RunFinished

        where = f" on {len(job.contests)} sizes" if len(job.contests) > 1 else ""
        with report.bar(f"comparing {len(job.names)} recipes{where}", job.total) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, RunFinished):
                    bar.reach(event.done, event.recipe)

            yield watch

    def print_result(self, job: "ComparisonJob", written: Written, options: Options) -> None:
        """Print the ranks of the recipes, or tables and rank tests."""
        from levolve.jobs.studies.comparison import Comparison

        found = job.result
        if isinstance(found, Comparison):
            for panel in found.panels:
                _print_table(panel)
                _print_pairs(panel)
            _print_legend(found)
        else:
            _print_ranks(found)


class SizesPresenter(ComparePresenter):
    """Shows a comparison on several sizes."""

    kind: ClassVar[str] = "compare-sizes"


class IlluminationsPresenter(ComparePresenter):
    """Shows a comparison of archives."""

    kind: ClassVar[str] = "compare-illuminations"


COMPARE, COMPARE_SIZES, COMPARE_ILLUMINATIONS = (
    ComparePresenter(),
    SizesPresenter(),
    IlluminationsPresenter(),
)


def _print_ranks(found: "SizesComparison") -> None:
    """Print the average rank and the median on each size of every recipe, and which recipes are too
    close to call.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from levolve.cli.terminal import console

    ranks, first = found.ranks, found.comparisons[0]
    print(
        f"{first.subject}, {first.runs} runs of {first.evaluations:,} evaluations each on "
        f"each size, seeds from {first.seed}"
    )
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("recipe", overflow="fold")
    for title in ("rank", *(str(each.problem["size"]) for each in found.comparisons)):
        table.add_column(title, justify="right", no_wrap=True)
    for name, rank in zip(ranks.names, ranks.ranks, strict=True):
        table.add_row(
            Text(one_line(name)),
            f"{rank:.2f}",
            *(f"{each[name].median:g}" for each in found.comparisons),
        )
    console().print(table)
    print(
        f"rank: average over {ranks.blocks} seeds and sizes, 1 is the best. Sizes: median scores."
    )
    if ranks.p is not None:
        print(f"All recipes alike (Friedman): p = {ranks.p:.2g}")
    print(
        f"Ranks that differ by less than {ranks.distance:.2f} are not significantly "
        "different (Nemenyi)."
    )
    for one, other in ranks.groups:
        print(one_line(f"  too close to call: {', '.join(ranks.names[one : other + 1])}"))


def _print_table(comparison: "Comparison") -> None:
    """Print one line per recipe, best first."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from levolve.cli.terminal import console

    size = comparison.problem["size"]
    print(
        f"{comparison.subject}, {size}, {comparison.runs} runs of {comparison.evaluations:,} "
        f"evaluations each, seeds from {comparison.seed}"
    )
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("recipe", overflow="fold")
    rows = [comparison.figures(entrant) for entrant in comparison.entrants]
    for title in rows[0]:
        table.add_column(title, justify="right", no_wrap=True)
    for entrant, row in zip(comparison.entrants, rows, strict=True):
        table.add_row(Text(one_line(entrant.name)), *row.values())
    console().print(table)


def _print_pairs(comparison: "Comparison") -> None:
    """Print one sentence per pair."""
    for pair in comparison.pairs:
        print(one_line(_sentence(pair)))


def _print_legend(comparison: "Comparison") -> None:
    """Explain the numbers of the table and of the pairs."""
    from levolve.jobs.studies.rank_tests import SIGNIFICANT

    count = len(comparison.pairs)
    correction = f", Holm's correction over {count} tests" if count > 1 else ""
    if comparison.goal is None:
        print("used, seconds: evaluations and time per run.")
        by = "\nand by ".join(panel.by for panel in comparison.panels)
    else:
        print(
            "to target: median evaluations of the successful runs.\nexpected: evaluations "
            "per success if runs are restarted until one succeeds."
        )
        by = "evaluations to the\ntarget, runs without success last"
    who = (
        "the runs of both with the same seed"
        if comparison.paired
        else "each run of one with each run of the other"
    )
    print(f"Pairs: {who} by {by}, ties half.")
    print(
        "p: two-sided "
        f"{'signed-rank test (Wilcoxon)' if comparison.paired else 'rank test (Mann-Whitney)'}"
        f"{correction}."
    )
    # The p-value when every run of one recipe beats every run of the other, or that of its own
    # seed.
    arrangements = (
        2**comparison.runs if comparison.paired else comb(2 * comparison.runs, comparison.runs)
    )
    if 2 * count / arrangements >= SIGNIFICANT:
        print(
            f"{comparison.runs} runs are too few for any difference to be significant; use "
            "more (--runs)."
        )


def _sentence(pair: "Pair") -> str:
    """State which recipe of a pair wins, how often, and whether the difference is significant."""
    p = (
        f"p = {pair.p_corrected:.2g}"
        if pair.p_corrected >= SMALLEST_P_SHOWN
        else f"p < {SMALLEST_P_SHOWN:.4f}"
    )
    if pair.significant:
        return f"{pair.first} beats {pair.second} in {_percent(pair.wins)} of pairs, {p}"
    if pair.wins == 1 / 2:
        return f"{pair.first} and {pair.second} are equal, {p}"
    return (
        f"{pair.first} beats {pair.second} in {_percent(pair.wins)} of pairs, not significant, {p}"
    )


def _percent(share: float) -> str:
    """Format a share of at least one half as a percentage. Only an exact 1 becomes 100 %, only an
    exact half 50 %.
    """
    return (
        f"{100 * share:.0f} %"
        if share in {1 / 2, 1}
        else f"{min(max(round(100 * share), 51), 99)} %"
    )
