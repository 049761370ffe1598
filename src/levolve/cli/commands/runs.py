"""`levolve runs`: list stored runs, show, plot, delete, export and repair them.

`levolve resume`: continue a stored run.
"""

import json as json_text
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.command_table import Command, Group
from levolve.cli.options import Cluster, Json, Quiet, Threads
from levolve.cli.presenters import Presenter, Store, carry_out
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.registry import Registry
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.jobs.store.records import StoredRun
    from levolve.jobs.store.store import Store as RunStore

# How the command of each kind of job presents it.
PRESENTERS: Registry[Presenter] = Registry(
    "kind of job",
    {
        "evolve": "levolve.cli.commands.evolve:EVOLVE",
        "evolve-content": "levolve.cli.commands.evolve:EVOLVE_CONTENT",
        "pack": "levolve.cli.commands.pack:PACK",
        "mixed-pack": "levolve.cli.commands.pack:PACK",
        "puzzle-pack": "levolve.cli.commands.pack:PACK",
        "illuminate": "levolve.cli.commands.illuminate:ILLUMINATE",
        "compare": "levolve.cli.commands.compare:COMPARE",
        "compare-sizes": "levolve.cli.commands.compare:COMPARE_SIZES",
        "compare-illuminations": "levolve.cli.commands.compare:COMPARE_ILLUMINATIONS",
        "range": "levolve.cli.commands.range:RANGE",
        "meta": "levolve.cli.commands.tune:META",
        "solve": "levolve.cli.commands.puzzles:SOLVE",
        "map": "levolve.cli.presenters:TILES",
        "pcg-pack": "levolve.cli.commands.packs:PCG_PACK",
    },
)
RunNumber = Annotated[
    str, typer.Argument(metavar="RUN", help="The number of a run (see 'levolve runs'), or 'last'.")
]


