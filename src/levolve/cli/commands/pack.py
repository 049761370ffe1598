"""`levolve pack`: build many levels at once."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.commands.packs import (
    PREFIX,
    counted,
    missing_levels,
    pack_contents,
    print_pack,
    show_pack,
    watch_searches,
    work_of,
)
from levolve.cli.options import (
    AllMeasures,
    AllowLoss,
    Change,
    Cluster,
    Curve,
    Formats,
    FrameOption,
    From,
    Json,
    Keep,
    Like,
    Processes,
    Quiet,
    RecipeNames,
    Seed,
    Settings,
    Size,
    Symmetry,
    ThemeOption,
    Things,
    Threads,
    TileOption,
    warn_of_old,
)
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start, stored_original
from levolve.cli.progress import Report
from levolve.cli.values import (
    parse_settings,
    read_targets,
    read_things,
    recipes_and_examples,
    what_to_keep,
)
from levolve.core.errors import InputError

if TYPE_CHECKING:
    from levolve.cli.progress import Bar
    from levolve.core.events import Event, Watch
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.packs.pack_job import PackJob
    from levolve.jobs.store.places import Storing


def pack(
    recipes: RecipeNames = None,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", help="Number of levels.")
    ] = 24,
    size: Size = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="MEASURE=LOW..HIGH",
            help="Require a value or range of a measure for every level. May be repeated.",
        ),
    ] = None,
    spread: Annotated[
        list[str] | None,
        typer.Option(
            "--spread",
            metavar="MEASURE[=WITHIN]",
            help=(
                "Spread a target's range evenly over the levels: each level has its own value, "
                "with tolerance WITHIN."
            ),
        ),
    ] = None,
    distinct: Annotated[
        float,
        typer.Option(
            "--distinct",
            metavar="SHARE",
            help="Minimum share of cells (0 <= SHARE < 1) in which any two levels differ.",
        ),
    ] = 0.0,
    curve: Curve = None,
    to: Formats = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    seed: Seed = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder.")
    ] = Path("levolve-pack"),
    attempts: Annotated[
        int | None,
        typer.Option(
            "--attempts",
            metavar="N",
            help="Failed searches in a row before a target is abandoned. Default: 8.",
        ),
    ] = None,
    budget: Annotated[int | None, typer.Option("--budget", hidden=True)] = None,
    archive: Annotated[
        Path | None,
        typer.Option(
            "--from-archive",
            metavar="FILE",
            help="Choose the levels from an archive of 'levolve illuminate', instead of a recipe.",
        ),
    ] = None,
    source: From = None,
    change: Change = None,
    keep: Keep = None,
    like: Like = None,
    frame: FrameOption = False,
    things: Things = None,
    allow_loss: AllowLoss = False,
    unique: Annotated[
        bool, typer.Option("--unique", help="flag: rounds with one solution only.")
    ] = False,
    symmetry: Symmetry = None,
    settings: Settings = None,
    cluster: Cluster = None,
    threads: Threads = None,
    processes: Processes = None,
    every: AllMeasures = False,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Build a pack of distinct, proven winnable levels that meet their targets, and a page to play
    them.

    RECIPE may also be the name of a puzzle, such as flag or sliding. Several recipes and puzzles
    share the levels evenly, in the order of difficulty. Options such as --size and --target then
    apply to levels only; puzzles have their usual size. pcg:NAME is a problem of the PCG Benchmark.
    """
    if budget is not None:
        attempts = attempts or budget
        warn_of_old("--budget", "--attempts")
    if archive is not None:
        if recipes:
            raise InputError(
                "--from-archive: expected no recipe as well, because the archive has one, got "
                f"{recipes[0]}"
            )
        wanted = {
            "count": count,
            "target": _targets(target, spread),
            "distinct": distinct,
            "curve": curve,
        }
        _pack_from_archive(archive, wanted, to, (theme, tile), output, json=json, quiet=quiet)
        return
    names, examples = recipes_and_examples(recipes, like)
    if any(str(name).startswith(PREFIX) for name in names):
        if len(names) > 1:
            raise InputError(
                f"RECIPE: expected {PREFIX}… alone, because its contents are not levels, got "
                f"{' and '.join(map(str, names))}"
            )
        refused: dict[str, Any] = {
            "--size": size,
            "--target": target,
            "--spread": spread,
            "--distinct": distinct,
            "--curve": curve,
            "--to": to,
            "--theme": theme,
        }
        refused |= {
            "--tile": tile,
            "--attempts": attempts,
            "--from": source,
            "--change": change,
            "--keep": keep,
            "--like": like,
            "--frame": frame,
            "--things": things,
            "--allow-loss": allow_loss,
            "--cluster": cluster,
        }
        pack_contents(
            str(names[0]),
            count,
            seed=seed,
            settings=parse_settings(settings),
            refused=refused,
            output=output,
            processes=processes,
            json=json,
            quiet=quiet,
            storing=storing,
        )
        return
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.level_files import open_level
        from levolve.formats.look import look_of
        from levolve.jobs.executors import work_pool
        from levolve.jobs.packs.pack import DEFAULT_FORMATS, formats_for
        from levolve.jobs.packs.pack_function import orders_of
        from levolve.jobs.packs.pack_job import PackJob
        from levolve.jobs.packs.replace_folder import check_folder

        look = look_of(theme, tile)
        words, rows = what_to_keep(keep, source)
        start_level, original = (None, None) if source is None else open_level(source)
        changes = {
            "settings": {**rows, **parse_settings(settings)},
            "start": start_level,
            "change": change,
            "keep": words if original is None else [words, original.kept],
            "frame": frame,
            "like": examples,
            "things": read_things(things),
            "allow_loss": allow_loss,
        }
        requirements = {
            "target": _targets(target, spread),
            "distinct": distinct,
            "budget": attempts,
        }
        request = {
            **({"unique": True} if unique else {}),
            **({} if symmetry is None else {"symmetry": symmetry}),
        }
        with _watching_probes(report) as watch:
            orders = orders_of(
                names,
                count=count,
                size=size,
                curve=curve,
                changes=changes,
                requirements=requirements,
                request=request,
                watch=watch,
            )
        check_folder(output)
        formats = formats_for(DEFAULT_FORMATS if to is None else to, orders, output, look)
        options = {
            "output": output,
            "formats": formats,
            "look": look.to_data(),
            **stored_original(original),
            **({"all": True} if every else {}),
            "json": json,
            "quiet": quiet,
        }
        with work_pool(threads, cluster, processes=processes) as executor:
            job = PackJob(orders, seed, executor)
            written = carry_out(start(job, storing, options), PACK, report)
    PACK.show(job, options, written, report, json=json)


