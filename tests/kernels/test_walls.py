import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, scenes
from levolve.kernels.walking import dead_ends
from levolve.levels.tileset import WALLS
from oracles import features as twin

wall_scenes = scenes(tilesets=st.just(WALLS), widths=st.integers(2, 12), heights=st.integers(1, 12))


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
