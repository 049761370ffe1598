"""Patchwork: large mazes of small pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve import evolve, measure
from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.patchwork import Patchwork
from oracles.regions import regions


@given(st.integers(3, 40), st.integers(3, 40), st.integers(0, 2**32), st.data())
def test_places_anywhere_are_connected_to_the_maze(
    width: int, height: int, seed: int, data: st.DataObject
) -> None:
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    places = data.draw(st.lists(cells, min_size=2, max_size=2, unique=True))
    frame = Frame(width, height, dict(zip(("entrance", "exit"), places, strict=True)))
    genotype = Patchwork(side=3, pieces=4)
    for tiles in genotype.express(genotype.start(frame, seed, 0, 2), frame):
        assert len(regions(tiles.tolist(), WALLS.steps)) == 1
        assert all(tiles[y, x] == 0 for x, y in places)


def test_a_changed_piece_changes_every_site_that_uses_it_and_no_other() -> None:
    frame = Frame(49, 33, {"entrance": (1, 1), "exit": (47, 31)})
    genotype = Patchwork(side=8, pieces=3)
    genes = genotype.start(frame, 4, 0, 1)
    changed = genes.copy()
    changed[0, : 2 * 64] = 255 - changed[0, : 2 * 64]
    one, other = (genotype.express(each, frame)[0] for each in (genes, changed))
    library = 3 * (4 * 64 + 5)
    chosen = genes[0, library : library + 6].reshape(2, 3)
    for row, column in np.ndindex(2, 3):
        # The middle of a site, which no neighbour reaches.
        part = np.s_[16 * row + 4 : 16 * row + 14, 16 * column + 4 : 16 * column + 14]
        assert (one[part] == other[part]).all() == (chosen[row, column] != 0)
    assert 0 in chosen
    assert len(set(chosen.ravel().tolist())) > 1


def test_evolution_lengthens_the_way_through_a_large_level() -> None:
    run = evolve("warren", size=(150, 100), seed=3, generations=12)
    assert run.best_score > 1.2 * run.history.best[0]
    values = measure([run.best])
    assert values["regions"][0] == 1
    run.best.check()


def test_a_level_that_no_lattice_fits_into_is_refused() -> None:
    with pytest.raises(InputError, match="corridor: expected a level with a width of at least 3"):
        Patchwork().space(Frame(2, 30, {"entrance": (0, 0), "exit": (1, 29)}))
