"""`levolve meta`: evolve the settings of a recipe."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.options import Cluster, Json, Quiet, RecipeName, Seed, Settings, Size, Threads
from levolve.cli.output import print_level
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start
from levolve.cli.progress import Report
from levolve.cli.values import parse_settings, parse_vary
from levolve.core.errors import InputError, MissingExtraError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from levolve.core.events import Event, Watch
    from levolve.jobs.store.places import Storing
    from levolve.jobs.studies.tune import MetaEvolution, TrialFinished
    from levolve.jobs.studies.tuning import Tuning
    from levolve.levels.level import Level
    from levolve.recipes.recipe import Recipe

RECIPE_FILES, PICTURE = (".toml", ".json"), ".png"


def meta(
    recipe: RecipeName,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=LOW..HIGH",
            help="A setting to evolve, and its range, or choices: KEY=A,B,C. May be repeated.",
        ),
    ] = None,
    population: Annotated[
        int | None,
        typer.Option("--population", metavar="N", help="New sets of settings per generation."),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            "--generations",
            metavar="N",
            help="Generations of sets after the first; in a race, races.",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", metavar="N", help="Runs per set; in a race, in its first round."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="N|TIME",
            help="Stop starting trials after N evaluations (2e6) or a time (90s, 5min, 2h).",
        ),
    ] = None,
    random: Annotated[
        bool, typer.Option("--random", help="Try random sets only: what the scheme has to beat.")
    ] = False,
    seed: Seed = None,
    size: Size = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the tuned recipe (.toml or .json), for 'levolve evolve'.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw scores and settings over the generations (.png)."
        ),
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Evolve the settings of a recipe: each set of settings is scored by whole runs, and the best
    set is written as a recipe.

    Which settings may vary is part of the recipe (dungeon-meta, dungeon-race), or given by --vary;
    so is the scheme: --set meta=race. 'levolve tune', the name in Python, is the same command.
    """
    outputs = output or []
    ranges, changes = parse_vary(vary), parse_settings(settings)
    _check_outputs(outputs, plot)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.executors import work_pool
        from levolve.jobs.studies.arguments import parse_budget
        from levolve.jobs.studies.tune import MetaEvolution, prepare

        source, scheme = prepare(
            recipe, ranges, population, generations, seeds, size=size, settings=changes
        )
        job = MetaEvolution(
            source, scheme.at_random() if random else scheme, seed, parse_budget(budget)
        )
        options = {"output": outputs, "plot": plot, "json": json, "quiet": quiet}
        with work_pool(threads, cluster) as pool:
            job.executor = pool
            written = carry_out(start(job, storing, options), META, report)
    META.show(job, options, written, report, json=json)


class MetaPresenter(Presenter):
    """Shows a meta-evolution."""

    kind: ClassVar[str] = "meta"
    defaults: ClassVar[Options] = {"output": [], "plot": None}

    @contextmanager
    def watching(self, report: Report, job: "MetaEvolution") -> "Iterator[Watch]":
        """Show a bar of trials below the best set so far."""
        from levolve.jobs.studies.tune import TrialFinished

        with report.bar(f"tuning {job.name}", job.scheme.total) as bar:
            display = _Display(job.source)
            report.above = display.picture

            def watch(event: "Event") -> None:
                if isinstance(event, TrialFinished):
                    display.event = event
                    bar.total = event.total
                    bar.reach(event.trials, f"trials, {event.runs:,} runs")

            yield watch
            report.above = None

    def write(self, job: "MetaEvolution", options: Options) -> Written:
        """Write the tuned recipe and the plot."""
        from levolve.formats.writing import write_file

        found = job.result
        outputs = [Path(path) for path in options["output"]]
        files = {
            path: (
                found.recipe.to_json() if path.suffix.lower() == ".json" else found.recipe.to_toml()
            ).encode()
            for path in outputs
        }
        if options["plot"] is not None:
            files |= found.encoded_files(Path(options["plot"]))
        for path, content in files.items():
            write_file(path, content)
        return Written(found.to_data(), list(files))

    def print_result(self, job: "MetaEvolution", written: Written, options: Options) -> None:
        """Print the best set."""
        _print_result(job.result)


META = MetaPresenter()


