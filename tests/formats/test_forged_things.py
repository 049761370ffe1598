"""Files of levels with things: what is proven is read again in every format, and a forged solution,
certificate or digest proves nothing. `LEVOLVE_EXAMPLES` says how many files are forged.
"""

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import levolve
from levels.things.certificates import ranked, tabled
from levels.things.inputs import random_level
from levels.things.test_checking import wins
from levolve.core.errors import InputError, LevolveError
from levolve.formats import FORMATS
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.solver import recertified
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import WALLS
from oracles.things import decide

FORGED = 8 * int(os.environ.get("LEVOLVE_EXAMPLES", "25"))
THINGS = (
    Thing("small_key", (1, 0)),
    Thing("small_door", (2, 0)),
    Thing("plate", (3, 0), "a"),
    Thing("gate", (4, 0), "b", {"lever": "a"}),
    Thing("torch", (4, 2), "c", {"note": 'a,"b"\'&<>;:|日本', "empty": ""}),
    Thing("mud", (2, 2)),
)
MUD = {"mud": Kind("mud", 'Says "no", <always>; & more.', "~", gives={"wet": 1})}
PROVEN = recertified(Level.from_text("S....\n####.\nE....").with_things(THINGS, MUD))


@pytest.mark.filterwarnings("ignore::levolve.formats.level_files.UnseenThingsWarning")
@pytest.mark.parametrize("name", FORMATS)
def test_a_proven_level_with_things_survives_every_format(name: str, tmp_path: Path) -> None:
    assert PROVEN.certificate is not None
    read = levolve.load(levolve.save(PROVEN, tmp_path / f"one.{name}"))
    assert isinstance(read, Level)
    assert (read, read.things, read.kinds) == (PROVEN, PROVEN.things, PROVEN.kinds)
    assert (read.solution, read.certificate) == (PROVEN.solution, PROVEN.certificate)


def forged() -> Iterator[Level]:
    """Levels that can be lost, with certificates, and levels with the solution and certificate of
    another level, without end. Their files are consistent: the digest is that of the level.
    """
    for seed in itertools.count():
        chance = random.Random(seed)
        level = random_level(chance, chance.choice(["A", "T", "C", "C+T", "G"]), 5, 7)
        if level.tileset != WALLS or level.goal not in [GOALS[name] for name in GOALS]:
            continue
        proven = recertified(level)
        if proven.solution is None or not level.has_mechanics:
            continue
        verdict = decide(level, 400)
        if verdict is not None and not verdict.safe:
            # The solution holds, but the level can be lost.
            tables = tabled(level, verdict, "C+T"), ranked(level, verdict)
            for certificate in (Certificate("A"), Certificate("T"), *tables):
                yield proven.with_solution(proven.solution, certificate)
        for _ in range(3):
            try:
                altered = alter(chance, proven)
                yield altered.with_solution(
                    chance.choice((proven.solution, proven.solution[:-1], "")),
                    chance.choice((proven.certificate, Certificate("A"), Certificate("T"), None)),
                )
            except InputError:
                continue


def alter(chance: random.Random, level: Level) -> Level:
    """Return a level in which things are exchanged, moved, removed, or have other fields or kinds."""
    things = list(level.things)
    one, two = (chance.randrange(len(things)) for _ in range(2))
    thing = things[one]
    change = chance.randrange(5)
    if change == 0:
        del things[one]
    elif change == 1:
        x, y = things[two].cell
        things[two] = things[two].moved(thing.cell[0] - x, thing.cell[1] - y)
        things[one] = thing.moved(x - thing.cell[0], y - thing.cell[1])
    elif change == 2:
        things[one] = thing.moved(*chance.choice(((0, 1), (1, 0), (0, -1), (-1, 0))))
    elif change == 3:
        kind = chance.choice(("door", "small_door", "monster", "boss", "one_way", "mud", "torch"))
        things[one] = Thing(kind, thing.cell, thing.id)
    else:
        values = {"color": "green", "damage": "3", "open": "true", "health": "0", "direction": "l"}
        fields = {name: values.get(name, value) for name, value in thing.fields.items()}
        things[one] = Thing(thing.kind, thing.cell, thing.id, fields)
    return level.with_things(things)


def test_forged_files_are_refused_or_proven_again(tmp_path: Path) -> None:
    count: Counter[str] = Counter()
    names = itertools.cycle(FORMATS)
    for level, name in zip(forged(), names, strict=False):
        path = tmp_path / f"forged.{name}"
        path.write_bytes(FORMATS[name].encode(level))
        count["files"] += 1
        try:
            read = levolve.load(path)
        except LevolveError:
            count["refused"] += 1
        else:
            assert isinstance(read, Level)
            assert read.things == level.things, name
            verdict = decide(read, 20_000)
            if verdict is not None:
                assert read.certificate is None or verdict.safe, (name, read.to_text())
                assert read.solution is None or wins(read, read.solution), (name, read.to_text())
                count["safe" if read.certificate else "unsafe"] += 1
        if count["files"] >= FORGED:
            break
    assert min(count["refused"], count["safe"], count["unsafe"]) >= FORGED // 40, count
