"""Levels of all kinds, for tests that hypothesis feeds."""

import numpy as np
from hypothesis import strategies as st

from levolve.levels.frame import checkpoint
from levolve.levels.level import Level
from levolve.levels.tileset import RAINBOW, WALLS


@st.composite
def levels(draw: st.DrawFn) -> Level:
    tileset = draw(st.sampled_from([WALLS, RAINBOW]))
    width, height = draw(st.integers(2, 9)), draw(st.integers(2, 9))
    kinds = st.integers(0, len(tileset.characters) - 1)
    tiles = np.array(
        draw(
            st.lists(
                st.lists(kinds, min_size=width, max_size=width), min_size=height, max_size=height
            )
        ),
        np.uint8,
    )
    names = draw(
        st.sets(
            st.sampled_from(
                ["entrance", "exit", "A", "B", "C", *(checkpoint(n) for n in (1, 2, 9, 10, 12))]
            )
        )
    )
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    places = {name: draw(cells) for name in names}
    if "entrance" in places and places["entrance"] == places.get("exit"):
        del places["exit"]
    for name, (x, y) in places.items():
        if not name.startswith("checkpoint"):
            tiles[y, x] = 0
    return Level(tiles, places, tileset)
