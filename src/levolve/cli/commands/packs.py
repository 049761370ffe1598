"""`levolve join`: make one pack of several. `levolve demo`: build a pack of playable levels.
`levolve pack` with problems of the PCG Benchmark, such as `pcg:zelda-v0`.

`show_pack`: what all commands print of a pack.
"""

import json as json_text
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.options import Cluster, Formats, Json, Quiet, ThemeOption, Threads, TileOption
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.bridges.pcg_benchmark.pack import BenchmarkPackBuilder
    from levolve.cli.progress import Bar
    from levolve.core.events import Event, Watch
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.store.places import Storing

BARS = "▁▂▃▄▅▆▇█"
COLUMNS = 48


def join(
    folders: Annotated[list[Path], typer.Argument(metavar="PACK...", help="Folders of packs.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Output folder, which must not exist."),
    ] = Path("levolve-joined"),
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="ORDER",
            help=(
                "easy..hard, hard..easy, or given: the levels of one pack after those of the other."
            ),
        ),
    ] = "easy..hard",
    to: Formats = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join packs into a new one, in the order of difficulty. Every level keeps its origin, and
    'levolve replay' regenerates it.

    The manifest of the new pack lists the order, the seed and the results of every part. A level
    that is in two packs is an error.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.packs.pack import DEFAULT_FORMATS, formats_of
        from levolve.jobs.packs.pack_function import join_packs
        from levolve.jobs.packs.replace_folder import check_folder, check_new

        check_new(output)
        check_folder(output)
        joined = join_packs(folders, order)
        formats = formats_of(DEFAULT_FORMATS if to is None else to, joined.positions)
        joined.save(output, formats)
    show_pack(joined, f"{counted(joined)} of {len(folders)} packs", output, formats, json=json)


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder.")
    ] = Path("levolve-demo"),
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", help="Random seed. The same seed gives the same levels."
        ),
    ] = 1,
    theme: ThemeOption = None,
    tile: TileOption = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build a pack of 24 levels from several recipes, easy to hard, and a page to play them. No
    browser is opened.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_of
        from levolve.jobs.executors import work_pool
        from levolve.jobs.packs.pack_function import DEMO_FORMATS, DEMO_LEVELS, PARTS, build_demo
        from levolve.jobs.packs.replace_folder import check_folder

        check_folder(output)
        look = look_of(theme, tile)
        with (
            work_pool(threads, cluster) as executor,
            report.bar("building", DEMO_LEVELS, "levels") as bar,
        ):
            made = build_demo(seed, executor, watch_searches(bar))
        made.save(output, DEMO_FORMATS, theme=look.theme, tile=look.tile)
    title = f"{len(PARTS)} recipes, seed {seed}"
    show_pack(made, title, output, DEMO_FORMATS, json=json, advice="Choose another --seed")
    if not json:
        print("To watch evolution and breed levels of your own: levolve studio --open")


def watch_searches(bar: "Bar") -> "Watch":
    """Show each finished search on a bar of levels."""

    def watch(event: "Event") -> None:
        from levolve.jobs.packs.events import SearchFinished

        if isinstance(event, SearchFinished):
            bar.reach(event.decided, _count_of(event.searches, "search", "searches"))

    return watch


def show_pack(
    made: "Pack",
    title: str,
    folder: Path | None,
    formats: Sequence[str],
    *,
    json: bool,
    advice: str = "",
) -> None:
    """Print a pack, or its manifest as JSON; with an advice, missing levels are an error."""
    if json:
        print(json_text.dumps(made.summary(folder if made.items else None), indent=2))
    else:
        print_pack(made, title, folder, formats)
    if problem := missing_levels(made, folder, advice):
        raise LevolveError(problem)


def print_pack(
    made: "Pack",
    title: str,
    folder: Path | None,
    formats: Sequence[str],
    work: str = "",
    *,
    every: bool = False,
) -> None:
    """Print a pack: the extent of its measures, and where its files are.

    Parameters
    ----------
    made, title
        The pack, and what to print first.
    folder, formats
        Where it was written, if there was something to write, and in which formats.
    work
        What it took to build the pack.
    every
        Whether to print all measures.
    """
    if made.items:
        _print_found(made, title, every=every)
        if work:
            print(f"  {work}")
        if folder is not None:
            listed = f"{', '.join(formats)}, sheet.png and pack.json"
            print(f"  {counted(made)} as {listed} are in {one_line(folder)}")
            print(f"Open {one_line((folder / 'index.html').resolve())} in a browser to play them.")


