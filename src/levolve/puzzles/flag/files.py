"""Rounds in files: JSON like the source's rounds, rows bottom first; and our text form, top first.

In JSON and in Python `rows` are numbers, bottom row first, and `start` is [column, row] counted
from the bottom. `map` is another name for `rows`. Without a `tiles` table the numbers have the
source's meaning: 0 a gap, 1 and 2 visits, 3 never falls, 5 the flag. A `tiles` table gives each
number its meaning: visits from 1 to 9, `"gap"`, `"never"` or `"flag"`. The source's listings set
the start to 0 after its first visit. Such a start is read as a tile that bears one visit, which is
the same round.

The text form of a round: one character per cell, top row first, as on the screen.

`.` gap, `1`-`9` the visits a tile bears, `*` a tile that never falls, `F` the flag, `S` the start
where its tile bears one visit. What cannot be drawn stands below the picture, one `key: value` per
line: `start: x,y` on any other tile; and, in files, `solution:` and `facts:`.

The rounds that come with levolve, easy to hard, all of its own making.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.formats.metadata import RIGHTS, YOURS
from levolve.formats.reading.budgets import MOST_POSITION_BYTES
from levolve.formats.reading.data import decode_text, parse_json
from levolve.formats.reading.files import naming, read_bytes
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.puzzles.flag.rules import MOST_VISITS, Place, Round, check_side
from levolve.puzzles.position import position_data, position_text, read_facts, read_solution
from levolve.version import WRITTEN_BY

CHARACTERS = {
    ".": 0,
    "*": NEVER,
    "F": NEVER,
    "S": 1,
    **{str(visits): visits for visits in range(1, 10)},
}
SIGNS = {0: ".", NEVER: "*", **{visits: str(visits) for visits in range(1, 10)}}


def draw(drawn: Round) -> str:
    """The picture, and a line for the start where the picture cannot show it."""
    picture = [[SIGNS[int(visits)] for visits in row] for row in drawn.tiles]
    picture[drawn.flag[1]][drawn.flag[0]] = "F"
    x, y = drawn.start
    below = []
    if picture[y][x] == "1":
        picture[y][x] = "S"
    else:
        below.append(f"start: {x},{y}")
    return "\n".join(["".join(row) for row in picture] + below)


def parse(source: str) -> Round:
    """Read what `draw` gives, with `solution:` and `facts:` lines below it as in files; an error
    names the line.
    """
    lines = [
        (number, line.strip()) for number, line in enumerate(source.splitlines(), 1) if line.strip()
    ]
    picture = [(number, line) for number, line in lines if ":" not in line]
    if not picture:
        raise InputError("round text: expected lines of cells such as 'S12F', got none")
    tiles, places = _read_picture(picture)
    below: dict[str, str] = {}
    for number, line in lines:
        if ":" in line:
            key, value = (part.strip() for part in line.split(":", 1))
            if key not in {"start", "solution", "facts"} or number < picture[-1][0] or key in below:
                raise InputError(
                    f"round text, line {number}: expected cells, or below them one line each of "
                    f"start:, solution: and facts:, got {shown(line)}"
                )
            below[key] = value
    starts = places["S"] + ([_read_place(below["start"])] if "start" in below else [])
    return Round(
        np.array(tiles, np.uint8),
        only("start", starts),
        only("flag", places["F"]),
        read_solution(below.get("solution")),
        read_facts(below.get("facts")),
    )


def only(name: str, found: list[Place]) -> Place:
    """The one place of its kind; none or two are refused."""
    if len(found) != 1:
        where = f": {', '.join(f'{x},{y}' for x, y in found[:4])}" if found else ""
        raise InputError(f"{name}: expected one {name}, got {len(found) or 'none'}{where}")
    return found[0]


def _read_picture(picture: list[tuple[int, str]]) -> tuple[list[list[int]], dict[str, list[Place]]]:
    width = len(picture[0][1])
    check_side(width, len(picture))
    places: dict[str, list[Place]] = {"S": [], "F": []}
    tiles = np.zeros((len(picture), width), int).tolist()
    for y, (number, line) in enumerate(picture):
        if len(line) != width:
            raise InputError(
                f"round text, line {number}: expected {width} cells like the first line, got "
                f"{len(line)}"
            )
        for x, character in enumerate(line):
            if character not in CHARACTERS:
                raise InputError(
                    f"round text, line {number}, column {x + 1}: unknown tile {character!r}; "
                    "expected one of . 1-9 * F S"
                )
            tiles[y][x] = CHARACTERS[character]
            if character in places:
                places[character].append((x, y))
    return tiles, places


def _read_place(value: str) -> Place:
    match = re.fullmatch(r"([0-9]{1,4})\s*,\s*([0-9]{1,4})", value)
    if match is None:
        raise InputError(f"start: expected 'start: x,y' with whole numbers, got {shown(value)}")
    return int(match[1]), int(match[2])


@lru_cache(maxsize=1)
def shipped() -> tuple[Round, ...]:
    """All of them, the easiest first; each holds its solution and its facts."""
    folder = files("levolve.puzzles.flag") / "rounds"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".txt"))
    return tuple(parse((folder / name).read_text(encoding="utf-8")) for name in names)


def shipped_round(number: int) -> Round:
    """Round `number`, counted from 1."""
    if not 1 <= number <= len(shipped()):
        raise InputError(
            f"round: expected a number from 1 to {len(shipped())} for a round that comes with "
            f"levolve, got {number}"
        )
    return shipped()[number - 1]


FLAG = -1
LONGEST_NUMBER = 9
SOURCE_TILES = {0: 0, 1: 1, 2: 2, 3: NEVER, 5: FLAG}
WIDE_TILES = {**{visits: visits for visits in range(10)}, 10: NEVER, 11: FLAG}
# Rounds that the source's document prints, bottom row first.
DOCUMENT_ROUNDS: dict[str, dict[str, Any]] = {
    "document-5": {
        "rows": [
            [0, 0, 0, 1, 0],
            [0, 0, 0, 5, 1],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 1, 0],
            [1, 1, 1, 3, 1],
            [0, 0, 0, 1, 0],
        ],
        "start": [0, 4],
    }
}
NAMES: dict[object, int] = {"gap": 0, "never": NEVER, "flag": FLAG}


def round_to_data(written: Round) -> dict[str, Any]:
    """A round as plain data, rows bottom first."""
    few = set(np.unique(written.tiles).tolist()) <= {0, 1, 2, NEVER}
    codes = {meaning: code for code, meaning in (SOURCE_TILES if few else WIDE_TILES).items()}
    rows = [[codes[int(visits)] for visits in row] for row in written.tiles]
    rows[written.flag[1]][written.flag[0]] = codes[FLAG]
    names = {meaning: name for name, meaning in NAMES.items()}
    data: dict[str, Any] = {"format": "levolve round", "written_by": WRITTEN_BY, RIGHTS: YOURS}
    if not few:
        data["tiles"] = {
            str(code): names.get(meaning, meaning) for code, meaning in WIDE_TILES.items()
        }
    return {
        **data,
        "rows": rows[::-1],
        "start": [written.start[0], written.height - 1 - written.start[1]],
        "flag": [written.flag[0], written.height - 1 - written.flag[1]],
        "solution": written.solution,
        **({"facts": dict(written.facts)} if written.facts else {}),
    }


def round_from_data(data: object) -> Round:
    """What `round_to_data` gave, or the source's form."""
    if not is_round(data) or not isinstance(data, dict):
        raise InputError(
            "round: expected an object with a list of 'rows' (or 'map'), bottom row first, and a "
            "'start' [column, row]"
        )
    meanings = _meanings(data.get("tiles"))
    rows = _rows(_listed(data[_rows_name(data)]), meanings)
    height = len(rows)
    start = _place("start", data.get("start"), height)
    if "format" not in data and meanings is SOURCE_TILES:
        _restore_start(rows, start)
    flag = only(
        "flag",
        [(x, y) for y, row in enumerate(rows) for x, meaning in enumerate(row) if meaning == FLAG],
    )
    if data.get("flag") is not None and _place("flag", data["flag"], height) != flag:
        raise InputError(
            f"flag: expected [{flag[0]}, {height - 1 - flag[1]}] like the rows, got "
            f"{shown(data['flag'])}"
        )
    tiles = [[NEVER if meaning == FLAG else meaning for meaning in row] for row in rows]
    return Round(
        np.array(tiles),
        start,
        flag,
        read_solution(data.get("solution")),
        read_facts(data.get("facts")),
    )


