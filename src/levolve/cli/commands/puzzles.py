"""`levolve solve`: a puzzle, by evolution or by exact search.

`levolve make`: new puzzles that meet a request.
"""

import json as json_text
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.options import (
    Curve,
    Generations,
    Json,
    PuzzleRequest,
    PuzzleSettings,
    Quiet,
    Seed,
    Symmetry,
)
from levolve.cli.output import above, print_measures, print_picture
from levolve.cli.presenters import Options, Presenter, Written, carry_out, start
from levolve.cli.progress import Bar, Report
from levolve.cli.values import given, parse_settings
from levolve.core.errors import InputError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.core.events import Event, Watch
    from levolve.jobs.runs.solver_job import SolverJob
    from levolve.jobs.store.places import Storing
    from levolve.puzzles.position import Position, Solution
    from levolve.puzzles.puzzle import Puzzle


def solve(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            help="sliding, flag, or the name of another puzzle that is registered.",
        ),
    ],
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help=(
                "A file; sliding: a board such as 8672543_1, or numbers with commas; flag: the "
                "number of one of the 30 shipped rounds."
            ),
        ),
    ],
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="genetic or exact.")
    ] = "genetic",
    seed: Seed = None,
    generations: Generations = None,
    goal: Annotated[
        str | None,
        typer.Option(
            "--goal",
            metavar="BOARD",
            help="sliding: another goal than 1, 2, 3 … and the blank last.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size", metavar="WxH", help="sliding: width and height if the board is not square."
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            "--scheme",
            metavar="NAME",
            help=(
                "Which genetic algorithm. sliding: enhanced, source; flag: guided, plain, "
                "source-1, source-2, source-3. The first is the default."
            ),
        ),
    ] = None,
    settings: PuzzleSettings = None,
    boards: Annotated[
        bool,
        typer.Option(
            "--boards",
            help="Print the solution as a list of boards as well, one per line (sliding).",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help=(
                "Draw the share of the population that differs by generation (.png, .svg); only "
                "for the genetic method."
            ),
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=(
                ".gif: the solution played; .png: the start; .json, .txt, .tmx: both. May be "
                "repeated."
            ),
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Solve a position of a puzzle: a sliding puzzle, a round of Reach the Flag, or any other
    puzzle that is registered.
    """
    from levolve.jobs.prepare import prepare_aside

    aside = (
        [[f"solution {puzzle} {position}", f"solving {puzzle} {position}"]]
        if method == "genetic"
        else []
    )
    with Report(quiet=quiet) as report, report.watching_kernels(), prepare_aside(*aside):
        # While these are loaded, the other process begins.
        from levolve.formats.writing import check_writable
        from levolve.jobs.charts.history import check_plot
        from levolve.jobs.runs.solver_job import SolverJob
        from levolve.puzzles import PUZZLES
        from levolve.puzzles.load_save import form_of

        chosen = PUZZLES[puzzle]
        read = chosen.read(
            position, **given(chosen.options, chosen.plural, {"goal": goal, "size": size})
        )
        if boards and not chosen.boards(read, ""):
            raise InputError(
                f"--boards: {chosen.plural} are not written one per line; leave it out"
            )
        changes: dict[str, Any] = {
            **parse_settings(settings),
            **({} if generations is None else {"generations": generations}),
        }
        for path in output or []:
            form_of(chosen, path)
            check_writable(path)
        if plot is not None:
            check_plot(plot, "--plot")
            if method == "exact":
                raise InputError("--plot: expected the genetic method, which has a population")
        options = {
            "output": output or [],
            "plot": plot,
            "boards": boards,
            "json": json,
            "quiet": quiet,
        }
        job = SolverJob(
            puzzle,
            read,
            method=method,
            seed=seed,
            scheme=scheme,
            settings=changes,
            recording=plot is not None,
        )
        written = carry_out(start(job, storing, options), SOLVE, report)
    SOLVE.show(job, options, written, report, json=json)


class SolvePresenter(Presenter):
    """Shows how a puzzle is solved."""

    kind: ClassVar[str] = "solve"
    defaults: ClassVar[Options] = {"output": [], "plot": None, "boards": False}

    @contextmanager
    def watching(self, report: Report, job: "SolverJob") -> "Iterator[Watch]":
        """Show the best attempt above a bar of generations; exact search has a bar without an
        end.
        """
        from levolve.puzzles import PUZZLES

        if job.method == "exact":
            with report.waiting(f"exact search, {job.name}"):
                yield lambda _: None
        else:
            with report.bar(f"solving {job.name}", 1) as bar:
                yield _watch(report, bar, PUZZLES[job.name], job.position)

    def write(self, job: "SolverJob", options: Options) -> Written:
        """Write the solved position."""
        from levolve.formats.file_kinds import save

        solution, files = job.result, [Path(path) for path in options["output"]]
        if not solution.solved:
            files = []
        for path in files:
            save(job.position.with_solution(solution.moves), path)
        if options["plot"]:
            files.append(_draw_diversity(job, Path(options["plot"])))
        return Written(solution.to_data(), files)

    def print_result(self, job: "SolverJob", written: Written, options: Options) -> None:
        """Print the solution."""
        from levolve.puzzles import PUZZLES

        if job.result.solved:
            _print(PUZZLES[job.name], job.position, job.result, boards=options["boards"])

    def shortfall(self, job: "SolverJob", options: Options) -> str:
        """Return why there is no solution."""
        return "" if job.result.solved else job.result.summary


SOLVE = SolvePresenter()


def _draw_diversity(job: "SolverJob", path: Path) -> Path:
    """Draw the diversity of a search by generation."""
    from levolve.formats.writing import write_file
    from levolve.jobs.charts.history import history_picture
    from levolve.jobs.job import Figures

    history = [Figures(generation, 100 * share, None, 0) for generation, share in job.diversities]
    title = f"solving {job.name}, {job.scheme or 'default scheme'}, seed {job.seed}"
    names = ("different individuals, % of the population",)
    write_file(path, history_picture(history, title, path, names))
    return path


def _watch(
    report: Report, bar: Bar, puzzle: "Puzzle[Any]", read: "Position"
) -> "Callable[[Event], None]":
    from levolve.puzzles.progress import SolverProgress

    def watch(event: "Event") -> None:
        if not isinstance(event, SolverProgress):
            return
        bar.total = event.generations
        caption = (
            f"best attempt {event.best:g} after {len(event.attempt)} moves, diversity "
            f"{event.diversity:.0%}"
        )
        report.above = above(
            lambda colour: puzzle.terminal(read, event.attempt, colour=colour), caption
        )
        bar.reach(event.generation)

    return watch


def _print(puzzle: "Puzzle[Any]", read: "Position", solution: "Solution", *, boards: bool) -> None:
    print_picture(lambda colour: puzzle.terminal(read, colour=colour))
    how = (
        f"{solution.generations:,} generations, {solution.evaluations:,} evaluations, seed "
        f"{solution.seed}"
    )
    if solution.method == "exact":
        how = f"exact search, {solution.evaluations:,} positions"
    print(one_line(f"{solution.summary}: {solution.moves}"))
    print(f"  {how}, {solution.seconds:.3g} s")
    for remark in solution.remarks:
        print(f"  {one_line(remark)}")
    for board in solution.boards if boards else ():
        print(board)


def make(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            help="flag, sliding, or the name of another puzzle that is registered.",
        ),
    ],
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many.")] = 1,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="WxH",
            help="flag: the largest size, by default 7x7; sliding: the size, by default 3x3.",
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option("--length", metavar="LOW..HIGH", help="The number of moves of the solution."),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="flag: with one solution only.")] = False,
    symmetry: Symmetry = None,
    tiles: Annotated[
        str | None,
        typer.Option(
            "--tiles", metavar="LIST", help="flag: visits that tiles may bear, such as 1,2,3,never."
        ),
    ] = None,
    wrong_turns: Annotated[
        str | None,
        typer.Option(
            "--wrong-turns", metavar="LOW..HIGH", help="flag: moves along the solution that lose."
        ),
    ] = None,
    curve: Curve = None,
    tries: Annotated[
        int,
        typer.Option("--tries", metavar="N", min=1, help="The most candidates to try for each."),
    ] = 4000,
    settings: PuzzleRequest = None,
    seed: Seed = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write each into this folder."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="LIST",
            help="The forms to write: json, txt, png, gif, tiled, ldtk, godot, csv. Default: json.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make new puzzles of a requested difficulty, each with a proof that it can be solved."""
    from levolve.formats.file_kinds import save
    from levolve.puzzles import PUZZLES
    from levolve.puzzles.solve_make import make as make_puzzles

    chosen = PUZZLES[puzzle]
    options = {
        "size": size,
        "length": length,
        "unique": unique,
        "symmetry": symmetry,
        "tiles": tiles,
        "wrong_turns": wrong_turns,
    }
    forms = _forms(chosen, to, output)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.packs.puzzle_source import CANDIDATES, make_along

        others = parse_settings(settings)
        for name in ("puzzle", "count", "curve", "seed", "tries", "watch"):
            if name in others:
                raise InputError(
                    f"--set {name}: expected a setting of the request (see 'levolve parts "
                    "puzzles'), got an option of the command"
                )
        request = {**others, **given(chosen.request, chosen.plural, options)}
        results = []
        with report.bar(f"making {puzzle}", count if curve is None else CANDIDATES * count) as bar:
            watch = _watch_making(report, bar, chosen)
            if curve is None:
                made = make_puzzles(puzzle, count, seed=seed, tries=tries, watch=watch, **request)
            else:
                made = iter(
                    make_along(puzzle, count, curve, seed=seed, tries=tries, watch=watch, **request)
                )
            for number, position in enumerate(made, 1):
                bar.advance()
                results.append(position.to_data())
                if not json:
                    with report.paused():
                        _print_made(chosen, position)
                for form in forms:
                    path = save(position, (output or Path()) / f"{puzzle}-{number:03}.{form}")
                    report.say(f"written: {path}")
    if json:
        print(json_text.dumps(results, indent=2))


def _watch_making(report: Report, bar: Bar, puzzle: "Puzzle[Any]") -> "Callable[[Event], None]":
    from levolve.puzzles.progress import MakerProgress

    def watch(event: "Event") -> None:
        if not isinstance(event, MakerProgress):
            return
        caption = (
            f"candidate {event.tried:,} of {event.tries:,}, best fitness {-event.miss:g} (0: as "
            f"requested), diversity {event.diversity:.0%}"
        )
        report.above = above(lambda colour: puzzle.terminal(event.best, colour=colour), caption)
        bar.reach(event.number)

    return watch


def _print_made(puzzle: "Puzzle[Any]", position: "Position") -> None:
    print_picture(lambda colour: puzzle.terminal(position, colour=colour))
    print(one_line(puzzle.describe(position)))
    print_measures({"solution": position.solution, **position.facts})


def _forms(puzzle: "Puzzle[Any]", to: str | None, output: Path | None) -> list[str]:
    """The forms to write; none without a folder."""
    if output is None:
        if to is not None:
            raise InputError("--to: expected a folder to write into as well; say it with -o")
        return []
    from levolve.formats.writing import check_writable

    check_writable(output / "x")
    return (
        [puzzle.suffix(form) for form in to.split(",")] if to is not None else [puzzle.suffixes[0]]
    )
