"""The text form of a level: one character per cell.

`#` wall, `.` floor, `S` entrance, `E` exit, `1`-`9` checkpoints, `A` `B` `C` tour places; `R O Y G
B V` the colours of a chromatic level. A drawing in a frame of `+---+` with `X` for walls and blanks
for floor, as the first author of dungeons made them, is read as well. Everything else is written
below the picture, one `key: value` per line: a tileset that cannot be recognised by its characters,
places of a tileset without signs, checkpoints inside a wall or after the ninth, places that share a
cell, a goal that does not follow from the places; `floors: N` if there are several;
`thing: KIND x,y field=value …` for each thing, and `kind: {…}` for each kind of the level's own,
as JSON; and, in files, `solution:`, `certificate:`, `digest:`, `origin:` and `rights:`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.levels.goal import GOALS, Goal, default_goal
from levolve.levels.places import Place, known_place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import MOST_THINGS, Thing
from levolve.levels.tileset import RAINBOW, SIGNS, TILESETS, WALLS, Tileset

CELL = r"(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})"
PLACES = {sign: name for name, sign in SIGNS.items()}
# Tilesets that are recognised by their characters; every other is named below the picture.
RECOGNISED = (RAINBOW, WALLS)
# The frame of a drawing, and its characters in ours.
FRAME = re.compile(r"\+-+\+")
DRAWN = str.maketrans({"X": WALLS.characters[1], " ": WALLS.characters[0]})
SINGLE = ("solution", "certificate", "digest", "origin", "rights", "tileset", "goal", "floors")


class Parsed(NamedTuple):
    """The parts of a parsed text."""

    tiles: NDArray[np.uint8]
    places: dict[str, Place]
    tileset: Tileset
    goal: Goal
    solution: str | None
    origin: str | None
    digest: str | None
    certificate: str | None
    things: tuple[Thing, ...]
    kinds: dict[str, Kind]
    floors: int


def picture(
    tiles: NDArray[np.uint8], places: Mapping[str, Place], tileset: Tileset
) -> tuple[list[str], dict[str, Place]]:
    """Return the rows of characters, and the places that cannot be drawn."""
    characters = np.array(list(tileset.characters))
    cells = characters[tiles]
    hidden: dict[str, Place] = {}
    for name, (x, y) in places.items():
        if tileset.signs and name in SIGNS and cells[y, x] == tileset.characters[tileset.open_kind]:
            cells[y, x] = SIGNS[name]
        else:
            hidden[name] = (x, y)
    return rows_of(cells), hidden


def rows_of(cells: NDArray[np.str_]) -> list[str]:
    """Return the rows of an array of single characters as strings."""
    return [row.astype("<U1").tobytes().decode("utf-32-le") for row in cells]


def kinds_of(characters: str, tileset: Tileset) -> NDArray[np.uint8]:
    """Return the kinds of tiles of characters, all of which belong to the tileset."""
    table = {ord(character): kind for kind, character in enumerate(tileset.characters)}
    return np.frombuffer(characters.translate(table).encode("latin-1"), np.uint8)


def draw(
    tiles: NDArray[np.uint8],
    places: Mapping[str, Place],
    tileset: Tileset,
    goal: Goal,
    things: Iterable[Thing] = (),
    kinds: Mapping[str, Kind] | None = None,
    floors: int = 1,
) -> str:
    """Return the picture, and one line for each value that cannot be drawn."""
    rows, hidden = picture(tiles, places, tileset)
    below = [] if tileset in RECOGNISED else [f"tileset: {tileset.name}"]
    below += [f"{name}: {x},{y}" for name, (x, y) in hidden.items()]
    below += [] if goal == default_goal(places) else [f"goal: {goal.name}"]
    below += [] if floors == 1 else [f"floors: {floors}"]
    below += [f"thing: {thing.to_text()}" for thing in things]
    below += [f"kind: {json.dumps(kind.to_data())}" for kind in (kinds or {}).values()]
    return "\n".join(rows + below)


def parse(source: str) -> Parsed:
    """Parse the output of `draw`; an error names the line."""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(source.splitlines(), 1)
        if line.strip()
    ]
    cells = [(number, line) for number, line in lines if ":" not in line]
    framed = bool(cells) and FRAME.fullmatch(cells[0][1].strip()) is not None
    last = cells[-1][0] if cells else 0
    if framed:
        cells, lines = _unframed(cells), [(number, line) for number, line in lines if ":" in line]
    if not cells:
        raise InputError("level text: expected at least two lines of cells such as 'S.#', got none")
    single, below, things, kinds = _read_below(lines, last)
    tileset = _tileset(single.get("tileset"), cells)
    tiles, places = _read_picture(cells, tileset, named="tileset" in single)
    for name, (number, place) in below.items():
        _add(places, name, place, number)
    goal = GOALS[single["goal"]] if "goal" in single else default_goal(places)
    return Parsed(
        tiles,
        places,
        tileset,
        goal,
        single.get("solution"),
        single.get("origin"),
        single.get("digest"),
        single.get("certificate"),
        tuple(things),
        kinds,
        read_floors(single.get("floors", "1")),
    )


def read_floors(text: str) -> int:
    """Parse a number of floors."""
    if re.fullmatch("[0-9]{1,3}", text) is None:
        raise InputError(f"floors: expected a whole number from 1, got {shown(text)}")
    return int(text)


def _read_below(
    lines: list[tuple[int, str]], last: int
) -> tuple[dict[str, str], dict[str, tuple[int, Place]], list[Thing], dict[str, Kind]]:
    """Return what stands below the picture, whose last line is given: values by key, places with
    their lines, things, and kinds.
    """
    single: dict[str, str] = {}
    below: dict[str, tuple[int, Place]] = {}
    things: list[Thing] = []
    kinds: dict[str, Kind] = {}
    for number, line in lines:
        if ":" not in line:
            continue
        if number < last:
            raise InputError(
                f"level text, line {number}: expected cells, got {shown(line)}; 'key: value' "
                "lines belong below the picture"
            )
        key, value = (part.strip() for part in line.split(":", 1))
        if key == "thing":
            if len(things) == MOST_THINGS:
                raise InputError(
                    f"level text, line {number}: expected at most {MOST_THINGS} things"
                )
            things.append(Thing.from_text(value, f"level text, line {number}"))
            continue
        if key == "kind":
            add_kind(kinds, value, f"level text, line {number}")
            continue
        if key in single or key in below:
            raise InputError(f"level text, line {number}: expected one {key[:40]}, got a second")
        if key in SINGLE:
            single[key] = value
        else:
            below[key] = number, read_place(key, value, f"level text, line {number}")
    return single, below, things, kinds


def add_kind(kinds: dict[str, Kind], text: str, where: str) -> None:
    """Add a kind given as JSON to others; an error begins with `where`."""
    try:
        kind = Kind.from_data(json.loads(text))
    except (ValueError, RecursionError, InputError) as problem:
        raise InputError(f"{where}: expected a kind of things as JSON: {problem}") from problem
    if kind.name in kinds:
        raise InputError(f"{where}: expected one kind {kind.name}, got a second")
    kinds[kind.name] = kind


def _unframed(drawn: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The rows of cells inside a frame, with our characters for wall and floor."""
    first = drawn[0][1].strip()
    if (
        len(drawn) < 3 or drawn[-1][1].strip() != first
    ):  # two lines of the frame and something between them
        number, line = drawn[-1]
        raise InputError(
            f"level text, line {number}: expected the frame to end with {shown(first)} as it "
            f"begins, got {shown(line.strip())}"
        )
    rows = []
    for number, line in drawn[1:-1]:
        row = line.strip()
        if len(row) != len(first) or row[0] + row[-1] != "||":
            raise InputError(
                f"level text, line {number}: expected {len(first) - 2} cells between two |, as "
                f"wide as the frame, got {shown(row)}"
            )
        rows.append((number, row[1:-1].translate(DRAWN)))
    return rows


