"""Levels and pictures on the terminal, with the colours and characters it supports."""

import shutil
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from levolve.cli.output import TRUE_COLOURS, can_print, colours, drawn_on
from levolve.core.safe_text import one_line, only_colours

if TYPE_CHECKING:
    from rich.console import RenderableType

    from levolve.levels.level import Level

# More numbers than this are printed in two columns, each half a line of 80 characters wide.
ONE_COLUMN = 12
HALF_LINE = 40


def print_level(level: "Level") -> None:
    """Print the picture of a level, in colour if the terminal supports it; a note if the level is
    too wide.
    """
    from levolve.formats.pictures.terminal import terminal_picture

    if not _fits(level):
        return
    if colours(sys.stdout):
        _print_coloured(terminal_picture(level))
    elif can_print("▀▄█▐▌", sys.stdout):
        print(terminal_picture(level, colour=False))
    else:
        print(level.to_text())


def print_field(level: "Level", kind: str) -> None:
    """The field of a level on standard output; a note where it is too wide."""
    from levolve.formats.pictures.level_field import terminal_field

    if _fits(level):
        print_picture(lambda colour: terminal_field(level, kind, colour=colour))


def _fits(level: "Level") -> bool:
    """Whether the terminal is wide enough; a note says so if it is not."""
    columns = shutil.get_terminal_size().columns
    if level.width + 2 > columns:
        print(
            f"(the level is {level.width} tiles wide, this terminal {columns}: write it to a "
            ".png file to see it)"
        )
    return level.width + 2 <= columns


def print_picture(picture: Callable[[bool], str]) -> None:
    """Print a picture. `picture` draws it, with colour if its argument is true."""
    if colours(sys.stdout):
        _print_coloured(picture(True))
    else:
        print(picture(False))


def _print_coloured(picture: str) -> None:
    """Print a picture with colours on standard output. Rich replaces colours that a terminal does
    not have.
    """
    if colours(sys.stdout) == TRUE_COLOURS:
        print(only_colours(picture), file=drawn_on(sys.stdout))
        return
    from levolve.cli.terminal import console, picture_text

    console(soft_wrap=True).print(picture_text(picture))


def level_drawing(file: TextIO) -> "Callable[[Level], str]":
    """What draws a level for a file: in colour on a terminal that has it, as blocks where they can
    be encoded, or as text.
    """
    from levolve.formats.pictures.terminal import terminal_picture

    if colours(file):
        return terminal_picture
    return (
        (lambda level: terminal_picture(level, colour=False))
        if can_print("▀▄█▐▌", file)
        else (lambda level: level.to_text())
    )


def above(picture: Callable[[bool], str], caption: str) -> "Callable[[], RenderableType]":
    """Return a function that draws a picture and a caption, to be shown above the bars of a
    command.
    """

    def view() -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        from levolve.cli.terminal import picture_text

        return Group(
            picture_text(picture(True)), Text(one_line(caption), no_wrap=True, overflow="ellipsis")
        )

    return view


def print_measures(measures: Mapping[str, Any]) -> None:
    """Print measures, or other facts by name: numbers in two columns if there are many, everything
    else one per line.
    """
    from levolve.levels.measures.measure import number_text

    lines = [
        (
            f"  {one_line(name.replace('_', ' ')):<22} "
            f"{number_text(value) if isinstance(value, int | float) else one_line(value)}"
        )
        for name, value in measures.items()
    ]
    if len(lines) > ONE_COLUMN and all(
        isinstance(value, int | float) for value in measures.values()
    ):
        half = (len(lines) + 1) // 2
        lines = [
            f"{left:<{HALF_LINE}}{right}".rstrip()
            for left, right in zip(lines[:half], [*lines[half:], ""], strict=False)
        ]
    for line in lines:
        print(line)
