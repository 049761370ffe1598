"""Alterations of text files: text, CSV, JSON and Sokoban's text."""

import json
import re
from pathlib import Path
from random import Random

from alterations.alteration import Cells, Shown
from levolve.levels.level import Level

SIGNS = {"S": "entrance", "E": "exit", "1": "checkpoint 1"}


def alter(path: Path, level: Level, other: Level, random: Random) -> str:
    """Exchange characters of the map, or take the map of another level."""
    text = path.read_text()
    if random.random() < 0.2:
        from levolve.formats import FORMATS

        lines = FORMATS[path.suffix[1:]].encode(other).decode()
        for name in ("solution", "digest"):
            claims = [re.search(rf'{name}"?: "?([a-z0-9]+)', each) for each in (text, lines)]
            if claims[0] is not None and claims[1] is not None:
                lines = lines.replace(claims[1][1], claims[0][1])
        path.write_text(lines)
        return "another level with these claims"
    characters = {".csv": "01", ".xsb": "# @$."}.get(path.suffix, ".#")
    at = [
        index
        for index, character in enumerate(text[: text.find("solution")])
        if character in characters + "SE1"
    ]
    changed = list(text)
    for _ in range(random.randint(1, 3)):
        one, two = random.choice(at), random.choice(at)
        if random.random() < 0.5:
            changed[one] = random.choice(characters)
        else:
            changed[one], changed[two] = changed[two], changed[one]
    path.write_text("".join(changed))
    del level
    return "other characters"


def shown_text(path: Path) -> Shown | None:
    """The rows of a text file."""
    return _rows([line for line in path.read_text().splitlines() if line and ":" not in line], {})


def shown_json(path: Path) -> Shown | None:
    """The rows and places of a JSON file."""
    data = json.loads(path.read_text())
    return _rows(data["tiles"], {name: tuple(place) for name, place in data["places"].items()})


def shown_csv(path: Path) -> Shown | None:
    """The numbers and the places in comments of a CSV file."""
    lines = path.read_text().splitlines()
    places = re.findall(
        r"^# (entrance|exit|checkpoint 1): (\d+),(\d+)$", "\n".join(lines), re.MULTILINE
    )
    rows = [
        "".join(".#"[int(cell)] for cell in line.split(","))
        for line in lines
        if line and not line.startswith("#")
    ]
    return _rows(rows, {name: (int(x), int(y)) for name, x, y in places})


def _rows(rows: list[str], places: dict[str, tuple[int, int]]) -> Shown:
    cells: Cells = {}
    found = dict(places)
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            cells[x, y] = "wall" if character == "#" else "floor"
            if character in SIGNS:
                found[SIGNS[character]] = (x, y)
    return cells, found