def is_round(data: object) -> bool:
    """Whether JSON or Python data looks like a round."""
    return isinstance(data, dict) and isinstance(
        data.get(_rows_name(data)), list | tuple | np.ndarray
    )


def _rows_name(data: Mapping[str, object]) -> str:
    return "map" if "map" in data and "rows" not in data else "rows"


def _listed(rows: Any) -> list[object]:
    """Return rows as lists of plain values, as JSON has them."""
    plain = rows.tolist() if isinstance(rows, np.ndarray) else rows
    return [list(row) if isinstance(row, tuple) else row for row in plain]


def _restore_start(rows: list[list[int]], start: Place) -> None:
    """Give a start that has already fallen its one visit back."""
    x, y = start
    if 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == 0:
        rows[y][x] = 1


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER


def _meanings(table: object) -> dict[int, int]:
    if table is None:
        return SOURCE_TILES
    if not isinstance(table, dict):
        raise InputError(f"tiles: expected an object of number: visits, got {type(table).__name__}")
    meanings = {}
    for code, meaning in table.items():
        visits = NAMES.get(meaning, meaning) if isinstance(meaning, str) else meaning
        if (
            not _is_number(str(code))
            or isinstance(visits, bool)
            or not isinstance(visits, int)
            or not (visits in NAMES.values() or 0 <= visits <= MOST_VISITS)
        ):
            raise InputError(
                f"tiles: expected a number and its visits from 1 to {MOST_VISITS}, 'gap', "
                f"'never' or 'flag', got {shown(code)}: {shown(meaning)}"
            )
        meanings[int(code)] = visits
    return meanings


