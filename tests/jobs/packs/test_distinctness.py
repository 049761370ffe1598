import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.jobs.packs.objective import Distinctness
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles import distinctness as twin


@pytest.mark.parametrize(("tileset", "kinds"), [(WALLS, 2), (RAINBOW, 6)])
@given(
    st.integers(2, 4),
    st.integers(2, 4) | st.sampled_from([14, 33, 64, 65]),
    st.integers(1, 20),
    st.integers(0, 2**32),
)
def test_levels_lack_the_same_however_many_were_accepted_one_by_one(
    tileset: Tileset, kinds: int, height: int, width: int, least: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    taken = random.integers(0, kinds, (random.integers(0, 4), height, width)).astype(np.uint8)
    accepted = Distinctness.empty(height, width, tileset, least)
    for tiles in taken:
        accepted = accepted.joined_by(tiles)
    turned = taken[:, ::-1, ::-1]
    tiles = np.concatenate(
        [random.integers(0, kinds, (2, height, width)).astype(np.uint8), taken, turned]
    )
    batch = Batch(Frame(width, height, {}), tiles=tiles, tileset=tileset)
    # Equal images of one level count once, and none that equals the level.
    images = [
        {str(image): image for image in twin.images(level) if image != level}.values()
        for level in taken.tolist()
    ]
    expected = [
        sum(max(least - twin.differing(level, other), 0) for other in taken.tolist())
        + sum(level == image for some in images for image in some)
        for level in tiles.tolist()
    ]
    assert accepted.lacking(batch).tolist() == expected
    assert accepted.emptied().lacking(batch).tolist() == [0] * len(tiles)
