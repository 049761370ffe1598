"""`levolve pack`: many levels at once, to order."""

import json as json_text
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import (
    Formats,
    From,
    Json,
    Keep,
    Quiet,
    RecipeName,
    Seed,
    Settings,
    Size,
    Threads,
    parse_settings,
    read_targets,
    what_to_keep,
)
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from levolve.packs.pack import Pack

BARS = "▁▂▃▄▅▆▇█"
COLUMNS = 48


def pack(
    recipe: RecipeName,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", help="How many levels.")] = 24,
    size: Size = None,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="MEASURE=LOW..HIGH", help="A value or range of a measure that every level shall have. May be repeated."),
    ] = None,
    spread: Annotated[
        list[str] | None,
        typer.Option("--spread", metavar="MEASURE[=WITHIN]", help="Spread a target's range over the levels: each has its own value, within so much."),
    ] = None,
    distinct: Annotated[
        float, typer.Option("--distinct", metavar="SHARE", help="The share of cells, from 0 to below 1, that differ at least between any two levels.")
    ] = 0.0,
    curve: Annotated[
        str | None, typer.Option("--curve", metavar="FROM..TO", help="Order by difficulty, spread evenly: easy..hard, hard..easy, 0.2..0.6.")
    ] = None,
    to: Formats = None,
    seed: Seed = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write into.")] = Path("levolve-pack"),
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", help="How many searches in a row may come to nothing before a wish is given up (8)."),
    ] = None,
    source: From = None,
    keep: Keep = None,
    settings: Settings = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a pack: many levels at once, each as wished, distinct from the others, and proven; with a page to play them.

    RECIPE may also be flag or sliding: a pack of puzzles, by what they cost a solver.
    """
    from levolve.cli.puzzle_pack import FORMS_UNLESS_TOLD, pack_puzzles

    if recipe in FORMS_UNLESS_TOLD:
        unfit = {
            "--target": target,
            "--spread": spread,
            "--distinct": distinct,
            "--budget": budget is not None,
            "--from": source,
            "--keep": keep,
            "--set": settings,
            "--threads": threads,
        }
        pack_puzzles(recipe, count, size, curve, to, seed, output, [name for name, given in unfit.items() if given], json=json, quiet=quiet)
        return
    from levolve.formats.files import load_level
    from levolve.runs.evolving import adapt

    began = time.monotonic()
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.making import Making
        from levolve.packs.order import Order
        from levolve.packs.pack import FORMATS_UNLESS_TOLD, check_formats, formats_of
        from levolve.runs.executors import thread_pool

        formats = formats_of(FORMATS_UNLESS_TOLD if to is None else to)
        words, rows = what_to_keep(keep, source)
        start = None if source is None else load_level(source)
        adapted = adapt(recipe, size=size, settings={**rows, **parse_settings(settings)}, start=start, keep=words)
        order = Order.of(adapted, count=count, target=_targets(target, spread), distinct=distinct, curve=curve, budget=budget)
        check_folder(output)
        check_formats(formats, order, output)
        with thread_pool(threads) as executor, report.bar(f"making {adapted.name}", count) as bar:
            making = Making(order, seed, executor)
            for decided in making.rounds():
                bar.reach(decided)
        made = making.pack
        if made.levels:
            made.save(output, formats)
    seconds = time.monotonic() - began
    if json:
        work = {"searches": making.searches, "evaluations": making.evaluations, "seconds": round(seconds, 3)}
        print(json_text.dumps({**made.to_data(), "folder": str(output.resolve()) if made.levels else None, **work}, indent=2))
    elif made.levels:
        print_pack(made, f"{adapted.name} {adapted.size[0]}x{adapted.size[1]}, seed {making.seed}")
        print(f"  {making.evaluations:,} evaluations in {_count_of(making.searches, 'search', 'searches')}, {seconds:.3g} s")
        print_folder(len(made.levels), "level", output, formats)
    if not made.report.met:
        raise LevolveError(_shortcoming(made, output, order.budget))


def _targets(targets: list[str] | None, spreads: list[str] | None) -> dict[str, Any]:
    """`--target` wishes, those named by `--spread` spread over the levels."""
    from levolve.objectives.target import parse_range
    from levolve.packs.wanted import spread as spread_over

    wishes: dict[str, Any] = dict(read_targets(targets))
    for text in spreads or []:
        measure, sign, within = (part.strip() for part in text.partition("="))
        if measure not in wishes or not isinstance(wishes[measure], str) or ".." not in wishes[measure]:
            message = f"--spread {text}: expected a range to spread beside it, once, such as --target {measure or 'exit_path'}=30..90"
            raise InputError(message)
        try:
            allowed = float(within) if sign else None
        except ValueError as problem:
            message = f"--spread: expected MEASURE or MEASURE=WITHIN such as longest_path=7, got {text!r}"
            raise InputError(message) from problem
        ends: Any = parse_range(wishes[measure])
        wishes[measure] = spread_over(ends[0], ends[1], allowed)
    return wishes


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written into, before the work."""
    from levolve.errors import OutputError
    from levolve.formats.files import check_writable
    from levolve.packs.folder import MANIFEST, PAGE, SHEET

    if folder.exists() and not folder.is_dir():
        message = f"output {folder}: expected a folder, got a file; choose another place"
        raise OutputError(message)
    for name in (MANIFEST, PAGE, SHEET):
        check_writable(folder / name)


def print_pack(made: "Pack", title: str) -> None:
    """What a pack is like: how many levels, how they differ, and the extent of every measure."""
    print(f"{title}: {str(made.report).splitlines()[0]}")
    for wishes in made.report.wishes:
        found = wishes["distinct"]["found"]
        if len(made.parts) == 1 and found is not None:
            print(f"  distinct               {found:.1%} of the cells or more differ between any two levels")
    print_extents(made.measures)
    print(f"  digest                 {made.digest}")


def print_extents(measured: list[dict[str, int]]) -> None:
    """The extent of every measure that all have, with its course from the first to the last."""
    shared = {name: [measures.get(name) for measures in measured] for name in measured[0]}
    rows = {name: (_extent(values), _spark(values)) for name, values in shared.items() if None not in values}
    width = max(len(extent) for extent, _ in rows.values())
    for name, (extent, spark) in rows.items():
        print(f"  {name.replace('_', ' '):<22} {extent:<{width}}  {spark}".rstrip())


def print_folder(found: int, noun: str, folder: Path, formats: list[str]) -> None:
    """Where everything is."""
    print(f"  {_count_of(found, noun)} as {', '.join(formats)}, sheet.png and pack.json are in {folder}")
    print(f"Open {(folder / 'index.html').resolve()} in a browser to look at them and play.")


def _count_of(number: int, one: str, several: str = "") -> str:
    """`1 level`, `12 levels`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _extent(values: list[Any]) -> str:
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low} to {high}"


def _spark(values: list[Any]) -> str:
    """The values as a row of bars, from the first level to the last; of many, every so manyth."""
    low, high = min(values), max(values)
    if low == high:
        return ""
    step = -(-len(values) // COLUMNS)
    return "".join(BARS[(value - low) * (len(BARS) - 1) // (high - low)] for value in values[::step])


def _shortcoming(made: "Pack", output: Path, budget: int) -> str:
    first, *rest = str(made.report).splitlines()
    written = f"; those found are in {output}" if made.levels else "; nothing was written"
    return f"{first}{written}. {' — '.join(rest)}. Wish for less, or search longer with --budget (now {budget}) or --set generations=N"
