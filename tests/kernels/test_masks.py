from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernels.inputs import Key, chi_square_fits, keys, words
from levolve.kernels.bits.random_streams import threshold_of
from levolve.kernels.variation import masks
from levolve.search.genotypes.gene_space import BitGenes, Masks
from oracles import masks as twin
from oracles.masks import Layout
from oracles.streams import Stream, draw, open_stream

KEY = Key(2024, 3, 6)
INDIVIDUALS = 3

probabilities = st.sampled_from([0.0, 0.01, 0.05, 0.5, 0.9, 1.0]) | st.floats(0, 1)
usual_rates = st.sampled_from([0.0, 0.001, 0.01, 0.05, 0.1, 0.5, 1.0]) | st.floats(1e-6, 1)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Genes of which all, none or some are free; rows of less than a word, of one, and of more."""
    columns = draw(
        st.integers(1, 12) | st.sampled_from([20, 31, 32, 33, 63, 64, 65, 100, 127, 128, 130])
    )
    rows = draw(st.integers(1 if columns > 1 else 2, 7))
    length = rows * columns
    share = draw(st.sampled_from([0.0, 0.3, 0.9, 1.0]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Layout(rows, columns, frozenset(np.flatnonzero(random.random(length) < share).tolist()))


def space_of(layout: Layout) -> BitGenes:
    free = np.zeros(layout.length, bool)
    free[sorted(layout.free)] = True
    return BitGenes([layout.columns] * layout.rows, free)


def unset(space: BitGenes, count: int = INDIVIDUALS) -> Masks:
    """Room for masks, filled with what must not be left standing."""
    return np.full((count, space.words), 0xDEADBEEFDEADBEEF, np.uint64)


def stream_of(key: Key, individual: int) -> Stream:
    return open_stream(key.seed, key.purpose, key.generation, individual)


def coin_masks(
    key: Key, threshold: int, space: BitGenes, count: int = INDIVIDUALS
) -> list[list[int]]:
    out = unset(space, count)
    masks.coin_masks(*key.arguments, np.uint64(threshold), space.columns, space.free, out)
    listed: list[list[int]] = out.tolist()
    return listed


def rare_masks(key: Key, rate: float, space: BitGenes, count: int = INDIVIDUALS) -> list[list[int]]:
    out = unset(space, count)
    masks.rare_masks(*key.arguments, *masks.gap_table(rate), space.free_word, space.free_bit, out)
    listed: list[list[int]] = out.tolist()
    return listed


def segment_masks(
    key: Key, cuts: int, space: BitGenes, count: int = INDIVIDUALS
) -> list[list[int]]:
    out = unset(space, count)
    masks.segment_masks(*key.arguments, cuts, space.word_of, space.bit_of, space.free, out)
    listed: list[list[int]] = out.tolist()
    return listed


def point_masks(
    key: Key, points: int, space: BitGenes, count: int = INDIVIDUALS
) -> list[list[int]]:
    out = unset(space, count)
    masks.point_masks(*key.arguments, points, space.free_genes, space.word_of, space.bit_of, out)
    listed: list[list[int]] = out.tolist()
    return listed


def patch_masks(
    key: Key, threshold: int, size: tuple[int, int], layout: Layout, count: int = INDIVIDUALS
) -> list[list[int]]:
    space = space_of(layout)
    out = unset(space, count)
    shape = (layout.rows, layout.columns, *size)
    masks.patch_masks(
        *key.arguments, np.uint64(threshold), *shape, space.word_of, space.bit_of, space.free, out
    )
    listed: list[list[int]] = out.tolist()
    return listed


def genes_in(mask: list[int], layout: Layout) -> list[int]:
    """The genes of a mask; every bit must belong to one."""
    genes = [
        gene for gene in range(layout.length) if mask[layout.word(gene)] >> layout.bit(gene) & 1
    ]
    assert layout.words(genes) == mask
    return genes


@given(layouts())
def test_every_gene_has_the_place_that_the_twin_gives_it(layout: Layout) -> None:
    space = space_of(layout)
    assert space.word_of.tolist() == [layout.word(gene) for gene in range(layout.length)]
    assert space.bit_of.tolist() == [layout.bit(gene) for gene in range(layout.length)]
    assert space.free.tolist() == layout.words(layout.free)


@given(keys, layouts(), words | probabilities.map(lambda p: int(threshold_of(p))))
def test_coin_masks_are_those_of_the_twin(key: Key, layout: Layout, threshold: int) -> None:
    expected = [
        layout.words(twin.coin_mask(stream_of(key, i), threshold, layout))
        for i in range(INDIVIDUALS)
    ]
    assert coin_masks(key, threshold, space_of(layout)) == expected


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 8, 16, 21, 22, 32, 33, 63, 64])
def test_words_share_coins_as_in_the_twin(columns: int) -> None:
    layout = Layout(66, columns, frozenset(range(66 * columns)))
    threshold = int(threshold_of(0.3))
    assert coin_masks(KEY, threshold, space_of(layout), 1) == [
        layout.words(twin.coin_mask(stream_of(KEY, 0), threshold, layout))
    ]


@given(keys, layouts(), usual_rates)
def test_rare_masks_are_those_of_the_twin(key: Key, layout: Layout, rate: float) -> None:
    cut, other = (column.tolist() for column in masks.gap_table(rate))
    expected = [
        layout.words(twin.rare_mask(stream_of(key, i), cut, other, layout))
        for i in range(INDIVIDUALS)
    ]
    assert rare_masks(key, rate, space_of(layout)) == expected


@given(keys, layouts(), st.sampled_from([1, 2]))
def test_segment_masks_are_those_of_the_twin(key: Key, layout: Layout, cuts: int) -> None:
    expected = [
        layout.words(twin.segment_mask(stream_of(key, i), cuts, layout)) for i in range(INDIVIDUALS)
    ]
    assert segment_masks(key, cuts, space_of(layout)) == expected


@given(keys, layouts(), st.data())
def test_point_masks_are_those_of_the_twin(key: Key, layout: Layout, data: st.DataObject) -> None:
    points = data.draw(st.integers(0, len(layout.free)))
    expected = [
        layout.words(twin.point_mask(stream_of(key, i), points, layout)) for i in range(INDIVIDUALS)
    ]
    assert point_masks(key, points, space_of(layout)) == expected


@given(keys, layouts(), probabilities, st.data())
def test_patch_masks_are_those_of_the_twin(
    key: Key, layout: Layout, probability: float, data: st.DataObject
) -> None:
    size = (
        data.draw(st.integers(1, layout.rows)),
        data.draw(st.integers(1, min(layout.columns, 9))),
    )
    threshold = int(threshold_of(probability))
    expected = [
        layout.words(twin.patch_mask(stream_of(key, i), threshold, size, layout))
        for i in range(INDIVIDUALS)
    ]
    assert patch_masks(key, threshold, size, layout) == expected


@given(keys, layouts(), st.data())
def test_a_point_mask_has_exactly_the_requested_number_of_genes(
    key: Key, layout: Layout, data: st.DataObject
) -> None:
    points = data.draw(st.integers(0, len(layout.free)))
    assert [len(genes_in(mask, layout)) for mask in point_masks(key, points, space_of(layout))] == [
        points
    ] * INDIVIDUALS


@given(keys, layouts(), probabilities, st.data())
def test_no_mask_touches_a_gene_that_is_not_free(
    key: Key, layout: Layout, probability: float, data: st.DataObject
) -> None:
    space = space_of(layout)
    points = data.draw(st.integers(0, len(layout.free)))
    drawn = [
        *coin_masks(key, int(threshold_of(probability)), space),
        *rare_masks(key, max(probability, 1e-6), space),
        *segment_masks(key, 1, space),
        *segment_masks(key, 2, space),
        *point_masks(key, points, space),
    ]
    assert all(layout.free >= set(genes_in(mask, layout)) for mask in drawn)


@given(keys, layouts())
def test_coins_that_always_fall_one_take_every_free_gene_and_others_none(
    key: Key, layout: Layout
) -> None:
    space = space_of(layout)
    everything, nothing = [space.free.tolist()] * INDIVIDUALS, [[0] * space.words] * INDIVIDUALS
    assert (
        coin_masks(key, int(threshold_of(1.0)), space) == rare_masks(key, 1.0, space) == everything
    )
    assert coin_masks(key, int(threshold_of(0.0)), space) == rare_masks(key, 0.0, space) == nothing


@given(keys, st.integers(0, 5), words | st.sampled_from([0, 2**63, 2**64 - 1]))
def test_a_mask_is_spared_as_by_the_twin(key: Key, count: int, threshold: int) -> None:
    before = [[individual + 1, 2**64 - 1] for individual in range(count)]
    out = np.array(before, np.uint64).reshape(count, 2)
    masks.spare(*key.arguments, np.uint64(threshold), out)
    assert out.tolist() == [
        before[i] if twin.is_kept(stream_of(key, i), threshold) else [0, 0] for i in range(count)
    ]


@given(keys)
def test_a_mask_is_spared_if_its_number_lies_below_the_threshold(key: Key) -> None:
    number = draw(stream_of(key, 0), 2**62)
    for threshold, kept in ((number, 0), (number + 1, 1)):
        out = np.ones((1, 1), np.uint64)
        masks.spare(*key.arguments, np.uint64(threshold), out)
        assert out.tolist() == [[kept]]


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 0.95])
def test_masks_are_spared_as_often_as_they_should(rate: float) -> None:
    out = np.ones((2000, 1), np.uint64)
    masks.spare(*KEY.arguments, threshold_of(rate), out)
    assert abs(out.mean() - rate) <= 5 * (rate * (1 - rate) / 2000) ** 0.5


@given(usual_rates)
def test_the_table_of_gaps_is_the_geometric_distribution_to_within_rounding(rate: float) -> None:
    cut, other = (column.tolist() for column in masks.gap_table(rate))
    assert len(cut) == len(other) == 256
    assert all(0 <= share <= 2**56 for share in cut)
    weights = twin.outcome_weights(cut, other)
    assert sum(weights) == 2**64
    # Twice 255 roundings of numbers of 53 bits.
    assert all(
        abs(weight - exact) <= 2**20
        for weight, exact in zip(weights, twin.geometric_weights(rate), strict=True)
    )


@pytest.mark.parametrize("rate", [0.0, 1.0, 0.5, 2.0**-8])
def test_the_table_of_gaps_is_exact_where_nothing_is_rounded(rate: float) -> None:
    # Powers of two: the first shares have few binary digits.
    cut, other = (column.tolist() for column in masks.gap_table(rate))
    assert twin.outcome_weights(cut, other)[1:6] == twin.geometric_weights(rate)[1:6]


@pytest.mark.parametrize("rate", [7e-16, 1e-17, 1e-18, 1e-19])
def test_there_is_a_table_of_gaps_for_a_rate_next_to_nothing(rate: float) -> None:
    cut, other = (column.tolist() for column in masks.gap_table(rate))
    weights = twin.outcome_weights(cut, other)
    assert all(
        abs(weight - exact) <= 2**20
        for weight, exact in zip(weights, twin.geometric_weights(rate), strict=True)
    )


@pytest.mark.parametrize("rate", [0.002, 0.01, 0.05, 0.5])
def test_rare_masks_take_genes_as_often_as_they_should_wherever_they_stand(rate: float) -> None:
    layout = Layout(30, 20, frozenset(range(600)))
    taken = Counter(
        gene
        for mask in rare_masks(KEY, rate, space_of(layout), 100)
        for gene in genes_in(mask, layout)
    )
    deviation = (rate * (1 - rate)) ** 0.5
    assert abs(sum(taken.values()) / 60_000 - rate) < 5 * deviation / 60_000**0.5
    for sixth in range(6):
        genes = range(100 * sixth, 100 * sixth + 100)
        assert abs(sum(taken[gene] for gene in genes) / 10_000 - rate) < 5 * deviation / 10_000**0.5


def test_one_cut_falls_equally_often_before_any_gene_but_the_first() -> None:
    layout = Layout(3, 4, frozenset(range(12)))
    found = Counter(
        tuple(genes_in(mask, layout)) for mask in segment_masks(KEY, 1, space_of(layout), 3000)
    )
    segments = [tuple(range(cut, 12)) for cut in range(1, 12)]
    assert chi_square_fits([found[segment] for segment in segments], 3000)


def test_two_cuts_fall_equally_often_before_any_two_genes() -> None:
    layout = Layout(2, 4, frozenset(range(8)))
    found = Counter(
        tuple(genes_in(mask, layout)) for mask in segment_masks(KEY, 2, space_of(layout), 3000)
    )
    segments = [tuple(range(first, last)) for first, last in combinations(range(8), 2)]
    assert chi_square_fits([found[segment] for segment in segments], 3000)


def test_all_choices_of_points_are_equally_likely() -> None:
    layout = Layout(2, 4, frozenset([0, 2, 3, 5, 7]))
    found = Counter(
        tuple(genes_in(mask, layout)) for mask in point_masks(KEY, 2, space_of(layout), 3000)
    )
    assert chi_square_fits([found[pair] for pair in combinations(sorted(layout.free), 2)], 3000)


@given(keys, layouts(), st.integers(0, 2**32))
def test_the_masks_of_an_individual_do_not_depend_on_how_many_there_are(
    key: Key, layout: Layout, seed: int
) -> None:
    assume(layout.free)
    space = space_of(layout)
    points = 1 + seed % len(layout.free)
    assert coin_masks(key, seed << 31, space, 5)[:2] == coin_masks(key, seed << 31, space, 2)
    assert rare_masks(key, 0.05, space, 5)[:2] == rare_masks(key, 0.05, space, 2)
    assert segment_masks(key, 2, space, 5)[:2] == segment_masks(key, 2, space, 2)
    assert point_masks(key, points, space, 5)[:2] == point_masks(key, points, space, 2)


def test_patches_lie_equally_often_anywhere() -> None:
    layout = Layout(4, 5, frozenset(range(20)))
    found = Counter(
        tuple(genes_in(mask, layout))
        for mask in patch_masks(KEY, int(threshold_of(1.0)), (2, 3), layout, 3000)
    )
    patches = [
        tuple(5 * (y + dy) + x + dx for dy in range(2) for dx in range(3))
        for y in range(3)
        for x in range(3)
    ]
    assert chi_square_fits([found[patch] for patch in patches], 3000)