def _tileset(name: str | None, cells: list[tuple[int, str]]) -> Tileset:
    if name is not None:
        return TILESETS[name]
    return RAINBOW if all(set(line) <= set(RAINBOW.characters) for _, line in cells) else WALLS


def _read_picture(
    cells: list[tuple[int, str]], tileset: Tileset, *, named: bool
) -> tuple[NDArray[np.uint8], dict[str, Place]]:
    width = len(cells[0][1])
    known = set(tileset.characters)
    rows: list[str] = []
    places: dict[str, Place] = {}
    hidden = (
        str.maketrans(dict.fromkeys(PLACES, tileset.characters[tileset.open_kind]))
        if tileset.signs
        else {}
    )
    for y, (number, line) in enumerate(cells):
        if len(line) != width:
            raise InputError(
                f"level text, line {number}: expected {width} cells like the first line, got "
                f"{len(line)}"
            )
        if set(line) <= known:
            rows.append(line)
            continue
        for x, character in enumerate(line):
            if character in known:
                continue
            if tileset.signs and character in PLACES:
                _add(places, PLACES[character], (x, y), number)
            else:
                expected = (
                    f"{' '.join(tileset.characters)}{' S E 1-9 A B C' if tileset.signs else ''}"
                )
                other = (
                    f" of the tileset {tileset.name!r}"
                    if named
                    else f", or only the colours {' '.join(RAINBOW.characters)}"
                )
                raise InputError(
                    f"level text, line {number}, column {x + 1}: expected one of "
                    f"{expected}{other}, got {character!r}"
                )
        rows.append(
            "".join(
                character if character in known else character.translate(hidden)
                for character in line
            )
        )
    return kinds_of("".join(rows), tileset).reshape(len(cells), width), places


def read_place(key: str, value: str, where: str) -> Place:
    """Parse the cell of a line `key: x,y`; an error begins with `where`."""
    if not known_place(key):
        raise InputError(
            f"{where}: expected a place (entrance, exit, A, B, C, 'checkpoint N'), "
            f"{', '.join(SINGLE[:-1])} or {SINGLE[-1]}, got {shown(key)}"
        )
    match = re.fullmatch(CELL, value)
    if match is None:
        raise InputError(f"{where}: expected '{key}: x,y' with whole numbers, got {shown(value)}")
    return int(match[1]), int(match[2])


def _add(places: dict[str, Place], name: str, place: Place, number: int) -> None:
    if name in places:
        raise InputError(
            f"level text, line {number}: expected one {name}, got a second at {place[0]},{place[1]}"
        )
    places[name] = place
