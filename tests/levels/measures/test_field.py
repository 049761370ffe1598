"""The field of a level: distances, members, culs-de-sac and reconvergences, against their
definitions and against the measures.
"""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.levels.places import checkpoint
from levolve.levels.tileset import RAINBOW, WALLS
from oracles import features, walking

# |x|:  4 3 2 3 4   1 and 2 meet at 6, left and right: on the right 3 is a member too, on the left no other is. 1 and 3 meet at 3 itself, at 5.
#       5 X 1 X 5   2 and 3 meet on the right at 6, where 1 is a member: prc 6, iprc 0.
#       6 X 0 X 6
#       5 X 1 X 5
#       4 3 2 3 4
TWO_WITNESSES = ".....\n.#1#3\nE#S#.\n.#2#.\n....."


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """A small level with walls or colours, whose checkpoints may lie in walls and share a cell;
    their numbers have gaps.
    """
    height, width = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    tileset = draw(st.sampled_from([WALLS, RAINBOW]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    colours = random.integers(0, len(tileset.characters), (height, width))
    tiles = np.array(
        colours if tileset is RAINBOW else random.random((height, width)) < 0.3, np.uint8
    )
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    start = draw(cells)
    tiles[start[1], start[0]] = 0
    numbers = sorted(draw(st.sets(st.integers(1, 20), max_size=5)))
    return Level(
        tiles,
        {"entrance": start} | {checkpoint(number): draw(cells) for number in numbers},
        tileset,
    )


@given(levels())
def test_the_field_is_that_of_the_definitions(level: Level) -> None:
    found = levolve.field(level)
    assert level.entrance is not None
    tiles, steps = level.tiles.tolist(), level.tileset.steps
    distance = walking.distances(tiles, steps, level.entrance)
    member = walking.members(tiles, steps, level.entrance, level.checkpoints)
    numbers = found.checkpoints
    for x, y in walking.cells(tiles):
        assert found.distances[y, x] == distance.get((x, y), -1)
        assert found.members_at(x, y) == tuple(
            numbers[i] for i in sorted(member.get((x, y), set()))
        )
        ways = walking.steps_from(tiles, steps, (x, y))
        assert found.culs_de_sac[y, x] == (
            (x, y) in distance and all(distance[x, y] >= distance[way] for way in ways)
        )
    for pair, (i, j) in zip(found.pairs, combinations(range(len(numbers)), 2), strict=True):
        assert (pair.first, pair.second) == (numbers[i], numbers[j])
        assert (pair.prc, pair.iprc) == (
            features.prc((i, j), distance, member),
            features.iprc((i, j), distance, member),
        )
        assert set(pair.witnesses) == set(features.witnesses((i, j), distance, member))
        assert set(pair.isolated) == {cell for cell in pair.witnesses if member[cell] == {i, j}}


@given(levels())
def test_a_cul_de_sac_by_squares_is_no_nearer_than_any_adjacent_cell(level: Level) -> None:
    steps = levolve.field(level).distances
    height, width = steps.shape
    found = [
        int(steps[y, x])
        for y in range(height)
        for x in range(width)
        if steps[y, x] >= 0
        and all(
            steps[y, x] >= steps[y + down, x + right]
            for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + right < width and 0 <= y + down < height
        )
    ]
    measures = measure(level)
    assert measures["culs_de_sac_by_squares"][0] == len(found)
    assert measures["cul_de_sac_length_by_squares"][0] == sum(found)
    if level.tileset.name == "walls":
        assert measures["culs_de_sac_by_squares"][0] == measures["culs_de_sac"][0]


@given(levels())
def test_the_field_adds_up_to_the_measures(level: Level) -> None:
    found, measures = levolve.field(level), measure(level)
    assert found.culs_de_sac.sum() == measures["culs_de_sac"][0]
    assert found.distances[found.culs_de_sac].sum() == measures["cul_de_sac_length"][0]
    if found.checkpoints:
        assert sum(pair.prc for pair in found.pairs) == measures["reconvergence"][0]
        assert sum(pair.iprc for pair in found.pairs) == measures["isolated_reconvergence"][0]


def test_witnesses_of_two_ways_that_meet() -> None:
    found = levolve.field(Level.from_text(TWO_WITNESSES))
    assert found.farthest == 6
    assert [(pair.first, pair.second, pair.prc, pair.iprc) for pair in found.pairs] == [
        (1, 2, 6, 6),
        (1, 3, 5, 5),
        (2, 3, 6, 0),
    ]
    assert [pair.witnesses for pair in found.pairs] == [((0, 2), (4, 2)), ((4, 1),), ((4, 2),)]
    assert found.pairs[0].isolated == ((0, 2),)
    assert found.witnesses == {(4, 1): True, (0, 2): True, (4, 2): False}


def test_a_field_is_written_as_plain_data() -> None:
    data = json.loads(json.dumps(levolve.field(Level.from_text("S1.\n2#.\n...")).to_data()))
    assert data == {
        "distances": [[0, 1, 2], [1, -1, 3], [2, 3, 4]],
        "members": [[[], [1], [1]], [[2], [], [1]], [[2], [2], [1, 2]]],
        "culs_de_sac": [[2, 2]],
        "pairs": [
            {
                "checkpoints": [1, 2],
                "prc": 4,
                "iprc": 4,
                "witnesses": [[2, 2]],
                "isolated": [[2, 2]],
            }
        ],
    }


def test_a_level_without_an_entrance_has_no_field() -> None:
    with pytest.raises(
        InputError,
        match="expected a level with an entrance, from which distances are counted, got A, B",
    ):
        levolve.field(Level.from_text("A.\n.B"))
    with pytest.raises(InputError, match="expected a Level, got str"):
        levolve.field("S.E")  # type: ignore[arg-type]
