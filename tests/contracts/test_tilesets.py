"""A tileset or a goal that anybody registers works in every format, picture, terminal and page, and
in every measure.
"""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve import testing
from levolve.core.errors import InputError, ProofError
from levolve.formats import FORMATS
from levolve.formats.look import look_of
from levolve.formats.pictures.drawing import contact_sheet, draw_level
from levolve.formats.pictures.terminal import terminal_picture
from levolve.formats.themes.theme import PAPER
from levolve.jobs.packs.webpage import entry_of, page, tilesets_of
from levolve.levels.frame import Frame
from levolve.levels.goal import GOALS, Goal
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measuring import measure
from levolve.levels.solver import explain_unwinnable, recertified, shortest_solution
from levolve.levels.tileset import TILESETS, WALLS, Tileset
from levolve.search.genotypes.fixed_cells import fixed_cells
from oracles.walking import distances

# The same two kinds as walls, with other characters; names that walls has, and one it has not.
HEDGES = Tileset("test-hedges", "_%", ("floor", "hedge"), ((True, False), (False, False)))
# Three kinds, listed with the closed one first; a step from the bank to the water cannot be taken
# back.
RIVER = Tileset(
    "test-river",
    "X=~",
    ("wall", "floor", "water"),
    ((False, False, False), (False, True, True), (False, False, True)),
    colours=((40, 40, 40), (210, 200, 160), (60, 120, 220)),
    rule="Nobody leaves the water",
    blocked="The bank is too steep.",
)
COLLECT = Goal("test-collect", ("entrance", "checkpoints", "exit"))


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Both tilesets and a goal, for one test."""
    tilesets = (HEDGES, RIVER)
    for tileset in tilesets:
        TILESETS.add(tileset.name, tileset)
    GOALS.add(COLLECT.name, COLLECT)
    yield
    # Nothing is ever taken out but here.
    for tileset in tilesets:
        del TILESETS._entries[tileset.name]
    del GOALS._entries[COLLECT.name]


def hedges() -> Level:
    return Level(
        np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]),
        {"entrance": (0, 0), "exit": (2, 2), "checkpoint 1": (2, 1)},
        HEDGES,
    )


def river() -> Level:
    """From the bank down into the water; back up there is no way."""
    return Level(
        np.array([[1, 1, 0], [2, 2, 0], [0, 2, 2]]),
        {"entrance": (0, 0), "exit": (2, 2), "checkpoint 12": (1, 1)},
        RIVER,
    )


LEVELS = {"hedges": hedges, "river": river}


@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_holds_a_foreign_tileset_or_refuses_it_in_words(name: str, kind: str) -> None:
    level = LEVELS[kind]()
    testing.check_format(FORMATS[name], level)
    testing.check_format(FORMATS[name], level.with_solution(shortest_solution(level)))
    assert FORMATS[name].holds(level.tileset) == (name != "xsb"), (
        "Sokoban has only walls; every other format holds anything"
    )


@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "xsb"])
def test_a_level_of_a_foreign_tileset_is_saved_loaded_and_certified(
    name: str, kind: str, tmp_path: Path
) -> None:
    level = recertified(LEVELS[kind]())
    assert level.solution is not None
    again = levolve.load(levolve.save(level, tmp_path / f"level.{name}"))
    assert (again, again.solution, again.tileset) == (level, level.solution, level.tileset)


@pytest.mark.parametrize("kind", LEVELS)
def test_text_names_a_tileset_that_its_characters_do_not(kind: str) -> None:
    level = LEVELS[kind]()
    lines = level.to_text().splitlines()
    assert lines[3] == f"tileset: {level.tileset.name}"
    assert lines[0][0] == "S", "places are drawn on the tileset's own floor"
    assert ("exit: 2,2" in lines) == (kind == "river"), "and named where the tile is no floor"
    assert Level.from_text(level.to_text()) == level


def test_the_characters_of_a_foreign_tileset_are_named_where_one_is_wrong() -> None:
    with pytest.raises(
        InputError,
        match=(
            r"line 1, column 2: expected one of X = ~ S E 1-9 A B C of the tileset 'test-river', "
            r"got '#'"
        ),
    ):
        Level.from_text("=#\n==\ntileset: test-river")
    with pytest.raises(
        InputError, match="unknown tileset 'test-rivers': did you mean 'test-river'"
    ):
        Level.from_text("==\n==\ntileset: test-rivers")


@pytest.mark.parametrize("kind", LEVELS)
def test_pictures_show_the_colours_of_a_foreign_tileset(kind: str) -> None:
    level = recertified(LEVELS[kind]())
    used = {level.tileset.colours[int(number)] for number in np.unique(level.tiles)}
    bare = Level(level.tiles, {}, level.tileset)
    assert {
        tuple(pixel)
        for pixel in np.asarray(draw_level(bare, 4, theme=PAPER)).reshape(-1, 3).tolist()
    } == used
    legend = draw_level(level, 16, ends=True, legend=True)
    assert legend.height > draw_level(level, 16).height
    assert contact_sheet([level, bare], ["one", "two"]).width > 0
    frames = Image.open(io.BytesIO(FORMATS["gif"].encode(level)))
    assert getattr(frames, "n_frames", 1) > 1
    shown = terminal_picture(bare)
    for red, green, blue in used:
        assert f";2;{red};{green};{blue}m" in shown
    assert terminal_picture(level, colour=False)


@pytest.mark.parametrize("kind", LEVELS)
def test_the_page_gets_everything_about_a_foreign_tileset_as_data(kind: str) -> None:
    level = recertified(LEVELS[kind]())
    entry = entry_of(level, {"name": "one", "measures": measure(level).of_level(), "files": []})
    html = page("test", level.digest, tilesets_of([level], look_of("paper")), [entry]).decode()
    found = re.search(r'<script[^>]*id="pack"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    tileset = data["tilesets"][level.tileset.name]
    assert (tileset["rule"], tileset["blocked"]) == (level.tileset.rule, level.tileset.blocked)
    assert tileset["colours"] == ["#" + bytes(colour).hex() for colour in level.tileset.colours]
    assert tileset["steps"] == [[int(step) for step in row] for row in level.tileset.steps]
    assert data["levels"][0]["stops"] == ["entrance", "exit"]
    assert "rainbow" not in re.sub(
        r"<script[^>]*id=\"pack\".*?</script>", "", html, flags=re.DOTALL
    ), "the page knows no tileset by name"


@pytest.mark.parametrize("name", MEASURES)
def test_measures_keep_their_laws_on_foreign_tilesets(name: str) -> None:
    testing.check_measure(MEASURES[name], (HEDGES, RIVER))


def test_steps_that_cannot_be_taken_back_are_measured_as_a_plain_search_measures_them() -> None:
    random = np.random.default_rng(5)
    for width, height in ((7, 5), (66, 4)):
        tiles = random.choice([0, 1, 1, 1, 2, 2], (20, height, width)).astype(np.uint8)
        tiles[:, 0, 0] = 1
        tiles[:, -1, -1] = 2
        for rows in tiles:
            level = Level(rows, {"entrance": (0, 0), "exit": (width - 1, height - 1)}, RIVER)
            away = distances(rows.tolist(), RIVER.steps, (0, 0))
            assert measure(level)["exit_path"][0] == away.get((width - 1, height - 1), -1)
            assert measure(level)["reachable"][0] == len(away)
            solution = shortest_solution(level)
            assert (solution is None) == ((width - 1, height - 1) not in away)
            if solution is not None:
                level.with_solution(solution).check()
        small = tiles[0, :4, :6]
        starts = [(x, y) for y in range(4) for x in range(6)]
        longest = max(
            max(distances(small.tolist(), RIVER.steps, start).values(), default=0)
            for start in starts
        )
        assert measure(Level(small, {}, RIVER))["longest_path"][0] == longest


def test_a_tour_with_one_way_steps_needs_a_path_back() -> None:
    bank = Level(np.array([[1, 1], [1, 1]]), {"A": (0, 0), "B": (1, 0), "C": (1, 1)}, RIVER)
    water = Level(np.array([[1, 1], [1, 2]]), {"A": (0, 0), "B": (1, 0), "C": (1, 1)}, RIVER)
    assert measure([bank, water])["tour_steps"].tolist() == [4, -1]
    assert shortest_solution(water) == "rd"


def test_a_step_that_cannot_be_taken_back_still_joins_its_cells_to_one_region() -> None:
    assert measure(Level(np.array([[2, 1], [1, 1]]), {}, RIVER))["regions"].tolist() == [1]


def test_places_are_opened_with_the_floor_of_the_tileset() -> None:
    fixed, kinds = fixed_cells(Frame(3, 2, {"entrance": (0, 0), "exit": (2, 1)}), RIVER)
    assert (np.argwhere(fixed).tolist(), kinds[fixed].tolist()) == ([[0, 0], [1, 2]], [1, 1])


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"name": "My tiles"}, "lower-case letters"),
        ({"characters": ".."}, "different ASCII characters"),
        ({"characters": ".?"}, "without spaces and"),
        ({"names": ("floor", "floor")}, "different names"),
        ({"steps": ((True,), (False,))}, "expected steps of 2 rows of 2"),
        ({"steps": ((False, True), (True, False))}, "a walkable kind"),
        ({"colours": ((1, 2, 3), (1, 2, 3))}, "2 different colours"),
        ({"floor": 1}, "floor to be a kind that is walkable"),
        ({"characters": "SE", "signs": True}, "characters other than"),
    ],
)
def test_a_tileset_whose_parts_do_not_fit_is_refused(parts: dict[str, object], words: str) -> None:
    whole = {
        "name": "test",
        "characters": ".#",
        "names": ("floor", "wall"),
        "steps": ((True, False), (False, False)),
        **parts,
    }
    with pytest.raises(InputError, match=words):
        Tileset(**whole)  # type: ignore[arg-type]


def test_a_foreign_goal_is_solved_checked_measured_and_written() -> None:
    level = Level.from_text("S..\n.#1\n2.E\ngoal: test-collect")
    assert level.goal is COLLECT
    assert level.to_text() == "S..\n.#1\n2.E\ngoal: test-collect"
    found = recertified(level)
    # From the entrance to 1 there are 3 steps, to 2 another 3, and 2 to the exit.
    assert len(found.solution or "") == 3 + 3 + 2
    found.check()
    with pytest.raises(ProofError, match="without reaching the checkpoint 2 at 0,2"):
        level.with_solution("rrdd").check()
    assert measure(found)["difficulty"][0] >= 8
    walled = Level.from_text("S..\n##1\n2#E\ngoal: test-collect")
    assert (
        explain_unwinnable(walled)
        == "there is no path from the checkpoint 1 at 2,1 to the checkpoint 2 at 0,2"
    )
    for name in FORMATS:
        testing.check_format(FORMATS[name], found)


def test_a_level_without_a_goal_needs_no_places_and_no_moves() -> None:
    level = Level.from_text("..\n.#\ngoal: none")
    assert Level.from_text("..\n.#").goal is GOALS["exit"]
    level.check()
    found = recertified(level)
    found.with_solution("").check()
    with pytest.raises(ProofError, match="expected no moves"):
        level.with_solution("r").check()
    assert "difficulty" not in set(measure(level))
    for name in FORMATS:
        testing.check_format(FORMATS[name], level.with_solution(""))
    entry = entry_of(found, {"name": "one", "measures": {}, "files": []})
    assert (entry["type"], entry["stops"], entry["solution"]) == ("map", [], "")


@pytest.mark.parametrize(
    ("stops", "words"),
    [(("entrance",), "a first and a last one"), (("entrance", "door"), "got 'door'")],
)
def test_a_goal_that_no_walk_can_have_is_refused(stops: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Goal("test", stops)
    with pytest.raises(InputError, match="name on one line"):
        Goal("a: b")


def test_walls_stay_what_they_were() -> None:
    assert (WALLS.floor, WALLS.wall, WALLS.signs, WALLS.packs, WALLS.reversible) == (
        0,
        1,
        True,
        True,
        True,
    )
    assert (RIVER.floor, RIVER.wall, RIVER.signs, RIVER.packs, RIVER.reversible) == (
        1,
        0,
        True,
        False,
        False,
    )
