"""Levels, their text form, and what they refuse."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from levels.inputs import levels
from levolve.core.errors import InputError
from levolve.levels.frame import checkpoint
from levolve.levels.level import Level
from levolve.levels.tileset import RAINBOW


@given(levels())
def test_the_text_form_loses_nothing(level: Level) -> None:
    again = Level.from_text(level.to_text())
    assert again == level
    assert again.to_text() == level.to_text()
    assert again.digest == level.digest


@given(levels(), levels())
def test_two_levels_have_the_same_digest_only_if_they_are_equal(one: Level, other: Level) -> None:
    assert (one.digest == other.digest) == (one == other)
    assert one != "a level"


def test_text_is_read_as_it_stands() -> None:
    level = Level.from_text("S.#\n..1\n#.E")
    assert level.tiles.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert dict(level.places) == {"entrance": (0, 0), "exit": (2, 2), "checkpoint 1": (2, 1)}
    assert level.to_text() == "S.#\n..1\n#.E"
    assert (level.entrance, level.exit, level.checkpoints) == ((0, 0), (2, 2), ((2, 1),))


def test_a_chromatic_level_names_its_places_below_the_picture() -> None:
    level = Level.from_text("ROY\nVBG\n\nentrance: 0,0\nexit: 2,1\n")
    assert level.tileset is RAINBOW
    assert level.tiles.tolist() == [[0, 1, 2], [5, 4, 3]]
    assert level.to_text() == "ROY\nVBG\nentrance: 0,0\nexit: 2,1"


def test_a_checkpoint_inside_a_wall_is_kept() -> None:
    level = Level(np.array([[0, 1], [0, 0]]), {checkpoint(1): (1, 0), checkpoint(10): (0, 0)})
    assert level.to_text() == ".#\n..\ncheckpoint 1: 1,0\ncheckpoint 10: 0,0"
    assert Level.from_text(level.to_text()) == level


def test_a_level_cannot_be_changed() -> None:
    tiles = np.zeros((2, 2), np.uint8)
    level = Level(tiles)
    tiles[0, 0] = 1
    assert level.tiles[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        level.tiles[0, 0] = 1
    with pytest.raises(TypeError):
        level.places["exit"] = (0, 0)  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        level.solution = "r"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least two lines"),
        ("S.#", "at least 2x2"),
        ("S\n.\nE", "at least 2x2"),
        ("S.#\n..\n#.E", "line 2: expected 3 cells like the first line, got 2"),
        ("S.#\n.?1\n#.E", "line 2, column 2: expected one of"),
        ("S.S\n...", "a second at 2,0"),
        ("..\n..\nentrance: 2,0", "x from 0 to 1"),
        ("..\n..\nentrance: 0,0\nexit: 0,0", "a cell other than the entrance"),
        ("#.\n..\nentrance: 0,0", "got wall at 0,0"),
        ("..\n..\nentrance: here", "whole numbers"),
        ("..\n..\nentry: 0,0", "got 'entry'"),
        ("..\nentrance: 0,0\n..", "line 2: expected cells"),
        ("..\n..\nsolution: rux", "got 'x'"),
        ("..\n..\ncheckpoint 0: 0,0", "expected a place"),
    ],
)
def test_a_wrong_text_is_refused_and_the_place_is_named(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Level.from_text(text)


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        (np.zeros((2, 2, 2), np.uint8), "3 dimensions"),
        (np.zeros((2, 2)), "whole numbers"),
        (np.array([[0, 2], [0, 0]]), "from 0 to 1"),
        (np.array([[0, -1], [0, 0]]), "from 0 to 1"),
        (np.zeros((1, 5), np.uint8), "at least 2x2"),
    ],
)
def test_wrong_tiles_are_refused(tiles: np.ndarray, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Level(tiles)
