from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Tiles
from levolve.kernels.bits import packed_flood
from levolve.kernels.building import cellular_automata as kernels
from oracles import automata as twin

WIDEST = 135 if COMPILED else 20
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

packed_widths = st.integers(2, 16) | st.sampled_from([31, 32, 33, 63, 64])


@dataclass(frozen=True)
class Automata:
    """Some maps of one size, a rule for each, and everything else an automaton takes."""

    tiles: Tiles
    rules: list[int]
    steps: int
    survival: bool
    outside: bool

    @property
    def by_the_twin(self) -> list[list[list[int]]]:
        return [
            twin.run(level, rule, self.steps, survival=self.survival, outside=self.outside)
            for level, rule in zip(self.tiles.tolist(), self.rules, strict=True)
        ]


@st.composite
def automata(draw: st.DrawFn, widths: st.SearchStrategy[int]) -> Automata:
    """Maps with few filled cells, with half of them filled, and with many."""
    rules = draw(st.lists(st.integers(0, 2**18 - 1), min_size=1, max_size=3))
    width, height, steps = draw(widths), draw(st.integers(2, 6)), draw(st.integers(0, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    share = random.choice([0.1, 0.5, 0.9], (len(rules), 1, 1))
    tiles = (random.random((len(rules), height, width)) < share).astype(np.uint8)
    return Automata(tiles, rules, steps, draw(st.booleans()), draw(st.booleans()))


def run_rows(given_maps: Automata) -> Tiles:
    tiles = given_maps.tiles
    width = tiles.shape[2]
    rows = np.empty(tiles.shape[:2], np.uint64)
    packed_flood.pack_rows(tiles, rows)
    kernels.run_rows(
        rows,
        np.array(given_maps.rules, np.uint64),
        width,
        given_maps.steps,
        given_maps.survival,
        given_maps.outside,
    )
    # No bit beyond the level may be left standing.
    assert all(word < 2**width for word in rows.ravel().tolist())
    out = np.empty_like(tiles)
    packed_flood.unpack_rows(rows, out)
    return out


def run_tiles(given_maps: Automata) -> Tiles:
    out = given_maps.tiles.copy()
    kernels.run_tiles(
        out,
        np.array(given_maps.rules, np.uint64),
        given_maps.steps,
        given_maps.survival,
        given_maps.outside,
    )
    return out


@given(automata(packed_widths))
def test_packed_maps_become_those_of_the_twin(drawn: Automata) -> None:
    assert run_rows(drawn).tolist() == drawn.by_the_twin


@given(automata(st.integers(2, WIDEST) | st.sampled_from([64, 65, 128, 129] if COMPILED else [2])))
def test_maps_of_any_width_become_those_of_the_twin(drawn: Automata) -> None:
    assert run_tiles(drawn).tolist() == drawn.by_the_twin


@given(automata(st.integers(2, 64)))
def test_packed_and_unpacked_maps_become_the_same(drawn: Automata) -> None:
    assert np.array_equal(run_rows(drawn), run_tiles(drawn))


@given(automata(packed_widths))
def test_the_two_readings_of_the_last_nine_bits_are_opposites(drawn: Automata) -> None:
    turned = [rule ^ (0b111111111 << 9) for rule in drawn.rules]
    other = Automata(drawn.tiles, turned, drawn.steps, not drawn.survival, drawn.outside)
    assert np.array_equal(run_rows(drawn), run_rows(other))
    assert np.array_equal(run_tiles(drawn), run_tiles(other))


@pytest.mark.parametrize("run", [run_rows, run_tiles])
@pytest.mark.parametrize(
    ("width", "column"), [(3, 1), (64, 62), (64, 31), (33, 16)] if COMPILED else [(3, 1)]
)
def test_every_count_of_neighbours_has_a_bit_of_its_own(
    run: Callable[[Automata], Tiles], width: int, column: int
) -> None:
    # All 256 maps around a cell, blank in the first half and filled in the second; a rule with one
    # bit set must change the maps with that count.
    tiles = np.zeros((512, 3, width), np.uint8)
    for number in range(512):
        tiles[number, 1, column] = number // 256
        for bit, (dy, dx) in enumerate(AROUND):
            tiles[number, 1 + dy, column + dx] = number >> bit & 1
    for count in range(9):
        rule = 2**count + 2 ** (9 + count)
        after = run(Automata(tiles, [rule] * 512, 1, survival=False, outside=False))[:, 1, column]
        assert [number for number in range(512) if after[number] != number // 256] == [
            number for number in range(512) if (number % 256).bit_count() == count
        ]


@pytest.mark.parametrize("run", [run_rows, run_tiles])
def test_the_game_of_life_has_its_blinker(run: Callable[[Automata], Tiles]) -> None:
    # Born with three, survives with two or three.
    life = 2**3 + 2 ** (9 + 2) + 2 ** (9 + 3)
    upright = np.zeros((1, 5, 5), np.uint8)
    upright[0, 1:4, 2] = 1
    assert np.array_equal(
        run(Automata(upright, [life], 1, survival=True, outside=False)), upright.transpose(0, 2, 1)
    )
    assert np.array_equal(run(Automata(upright, [life], 2, survival=True, outside=False)), upright)


@pytest.mark.parametrize("run", [run_rows, run_tiles])
def test_what_lies_outside_counts_as_it_is_said_to(run: Callable[[Automata], Tiles]) -> None:
    # Five of the eight around a corner lie outside, three around a cell at the edge, none around
    # the middle.
    blank = np.zeros((1, 3, 3), np.uint8)
    assert run(Automata(blank, [2**5], 1, survival=False, outside=True)).tolist() == [
        [[1, 0, 1], [0, 0, 0], [1, 0, 1]]
    ]
    assert run(Automata(blank, [2**3], 1, survival=False, outside=True)).tolist() == [
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    ]
    assert run(Automata(blank, [2**0], 1, survival=False, outside=True)).tolist() == [
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    ]
    assert run(Automata(blank, [2**0], 1, survival=False, outside=False)).tolist() == [
        [[1, 1, 1], [1, 1, 1], [1, 1, 1]]
    ]
