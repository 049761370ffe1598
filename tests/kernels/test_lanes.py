import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import words
from levolve.kernels.bits.vectors import LANES, Words, load, spread, staggered, store
from levolve.kernels.compiler import kernel

BITS = 2**64 - 1

vectors = st.lists(words, min_size=LANES, max_size=LANES)


@kernel
def combine(numbers: Words, shift: np.uint64, out: Words) -> None:
    row = np.uint64(LANES)
    first, second = load(numbers, np.uint64(1)), load(numbers, np.uint64(1) + row)
    store(out, np.uint64(0), first & second)
    store(out, row, first | second)
    store(out, np.uint64(2) * row, first ^ second)
    store(out, np.uint64(3) * row, first + second)
    store(out, np.uint64(4) * row, ~first)
    store(out, np.uint64(5) * row, first >> shift)
    store(out, np.uint64(6) * row, first << shift)
    store(out, np.uint64(7) * row, spread(shift))
    out[-1] = staggered(first)


@given(vectors, vectors, st.integers(0, 63))
def test_vectors_are_combined_word_by_word(first: list[int], second: list[int], shift: int) -> None:
    out = np.zeros(8 * LANES + 1, np.uint64)
    combine(np.array([7, *first, *second], np.uint64), np.uint64(shift), out)
    pairs = list(zip(first, second, strict=True))
    expected = [
        *[a & b for a, b in pairs],
        *[a | b for a, b in pairs],
        *[a ^ b for a, b in pairs],
        *[(a + b) & BITS for a, b in pairs],
        *[a ^ BITS for a in first],
        *[a >> shift for a in first],
        *[(a << shift) & BITS for a in first],
        *[shift] * LANES,
    ]
    joined = 0
    for lane, word in enumerate(first):
        joined |= word << lane
    assert out.tolist() == [*expected, joined & BITS]
