"""Operators on one pair or individual against the twins of the masks."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Key, keys
from kernels.test_masks import layouts, probabilities, space_of, stream_of, usual_rates
from levolve.kernels.bits.random_streams import START, stream_key, threshold_of
from levolve.kernels.fused import crossovers, mutations
from levolve.kernels.variation import masks
from levolve.search.fused.operators import layout_of
from oracles import masks as twin
from oracles.masks import Layout
from oracles.streams import draw_below

individuals = st.integers(0, 1000)
rates = st.sampled_from([0.0, 0.4, 1.0])
LEFT_OVER = 0xDEADBEEFDEADBEEF


class Bench:
    """The arguments of an operator on a layout, and room for its mask, filled with what must not be
    left standing.
    """

    def __init__(self, key: Key, layout: Layout) -> None:
        self.space = space_of(layout)
        self.layout = layout_of(self.space)
        self.key = np.uint64(stream_key(*key.arguments))
        self.mask = np.full(self.space.words, LEFT_OVER, np.uint64)

    def exchanged(self, kernel: object, pair: int, *settings: object) -> list[int]:
        kernel(self.key, pair, settings, self.layout, self.mask)  # type: ignore[operator]
        listed: list[int] = self.mask.tolist()
        return listed

    def flipped(self, kernel: object, individual: int, *settings: object) -> list[int]:
        row = np.random.default_rng(individual).integers(0, 1 << 63, self.space.words, np.uint64)
        before = row.copy()
        kernel((self.key, self.key), individual, settings, self.layout, self.mask, row)  # type: ignore[operator]
        listed: list[int] = (row ^ before).tolist()
        return listed


def spared(key: Key, pair: int, rate: float) -> bool:
    return rate < 1 and not twin.is_kept(stream_of(key, pair), int(threshold_of(rate)))


@given(keys, layouts(), individuals, probabilities, rates)
def test_exchanged_coins_are_those_of_the_twin(
    key: Key, layout: Layout, pair: int, probability: float, rate: float
) -> None:
    threshold = threshold_of(probability)
    expected = (
        []
        if spared(key, pair, rate)
        else twin.coin_mask(stream_of(key, pair), int(threshold), layout)
    )
    assert Bench(key, layout).exchanged(
        crossovers.exchange_coins, pair, rate < 1, threshold_of(rate), threshold
    ) == layout.words(expected)


@given(keys, layouts(), individuals, rates)
def test_exchanged_halves_are_coins_of_one_half(
    key: Key, layout: Layout, pair: int, rate: float
) -> None:
    expected = (
        []
        if spared(key, pair, rate)
        else twin.coin_mask(stream_of(key, pair), int(threshold_of(0.5)), layout)
    )
    assert Bench(key, layout).exchanged(
        crossovers.exchange_halves, pair, rate < 1, threshold_of(rate)
    ) == layout.words(expected)


@given(keys, layouts(), individuals, usual_rates, rates)
def test_exchanged_rare_genes_are_those_of_the_twin(
    key: Key, layout: Layout, pair: int, probability: float, rate: float
) -> None:
    cut, other = masks.gap_table(probability)
    expected = (
        []
        if spared(key, pair, rate)
        else twin.rare_mask(stream_of(key, pair), cut.tolist(), other.tolist(), layout)
    )
    assert Bench(key, layout).exchanged(
        crossovers.exchange_rare, pair, rate < 1, threshold_of(rate), cut, other
    ) == layout.words(expected)


@given(keys, layouts(), individuals, st.sampled_from([1, 2]), rates)
def test_exchanged_segments_are_those_of_the_twin(
    key: Key, layout: Layout, pair: int, cuts: int, rate: float
) -> None:
    expected = (
        [] if spared(key, pair, rate) else twin.segment_mask(stream_of(key, pair), cuts, layout)
    )
    assert Bench(key, layout).exchanged(
        crossovers.exchange_segment, pair, rate < 1, threshold_of(rate), cuts
    ) == layout.words(expected)


@given(keys, layouts(), individuals)
def test_a_fixed_mask_is_exchanged_by_every_pair(key: Key, layout: Layout, pair: int) -> None:
    bench = Bench(key, layout)
    assert (
        bench.exchanged(crossovers.exchange_fixed, pair, bench.space.free)
        == bench.space.free.tolist()
    )


@given(keys, layouts(), individuals, usual_rates)
def test_rare_flips_are_those_of_the_twin(
    key: Key, layout: Layout, individual: int, rate: float
) -> None:
    cut, other = masks.gap_table(rate)
    expected = twin.rare_mask(stream_of(key, individual), cut.tolist(), other.tolist(), layout)
    assert Bench(key, layout).flipped(
        mutations.mutate_rare, individual, cut, other
    ) == layout.words(expected)


@given(keys, layouts(), individuals, probabilities)
def test_flipped_coins_are_those_of_the_twin(
    key: Key, layout: Layout, individual: int, probability: float
) -> None:
    threshold = threshold_of(probability)
    expected = twin.coin_mask(stream_of(key, individual), int(threshold), layout)
    assert Bench(key, layout).flipped(
        mutations.mutate_coins, individual, threshold
    ) == layout.words(expected)


@given(keys, layouts(), individuals, st.integers(0, 9))
def test_flipped_points_are_those_of_the_twin(
    key: Key, layout: Layout, individual: int, wanted: int
) -> None:
    points = min(wanted, len(layout.free))
    expected = layout.words(twin.point_mask(stream_of(key, individual), points, layout))
    assert Bench(key, layout).flipped(mutations.mutate_points, individual, points) == expected
    if points == 1:
        assert Bench(key, layout).flipped(mutations.mutate_point, individual, points) == expected


@given(keys, layouts(), individuals, probabilities, st.integers(1, 3), st.integers(1, 3))
def test_flipped_patches_are_those_of_the_twin(
    key: Key, layout: Layout, individual: int, probability: float, height: int, width: int
) -> None:
    threshold, size = (
        threshold_of(probability),
        (min(height, layout.rows), min(width, layout.columns)),
    )
    expected = twin.patch_mask(stream_of(key, individual), int(threshold), size, layout)
    found = Bench(key, layout).flipped(
        mutations.mutate_patch, individual, threshold, layout.rows, layout.columns, *size
    )
    assert found == layout.words(expected)


@given(keys, keys, layouts(), individuals, st.integers(1, 9), st.integers(1, 9))
def test_filled_rectangles_are_those_of_the_twin(
    key: Key, values: Key, layout: Layout, individual: int, height: int, width: int
) -> None:
    bench, size = Bench(key, layout), (min(height, layout.rows), min(width, layout.columns))
    row = np.random.default_rng(individual).integers(0, 1 << 63, bench.space.words, np.uint64)
    filled = layout.words(twin.rectangle_mask(stream_of(key, individual), size, layout))
    value = draw_below(stream_of(values, individual), 0, 2)
    expected = [
        word | mask if value else word & ~mask
        for word, mask in zip(row.tolist(), filled, strict=True)
    ]
    of_values = np.uint64(stream_key(*values.arguments))
    mutations.mutate_fill(
        (bench.key, of_values),
        individual,
        (layout.rows, layout.columns, *size),
        bench.layout,
        bench.mask,
        row,
    )
    assert row.tolist() == expected


@given(keys, layouts(), individuals, probabilities)
def test_a_new_individual_has_walls_by_chance_and_those_to_keep(
    key: Key, layout: Layout, individual: int, fill: float
) -> None:
    bench = Bench(key, layout)
    kept = ~bench.space.free & bench.space.words_of(np.arange(layout.length))
    row = bench.mask
    crossovers.start_with_coins(
        np.uint64(key.seed),
        key.generation,
        individual,
        (threshold_of(fill), kept),
        bench.layout,
        row,
    )
    starting = Key(key.seed, START, key.generation)
    drawn = layout.words(
        twin.coin_mask(stream_of(starting, individual), int(threshold_of(fill)), layout)
    )
    assert row.tolist() == [a | b for a, b in zip(drawn, kept.tolist(), strict=True)]
