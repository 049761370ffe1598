"""Counter-based random streams: any number of any stream can be computed directly, in any order.

A stream is a pair (start, step) hashed from (seed, purpose, generation, individual). Its i-th
number is SplitMix64's finisher applied to start + i * step (Steele, Lea, Flood 2014). There is no
state to advance, so the numbers do not depend on the number of threads or on an interruption. Each
stream has its own step, so that no two streams are shifted copies of each other.

Random choices one after the other, for makers: a stream of `kernels/streams` and how far it has
been read.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel

# The purposes of random numbers. A purpose is part of a stream's key: never renumber one, because
# every result would change.
START, SELECT, CROSS, MUTATE, REPLACE, RULE, GROUP, MARK = range(8)
MEMBER = 8
QUILT = 9
TERRAIN, MIXTURE = 32, 33
PACK = 40
SETTING, SPREAD, PARENT, JUDGE, VERDICT = range(48, 53)
GATE, PLACE, FURNISH = 64, 65, 66
ISLAND = 72
REPAIR = 80
EPISODE, EDIT = 88, 89

Stream = tuple[np.uint64, np.uint64]
Index = int | np.integer[Any]

ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
GOLDEN_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP_1, _STEP_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_IRREGULAR = np.uint64(0xAAAAAAAAAAAAAAAA)
_LOW_32 = np.uint64(0xFFFFFFFF)
_0, _1, _11, _24, _27 = map(np.uint64, (0, 1, 11, 24, 27))
_30, _31, _32, _33, _63, _64 = map(np.uint64, (30, 31, 32, 33, 63, 64))


@kernel
def mix(z: np.uint64) -> np.uint64:
    """SplitMix64's finisher: every bit of the result depends on every bit of `z`, and no two inputs
    collide.
    """
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@kernel
def _mix_step(z: np.uint64) -> np.uint64:
    """Return an odd step with enough bit transitions, by the rule of SplitMix64's authors."""
    z = (z ^ (z >> _33)) * _STEP_1
    z = (z ^ (z >> _33)) * _STEP_2
    z = (z ^ (z >> _33)) | _1
    if bit_count(z ^ (z >> _1)) < _24:
        z ^= _IRREGULAR
    return z


@kernel
def stream_key(seed: np.uint64, purpose: int, generation: Index) -> np.uint64:
    """Return what the streams of all individuals of a seed, purpose and generation have in
    common.
    """
    key = mix(np.uint64(seed) + GOLDEN_STEP)
    key = mix(key + np.uint64(purpose) * GOLDEN_STEP + GOLDEN_STEP)
    return mix(key + np.uint64(generation) * GOLDEN_STEP + GOLDEN_STEP)


@kernel
def stream_of(key: np.uint64, individual: int) -> Stream:
    """Return the stream of an individual."""
    start = mix(key + np.uint64(individual) * GOLDEN_STEP + GOLDEN_STEP)
    return start, _mix_step(start + GOLDEN_STEP)


@kernel
def open_stream(seed: np.uint64, purpose: int, generation: Index, individual: int) -> Stream:
    """Return the stream of a seed, purpose, generation and individual."""
    return stream_of(stream_key(seed, purpose, generation), individual)


@kernel
def draw(stream: Stream, index: Index) -> np.uint64:
    """Return 64 random bits: number `index` of the stream."""
    return mix(stream[0] + (np.uint64(index) + _1) * stream[1])


@kernel
def draw_float(stream: Stream, index: Index) -> float:
    """Return a float in [0, 1): the upper 53 bits of `draw`."""
    return np.float64(draw(stream, index) >> _11) * (1.0 / 9007199254740992.0)


@kernel
def draw_below(stream: Stream, index: Index, bound: Index) -> np.int64:
    """Return an integer in [0, bound), bound at most 2**32, exactly uniform (Lemire 2019).

    A rejected number is mixed again rather than followed by the next index, so that one call uses
    one index of the stream.
    """
    wide = np.uint64(bound)
    bits = draw(stream, index)
    product = (bits >> _32) * wide
    if (product & _LOW_32) < wide:
        threshold = ((_LOW_32 - wide) + _1) % wide
        while (product & _LOW_32) < threshold:
            bits = mix(bits + GOLDEN_STEP)
            product = (bits >> _32) * wide
    return np.int64(product >> _32)


@kernel
def draw_bits(stream: Stream, index: Index, threshold: np.uint64) -> np.uint64:
    """Return 64 independent random bits, each 1 with probability threshold / 2**64 (all-ones:
    always).

    All 64 bits compare their own random fraction with the threshold at once, digit by digit from
    the highest; a bit is decided at the first digit that differs, so half of the remaining bits are
    decided by every word drawn. Uses the stream's indices 64 * index to 64 * index + 63.
    """
    if threshold == ALL_ONES:
        return ALL_ONES
    position = np.uint64(index) * _64
    if threshold << _1 == _0:
        return ~draw(stream, position) if threshold else _0
    ones = _0
    undecided = ALL_ONES
    while threshold and undecided:
        # Four digits between two checks: the draws overlap in the processor, and the branch is
        # predicted well.
        for _ in range(4):
            digit = _0 - (threshold >> _63)
            word = draw(stream, position)
            ones |= undecided & ~word & digit
            undecided &= ~(word ^ digit)
            threshold <<= _1
            position += _1
    return ones


@lru_cache(maxsize=256)
def threshold_of(probability: float) -> np.uint64:
    """Convert a probability in [0, 1] to the 64-bit fraction for `draw_bits`."""
    return np.uint64(min(int(probability * 2.0**64), 2**64 - 1))


Thing = TypeVar("Thing")


class Draws:
    """The stream of one thing to be made: the same seed and number give the same choices."""

    def __init__(self, seed: int, number: int, attempt: int = 0) -> None:
        """Begin at the stream's first number."""
        start, step = open_stream(np.uint64(seed), START, number, attempt)
        self._stream = np.uint64(start), np.uint64(step)
        self._index = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1."""
        self._index += 1
        return int(draw_below(self._stream, self._index - 1, bound))

    def choice(self, things: Sequence[Thing]) -> Thing:
        """One of several things."""
        return things[self.below(len(things))]
