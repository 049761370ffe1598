"""Every way to run a fashion rule gives what the slow twin gives, ties included."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Tiles
from levolve.kernels.fashion import margins, pictures, planes, runs, starts
from levolve.kernels.fashion import pictures as pouring
from levolve.kernels.fashion import starts as courses
from levolve.worlds.morph import Morph
from levolve.worlds.rule import Rule
from levolve.worlds.running import NO_FIELD, RankTables, sum_tables
from levolve.worlds.scores import float_ranks, plane_terms
from levolve.worlds.starts import VON_NEUMANN
from oracles import fashion as twin
from oracles import streams as streams_twin

PLAIN = (1 << 64) - 1


@dataclass(frozen=True)
class Case:
    """A rule and a map."""

    rule: Rule
    tiles: Tiles
    updates: int
    # Updates at which a call of the kernel ends and the next goes on.
    pieces: tuple[int, ...] = ()

    @property
    def stops(self) -> list[int]:
        return [*sorted(self.pieces), self.updates]

    @property
    def torus(self) -> bool:
        return self.rule.border == "torus"

    @property
    def by_the_twin(self) -> list[list[int]]:
        scores = self.rule.scores if self.rule.arithmetic == "float" else self.rule.exact
        return twin.run(
            self.tiles.tolist(), scores, self.rule.neighbourhood, self.updates, torus=self.torus
        )


offsets = st.tuples(st.integers(-3, 3), st.integers(-3, 3))
# Few different numbers, so that many scores tie; and decimal ones, whose sums differ as floats.
numbers = (
    st.integers(-2, 2)
    | st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.6, -0.1])
    | st.fractions(-1, 1, max_denominator=7)
)


@st.composite
def cases(draw: st.DrawFn, *, bits: bool = False) -> Case:
    """Any rule on any small map; or two states, the four nearest neighbours in any order, and a
    side of whole words.
    """
    states = 2 if bits else draw(st.integers(1, 5))
    near = (
        draw(st.permutations(VON_NEUMANN))
        if bits
        else draw(st.lists(offsets, min_size=1, max_size=6))
    )
    rows = [[draw(numbers) for _ in range(states)] for _ in range(states)]
    border = "torus" if bits else draw(st.sampled_from(["torus", "bounded"]))
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    if bits:
        height *= draw(st.sampled_from([1, 64]))
        width = width if height % 64 == 0 else 64
        height, width = (height, width) if COMPILED else (64, 2)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles = random.integers(0, states, (height, width)).astype(np.uint8)
    rule = Rule(
        rows,
        near,
        "torus" if border == "torus" else "bounded",
        arithmetic=draw(st.sampled_from(["exact", "float"])),
    )
    return Case(rule, tiles, draw(st.integers(0, 6 if COMPILED else 2)))


def run_summed(case: Case) -> tuple[Tiles, list[int]]:
    rule, course = case.rule, courses.new_courses(1, case.updates)[0]
    tiles, saved = case.tiles.copy(), case.tiles.copy()
    scores, lowest = rule.summands()
    weights = np.ones((1, 1, 1), scores.dtype)
    for until in case.stops:
        runs.run_summed(
            tiles,
            rule.steps(tiles.shape),
            scores[np.newaxis],
            weights,
            lowest,
            case.torus,
            until,
            saved,
            course,
        )
    return tiles, course[:2].tolist()


def run_tables(case: Case, tables: RankTables) -> tuple[Tiles, list[int]]:
    """Two maps in one call, of which the second must not disturb the first."""
    rule, course = case.rule, courses.new_courses(2, case.updates)
    around = margins.TORUS if case.torus else margins.BOUNDED
    tiles = np.stack([case.tiles, case.tiles[::-1]])
    saved = tiles.copy()
    entries = np.stack([tables.entries, tables.entries])
    plan = tables.plan(rule.steps(case.tiles.shape))
    for until in case.stops:
        runs.run_lines(
            tiles, rule.states, around, plan, entries, NO_FIELD, tables.keys(), until, saved, course
        )
    return tiles[0], course[0, :2].tolist()


def run_ranked(case: Case) -> tuple[Tiles, list[int]]:
    return run_tables(case, case.rule.rank_tables)


def partial_sums(rule: Rule) -> RankTables:
    tables = sum_tables([rule.whole], len(rule.neighbourhood), bounded=rule.border == "bounded")
    assert tables is not None
    return tables


@given(cases())
def test_a_map_by_the_table_of_ranks_becomes_that_of_the_twin(case: Case) -> None:
    assert run_ranked(case)[0].tolist() == case.by_the_twin


@given(cases(), st.sampled_from([4, 30, 1 << 13]))
def test_a_map_by_partial_sums_becomes_that_of_the_twin(case: Case, entries: int) -> None:
    case = Case(case.rule.with_arithmetic("exact"), case.tiles, case.updates)
    # Few entries make many groups of neighbours.
    with patch("levolve.worlds.running.NEAR_ENTRIES", entries):
        tables = partial_sums(case.rule)
    assert run_tables(case, tables)[0].tolist() == case.by_the_twin


@given(cases(), st.integers(1, 3))
def test_a_large_map_on_threads_becomes_that_of_the_twin(case: Case, threads: int) -> None:
    with patch("levolve.worlds.running.LARGE", 0), ThreadPoolExecutor(threads) as pool:
        assert case.rule.run(case.tiles, case.updates, executor=pool).tolist() == case.by_the_twin


@pytest.mark.parametrize(
    "rule",
    [
        Rule([0, 0.5, 0.2, 0.6]),
        Rule([0, 0.5, 0.2, 0.6], "moore"),
        Rule([0.1, 0.3, 0.2, 0.4], arithmetic="float"),
    ],
)
@pytest.mark.skipif(not COMPILED, reason="many cells")
def test_a_map_of_several_bands_and_threads_is_that_of_one(rule: Rule) -> None:
    tiles = np.random.default_rng(3).integers(0, 2, (900, 640)).astype(np.uint8)
    small = rule.develop(tiles[:, :600], 7)
    with patch("levolve.worlds.running.LARGE", 1 << 40):
        alone = rule.develop(tiles[:, :600], 7)
        packed = rule.develop(tiles, 7)
    with ThreadPoolExecutor(3) as pool:
        shared = rule.develop(tiles[:, :600], 7, executor=pool)
        shared_packed = rule.develop(tiles, 7, executor=pool)
    for one, other in ((small, alone), (shared, alone), (shared_packed, packed)):
        assert np.array_equal(one.final, other.final)
        assert (one.since, one.length) == (other.since, other.length)


@given(cases(), st.integers(1, 4), st.integers(1, 4), st.integers(0, 4 if COMPILED else 1))
def test_what_is_known_of_an_unbounded_map_is_that_of_the_twin(
    case: Case, width: int, height: int, updates: int
) -> None:
    rule = case.rule.with_border("torus")
    steps = np.array([(dy, dx) for dx, dy in rule.neighbourhood])
    up, side = (int(reach) for reach in np.abs(steps).max(axis=0))
    random = np.random.default_rng(int(case.tiles.sum()))
    start = random.integers(
        0, rule.states, (height + 4 * up * updates, width + 4 * side * updates)
    ).astype(np.uint8)
    tables = rule.rank_tables
    keys = tables.keys()
    known = runs.run_window(
        start, tables.plan(steps), tables.entries, NO_FIELD, keys, up, side, updates
    )
    scores = rule.scores if rule.arithmetic == "float" else rule.exact
    whole = twin.run(start.tolist(), scores, rule.neighbourhood, updates, torus=True)
    top, left = 2 * up * updates, 2 * side * updates
    assert known.tolist() == [row[left : left + width] for row in whole[top : top + height]]


@pytest.mark.skipif(not COMPILED, reason="many updates")
@pytest.mark.parametrize("scores", [[0, 0.5, 0.2, 0.6], [0, 3, 1, 0], [0, 1, 1, 0], [2, 1, 0, 2]])
def test_updates_that_a_window_leaves_out_change_nothing(scores: list[float]) -> None:
    rule = Rule(scores)
    tables = rule.rank_tables
    steps = np.array([(dy, dx) for dx, dy in rule.neighbourhood])
    for updates in (30, 31, 37):
        start = (
            np.random.default_rng(updates)
            .integers(0, 2, (4 * updates + 20, 4 * updates + 70))
            .astype(np.uint8)
        )
        once = runs.run_window(
            start, tables.plan(steps), tables.entries, NO_FIELD, tables.keys(), 1, 1, updates
        )
        step_by_step = start
        for _ in range(updates):
            step_by_step = runs.run_window(
                step_by_step, tables.plan(steps), tables.entries, NO_FIELD, tables.keys(), 1, 1, 1
            )
        assert np.array_equal(once, step_by_step)


@given(cases())
def test_a_map_by_adding_up_becomes_that_of_the_twin(case: Case) -> None:
    assert run_summed(case)[0].tolist() == case.by_the_twin


@given(cases(bits=True))
def test_a_map_by_planes_of_bits_becomes_that_of_the_twin(case: Case) -> None:
    assert case.rule.develop(case.tiles, case.updates).final.tolist() == case.by_the_twin


@pytest.mark.parametrize(
    ("scores", "planes"), [([1, 2, 3, 4], 0), ([0, 0.5, 0.2, 0.6], 1), ([0.1, 0.3, 0.2, 0.8], 4)]
)
def test_as_many_planes_go_by_the_pattern_as_rounding_asks_for(
    scores: list[float], planes: int
) -> None:
    rule = Rule(scores, arithmetic="float")
    terms = plane_terms(float_ranks(np.array(rule.scores), 4))
    assert terms is not None
    assert len(terms[1]) == planes
    tiles = (
        np.random.default_rng(planes).integers(0, 2, (64, 9 if COMPILED else 2)).astype(np.uint8)
    )
    case = Case(rule, tiles, 2)
    assert rule.develop(tiles, 2).final.tolist() == case.by_the_twin


@given(
    st.lists(
        st.floats(-1, 1, allow_nan=False) | st.sampled_from([0.1, 0.2, 0.3, 0.7]),
        min_size=4,
        max_size=4,
    ),
    st.integers(0, 2**32),
)
def test_planes_of_bits_decide_ties_of_floats_as_the_table_does(
    scores: list[float], seed: int
) -> None:
    rule = Rule(scores, arithmetic="float")
    tiles = np.random.default_rng(seed).integers(0, 2, (64, 70 if COMPILED else 2)).astype(np.uint8)
    case = Case(rule, tiles, 3 if COMPILED else 1)
    assert np.array_equal(rule.develop(tiles, case.updates).final, run_ranked(case)[0])


@given(cases(bits=True), st.integers(0, 60 if COMPILED else 3))
def test_all_ways_agree_on_the_map_and_on_what_it_came_to(case: Case, updates: int) -> None:
    case = Case(case.rule, case.tiles, updates)
    outcome = case.rule.develop(case.tiles, updates)
    for way in (run_ranked, run_summed):
        tiles, found = way(case)
        assert np.array_equal(tiles, outcome.final)
        assert found == [outcome.since, outcome.length]


@given(
    cases(bits=True),
    st.integers(0, 60 if COMPILED else 3),
    st.lists(st.integers(0, 60), max_size=5),
)
def test_a_map_run_in_pieces_comes_to_the_same(case: Case, updates: int, pieces: list[int]) -> None:
    whole, cut = (
        Case(case.rule, case.tiles, updates),
        Case(case.rule, case.tiles, updates, tuple(pieces)),
    )
    for way in (run_ranked, run_summed):
        (tiles, found), (again, found_again) = way(whole), way(cut)
        assert np.array_equal(tiles, again)
        assert found == found_again

    def one_by_one(run: Callable[[int], bool], _: int) -> None:
        while run(1):
            pass

    with patch("levolve.worlds.running.run_in_pieces", one_by_one):
        outcome = case.rule.develop(case.tiles, updates)
    assert np.array_equal(outcome.final, run_ranked(whole)[0])
    assert [outcome.since, outcome.length] == run_ranked(whole)[1]


@given(cases())
def test_what_is_said_to_repeat_does_repeat(case: Case) -> None:
    updates = 40 if COMPILED else 6
    outcome = case.rule.develop(case.tiles, updates)
    frames = list(case.rule.frames(case.tiles, outcome.since + outcome.length))
    if outcome.length:
        assert np.array_equal(frames[-1], frames[outcome.since])
        assert not any(
            np.array_equal(frames[-1], frame) for frame in frames[outcome.since + 1 : -1]
        )
    if outcome.length == 1 and outcome.since:
        assert not np.array_equal(frames[outcome.since - 1], frames[outcome.since]), (
            "a fixed point is recognised from its first update on"
        )
    one_by_one = list(case.rule.frames(case.tiles, updates))[-1]
    assert np.array_equal(outcome.final, one_by_one), "leaving rounds out changes nothing"


@given(cases(), st.data())
def test_a_mixture_of_rules_becomes_that_of_the_twin(case: Case, data: st.DataObject) -> None:
    rule = case.rule
    other = [[data.draw(numbers) for _ in range(rule.states)] for _ in range(rule.states)]
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    weights = random.integers(0, 5, (2, *case.tiles.shape))
    others = Rule(other, rule.neighbourhood, rule.border, arithmetic=rule.arithmetic)
    scores = np.stack([rule.summands()[0], others.summands()[0]])
    tiles, course = case.tiles.copy(), courses.new_courses(1, 1)[0]
    summands = scores, weights.astype(scores.dtype), rule.summands()[1]
    runs.run_summed(
        tiles, rule.steps(tiles.shape), *summands, case.torus, 1, case.tiles.copy(), course
    )
    matrices: list[Any] = [
        one.scores if one.arithmetic == "float" else one.whole for one in (rule, others)
    ]
    expected = twin.update(
        case.tiles.tolist(), matrices, weights.tolist(), rule.neighbourhood, torus=case.torus
    )
    assert tiles.tolist() == expected


@given(cases(), st.data())
def test_a_mixture_by_partial_sums_becomes_that_of_the_twin(
    case: Case, data: st.DataObject
) -> None:
    rule = case.rule.with_arithmetic("exact")
    count = data.draw(st.integers(2, 3))
    others = [
        [[data.draw(numbers) for _ in range(rule.states)] for _ in range(rule.states)]
        for _ in range(count - 1)
    ]
    rules = [rule, *(Rule(other, rule.neighbourhood, rule.border) for other in others)]
    field = np.random.default_rng(data.draw(st.integers(0, 2**32))).integers(
        0, 256 * (count - 1) + 1, case.tiles.shape
    )
    shares = [
        [[max(256 - abs(int(value) - 256 * stop), 0) for value in row] for row in field]
        for stop in range(count)
    ]
    expected = twin.update(
        case.tiles.tolist(),
        [one.exact for one in rules],
        shares,
        rule.neighbourhood,
        torus=case.torus,
    )
    morph = Morph(rules)
    assert morph.tables is not None
    assert morph.run(case.tiles, field, 1).tolist() == expected
    with patch("levolve.worlds.running.LARGE", 0):
        assert morph.run(case.tiles, field, 1).tolist() == expected


@given(
    st.integers(1, 4), st.integers(1, 9), st.integers(1, 9), st.booleans(), st.integers(0, 2**32)
)
def test_the_majority_filter_is_that_of_the_twin(
    states: int, height: int, width: int, torus: bool, seed: int
) -> None:
    tiles = np.random.default_rng(seed).integers(0, states, (height, width)).astype(np.uint8)
    out = np.empty_like(tiles)
    pictures.smooth(tiles, states, torus, out)
    assert out.tolist() == twin.smooth(tiles.tolist(), torus=torus)


@given(
    st.integers(1, 4),
    st.integers(1, 5),
    st.integers(1, 5),
    st.integers(1, 4),
    st.integers(0, 2**32),
)
def test_blocks_become_their_most_common_state(
    states: int, height: int, width: int, scale: int, seed: int
) -> None:
    tiles = (
        np.random.default_rng(seed)
        .integers(0, states, (height * scale, width * scale))
        .astype(np.uint8)
    )
    out = np.empty((height, width), np.uint8)
    pictures.most_common(tiles, states, scale, out)
    assert out.tolist() == twin.most_common(tiles.tolist(), scale)


@pytest.mark.skipif(not COMPILED, reason="many cells")
def test_blocks_of_more_cells_than_sixteen_bits_count_are_scaled_too() -> None:
    tiles = np.random.default_rng(1).integers(0, 2, (300, 600)).astype(np.uint8)
    tiles[:, :300] |= tiles[::-1, :300]
    out = np.empty((1, 2), np.uint8)
    pictures.most_common(tiles, 2, 300, out)
    assert out.tolist() == [
        [int(tiles[:, :300].mean() > 1 / 2), int(tiles[:, 300:].mean() > 1 / 2)]
    ]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32), st.data())
def test_a_region_is_poured_as_by_the_twin(
    height: int, width: int, seed: int, data: st.DataObject
) -> None:
    tiles = np.random.default_rng(seed).integers(0, 2, (height, width)).astype(np.uint8)
    x, y, state = (
        data.draw(st.integers(0, width - 1)),
        data.draw(st.integers(0, height - 1)),
        data.draw(st.integers(0, 2)),
    )
    poured = tiles.copy()
    count = pouring.pour(poured, x, y, state)
    assert poured.tolist() == twin.pour(tiles.tolist(), (x, y), state)
    assert count == int((poured != tiles).sum())


@given(
    st.integers(0, PLAIN),
    st.integers(-(2**62), 2**62),
    st.integers(-(2**62), 2**62),
    st.lists(st.integers(0, PLAIN), max_size=4),
)
def test_a_start_map_is_a_hash_of_seed_and_cell(seed: int, x: int, y: int, cuts: list[int]) -> None:
    thresholds = sorted(cuts)
    out = np.empty((3, 4), np.uint8)
    starts.start_states(
        np.uint64(seed),
        32,
        np.uint64(x % 2**64),
        np.uint64(y % 2**64),
        np.array(thresholds, np.uint64),
        out,
    )
    for row in range(3):
        for column in range(4):
            number = streams_twin.draw(
                streams_twin.open_stream(seed, 32, (y + row) % 2**64, 0), (x + column) % 2**64
            )
            assert out[row, column] == sum(number >= threshold for threshold in thresholds)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_what_is_packed_into_planes_comes_back(rows: int) -> None:
    tiles = np.random.default_rng(rows).integers(0, 2, (64 * rows, 5)).astype(np.uint8)
    words = np.empty((rows, 5), np.uint64)
    # In parts, the last one first.
    for first, last in ((1, rows), (0, 1)):
        planes.pack_planes(tiles, words, first, last)
    for bit in (0, 1, 40, 63):
        assert np.array_equal(
            words >> np.uint64(bit) & np.uint64(1), tiles[bit * rows : (bit + 1) * rows]
        )
    again = np.empty_like(tiles)
    for first, last in ((1, rows), (0, 1)):
        planes.unpack_planes(words, again, first, last)
    assert np.array_equal(again, tiles)
