"""Pictures of things: every kind can be seen and told apart in every theme, the pixels are the same
everywhere, and pictures show what the moves of a solution change.
"""

import hashlib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levolve.formats.pictures.drawing import draw_level
from levolve.formats.pictures.terminal import terminal_picture
from levolve.formats.pictures.walk_lines import joined_lines, walk_of
from levolve.formats.themes import THEMES
from levolve.formats.themes.things import ThingLook, looks_of
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import WALLS

DRAWN = "S..#.\n.#..E\n...#."
# SHA-256 of the pixels of all things at 16 pixels, shortened.
DIGESTS = {
    "stone": "10daac667706db1b",
    "cave": "e5547da34842b70b",
    "hedge": "0072bdb7de3fd6d2",
    "ice": "ae5941e764447d88",
    "dusk": "aae8bd1f596e1ad8",
    "sand": "9ae1ce08a8928c81",
    "wood": "8e6da91ec3e29155",
    "circuit": "c19625b52c8053a4",
    "paper": "55e041a2cb51d567",
}


def level_with(*things: str, solution: str | None = None) -> Level:
    level = Level.from_text("\n".join([DRAWN, *(f"thing: {thing}" for thing in things)]))
    return level.with_solution(solution)


def all_looks() -> dict[str, ThingLook]:
    things = [
        *(
            Thing(kind, (0, 0), kind)
            for kind in KINDS
            if kind not in {"gate", "stairs", "teleporter"}
        ),
        Thing("gate", (0, 0), fields={"lever": "lever"}),
        Thing("stairs", (0, 0), "stairs", {"to": "teleporter"}),
        Thing("teleporter", (0, 0), "teleporter", {"to": "stairs"}),
        Thing("treasure", (0, 0), "chest", {"value": "3"}),
        *(
            Thing(kind, (0, 0), f"{color}_{kind}", {"color": color})
            for kind in ("key", "door")
            for color in ("blue", "green", "yellow", "black")
        ),
        *(Thing("one_way", (0, 0), move, {"direction": move}) for move in "udl"),
        *(Thing(kind, (0, 0), kind) for kind in ("dragon", "rope", "bridge", "crank", "torch")),
    ]
    own = {
        "dragon": Kind("dragon", tags=("enemy",), needs={"health": 1}, spends={"health": 1}),
        "rope": Kind("rope", gives={"rope": 1}),
        "bridge": Kind("bridge", needs={"rope": 1}),
        "crank": Kind("crank", switch="toggle"),
    }
    return {
        thing.id or thing.kind: look
        for thing, look in zip(things, looks_of(things, own), strict=True)
    }


def seen(theme: str, look: ThingLook, tile: int) -> "np.ndarray[Any, Any]":
    """The pixels of a thing on the floor, or on a wall if players see one there."""
    kind = 1 if look.sign == "secret_door" else 0
    ground = (
        THEMES[theme].wall(WALLS, 255, tile) if kind else THEMES[theme].floor(WALLS, 0, 0, tile)
    )
    mark = THEMES[theme].thing(look, tile).astype(int)
    opacity = mark[..., 3:]
    mixed = (mark[..., :3] * opacity + ground[..., :3].astype(int) * (255 - opacity)) // 255
    shown: np.ndarray[Any, Any] = mixed
    return np.abs(shown - ground[..., :3]) if look.sign == "secret_door" else shown


@pytest.mark.parametrize("theme", THEMES)
def test_all_things_are_seen_and_differ_in_every_theme(theme: str) -> None:
    looks = all_looks()
    pixels = {name: seen(theme, look, 16) for name, look in looks.items()}
    floor = THEMES[theme].floor(WALLS, 0, 0, 16)[..., :3].astype(int)
    for name, shown in pixels.items():
        changed = shown if name == "secret_door" else np.abs(shown - floor)
        assert (changed.max(axis=2) > 40).sum() >= 12, f"{name} is hard to see"
    for one, other in combinations(pixels, 2):
        differs = np.abs(pixels[one] - pixels[other]).max(axis=2) > 24
        assert differs.sum() >= 8, f"{one} looks like {other}"


