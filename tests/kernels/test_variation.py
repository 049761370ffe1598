from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.inputs import Key, chi_square_fits, keys
from levolve.kernels.variation import apply_masks
from levolve.search.genotypes.gene_space import BitGenes
from oracles import variation as twin
from oracles.boards import unpack_row
from oracles.masks import Layout
from oracles.streams import open_stream

NUMBERS = st.sampled_from([np.dtype(np.uint8), np.dtype(np.uint16)])
seeds = st.integers(0, 2**32)


def random_words(random: np.random.Generator, count: int, words: int) -> NDArray[np.uint64]:
    """Every second individual has few bits set."""
    drawn: NDArray[np.uint64] = random.integers(0, 2**64, (count, words), np.uint64)
    drawn[1::2] &= random.integers(0, 2**64, drawn[1::2].shape, np.uint64)
    drawn[1::2] &= random.integers(0, 2**64, drawn[1::2].shape, np.uint64)
    return drawn


def bits_of(words: NDArray[np.uint64]) -> list[int]:
    return [bit for word in words.tolist() for bit in unpack_row(word, 64)]


def set_bits(words: NDArray[np.uint64]) -> set[int]:
    return {place for place, bit in enumerate(bits_of(words)) if bit == 1}


def masks_for(random: np.random.Generator, count: int, length: int) -> NDArray[np.uint64]:
    """Masks of `length` genes, with no bit beyond them."""
    chosen = random.random((count, length)) < random.random((count, 1))
    masks = np.zeros((count, -(-length // 64)), np.uint64)
    for individual, gene in np.argwhere(chosen).tolist():
        masks[individual, gene // 64] |= np.uint64(1 << gene % 64)
    return masks


@given(seeds, st.integers(1, 6), st.integers(0, 4), st.integers(1, 5))
def test_packed_children_are_those_of_the_twin(
    seed: int, individuals: int, pairs: int, words: int
) -> None:
    random = np.random.default_rng(seed)
    genes, masks = random_words(random, individuals, words), random_words(random, pairs, words)
    parents = random.integers(0, individuals, 2 * pairs)
    children = np.full((2 * pairs, words), 99, np.uint64)
    apply_masks.cross_words(genes, parents, masks, children)
    for pair in range(pairs):
        one, other = bits_of(genes[parents[2 * pair]]), bits_of(genes[parents[2 * pair + 1]])
        assert bits_of(children[2 * pair]) == twin.cross(one, other, set_bits(masks[pair]))
        assert bits_of(children[2 * pair + 1]) == twin.cross(other, one, set_bits(masks[pair]))


@given(seeds, st.integers(1, 6), st.integers(0, 4), st.integers(1, 140), NUMBERS)
def test_children_of_numbers_are_those_of_the_twin(
    seed: int, individuals: int, pairs: int, length: int, kind: np.dtype[Any]
) -> None:
    random = np.random.default_rng(seed)
    genes = random.integers(0, 200, (individuals, length)).astype(kind)
    masks = masks_for(random, pairs, length)
    parents = random.integers(0, individuals, 2 * pairs)
    children = np.full((2 * pairs, length), 255, kind)
    apply_masks.cross_values(genes, parents, masks, children)
    for pair in range(pairs):
        one, other = genes[parents[2 * pair]].tolist(), genes[parents[2 * pair + 1]].tolist()
        assert children[2 * pair].tolist() == twin.cross(one, other, set_bits(masks[pair]))
        assert children[2 * pair + 1].tolist() == twin.cross(other, one, set_bits(masks[pair]))


@given(seeds, st.integers(0, 5), st.integers(1, 5))
def test_flipped_bits_are_those_of_the_twin(seed: int, individuals: int, words: int) -> None:
    random = np.random.default_rng(seed)
    genes, masks = (
        random_words(random, individuals, words),
        random_words(random, individuals, words),
    )
    expected = [twin.flip(bits_of(genes[i]), set_bits(masks[i])) for i in range(individuals)]
    apply_masks.flip_words(genes, masks)
    assert [bits_of(row) for row in genes] == expected


@given(st.booleans(), seeds, st.integers(0, 4), st.integers(1, 140), NUMBERS)
def test_replaced_numbers_are_those_of_the_twin(
    another: bool, seed: int, individuals: int, length: int, kind: np.dtype[Any]
) -> None:
    key = Key(seed, seed % 7, seed % 1000)
    random = np.random.default_rng(seed)
    # All values at once are slow to list for the twin.
    bounds = random.integers(1, min(np.iinfo(kind).max + 2, 300), length)
    replace = twin.replace_by_another if another else twin.replace
    genes = random.integers(0, bounds, (individuals, length)).astype(kind)
    masks = masks_for(random, individuals, length)
    expected = [
        replace(
            open_stream(key.seed, key.purpose, key.generation, i),
            genes[i].tolist(),
            bounds.tolist(),
            set_bits(masks[i]),
        )
        for i in range(individuals)
    ]
    apply_masks.replace_values(*key.arguments, bounds, another, genes, masks)
    assert genes.tolist() == expected
    assert (genes < bounds).all()


@given(
    keys,
    seeds,
    st.integers(0, 3),
    st.integers(1, 6),
    st.integers(1, 12) | st.sampled_from([31, 32, 33, 63, 64, 65, 130]),
)
def test_rotated_bits_are_those_of_the_twin(
    key: Key, seed: int, individuals: int, rows: int, columns: int
) -> None:
    random = np.random.default_rng(seed)
    layout, space = Layout(rows, columns, frozenset()), BitGenes([columns] * rows)
    bits = random.integers(0, 2, (individuals, layout.length)).tolist()
    genes = np.array(
        [layout.words([g for g in range(layout.length) if row[g]]) for row in bits], np.uint64
    ).reshape(individuals, space.words)
    out = np.full_like(genes, 99)
    apply_masks.rotate_words(*key.arguments, genes, space.word_of, space.bit_of, out)
    for i, row in enumerate(bits):
        turned = twin.rotate(open_stream(key.seed, key.purpose, key.generation, i), row)
        assert out[i].tolist() == layout.words([g for g in range(layout.length) if turned[g]])


@given(keys, seeds, st.integers(0, 4), st.integers(1, 140), NUMBERS)
def test_rotated_numbers_are_those_of_the_twin(
    key: Key, seed: int, individuals: int, length: int, kind: np.dtype[Any]
) -> None:
    genes = np.random.default_rng(seed).integers(0, 200, (individuals, length)).astype(kind)
    out = np.full_like(genes, 255)
    apply_masks.rotate_values(*key.arguments, genes, out)
    expected = [
        twin.rotate(open_stream(key.seed, key.purpose, key.generation, i), genes[i].tolist())
        for i in range(individuals)
    ]
    assert out.tolist() == expected


def test_all_rotations_are_equally_likely() -> None:
    genes = np.tile(np.arange(9, dtype=np.uint8), (3000, 1))
    out = np.empty_like(genes)
    apply_masks.rotate_values(*Key(8, 3, 0).arguments, genes, out)
    first = Counter(out[:, 0].tolist())
    assert chi_square_fits([first[gene] for gene in range(9)], 3000)


@pytest.mark.parametrize("kind", [np.dtype(np.uint8), np.dtype(np.uint64)])
@given(seed=seeds, count=st.integers(0, 9), length=st.integers(1, 5))
def test_children_equal_to_a_parent_go_behind_the_others_with_its_score(
    kind: np.dtype[Any], seed: int, count: int, length: int
) -> None:
    random = np.random.default_rng(seed)
    genes = random.integers(0, 2, (4, length)).astype(kind)
    scores = genes @ 2.0 ** np.arange(
        length
    )  # the genes read as a number: a score tells whose it is
    # As from a crossover: parents come in pairs, and there may be one more of them than there are
    # children.
    parents = random.integers(0, 4, count + count % 2)
    origins = [parents[child ^ int(random.integers(2))] for child in range(count)]
    children = genes[np.array(origins, np.int64)] ^ (random.random((count, length)) < 0.15).astype(
        kind
    )
    known: list[list[int]] = []
    new: list[list[int]] = []
    for child in range(count):
        family = (
            children[child].tolist(),
            genes[parents[child]].tolist(),
            genes[parents[child ^ 1]].tolist(),
        )
        (known if twin.inherits(*family) else new).append(family[0])
    inherited = np.full(count, -99.0)
    front = int(apply_masks.inherit(genes, scores, parents, None, children, inherited))
    assert front == len(new)
    assert sorted(children[:front].tolist()) == sorted(new)
    assert sorted(children[front:].tolist()) == sorted(known)
    assert inherited[front:].tolist() == [
        sum(2.0**g for g in range(length) if child[g]) for child in children[front:].tolist()
    ]
