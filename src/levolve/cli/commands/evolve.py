"""`levolve evolve`: run a recipe once.

`levolve evolve` with content other than levels, such as `pcg:zelda-v0`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.options import (
    AllMeasures,
    AllowLoss,
    Change,
    Cluster,
    FrameOption,
    From,
    Generations,
    Json,
    Keep,
    Like,
    Objective,
    Processes,
    Quiet,
    RecipeNames,
    Seed,
    Settings,
    Size,
    Targets,
    ThemeOption,
    Things,
    Threads,
    TileOption,
)
from levolve.cli.output import print_level, print_main_measures
from levolve.cli.presenters import (
    LoggingPresenter,
    Options,
    Presenter,
    Written,
    carry_out,
    start,
    stored_original,
)
from levolve.cli.progress import Report
from levolve.cli.values import (
    parse_settings,
    read_targets,
    read_things,
    recipes_and_examples,
    what_to_keep,
)
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.cli.terminal import LivePicture
    from levolve.core.events import Event, Watch
    from levolve.formats.look import Look
    from levolve.formats.originals import Original
    from levolve.jobs.runs.run import ContentRun, Run
    from levolve.jobs.store.places import Storing
    from levolve.levels.level import Level


class ContentPresenter(LoggingPresenter):
    """Shows a run of contents."""

    kind: ClassVar[str] = "evolve-content"

    @contextmanager
    def watching(self, report: Report, job: "ContentRun") -> "Iterator[Watch]":
        """Show a bar of generations."""
        from levolve.search.loop import GenerationScored

        with report.bar(f"evolving {one_line(job.name)}", job.recipe.generations + 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, GenerationScored):
                    bar.reach(event.generation + 1, f"best {event.best:g}")

            yield watch

    def save_partial(self, job: "ContentRun", options: Options) -> list[str]:
        """Write the best content so far; without an output, return its score."""
        if job.score is None:
            return []
        if not options["output"]:
            return [f"the best score so far is {job.score:g}"]
        return [f"the best content so far is in {', '.join(map(str, self._files(job, options)))}"]

    def write(self, job: "ContentRun", options: Options) -> Written:
        """Write the best content."""
        return Written(job.to_data(), self._files(job, options))

    def print_result(self, job: "ContentRun", written: Written, options: Options) -> None:
        """Print the best content."""
        for line in job.recipe.parts[0].describe(job.best).splitlines():
            print(one_line(line))
        print(f"{one_line(job.name)}, seed {job.seed}: best score {job.best_score:g}")
        for name, value in written.data["features"].items():
            print(f"  {one_line(name):22} {value:g}")
        print(f"  digest   {job.digest}")
        print(f"  {job.evaluations:,} evaluations in {job.seconds:.3g} s")

    @staticmethod
    def _files(job: "ContentRun", options: Options) -> list[Path]:
        from levolve.jobs.runs.output import write_content

        return write_content(job, [Path(path) for path in options["output"]])


EVOLVE_CONTENT = ContentPresenter()


def evolve(
    recipe: RecipeNames = None,
    size: Size = None,
    seed: Seed = None,
    generations: Generations = None,
    objective: Objective = None,
    target: Targets = None,
    source: From = None,
    change: Change = None,
    keep: Keep = None,
    like: Like = None,
    frame: FrameOption = False,
    things: Things = None,
    allow_loss: AllowLoss = False,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=(
                "Write the best level (see 'levolve parts formats'). .gif: animation of the run; "
                ".toml: evolved fashion rule. May be repeated."
            ),
        ),
    ] = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Draw the best level and the curve of the scores during the run."
        ),
    ] = False,
    ancestry: Annotated[
        bool,
        typer.Option(
            "--ancestry",
            help=(
                "Record the ancestors of the best level, for the studio and --json. Does not "
                "change the result."
            ),
        ),
    ] = False,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard",
            metavar="DIR",
            help="Log the scores into this folder, for: tensorboard --logdir DIR",
        ),
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    processes: Processes = None,
    every: AllMeasures = False,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Evolve a level with a recipe, and show the best one."""
    from levolve.jobs.prepare import prepare_aside

    names, examples = recipes_and_examples(recipe, like, most=1)
    with (
        Report(quiet=quiet) as report,
        report.watching_kernels(),
        prepare_aside([f"breeding {names[0]}", "measures"]),
    ):
        # While these are loaded, the other process begins.
        from levolve.jobs.executors import work_pool
        from levolve.jobs.runs.output import check_outputs
        from levolve.jobs.runs.run import Run
        from levolve.recipes.finding import adapt_any
        from levolve.recipes.recipe import Recipe

        words, rows = what_to_keep(keep, source)
        start_level, original = (None, None) if source is None else _open(source)
        changes = {**rows, **parse_settings(settings)}
        targets = read_targets(target)
        adapted = adapt_any(
            names[0],
            size=size,
            generations=generations,
            objective=objective,
            target=targets,
            settings=changes,
            start=start_level,
            change=change,
            keep=words if original is None else [words, original.kept],
            frame=frame,
            like=examples,
            things=read_things(things),
            allow_loss=allow_loss,
        )
        outputs = output or []
        presenter: Presenter
        if not isinstance(adapted, Recipe):
            from levolve.jobs.runs.output import check_content_outputs

            check_content_outputs(adapted, outputs)
            options: dict[str, Any] = {
                "output": outputs,
                "json": json,
                "quiet": quiet,
                "tensorboard": tensorboard,
            }
            presenter = EVOLVE_CONTENT
        else:
            look = look_for_outputs(outputs, theme, tile)
            check_outputs(adapted, outputs, look)
            if start_level is not None and change is None and adapted.first_genes is None:
                report.say(
                    f"{source}: the genotype of {adapted.name} cannot express this level; "
                    "the run uses only its size, places and kept cells"
                )
            elif adapted.change is not None and change is None:
                report.say(
                    f"{source}: the genotype of {adapted.name} cannot express this level; at most "
                    f"{adapted.change:.0%} of its cells change (--change)"
                )
            options = {
                "output": outputs,
                "look": None if look is None else look.to_data(),
                **stored_original(original),
                **({"all": True} if every else {}),
                "json": json,
                "quiet": quiet,
                "tensorboard": tensorboard,
            }
            if watch and not report.draws:
                report.say(
                    "--watch: expected a terminal to draw on; the run goes on without pictures"
                )
            presenter = EvolvePresenter(drawn=watch and report.draws)
        with work_pool(threads, cluster, processes=processes) as executor:
            run = Run.of(adapted, seed, executor, ancestry=ancestry)
            written = carry_out(start(run, storing, options), presenter, report)
    presenter.show(run, options, written, report, json=json)


