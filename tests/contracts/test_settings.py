"""Parts built in Python are checked like those of a recipe, and genes that would wrap around are
refused.
"""

from typing import Any

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.recipes.part_tables import build
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.automaton import Automaton
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.gene_space import BitGenes, NumberGenes
from levolve.search.objectives.combined import Target, Weighted
from levolve.search.objectives.paths import ExitPath
from levolve.search.selection import Tournament
from levolve.search.strategies.annealing import Annealing
from levolve.search.strategies.generational import Generational
from levolve.search.variation.crossovers import OnePointCrossover, UniformMutation


@pytest.mark.parametrize(
    ("kind", "settings", "words"),
    [
        (Direct, {"fill": 7.0}, "fill: expected less than or equal to 1, got 7.0"),
        (Automaton, {"last_nine": "turn"}, "last_nine: expected 'blank' or 'survive', got 'turn'"),
        (
            ExitPath,
            {"exit_members": -1},
            "exit_members: expected greater than or equal to 0, got -1",
        ),
        (ExitPath, {"walls": 5}, "walls: expected a valid tuple, got 5"),
        (
            Target,
            {"targets": {"exit_path": "far"}},
            "targets: exit_path: expected a number or LOW..HIGH, got 'far'",
        ),
        (Generational, {"population": 1}, "population: expected greater than or equal to 2, got 1"),
        (
            Generational,
            {"selection": "tournament"},
            "selection: expected an object of Selection, got 'tournament'",
        ),
        (Weighted, {"parts": [ExitPath(), 3]}, "parts: expected an object of Reward, got 3"),
        (Weighted, {"parts": 3}, "parts: expected a tuple of objects of Reward, got 3"),
        (Annealing, {"hot": 0}, "hot: expected greater than 0, got 0"),
        (Tournament, {"size": "three"}, "size: expected a valid integer"),
        (OnePointCrossover, {"rate": float("nan")}, "rate: expected"),
        (UniformMutation, {"rate": -0.1}, "rate: expected greater than or equal to 0, got -0.1"),
    ],
)
def test_a_setting_out_of_its_range_is_refused_by_name(
    kind: Any, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        kind(**settings)
    assert str(caught.value).startswith(words)


def test_a_setting_given_by_its_position_is_checked_too() -> None:
    with pytest.raises(InputError, match=r"^fill: expected less than or equal to 1, got 7"):
        Direct(7.0)


def test_a_part_built_in_python_equals_the_one_of_a_recipe() -> None:
    direct: Any = Direct
    target: Any = Target
    assert direct(fill=1) == build(GENOTYPES, {"kind": "direct", "fill": 1}, "genotype")
    assert isinstance(direct(fill=1).fill, float)
    assert direct(fill=np.float32(0.5)) == Direct(0.5)
    assert isinstance(direct(np.float64(0.5)).fill, float)
    assert target(targets={"exit_path": "5..7"}) == Target(targets={"exit_path": (5.0, 7.0)})
    with pytest.raises(
        InputError, match=r"^genotype\.fill: expected less than or equal to 1, got 7"
    ):
        build(GENOTYPES, {"kind": "direct", "fill": 7}, "genotype")


def test_a_setting_that_does_not_exist_is_a_type_error_as_in_any_python_call() -> None:
    with pytest.raises(TypeError, match="full"):
        Direct(full=0.5)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (2, np.uint8),
        (256, np.uint8),
        (257, np.uint16),
        (65_536, np.uint16),
        (65_537, np.uint32),
        (2**32, np.uint32),
    ],
)
def test_number_genes_have_the_smallest_type_that_holds_their_values(
    values: int, dtype: type
) -> None:
    space = NumberGenes(np.full(200, values))
    assert space.dtype == dtype
    genes = space.draw(1, 0, 50)
    assert genes.dtype == dtype
    space.check(genes)
    space.mutate(genes, np.tile(space.free, (50, 1)), 1, 1)
    space.check(genes)
    assert genes.max() > (values - 1) // 2


def test_genes_that_their_type_cannot_hold_are_refused() -> None:
    space = NumberGenes(np.full(10, 300))
    narrow = np.zeros((4, 10), np.uint8)
    masks = np.tile(space.free, (4, 1))
    with pytest.raises(
        InputError, match="genes: expected uint16, which holds values up to 299, got uint8"
    ):
        space.mutate(narrow, masks, 1, 1)
    with pytest.raises(
        InputError, match="genes: expected uint16, which holds values up to 299, got uint8"
    ):
        space.cross(narrow, np.arange(4), masks[:2], narrow.copy())
    with pytest.raises(
        InputError, match="genes: expected uint16, which holds values up to 299, got float64"
    ):
        space.check(narrow.astype(float))
    wide = np.zeros((4, 10), np.int64)
    space.mutate(wide, masks, 1, 1)
    space.check(wide)
    for bounds in ([0, 3], [2**32 + 1]):
        with pytest.raises(InputError, match="bounds: expected 1 to"):
            NumberGenes(np.array(bounds))


def test_genes_out_of_range_are_refused() -> None:
    numbers = NumberGenes(np.array([3, 5]))
    with pytest.raises(
        InputError, match="expected gene 1 to be from 0 to 4, got 5 in individual 1"
    ):
        numbers.check(np.array([[2, 4], [0, 5]], np.uint8))
    with pytest.raises(InputError, match=r"expected \(n, 2\) numbers"):
        numbers.check(np.zeros((2, 3), np.uint8))
    bits = BitGenes([5, 5])
    bits.check(np.full((3, 2), 31, np.uint64))
    with pytest.raises(InputError, match="expected bits for 10 genes only"):
        bits.check(np.full((3, 2), 32, np.uint64))
    with pytest.raises(InputError, match="words of uint64"):
        bits.check(np.zeros((3, 2), np.int64))
