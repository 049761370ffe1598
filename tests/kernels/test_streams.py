from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import chi_square_fits, generations, purposes, words
from levolve.kernels.bits import random_streams
from levolve.kernels.bits.random_streams import (
    CROSS,
    GOLDEN_STEP,
    GROUP,
    MUTATE,
    REPLACE,
    RULE,
    SELECT,
    START,
    Stream,
)
from oracles import streams as twin

individuals = st.integers(0, 2**40)
stream_keys = st.tuples(words, purposes, generations, individuals)
indices = st.integers(0, 2**40)
bounds = st.sampled_from([1, 2, 3, 10, 2**16, 2**31, 2**31 + 1, 2**32 - 1, 2**32]) | st.integers(
    1, 2**32
)
thresholds = (
    st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1])
    | words
    | st.floats(0, 1).map(lambda p: int(random_streams.threshold_of(p)))
)


def opened(seed: int, purpose: int, generation: int, individual: int) -> Stream:
    """A stream as kernels hold it; handed out to Python, its numbers are Python's."""
    start, step = random_streams.open_stream(np.uint64(seed), purpose, generation, individual)
    return np.uint64(start), np.uint64(step)


def ones_in(bits: int) -> int:
    return bits.bit_count()


def share_of_equal_bits(left: Stream, right: Stream, shift: int = 0) -> float:
    unequal = sum(
        ones_in(int(random_streams.draw(left, i)) ^ int(random_streams.draw(right, i + shift)))
        for i in range(500)
    )
    return 1 - unequal / (500 * 64)


@given(words)
def test_mixing_is_that_of_the_twin(z: int) -> None:
    assert int(random_streams.mix(np.uint64(z))) == twin.mix(z)


