"""Screens: one region, doorways in the middle of walls, and a tree of the lightest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.search.genotypes.screens import Screens, _edges
from oracles.furnishing import reached

FRAME = Frame(25, 19, {}, ends=True)


@given(seed=st.integers(0, 2**32), loops=st.sampled_from([0.0, 0.3, 1.0]))
def test_screens_are_joined_by_the_lightest_walls_and_some_more(seed: int, loops: float) -> None:
    genotype = Screens(loops=loops)
    genes = genotype.start(FRAME, seed, 0, 4)
    tiles = genotype.batch(genes, FRAME).tiles
    edges = _edges(3, 3)
    for own, level in zip(genes.tolist(), tiles, strict=True):
        walkable = {(x, y) for y in range(19) for x in range(25) if level[y, x] == 0}
        assert reached(walkable, min(walkable)) == walkable
        assert level[0].all()
        assert level[:, 0].all()
        # Kruskal's algorithm, with sets of screens.
        groups, expected = [{screen} for screen in range(9)], set()
        for weight, edge in sorted((own[number], number) for number in range(len(edges))):
            one, other = (next(g for g in groups if screen in g) for screen in edges[edge])
            if one is not other:
                groups.remove(other)
                one |= other
                expected.add(edge)
            if weight >= 256 - round(loops * 256):
                expected.add(edge)
        found = set()
        for number, (first, second) in enumerate(edges):
            x, y = 1 + first % 3 * 8, 1 + first // 3 * 6
            x, y = (x + 7, y + 2) if second == first + 1 else (x + 3, y + 5)
            found |= {number} if level[y, x] == 0 else set()
        assert found == expected


def test_screens_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="two screens"):
        Screens().space(Frame(10, 9, {}, ends=True))
    with pytest.raises(InputError, match="odd"):
        Screens(width=6)


def test_some_screens_are_empty_and_others_have_something_in_them() -> None:
    tiles = Screens().batch(Screens().start(FRAME, 1, 0, 8), FRAME).tiles
    inner = np.array([tiles[:, 1:6, 1:8].sum(axis=(1, 2))])
    assert 0 in inner
    assert inner.max() > 0