def missing_levels(made: "Pack", folder: Path | None, advice: str) -> str:
    """Return which levels are missing, where those found are, and the advice what to do; empty if
    none is missing, or without an advice.
    """
    if not advice or made.report.met:
        return ""
    is_written = made.items and folder is not None
    written = f"; those found are in {folder}" if is_written else "; nothing was written"
    missed = " — ".join(made.report.shortcomings)
    return f"{made.report.headline}{written}. {missed}. {advice}"


def _print_found(made: "Pack", title: str, *, every: bool) -> None:
    """Print how many levels a pack has, how they differ, and the extent of every measure."""
    print(one_line(f"{title}: {made.report.headline}"))
    if made.report.asked:
        print(one_line(f"  asked                  {made.report.asked}"))
    for targets in made.report.targets:
        found = targets.get("distinct", {}).get("found")
        if len(made.parts) == 1 and found is not None:
            print(
                f"  distinct               {found:.1%} of the cells or more differ between "
                "any two levels"
            )
    shown, left = _shown(made, every=every)
    print_extents(shown)
    if left:
        print(f"  {left} more measures are in pack.json; 'pack --all' prints them")
    print(f"  digest                 {made.digest}")
    for remark in made.report.remarks:
        print(one_line(f"  {remark}"))


def _shown(
    made: "Pack", *, every: bool
) -> tuple[Sequence[Mapping[str, float]] | Mapping[str, list[float | None]], int]:
    """Return what to print of the measures, and how many are left out: those that say most about
    the levels, or all.
    """
    from levolve.levels.measures.main_measures import main_measures

    if len({member.unit for member in made.members}) > 1:
        return _difficulties(made), 0
    if every or not made.levels:
        return made.measures, 0
    wanted = [name for targets in made.report.targets for name in targets]
    most = {name: max(each.get(name, 0) for each in made.measures) for name in made.measures[0]}
    names = main_measures(most, wanted)
    shown = [{name: each[name] for name in names if name in each} for each in made.measures]
    return shown, len(most) - len(names)


def _difficulties(made: "Pack") -> dict[str, list[float | None]]:
    """Return the difficulties of levels and of each puzzle, which have units of their own."""
    found: dict[str, list[float | None]] = {}
    for member, measures in zip(made.members, made.measures, strict=True):
        found.setdefault(f"difficulty of {member.unit or 'levels'}", []).append(
            measures.get("difficulty")
        )
    return found


def print_extents(
    measured: Sequence[Mapping[str, float]] | Mapping[str, list[float | None]],
) -> None:
    """Print the extent of every measure that all levels have, with a chart of its values from the
    first level to the last.
    """
    shared = (
        measured
        if isinstance(measured, Mapping)
        else {name: [measures.get(name) for measures in measured] for name in measured[0]}
    )
    rows = {
        name: (_extent(values), _spark(values))
        for name, values in shared.items()
        if None not in values
    }
    width = max(len(extent) for extent, _ in rows.values())
    for name, (extent, spark) in rows.items():
        print(f"  {name.replace('_', ' '):<22} {extent:<{width}}  {spark}".rstrip())


def counted(made: "Pack") -> str:
    """`12 levels`, `1 puzzle`, `12 levels and 4 puzzles`."""
    counts = [(len(made.levels), "level"), (len(made.positions), "puzzle")]
    return " and ".join(_count_of(number, noun) for number, noun in counts if number) or "0 levels"


def work_of(made: "Pack") -> str:
    """`12,000 evaluations in 14 searches`; puzzles are made without evaluations."""
    searches, evaluations = (
        sum(getattr(part, name) for part in made.parts) for name in ("searches", "evaluations")
    )
    found = (
        _count_of(searches, "search", "searches")
        if evaluations
        else _count_of(searches, "candidate")
    )
    return f"{evaluations:,} evaluations in {found}" if evaluations else found