def test_a_golden_step_gives_the_public_numbers_of_splitmix64() -> None:
    stream = np.uint64(1234567), GOLDEN_STEP
    assert [int(random_streams.draw(stream, i)) for i in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_the_purposes_keep_their_numbers() -> None:
    assert (START, SELECT, CROSS, MUTATE, REPLACE, RULE, GROUP) == (0, 1, 2, 3, 4, 5, 6)


GOLDEN_STREAMS = [
    (
        (0, 0, 0, 0),
        (2391539541053276776, 13034178238666751523),
        [9759553916384238342, 17056123575308857422, 10598807413412868031],
    ),
    (
        (1, 1, 0, 0),
        (13653837668270716557, 3667705694852595887),
        [14484255943479131158, 6348903108603083287, 10797271213482424726],
    ),
    (
        (42, 3, 17, 5),
        (18047369132584304227, 6569966451856817667),
        [18310578007034631434, 2688855548798045695, 9414717403682816843],
    ),
    (
        (2**64 - 1, 4, 2**40, 2**40),
        (4563225465333751756, 1360122480496849275),
        [12029625292111597594, 5624211597250331639, 10690531953730529025],
    ),
]


@pytest.mark.parametrize(("key", "stream", "numbers"), GOLDEN_STREAMS)
def test_no_change_moves_a_stream(
    key: tuple[int, int, int, int], stream: tuple[int, int], numbers: list[int]
) -> None:
    assert tuple(int(part) for part in opened(*key)) == stream
    assert [int(random_streams.draw(opened(*key), i)) for i in range(3)] == numbers


def test_no_change_moves_what_is_drawn_from_a_stream() -> None:
    stream = opened(7, CROSS, 3, 11)
    assert [int(random_streams.draw_below(stream, i, 1000)) for i in range(8)] == [
        739,
        994,
        738,
        429,
        287,
        324,
        322,
        170,
    ]
    assert [float(random_streams.draw_float(stream, i)) for i in range(4)] == [
        0.7399876558469196,
        0.9945034967753645,
        0.7389114327524442,
        0.4297126690872163,
    ]
    assert [
        int(random_streams.draw_bits(stream, i, random_streams.threshold_of(0.05)))
        for i in range(4)
    ] == [
        2416984064,
        549755813888,
        9295711105869414408,
        4504149584511056,
    ]


@given(stream_keys, indices)
def test_a_stream_is_that_of_the_twin(key: tuple[int, int, int, int], index: int) -> None:
    stream = opened(*key)
    assert (int(stream[0]), int(stream[1])) == twin.open_stream(*key)
    assert int(random_streams.draw(stream, index)) == twin.draw(twin.open_stream(*key), index)
    assert float(random_streams.draw_float(stream, index)) == twin.draw_float(
        twin.open_stream(*key), index
    )


def test_every_step_is_odd_and_irregular() -> None:
    steps = [int(opened(5, MUTATE, 1, individual)[1]) for individual in range(500)]
    before = [
        twin.first_step((twin.open_stream(5, MUTATE, 1, individual)[0] + twin.GOLDEN) % twin.WORD)
        for individual in range(500)
    ]
    assert all(step % 2 == 1 and twin.bit_changes(step) >= 24 for step in steps)
    mended = [individual for individual in range(500) if steps[individual] != before[individual]]
    assert mended == [
        individual for individual in range(500) if twin.bit_changes(before[individual]) < 24
    ]
    assert 0 < len(mended) < 50


@given(stream_keys, indices, bounds)
def test_a_number_below_a_bound_is_that_of_the_twin(
    key: tuple[int, int, int, int], index: int, bound: int
) -> None:
    number = int(random_streams.draw_below(opened(*key), index, bound))
    assert number == twin.draw_below(twin.open_stream(*key), index, bound)
    assert 0 <= number < bound


@pytest.mark.parametrize("bound", [3, 10, 2**31 + 1, 3 * 2**30, 2**32])
def test_numbers_below_a_bound_are_equally_likely(bound: int) -> None:
    along = opened(1, SELECT, 0, 0)
    cells = min(bound, 16)
    for draws in (
        [int(random_streams.draw_below(along, i, bound)) for i in range(4000)],
        [int(random_streams.draw_below(opened(1, SELECT, 0, i), 0, bound)) for i in range(4000)],
    ):
        found = Counter(number * cells // bound for number in draws)
        assert chi_square_fits([found[cell] for cell in range(cells)], 4000)


def test_a_bound_that_does_not_divide_evenly_rejects_and_still_agrees() -> None:
    stream, slow = opened(3, SELECT, 2, 1), twin.open_stream(3, SELECT, 2, 1)
    bound = 2**31 + 1
    rejected = [i for i in range(200) if (twin.draw(slow, i) >> 32) * bound % 2**32 < 2**32 % bound]
    assert 60 < len(rejected) < 140
    assert [int(random_streams.draw_below(stream, i, bound)) for i in rejected] == [
        twin.draw_below(slow, i, bound) for i in rejected
    ]


def test_floats_fill_the_unit_interval_evenly() -> None:
    stream = opened(2, SELECT, 0, 0)
    numbers = [float(random_streams.draw_float(stream, i)) for i in range(4000)]
    mean = sum(numbers) / 4000
    assert all(0 <= number < 1 for number in numbers)
    assert abs(mean - 1 / 2) < 0.02
    assert abs(sum((number - mean) ** 2 for number in numbers) / 4000 - 1 / 12) < 0.005
    assert chi_square_fits(
        [sum(int(number * 20) == cell for number in numbers) for cell in range(20)], 4000
    )


@given(st.integers(0, 2**53 - 1))
def test_a_float_is_the_upper_53_bits(upper: int) -> None:
    # A stream whose number 0 is known: its start is chosen by undoing the finisher.
    wanted = upper << 11
    stream = np.uint64((unmix(wanted) - 1) % 2**64), np.uint64(1)
    assert float(random_streams.draw_float(stream, 0)) == upper / 2**53


def unmix(z: int) -> int:
    """What `mix` makes `z` of."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone = z
        for _ in range(3):
            undone = z ^ (undone >> shift)
        z = undone * pow(factor, -1, 2**64) % 2**64
    return z


@given(stream_keys, st.integers(0, 2**30), thresholds)
def test_coins_are_those_of_the_twin(
    key: tuple[int, int, int, int], index: int, threshold: int
) -> None:
    coins = int(random_streams.draw_bits(opened(*key), index, np.uint64(threshold)))
    assert coins == twin.draw_bits(twin.open_stream(*key), index, threshold)


@pytest.mark.parametrize(
    "threshold",
    [0, 1, 2, 2**60, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 3 * 2**62, 2**64 - 2, 2**64 - 1],
)
def test_coins_with_few_or_many_digits_are_those_of_the_twin(threshold: int) -> None:
    stream, slow = opened(13, START, 2, 8), twin.open_stream(13, START, 2, 8)
    assert [int(random_streams.draw_bits(stream, i, np.uint64(threshold))) for i in range(4)] == [
        twin.draw_bits(slow, i, threshold) for i in range(4)
    ]


@pytest.mark.parametrize("probability", [0.001, 0.05, 0.2, 0.5, 0.75, 0.999])
def test_coins_fall_one_as_often_as_they_should(probability: float) -> None:
    stream = opened(11, START, 0, 4)
    threshold = random_streams.threshold_of(probability)
    rounds = [int(random_streams.draw_bits(stream, i, threshold)) for i in range(600)]
    deviation = (probability * (1 - probability)) ** 0.5
    assert (
        abs(sum(map(ones_in, rounds)) / (600 * 64) - probability)
        < 5 * deviation / (600 * 64) ** 0.5
    )
    for coin in range(64):
        assert (
            abs(sum(bits >> coin & 1 for bits in rounds) / 600 - probability)
            < 5 * deviation / 600**0.5
        )


@given(stream_keys, st.integers(0, 2**30))
def test_impossible_and_certain_coins_are_exact(key: tuple[int, int, int, int], index: int) -> None:
    assert int(random_streams.draw_bits(opened(*key), index, random_streams.threshold_of(0.0))) == 0
    assert (
        int(random_streams.draw_bits(opened(*key), index, random_streams.threshold_of(1.0)))
        == 2**64 - 1
    )


@given(st.floats(0, 1))
def test_a_threshold_is_the_probability_in_64_binary_digits(probability: float) -> None:
    numerator, denominator = probability.as_integer_ratio()
    assert int(random_streams.threshold_of(probability)) == min(
        numerator * 2**64 // denominator, 2**64 - 1
    )


@given(stream_keys, stream_keys)
def test_different_keys_give_different_streams(
    left: tuple[int, int, int, int], right: tuple[int, int, int, int]
) -> None:
    same_key = left == right
    assert (opened(*left) == opened(*right)) == same_key
    assert (
        int(random_streams.draw(opened(*left), 0)) == int(random_streams.draw(opened(*right), 0))
    ) == same_key


def test_parts_of_a_key_cannot_stand_for_each_other() -> None:
    keys = list(product(range(4), repeat=4))
    assert len({tuple(int(part) for part in opened(*key)) for key in keys}) == len(keys)


@pytest.mark.parametrize(
    "neighbour",
    [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)],
    ids=["seed", "purpose", "generation", "individual"],
)
def test_neighbouring_streams_have_nothing_in_common(neighbour: tuple[int, int, int, int]) -> None:
    for key in ((0, 0, 0, 0), (42, MUTATE, 17, 5)):
        stream = opened(*key)
        beside = opened(*(part + step for part, step in zip(key, neighbour, strict=True)))
        for shift in (0, 1):
            assert abs(share_of_equal_bits(stream, beside, shift) - 1 / 2) < 5 / (
                2 * (500 * 64) ** 0.5
            )


def test_a_stream_has_nothing_in_common_with_its_own_later_numbers() -> None:
    stream = opened(42, MUTATE, 17, 5)
    for shift in (1, 2, 64):
        assert abs(share_of_equal_bits(stream, stream, shift) - 1 / 2) < 5 / (2 * (500 * 64) ** 0.5)


def test_no_number_comes_twice_in_a_population_of_streams() -> None:
    numbers = {
        int(random_streams.draw(opened(0, START, 0, individual), i))
        for individual in range(64)
        for i in range(64)
    }
    assert len(numbers) == 64 * 64


def test_every_purpose_has_a_number_of_its_own() -> None:
    purposes = {
        name: value
        for name, value in vars(random_streams).items()
        if name.isupper() and isinstance(value, int) and not name.startswith("_")
    }
    assert len(purposes) > 20
    assert len(set(purposes.values())) == len(purposes)
