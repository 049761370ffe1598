"""A world in square pictures: at every zoom the cells of the world, at a bounded cost."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from levolve.core.errors import InputError
from levolve.worlds import MOORE, Design, Rule, World, find_design
from levolve.worlds.design import design_from_text
from levolve.worlds.legend import PALETTES, extended_palette
from levolve.worlds.views import (
    MOST_COST,
    MOST_UPDATES,
    SAMPLE,
    SIDE,
    Mixture,
    WorldView,
    cost_of,
    most_updates,
)

BOX = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]
RULES = [
    Rule([[0, 1], [1, 0]]),
    Rule([[0, 1], [1, 0]], MOORE),
    Rule([[0, 1, 2], [1, 0, 2], [2, 2, 1]], BOX),
    Rule([[1, 2], [3, 4]], [(3, 0)]),
]


@settings(max_examples=12, deadline=None)
@given(st.integers(-2, 0), st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_a_tile_shows_its_part_of_the_world(zoom: int, x: int, y: int) -> None:
    view, scale = WorldView(find_design("source"), 5), 1 << -zoom
    expected = World(view.design.rule, 5, 6).window(
        x * SIDE * scale, y * SIDE * scale, SIDE, SIDE, scale
    )
    picture = np.asarray(Image.open(io.BytesIO(view.tile(zoom, x, y))).convert("RGB"))
    assert (picture == np.array(PALETTES["source"], np.uint8)[expected]).all()


@pytest.mark.parametrize("rule", RULES)
def test_the_most_updates_are_those_within_the_cost(rule: Rule) -> None:
    most = most_updates(rule)
    assert cost_of(rule, most, SIDE, SIDE) <= MOST_COST
    assert most == MOST_UPDATES or cost_of(rule, most + 1, SIDE, SIDE) > MOST_COST
    view = WorldView(Design("x", rule, updates=most))
    assert cost_of(rule, most, SIDE << -view.exact_zoom, SIDE << -view.exact_zoom) <= MOST_COST
    assert view.lowest_zoom <= view.exact_zoom <= view.quick_zoom <= 0
    if most < MOST_UPDATES:
        with pytest.raises(InputError, match=f"expected at most {most}"):
            WorldView(Design("x", rule, updates=most + 1))


def test_a_part_beyond_the_limits_is_refused() -> None:
    view = WorldView(Design("x", RULES[2], updates=10))
    with pytest.raises(InputError, match="zoom: expected from"):
        view.tile(view.lowest_zoom - 1, 0, 0)
    with pytest.raises(InputError, match="a few seconds"):
        view.part(view.exact_zoom, 0, 0, 4096, 4096)
    with pytest.raises(InputError, match="a few seconds"):
        view.part(view.lowest_zoom, 0, 0, 1 << 16, 1 << 16)


@settings(max_examples=8, deadline=None)
@given(st.integers(-12, -1), st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_a_sampled_picture_shows_the_middle_of_each_square(zoom: int, x: int, y: int) -> None:
    view, scale = WorldView(find_design("source"), 5), 1 << -zoom
    part = view.part(zoom, x, y, 150, 100, sampled=True)
    # The same cells, whatever the part begins with.
    left, top = x - x % SAMPLE, y - y % SAMPLE
    whole = view.part(zoom, left, top, 3 * SAMPLE, 2 * SAMPLE, sampled=True)
    assert (part == whole[y - top : y - top + 100, x - left : x - left + 150]).all()
    middle = SAMPLE * (scale - 1) // 2
    expected = view.world.window(
        (left + SAMPLE) * scale + middle, top * scale + middle, SAMPLE, SAMPLE
    )
    assert (whole[:SAMPLE, SAMPLE : 2 * SAMPLE] == expected).all()


def test_pictures_beyond_the_exact_zoom_are_sampled() -> None:
    view = WorldView(Design("x", RULES[1], updates=40))
    deep = view.exact_zoom - 1
    assert (view.part(deep, 3, 5, 70, 70) == view.part(deep, 3, 5, 70, 70, sampled=True)).all()
    assert (view.part(-1, 3, 5, 70, 70) != view.part(-1, 3, 5, 70, 70, sampled=True)).any()


def test_a_mixture_over_space_has_pictures_and_a_digest_of_its_own() -> None:
    coral, scales = find_design("coral"), find_design("scales")
    plain = WorldView(coral, 1)
    mixture = Mixture(tuple(tuple(row) for row in scales.rule.scores), "linear", 100)
    view = WorldView(coral, 1, mixture)
    assert view.digest not in {
        plain.digest,
        WorldView(coral, 1, Mixture(mixture.scores, "linear", 101)).digest,
    }
    # Far to the left there is only the first rule, far to the right only the second.
    assert (view.part(0, -1000, 0, 40, 30) == plain.part(0, -1000, 0, 40, 30)).all()
    other = World(scales.rule, 1, coral.updates)
    assert (view.part(0, 1000, 0, 40, 30) == other.window(1000, 0, 40, 30)).all()
    with pytest.raises(InputError, match="states"):
        WorldView(coral, 1, Mixture(((0, 1), (1, 0))))


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("states", [1, 8, 16])
def test_an_extended_palette_has_different_colours_for_all_states(name: str, states: int) -> None:
    colours = extended_palette(states, name)
    assert len(colours) == len(set(colours)) == states
    assert colours[:8] == PALETTES[name][: min(states, 8)]


def test_a_design_is_read_from_text() -> None:
    design = find_design("lagoon")
    for kind, text in (("toml", design.to_toml()), ("json", design.to_json())):
        read = design_from_text(text, kind)
        assert (read.rule, read.updates, read.name, read.palette) == (
            design.rule,
            40,
            "lagoon",
            "cave",
        )
    record = design_from_text("sMs[0.0, 0.5, 0.2, 0.6]g6n2w3l3neighbours[(0, 1), (0, -1)]\n", "txt")
    assert (record.rule.neighbourhood, record.updates) == (((0, 1), (0, -1)), 6)


def test_text_cannot_make_a_file_be_read(tmp_path: Path) -> None:
    palette = tmp_path / "colours.json"
    palette.write_text('["#000000", "#ffffff"]')
    with pytest.raises(InputError, match="palette: expected one of"):
        design_from_text(f'scores = [[0, 1], [1, 0]]\npalette = "{palette}"\n', "toml")