class EvolvePresenter(LoggingPresenter):
    """Shows a run."""

    kind: ClassVar[str] = "evolve"

    def __init__(self, *, drawn: bool = False) -> None:
        """Show a bar; with `drawn` also the best level and the curve of the scores above it."""
        self.drawn = drawn
        self._report: Report | None = None

    @contextmanager
    def watching(self, report: Report, job: "Run") -> "Iterator[Watch]":
        """Show a bar of generations."""
        from levolve.search.loop import GenerationScored

        picture = _live_picture(job) if self.drawn else None
        self._report = report
        report.above = None if picture is None else picture.draw
        with report.bar(f"evolving {job.recipe.name}", job.recipe.generations + 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, GenerationScored):
                    bar.reach(event.generation + 1, f"best {event.best:g}")
                    if picture is not None:
                        picture.note(event)

            yield watch
        report.above = None

    def save_partial(self, job: "Run", options: Options) -> list[str]:
        """Write the best level so far; without an output, return its score. A level that is drawn
        stays on the terminal.
        """
        if job.score is None:
            return []
        if not options["output"]:
            if self.drawn and self._report is not None:
                self._report.keep()
            return [f"the best score so far is {job.score:g}"]
        written = _write(job, options)
        return [f"the best level so far is in {', '.join(map(str, written))}"]

    def write(self, job: "Run", options: Options) -> Written:
        """Write the best level."""
        return Written(job.to_data(), _write(job, options))

    def print_result(self, job: "Run", written: Written, options: Options) -> None:
        """Print the best level."""
        _print(job, written.data, every=bool(options.get("all")))

    def shortfall(self, job: "Run", options: Options) -> str:
        """Return the targets that the best level does not meet."""
        if not job.unmet:
            return ""
        return f"targets not met in {job.evaluations:,} evaluations: {'; '.join(job.unmet)}"


EVOLVE = EvolvePresenter()


def _open(source: Path) -> "tuple[Level, Original]":
    from levolve.formats.level_files import open_level

    return open_level(source)


def look_for_outputs(outputs: list[Path], theme: str | None, tile: int | None) -> "Look | None":
    """Return the look of the files to write; None if there are none, so that themes need not be
    loaded.
    """
    if not outputs and theme is None and tile is None:
        return None
    from levolve.formats.look import look_for

    return look_for(outputs, theme, tile)


def _live_picture(run: "Run") -> "LivePicture":
    from levolve.cli.terminal import LivePicture

    return LivePicture(run)


def _write(run: "Run", options: Options) -> list[Path]:
    if not options["output"]:
        return []
    from levolve.formats.look import Look
    from levolve.formats.originals import Original
    from levolve.jobs.runs.output import write_run

    original = Original.from_data(options.get("original"))
    return write_run(
        run,
        [Path(path) for path in options["output"]],
        Look.from_data(options.get("look")),
        original,
    )


def _print(run: "Run", data: dict[str, Any], *, every: bool) -> None:
    print_level(run.best)
    print(
        f"{one_line(run.recipe.name)} {run.best.width}x{run.best.height}, seed {run.seed}: "
        f"best score {run.best_score:g}"
    )
    print_main_measures(data["measures"], run.recipe.measured, every=every)
    if run.has_front:
        print(
            one_line(
                f"  front                  {len(run.front)} levels: {', '.join(run.front.ranges())}"
            )
        )
    if "changed_cells" in data:
        changed, cells = data["changed_cells"], run.best.tiles.size
        print(f"  changed                {changed} of {cells} cells, {changed / cells:.1%}")
    if "unseen" in data:
        print(f"  {one_line(data['unseen']['text'])}")
    print(f"  digest   {run.digest}")
    print(f"  {run.evaluations:,} evaluations in {run.seconds:.3g} s")
