"""`levolve play`: play levels on the terminal, or the moves of a script."""

import json as json_text
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.output import moves_cursor, print_picture
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.cli.play_screen import Playing


def play(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help=(
                "A level file of any format (see 'levolve parts formats'), or the folder of a "
                "pack, whose levels are played in their order."
            ),
        ),
    ],
    moves: Annotated[
        str | None,
        typer.Option(
            "--moves",
            metavar="MOVES",
            help="Play these moves, such as uurrdx, and print the result instead.",
        ),
    ] = None,
    warn: Annotated[
        bool,
        typer.Option(
            "--warn",
            help="Name the moves after which the level cannot be won, before and after them.",
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a level on the terminal: with keys and doors, levers and gates, monsters and treasure.

    Arrows, w a s d or h j k l move; x uses levers and stairs; u takes a move back; H gives a hint;
    space makes the next move of a shortest solution; r begins again; n and p change the level; ?
    hides the legend; q ends. Moves u, d, l, r and x are read line by line where standard input is
    no terminal; then, and with --moves, the exit code is 1 unless all levels are won.
    """
    out = sys.stderr if json else sys.stdout
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.cli.play_screen import Screen

        playing = playing_of(file)
        for one in playing:
            # What hints need is compiled before a level is shown.
            one.game.way, one.game.fewest  # noqa: B018 computed here
    if moves is None and sys.stdin.isatty() and moves_cursor(out):
        Screen(playing, warn, out).play()
        scripted = False
    else:
        play_lines(playing, sys.stdin if moves is None else [moves], warn=warn)
        scripted = True
    if json:
        print_data(playing, folder=file.is_dir())
    elif not quiet:
        print_results(playing, picture=scripted)
    unfinished = [f"{one.name}: {one.summary}" for one in playing if not one.game.won]
    if scripted and unfinished:
        raise LevolveError("; ".join(unfinished))


def playing_of(file: Path) -> "list[Playing]":
    """Return the levels of a file, or those of a pack in their order."""
    from levolve.cli.play_screen import Playing
    from levolve.jobs.packs.files import load_pack
    from levolve.levels.level import Level
    from levolve.levels.things.game import LevelGame
    from levolve.puzzles.load_save import load_parts, puzzle_of

    found: list[tuple[str, Any]]
    if file.is_dir():
        pack = load_pack(file)
        found = list(zip(pack.names, pack.items, strict=True))
    else:
        found = [(name, read()) for name, read in load_parts(file).items()]
    levels = [(name, item) for name, item in found if isinstance(item, Level)]
    if not levels:
        nouns = {puzzle_of(item).noun for _, item in found}
        message = (
            f"{file}: expected a level, got {' and '.join(sorted(nouns)) or 'none'}; puzzles are "
            "played on the page of a pack and in the studio"
        )
        raise InputError(message)
    return [Playing(name, LevelGame(level)) for name, level in levels]


def play_lines(playing: "list[Playing]", lines: Iterable[str], *, warn: bool) -> None:
    """Play the moves in lines of text, one level after the other, up to one that is not legal."""
    from levolve.levels.grid import MOVES, USE
    from levolve.levels.things.playing import IllegalMoveError

    at = 0
    for number, line in enumerate(lines, 1):
        moves = "".join(line.split()).lower()
        unknown = next((move for move in moves if move not in MOVES + USE), None)
        if unknown is not None:
            message = f"line {number}: expected moves u, d, l, r and x, got {unknown!r}"
            raise InputError(message)
        if playing[at].game.won and at < len(playing) - 1:
            at += 1
        one = playing[at]
        for move in moves:
            lost = warn and one.game.lost
            try:
                one.game.play(move)
            except IllegalMoveError as problem:
                one.refused = str(problem)
                return
            if warn and not lost and one.game.lost:
                count = len(one.game.moves)
                typer.echo(one_line(f"{one.name}: move {count} ({move}) loses"), err=True)


def print_data(playing: "list[Playing]", *, folder: bool) -> None:
    """Print the result of a level, or those of the levels of a folder or file, as JSON."""
    results = [one.to_data() for one in playing]
    if folder or len(results) > 1:
        data = {"won": all(one.game.won for one in playing), "levels": results}
        print(json_text.dumps(data, indent=2))
    else:
        print(json_text.dumps(results[0], indent=2))


def print_results(playing: "list[Playing]", *, picture: bool) -> None:
    """Print a line for each level that was played, after the picture of the last one."""
    from levolve.cli.play_screen import final_picture

    played = [one for one in playing if one.game.moves or one.refused] or playing[:1]
    if picture:
        print_picture(lambda colour: final_picture(played[-1].game, colour=colour))
    for one in played:
        # What a script did not win is an error, whose message follows.
        if one.game.won or not picture:
            print(one_line(f"{one.name}: {one.summary}"))
