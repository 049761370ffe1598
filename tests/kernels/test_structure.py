import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, any_tilesets, scenes, snake
from levolve.kernels.building.patterns import pattern_entropies
from levolve.kernels.walking.path_shape import PARTS, follow_ways
from levolve.kernels.walking.structure import (
    DEAD_ENDS,
    LINKS,
    PLAZAS,
    ROOM_CELLS,
    SHAPES,
    count_groups,
    count_pockets,
    count_shapes,
)
from levolve.levels.measures.structure import logarithms
from levolve.levels.tileset import WALLS
from oracles import structure as twin
from oracles.walking import Cell
from oracles.ways import way

SIZE = 512 if COMPILED else 32


def numbered(scene: Scene, stops: list[Cell]) -> np.ndarray:
    """The same stops for every level, as the kernels take them."""
    width = scene.tiles.shape[2]
    return np.tile(np.array([y * width + x for x, y in stops], np.int64), (len(scene.tiles), 1))


def links(scene: Scene) -> np.ndarray:
    return scene.tileset.table | scene.tileset.table.T


def shapes(scene: Scene, stops: list[Cell]) -> list[list[int]]:
    out = np.full((len(scene.tiles), SHAPES), -99, np.int64)
    count_shapes(scene.tiles, links(scene), numbered(scene, stops), out)
    return out.tolist()


def pockets(scene: Scene, stops: list[Cell]) -> list[int]:
    out = np.full(len(scene.tiles), -99, np.int64)
    count_pockets(scene.tiles, links(scene), numbered(scene, stops), out)
    return out.tolist()


def corridors_and_rooms(scene: Scene) -> list[tuple[int, int]]:
    corridors, rooms = np.full((2, len(scene.tiles)), -99, np.int64)
    count_groups(scene.tiles, links(scene), corridors, rooms)
    return list(zip(corridors.tolist(), rooms.tolist(), strict=True))


def followed(scene: Scene, stops: list[Cell]) -> list[list[int]]:
    out = np.full((len(scene.tiles), PARTS), -99, np.int64)
    follow_ways(scene.tiles, scene.tileset.table, numbered(scene, stops), out)
    return out.tolist()


@given(scenes(tilesets=any_tilesets), st.sampled_from([(), (0,), (0, 1), (1, 0, 1)]))
def test_shapes_and_pockets_are_those_of_their_definitions(
    scene: Scene, chosen: tuple[int, ...]
) -> None:
    stops = [[scene.start, scene.goal][index] for index in chosen]
    assert shapes(scene, stops) == [
        twin.shapes(level, scene.tileset.steps, stops) for level in scene.levels
    ]
    assert pockets(scene, stops) == [
        twin.pockets(level, scene.tileset.steps, stops) for level in scene.levels
    ]


@given(scenes(tilesets=any_tilesets))
def test_corridors_and_rooms_are_those_of_their_definitions(scene: Scene) -> None:
    assert corridors_and_rooms(scene) == [
        twin.corridors_and_rooms(level, scene.tileset.steps) for level in scene.levels
    ]


@given(scenes(tilesets=any_tilesets, counts=st.integers(1, 6)), st.booleans())
def test_the_way_is_described_as_its_definition_has_it(scene: Scene, back: bool) -> None:
    stops = [scene.start, scene.goal, *([scene.start] if back else [])]
    assert followed(scene, stops) == [
        way(level, scene.tileset.steps, stops) for level in scene.levels
    ]


@given(scenes(tilesets=any_tilesets))
def test_the_entropy_is_that_of_the_counted_patterns(scene: Scene) -> None:
    count, height, width = scene.tiles.shape
    found = np.full(count, np.nan)
    pattern_entropies(
        scene.tiles, len(scene.tileset.characters), logarithms((height - 1) * (width - 1)), found
    )
    assert found.tolist() == pytest.approx(
        [twin.entropy(level) for level in scene.levels], abs=1e-9
    )


def test_a_missing_stop_breaks_the_way_and_is_no_stop() -> None:
    tiles = np.zeros((1, 2, 3), np.uint8)
    parts, counts, found = (
        np.full((1, PARTS), -99, np.int64),
        np.full((1, SHAPES), -99, np.int64),
        np.full(1, -99, np.int64),
    )
    stops = np.array([[0, -1]])
    follow_ways(tiles, WALLS.table, stops, parts)
    count_shapes(tiles, WALLS.table, stops, counts)
    count_pockets(tiles, WALLS.table, stops[:, 1:], found)
    assert parts.tolist() == [[-1] * PARTS]
    assert (counts[0, DEAD_ENDS], found[0]) == (0, 0)


def test_large_levels_are_counted() -> None:
    level = snake(SIZE, SIZE)
    scene = Scene(WALLS, np.stack([level.tiles, np.zeros_like(level.tiles)]), (0, 0), level.goal)
    stops = [scene.start, scene.goal]
    corridor, field = shapes(scene, stops)
    assert (corridor[PLAZAS], corridor[DEAD_ENDS], corridor[LINKS]) == (0, 0, level.length)
    assert (field[PLAZAS], field[ROOM_CELLS], field[LINKS]) == (
        (SIZE - 1) ** 2,
        SIZE * SIZE,
        2 * SIZE * (SIZE - 1),
    )
    assert corridors_and_rooms(scene) == [(1, 0), (0, 1)]
    assert pockets(scene, []) == [0, 0]
    assert followed(scene, stops)[0] == [SIZE - 2, SIZE - 1, level.length - 1, level.length + 1]
