"""Gene spaces and the direct genotype."""

import numpy as np

from levolve.kernels.bits.random_streams import MUTATE
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.gene_space import BitGenes, NumberGenes


def bits(space: BitGenes, genes: np.ndarray) -> np.ndarray:
    """`(n, length)` bits in reading order of the genes."""
    return np.asarray((genes[:, space.word_of] >> space.bit_of) & np.uint64(1), np.uint8)


def test_double_rotation_loses_no_gene_and_keeps_the_order() -> None:
    space = NumberGenes(np.full(10, 11))
    genes = np.tile(np.arange(1, 11, dtype=np.uint8), (50, 1))
    turned = space.rotate(genes, MUTATE, 3, 1)
    starts = set()
    for row in turned.tolist():
        first = row.index(1)
        assert row[first:] + row[:first] == list(range(1, 11))
        starts.add(first)
    assert len(starts) > 5


def test_double_rotation_of_packed_genes_is_that_of_the_bits() -> None:
    space, plain = BitGenes([70] * 3), NumberGenes(np.full(210, 2))
    genes = (
        np.random.default_rng(1).integers(0, 2**63, (20, space.words), dtype=np.uint64) & space.free
    )
    assert np.array_equal(
        bits(space, space.rotate(genes, MUTATE, 3, 1)),
        plain.rotate(bits(space, genes), MUTATE, 3, 1),
    )


def test_genes_that_are_not_free_stay_through_a_rotation() -> None:
    free = np.ones(12, bool)
    free[[0, 7]] = False
    space = NumberGenes(np.full(12, 20), free)
    genes = np.tile(np.arange(12, dtype=np.uint8), (9, 1))
    turned = space.rotate(genes, MUTATE, 1, 1)
    assert (turned[:, 0] == 0).all()
    assert (turned[:, 7] == 7).all()
    packed = BitGenes([6] * 2, free)
    full = np.tile(packed.words_of(np.arange(12)), (9, 1))
    held = full & ~packed.free
    assert np.array_equal(packed.rotate(full, MUTATE, 1, 1) & ~packed.free, held)


def test_a_mutated_number_stays_below_its_bound() -> None:
    bounds = np.array([2, 3, 10000] * 30)
    space = NumberGenes(bounds)
    genes = np.zeros((200, 90), np.uint16)
    space.mutate(genes, np.tile(space.free, (200, 1)), 1, 1)
    assert (genes < bounds).all()
    assert (genes.max(axis=0)[:3] >= [1, 2, 9000]).all()


def test_direct_genes_are_the_tiles_in_reading_order_at_any_width() -> None:
    for width in (7, 64, 65, 200):
        frame = Frame(width, 3, {"entrance": (0, 0), "exit": (width - 1, 2)})
        genotype = Direct(fill=0.5)
        genes = genotype.start(frame, 1, 0, 5)
        space = genotype.space(frame)
        assert np.array_equal(genotype.express(genes, frame).reshape(5, -1), bits(space, genes))


def test_a_run_starts_with_as_many_walls_as_fill_says() -> None:
    frame = Frame(50, 50, {"entrance": (0, 0), "exit": (49, 49)})
    for fill in (0.0, 0.05, 0.5, 1.0):
        tiles = Direct(fill=fill).express(Direct(fill=fill).start(frame, 3, 0, 40), frame)
        assert abs(tiles.mean() - fill * 2498 / 2500) < 0.005
        assert not tiles[:, 0, 0].any()
        assert not tiles[:, 49, 49].any()
