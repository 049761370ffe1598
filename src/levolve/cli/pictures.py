"""Levels on the terminal, as far as it can show them."""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levolve.levels.level import Level


def print_level(level: "Level") -> None:
    """The level's picture on standard output, in colour on a terminal that has it; a note where it is too wide."""
    from levolve.formats.terminal import terminal_picture

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    columns = shutil.get_terminal_size().columns
    if level.width + 2 > columns:
        print(f"(the level is {level.width} tiles wide, this terminal {columns}: write it to a .png to look at it)")
        return
    print(terminal_picture(level, colour=colour))


def print_measures(measures: Mapping[str, Any]) -> None:
    """Measures, a line each."""
    for name, value in measures.items():
        print(f"  {name.replace('_', ' '):<14} {value}")
