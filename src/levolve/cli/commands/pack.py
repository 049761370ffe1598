"""`levolve pack`: build many levels at once."""

import json as json_text
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.commands.pcg_pack import PREFIX, pack_contents
from levolve.cli.options import (
    Cluster,
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
    ThemeOption,
    Threads,
    TileOption,
    parse_settings,
    read_targets,
    recipes_and_examples,
    what_to_keep,
)
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start, stored_original
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.cli.progress import Bar
    from levolve.core.events import Event, Watch
    from levolve.jobs.packs.builder import PackBuilder
    from levolve.jobs.packs.mixed import MixedPackBuilder
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.packs.puzzle_builder import PuzzlePackBuilder
    from levolve.jobs.store.places import Storing

    AnyBuilder = PackBuilder | MixedPackBuilder | PuzzlePackBuilder

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
    archive: Annotated[
        Path | None,
        typer.Option("--from-archive", metavar="FILE", help="Choose the levels from an archive of 'levolve illuminate', instead of a recipe."),
    ] = None,
    source: From = None,
    keep: Keep = None,
    like: Like = None,
    frame: FrameOption = False,
    unique: Annotated[bool, typer.Option("--unique", help="flag: rounds with one solution only.")] = False,
    symmetry: Annotated[str | None, typer.Option("--symmetry", metavar="NAME", help="flag: left-right, up-down or half-turn.")] = None,
    settings: Settings = None,
    cluster: Cluster = None,
    threads: Threads = None,
    processes: Processes = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Build a pack of distinct, proven winnable levels that meet their targets, and a page to play them.

    RECIPE may also be the name of a puzzle, such as flag or sliding. Several recipes and puzzles share the levels evenly, in the order of difficulty;
    --size, --target and the like are for levels then, and puzzles have their usual size. pcg:NAME is a problem of the PCG Benchmark.
    """
    if archive is not None:
        if recipes:
            message = f"--from-archive: expected no recipe as well, because the archive has one, got {recipes[0]}"
            raise InputError(message)
        wanted = {"count": count, "target": _targets(target, spread), "distinct": distinct, "curve": curve}
        _pack_from_archive(archive, wanted, to, (theme, tile), output, json=json, quiet=quiet)
        return
    names, examples = recipes_and_examples(recipes, like)
    if any(str(name).startswith(PREFIX) for name in names):
        if len(names) > 1:
            message = f"RECIPE: expected {PREFIX}… alone, because its contents are no levels, got {' and '.join(map(str, names))}"
            raise InputError(message)
        refused: dict[str, Any] = {
            "--size": size,
            "--target": target,
            "--spread": spread,
            "--distinct": distinct,
            "--curve": curve,
            "--to": to,
            "--theme": theme,
        }
        refused |= {"--tile": tile, "--budget": budget, "--from": source, "--keep": keep, "--like": like, "--frame": frame, "--cluster": cluster}
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
        from levolve.jobs.packs.pack_function import builder_of, orders_of
        from levolve.jobs.packs.replace_folder import check_folder

        look = look_of(theme, tile)
        words, rows = what_to_keep(keep, source)
        start_level, original = (None, None) if source is None else open_level(source)
        changes = {
            "settings": {**rows, **parse_settings(settings)},
            "start": start_level,
            "keep": words,
            "kept": None if original is None else original.kept,
            "frame": frame,
            "like": examples,
        }
        requirements = {"target": _targets(target, spread), "distinct": distinct, "budget": budget}
        request = {**({"unique": True} if unique else {}), **({} if symmetry is None else {"symmetry": symmetry})}
        with _watching_probes(report) as watch:
            orders = orders_of(names, count=count, size=size, curve=curve, changes=changes, requirements=requirements, request=request, watch=watch)
        check_folder(output)
        formats = formats_for(DEFAULT_FORMATS if to is None else to, orders, output, look)
        options = {"output": output, "formats": formats, "look": look.to_data(), **stored_original(original), "json": json, "quiet": quiet}
        with work_pool(threads, cluster, processes=processes) as executor:
            builder = builder_of(orders, seed, executor)
            presenter = {job.kind: job for job in (PACK, MIXED_PACK, PUZZLE_PACK)}[builder.kind]
            written = carry_out(start(builder, storing, options), presenter, report)
    presenter.show(builder, options, written, report, json=json)


def _pack_from_archive(
    archive: Path, wanted: dict[str, Any], to: str | None, style: tuple[str | None, int | None], output: Path, *, json: bool, quiet: bool
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
        formats = formats_for(DEFAULT_FORMATS if to is None else to, [part.order for part in made.parts], output, look)
        if made.items:
            _save(made, {"output": output, "formats": formats, "look": look.to_data()})
    if json:
        print(json_text.dumps(made.summary(output if made.items else None), indent=2))
    elif made.items:
        print_pack(made, f"{made.name}, from {one_line(str(archive))}")
        print_folder(made, output, formats)
    if not made.report.met:
        raise LevolveError(_shortcoming(made, output, "use an archive with more levels, or ask for less"))


class PackPresenter(Presenter):
    """Shows a pack."""

    kind: ClassVar[str] = "pack"

    @contextmanager
    def watching(self, report: Report, job: "AnyBuilder") -> "Iterator[Watch]":
        """Show a bar of levels."""
        with report.bar(f"building {job.name}", job.count, "levels") as bar:
            yield watch_searches(bar)

    def save_partial(self, job: "AnyBuilder", options: Options) -> list[str]:
        """Write the levels found so far, unless another pack is in the folder."""
        return save_unless_present(job.pack, options)

    def write(self, job: "AnyBuilder", options: Options) -> Written:
        """Write the folder."""
        made, folder = job.pack, _folder(options)
        if made.items and folder is not None:
            _save(made, options)
        return Written(made.summary(folder if made.items else None), [])

    def show(self, job: "AnyBuilder", options: Options, written: Written, report: Report, *, json: bool) -> None:
        """Print the report."""
        made, folder = job.pack, _folder(options)
        if json:
            print(json_text.dumps(written.data, indent=2))
        elif made.items:
            print_pack(made, f"{job.title}, seed {job.seed}")
            print(f"  {_work_of(made)}, {made.seconds:.3g} s")
            if folder is not None:
                print_folder(made, folder, options["formats"])
        if not made.report.met:
            raise LevolveError(_shortcoming(made, folder, job.advice))


class MixedPackPresenter(PackPresenter):
    """Shows a pack of several recipes or puzzles."""

    kind: ClassVar[str] = "mixed-pack"


class PuzzlePackPresenter(PackPresenter):
    """Shows a pack of puzzles."""

    kind: ClassVar[str] = "puzzle-pack"


PACK, MIXED_PACK, PUZZLE_PACK = PackPresenter(), MixedPackPresenter(), PuzzlePackPresenter()


def _folder(options: Options) -> Path | None:
    return Path(options["output"]) if options["output"] else None


def _save(made: "Pack", options: Options) -> None:
    from levolve.formats.originals import Original

    original = Original.from_data(options.get("original"))
    made.save(Path(options["output"]), options["formats"], **options.get("look", {}), original=original)


def save_unless_present(made: "Pack", options: Options) -> list[str]:
    """Write the part of a pack that was found so far, unless a pack is in the folder: a whole one is not replaced by a part of another."""
    from levolve.jobs.packs.manifest import MANIFEST
    from levolve.jobs.packs.replace_folder import finish_switch

    folder = _folder(options)
    if not made.items or folder is None:
        return []
    finish_switch(folder)
    if (folder / MANIFEST).exists():
        return [f"the pack in {folder} was left as it is"]
    _save(made, options)
    return [f"the {counted(made)} found so far {'is' if len(made.items) == 1 else 'are'} in {folder}"]


def watch_searches(bar: "Bar") -> "Watch":
    """Show each finished search on a bar of levels."""

    def watch(event: "Event") -> None:
        from levolve.jobs.packs.events import SearchFinished

        if isinstance(event, SearchFinished):
            bar.reach(event.decided, _count_of(event.searches, "search", "searches"))

    return watch


@contextmanager
def _watching_probes(report: Report) -> "Iterator[Watch]":
    """Show a bar of the generations of the searches that set how similar to the examples levels must be."""
    with ExitStack() as bars:
        shown: dict[str, Bar] = {}

        def watch(event: "Event") -> None:
            from levolve.jobs.packs.events import ProbeAdvanced

            if isinstance(event, ProbeAdvanced):
                if event.recipe not in shown:
                    shown[event.recipe] = bars.enter_context(
                        report.bar(f"comparing {event.recipe} with the examples", event.generations, "generations")
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
        found = targets.get("distinct", {}).get("found")
        if len(made.parts) == 1 and found is not None:
            print(f"  distinct               {found:.1%} of the cells or more differ between any two levels")
    print_extents(made.measures if len({member.unit for member in made.members}) == 1 else _difficulties(made))
    print(f"  digest                 {made.digest}")
    for remark in made.report.remarks:
        print(one_line(f"  {remark}"))


def _difficulties(made: "Pack") -> dict[str, list[float | None]]:
    """Return the difficulties of levels and of each puzzle, which have units of their own."""
    found: dict[str, list[float | None]] = {}
    for member, measures in zip(made.members, made.measures, strict=True):
        found.setdefault(f"difficulty of {member.unit or 'levels'}", []).append(measures.get("difficulty"))
    return found


def print_extents(measured: Sequence[Mapping[str, float]] | Mapping[str, list[float | None]]) -> None:
    """Print the extent of every measure that all levels have, with a chart of its values from the first level to the last."""
    shared = measured if isinstance(measured, Mapping) else {name: [measures.get(name) for measures in measured] for name in measured[0]}
    rows = {name: (_extent(values), _spark(values)) for name, values in shared.items() if None not in values}
    width = max(len(extent) for extent, _ in rows.values())
    for name, (extent, spark) in rows.items():
        print(f"  {name.replace('_', ' '):<22} {extent:<{width}}  {spark}".rstrip())


def print_folder(made: "Pack", folder: Path, formats: Sequence[str]) -> None:
    """Print which files are in the folder, and which one to open."""
    print(f"  {counted(made)} as {', '.join(formats)}, sheet.png and pack.json are in {one_line(folder)}")
    print(f"Open {one_line((folder / 'index.html').resolve())} in a browser to play them.")


def counted(made: "Pack") -> str:
    """`12 levels`, `1 puzzle`, `12 levels and 4 puzzles`."""
    counts = [(len(made.levels), "level"), (len(made.positions), "puzzle")]
    return " and ".join(_count_of(number, noun) for number, noun in counts if number) or "0 levels"


def _work_of(made: "Pack") -> str:
    """`12,000 evaluations in 14 searches`; puzzles are made without evaluations."""
    searches, evaluations = (sum(getattr(part, name) for part in made.parts) for name in ("searches", "evaluations"))
    found = _count_of(searches, "search", "searches") if evaluations else _count_of(searches, "candidate")
    return f"{evaluations:,} evaluations in {found}" if evaluations else found


def _count_of(number: int, one: str, several: str = "") -> str:
    """`1 level`, `12 levels`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _extent(values: list[Any]) -> str:
    from levolve.levels.measures.measure import number_text

    low, high = number_text(min(values)), number_text(max(values))
    return low if low == high else f"{low} to {high}"


def _spark(values: list[Any]) -> str:
    """Draw values as a row of at most `COLUMNS` bars, from the first level to the last; of more values, every n-th is drawn."""
    low, high = min(values), max(values)
    if low == high:
        return ""
    step = -(-len(values) // COLUMNS)
    return "".join(BARS[int((value - low) * (len(BARS) - 1) // (high - low))] for value in values[::step])


def _shortcoming(made: "Pack", output: Path | None, advice: str) -> str:
    is_written = made.items and output is not None
    written = f"; those found are in {output}" if is_written else "; nothing was written"
    missed = " — ".join(made.report.shortcomings)
    return f"{made.report.headline}{written}. {missed}. {advice}"
