"""Levels on the terminal, as far as it can show them."""

import shutil
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from levolve.levels.level import Level


def print_level(level: "Level") -> None:
    """The level's picture on standard output, in as many colours as the terminal has; a note where it is too wide."""
    from rich.console import Console
    from rich.text import Text

    from levolve.formats.terminal import terminal_picture

    columns = shutil.get_terminal_size().columns
    if level.width + 2 > columns:
        print(f"(the level is {level.width} tiles wide, this terminal {columns}: write it to a .png to look at it)")
        return
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal and console.color_system is not None and not console.no_color:
        console.print(Text.from_ansi(terminal_picture(level)))
    elif _can_print("▀▄█▐▌"):
        print(terminal_picture(level, colour=False))
    else:
        print(level.to_text())


def print_picture(picture: Callable[[bool], str]) -> None:
    """A picture on standard output: `picture` draws it with colour or without, as the terminal has it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    colour = console.is_terminal and console.color_system is not None and not console.no_color
    if colour:
        console.print(Text.from_ansi(picture(colour)))
    else:
        print(picture(colour))


def above(picture: Callable[[bool], str], caption: str) -> "Callable[[], RenderableType]":
    """What a command shows above its bars: a picture, drawn when it is looked at, and a line below it."""

    def view() -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        return Group(Text.from_ansi(picture(True)), Text(caption, no_wrap=True, overflow="ellipsis"))

    return view


def _can_print(characters: str) -> bool:
    try:
        characters.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_measures(measures: Mapping[str, Any]) -> None:
    """Measures, a line each."""
    for name, value in measures.items():
        print(f"  {name.replace('_', ' '):<22} {value}")
