import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import words
from levolve.kernels.bits import bit_count
from levolve.kernels.compiled import kernel


@kernel
def count_compiled(word: np.uint64, number: int) -> tuple[np.uint64, np.uint64]:
    return bit_count(word), bit_count(np.uint64(number))


@kernel
def count_signed(number: int) -> np.uint64:
    return bit_count(number)  # type: ignore[arg-type]


@given(words | st.integers(0, 63).map(lambda bit: 2**bit) | st.integers(0, 64).map(lambda bits: 2**bits - 1))
def test_bits_are_counted_as_python_counts_them(word: int) -> None:
    assert int(bit_count(np.uint64(word))) == word.bit_count()
    assert [int(count) for count in count_compiled(np.uint64(word), word >> 1)] == [word.bit_count(), (word >> 1).bit_count()]
    assert int(count_signed(word >> 1)) == (word >> 1).bit_count()
