import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import words
from levolve.kernels.bits.words import bit_count, lowest_bit
from levolve.kernels.compiler import kernel


@kernel
def count_compiled(word: np.uint64, number: int) -> tuple[np.uint64, np.uint64]:
    return bit_count(word), bit_count(np.uint64(number))


@kernel
def count_signed(number: int) -> np.uint64:
    return bit_count(number)  # type: ignore[arg-type]


@kernel
def find_compiled(word: np.uint64, number: int) -> tuple[np.uint64, np.uint64]:
    return lowest_bit(word), lowest_bit(number)  # type: ignore[arg-type]


@given(
    words
    | st.integers(0, 63).map(lambda bit: 2**bit)
    | st.integers(0, 64).map(lambda bits: 2**bits - 1)
)
def test_bits_are_counted_as_python_counts_them(word: int) -> None:
    assert int(bit_count(np.uint64(word))) == word.bit_count()
    assert [int(count) for count in count_compiled(np.uint64(word), word >> 1)] == [
        word.bit_count(),
        (word >> 1).bit_count(),
    ]
    assert int(count_signed(word >> 1)) == (word >> 1).bit_count()


@given(words.filter(bool), st.integers(0, 63))
def test_the_lowest_bit_is_the_number_of_zeros_below_it(word: int, zeros: int) -> None:
    shifted = (word | 1) << zeros & 2**64 - 1
    assert int(lowest_bit(np.uint64(shifted))) == zeros
    assert [
        int(place) for place in find_compiled(np.uint64(shifted), 2**zeros if zeros < 63 else 1)
    ] == [zeros, zeros % 63]
