"""`levolve make`: new puzzles to order."""

import json as json_text
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Json, Quiet, Seed
from levolve.cli.pictures import above, print_picture
from levolve.cli.report import Bar, Report
from levolve.errors import InputError
from levolve.registry import did_you_mean

if TYPE_CHECKING:
    from levolve.puzzles.puzzle import Attempt

FORMS = ("json", "txt", "png", "gif")


def make(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="flag or sliding.")],
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many.")] = 1,
    size: Annotated[
        str | None, typer.Option("--size", metavar="WxH", help="flag: at most so large, 7x7 unless told; sliding: 3x3 unless told.")
    ] = None,
    length: Annotated[str | None, typer.Option("--length", metavar="LOW..HIGH", help="How many moves a solution has.")] = None,
    unique: Annotated[bool, typer.Option("--unique", help="flag: with one solution only.")] = False,
    symmetry: Annotated[str | None, typer.Option("--symmetry", metavar="NAME", help="flag: left-right, up-down or half-turn.")] = None,
    tiles: Annotated[str | None, typer.Option("--tiles", metavar="LIST", help="flag: visits that tiles may bear, such as 1,2,3,never.")] = None,
    wrong_turns: Annotated[str | None, typer.Option("--wrong-turns", metavar="LOW..HIGH", help="flag: moves along the solution that lose.")] = None,
    tries: Annotated[int, typer.Option("--tries", metavar="N", min=1, help="How many candidates to try for each.")] = 4000,
    seed: Seed = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write each into this folder.")] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="LIST", help="What to write: json,txt,png,gif for flag; png,gif for sliding.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make new puzzles of a wanted difficulty, each with a proof that it can be solved."""
    only_flag = {"--unique": unique, "--symmetry": symmetry is not None, "--tiles": tiles is not None, "--wrong-turns": wrong_turns is not None}
    if puzzle not in {"flag", "sliding"}:
        message = f"unknown puzzle {puzzle!r}: {did_you_mean(puzzle, ['sliding', 'flag'])}"
        raise InputError(message)
    if puzzle == "sliding" and any(only_flag.values()):
        message = f"{next(name for name, given in only_flag.items() if given)}: only rounds of flag have that, not the sliding puzzle"
        raise InputError(message)
    forms = _forms(puzzle, to, output)
    with Report(quiet=quiet) as report, report.watching_kernels():
        wish: dict[str, Any] = {
            name: value
            for name, value in (
                ("size", size and _pair("--size", size, "x")),
                ("length", length and _pair("--length", length, "..")),
                ("wrong_turns", wrong_turns and _pair("--wrong-turns", wrong_turns, "..")),
                ("tiles", tiles and _tiles(tiles)),
            )
            if value
        }
        if puzzle == "flag":
            wish |= {"unique": unique, "symmetry": symmetry}
        results = []
        with report.bar(f"making {puzzle}", count) as bar:
            for number, (thing, data) in enumerate(_make(puzzle, wish, count, seed, tries, _watch(report, bar, puzzle)), 1):
                bar.advance()
                results.append(data)
                if not json:
                    with report.paused():
                        _print(puzzle, thing, data)
                for form in forms:
                    path = _write(puzzle, thing, output or Path(), f"{puzzle}-{number:03}.{form}")
                    report.say(f"written: {path}")
    if json:
        print(json_text.dumps(results, indent=2))


def _watch(report: Report, bar: Bar, puzzle: str) -> Callable[["Attempt"], None]:
    def watch(attempt: "Attempt") -> None:
        caption = f"candidate {attempt.tried:,} of {attempt.tries:,}, best fitness {-attempt.miss:g} (0: wished), diversity {attempt.diversity:.0%}"
        report.above = above(lambda colour: _picture(puzzle, attempt.best, colour=colour), caption)
        bar.reach(attempt.number)

    return watch


def _picture(puzzle: str, thing: Any, *, colour: bool) -> str:  # noqa: ANN401 a round or a board
    if puzzle == "flag":
        from levolve.puzzles.flag.picture import terminal

        return terminal(thing.after(""), colour=colour)
    from levolve.puzzles.sliding.picture import terminal as terminal_board

    return terminal_board(thing, colour=colour)


def _make(
    puzzle: str, wish: dict[str, Any], count: int, seed: int | None, tries: int, watch: Callable[["Attempt"], None]
) -> Iterable[tuple[Any, dict[str, Any]]]:
    if puzzle == "flag":
        from levolve.puzzles.flag import maker
        from levolve.puzzles.flag.files import round_to_data

        for made in maker.make(count, maker.Wish(**wish), seed=seed, tries=tries, watch=watch):
            yield made, round_to_data(made)
        return
    from levolve.puzzles.sliding import maker as board_maker

    for board in board_maker.make(count, board_maker.Wish(**wish), seed=seed, tries=tries, watch=watch):
        yield board, {"board": str(board.board), "size": list(wish.get("size", (3, 3))), "solution": board.solution, "facts": board.facts}


def _print(puzzle: str, thing: Any, data: dict[str, Any]) -> None:  # noqa: ANN401 a round or a board
    print_picture(lambda colour: _picture(puzzle, thing if puzzle == "flag" else thing.board, colour=colour))
    if puzzle == "sliding":
        print(f"  board                  {data['board']}")
    print(f"  solution               {data['solution']}")
    for name, value in data["facts"].items():
        print(f"  {name.replace('_', ' '):<22} {value}")


def _write(puzzle: str, thing: Any, folder: Path, name: str) -> Path:  # noqa: ANN401 a round or a board
    if puzzle == "flag":
        from levolve.puzzles.flag.files import save_round

        return save_round(thing, folder / name)
    from levolve.formats.files import write_file
    from levolve.puzzles.sliding import picture

    return write_file(folder / name, picture.gif(thing.board, thing.solution) if name.endswith("gif") else picture.png(thing.board))


def _forms(puzzle: str, to: str | None, output: Path | None) -> list[str]:
    known = FORMS if puzzle == "flag" else FORMS[2:]
    if to is not None and output is None:
        message = "--to: expected a folder to write into as well; say it with -o"
        raise InputError(message)
    forms = [form.strip() for form in to.split(",")] if to is not None else [known[0]] if output is not None else []
    for form in forms:
        if form not in known:
            message = f"--to: unknown form {form!r}: {did_you_mean(form, list(known))}"
            raise InputError(message)
    if output is not None:
        from levolve.formats.files import check_writable

        check_writable(output / "x")
    return forms


def _pair(name: str, text: str, sign: str) -> tuple[int, int]:
    """Two numbers with a sign between, or one for both (of a range)."""
    match = re.fullmatch(rf"(\d{{1,6}}){re.escape(sign)}(\d{{1,6}})", text.strip())
    if match is None and sign == ".." and text.strip().isdecimal():
        return int(text), int(text)
    if match is None:
        message = f"{name}: expected two whole numbers such as 7{sign}9, got {text!r}"
        raise InputError(message)
    return int(match[1]), int(match[2])


def _tiles(text: str) -> tuple[int, ...]:
    from levolve.kernels.flag.field import NEVER

    tiles = []
    for part in text.split(","):
        name = part.strip()
        if name != "never" and not name.isdecimal():
            message = f"--tiles: expected numbers from 1 to 9 and 'never', with commas between, got {part!r}"
            raise InputError(message)
        tiles.append(NEVER if name == "never" else int(name))
    return tuple(tiles)
