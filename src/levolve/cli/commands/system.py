"""`levolve prepare`: compile all kernels ahead.

`levolve studio`: a local page to watch evolution, breed levels, play them and take files away.

`levolve bench`: measure the speed of levolve on this machine, compared with other libraries.
"""

import json as json_text
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Json, Quiet, missing_extra
from levolve.cli.progress import Report
from levolve.core.errors import InputError, requiring

if TYPE_CHECKING:
    from levolve.bench.bench import Bench
    from levolve.bench.measuring import Figure
    from levolve.core.events import Event
    from levolve.jobs.store.places import Storing


def prepare(
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            metavar="N",
            min=1,
            help="Compile in this number of processes. Default: one per core.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compile all kernels now, so that no later command waits for them. Needed once per version;
    fast if already compiled.
    """
    with Report(quiet=quiet) as report:
        from levolve.jobs.prepare import UnitPrepared, units
        from levolve.jobs.prepare import prepare as prepare_all

        faults: list[str] = []
        began = time.monotonic()
        with report.bar("preparing kernels", len(units())) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, UnitPrepared):
                    bar.reach(event.done, event.unit)
                    faults.extend([f"{event.unit}: {event.fault}"] if event.fault else [])

            names = prepare_all(processes, watch)
        seconds = round(time.monotonic() - began, 3)
        for fault in faults:
            report.say(f"levolve: {fault}")
    if json:
        print(json_text.dumps({"units": names, "faults": faults, "seconds": seconds}))
    elif not quiet:
        print(
            f"prepared: the kernels of {len(names) - len(faults)} of {len(names)} recipes, "
            f"puzzles and commands in {seconds:.0f} s"
        )


def studio(
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="The port. Default: any free one."
        ),
    ] = 0,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Open the studio: a page on this computer only. Runs are stored, and continue when the page is
    closed.
    """
    try:
        from levolve.studio.app import serve
    except ModuleNotFoundError as problem:
        raise missing_extra(
            problem, "studio", ("fastapi", "starlette", "uvicorn"), "studio"
        ) from problem
    if storing.path is None:
        raise InputError("--no-store: expected a store; the studio keeps its runs there")

    def announce(address: str) -> None:
        print(address, flush=True)
        if not quiet:
            typer.echo(
                (
                    "levolve: open this address in a browser; Ctrl-C stops the studio, and runs "
                    "can be resumed later"
                ),
                err=True,
            )

    serve(storing.path, port, announce=announce, open_browser=open_page)


PICTURE, DATA = ".png", ".json"
WIDTH = 80


def bench(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUBJECT…]",
            help="Measure only these, such as evolution, packs or startup. Default: all.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=(
                "Take less than two minutes, with smaller sizes and fewer rounds, instead of "
                "about 15."
            ),
        ),
    ] = False,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write all figures (.json) or a plot (.png). May be repeated.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure speed on this machine: evolution compared with other libraries, every measure, growth
    with size, packs, puzzles, threads and start-up.

    DEAP, PyGAD, pymoo, LEAP, pyribs and evosax are compared if they are installed. All get the same
    task, and their fitness is checked.
    """
    outputs = output or []
    for path in outputs:
        if path.suffix.lower() not in {PICTURE, DATA}:
            raise InputError(
                f"--output: expected a name that ends in {DATA} or {PICTURE}, got {str(path)!r}"
            )
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.bench.bench import Bench
        from levolve.bench.measuring import Effort

        if any(path.suffix.lower() == PICTURE for path in outputs):
            with requiring("bench --output", ("matplotlib",), "plot"):
                import levolve.jobs.charts.figures  # noqa: F401 what is missing is reported before the work
        measured = Bench(Effort(quick=quick), tuple(subjects or ()))
        machine = measured.machine
        report.say(
            f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, "
            f"Python {machine['python']}, levolve {machine['levolve']}"
        )
        with report.bar("measuring", len(measured.subjects), "subjects") as bar:
            shown = ""
            for figure in measured.figures(
                lambda name: bar.reach(measured.subjects.index(name), name)
            ):
                if not json:
                    with report.paused():
                        print(
                            "\n".join(_lines(figure, is_first=figure.subject != shown)), flush=True
                        )
                shown = figure.subject
        _write(measured, outputs)
    if json:
        print(json_text.dumps(measured.to_data(), indent=2))


def _lines(figure: "Figure", *, is_first: bool) -> list[str]:
    """Return a figure as lines of at most 80 characters, unless its name is long."""
    from levolve.bench.measuring import number_text

    lines = [figure.subject] if is_first else []
    line = f"  {figure.name:<36} {number_text(figure.value):>10} {figure.unit:<13}"
    note = figure.note
    if figure.ratio is not None:
        line += f" {number_text(figure.ratio):>6} x"
        if figure.beside not in figure.name and len(line) + len(figure.beside) < WIDTH:
            line += f" {figure.beside}"
        elif figure.beside not in figure.name:
            note = "; ".join(filter(None, [f"compared with {figure.beside}", note]))
    lines.append(line.rstrip())
    return [*lines, *([f"      {note}"] if note else [])]


def _write(bench: "Bench", outputs: list[Path]) -> None:
    from levolve.formats.writing import write_file

    for path in outputs:
        if path.suffix.lower() == PICTURE:
            from levolve.bench.bench import bench_picture

            write_file(path, bench_picture(bench))
        else:
            write_file(path, f"{json_text.dumps(bench.to_data(), indent=2)}\n".encode())
