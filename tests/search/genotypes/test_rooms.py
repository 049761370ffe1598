"""Rooms: apart from each other, connected by doorways and corridors, and named in the level and its
files.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.areas import Area, read_areas, write_areas
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.structure_features import regions
from levolve.recipes.recipe import find_recipe
from levolve.search.genotypes.mirror import Mirror
from levolve.search.genotypes.rooms import Rooms

SETTINGS: list[dict[str, Any]] = [
    {},
    {"shapes": ("cross", "corner", "round", "cavern"), "largest": 11},
    {"corridor": 2, "wall": 2, "smallest": 5, "largest": 9},
    {"dead_ends": 1.0, "loops": 0.2, "share": 0.6},
    {"number": 2, "shape": "ellipse"},
]


def framed(width: int, height: int) -> Frame:
    return Frame(width, height, {"entrance": (1, 1), "exit": (width - 2, height - 2)})


@pytest.mark.parametrize("size", [(25, 17), (30, 40), (70, 23)])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_level_is_one_region_in_a_closed_border(
    settings: dict[str, Any], size: tuple[int, int]
) -> None:
    frame, genotype = framed(*size), Rooms(**settings)
    batch = genotype.batch(genotype.start(frame, 1, 0, 40), frame)
    assert (regions(batch)[0] == 1).all()
    if "shape" not in settings:
        assert batch.tiles[:, [0, -1]].all()
        assert batch.tiles[:, :, [0, -1]].all()


def test_rooms_are_open_rectangles_that_only_doorways_leave() -> None:
    frame, genotype = framed(31, 25), Rooms()
    batch = genotype.batch(genotype.start(frame, 2, 0, 60), frame)
    for index in range(60):
        level = level_at(batch, index)
        rooms = [area for area in level.areas if area.kind == "room"]
        doorways = {(area.x, area.y) for area in level.areas if area.kind == "doorway"}
        assert rooms
        for room in rooms:
            assert not level.tiles[
                room.y : room.y + room.height, room.x : room.x + room.width
            ].any()
            assert 3 <= room.width <= 7
            assert 3 <= room.height <= 7
            around = [
                (x, y)
                for x in range(room.x - 1, room.x + room.width + 1)
                for y in (room.y - 1, room.y + room.height)
            ]
            around += [
                (x, y)
                for y in range(room.y, room.y + room.height)
                for x in (room.x - 1, room.x + room.width)
            ]
            opened = {(x, y) for x, y in around if not level.tiles[y, x]}
            assert opened
            assert opened <= doorways
        wider = [
            Area("room", room.x - 1, room.y - 1, room.width + 2, room.height + 2) for room in rooms
        ]
        assert all(any(room.contains(x, y) for room in wider) for x, y in doorways)


def test_settings_limit_number_share_and_dead_ends() -> None:
    frame = framed(41, 31)

    def of(**settings: Any) -> list[Level]:
        genotype = Rooms(**settings)
        batch = genotype.batch(genotype.start(frame, 2, 0, 20), frame)
        return [level_at(batch, index) for index in range(20)]

    def counted(levels: list[Level]) -> list[int]:
        return [sum(area.kind == "room" for area in level.areas) for level in levels]

    assert counted(of(number=3)) == [3] * 20
    assert max(counted(of(share=0.1))) < min(counted(of(share=0.6)))
    dead_ends = []
    for share in (0.0, 1.0):
        tiles = np.pad(
            [level.tiles for level in of(dead_ends=share, loops=0.0)],
            ((0, 0), (1, 1), (1, 1)),
            constant_values=1,
        )
        ways = 4 - (
            tiles[:, :-2, 1:-1] + tiles[:, 2:, 1:-1] + tiles[:, 1:-1, :-2] + tiles[:, 1:-1, 2:]
        )
        dead_ends.append(((tiles[:, 1:-1, 1:-1] == 0) & (ways == 1)).sum(axis=(1, 2)).max())
    assert dead_ends[0] <= 2, "only entrance and exit may be dead ends"
    assert dead_ends[1] > 10


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"smallest": 30},
            (
                "smallest: expected rooms that fit into the level, which has room for a width of "
                "23 inside its border, got 30"
            ),
        ),
        (
            {"largest": 21},
            (
                "largest: expected rooms that fit into the level, which has room for a height of "
                "15 inside its border, got 21"
            ),
        ),
        (
            {"smallest": 5, "largest": 4},
            "largest: expected at least the smallest side of rooms, 5, got 4",
        ),
        ({"shapes": ()}, "shapes: expected"),
        ({"shapes": ("hexagon",)}, "shapes"),
    ],
)
def test_rooms_that_do_not_fit_are_refused_by_name(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        Rooms(**settings).space(framed(25, 17))
    assert str(caught.value).startswith(words)


def test_areas_follow_borders_and_folds() -> None:
    recipe = find_recipe("maze").changed(
        {
            "size": "25x17",
            "genotype": {"kind": "rooms"},
            "generations": 1,
            "entrance": "1,1",
            "exit": "-2,-2",
        }
    )
    plain = levolve.evolve(recipe, seed=1).best
    grown = levolve.evolve(
        recipe.changed({"finish": [{"kind": "frame", "grow": True}]}), seed=1
    ).best
    assert grown.areas == tuple(area.moved(1, 1) for area in plain.areas)
    frame, genotype = framed(31, 31), Mirror(of=Rooms(), fold="quarter_turn")
    level = level_at(genotype.batch(genotype.start(frame, 1, 0, 1), frame))
    rooms = [area for area in level.areas if area.kind == "room"]
    assert len(rooms) % 4 == 0
    for room in rooms:
        assert not level.tiles[room.y : room.y + room.height, room.x : room.x + room.width].any()


@pytest.mark.parametrize("name", ["json", "tmx", "tmj", "ldtk", "tscn", "npz", "csv", "txt"])
def test_areas_are_kept_in_files(name: str, tmp_path: Path) -> None:
    areas = (Area("room", 0, 0, 2, 2, 0b0111, "boss"), Area("doorway", 1, 1, 1, 1))
    level = Level.from_text("S.#\n..#\n#.E").with_solution("rddr")
    decoded = FORMATS[name].decode(FORMATS[name].encode(replace(level, areas=areas)))
    assert decoded.areas == (() if name == "txt" else areas)
    assert decoded == level
    assert read_areas(write_areas(areas)) == areas
    if name == "json":
        edited = levolve.load(levolve.save(replace(level, areas=areas), tmp_path / "level.json"))
        assert isinstance(edited, Level)
        assert edited.areas == areas


@pytest.mark.parametrize("text", ["room 1,1", "room 1,1,2x2; cave", "Room 1,1,2x2"])
def test_areas_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="areas: expected entries such as 'room 1,1,5x3'"):
        read_areas(text)
    with pytest.raises(
        InputError, match="areas: expected areas inside the 3x3 level, got room 2,2,2x1"
    ):
        replace(Level.from_text("S.#\n..#\n#.E"), areas=(Area("room", 2, 2, 2, 1),))
