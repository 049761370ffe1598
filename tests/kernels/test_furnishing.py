"""Furnishing: choke points, what can be reached among locks, and where things are placed."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.building import locks
from levolve.kernels.building.choke_points import find_cuts, find_ways
from levolve.levels.tileset import WALLS
from oracles import furnishing as oracle


@given(
    width=st.integers(2, 8),
    height=st.integers(2, 8),
    share=st.floats(0.3, 0.9),
    seed=st.integers(0, 2**32),
)
def test_cuts_are_the_cells_that_blocking_separates(
    width: int, height: int, share: float, seed: int
) -> None:
    chance = random.Random(seed)
    tiles = np.array(
        [[chance.random() > share for _ in range(width)] for _ in range(height)], np.uint8
    )
    tiles[0, 0] = 0
    cells = width * height
    walkable = {(x, y) for y in range(height) for x in range(width) if not tiles[y, x]}
    blocked = np.zeros(cells, np.uint8)
    for x, y in sorted(walkable - {(0, 0)}):
        blocked[y * width + x] = chance.random() < 0.1
    free = {(x, y) for x, y in walkable if not blocked[y * width + x]}
    goal = chance.choice(sorted(free))
    ways, shapes = np.empty((2, cells), np.uint8)
    find_ways(tiles, WALLS.table, ways, shapes)
    number, order, cuts = np.empty((3, cells), np.int32)
    work, ends = np.empty((3, cells), np.int32), np.empty(cells, np.uint8)
    count = find_cuts(
        ways, blocked, width, 0, goal[1] * width + goal[0], number, order, work, cuts, ends
    )
    found = oracle.reached(free, (0, 0))
    assert {(int(cell) % width, int(cell) // width) for cell in order[:count]} == found
    for x, y in sorted(walkable):
        cell = y * width + x
        assert (number[cell] >= 0) == ((x, y) in found)
        if (x, y) in found and (x, y) != (0, 0):
            lost = oracle.cut_off(free, (0, 0), (x, y))
            assert (cuts[cell], ends[cell]) == (len(lost), goal in lost)


def _slot(role: int, **columns: int) -> list[int]:
    row = [0] * locks.COLUMNS
    row[locks.ROLE], row[locks.AMOUNT] = role, 1
    row[locks.GROUP], row[locks.SWITCH_OF] = locks.NO_GROUP, -1
    for name, value in columns.items():
        row[getattr(locks, name)] = value
    return row


@given(seed=st.integers(0, 2**32), assumed=st.booleans())
def test_a_player_comes_where_keys_and_levers_lead(seed: int, assumed: bool) -> None:
    chance = random.Random(seed)
    regions, count = chance.randint(2, 6), chance.randint(1, 6)
    kinds = [chance.choice(["lock", "taker", "gate", "open gate"]) for _ in range(count)]
    names = [
        chance.choice(["a", "b"]) if kind.endswith("gate") else chance.choice(["p", "q"])
        for kind in kinds
    ]
    joined = [frozenset(chance.sample(range(regions), 2)) for _ in range(count)]
    placed = {name: chance.randrange(regions) for name in "abpq" if chance.random() < 0.8}
    opened = [number for number in range(count) if chance.random() < 0.5]
    column = {"p": 0, "q": 1}
    things = {name: count + index for index, name in enumerate("abpq")}
    rows = [
        _slot(locks.LOCK, GROUP=column[name])
        if kind == "lock"
        else _slot(locks.TAKER)
        if kind == "taker"
        else _slot(locks.GATE, SWITCH_OF=things[name], OPEN=int(kind == "open gate"))
        for kind, name in zip(kinds, names, strict=True)
    ]
    rows += [_slot(locks.SWITCH)] * 2 + [_slot(locks.KEY, GROUP=group) for group in (0, 1)]
    joins, places = np.zeros(len(rows), np.uint64), np.zeros(len(rows), np.uint64)
    for number, pair in enumerate(joined):
        joins[number] = sum(1 << region for region in pair)
    for name, region in placed.items():
        places[things[name]] = 1 << region
    found = locks.reachable(
        np.array(rows, np.int32),
        joins,
        places,
        np.array([things["a"], things["b"]], np.int32),
        np.array([sum(1 << number for number in opened)], np.uint64),
        locks.NO_GROUP,
        -1,
        assumed,
        np.empty(2, np.int32),
        np.empty(4, np.uint64),
    )
    barriers = list(zip(kinds, names, joined, strict=True))
    if assumed:
        # Keys that are not placed are at hand, and gates of such levers are open.
        placed |= {name: 0 for name in "pq" if name not in placed}
        opened += [number for number, name in enumerate(names) if name not in placed]
        barriers = [
            ("taker" if name not in placed else kind, name, pair) for kind, name, pair in barriers
        ]
    expected = oracle.come_to(barriers, placed, opened)
    assert {region for region in range(regions) if int(found) >> region & 1} == expected


@pytest.mark.parametrize("regions", [0, 1, 0b1011])
def test_the_deepest_regions_have_the_most_barriers_before_them(regions: int) -> None:
    depths = np.array([0, 2, 3, 2], np.int32)
    best = max((depths[k] for k in range(4) if regions >> k & 1), default=None)
    expected = sum(1 << k for k in range(4) if regions >> k & 1 and depths[k] == best)
    assert int(locks.deepest(np.uint64(regions), depths)) == expected
