"""`levolve pack`: build many levels at once."""

import json as json_text
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.jobs import Options, Presenter, Written, carry_out, start, stored_original
from levolve.cli.options import (
    Cluster,
    Formats,
    FrameOption,
    From,
    Json,
    Keep,
    Like,
    Quiet,
    RecipeNames,
    Seed,
    Settings,
    Size,
    ThemeOption,
    Threads,
    TileOption,
    parse_settings,
    read_targets,
    recipes_and_examples,
    what_to_keep,
)
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.cli.report import Bar
    from levolve.events import Event, Watch
    from levolve.packs.builder import PackBuilder
    from levolve.packs.mixed import MixedPackBuilder
    from levolve.packs.pack import Pack
    from levolve.runs.store.places import Storing

BARS = "▁▂▃▄▅▆▇█"
COLUMNS = 48


def pack(
    recipes: RecipeNames = None,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", help="Number of levels.")] = 24,
    size: Size = None,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="MEASURE=LOW..HIGH", help="Require a value or range of a measure for every level. May be repeated."),
    ] = None,
    spread: Annotated[
        list[str] | None,
        typer.Option(
            "--spread",
            metavar="MEASURE[=WITHIN]",
            help="Spread a target's range evenly over the levels: each level has its own value, with tolerance WITHIN.",
        ),
    ] = None,
    distinct: Annotated[
        float, typer.Option("--distinct", metavar="SHARE", help="Minimum share of cells (0 <= SHARE < 1) in which any two levels differ.")
    ] = 0.0,
    curve: Annotated[
        str | None, typer.Option("--curve", metavar="FROM..TO", help="Order by difficulty, evenly spaced: easy..hard, hard..easy, 0.2..0.6.")
    ] = None,
    to: Formats = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    seed: Seed = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder.")] = Path("levolve-pack"),
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", help="Failed searches in a row before a target is abandoned. Default: 8."),
    ] = None,
    source: From = None,
    keep: Keep = None,
    like: Like = None,
    frame: FrameOption = False,
    settings: Settings = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Build a pack of distinct, proven winnable levels that meet their targets, and a page to play them.

    Several recipes share the levels evenly. RECIPE may also be the name of a puzzle, such as flag or sliding: a pack of puzzles, ordered by the
    effort of a solver.
    """
    from levolve.puzzles import PUZZLES

    names, examples = recipes_and_examples(recipes, like)
    puzzles = [name for name in names if name in PUZZLES]
    if puzzles and len(names) > 1:
        message = f"RECIPE: expected recipes of levels, or one puzzle alone, got {', '.join(map(str, names))}; make a pack of {puzzles[0]} of its own"
        raise InputError(message)
    if puzzles:
        from levolve.cli.puzzle_pack import pack_puzzles

        unfit = {
            "--target": target,
            "--spread": spread,
            "--distinct": distinct,
            "--budget": budget is not None,
            "--from": source,
            "--keep": keep,
            "--like": like,
            "--frame": frame,
            "--set": settings,
            "--theme": theme,
            "--tile": tile is not None,
        }
        refused = [name for name, given in unfit.items() if given]
        pack_puzzles(
            str(puzzles[0]), count, size, curve, to, seed, output, refused, cluster=cluster, threads=threads, json=json, quiet=quiet, storing=storing
        )
        return
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.files import open_level
        from levolve.formats.look import look_of
        from levolve.packs.folder import check_folder
        from levolve.packs.pack import DEFAULT_FORMATS, check_formats, formats_of
        from levolve.packs.packing import builder_of, orders_of
        from levolve.recipes.adapt import adapt
        from levolve.runs.executors import work_pool

        formats = formats_of(DEFAULT_FORMATS if to is None else to)
        look = look_of(theme, tile)
        words, rows = what_to_keep(keep, source)
        start_level, original = (None, None) if source is None else open_level(source)
        kept = None if original is None else original.kept
        changes = {**rows, **parse_settings(settings)}
        adapted = [adapt(name, size=size, settings=changes, start=start_level, keep=words, kept=kept, frame=frame, like=examples) for name in names]
        wanted = _targets(target, spread)
        with _watching_probes(report) as watch:
            orders = orders_of(adapted, count=count, target=wanted, distinct=distinct, curve=curve, budget=budget, watch=watch)
        check_folder(output)
        for order in orders:
            check_formats(formats, order, output, look)
        options = {"output": output, "formats": formats, "look": look.to_data(), **stored_original(original), "json": json, "quiet": quiet}
        with work_pool(threads, cluster) as executor:
            builder = builder_of(orders, seed, executor)
            presenter = PACK if len(orders) == 1 else MIXED_PACK
            written = carry_out(start(builder, storing, options), presenter, report)
    presenter.show(builder, options, written, report, json=json)


class PackPresenter(Presenter):
    """Shows a pack."""

    kind: ClassVar[str] = "pack"

    @contextmanager
    def watching(self, report: Report, job: "PackBuilder | MixedPackBuilder") -> "Iterator[Watch]":
        """Show a bar of levels."""
        with report.bar(f"building {job.name}", job.count, "levels") as bar:
            yield watch_searches(bar)

    def save_partial(self, job: "PackBuilder | MixedPackBuilder", options: Options) -> list[str]:
        """Write the levels found so far, unless another pack is in the folder."""
        made, folder = job.pack, Path(options["output"])
        return save_unless_present(folder, len(made.levels), "level", lambda: _save(made, options))

    def write(self, job: "PackBuilder | MixedPackBuilder", options: Options) -> Written:
        """Write the folder."""
        made, folder = job.pack, Path(options["output"])
        if made.levels:
            _save(made, options)
        return Written(made.summary(folder if made.levels else None), [])

    def show(self, job: "PackBuilder | MixedPackBuilder", options: Options, written: Written, report: Report, *, json: bool) -> None:  # noqa: ARG002 nothing more to say
        """Print the report."""
        made, folder = job.pack, Path(options["output"])
        if json:
            print(json_text.dumps(written.data, indent=2))
        elif made.levels:
            print_pack(made, f"{job.title}, seed {job.seed}")
            searches, evaluations = (sum(getattr(part, name) for part in made.parts) for name in ("searches", "evaluations"))
            print(f"  {evaluations:,} evaluations in {_count_of(searches, 'search', 'searches')}, {made.seconds:.3g} s")
            print_folder(len(made.levels), "level", folder, options["formats"])
        if not made.report.met:
            raise LevolveError(_shortcoming(made, folder, job.budget))


class MixedPackPresenter(PackPresenter):
    """Shows a pack of several recipes."""

    kind: ClassVar[str] = "mixed-pack"


PACK, MIXED_PACK = PackPresenter(), MixedPackPresenter()


def _save(made: "Pack", options: Options) -> None:
    from levolve.formats.originals import Original

    original = Original.from_data(options.get("original"))
    made.save(Path(options["output"]), options["formats"], **options.get("look", {}), original=original)


def save_unless_present(folder: Path, found: int, noun: str, save: Callable[[], object]) -> list[str]:
    """Write the part of a pack that was found so far, unless a pack is in the folder: a whole one is not replaced by a part of another."""
    from levolve.packs.manifest import MANIFEST
    from levolve.packs.switching import finish_switch

    if not found:
        return []
    finish_switch(folder)
    if (folder / MANIFEST).exists():
        return [f"the pack in {folder} was left as it is"]
    save()
    return [f"the {_count_of(found, noun)} found so far {'is' if found == 1 else 'are'} in {folder}"]


def watch_searches(bar: "Bar") -> "Watch":
    """Show each finished search on a bar of levels."""

    def watch(event: "Event") -> None:
        from levolve.packs.events import SearchFinished

        if isinstance(event, SearchFinished):
            bar.reach(event.decided, _count_of(event.searches, "search", "searches"))

    return watch


@contextmanager
def _watching_probes(report: Report) -> "Iterator[Watch]":
    """Show a bar of the generations of the searches that set how similar to the examples levels must be."""
    with ExitStack() as bars:
        shown: dict[str, Bar] = {}

        def watch(event: "Event") -> None:
            from levolve.packs.events import ProbeAdvanced

            if isinstance(event, ProbeAdvanced):
                if event.recipe not in shown:
                    shown[event.recipe] = bars.enter_context(
                        report.bar(f"comparing {event.recipe} with the examples", event.generations, "generations")
                    )
                shown[event.recipe].reach(event.generation)

        yield watch


def _targets(targets: list[str] | None, spreads: list[str] | None) -> dict[str, Any]:
    """Parse the ranges of `--target`; those named by `--spread` are spread over the levels."""
    from levolve.objectives.target import parse_range
    from levolve.packs.targets import spread as spread_over

    ranges: dict[str, Any] = dict(read_targets(targets))
    for text in spreads or []:
        measure, sign, within = (part.strip() for part in text.partition("="))
        if measure not in ranges or not isinstance(ranges[measure], str) or ".." not in ranges[measure]:
            message = f"--spread {text}: expected a range to spread, given once, such as --target {measure or 'exit_path'}=30..90"
            raise InputError(message)
        try:
            allowed = float(within) if sign else None
        except ValueError as problem:
            message = f"--spread: expected MEASURE or MEASURE=WITHIN such as longest_path=7, got {text!r}"
            raise InputError(message) from problem
        ends: Any = parse_range(ranges[measure])
        ranges[measure] = spread_over(ends[0], ends[1], allowed)
    return ranges


def print_pack(made: "Pack", title: str) -> None:
    """Print how many levels a pack has, how they differ, and the extent of every measure."""
    print(one_line(f"{title}: {made.report.headline}"))
    for targets in made.report.targets:
        found = targets["distinct"]["found"]
        if len(made.parts) == 1 and found is not None:
            print(f"  distinct               {found:.1%} of the cells or more differ between any two levels")
    print_extents(made.measures)
    print(f"  digest                 {made.digest}")
    for remark in made.report.remarks:
        print(one_line(f"  {remark}"))


def print_extents(measured: Sequence[Mapping[str, float]]) -> None:
    """Print the extent of every measure that all levels have, with a chart of its values from the first level to the last."""
    shared = {name: [measures.get(name) for measures in measured] for name in measured[0]}
    rows = {name: (_extent(values), _spark(values)) for name, values in shared.items() if None not in values}
    width = max(len(extent) for extent, _ in rows.values())
    for name, (extent, spark) in rows.items():
        print(f"  {name.replace('_', ' '):<22} {extent:<{width}}  {spark}".rstrip())


def print_folder(found: int, noun: str, folder: Path, formats: list[str]) -> None:
    """Print which files are in the folder, and which one to open."""
    print(f"  {_count_of(found, noun)} as {', '.join(formats)}, sheet.png and pack.json are in {one_line(folder)}")
    print(f"Open {one_line((folder / 'index.html').resolve())} in a browser to play them.")


def _count_of(number: int, one: str, several: str = "") -> str:
    """`1 level`, `12 levels`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _extent(values: list[Any]) -> str:
    from levolve.measures.measure import number_text

    low, high = number_text(min(values)), number_text(max(values))
    return low if low == high else f"{low} to {high}"


def _spark(values: list[Any]) -> str:
    """Draw values as a row of at most `COLUMNS` bars, from the first level to the last; of more values, every n-th is drawn."""
    low, high = min(values), max(values)
    if low == high:
        return ""
    step = -(-len(values) // COLUMNS)
    return "".join(BARS[int((value - low) * (len(BARS) - 1) // (high - low))] for value in values[::step])


def _shortcoming(made: "Pack", output: Path, budget: int) -> str:
    written = f"; those found are in {output}" if made.levels else "; nothing was written"
    missed = " — ".join(made.report.shortcomings)
    advice = f"Widen the targets, or search longer with --budget (now {budget}) or --set generations=N"
    return f"{made.report.headline}{written}. {missed}. {advice}"