def _rows(rows: list[object], meanings: Mapping[int, int]) -> list[list[int]]:
    """Meanings, top row first."""
    read: list[list[int]] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or not row or (read and len(row) != len(read[0])):
            wanted = f"{len(read[0])} numbers like the first row" if read else "a list of numbers"
            raise InputError(f"rows: expected {wanted}, got {shown(row)} as row {number}")
        for code in row:
            if isinstance(code, bool) or not isinstance(code, int) or code not in meanings:
                raise InputError(
                    f"rows: unknown tile {shown(code)} in row {number}; expected one of "
                    f"{', '.join(str(known) for known in list(meanings)[:16])}"
                )
        read.append([meanings[code] for code in row])
    if not read:
        raise InputError("rows: expected at least one row, got none")
    return read[::-1]


def _place(name: str, place: object, height: int) -> Place:
    if (
        not isinstance(place, list | tuple)
        or len(place) != 2  # x and y
        or not all(isinstance(part, int) and not isinstance(part, bool) for part in place)
    ):
        raise InputError(
            f"{name}: expected [column, row] with the bottom row 0, got {shown(place)}"
        )
    return place[0], height - 1 - place[1]


def decode(content: bytes) -> Round | None:
    """The round in a file's bytes, JSON or text; None where they hold something else."""
    source = position_text(content)
    if source is None:
        return None
    if source.lstrip().startswith("{"):
        data = position_data(source, '"rows"' if '"rows"' in source else '"map"')
        return round_from_data(data) if is_round(data) else None
    picture = [line for line in source.splitlines() if line.strip() and ":" not in line]
    return parse(source) if picture and "F" in "".join(picture) else None


def read_round(source: object) -> Round:
    """Read a round from a `Round`, a text, data, a file's path, a number or a name."""
    if isinstance(source, Round):
        return source
    if isinstance(source, dict):
        return round_from_data(source)
    if isinstance(source, str) and source in DOCUMENT_ROUNDS:
        return round_from_data(DOCUMENT_ROUNDS[source])
    if isinstance(source, int) or (isinstance(source, str) and _is_number(source)):
        return shipped_round(int(source))
    if names_a_file(source):
        return _read_file(Path(str(source)))
    if isinstance(source, str) and ("\n" in source or set(source) & set("SF")):
        return _parse(source)
    what = shown(source) if isinstance(source, str) else type(source).__name__
    raise InputError(
        "round: expected a round, its text, a file, or the number of one that comes with "
        f"levolve, got {what}"
    )


def parse_round(source: str) -> Round:
    """A round from its text or JSON form, or by its name or number; never from a file."""
    name = source.strip()
    if name in DOCUMENT_ROUNDS:
        return round_from_data(DOCUMENT_ROUNDS[name])
    return shipped_round(int(name)) if _is_number(name) else _parse(source)


def names_a_file(source: object) -> bool:
    """Whether the source of a round is a path, or a text that looks like one."""
    if not isinstance(source, str):
        return isinstance(source, Path)
    # os.path.exists, unlike Path's, takes a name that is too long for one that does not exist.
    return "\n" not in source and bool(Path(source).suffix or os.path.exists(source))  # noqa: PTH110 see above


def _read_file(path: Path) -> Round:
    content = read_bytes(path, MOST_POSITION_BYTES)
    with naming(path):
        return _parse(decode_text(content, "round"))


def _parse(source: str) -> Round:
    if source.lstrip().startswith(("{", "[")):
        return round_from_data(parse_json(source, "round JSON"))
    return parse(source)


def encode_json(written: Round) -> bytes:
    """A round as JSON, one line per row."""
    data = round_to_data(written)
    rows = ",\n".join(f"    {json.dumps(row)}" for row in data["rows"])
    marked = json.dumps({**data, "rows": "ROWS"}, indent=2)
    return (marked.replace('"ROWS"', f"[\n{rows}\n  ]") + "\n").encode()
