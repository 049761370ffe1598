"""The help of commands: Typer says what there is, and this draws it.

Typer's own help loads Rich and a reader of Markdown, which take longer than everything else that
`--help` does.
"""

import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from levolve.cli.output import can_print, colours, drawn_on
from levolve.core.safe_text import printable

# The shortest and the longest line, and the share of a line that labels take at most.
FEWEST_COLUMNS, MOST_COLUMNS, LABEL_SHARE = 40, 100, 0.45
ROUND, PLAIN = "╭─╮│╰╯", "+-+|++"
BOLD, DIM, HEADING, NAME, SHORT_NAME, VALUE = "1", "2", "33", "1;36", "1;32", "1;33"
_OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*)|(?<![\w-])(-[a-z])(?![\w-])")
# What Typer adds to the text of an option.
_ADDED = re.compile(r"\[(?:default|env var|required|[^\]\s]*[<>]=?)[^\]]*\]$")

# A label and a text.
Row = tuple[str, str]
# Takes a style and a text.
Paint = Callable[[str, str], str]


def print_help(command: Any, context: Any) -> None:
    """Print the help of a command or a group of commands to standard output."""
    stream = drawn_on(sys.stdout)
    width = max(FEWEST_COLUMNS, min(shutil.get_terminal_size().columns, MOST_COLUMNS))
    paint = _coloured if colours(stream) else _uncoloured
    border = ROUND if can_print(ROUND, stream) else PLAIN
    lines = [*_opening(command, context, width, paint)]
    for title, rows in _sections(command, context).items():
        lines += _panel(title, rows, width, paint, border)
    stream.write("\n".join([*lines, ""]))
    stream.flush()


def _coloured(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if text else ""


def _uncoloured(_style: str, text: str) -> str:
    return text


def _opening(command: Any, context: Any, width: int, paint: Paint) -> Iterator[str]:
    """Give lines that say how the command is called and what it does: one paragraph, and then
    details.
    """
    heading, _, usage = command.get_usage(context).partition(" ")
    first, *further = _wrapped(usage, width - len(heading) - 3)
    yield from ("", f" {paint(HEADING, heading)} {paint(BOLD, first)}")
    yield from (f" {' ' * len(heading)} {paint(BOLD, line)}" for line in further)
    yield ""
    for number, paragraph in enumerate(inspect.cleandoc(command.help or "").split("\n\n")):
        for line in _wrapped(paragraph, width - 2):
            yield f" {paint(DIM, line) if number else _with_options(line, paint)}"
        yield ""


def _sections(command: Any, context: Any) -> dict[str, list[Row]]:
    """Return the rows of each panel."""
    sections: dict[str, list[Row]] = {"Arguments": [], "Options": [], "Commands": []}
    for parameter in command.get_params(context):
        label, text = parameter.get_help_record(context) or ("", "")
        # Older versions of Typer escape what they add as text for Rich.
        text = text.replace(r"\[", "[")
        if label and parameter.param_type_name == "argument":
            # Without the name of its type in Python, which some versions of Typer add.
            sections["Arguments"].append((label.split()[0], text))
        elif label:
            sections["Options"].append((label, text))
    for name, member in getattr(command, "commands", {}).items():
        sections["Commands"].append((name, inspect.cleandoc(member.help or "").split("\n\n")[0]))
    return {title: rows for title, rows in sections.items() if rows}


def _panel(title: str, rows: list[Row], width: int, paint: Paint, border: str) -> Iterator[str]:
    """Draw rows in a frame: labels on the left, texts on the right."""
    top_left, line, top_right, side, bottom_left, bottom_right = tuple(border)
    room = width - 4
    column = min(max(len(label) for label, _ in rows), int(room * LABEL_SHARE))
    yield (
        paint(DIM, top_left + line)
        + f" {title} "
        + paint(DIM, line * (width - len(title) - 5) + top_right)
    )
    for row in rows:
        for label, text in _lines(row, room, column):
            gap = " " * (column + 2 - len(label) if text else 0)
            rest = " " * (room - len(label) - len(gap) - len(text))
            yield (
                f"{paint(DIM, side)} {_label(label, paint)}{gap}{_text(text, paint)}{rest} "
                f"{paint(DIM, side)}"
            )
    yield paint(DIM, bottom_left + line * (width - 2) + bottom_right)


def _lines(row: Row, room: int, column: int) -> Iterator[Row]:
    """Give the lines of a row: the label is in the first one; if it is too long for its column, it
    has that line for itself.
    """
    label, text = row
    if len(label) > column:
        yield from ((part, "") for part in _wrapped(label, room))
        label = ""
    for line in _wrapped(text, room - column - 2) or [""]:
        yield label, line
        label = ""


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(printable(text), width, break_on_hyphens=False)


def _label(label: str, paint: Paint) -> str:
    """Paint the names of an option and what it takes, such as '-o, --output FILE', or the name of
    something else.
    """
    if not label.startswith("-"):
        return paint(NAME, label)
    names, space, value = label.rpartition(" ")
    if not space or value.startswith("-"):
        return _with_options(label, paint)
    return _with_options(names, paint) + space + paint(VALUE, value)


def _text(text: str, paint: Paint) -> str:
    """Paint the options that a text names, and what Typer adds to it."""
    added = _ADDED.search(text)
    end = added.start() if added else len(text)
    return _with_options(text[:end], paint) + paint(DIM, text[end:])


def _with_options(text: str, paint: Paint) -> str:
    return _OPTION.sub(lambda match: paint(NAME if match[1] else SHORT_NAME, match[0]), text)
