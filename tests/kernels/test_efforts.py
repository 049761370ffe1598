import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, any_tilesets, scenes
from levolve.kernels.walking.path_shape import EFFORT_PARTS, weigh_walks
from levolve.levels.level import Level
from oracles import efforts as twin


def weighed(scene: Scene, stops: list[tuple[int, int]]) -> list[list[int]]:
    parts = np.full((len(scene.tiles), EFFORT_PARTS), -99, np.int64)
    table = scene.tileset.table
    numbers = np.tile([y * scene.tiles.shape[2] + x for x, y in stops], (len(scene.tiles), 1))
    weigh_walks(scene.tiles, table, np.ascontiguousarray(table.T), numbers, parts)
    listed: list[list[int]] = parts.tolist()
    return listed


@given(scenes(tilesets=any_tilesets), st.data())
def test_the_parts_of_a_difficulty_are_those_of_the_definition(
    scene: Scene, data: st.DataObject
) -> None:
    _, height, width = scene.tiles.shape
    third = data.draw(st.none() | st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)))
    stops = [scene.start, scene.goal] + ([third] if third else [])
    assert weighed(scene, stops) == [
        twin.weigh(level, scene.tileset.steps, stops) for level in scene.levels
    ]


def test_the_parts_are_those_counted_on_paper() -> None:
    # The way goes along the top and down; at the third cell a wrong turn leads into a branch of
    # three cells, the last three steps away.
    level = Level.from_text("S....\n##.#.\n#..#.\n####E")
    scene = Scene(level.tileset, level.tiles[np.newaxis], (0, 0), (4, 3))
    assert weighed(scene, [(0, 0), (4, 3)]) == [[7, 7, 1, 1, 3]]


def test_an_open_hall_has_no_wrong_turns() -> None:
    level = Level.from_text("S...\n....\n...E")
    scene = Scene(level.tileset, level.tiles[np.newaxis], (0, 0), (3, 2))
    assert weighed(scene, [(0, 0), (3, 2)]) == [[5, 5, 0, 0, 0]]


def test_a_stop_that_is_missing_leaves_no_walk() -> None:
    parts = np.full((1, EFFORT_PARTS), -99, np.int64)
    table = Level.from_text("..\n..").tileset.table
    weigh_walks(
        np.zeros((1, 2, 2), np.uint8),
        table,
        np.ascontiguousarray(table.T),
        np.array([[0, -1, 3]]),
        parts,
    )
    assert parts.tolist() == [[-1] * EFFORT_PARTS]
