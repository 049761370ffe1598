"""`levolve solve`: a puzzle, by evolution or by exact search."""

import json as json_text
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.jobs import Options, Presenter, Written, carry_out, start
from levolve.cli.options import Generations, Json, PuzzleSettings, Quiet, Seed, parse_settings
from levolve.cli.pictures import above, print_picture
from levolve.cli.puzzle_options import given
from levolve.cli.report import Bar, Report
from levolve.errors import InputError, LevolveError
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.events import Event, Watch
    from levolve.puzzles.position import Position
    from levolve.puzzles.puzzle import Puzzle
    from levolve.puzzles.solution import Solution
    from levolve.runs.solving import SolverJob
    from levolve.runs.store.places import Storing


def solve(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="sliding, flag, or the name of another puzzle that is registered.")],
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A file; sliding: a board such as 8672543_1, or numbers with commas; flag: the number of one of the 30 shipped rounds.",
        ),
    ],
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="genetic or exact.")] = "genetic",
    seed: Seed = None,
    generations: Generations = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="BOARD", help="sliding: another goal than 1, 2, 3 … and the blank last.")] = None,
    size: Annotated[str | None, typer.Option("--size", metavar="WxH", help="sliding: width and height where the board is no square.")] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            "--scheme",
            metavar="NAME",
            help="Which genetic algorithm. sliding: enhanced, source; flag: guided, plain, source-1, source-2, source-3. The first is the default.",
        ),
    ] = None,
    settings: PuzzleSettings = None,
    boards: Annotated[bool, typer.Option("--boards", help="Print the solution as a list of boards as well, one per line (sliding).")] = False,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help=".gif: the solution played; .png: the start; .json, .txt, .tmx: both. May be repeated."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Solve a position of a puzzle: a sliding puzzle, a round of Reach the Flag, or any other puzzle that is registered."""
    from levolve.preparing import prepare_aside

    aside = [[f"solution {puzzle} {position}", f"solving {puzzle} {position}"]] if method == "genetic" else []
    with Report(quiet=quiet) as report, report.watching_kernels(), prepare_aside(*aside):
        # While these are loaded, the other process begins.
        from levolve.formats.writing import check_writable
        from levolve.puzzles import PUZZLES
        from levolve.puzzles.files import form_of
        from levolve.runs.solving import SolverJob

        chosen = PUZZLES[puzzle]
        read = chosen.read(position, **given(chosen.options, chosen.plural, {"goal": goal, "size": size}))
        if boards and not chosen.boards(read, ""):
            message = f"--boards: {chosen.plural} are not written one per line; leave it out"
            raise InputError(message)
        changes: dict[str, Any] = {**parse_settings(settings), **({} if generations is None else {"generations": generations})}
        for path in output or []:
            form_of(chosen, path)
            check_writable(path)
        options = {"output": output or [], "boards": boards, "json": json, "quiet": quiet}
        job = SolverJob(puzzle, read, method=method, seed=seed, scheme=scheme, settings=changes)
        written = carry_out(start(job, storing, options), SOLVE, report)
    SOLVE.show(job, options, written, report, json=json)


class SolvePresenter(Presenter):
    """Shows how a puzzle is solved."""

    kind: ClassVar[str] = "solve"
    defaults: ClassVar[Options] = {"output": [], "boards": False}

    @contextmanager
    def watching(self, report: Report, job: "SolverJob") -> "Iterator[Watch]":
        """Show the best attempt above a bar of generations; exact search has a bar without an end."""
        from levolve.puzzles import PUZZLES

        if job.method == "exact":
            with report.waiting(f"exact search, {job.name}"):
                yield lambda _: None
        else:
            with report.bar(f"solving {job.name}", 1) as bar:
                yield _watch(report, bar, PUZZLES[job.name], job.position)

    def write(self, job: "SolverJob", options: Options) -> Written:
        """Write the solved position."""
        from levolve.puzzles.files import save

        solution, files = job.result, [Path(path) for path in options["output"]]
        if not solution.solved:
            files = []
        for path in files:
            save(job.position.with_solution(solution.moves), path)
        return Written(solution.to_data(), files)

    def show(self, job: "SolverJob", options: Options, written: Written, report: Report, *, json: bool) -> None:
        """Print the solution."""
        from levolve.puzzles import PUZZLES

        solution = job.result
        if json:
            print(json_text.dumps(written.data, indent=2))
        elif solution.solved:
            _print(PUZZLES[job.name], job.position, solution, boards=options["boards"])
        if not solution.solved:
            raise LevolveError(solution.summary)
        for path in written.files:
            report.say(f"written: {path}")


SOLVE = SolvePresenter()


def _watch(report: Report, bar: Bar, puzzle: "Puzzle[Any]", read: "Position") -> "Callable[[Event], None]":
    from levolve.puzzles.progress import SolverProgress

    def watch(event: "Event") -> None:
        if not isinstance(event, SolverProgress):
            return
        bar.total = event.generations
        caption = f"best attempt {event.best:g} after {len(event.attempt)} moves, diversity {event.diversity:.0%}"
        report.above = above(lambda colour: puzzle.terminal(read, event.attempt, colour=colour), caption)
        bar.reach(event.generation)

    return watch


def _print(puzzle: "Puzzle[Any]", read: "Position", solution: "Solution", *, boards: bool) -> None:
    print_picture(lambda colour: puzzle.terminal(read, colour=colour))
    how = f"{solution.generations:,} generations, {solution.evaluations:,} evaluations, seed {solution.seed}"
    if solution.method == "exact":
        how = f"exact search, {solution.evaluations:,} positions"
    print(one_line(f"{solution.summary}: {solution.moves}"))
    print(f"  {how}, {solution.seconds:.3g} s")
    for remark in solution.remarks:
        print(f"  {one_line(remark)}")
    for board in solution.boards if boards else ():
        print(board)
