"""New arrays inside kernels, compared with NumPy's."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import CACHE_LINE, empty, full, zeros
from levolve.kernels.compiler import kernel


@kernel
def in_one_dimension(
    count: int,
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.float64]]:
    return zeros(count, np.uint64), full(count, -3, np.int32), full(count, 2, np.float64)


@kernel
def in_more_dimensions(
    like: NDArray[np.uint16], rows: np.uint8
) -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.bool_]]:
    counted = empty((rows, 2, len(like)), np.uint8)
    for i in range(counted.size):
        counted.ravel()[i] = i % 256
    return full(like.shape, 7, like.dtype), counted, zeros((len(like), rows), np.bool_)


@pytest.mark.parametrize("count", [0, 1, 3, 64, 1000])
def test_arrays_of_one_dimension(count: int) -> None:
    for _ in range(20):
        found: tuple[NDArray[Any], ...] = in_one_dimension(count)
        expected: tuple[NDArray[Any], ...] = (
            np.zeros(count, np.uint64),
            np.full(count, -3, np.int32),
            np.full(count, 2.0),
        )
        for ours, theirs in zip(found, expected, strict=True):
            assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist())
            # Used memory, which the next arrays get.
            ours[:] = 99


@pytest.mark.parametrize(("rows", "columns"), [(0, 4), (1, 1), (3, 5), (7, 40)])
def test_arrays_of_more_dimensions(rows: int, columns: int) -> None:
    like, counted, nothing = in_more_dimensions(np.zeros(columns, np.uint16), np.uint8(rows))
    assert like.dtype == np.uint16
    assert like.tolist() == [7] * columns
    assert (
        counted.tolist()
        == np.arange(rows * 2 * columns, dtype=np.uint64)
        .astype(np.uint8)
        .reshape(rows, 2, columns)
        .tolist()
    )
    assert nothing.dtype == np.bool_
    assert nothing.tolist() == [[False] * rows] * columns


def test_arrays_begin_at_a_cache_line() -> None:
    if hasattr(in_one_dimension, "dispatcher"):
        kept = [array for count in range(1, 30) for array in in_one_dimension(count)]
        assert {array.ctypes.data % CACHE_LINE for array in kept} == {0}