class _Display:
    """What is shown while trials are evaluated: the best so far, its settings, and its level as a
    picture.
    """

    def __init__(self, source: "Recipe") -> None:
        self.source = source
        self.event: TrialFinished | None = None
        self._drawn: tuple[object, RenderableType | None] = (None, None)

    def picture(self) -> "RenderableType":
        """A table, and the level to the right of it."""
        from rich.table import Table

        from levolve.jobs.studies.tuning import level_of

        if self.event is None or self.event.best is None:
            return ""
        event, best = self.event, self.event.best
        if self._drawn[0] is not best:
            self._drawn = best, _drawing(level_of(self.source, best))
        head = (
            f"generation {event.generation} of {event.generations}, {event.evaluations:,} "
            "evaluations"
        )
        beside = Table.grid(padding=(0, 3))
        beside.add_row(
            settings_table(best.settings, f"best set: {best.score:g}"), self._drawn[1] or ""
        )
        whole = Table.grid()
        whole.add_row(head)
        whole.add_row(beside)
        return whole


def settings_table(settings: "Mapping[str, Any]", title: str) -> "RenderableType":
    """A set of settings, one line each."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title, overflow="fold")
    table.add_column("", justify="right")
    for path, value in settings.items():
        table.add_row(Text(one_line(path)), Text(one_line(_written(value))))
    return table


def _written(value: object) -> str:
    """A setting as people read it."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value["kind"]) if isinstance(value, dict) and "kind" in value else str(value)


def _drawing(level: "Level | None") -> "RenderableType | None":
    from levolve.cli.terminal import picture_text
    from levolve.formats.pictures.terminal import terminal_picture

    return None if level is None else picture_text(terminal_picture(level))


def _check_outputs(outputs: list[Path], plot: Path | None) -> None:
    """Refuse a wrong file name, or a plot that cannot be drawn, before the work, not after it."""
    from levolve.formats.writing import check_writable

    for path in outputs:
        if path.suffix.lower() not in RECIPE_FILES:
            raise InputError(
                f"--output: expected a file name that ends in {' or '.join(RECIPE_FILES)}, for a "
                f"recipe, got {str(path)!r}"
            )
        check_writable(path)
    if plot is None:
        return
    if plot.suffix.lower() != PICTURE:
        raise InputError(f"--plot: expected a file name that ends in {PICTURE}, got {str(plot)!r}")
    check_writable(plot)
    if find_spec("matplotlib") is None:
        raise MissingExtraError(what="--plot", modules=("matplotlib",), extra="plot")


def _print_result(found: "Tuning") -> None:
    """Print the best set, its level, and its scores: of the runs it was chosen by, and of
    others.
    """
    from levolve.cli.terminal import console
    from levolve.jobs.studies.rank_tests import half_width

    if found.level is not None:
        print_level(found.level)
    used = (
        f"{found.trials:,} trials, {found.runs:,} runs, {found.evaluations:,} evaluations in "
        f"{found.seconds:.3g} s"
    )
    print(f"{one_line(found.source.name)}, seed {found.seed}: {used}")
    screen = console()
    screen.print(settings_table(found.settings, "the best set"))
    if found.finalists:
        screen.print(_finalists_table(found))
    chosen_by = (
        "one run, a lucky one" if found.judged_by == 1 else f"the mean of {found.judged_by} runs"
    )
    print(f"  {found.best_score:<8g} the score it was chosen by: {chosen_by}")
    fresh, untuned = (
        f"{scores.mean():<8g} ± {half_width(scores):<4.2g}"
        for scores in (found.fresh, found.untuned)
    )
    print(
        f"  {fresh} the mean of {len(found.fresh)} runs with fresh seeds, "
        f"{found.fresh.min():g} to {found.fresh.max():g}"
    )
    print(f"  {untuned} the mean of the original recipe, with the same seeds")
    print(
        f"  a run of the {found.test.first} recipe beats one of the {found.test.second} "
        f"recipe in {found.test.wins:.0%}, p = {found.test.p:.2g}"
    )
    print(
        "  ± is a 95 % interval of the mean, p that of a two-sided rank test; runs with "
        "fresh seeds are not part of the evaluations"
    )
    print(f"  digest   {found.digest}")


def _finalists_table(found: "Tuning") -> "RenderableType":
    """The sets of the final, with their means and the rank tests against the best."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for title in ("final", "runs", "mean", "beaten by the best in", "p, corrected"):
        table.add_column(title, justify="right")
    tests = {pair.second if pair.first == "1" else pair.first: pair for pair in found.final_tests}
    for place, finalist in enumerate(found.finalists, 1):
        runs = 0 if finalist.outcome is None else len(finalist.outcome.scores)
        pair = tests.get(str(place))
        wins = "" if pair is None else f"{pair.wins if pair.first == '1' else 1 - pair.wins:.0%}"
        table.add_row(
            str(place),
            str(runs),
            f"{finalist.score:.4g}",
            wins,
            "" if pair is None else f"{pair.p_corrected:.2g}",
        )
    return table
