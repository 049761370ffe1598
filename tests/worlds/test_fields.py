"""Fields of λ over an unbounded map: any window alone, and worlds of rules that change into each
other.
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.worlds import Gradient, Morph, Noise, Rings, Rule, World, make_map
from levolve.worlds.lambda_fields import FIELDS, SpaceField, space_field
from levolve.worlds.starts import random_start
from oracles import fashion as twin

FIRST, SECOND = Rule([[0, 0.5], [0.2, 0.6]]), Rule([[1, 0], [0, 1]])
anywhere = st.integers(-(2**60), 2**60) | st.integers(-50, 50)


@pytest.mark.parametrize("name", FIELDS)
@settings(max_examples=20, deadline=None)
@given(x=anywhere, y=anywhere, length=st.integers(1, 60), stops=st.integers(2, 4))
def test_a_window_of_a_field_is_computed_alone(
    name: str, x: int, y: int, length: int, stops: int
) -> None:
    field = space_field(name, length, seed=3)
    whole = field.window(x, y, 20, 14, stops)
    assert whole.shape == (14, 20)
    assert whole.min() >= 0
    assert whole.max() <= 256 * (stops - 1)
    assert (field.window(x + 7, y + 5, 6, 4, stops) == whole[5:9, 7:13]).all()


@settings(max_examples=20, deadline=None)
@given(x=st.integers(-90, 90), y=st.integers(-90, 90), radius=st.integers(1, 60))
def test_rings_count_the_edges_that_are_passed(x: int, y: int, radius: int) -> None:
    expected = [
        [min(int(256 * ((u * u + v * v) ** 0.5) / radius + 1e-9), 256) for u in range(x, x + 5)]
        for v in range(y, y + 4)
    ]
    assert Rings(radius).window(x, y, 5, 4).tolist() == expected


def test_noise_reaches_both_rules_and_changes_slowly() -> None:
    field = Noise(cell=40, seed=1).window(-500, 300, 600, 600)
    assert (field.min(), field.max()) == (0, 256)
    assert (
        max(np.abs(np.diff(field, axis=axis)).max() for axis in (0, 1))
        <= 256 * 2 * 3 // (2 * 40) + 8
    )
    assert (field != Noise(cell=40, seed=2).window(-500, 300, 600, 600)).any()


@pytest.mark.parametrize(
    "field", [Gradient(9, -3), Gradient(5, 2, "y"), Rings(6, 3, 3), Noise(5, 8)]
)
@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_a_window_of_mixed_rules_is_that_of_the_twin(field: SpaceField, arithmetic: str) -> None:
    rules = [FIRST.with_arithmetic(arithmetic), SECOND.with_arithmetic(arithmetic)]
    world = World(Morph(rules), 7, 2, field=field)
    margin = 4
    start = random_start(
        2, (8 + 2 * margin, 6 + 2 * margin), 7, at=(-2 - margin, 1 - margin)
    ).tolist()
    shares = field.window(-2 - margin, 1 - margin, 8 + 2 * margin, 6 + 2 * margin)
    weights = [(256 - shares).tolist(), shares.tolist()]
    matrices = [rule.scores if arithmetic == "float" else rule.exact for rule in rules]
    for _ in range(2):
        start = twin.update(start, matrices, weights, FIRST.neighbourhood, torus=True)
    assert world.window(-2, 1, 8, 6).tolist() == [
        row[margin:-margin] for row in start[margin:-margin]
    ]


def test_windows_of_mixed_rules_fit_together_over_pieces_and_scales() -> None:
    world = World(Morph([FIRST, SECOND]), 7, 12, field=Noise(60, 7))
    whole = world.window(-40, 9, 300, 200)
    assert (world.window(13, 77, 90, 50) == whole[68:118, 53:143]).all()
    assert world.window(-40, 9, 75, 50, 4).shape == (50, 75)


def test_a_map_is_made_of_a_window_of_mixed_rules() -> None:
    made = make_map(
        "coral", morph=["scales"], window=(-30, 0, 60, 40), field="linear", length=50, seed=2
    )
    assert made.tiles.shape == (40, 60)
    assert (made.tiles != make_map("coral", window=(-30, 0, 60, 40), seed=2).tiles).any()
    assert (list(made.frames())[-1] == made.tiles).all()
    with pytest.raises(InputError, match="field: expected one of"):
        make_map("coral", morph=["scales"], window=(0, 0, 9, 9), field=np.zeros((9, 9), np.int64))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Gradient(0),
        lambda: Gradient(5, axis="z"),
        lambda: Rings(-1),
        lambda: Noise(1 << 30),
        lambda: space_field("x"),
    ],
)
def test_a_wrong_field_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="expected"):
        wrong()


def test_a_field_needs_rules_to_mix() -> None:
    with pytest.raises(InputError, match="field: expected a Morph"):
        World(FIRST, field=Noise())