def resume(
    run: RunNumber = "last",
    store: Store = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Continue an interrupted run. Result and files are the same as without the interruption.

    A run that has ended is shown again, without searching again. A run that the studio or Python
    began is printed; no file is written.
    """
    from levolve.jobs.store.store import Store as RunStore

    with RunStore(_path(store), create=False) as opened:
        record = opened.find(run)
        json, quiet = (
            json or bool(record.options.get("json")),
            quiet or bool(record.options.get("quiet")),
        )
        presenter = PRESENTERS[record.kind]
        with Report(quiet=quiet) as report, report.watching_kernels():
            from levolve.jobs.executors import work_pool
            from levolve.jobs.resume import reopen

            with work_pool(threads, cluster) as pool:
                runner = reopen(opened, record, pool)
                runner.options = {**presenter.defaults, **record.options}
                written = carry_out(runner, presenter, report)
    presenter.show(runner.job, runner.options, written, report, json=json)


def _path(store: Path | None) -> Path:
    from levolve.jobs.store.places import default_path

    return default_path() if store is None else store


runs = typer.Typer(
    name="runs",
    cls=Group,
    help="List stored runs, show, plot, delete, export and repair them.",
    invoke_without_command=True,
    add_completion=False,
)
NEWEST = 20
TITLES = ["run", "kind", "recipe", "size", "seed", "state", "result", "ago"]
SIDES = "><<>><<>"
# The columns that may be shortened, and how far.
SHORTENED, SHORTEST = (TITLES.index("recipe"), TITLES.index("result")), 8
GAP = "  "
UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


@runs.callback()
def list_runs(
    context: typer.Context,
    store: Store = None,
    count: Annotated[
        int,
        typer.Option(
            "--count", "-n", metavar="N", min=1, help="How many runs to list, the newest first."
        ),
    ] = NEWEST,
    every: Annotated[bool, typer.Option("--all", help="List all runs.")] = False,
    json: Json = False,
) -> None:
    """List stored runs, the newest first."""
    context.obj = store
    if context.invoked_subcommand is not None:
        return
    with _opened(context, None) as opened:
        found = opened.runs()
        path = opened.path
    shown = found if every else found[:count]
    if json:
        print(json_text.dumps([record.to_data() for record in shown], indent=2))
    elif not shown:
        print(f"no runs in {one_line(path)}")
    else:
        _print_table(shown)
        rest = (
            f"{len(found) - len(shown)} older runs: levolve runs --all\n"
            if len(shown) < len(found)
            else ""
        )
        print(
            f"{rest}levolve runs show {shown[0].id}   levolve runs plot {shown[0].id}   "
            f"levolve resume {shown[0].id}"
        )


@runs.command(cls=Command)
def show(
    context: typer.Context, run: RunNumber = "last", store: Store = None, json: Json = False
) -> None:
    """Show a run: its settings, its state, and its best level."""
    from levolve.cli.output import print_measures

    with _opened(context, store) as opened:
        record = opened.find(run)
        levels = opened.levels(record.id)
    if json:
        print(json_text.dumps(record.to_data(), indent=2))
        return
    if levels:
        _print_first(record.id, levels[0])
    size = f" {record.size}" if record.size else ""
    print(one_line(f"run {record.id}: {record.kind} {record.name}{size}, seed {record.seed}"))
    files = record.options.get("output") or []
    facts = {
        "state": _state(record),
        "result": record.headline,
        "problem": record.problem,
        "begun": _moment(record.started),
        "updated": _moment(record.updated),
        "time": f"{record.seconds:.3g} s",
        "process": str(record.process) if record.status == "running" else None,
        "levels": len(levels) if len(levels) > 1 else None,
        "written to": ", ".join(map(str, files if isinstance(files, list) else [files])),
        "plug-ins": ", ".join(record.plugins),
        "version": f"levolve {record.version}",
        "digest": (record.summary or {}).get("digest"),
    }
    print_measures({name: fact for name, fact in facts.items() if fact})
    if record.status in {"stopped", "failed"}:
        print(f"  continue with          levolve resume {record.id}")


@runs.command(cls=Command)
def plot(
    context: typer.Context,
    run: RunNumber = "last",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write a picture instead: .png or .svg."
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Plot the best and the mean score of a run over its generations, in the terminal or as a
    picture.
    """
    from levolve.jobs.charts.history import check_plot, history_picture, history_text

    if output is not None:
        check_plot(output)
    with _opened(context, store) as opened:
        record = opened.find(run)
        history = opened.history(record.id)
    if not history:
        raise InputError(
            f"run {record.id}: a {record.kind} has no history of scores to plot, or none yet"
        )
    title = f"run {record.id}: {record.kind} {record.name} {record.size}, seed {record.seed}"
    if output is None:
        import shutil

        print(one_line(title))
        print(history_text(history, *shutil.get_terminal_size()))
        return
    from levolve.formats.writing import write_file

    write_file(output, history_picture(history, title, output))
    typer.echo(f"written: {one_line(output)}", err=True)


@runs.command(cls=Command)
def delete(
    context: typer.Context,
    numbers: Annotated[
        list[str] | None, typer.Argument(metavar="RUN…", help="The numbers of the runs, or 'last'.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Delete all runs except those that are being carried out.")
    ] = False,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than",
            metavar="AGE",
            help="Delete runs that were not updated for this time, such as 30d or 12h.",
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Delete runs with their history, checkpoints and levels. Files that they wrote stay."""
    if bool(numbers) + every + (older_than is not None) != 1:
        raise InputError(
            "runs delete: expected the numbers of runs, or --all, or --older-than AGE, one of "
            "the three"
        )
    before = math.inf if older_than is None else time.time() - _parse_age(older_than)
    with _opened(context, store) as opened:
        chosen = (
            [opened.number(number) for number in numbers] if numbers else opened.deletable(before)
        )
        chosen = list(dict.fromkeys(chosen))
        opened.delete(chosen)
    print(f"deleted: {len(chosen)} run{'' if len(chosen) == 1 else 's'}")


@runs.command(cls=Command)
def export(
    context: typer.Context,
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN", help="A run whose history to export. Default: one line per run."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The .csv file. Default: standard output."
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Export all runs, or the history of one, as CSV."""
    from levolve.formats.writing import check_writable, write_file
    from levolve.jobs.store.store import history_to_csv, runs_to_csv

    if output is not None:
        if output.suffix.lower() != ".csv":
            raise InputError(
                f"--output: expected a file name that ends in .csv, got {str(output)!r}"
            )
        check_writable(output)
    with _opened(context, store) as opened:
        content = (
            runs_to_csv(opened.runs())
            if run is None
            else history_to_csv(opened.history(opened.find(run).id))
        )
    if output is None:
        print(content.decode(), end="")
        return
    write_file(output, content)
    typer.echo(f"written: {one_line(output)}", err=True)


@runs.command(cls=Command)
def repair(context: typer.Context, store: Store = None) -> None:
    """Repair the store: damaged values are replaced, and what cannot be read is deleted.

    What can be read of a damaged file is copied to a new one; the damaged one is kept. Stop the
    studio before.
    """
    from levolve.jobs.store.places import default_path
    from levolve.jobs.store.repair import repair_store

    done = repair_store(store or context.obj or default_path())
    for sentence in done:
        print(one_line(sentence))
    print(f"repairs: {len(done)}" if done else "nothing is damaged")


def _opened(context: typer.Context, store: Path | None) -> "RunStore":
    """Open the store named by the command or before it; the user's own by default."""
    from levolve.jobs.store.places import default_path
    from levolve.jobs.store.store import Store as RunStore

    path = store or context.obj
    return RunStore(default_path() if path is None else path, create=path is None)


def _print_table(records: "list[StoredRun]") -> None:
    """Print one line per run. Where the terminal is narrow, names and results are shortened."""
    import shutil

    rows = [TITLES, *([one_line(cell) for cell in _cells(record)] for record in records)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(TITLES))]
    for place in SHORTENED:
        excess = sum(widths) + len(GAP) * (len(widths) - 1) - shutil.get_terminal_size().columns
        widths[place] = max(widths[place] - max(excess, 0), min(widths[place], SHORTEST))
    rows.insert(1, ["─" * width for width in widths])
    for row in rows:
        cells = [
            cell if len(cell) <= width else f"{cell[: width - 1]}…"
            for cell, width in zip(row, widths, strict=True)
        ]
        aligned = [
            f"{cell:{side}{width}}" for cell, side, width in zip(cells, SIDES, widths, strict=True)
        ]
        print(GAP.join(aligned).rstrip())


def _cells(record: "StoredRun") -> tuple[object, ...]:
    what = (record.id, record.kind, record.name, record.size, record.seed)
    return (*what, _state(record), record.headline, age(record.updated))


def _state(record: "StoredRun") -> str:
    """The status, with the progress of a run that has not ended."""
    share = (
        ""
        if record.status == "done" or record.progress is None
        else f" {min(int(100 * record.progress), 99)} %"
    )
    return f"{record.status}{share}"


def age(moment: float) -> str:
    """How long ago something was: `5 min`."""
    seconds = max(time.time() - moment, 0)
    unit, length = next(((unit, length) for unit, length in UNITS if seconds >= length), UNITS[-1])
    return f"{int(seconds // length)} {unit}"


def _parse_age(text: str) -> float:
    number, unit = text.strip(), "d"
    for name, _ in UNITS:
        if text.strip().endswith(name):
            number, unit = text.strip().removesuffix(name), name
            break
    lengths: dict[str, Any] = dict(UNITS)
    if not number.strip().isascii() or not number.strip().isdecimal():
        raise InputError(
            "--older-than: expected a whole number of days, hours or minutes such as 30d, 12h "
            f"or 90min, got {text!r}"
        )
    return float(int(number) * lengths[unit])


def _moment(moment: float) -> str:
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))} ({age(moment)} ago)"


def _print_first(run: int, content: bytes) -> None:
    """Draw a stored level, or position of a puzzle; a damaged one is named."""
    from levolve.cli.output import print_level, print_picture
    from levolve.levels.level import Level
    from levolve.puzzles.load_save import decode_json, puzzle_of

    try:
        found = decode_json(content)
    except LevolveError as problem:
        typer.echo(
            f"levolve: run {run}: its first level cannot be read: {one_line(problem)}", err=True
        )
        return
    if isinstance(found, Level):
        print_level(found)
    else:
        print_picture(lambda colour: puzzle_of(found).terminal(found, colour=colour))
