"""Boards in files, as JSON and as text.

The text form is the board on one line, as `solve` takes it, and below it one `key: value` per line:
`size:` and `goal:` where they are not the usual ones, `solution:` and `facts:` where they are
known.
"""

import re
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.metadata import RIGHTS, YOURS
from levolve.puzzles.position import position_data, position_text, read_facts, read_solution
from levolve.puzzles.sliding.rules import Board, show_tiles
from levolve.version import WRITTEN_BY

FORMAT = "levolve board"
KEYS = ("size", "goal", "solution", "facts")
TILES = re.compile(r"[0-8_]{4,9}|(?:\d{1,2}|_)(?:\s*,\s*(?:\d{1,2}|_)){3,24}")


def board_to_data(board: Board) -> dict[str, Any]:
    """A board as plain data."""
    return {
        "format": FORMAT,
        "written_by": WRITTEN_BY,
        RIGHTS: YOURS,
        "board": str(board),
        "size": [board.width, board.height],
        "goal": show_tiles(board.goal),
        "solution": board.solution,
        **({"facts": dict(board.facts)} if board.facts else {}),
    }


def board_from_data(data: dict[str, Any]) -> Board:
    """A board from what `board_to_data` gives."""
    size = data.get("size")
    if isinstance(size, list):
        if len(size) != 2 or not all(  # width and height
            isinstance(side, int) and not isinstance(side, bool) for side in size
        ):
            raise InputError(f"size: expected [width, height], got {shown(size)}")
        size = tuple(size)
    elif size is not None and not isinstance(size, str):
        raise InputError(f"size: expected [width, height], got {shown(size)}")
    board = Board.read(data.get("board"), data.get("goal"), size)
    return board.with_solution(read_solution(data.get("solution"))).with_facts(
        read_facts(data.get("facts"))
    )


def decode(content: bytes) -> Board | None:
    """The board in a file's bytes, JSON or text; None where they hold something else."""
    source = (position_text(content) or "").strip()
    if source.startswith("{"):
        data = position_data(source, FORMAT)
        return (
            board_from_data(data)
            if isinstance(data, dict) and data.get("format") == FORMAT
            else None
        )
    first, *below = [line.strip() for line in source.splitlines() if line.strip()] or [""]
    # A round of another puzzle may begin with a row of numbers; a board is one row.
    return (
        _from_lines(first, below)
        if TILES.fullmatch(first) and all(":" in line for line in below)
        else None
    )


def _from_lines(first: str, below: list[str]) -> Board:
    found: dict[str, Any] = {"board": first}
    for line in below:
        key, sign, value = (part.strip() for part in line.partition(":"))
        if not sign or key not in KEYS or key in found:
            raise InputError(
                "board text: expected below the board one line each of "
                f"{', '.join(name + ':' for name in KEYS)}, got {shown(line)}"
            )
        found[key] = value
    return board_from_data(found)
