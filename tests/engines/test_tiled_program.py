"""The Tiled editor itself opens, saves and exports our maps. `make engines` installs it where it
can; without it, these tests are skipped.
"""

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from formats.furnished import EVERYTHING
from levolve.cli.app import run
from levolve.formats.look import Look
from levolve.levels.areas import find_areas
from levolve.levels.level import Level

TILED, RASTERIZER = shutil.which("tiled"), shutil.which("tmxrasterizer")
pytestmark = pytest.mark.skipif(
    TILED is None, reason="requires the Tiled editor: 'make engines' installs it where apt can"
)
RECIPES = ("maze", "dungeon", "maze-chromatic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small packs of levels with checkpoints, with A, B and C, and without walls, in one folder."""
    place = tmp_path_factory.mktemp("maps")
    for recipe in RECIPES:
        made = levolve.pack(recipe, count=1, size=(9, 8), seed=1, settings={"generations": 10})
        for suffix in ("tmx", "tmj"):
            levolve.save(made.levels[0], place / f"{recipe}.{suffix}")
    return place


def call(program: str | None, *arguments: str | Path) -> None:
    runtime = Path(str(arguments[-1])).parent
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(runtime),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_CONFIG_HOME": str(runtime),
    }
    finished = subprocess.run(
        [str(program), *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(("suffix", "name"), [("tmx", "tmx"), ("tmj", "json")])
def test_a_map_that_tiled_saved_is_the_same_level_and_still_proven(
    recipe: str, suffix: str, name: str, folder: Path
) -> None:
    before, after = folder / f"{recipe}.{suffix}", folder / f"{recipe}-saved.{suffix}"
    call(TILED, "--export-map", name, before, after)
    ours, theirs = levolve.load(before), levolve.load(after)
    assert (theirs, theirs.solution, theirs.origin) == (ours, ours.solution, ours.origin)
    assert run(["check", str(after), "-q"]) == 0


@pytest.mark.parametrize(("suffix", "name"), [("tmx", "tmx"), ("tmj", "json")])
def test_a_map_with_things_and_areas_that_tiled_saved_is_the_same(
    suffix: str, name: str, tmp_path: Path
) -> None:
    level = replace(EVERYTHING, areas=find_areas(EVERYTHING))
    before = levolve.save(level, tmp_path / f"all.{suffix}", allow_loss=True)
    after = tmp_path / f"saved.{suffix}"
    call(TILED, "--export-map", name, before, after)
    found = levolve.load(after)
    assert (found, found.areas) == (level, level.areas)


@pytest.mark.parametrize("recipe", RECIPES)
def test_tiled_exports_every_map_and_keeps_the_terrain_of_its_tileset(
    recipe: str, folder: Path
) -> None:
    before = folder / f"{recipe}.tmx"
    source = ET.parse(before).getroot().find("tileset")
    assert source is not None
    tileset = folder / str(source.get("source"))
    saved = folder / f"saved-{tileset.name}"
    call(TILED, "--export-tileset", "tsx", tileset, saved)
    ours, theirs = (ET.parse(path).getroot() for path in (tileset, saved))
    for path in (
        "tile",
        "wangsets/wangset",
        "wangsets/wangset/wangcolor",
        "wangsets/wangset/wangtile",
    ):
        found = [
            [
                {key: entry.get(key) for key in ("id", "type", "name", "tileid", "wangid")}
                for entry in root.iterfind(path)
            ]
            for root in (ours, theirs)
        ]
        assert found[0]
        assert found[0] == found[1]
    for name, suffix in (("csv", "csv"), ("lua", "lua")):
        exported = folder / f"{recipe}.exported.{suffix}"
        call(TILED, "--export-map", name, before, exported)
        assert any(path.stat().st_size > 20 for path in folder.glob(f"{recipe}.exported*.{suffix}"))


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
@pytest.mark.parametrize("recipe", RECIPES)
def test_tiled_draws_the_same_picture(recipe: str, folder: Path) -> None:
    drawn = folder / f"{recipe}.png"
    call(
        RASTERIZER,
        "--hide-layer",
        "places",
        "--hide-layer",
        "solution",
        folder / f"{recipe}.tmx",
        drawn,
    )
    level: Level = levolve.load(folder / f"{recipe}.tmx")
    with Image.open(drawn) as image:
        theirs = np.asarray(image.convert("RGB"), int)
    ours = np.asarray(Look().atlas(level.tileset).draw(level.tiles), int)
    # Programs round the mixture of two colours differently.
    assert abs(theirs - ours).max() <= 2
