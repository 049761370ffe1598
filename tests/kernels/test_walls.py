import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, Tiles, scenes, snake
from levolve.kernels.walking import dead_ends
from levolve.levels.tileset import WALLS
from oracles import features as twin
from oracles.regions import regions

SIZE = 512 if COMPILED else 48
wall_scenes = scenes(tilesets=st.just(WALLS), widths=st.integers(2, 12), heights=st.integers(1, 12))


def counted(tiles: Tiles) -> list[tuple[int, int]]:
    found, largest = np.full((2, len(tiles)), -99, np.int32)
    dead_ends.count_regions_of_walls(tiles, found, largest)
    return list(zip(found.tolist(), largest.tolist(), strict=True))


@given(wall_scenes)
def test_the_regions_are_those_that_come_of_merging(scene: Scene) -> None:
    expected = [regions(level, WALLS.steps) for level in scene.levels]
    assert counted(scene.tiles) == [
        (len(found), max(map(len, found), default=0)) for found in expected
    ]


def test_regions_of_any_size_and_number_are_counted() -> None:
    empty = np.zeros((SIZE, SIZE), np.uint8)
    chequered = np.indices((SIZE, SIZE)).sum(axis=0).astype(np.uint8) % 2
    level = snake(SIZE, SIZE)
    floor = int((level.tiles == 0).sum())
    assert counted(np.stack([empty, chequered, level.tiles])) == [
        (1, SIZE * SIZE),
        (SIZE * SIZE // 2, 1),
        (1, floor),
    ]


@given(wall_scenes)
def test_culs_de_sac_and_junctions_are_those_of_the_definition(scene: Scene) -> None:
    ends, lengths, junctions = np.full((3, len(scene.tiles)), -99, np.int64)
    dead_ends.count_ends_of_walls(scene.tiles, *scene.start, ends, lengths, junctions)
    expected = []
    for level in scene.levels:
        found = twin.culs_de_sac(level, WALLS.steps, scene.start)
        expected.append(
            (len(found), sum(found), len(twin.junctions(level, WALLS.steps, scene.start)))
        )
    assert list(zip(ends.tolist(), lengths.tolist(), junctions.tolist(), strict=True)) == expected
