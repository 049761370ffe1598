"""Every way to run a fashion rule gives what the slow twin gives, ties included."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Tiles
from levolve.fashion.ranks import float_ranks, plane_terms
from levolve.fashion.rule import VON_NEUMANN, Rule
from levolve.kernels import fashion as kernels
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
        return twin.run(self.tiles.tolist(), scores, self.rule.neighbourhood, self.updates, torus=self.torus)


offsets = st.tuples(st.integers(-3, 3), st.integers(-3, 3))
# Few different numbers, so that many scores tie; and decimal ones, whose sums differ as floats.
numbers = st.integers(-2, 2) | st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.6, -0.1]) | st.fractions(-1, 1, max_denominator=7)


@st.composite
def cases(draw: st.DrawFn, *, bits: bool = False) -> Case:
    """Any rule on any small map; or two states, the four nearest neighbours in any order, and a side of whole words."""
    states = 2 if bits else draw(st.integers(1, 5))
    near = draw(st.permutations(VON_NEUMANN)) if bits else draw(st.lists(offsets, min_size=1, max_size=6))
    rows = [[draw(numbers) for _ in range(states)] for _ in range(states)]
    border = "torus" if bits else draw(st.sampled_from(["torus", "bounded"]))
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    if bits:
        height *= draw(st.sampled_from([1, 64]))
        width = width if height % 64 == 0 else 64
        height, width = (height, width) if COMPILED else (64, 2)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles = random.integers(0, states, (height, width)).astype(np.uint8)
    rule = Rule(rows, near, "torus" if border == "torus" else "bounded", arithmetic=draw(st.sampled_from(["exact", "float"])))
    return Case(rule, tiles, draw(st.integers(0, 6 if COMPILED else 2)))


def run_summed(case: Case) -> tuple[Tiles, list[int]]:
    rule, course = case.rule, kernels.new_courses(1, case.updates)[0]
    tiles, saved = case.tiles.copy(), case.tiles.copy()
    scores, lowest = rule.summands()
    weights = np.ones((1, 1, 1), scores.dtype)
    for until in case.stops:
        kernels.run_summed(tiles, rule.steps(tiles.shape), scores[np.newaxis], weights, lowest, case.torus, until, saved, course)
    return tiles, course[:2].tolist()


def run_keyed(case: Case) -> tuple[Tiles, list[int]]:
    rule, courses = case.rule, kernels.new_courses(2, case.updates)
    table, state_bits = rule.table
    tiles = np.stack([case.tiles, case.tiles[::-1]])
    saved = tiles.copy()
    tables = np.concatenate([table, table])
    for until in case.stops:
        kernels.run_keyed(tiles, rule.steps(case.tiles.shape), rule.states, tables, state_bits, case.torus, until, saved, courses)
    return tiles[0], courses[0, :2].tolist()


@given(cases())
def test_a_map_by_the_table_of_ranks_becomes_that_of_the_twin(case: Case) -> None:
    assert run_keyed(case)[0].tolist() == case.by_the_twin


@given(cases())
def test_a_map_by_adding_up_becomes_that_of_the_twin(case: Case) -> None:
    assert run_summed(case)[0].tolist() == case.by_the_twin


@given(cases(bits=True))
def test_a_map_by_planes_of_bits_becomes_that_of_the_twin(case: Case) -> None:
    assert case.rule.develop(case.tiles, case.updates).final.tolist() == case.by_the_twin


@pytest.mark.parametrize(("scores", "planes"), [([1, 2, 3, 4], 0), ([0, 0.5, 0.2, 0.6], 1), ([0.1, 0.3, 0.2, 0.8], 4)])
def test_as_many_planes_go_by_the_pattern_as_rounding_asks_for(scores: list[float], planes: int) -> None:
    rule = Rule(scores, arithmetic="float")
    terms = plane_terms(float_ranks(np.array(rule.scores), 4))
    assert terms is not None
    assert len(terms[1]) == planes
    tiles = np.random.default_rng(planes).integers(0, 2, (64, 9 if COMPILED else 2)).astype(np.uint8)
    case = Case(rule, tiles, 2)
    assert rule.develop(tiles, 2).final.tolist() == case.by_the_twin


@given(st.lists(st.floats(-1, 1, allow_nan=False) | st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=4, max_size=4), st.integers(0, 2**32))
def test_planes_of_bits_decide_ties_of_floats_as_the_table_does(scores: list[float], seed: int) -> None:
    rule = Rule(scores, arithmetic="float")
    tiles = np.random.default_rng(seed).integers(0, 2, (64, 70 if COMPILED else 2)).astype(np.uint8)
    case = Case(rule, tiles, 3 if COMPILED else 1)
    assert np.array_equal(rule.develop(tiles, case.updates).final, run_keyed(case)[0])


@given(cases(bits=True), st.integers(0, 60 if COMPILED else 3))
def test_all_ways_agree_on_the_map_and_on_what_it_came_to(case: Case, updates: int) -> None:
    case = Case(case.rule, case.tiles, updates)
    outcome = case.rule.develop(case.tiles, updates)
    for way in (run_keyed, run_summed):
        tiles, found = way(case)
        assert np.array_equal(tiles, outcome.final)
        assert found == [outcome.since, outcome.length]


@given(cases(bits=True), st.integers(0, 60 if COMPILED else 3), st.lists(st.integers(0, 60), max_size=5))
def test_a_map_run_in_pieces_comes_to_the_same(case: Case, updates: int, pieces: list[int]) -> None:
    whole, cut = Case(case.rule, case.tiles, updates), Case(case.rule, case.tiles, updates, tuple(pieces))
    for way in (run_keyed, run_summed):
        (tiles, found), (again, found_again) = way(whole), way(cut)
        assert np.array_equal(tiles, again)
        assert found == found_again

    def one_by_one(run: Callable[[int], bool], _: int) -> None:
        while run(1):
            pass

    with patch("levolve.fashion.rule.run_in_pieces", one_by_one):
        outcome = case.rule.develop(case.tiles, updates)
    assert np.array_equal(outcome.final, run_keyed(whole)[0])
    assert [outcome.since, outcome.length] == run_keyed(whole)[1]


@given(cases())
def test_what_is_said_to_repeat_does_repeat(case: Case) -> None:
    updates = 40 if COMPILED else 6
    outcome = case.rule.develop(case.tiles, updates)
    frames = list(case.rule.frames(case.tiles, outcome.since + outcome.length))
    if outcome.length:
        assert np.array_equal(frames[-1], frames[outcome.since])
        assert not any(np.array_equal(frames[-1], frame) for frame in frames[outcome.since + 1 : -1])
    if outcome.length == 1 and outcome.since:
        assert not np.array_equal(frames[outcome.since - 1], frames[outcome.since]), "a fixed point is recognised from its first update on"
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
    tiles, course = case.tiles.copy(), kernels.new_courses(1, 1)[0]
    summands = scores, weights.astype(scores.dtype), rule.summands()[1]
    kernels.run_summed(tiles, rule.steps(tiles.shape), *summands, case.torus, 1, case.tiles.copy(), course)
    matrices: list[Any] = [one.scores if one.arithmetic == "float" else one.whole for one in (rule, others)]
    expected = twin.update(case.tiles.tolist(), matrices, weights.tolist(), rule.neighbourhood, torus=case.torus)
    assert tiles.tolist() == expected


@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 9), st.booleans(), st.integers(0, 2**32))
def test_the_majority_filter_is_that_of_the_twin(states: int, height: int, width: int, torus: bool, seed: int) -> None:  # noqa: FBT001 drawn
    tiles = np.random.default_rng(seed).integers(0, states, (height, width)).astype(np.uint8)
    out = np.empty_like(tiles)
    kernels.smooth(tiles, states, torus, out)
    assert out.tolist() == twin.smooth(tiles.tolist(), torus=torus)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**32))
def test_blocks_become_their_most_common_state(states: int, height: int, width: int, scale: int, seed: int) -> None:
    tiles = np.random.default_rng(seed).integers(0, states, (height * scale, width * scale)).astype(np.uint8)
    out = np.empty((height, width), np.uint8)
    kernels.most_common(tiles, states, scale, out)
    assert out.tolist() == twin.most_common(tiles.tolist(), scale)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32), st.data())
def test_a_region_is_poured_as_by_the_twin(height: int, width: int, seed: int, data: st.DataObject) -> None:
    tiles = np.random.default_rng(seed).integers(0, 2, (height, width)).astype(np.uint8)
    x, y, state = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, 2))
    poured = tiles.copy()
    count = kernels.pour(poured, x, y, state)
    assert poured.tolist() == twin.pour(tiles.tolist(), (x, y), state)
    assert count == int((poured != tiles).sum())


@given(st.integers(0, PLAIN), st.integers(-(2**62), 2**62), st.integers(-(2**62), 2**62), st.lists(st.integers(0, PLAIN), max_size=4))
def test_a_start_map_is_a_hash_of_seed_and_cell(seed: int, x: int, y: int, cuts: list[int]) -> None:
    thresholds = sorted(cuts)
    out = np.empty((3, 4), np.uint8)
    kernels.start_states(np.uint64(seed), np.uint64(x % 2**64), np.uint64(y % 2**64), np.array(thresholds, np.uint64), out)
    for row in range(3):
        for column in range(4):
            number = streams_twin.draw(streams_twin.open_stream(seed, 32, (y + row) % 2**64, 0), (x + column) % 2**64)
            assert out[row, column] == sum(number >= threshold for threshold in thresholds)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_what_is_packed_into_planes_comes_back(rows: int) -> None:
    tiles = np.random.default_rng(rows).integers(0, 2, (64 * rows, 5)).astype(np.uint8)
    words = np.empty((rows, 5), np.uint64)
    kernels.pack_planes(tiles, words)
    for bit in (0, 1, 40, 63):
        assert np.array_equal(words >> np.uint64(bit) & np.uint64(1), tiles[bit * rows : (bit + 1) * rows])
    again = np.empty_like(tiles)
    kernels.unpack_planes(words, again)
    assert np.array_equal(again, tiles)
