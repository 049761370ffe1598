"""The samples for engines in Python play a level by its own solution, without a display."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import levolve
from levels.things.inputs import levels_with_things
from levolve.formats import FORMATS
from levolve.levels.level import Level
from levolve.levels.solver import recertified
from levolve.levels.things.playing import IllegalMoveError, PlayRules

SAMPLES = Path(__file__).parent.parent.parent / "examples" / "engines"


LOCKED = """S....#....#....
.###.#.##.#.##.
.#.....#....#..
.#.#####.####.#
...#...#......#
.###.#.######.#
.#...#........E
thing: player 0,0 health=3
thing: key 2,2 color=blue
thing: door 6,2 color=blue
thing: lever 9,0 id=a
thing: gate 8,3 lever=a
thing: gate 4,4 lever=a open=true
thing: treasure 4,6
thing: treasure 14,0 value=5
thing: monster 8,4
thing: potion 0,6 health=2"""
# What the player has before the gate, and at the exit.
BEFORE, AFTER = "1 blue key, 3 health", "1 blue key, 2 health"


@pytest.fixture(params=["plain", "locked"])
def level(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Level]:
    best = (
        levolve.evolve("maze", size=(9, 8), seed=1, generations=20).best
        if request.param == "plain"
        else recertified(Level.from_text(LOCKED))
    )
    return levolve.save(best, tmp_path / "level.tmx"), best


def sample(name: str) -> ModuleType:
    found = importlib.util.spec_from_file_location(name, SAMPLES / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_sample_for_pygame_wins_with_the_moves_of_the_solution(
    level: tuple[Path, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = pytest.importorskip("pygame")
    pytest.importorskip("pytmx")
    path, best = level
    keys = {"l": pygame.K_LEFT, "r": pygame.K_RIGHT, "u": pygame.K_UP, "d": pygame.K_DOWN}
    moves = [{**keys, "x": pygame.K_x}[move] for move in best.solution or ""]
    player = sample("pygame_player")
    assert player.play(str(path), moves)
    assert not player.play(str(path), moves[:-1])
    if not best.things:
        return
    # Without the key the door stays shut, and without the lever the gate.
    assert not player.play(str(path), [move for move in moves if move != pygame.K_x])
    pictures = []
    for count in (0, 6, len(moves)):
        player.play(str(path), moves[:count] or [pygame.K_a], str(path.with_suffix(".png")))
        with Image.open(path.with_suffix(".png")) as image:
            pictures.append(image.convert("RGB").crop((32, 32, 48, 48)).tobytes())
    assert pictures[0] != pictures[2], "the key is gone"


def test_the_sample_for_arcade_wins_with_the_moves_of_the_solution(
    level: tuple[Path, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCADE_HEADLESS", "True")
    arcade = pytest.importorskip("arcade")
    path, best = level
    keys = {"l": arcade.key.LEFT, "r": arcade.key.RIGHT, "u": arcade.key.UP, "d": arcade.key.DOWN}
    loaded = sample("arcade_player").Level(str(path))
    for move in best.solution or "":
        assert not loaded.game.won
        if move == "x":
            assert loaded.game.status() == BEFORE
        loaded.press({**keys, "x": arcade.key.X}[move])
    assert loaded.game.won
    if best.things:
        assert loaded.game.status() == AFTER
        seen = {
            thing.kind: sprite.visible
            for thing, sprite in zip(loaded.game.things, loaded.sprites, strict=True)
        }
        assert (seen["key"], seen["monster"], seen["door"], seen["potion"]) == (
            False,
            False,
            True,
            True,
        )


def built_in(level: Level) -> bool:
    """Whether a level has only built-in kinds, tiles and goals of the samples."""
    return (
        not level.kinds
        and level.tileset.name == "walls"
        and level.goal.name == "exit"
        and not any(
            "color" in thing.fields and thing.kind not in {"key", "door"} for thing in level.things
        )
    )


@settings(max_examples=300)
@given(levels_with_things().filter(built_in), st.text("udlrx", max_size=80))
def test_the_rules_of_the_samples_are_those_of_levolve(level: Level, moves: str) -> None:
    rules = sample("rules")
    play = PlayRules(level)
    moment = play.start
    numbers = {thing.id: number for number, thing in enumerate(level.things) if thing.id}
    things = []
    for number, thing in enumerate(level.things):
        fields = {
            name: numbers[value]
            if name in {"lever", "to"} and value in numbers
            else {"true": True, "false": False}.get(value, value)
            for name, value in thing.fields.items()
        }
        things.append(rules.Thing(thing.kind, thing.cell, number, fields))
    walls = {(x, y) for y, x in np.argwhere(level.tiles == 1).tolist()}
    game = rules.Game(walls, (level.width, level.height), dict(level.places), things)
    steps = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
    for move in moves:
        done = game.use() if move == "x" else game.move(move, *steps[move])
        try:
            moment, legal = play.after(moment, move), True
        except IllegalMoveError:
            legal = False
        assert (done, game.position, game.won) == (legal, moment.cell, play.won(moment)), move
        assert {name: amount for name, amount in game.has.items() if amount} == play.has(moment)


def test_the_sample_for_phaser_uses_the_names_that_a_map_has(level: tuple[Path, Level]) -> None:
    script = (SAMPLES / "phaser" / "player.js").read_text()
    data = json.loads(FORMATS["tmj"].encode(level[1]))
    for tileset in data["tilesets"]:
        assert tileset["image"] == f"{tileset['name']}.png"
        # Phaser reads only tilesets that are part of the map.
        assert "source" not in tileset
        assert {"tilewidth", "tileheight"} <= set(tileset)
    used = re.findall(r'(?:createLayer|getObjectLayer)\("(\w+)"', script)
    assert used == ["floor", "walls", "places", "things"]
    present = used if level[1].things else used[:3]
    assert set(present) <= {layer["name"] for layer in data["layers"]}


PLAY = """
import { readFileSync } from "node:fs";
import { Game, thingsOf } from RULES;
const map = JSON.parse(readFileSync(LEVEL, "utf8"));
const layer = (name) => map.layers.find((each) => each.name === name);
const tile = map.tilewidth;
const places = {};
for (const { name, x, y, height } of layer("places").objects) places[name] = [x / tile, (y - height) / tile];
const properties = {};
for (const set of map.tilesets) for (const each of set.tiles) {
  properties[set.firstgid + each.id] = Object.fromEntries((each.properties ?? []).map(({ name, value }) => [name, value]));
}
const things = thingsOf(layer("things")?.objects ?? [], tile, properties);
const isWall = (x, y) => layer("walls").data[y * map.width + x] !== 0;
const game = new Game(isWall, [map.width, map.height], places, things);
const said = [];
for (const move of MOVES) {
  const done = move === "x" ? game.use() : game.move(move);
  said.push([done, game.won, game.status(), things.map((thing) => game.sign(thing))]);
}
console.log(JSON.stringify(said));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="requires Node")
def test_the_rules_of_the_sample_for_phaser_win_with_the_moves_of_the_solution(
    level: tuple[Path, Level],
) -> None:
    path, best = level
    levolve.save(best, path.with_suffix(".tmj"))
    assert best.solution is not None
    script = PLAY.replace("RULES", json.dumps(str(SAMPLES / "phaser" / "rules.mjs")))
    script = script.replace("LEVEL", json.dumps(str(path.with_suffix(".tmj"))))
    script = script.replace("MOVES", json.dumps(list(best.solution)))
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert all(legal for legal, *_ in said)
    assert [won for _, won, *_ in said] == [False] * (len(said) - 1) + [True]
    if best.things:
        at = best.solution.index("x")
        assert (said[at - 1][2], said[-1][2]) == (BEFORE, AFTER)
        signs: dict[str, list[int | None]] = {}
        for thing, sign in zip(best.things, said[-1][3], strict=True):
            signs.setdefault(thing.kind, []).append(sign)
        assert (signs["key"], signs["monster"], signs["door"]) == ([None], [None], [1])
        # One gate was opened, and the other, which was open, is shut.
        assert (signs["lever"], signs["gate"]) == ([1], [1, -1])
