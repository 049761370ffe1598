"""Several floors in one level: bands of rows that stairs join, in every format, with one proof."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import levolve
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.floors import floor_height, floor_of, floor_rows, stacked
from levolve.levels.level import Level, with_border
from levolve.levels.solver import recertified
from levolve.levels.things.thing import Thing
from oracles.things import decide

TOWER = """S..#
.#..
##..
####
.#..
...#
...#
####
..#E
#...
#...
floors: 3
thing: key 3,5 color=red
thing: stairs 3,2 id=a to=b
thing: stairs 0,4 id=b to=a
thing: stairs 3,4 id=c to=d
thing: stairs 0,8 id=d to=c
thing: door 1,8 color=red
""".replace("...#\n...#", "....\n...#")


@pytest.fixture
def tower() -> Level:
    return recertified(Level.from_text(TOWER))


def test_one_proof_goes_over_all_floors(tower: Level) -> None:
    assert tower.solution is not None
    assert tower.solution.count("x") == 2
    tower.check()
    verdict = decide(tower)
    assert verdict is not None
    assert (verdict.winnable, verdict.safe, verdict.steps) == (True, True, len(tower.solution))
    assert [floor_of(tower, (0, y)) for y in range(11)] == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    assert (floor_height(tower), floor_rows(tower, 2)) == (3, (8, 11))


def test_floors_are_part_of_the_text_and_of_the_digest_only_if_there_are_several(
    tower: Level,
) -> None:
    assert Level.from_text(tower.to_text()) == tower
    one = Level.from_text(TOWER.replace("floors: 3\n", ""))
    assert one != tower
    assert "floors" not in one.to_text()
    assert one.floors == 1


@pytest.mark.parametrize("suffix", sorted({*FORMATS} - {"gif", "tiles.png"}))
@pytest.mark.filterwarnings("ignore::levolve.formats.level_files.UnseenThingsWarning")
def test_every_format_keeps_the_floors(tower: Level, suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"tower.{suffix}"
    levolve.save(tower, file)
    assert levolve.load(file, Level).floors == 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("floors: 3", "floors: 2"), "an open cell at 0,5"),
        (("floors: 3", "floors: 5"), "rows for 5 equal floors and 4 rows of wall"),
        (("floors: 3", "floors: 0"), "a whole number from 1 to 100, got 0"),
        (("floors: 3", "floors: many"), "a whole number from 1, got 'many'"),
        (("####\n.#..", "##.#\n.#.."), "a row of wall below each floor, got an open cell at 2,3"),
    ],
)
def test_bands_that_are_no_floors_are_refused(change: tuple[str, str], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Level.from_text(TOWER.replace(*change))


def test_a_border_closes_every_floor(tower: Level) -> None:
    framed = with_border(tower)
    assert (framed.height, floor_height(framed), framed.floors) == (17, 5, 3)
    framed.check(loss=True)
    assert framed.prove().steps == len(tower.solution or "")


def test_levels_are_stacked_and_stairs_join_them() -> None:
    levels = levolve.evolve("castle", size=(15, 11), seed=3, generations=3).levels[:3]
    keyed = [
        level.with_things([Thing("treasure", next(_floor_cells(level, number)), f"t{number}")])
        for number, level in enumerate(levels)
    ]
    tower = recertified(stacked(keyed))
    tower.check()
    assert (tower.floors, tower.width, tower.height) == (3, 15, 35)
    assert sum(thing.kind == "stairs" for thing in tower.things) == 4
    alone = sum(len(recertified(level).solution or "") for level in levels)
    assert len(tower.solution or "") == alone + 2
    with pytest.raises(InputError, match="as floor 2"):
        stacked([levels[0], tower])


def _floor_cells(level: Level, seed: int) -> Iterator[tuple[int, int]]:
    cells = [
        (x, y)
        for y in range(level.height)
        for x in range(level.width)
        if not level.tiles[y, x] and (x, y) not in level.places.values()
    ]
    random.Random(seed).shuffle(cells)
    return iter(cells)


def test_json_says_how_many_floors_there_are(tower: Level, tmp_path: Path) -> None:
    levolve.save(tower, tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["floors"] == 3
    data["floors"] = "3"
    del data["digest"]
    (tmp_path / "b.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match="floors: expected a whole number"):
        levolve.load(tmp_path / "b.json")
