"""The variant of a tile is drawn from the position of its cell, with the arithmetic of LDtk."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.formats.themes.theme import SEED, VARIED, draws, variants_of


def lowest(number: int) -> int:
    """What JavaScript makes of a number before it shifts it: 32 bits with a sign."""
    return (number + 2**31) % 2**32 - 2**31


def drawn_by_ldtk(seed: int, x: int, y: int) -> int:
    mixed = lowest(seed + x * 374761393 + y * 668265263)
    mixed = lowest(int(float(mixed ^ (mixed >> 13)) * 1274126177.0))
    return mixed ^ (mixed >> 16)


@given(st.integers(0, 2**31), st.integers(0, 2**16), st.integers(0, 2**16))
def test_a_cell_draws_the_number_that_ldtk_draws(seed: int, x: int, y: int) -> None:
    assert draws(np.array([y]), np.array([x]), seed)[0] == drawn_by_ldtk(seed, x, y) >= 0


def test_few_cells_show_a_variant_and_every_variant_is_shown() -> None:
    variants = variants_of(np.zeros((200, 200), np.uint8), 4)
    shares = np.bincount(variants.ravel(), minlength=4) / variants.size
    assert len(shares) == 4
    assert abs(shares[0] - (1 - VARIED / 100)) < 0.01
    assert all(abs(share - VARIED / 300) < 0.01 for share in shares[1:])


def test_the_variant_depends_only_on_the_position_and_the_kind_of_a_cell() -> None:
    kinds = np.zeros((9, 9), np.uint8)
    before = variants_of(kinds, 4)
    kinds[4, 4] = 2
    after = variants_of(kinds, 4)
    assert np.count_nonzero(before != after) <= 1
    number = drawn_by_ldtk(SEED + 2, 4, 4)
    assert after[4, 4] == (1 + number % 3 if number % 100 < VARIED else 0)
    assert not variants_of(kinds, 1).any()