def _pack_from_archive(
    archive: Path,
    wanted: dict[str, Any],
    to: str | None,
    style: tuple[str | None, int | None],
    output: Path,
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Choose levels of an archive, and write them like any pack."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_of
        from levolve.jobs.archives.files import load_archive
        from levolve.jobs.packs.pack import DEFAULT_FORMATS, formats_for
        from levolve.jobs.packs.pick import pick_pack
        from levolve.jobs.packs.replace_folder import check_folder

        look = look_of(*style)
        check_folder(output)
        made = pick_pack(load_archive(archive), **wanted)
        formats = formats_for(
            DEFAULT_FORMATS if to is None else to, [part.order for part in made.parts], output, look
        )
        if made.items:
            _save(made, {"output": output, "formats": formats, "look": look.to_data()})
    advice = "use an archive with more levels, or ask for less"
    show_pack(made, f"{made.name}, from {archive}", output, formats, json=json, advice=advice)


class PackPresenter(Presenter):
    """Shows a pack of a recipe, of a puzzle, or of several."""

    kind: ClassVar[str] = "pack"

    @contextmanager
    def watching(self, report: Report, job: "PackJob") -> "Iterator[Watch]":
        """Show a bar of levels."""
        with report.bar(f"building {job.name}", job.count, job.noun) as bar:
            yield watch_searches(bar)

    def save_partial(self, job: "PackJob", options: Options) -> list[str]:
        """Write the levels found so far; a part never replaces a whole pack in the folder."""
        from levolve.jobs.packs.manifest import MANIFEST
        from levolve.jobs.packs.replace_folder import finish_switch

        made, folder = job.result, _folder(options)
        if not made.items or folder is None:
            return []
        finish_switch(folder)
        if (folder / MANIFEST).exists():
            return [f"the pack in {folder} was left as it is"]
        _save(made, options)
        verb = "is" if len(made.items) == 1 else "are"
        return [f"the {counted(made)} found so far {verb} in {folder}"]

    def write(self, job: "PackJob", options: Options) -> Written:
        """Write the folder."""
        made, folder = job.result, _folder(options)
        if made.items and folder is not None:
            _save(made, options)
        return Written(made.summary(folder if made.items else None), [])

    def print_result(self, job: "PackJob", written: Written, options: Options) -> None:
        """Print the report."""
        made, title = job.result, f"{job.title}, seed {job.seed}"
        work = f"{work_of(made)}, {made.seconds:.3g} s"
        formats, every = options.get("formats", ()), bool(options.get("all"))
        print_pack(made, title, _folder(options), formats, work, every=every)

    def shortfall(self, job: "PackJob", options: Options) -> str:
        """Return how many levels are missing, and what to do about it."""
        return missing_levels(job.result, _folder(options), job.advice)


PACK = PackPresenter()


def _folder(options: Options) -> Path | None:
    return Path(options["output"]) if options["output"] else None


def _save(made: "Pack", options: Options) -> None:
    from levolve.formats.originals import Original

    original = Original.from_data(options.get("original"))
    made.save(
        Path(options["output"]), options["formats"], **options.get("look", {}), original=original
    )


@contextmanager
def _watching_probes(report: Report) -> "Iterator[Watch]":
    """Show a bar of the generations of the searches that set how similar to the examples levels
    must be.
    """
    with ExitStack() as bars:
        shown: dict[str, Bar] = {}

        def watch(event: "Event") -> None:
            from levolve.jobs.packs.events import ProbeAdvanced

            if isinstance(event, ProbeAdvanced):
                if event.recipe not in shown:
                    shown[event.recipe] = bars.enter_context(
                        report.bar(
                            f"comparing {event.recipe} with the examples",
                            event.generations,
                            "generations",
                        )
                    )
                shown[event.recipe].reach(event.generation)

        yield watch


def _targets(targets: list[str] | None, spreads: list[str] | None) -> dict[str, Any]:
    """Parse the ranges of `--target`; those named by `--spread` are spread over the levels."""
    from levolve.jobs.packs.targets import spread as spread_over
    from levolve.search.objectives.combined import parse_range

    ranges: dict[str, Any] = dict(read_targets(targets))
    for text in spreads or []:
        measure, sign, within = (part.strip() for part in text.partition("="))
        if (
            measure not in ranges
            or not isinstance(ranges[measure], str)
            or ".." not in ranges[measure]
        ):
            raise InputError(
                f"--spread {text}: expected a range to spread, given once, such as --target "
                f"{measure or 'exit_path'}=30..90"
            )
        try:
            allowed = float(within) if sign else None
        except ValueError as problem:
            raise InputError(
                f"--spread: expected MEASURE or MEASURE=WITHIN such as longest_path=7, got {text!r}"
            ) from problem
        ends: Any = parse_range(ranges[measure])
        ranges[measure] = spread_over(ends[0], ends[1], allowed)
    return ranges
