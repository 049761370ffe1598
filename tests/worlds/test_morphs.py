"""Morphs are their rules at the ends, and the twin in between."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.kernels.fashion.lines import UNIT
from levolve.worlds.morph import Field, Morph, field_by_name, linear, noise, painted, radial
from levolve.worlds.rule import Rule
from levolve.worlds.starts import random_start
from oracles import fashion as twin

FIRST, SECOND, THIRD = Rule([[0, 0.5], [0.2, 0.6]]), Rule([[1, 0], [0, 1]]), Rule([[0, 1], [1, 0]])
SIZE = (13, 9)


def test_where_only_one_rule_counts_a_morph_is_that_rule() -> None:
    morph = Morph([FIRST, SECOND, THIRD])
    start = random_start(2, SIZE, 3)
    for number, rule in enumerate(morph.rules):
        assert np.array_equal(
            morph.run(start, np.full((9, 13), number * UNIT), 4), rule.run(start, 4)
        )


@pytest.mark.parametrize(
    "make_field",
    [
        lambda: linear(SIZE, 3),
        lambda: linear(SIZE, 3, vertical=True),
        lambda: radial(SIZE, 3),
        lambda: noise(SIZE, 3, seed=4, cell=5),
    ],
)
def test_a_mixture_is_that_of_the_twin(make_field: Callable[[], Field]) -> None:
    field = make_field()
    morph = Morph([FIRST, SECOND, THIRD])
    start = random_start(2, SIZE, 3)
    shares: list[list[list[int | Fraction]]] = [
        [
            [max(Fraction(0), 1 - abs(Fraction(int(cell), UNIT) - stop)) for cell in row]
            for row in field
        ]
        for stop in range(3)
    ]
    expected = start.tolist()
    for _ in range(3):
        expected = twin.update(
            expected, [rule.exact for rule in morph.rules], shares, FIRST.neighbourhood, torus=True
        )
    assert morph.run(start, field, 3).tolist() == expected


def test_fields_go_from_the_first_rule_to_the_last() -> None:
    assert linear((5, 2)).tolist() == [[0, 64, 128, 192, 256]] * 2
    assert linear((2, 3), vertical=True)[:, 0].tolist() == [0, 128, 256]
    middle = radial((21, 21), 3)
    assert middle[10, 10] == 0
    assert middle[10, 0] == middle[0, 10] == middle[0, 0] == 512
    assert 250 <= middle[10, 5] <= 262
    rough = noise((200, 200), seed=1, cell=20)
    assert (rough.min(), rough.max()) == (0, 256)
    assert np.abs(np.diff(rough, axis=1)).max() < 60, "noise is smooth"
    assert painted(np.array([[0, 255]], np.uint8), 3).tolist() == [[0, 512]]
    assert np.array_equal(field_by_name("noise", (40, 40), 2, 7), noise((40, 40), seed=7))


def test_what_cannot_be_mixed_is_refused() -> None:
    with pytest.raises(InputError, match="at least two"):
        Morph([FIRST])
    with pytest.raises(InputError, match="rule 1"):
        Morph([FIRST, Rule([[0, 1], [1, 0]], "moore")])
    with pytest.raises(InputError, match="field"):
        Morph([FIRST, SECOND]).run(random_start(2, SIZE, 1), linear((4, 4)))
    with pytest.raises(InputError, match="256ths"):
        Morph([FIRST, SECOND]).run(random_start(2, SIZE, 1), np.full((9, 13), 300))
    with pytest.raises(InputError, match="mask"):
        painted(np.zeros((3, 3)))
    with pytest.raises(InputError, match="field"):
        field_by_name("spiral", SIZE, 2, 0)
