"""Sheets for the terminal: every level in its place, below its caption, and no page larger than the
terminal.
"""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.formats.pictures.terminal import reduced, sheet_pages, terminal_picture
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import RAINBOW, WALLS


def level_of(width: int, height: int, seed: int = 0, *, rainbow: bool = False) -> Level:
    tiles = (
        np.random.default_rng(seed)
        .integers(0, 6 if rainbow else 2, (height, width))
        .astype(np.uint8)
    )
    if not rainbow:
        tiles[0, 0] = tiles[-1, -1] = 0
    return Level(
        tiles, {ENTRANCE: (0, 0), EXIT: (width - 1, height - 1)}, RAINBOW if rainbow else WALLS
    )


def plain(level: Level) -> str:
    return terminal_picture(level, colour=False)


@given(
    width=st.integers(2, 140),
    height=st.integers(2, 100),
    count=st.integers(1, 14),
    rainbow=st.booleans(),
    columns=st.integers(20, 120),
    lines=st.integers(6, 40),
    colour=st.booleans(),
)
def test_pages_fit_and_hold_every_caption_once(
    *, width: int, height: int, count: int, rainbow: bool, columns: int, lines: int, colour: bool
) -> None:
    levels = [level_of(width, height, seed, rainbow=rainbow) for seed in range(count)]
    captions = [f"<{number}>" for number in range(1, count + 1)]
    pages = sheet_pages(
        levels, captions, lambda level: terminal_picture(level, colour=colour), columns, lines
    )
    for page in pages:
        shown = re.sub(r"\x1b\[[0-9;]*m", "", page).split("\n")
        assert len(shown) <= lines
        assert max(map(len, shown)) <= columns
    assert re.findall(r"<\d+>", "".join(pages)) == captions


def test_levels_stand_side_by_side_below_their_captions() -> None:
    levels = [level_of(14, 14, seed) for seed in range(5)]
    (page,) = sheet_pages(levels, ["1", "2 love", "3", "4", "5"], plain, 80)
    lines = page.split("\n")
    assert lines[0].split() == ["1", "2", "love", "3", "4"]
    height = len(plain(levels[0]).split("\n"))
    for number, level in enumerate(levels[:4]):
        assert [line[18 * number :][:16] for line in lines[1 : height + 1]] == plain(level).split(
            "\n"
        )
    assert lines[height + 1] == ""
    assert [line[:16] for line in lines[height + 3 :]] == plain(levels[4]).split("\n")


def test_colours_do_not_count_as_width() -> None:
    levels = [level_of(20, 20, seed) for seed in range(3)]
    (page,) = sheet_pages(levels, ["1", "2", "3"], terminal_picture, 80, 24)
    assert page.split("\n")[0].split() == ["1", "2", "3"]


@pytest.mark.parametrize("rainbow", [False, True])
def test_a_reduced_level_has_the_most_frequent_tiles_and_its_places(*, rainbow: bool) -> None:
    level = level_of(9, 8, rainbow=rainbow)
    small = reduced(level, 3, 2)
    assert (small.width, small.height) == (3, 4)
    assert dict(small.places) == {ENTRANCE: (0, 0), EXIT: (2, 3)}
    part = level.tiles[2:4, 3:6]
    assert small.tiles[1, 1] == np.bincount(part.ravel()).argmax()