def _count_of(number: int, one: str, several: str = "") -> str:
    """`1 level`, `12 levels`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _extent(values: list[Any]) -> str:
    from levolve.levels.measures.measure import number_text

    low, high = number_text(min(values)), number_text(max(values))
    return low if low == high else f"{low} to {high}"


def _spark(values: list[Any]) -> str:
    """Draw values as a row of at most `COLUMNS` bars, from the first level to the last; of more
    values, every n-th is drawn.
    """
    low, high = min(values), max(values)
    if low == high:
        return ""
    step = -(-len(values) // COLUMNS)
    return "".join(
        BARS[int((value - low) * (len(BARS) - 1) // (high - low))] for value in values[::step]
    )


PREFIX = "pcg:"


def pack_contents(
    name: str,
    count: int,
    *,
    seed: int | None,
    settings: Mapping[str, Any],
    refused: Mapping[str, Any],
    output: Path,
    processes: int | None,
    json: bool,
    quiet: bool,
    storing: "Storing",
) -> None:
    """Build a pack of a problem of the benchmark, and write it. `refused` are options for levels,
    which must not be given.
    """
    given = [option for option, value in refused.items() if value not in (None, False, "", [], 0.0)]
    if given:
        raise InputError(
            f"{given[0]}: expected a recipe of levels, got {name}, whose contents have no such "
            "option"
        )
    unknown = [key for key in settings if key != "evaluations"]
    if unknown:
        raise InputError(
            f"--set {unknown[0]}: expected evaluations=N, the only setting of a pack of {name}"
        )
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.bridges.pcg_benchmark.pack import BenchmarkPackBuilder
        from levolve.formats.writing import check_writable
        from levolve.jobs.executors import work_pool

        check_writable(output / "pack.json")
        options = {"output": output, "json": json, "quiet": quiet}
        with work_pool(1, processes=processes) as executor:
            limit = int(settings.get("evaluations", 100_000))
            builder = BenchmarkPackBuilder(
                name.removeprefix(PREFIX), count, seed, limit, None, executor
            )
            written = carry_out(start(builder, storing, options), PCG_PACK, report)
    PCG_PACK.show(builder, options, written, report, json=json)


class BenchmarkPackPresenter(Presenter):
    """Shows a pack of a problem of the benchmark."""

    kind: ClassVar[str] = "pcg-pack"

    @contextmanager
    def watching(self, report: Report, job: "BenchmarkPackBuilder") -> "Iterator[Watch]":
        """Show a bar of filled places."""
        from levolve.bridges.pcg_benchmark.pack import PlacesFilled

        with report.bar(f"building {one_line(job.name)}", job.count, "contents") as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, PlacesFilled):
                    bar.reach(event.filled, f"{event.evaluations:,} evaluations")

            yield watch

    def write(self, job: "BenchmarkPackBuilder", options: Options) -> Written:
        """Write the contents and their pictures."""
        made = job.result
        files = made.save(Path(options["output"])) if options["output"] else []
        return Written(made.to_data(), files)

    def print_result(self, job: "BenchmarkPackBuilder", written: Written, options: Options) -> None:
        """Print the shares that the benchmark computes."""
        made = job.result
        print(
            f"{one_line(job.name)}, seed {job.seed}: {made.passed} of "
            f"{len(made.contents)} contents pass all criteria"
        )
        for name in ("quality", "diversity", "controlability"):
            print(f"  {name:22} {getattr(made, name):.0%}")
        print(f"  digest                 {made.digest}")
        print(f"  {made.evaluations:,} evaluations in {job.seconds:.3g} s")

    def shortfall(self, job: "BenchmarkPackBuilder", options: Options) -> str:
        """Return how many contents do not pass."""
        made = job.result
        if made.passed == len(made.contents):
            return ""
        return (
            f"{len(made.contents) - made.passed} of {len(made.contents)} contents do not pass "
            f"after {made.evaluations:,} evaluations; allow more with "
            f"--set evaluations={10 * job.limit}"
        )


PCG_PACK = BenchmarkPackPresenter()
