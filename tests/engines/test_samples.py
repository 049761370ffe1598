"""The samples for engines in Python play a level by its own solution, without a display."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

import levolve
from levolve.formats import FORMATS
from levolve.levels.level import Level

SAMPLES = Path(__file__).parent.parent.parent / "examples" / "engines"


@pytest.fixture
def level(tmp_path: Path) -> tuple[Path, Level]:
    best = levolve.evolve("maze", size=(9, 8), seed=1, generations=20).best
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
    moves = [keys[move] for move in best.solution or ""]
    assert sample("pygame_player").play(str(path), moves)
    assert not sample("pygame_player").play(str(path), moves[:-1])


def test_the_sample_for_arcade_wins_with_the_moves_of_the_solution(
    level: tuple[Path, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCADE_HEADLESS", "True")
    arcade = pytest.importorskip("arcade")
    path, best = level
    keys = {"l": arcade.key.LEFT, "r": arcade.key.RIGHT, "u": arcade.key.UP, "d": arcade.key.DOWN}
    game = sample("arcade_player").Game(str(path))
    for move in best.solution or "":
        assert not game.won
        game.press(keys[move])
    assert game.won


def test_the_sample_for_phaser_uses_the_names_that_a_map_has(level: tuple[Path, Level]) -> None:
    script = (SAMPLES / "phaser" / "player.js").read_text()
    data = json.loads(FORMATS["tmj"].encode(level[1]))
    (tileset,) = data["tilesets"]
    assert f'TILESET = "{tileset["name"]}"' in script
    assert tileset["image"] == f"{tileset['name']}.png"
    # Phaser reads only tilesets that are part of the map.
    assert "source" not in tileset
    used = re.findall(r'(?:createLayer|getObjectLayer)\("(\w+)"', script)
    assert used == ["floor", "walls", "places"]
    assert set(used) <= {layer["name"] for layer in data["layers"]}
