"""`levolve bench`: measure the speed of levolve on this machine, beside other libraries."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Json, Quiet, missing_extra
from levolve.cli.report import Report
from levolve.errors import InputError

if TYPE_CHECKING:
    from levolve.bench.bench import Bench
    from levolve.bench.figures import Figure

PICTURE, DATA = ".png", ".json"
WIDTH = 80


def bench(
    subjects: Annotated[
        list[str] | None, typer.Argument(metavar="[SUBJECT…]", help="Measure only these, such as evolution, packs or startup. Default: all.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Take less than two minutes, with smaller sizes and fewer rounds, instead of about 15.")
    ] = False,
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", metavar="FILE", help="Write all figures (.json) or a plot (.png). May be repeated.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure speed on this machine: evolution beside other libraries, every measure, growth with size, packs, puzzles, threads and start-up.

    DEAP, PyGAD, pymoo, LEAP, pyribs and evosax are compared if they are installed. All get the same task, and their fitness is checked.
    """
    outputs = output or []
    for path in outputs:
        if path.suffix.lower() not in {PICTURE, DATA}:
            message = f"--output: expected a name that ends in {DATA} or {PICTURE}, got {str(path)!r}"
            raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.bench.bench import Bench
        from levolve.bench.figures import Effort

        if any(path.suffix.lower() == PICTURE for path in outputs):
            try:
                from levolve.bench import chart  # noqa: F401 what is missing is reported before the work
            except ModuleNotFoundError as problem:
                raise missing_extra(problem, "bench --output", ("matplotlib",), "plot") from problem
        measured = Bench(Effort(quick=quick), tuple(subjects or ()))
        machine = measured.machine
        report.say(
            f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, Python {machine['python']}, levolve {machine['levolve']}"
        )
        with report.bar("measuring", len(measured.subjects), "subjects") as bar:
            shown = ""
            for figure in measured.figures(lambda name: bar.reach(measured.subjects.index(name), name)):
                if not json:
                    with report.paused():
                        print("\n".join(_lines(figure, is_first=figure.subject != shown)), flush=True)
                shown = figure.subject
        _write(measured, outputs)
    if json:
        print(json_text.dumps(measured.to_data(), indent=2))


def _lines(figure: "Figure", *, is_first: bool) -> list[str]:
    """Return a figure as lines of at most 80 characters, unless its name is long."""
    from levolve.bench.figures import number_text

    lines = [figure.subject] if is_first else []
    line = f"  {figure.name:<36} {number_text(figure.value):>10} {figure.unit:<13}"
    note = figure.note
    if figure.ratio is not None:
        line += f" {number_text(figure.ratio):>6} x"
        if figure.beside not in figure.name and len(line) + len(figure.beside) < WIDTH:
            line += f" {figure.beside}"
        elif figure.beside not in figure.name:
            note = "; ".join(filter(None, [f"beside {figure.beside}", note]))
    lines.append(line.rstrip())
    return [*lines, *([f"      {note}"] if note else [])]


def _write(bench: "Bench", outputs: list[Path]) -> None:
    from levolve.formats.writing import write_file

    for path in outputs:
        if path.suffix.lower() == PICTURE:
            from levolve.bench.chart import bench_picture

            write_file(path, bench_picture(bench))
        else:
            write_file(path, f"{json_text.dumps(bench.to_data(), indent=2)}\n".encode())
