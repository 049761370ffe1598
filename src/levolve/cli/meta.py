"""`levolve meta`: evolve the settings of a recipe."""

import json as json_text
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Cluster, Json, Quiet, RecipeName, Seed, Settings, Size, Threads, parse_settings, parse_vary
from levolve.cli.pictures import print_level
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from levolve.levels.level import Level
    from levolve.meta.tuning import Progress, Tuning
    from levolve.runs.recipe import Recipe

RECIPE_FILES, PICTURE = (".toml", ".json"), ".png"


def meta(
    recipe: RecipeName,
    vary: Annotated[
        list[str] | None,
        typer.Option("--vary", metavar="KEY=LOW..HIGH", help="A setting to evolve, and its range, or choices: KEY=A,B,C. May be repeated."),
    ] = None,
    population: Annotated[int | None, typer.Option("--population", metavar="N", help="How many sets of settings there are.")] = None,
    generations: Annotated[int | None, typer.Option("--generations", metavar="N", help="How many generations of sets to breed.")] = None,
    seeds: Annotated[int | None, typer.Option("--seeds", metavar="N", help="Judge each set by the mean of so many runs.")] = None,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="N|TIME", help="Begin nothing new after so many evaluations (2e6) or time (90s, 5min, 2h)."),
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Try random sets only: what evolution has to beat.")] = False,
    seed: Seed = None,
    size: Size = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", metavar="FILE", help="Write the tuned recipe (.toml or .json), for 'levolve evolve'.")
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw scores and settings over the generations (.png).")] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evolve the settings of a recipe: sets of settings are judged by the runs they make, and the best set is written as a recipe.

    Which settings may vary is part of the recipe (such as dungeon-meta), or given by --vary.
    """
    outputs = output or []
    ranges, changes = parse_vary(vary), parse_settings(settings)
    _check_outputs(outputs, plot)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.files import write_file
        from levolve.meta.tuning import prepare, tune
        from levolve.runs.executors import work_pool

        source, scheme = prepare(recipe, ranges, population, generations, seeds, size=size, settings=changes)
        with work_pool(threads, cluster) as executor, report.bar(f"tuning {source.name}", scheme.total) as bar:
            display = _Display(source)
            report.above = display.picture

            def watch(progress: "Progress") -> None:
                display.progress = progress
                bar.total = progress.total
                bar.reach(progress.sets, f"sets, {progress.runs:,} runs")

            found = tune(
                source,
                population=population,
                generations=generations,
                seeds=seeds,
                budget=budget,
                random=random,
                seed=seed,
                executor=executor,
                watch=watch,
            )
            report.above = None
        files = {path: (found.recipe.to_json() if path.suffix.lower() == ".json" else found.recipe.to_toml()).encode() for path in outputs}
        if plot is not None:
            files[plot] = _plot(found)
        for path, content in files.items():
            write_file(path, content)
    if json:
        print(json_text.dumps(found.to_data(), indent=2))
    else:
        _print_result(found)
    for path in files:
        report.say(f"written: {path}")


class _Display:
    """What is seen while sets are judged: the best so far, its settings, and its level as a picture."""

    def __init__(self, source: "Recipe") -> None:
        self.source = source
        self.progress: Progress | None = None
        self._drawn: tuple[object, RenderableType | None] = (None, None)

    def picture(self) -> "RenderableType":
        """A table, and the level beside it."""
        from rich.table import Table

        from levolve.meta.tuning import level_of

        if self.progress is None or self.progress.best is None:
            return ""
        progress, best = self.progress, self.progress.best
        if self._drawn[0] is not best:
            self._drawn = best, _drawing(level_of(self.source, best))
        head = f"generation {progress.generation} of {progress.generations}, {progress.evaluations:,} evaluations"
        beside = Table.grid(padding=(0, 3))
        beside.add_row(settings_table(best.settings, f"best set: {best.score:g}"), self._drawn[1] or "")
        whole = Table.grid()
        whole.add_row(head)
        whole.add_row(beside)
        return whole


def settings_table(settings: "Mapping[str, Any]", title: str) -> "RenderableType":
    """A set of settings, a line each."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title, overflow="fold")
    table.add_column("", justify="right")
    for path, value in settings.items():
        table.add_row(Text(path), Text(_written(value)))
    return table


def _written(value: object) -> str:
    """A setting as people read it."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value["kind"]) if isinstance(value, dict) and "kind" in value else str(value)


def _drawing(level: "Level | None") -> "RenderableType | None":
    from rich.text import Text

    from levolve.formats.terminal import terminal_picture

    return None if level is None else Text.from_ansi(terminal_picture(level))


def _check_outputs(outputs: list[Path], plot: Path | None) -> None:
    """Refuse a wrong file name, or a plot that cannot be drawn, before the work, not after it."""
    from levolve.formats.files import check_writable

    for path in outputs:
        if path.suffix.lower() not in RECIPE_FILES:
            message = f"--output: expected a file name that ends in {' or '.join(RECIPE_FILES)}, for a recipe, got {str(path)!r}"
            raise InputError(message)
        check_writable(path)
    if plot is None:
        return
    if plot.suffix.lower() != PICTURE:
        message = f"--plot: expected a file name that ends in {PICTURE}, got {str(plot)!r}"
        raise InputError(message)
    check_writable(plot)
    if find_spec("matplotlib") is None:
        message = "--plot: needs matplotlib, which is not there; install it: pip install 'levolve[plot]'"
        raise LevolveError(message)


def _plot(found: "Tuning") -> bytes:
    from levolve.meta.charts import tuning_picture

    return tuning_picture(found)


def _print_result(found: "Tuning") -> None:
    """The best set, its level, and what it is worth: on the runs it was chosen by, and on others."""
    from rich.console import Console

    if found.level is not None:
        print_level(found.level)
    judged_by = "one run, a lucky one" if found.scheme.seeds == 1 else f"the mean of {found.scheme.seeds} runs"
    used = f"{found.sets:,} sets, {found.runs:,} runs, {found.evaluations:,} evaluations in {found.seconds:.3g} s"
    print(f"{found.source.name}, seed {found.seed}: {used}")
    Console(highlight=False).print(settings_table(found.settings, "the best set"))
    count = len(found.fresh)
    print(f"  {found.best_score:<8g} the score it was chosen by: {judged_by}")
    print(f"  {found.fresh.mean():<8g} the mean of {count} runs with fresh seeds, {found.fresh.min():g} to {found.fresh.max():g}")
    print(f"  {found.untuned.mean():<8g} the mean of the recipe as it was, with the same seeds")
    print(f"  digest   {found.digest}")