@pytest.mark.parametrize("theme", THEMES)
def test_the_pixels_of_things_are_the_same_everywhere(theme: str) -> None:
    drawn = [
        THEMES[theme].thing(shown, 16).tobytes()
        for look in all_looks().values()
        for shown in (look, look.used())
    ]
    assert hashlib.sha256(b"".join(drawn)).hexdigest()[:16] == DIGESTS[theme]


@pytest.mark.parametrize("tile", [1, 2, 3, 4, 5, 7, 8, 11, 24, 64])
def test_levels_with_things_are_drawn_in_any_size(tile: int) -> None:
    level = level_with("key 1,0", "door 2,1", "secret_door 3,1")
    drawn = draw_level(level, tile)
    assert drawn.size == (5 * tile, 3 * tile)
    assert drawn.tobytes() != draw_level(level.with_things([]), tile).tobytes()


def test_what_was_taken_and_opened_looks_so_after_the_moves() -> None:
    level = level_with("small_key 1,0", "small_door 2,1", solution="rrdrr")
    shown = [np.asarray(draw_level(level, 16, path=False, steps=steps)) for steps in range(6)]

    def cell(steps: int, x: int, y: int) -> bytes:
        return shown[steps][16 * y : 16 * y + 16, 16 * x : 16 * x + 16].tobytes()

    empty = np.asarray(draw_level(level.with_things([]), 16, path=False))
    assert cell(0, 1, 0) != cell(1, 1, 0) == empty[0:16, 16:32].tobytes()
    assert cell(2, 2, 1) != cell(3, 2, 1) != empty[16:32, 32:48].tobytes()


def test_a_path_by_stairs_is_two_lines() -> None:
    level = level_with(
        "stairs 2,0 id=a to=b", "stairs 4,2 id=b to=a", "lever 4,0 id=c", solution="rrxux"
    )
    walk = walk_of(level)
    assert walk.there == ((0, 0), (1, 0), (2, 0), (4, 2), (4, 1), (4, 1))
    assert walk.steps == len(level.solution or "")
    assert joined_lines(walk.there) == [[(0, 0), (1, 0), (2, 0)], [(4, 2), (4, 1)]]


def test_gates_have_the_colour_of_their_switch_and_stairs_that_of_the_other_end() -> None:
    level = level_with(
        "lever 1,0 id=a",
        "lever 0,2 id=b",
        "gate 2,1 lever=a",
        "gate 3,1 lever=b open=true",
        "stairs 2,0 id=c to=d",
        "stairs 4,2 id=d to=c",
    )
    looks = {
        thing.to_text().split()[0] + thing.id + thing.fields.get("lever", ""): look
        for thing, look in zip(level.things, looks_of(level.things, {}), strict=True)
    }
    assert looks["levera"].colour == looks["gatea"].colour != looks["leverb"].colour
    assert looks["leverb"].colour == looks["gateb"].colour
    assert looks["stairsc"].colour == looks["stairsd"].colour
    assert (looks["gatea"].changed, looks["gateb"].changed) == (False, True)


def test_a_secret_door_is_a_wall_with_a_faint_mark_in_pictures() -> None:
    plain, secret = level_with(), level_with("secret_door 3,1")
    walled = Level.from_text(DRAWN.replace(".#..E", ".#.#E"))
    shown, wall, floor = (
        np.asarray(draw_level(level, 16, path=False))[16:32, 48:64].astype(int)
        for level in (secret, walled, plain)
    )
    marked = (np.abs(shown - wall).max(axis=2) > 24).mean()
    assert 0 < marked < 0.4
    assert (np.abs(shown - floor).max(axis=2) > 24).mean() > 0.5


@pytest.mark.parametrize("colour", [True, False])
def test_the_terminal_names_every_sign(colour: bool) -> None:
    level = level_with("key 1,0 color=blue", "door 2,1 color=blue", "torch 0,2")
    shown = terminal_picture(level, colour=colour)
    for words in ("blue key", "blue door", "torch"):
        assert words in shown
    assert ("\x1b[" in shown) == colour
    signs = "".join(shown.splitlines()[:3])
    assert all(sign in signs for sign in "SEkD*")


def test_legends_name_the_things(tmp_path: Path) -> None:
    level = level_with("key 1,0", "door 2,1")
    with_things = draw_level(level, 16, legend=True)
    assert with_things.height >= draw_level(level.with_things([]), 16, legend=True).height
    assert with_things.tobytes() != draw_level(level, 16).tobytes()
