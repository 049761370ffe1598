import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import words
from levolve.kernels.bits import bit_count


@given(words | st.integers(0, 63).map(lambda bit: 2**bit) | st.integers(0, 64).map(lambda bits: 2**bits - 1))
def test_bits_are_counted_as_python_counts_them(word: int) -> None:
    assert int(bit_count(np.uint64(word))) == word.bit_count()
