"""`levolve make`: new puzzles that meet a request."""

import json as json_text
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Json, PuzzleRequest, Quiet, Seed, parse_settings
from levolve.cli.pictures import above, print_measures, print_picture
from levolve.cli.puzzle_options import given
from levolve.cli.report import Bar, Report
from levolve.errors import InputError
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.events import Event
    from levolve.puzzles.position import Position
    from levolve.puzzles.puzzle import Puzzle


def make(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="flag, sliding, or the name of another puzzle that is registered.")],
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many.")] = 1,
    size: Annotated[
        str | None, typer.Option("--size", metavar="WxH", help="flag: the largest size, by default 7x7; sliding: the size, by default 3x3.")
    ] = None,
    length: Annotated[str | None, typer.Option("--length", metavar="LOW..HIGH", help="The number of moves of the solution.")] = None,
    unique: Annotated[bool, typer.Option("--unique", help="flag: with one solution only.")] = False,
    symmetry: Annotated[str | None, typer.Option("--symmetry", metavar="NAME", help="flag: left-right, up-down or half-turn.")] = None,
    tiles: Annotated[str | None, typer.Option("--tiles", metavar="LIST", help="flag: visits that tiles may bear, such as 1,2,3,never.")] = None,
    wrong_turns: Annotated[str | None, typer.Option("--wrong-turns", metavar="LOW..HIGH", help="flag: moves along the solution that lose.")] = None,
    curve: Annotated[
        str | None, typer.Option("--curve", metavar="FROM..TO", help="Order by difficulty, evenly spaced: easy..hard, hard..easy, 0.2..0.6.")
    ] = None,
    tries: Annotated[int, typer.Option("--tries", metavar="N", min=1, help="The most candidates to try for each.")] = 4000,
    settings: PuzzleRequest = None,
    seed: Seed = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write each into this folder.")] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="LIST", help="The forms to write: json, txt, png, gif, tiled, ldtk, godot, csv. Default: json.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make new puzzles of a requested difficulty, each with a proof that it can be solved."""
    from levolve.puzzles import PUZZLES
    from levolve.puzzles.files import save
    from levolve.puzzles.solving import make as make_puzzles

    chosen = PUZZLES[puzzle]
    options = {"size": size, "length": length, "unique": unique, "symmetry": symmetry, "tiles": tiles, "wrong_turns": wrong_turns}
    forms = _forms(chosen, to, output)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.puzzle_builder import CANDIDATES, make_along

        others = parse_settings(settings)
        for name in ("puzzle", "count", "curve", "seed", "tries", "watch"):
            if name in others:
                message = f"--set {name}: expected a setting of the request (see 'levolve parts puzzles'), got an option of the command"
                raise InputError(message)
        request = {**others, **given(chosen.request, chosen.plural, options)}
        results = []
        with report.bar(f"making {puzzle}", count if curve is None else CANDIDATES * count) as bar:
            watch = _watch(report, bar, chosen)
            if curve is None:
                made = make_puzzles(puzzle, count, seed=seed, tries=tries, watch=watch, **request)
            else:
                made = iter(make_along(puzzle, count, curve, seed=seed, tries=tries, watch=watch, **request))
            for number, position in enumerate(made, 1):
                bar.advance()
                results.append(position.to_data())
                if not json:
                    with report.paused():
                        _print(chosen, position)
                for form in forms:
                    path = save(position, (output or Path()) / f"{puzzle}-{number:03}.{form}")
                    report.say(f"written: {path}")
    if json:
        print(json_text.dumps(results, indent=2))


def _watch(report: Report, bar: Bar, puzzle: "Puzzle[Any]") -> "Callable[[Event], None]":
    from levolve.puzzles.progress import MakerProgress

    def watch(event: "Event") -> None:
        if not isinstance(event, MakerProgress):
            return
        caption = f"candidate {event.tried:,} of {event.tries:,}, best fitness {-event.miss:g} (0: as requested), diversity {event.diversity:.0%}"
        report.above = above(lambda colour: puzzle.terminal(event.best, colour=colour), caption)
        bar.reach(event.number)

    return watch


def _print(puzzle: "Puzzle[Any]", position: "Position") -> None:
    print_picture(lambda colour: puzzle.terminal(position, colour=colour))
    print(one_line(puzzle.describe(position)))
    print_measures({"solution": position.solution, **position.facts})


def _forms(puzzle: "Puzzle[Any]", to: str | None, output: Path | None) -> list[str]:
    """The forms to write; none without a folder."""
    if output is None:
        if to is not None:
            message = "--to: expected a folder to write into as well; say it with -o"
            raise InputError(message)
        return []
    from levolve.formats.writing import check_writable

    check_writable(output / "x")
    return [puzzle.suffix(form) for form in to.split(",")] if to is not None else [puzzle.suffixes[0]]
