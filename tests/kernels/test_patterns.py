import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Key, keys
from levolve.kernels.building.patterns import least_differences
from levolve.kernels.building.windows import lay_windows, quilt_levels
from levolve.kernels.variation.apply_masks import read_bits, write_bits
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.measures.structure_features import divergences
from levolve.levels.style import EPSILON, WINDOWS, style_of
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles import patterns as twin
from oracles.windows import lay, quilt, streams

Maps = list[np.ndarray]


@st.composite
def styled(draw: st.DrawFn) -> tuple[Tileset, Maps, np.ndarray]:
    """One or two examples, and some levels, of which the first equals a part of the first example
    where it fits.
    """
    tileset = draw(st.sampled_from([WALLS, RAINBOW]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = len(tileset.characters)

    def drawn(*shape: int) -> np.ndarray:
        common = random.random(shape) < 0.6
        return np.where(common, 0, random.integers(0, kinds, shape)).astype(np.uint8)

    examples = [
        drawn(draw(st.integers(4, 9)), draw(st.integers(4, 9)))
        for _ in range(draw(st.integers(1, 2)))
    ]
    for example in examples:
        example[0, 0], example[1, 1] = 0, 1
    levels = drawn(3, draw(st.integers(3, 9)), draw(st.integers(3, 9)))
    height, width = (
        min(levels.shape[1], examples[0].shape[0]),
        min(levels.shape[2], examples[0].shape[1]),
    )
    levels[0, :height, :width] = examples[0][:height, :width]
    return tileset, examples, levels


def rows(tileset: Tileset, examples: Maps) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple("".join(tileset.characters[tile] for tile in row) for row in example)
        for example in examples
    )


@given(styled())
def test_the_divergence_is_that_of_the_counted_patterns(
    drawn: tuple[Tileset, Maps, np.ndarray],
) -> None:
    tileset, examples, levels = drawn
    frame = Frame(levels.shape[2], levels.shape[1], {}, like=rows(tileset, examples))
    found = divergences(Batch(frame, tiles=levels, tileset=tileset))
    outside = len(tileset.characters)
    listed = [example.tolist() for example in examples]
    assert found.tolist() == pytest.approx(
        [twin.divergence(level.tolist(), listed, outside, WINDOWS, EPSILON) for level in levels],
        abs=1e-9,
    )


@given(styled())
def test_the_least_difference_is_that_of_all_parts(drawn: tuple[Tileset, Maps, np.ndarray]) -> None:
    _, examples, levels = drawn
    found = np.ones(len(levels))
    least_differences(levels, examples[0], found)
    assert found.tolist() == pytest.approx(
        [twin.least_difference(level.tolist(), examples[0].tolist()) for level in levels]
    )


@given(styled(), keys, st.integers(1, 3), st.integers(0, 1), st.integers(1, 5))
def test_windows_are_laid_where_they_fit(
    drawn: tuple[Tileset, Maps, np.ndarray], key: Key, least: int, more: int, tries: int
) -> None:
    tileset, examples, levels = drawn
    style = style_of(rows(tileset, examples), tileset)
    most = min(least + more, 3)
    listed = [example.tolist() for example in examples]
    choices = streams(key.seed, key.purpose, key.generation, len(levels))
    expected = [
        lay(stream, level.tolist(), listed, style.outside, least, most, tries)
        for stream, level in zip(choices, levels, strict=True)
    ]
    lay_windows(
        *key.arguments, style.padded, style.layout, style.outside, least, most, tries, levels
    )
    assert levels.tolist() == expected


@given(styled(), keys, st.integers(1, 3), st.integers(1, 4))
def test_quilts_are_made_of_windows_that_fit(
    drawn: tuple[Tileset, Maps, np.ndarray], key: Key, size: int, tries: int
) -> None:
    tileset, examples, levels = drawn
    style = style_of(rows(tileset, examples), tileset)
    listed = [example.tolist() for example in examples]
    _, height, width = levels.shape
    choices = streams(key.seed, key.purpose, key.generation, len(levels))
    expected = [
        quilt(stream, width, height, listed, style.outside, size, tries) for stream in choices
    ]
    quilt_levels(*key.arguments, style.padded, style.layout, style.outside, size, tries, levels)
    assert levels.tolist() == expected


@given(st.integers(1, 70), st.integers(0, 2**32))
def test_bits_that_are_read_and_written_are_the_same_where_they_are_free(
    length: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    word_of, bit_of = (
        (np.arange(length) // 64).astype(np.int32),
        (np.arange(length) % 64).astype(np.uint64),
    )
    genes = random.integers(0, 2**63, (3, 2), dtype=np.uint64)
    free = random.integers(0, 2**63, 2, dtype=np.uint64)
    values = random.integers(0, 2, (3, length)).astype(np.uint8)
    before, after = np.empty((3, length), np.uint8), np.empty((3, length), np.uint8)
    read_bits(genes, word_of, bit_of, before)
    assert before.tolist() == [
        [int(row[gene // 64]) >> gene % 64 & 1 for gene in range(length)] for row in genes
    ]
    write_bits(values, word_of, bit_of, free, genes)
    read_bits(genes, word_of, bit_of, after)
    may = np.array([int(free[gene // 64]) >> gene % 64 & 1 for gene in range(length)], bool)
    assert np.array_equal(after, np.where(may, values, before))
