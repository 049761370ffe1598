"""Pictures and captions of walks: the way back of a tour is drawn and counted where the goal counts
it.
"""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

import levolve
from levolve.core.errors import InputError
from levolve.formats.look import theme_of
from levolve.formats.pictures.colours import WAY_BACK
from levolve.formats.pictures.drawing import draw_level, path_colours
from levolve.formats.pictures.terminal import terminal_picture
from levolve.formats.pictures.walk_lines import caption_of, walk_of
from levolve.levels.goal import EXIT_GOAL, Goal
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.levels.solver import recertified
from levolve.levels.tileset import WALLS, Tileset

# A to B: 2 right. B to C: 2 down. C to A: left along the bottom and up, or the way it came; 4 steps
# either way.
RING = recertified(Level.from_text("A.B\n.#.\n..C"))
# There is a shorter way from C to A than over B.
SIDEWAYS = recertified(Level.from_text("A..B\n.##.\n.##.\n.C.."))
MAZE = recertified(Level.from_text("S.1\n.#.\n..E"))


def colours_in(image: Image.Image) -> set[tuple[int, ...]]:
    return {tuple(pixel) for pixel in np.asarray(image).reshape(-1, 3).tolist()}


def test_a_tour_is_drawn_with_its_way_back_and_a_maze_without_one() -> None:
    assert walk_of(RING).there == ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2))
    assert (walk_of(RING).back[0], walk_of(RING).back[-1], walk_of(RING).steps) == (
        (2, 2),
        (0, 0),
        8,
    )
    assert WAY_BACK in colours_in(draw_level(RING, 16))
    assert WAY_BACK not in colours_in(draw_level(RING, 16, path=False))
    assert walk_of(MAZE).back == ()
    assert WAY_BACK not in colours_in(draw_level(MAZE, 16))
    shown = "8;2;{};{};{}m".format(*WAY_BACK)
    assert shown in terminal_picture(SIDEWAYS)
    assert shown not in terminal_picture(SIDEWAYS, path=False)


def test_the_flag_of_the_goal_decides_whether_the_way_back_is_drawn() -> None:
    one_way = Level(
        RING.tiles, dict(RING.places), goal=Goal("over", ("A", "B", "C")), solution=RING.solution
    )
    assert walk_of(one_way).back == ()
    assert caption_of(one_way, "tiles") == "4 steps, 6 tiles"
    there_and_back = Level(
        MAZE.tiles,
        dict(MAZE.places),
        goal=Goal("round", EXIT_GOAL.stops, returns=True),
        solution=MAZE.solution,
    )
    assert walk_of(there_and_back).steps == 8
    assert WAY_BACK in colours_in(draw_level(there_and_back, 16))


def test_captions_count_as_the_measures_do() -> None:
    measures = measure(RING)
    assert caption_of(RING) == "8 steps" == f"{measures['tour_steps'][0]} steps"
    assert (
        caption_of(RING, "tiles")
        == f"8 steps, {measures['tour_tiles'][0]} tiles"
        == "8 steps, 11 tiles"
    )
    assert caption_of(MAZE, "tiles") == "4 steps, 5 tiles"
    assert caption_of(RING.with_solution(None)) == "3x3"
    with pytest.raises(InputError, match="expected steps or tiles, got 'miles'"):
        caption_of(RING, "miles")


def test_a_way_back_that_does_not_exist_is_neither_drawn_nor_counted() -> None:
    slide = Tileset(
        "slide",
        "abc",
        ("top", "middle", "bottom"),
        ((True, True, False), (False, True, True), (False, False, True)),
    )
    level = recertified(
        Level(
            np.array([[0, 1, 2], [0, 1, 2]], np.uint8),
            {"A": (0, 0), "B": (1, 0), "C": (2, 0)},
            slide,
        )
    )
    assert (level.solution, walk_of(level).back, caption_of(level, "tiles")) == (
        "rr",
        (),
        "2 steps, 4 tiles",
    )


def test_an_animation_walks_the_tour_back_to_its_start(tmp_path: Path) -> None:
    with Image.open(levolve.save(SIDEWAYS, tmp_path / "tour.gif")) as picture:
        assert getattr(picture, "n_frames", 1) == 13
        frames = [
            np.asarray(frame.convert("RGB"), np.int64) for frame in ImageSequence.Iterator(picture)
        ]
    # An animation has few colours, so that a colour is only nearly its own.
    lines = [
        [int((np.abs(frame - colour).sum(axis=2) < 30).sum()) for frame in frames]
        for colour in (path_colours(WALLS, theme_of(None))[0], WAY_BACK)
    ]
    assert lines[0][0] == lines[1][8] == 0
    assert all(np.diff(lines[0][:9]) > 0), "the way there grows with every step"
    assert all(np.diff(lines[1][8:]) > 0), "then the way back"
    with Image.open(levolve.save(MAZE, tmp_path / "maze.gif")) as picture:
        assert getattr(picture, "n_frames", 1) == 5


def test_a_part_of_a_walk_is_drawn_step_by_step() -> None:
    walk = walk_of(RING)
    assert [(len(part.there), len(part.back)) for part in map(walk.first, range(9))] == [
        (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 2), (5, 3), (5, 4), (5, 5),
    ]  # fmt: skip
    assert walk.first(8) == walk


def test_a_contact_sheet_of_a_pack_counts_tours_with_their_way_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    def sheet(_: object, captions: list[str], _look: object) -> bytes:
        seen.extend(captions)
        return b""

    monkeypatch.setattr("levolve.jobs.packs.pack.sheet_picture", sheet)
    made = levolve.pack(
        "dungeon",
        count=1,
        size=(6, 6),
        seed=2,
        settings={"generations": 2, "strategy.population": 100},
    )
    made.files("txt")
    assert seen == [f"{made.names[0]}  {made.measures[0]['tour_steps']} steps"]
