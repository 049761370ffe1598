"""Rooms, corridors and doorways as shapes of cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.levels.areas import (
    Area,
    areas_from_data,
    areas_to_data,
    check_areas,
    described,
    find_areas,
    links,
    read_areas,
    write_areas,
)
from levolve.levels.level import Level

HOUSE = """\
##############
#S..#....#...#
#........#...#
#...#....#...#
##.#######.###
##.......+.###
##########.###
##########..E#
##############"""

tiles = st.integers(2, 12).flatmap(
    lambda width: st.lists(
        st.text(".#", min_size=width, max_size=width), min_size=1, max_size=12
    ).filter(lambda rows: len(rows) > 1)
)


def house(*lines: str) -> Level:
    return Level.from_text("\n".join([HOUSE.replace("+", "."), *lines]))


def shapes(level: Level, kind: str) -> list[tuple[int, int, int, int]]:
    found = [area for area in find_areas(level) if area.kind == kind]
    assert all(not area.mask for area in found)
    return [(area.x, area.y, area.width, area.height) for area in found]


def test_rooms_doorways_and_corridors_are_told_apart() -> None:
    level = house()
    assert shapes(level, "room") == [(1, 1, 3, 3), (5, 1, 4, 3), (10, 1, 3, 3)]
    assert (4, 2, 1, 1) in shapes(level, "doorway")
    assert (10, 4, 1, 1) in shapes(level, "doorway")


def test_the_role_of_a_room_follows_from_what_is_in_it() -> None:
    level = house("thing: boss 11,1 damage=2", "thing: treasure 6,1")
    roles = [area.role for area in find_areas(level) if area.kind == "room"]
    assert roles == ["entrance", "treasure", "boss"]
    hidden = house("thing: secret_door 4,2")
    assert [area.role for area in find_areas(hidden)][:2] == ["entrance", "secret"]


@given(tiles)
def test_each_walkable_cell_is_in_exactly_one_area(rows: list[str]) -> None:
    level = Level.from_text("\n".join(rows))
    areas = find_areas(level)
    cells = [cell for area in areas for cell in area.cells]
    assert len(set(cells)) == len(cells) == int(level.walkable.sum())
    assert all(level.walkable[y, x] for x, y in cells)
    check_areas(areas, level.width, level.height)
    for area in areas:
        covered = [
            (x, y)
            for left, top, width, height in area.rectangles
            for y in range(top, top + height)
            for x in range(left, left + width)
        ]
        assert sorted(covered) == sorted(area.cells)
        assert len(covered) == len(set(covered))
    owner = {cell: index for index, area in enumerate(areas) for cell in area.cells}
    expected = {
        tuple(sorted((owner[x, y], owner[other])))
        for x, y in owner
        for other in ((x + 1, y), (x, y + 1))
        if other in owner and owner[other] != owner[x, y]
    }
    assert set(links(areas)) == expected


@given(tiles)
def test_text_and_data_of_areas_are_lossless(rows: list[str]) -> None:
    areas = find_areas(Level.from_text("\n".join(rows)))
    assert read_areas(write_areas(areas)) == areas
    assert areas_from_data(areas_to_data(areas)) == areas


@pytest.mark.parametrize(
    "area",
    [
        Area("room", 2, 2, 2, 1),
        Area("room", 0, 0, 2, 2, 1 << 4),
        Area("room", 0, 0, 1, 1, 0, "Boss"),
        Area("room", 0, 0, 0, 1),
    ],
)
def test_areas_that_do_not_fit_are_refused(area: Area) -> None:
    with pytest.raises(InputError, match="areas: expected"):
        check_areas([area], 3, 3)


def test_a_corridor_has_the_role_of_the_only_end_of_the_level_in_it() -> None:
    text = "S....####\n####.####\n####...##\n####...##\n####...##\n####...##\n#####.###\n#####...E"
    areas = find_areas(Level.from_text(text))
    assert [(area.kind, area.role) for area in areas if area.kind != "doorway"] == [
        ("room", ""),
        ("corridor", "entrance"),
        ("corridor", "exit"),
    ]
    (one,) = (area for area in find_areas(Level.from_text("S...E\n#####")))
    assert (one.kind, one.role) == ("corridor", "")


def test_areas_are_described_in_words() -> None:
    rooms = (Area("room", 1, 2, 5, 4, role="boss"), Area.of("room", [(0, 0), (1, 0), (1, 1)]))
    assert described((*rooms, Area("doorway", 6, 3, 1, 1))) == {
        "room 1": "boss, 5x4 at 1,2",
        "room 2": "3 cells in 2x2 at 0,0",
        "doorway 1": "at 6,3",
    }
