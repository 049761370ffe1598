"""`levolve solve`: a puzzle, by evolution or by exact search."""

import json as json_text
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Generations, Json, Quiet, Seed, Settings, parse_settings
from levolve.cli.pictures import above, print_picture
from levolve.cli.report import Bar, Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from levolve.puzzles.puzzle import Progress, Solution

SUFFIXES = (".gif", ".png", ".json", ".txt")


def solve(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="sliding or flag.")],
    position: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|FILE", help="sliding: a board such as 8672543_1, or numbers with commas. flag: a file, or the number of a shipped round."
        ),
    ],
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="genetic or exact.")] = "genetic",
    seed: Seed = None,
    generations: Generations = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="BOARD", help="sliding: another goal than 1, 2, 3 … and the blank last.")] = None,
    size: Annotated[str | None, typer.Option("--size", metavar="WxH", help="sliding: width and height where the board is no square.")] = None,
    scheme: Annotated[str | None, typer.Option("--scheme", metavar="NAME", help="flag: guided, source-1 or source-2.")] = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help=".gif: the solution played; .png: the start; flag also .json and .txt. May be repeated."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a sliding puzzle or a round of Reach the Flag."""
    from levolve.puzzles import PUZZLES
    from levolve.puzzles.solving import solve as solve_puzzle

    wishes: dict[str, Any] = parse_settings(settings)
    wishes |= {name: value for name, value in (("generations", generations), ("scheme", scheme)) if value is not None}
    if puzzle == "sliding":
        read = PUZZLES[puzzle].read(position, goal, size)
    else:
        for name, value in (("--goal", goal), ("--size", size)):
            if value is not None:
                message = f"{name}: only the sliding puzzle has one, not {puzzle}"
                raise InputError(message)
        read = PUZZLES[puzzle].read(position)
    outputs = output or []
    _check_outputs(puzzle, outputs)
    with Report(quiet=quiet) as report, report.watching_kernels():
        if method == "genetic":
            with report.bar(f"solving {puzzle}", 1) as bar:
                wishes["watch"] = _watch(report, bar, puzzle, read)
                solution = solve_puzzle(puzzle, read, method=method, seed=seed, **wishes)
        else:
            with report.waiting(f"exact search, {puzzle}"):
                solution = solve_puzzle(puzzle, read, method=method, seed=seed, **wishes)
    if json:
        print(json_text.dumps(solution.to_data(), indent=2))
    elif solution.moves is not None:
        _print(puzzle, read, solution)
    if solution.moves is None:
        message = f"no solution found: {_why_not(solution)}"
        raise LevolveError(message)
    for path in outputs:
        _write(puzzle, read, solution.moves, path)
        report.say(f"written: {path}")


def _why_not(solution: "Solution") -> str:
    if solution.unsolvable:
        return "there is none, exact search proved it"
    if solution.method == "genetic":
        return f"not within {solution.evaluations:,} evaluations; allow more with --generations, or try another --seed"
    longer_than = solution.facts.get("longer_than")
    known = f", and showed that none has {longer_than} moves or fewer" if longer_than else ""
    return f"exact search looked at {solution.evaluations:,} positions{known}; allow more with --set budget=N, or use --method genetic"


def _watch(report: Report, bar: Bar, puzzle: str, read: Any) -> Callable[["Progress"], None]:  # noqa: ANN401 each puzzle has positions of its own
    def watch(progress: "Progress") -> None:
        bar.total = progress.generations
        caption = f"best attempt {progress.best:g} after {len(progress.attempt)} moves, diversity {progress.diversity:.0%}"
        report.above = above(lambda colour: _picture(puzzle, read, progress.attempt, colour=colour), caption)
        bar.reach(progress.generation)

    return watch


def _picture(puzzle: str, read: Any, moves: str, *, colour: bool = True) -> str:  # noqa: ANN401 same
    if puzzle == "flag":
        from levolve.puzzles.flag.picture import terminal

        return terminal(read.after(moves), colour=colour)
    from levolve.puzzles.sliding.picture import terminal as terminal_board

    return terminal_board(read.after(moves), colour=colour)


def _print(puzzle: str, read: Any, solution: "Solution") -> None:  # noqa: ANN401 same
    print_picture(lambda colour: _picture(puzzle, read, "", colour=colour))
    how = f"{solution.generations:,} generations, {solution.evaluations:,} evaluations, seed {solution.seed}"
    if solution.method == "exact":
        how = f"exact search, {solution.evaluations:,} positions"
    best = "" if solution.gap is None else ", the fewest possible" if solution.gap == 0 else f", {solution.gap} more than the fewest possible"
    print(f"solved in {solution.length} moves{best}: {solution.moves}")
    print(f"  {how}, {solution.seconds:.3g} s")


def _check_outputs(puzzle: str, outputs: list[Path]) -> None:
    from levolve.formats.files import check_writable

    known = SUFFIXES if puzzle == "flag" else SUFFIXES[:2]
    for path in outputs:
        if path.suffix.lower() not in known:
            message = f"--output: expected a file name that ends in {', '.join(known)}, got {str(path)!r}"
            raise InputError(message)
        check_writable(path)


def _write(puzzle: str, read: Any, moves: str, path: Path) -> None:  # noqa: ANN401 same
    if puzzle == "flag":
        from levolve.puzzles.flag.files import save_round

        save_round(read.with_solution(moves), path)
        return
    from levolve.formats.files import write_file
    from levolve.puzzles.sliding import picture

    write_file(path, picture.gif(read, moves) if path.suffix.lower() == ".gif" else picture.png(read))
