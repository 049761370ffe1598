"""No altered map or project is certified for other things than it shows. The long form is
`make alterations`.
"""

import warnings
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from alterations import things
from alterations.test_alterations import FILES
from levolve.core.errors import InputError, ProofError
from levolve.formats.level_files import load_level, save_level
from levolve.levels.level import Level
from levolve.levels.solver import recertified
from levolve.levels.things.thing import Thing

FORMATS = {
    "tmx": (things.alter_tmx, things.shown_tmx),
    "ldtk": (things.alter_ldtk, things.shown_ldtk),
}


def locked_level(random: Random) -> Level:
    """A small level with a key and a door, a lever and a gate, a monster and a torch, which can be
    won.
    """
    while True:
        tiles = np.array([[random.random() < 0.2 for _ in range(6)] for _ in range(5)], np.uint8)
        free = [(x, y) for y in range(5) for x in range(6) if not tiles[y, x]]
        if len(free) < 9:
            continue
        cells = random.sample(free, 9)
        made = [
            Thing("key", cells[2], "k", {"color": "red"}),
            Thing("door", cells[3], fields={"color": "red"}),
            Thing("lever", cells[4], "a"),
            Thing("gate", cells[5], fields={"lever": "a"}),
            Thing("potion", cells[6], fields={"health": "3"}),
            Thing("monster", cells[7], fields={"damage": "1"}),
            Thing("torch", cells[8]),
        ]
        level = recertified(
            Level(tiles, {"entrance": cells[0], "exit": cells[1]}, things=tuple(made))
        )
        if level.certificate is not None:
            return level


@pytest.mark.parametrize("name", FORMATS)
def test_the_things_that_are_certified_are_those_that_are_shown(name: str, tmp_path: Path) -> None:
    alter, shows = FORMATS[name]
    outcomes: Counter[str] = Counter()
    for number in range(max(40, FILES // 4)):
        random = Random(f"things {name} {number}")
        level = locked_level(random)
        folder = tmp_path / str(number)
        folder.mkdir()
        path = save_level(level, folder / f"a.{name}")
        assert shows(path) == {(thing.kind, thing.cell) for thing in level.things}
        done = alter(path, level, random)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = load_level(path)
        except (InputError, ProofError):
            outcomes["refused"] += 1
            continue
        assert shows(path) == {(thing.kind, thing.cell) for thing in found.things}, (
            f"{number}: {done}"
        )
        if found.certificate is None:
            outcomes["cannot be won, or can be lost"] += 1
            continue
        found.check()
        outcomes["certified"] += 1
    print("things", name, dict(outcomes))  # noqa: T201 shown by make alterations
    assert min(outcomes["refused"], outcomes["certified"]) > 4
