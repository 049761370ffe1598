"""What an LDtk project draws: the drawn tiles show the level as the theme does, and LDtk's rules
draw the same tiles again.
"""

import json
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from PIL import Image

from formats.ldtk.spotted import SPOTTED
from levels.inputs import levels
from levolve.formats import FORMATS
from levolve.formats.ldtk.writing import MOST_DRAWN
from levolve.formats.look import Look
from levolve.formats.themes import THEMES
from levolve.formats.themes.theme import Theme
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset
from oracles.ldtk_rules import Evaluator

LDTK = FORMATS["ldtk"]
CAVE = Level.from_text("S.##....\n..#..#..\n###.###.\n......#.\n##.#...1\n....##.E")
RIVER = Tileset(
    "river",
    "X=~",
    ("wall", "bank", "water"),
    ((False, False, False), (False, True, True), (False, False, True)),
)
LEVELS = {
    "walls": CAVE,
    "colours": Level.from_text("ROYG\nYGBV\nVBGY"),
    "river": Level(np.arange(48, dtype=np.uint8).reshape(6, 8) * 7 % 11 % 3, tileset=RIVER),
}


def picture_of(project: Any, pictures: dict[str, bytes]) -> Image.Image:
    """What LDtk and engines show: the drawn tiles of all layers, the last layer lowest."""
    (level,) = project["levels"]
    shown = Image.new("RGBA", (level["pxWid"], level["pxHei"]))
    for layer in reversed(level["layerInstances"]):
        for tile in layer["autoLayerTiles"]:
            side = layer["__gridSize"]
            sheet = Image.open(BytesIO(pictures[layer["__tilesetRelPath"]])).convert("RGBA")
            left, top = tile["src"]
            shown.alpha_composite(
                sheet.crop((left, top, left + side, top + side)), tuple(tile["px"])
            )
    return shown.convert("RGB")


@pytest.mark.parametrize(
    "theme", [SPOTTED, *(THEMES[name] for name in THEMES)], ids=lambda theme: theme.name
)
@pytest.mark.parametrize("name", LEVELS)
def test_the_drawn_tiles_show_what_the_theme_shows(name: str, theme: Theme) -> None:
    look, level = Look(theme, tile=16), LEVELS[name]
    project, expected = (
        json.loads(LDTK.write(level, look)),
        look.atlas(level.tileset).draw(level.tiles),
    )
    found = picture_of(project, dict(LDTK.beside(level, look)))
    assert found.size == expected.size
    # Pillow and the atlas round half transparent pixels differently.
    assert np.abs(np.asarray(found).astype(int) - np.asarray(expected).astype(int)).max() <= 1


def drawn_again(project: Any, layer: Any, level: Any) -> list[dict[str, Any]]:
    definitions = {definition["uid"]: definition for definition in project["defs"]["layers"]}
    tilesets = {definition["uid"]: definition for definition in project["defs"]["tilesets"]}
    definition = definitions[layer["layerDefUid"]]
    source = definitions[definition["autoSourceLayerDefUid"] or definition["uid"]]
    (values,) = [
        other["intGridCsv"]
        for other in level["layerInstances"]
        if other["layerDefUid"] == source["uid"]
    ]
    cells = np.array(values).reshape(layer["__cHei"], layer["__cWid"])
    return Evaluator(
        definition, source, tilesets[definition["tilesetDefUid"]], cells, layer
    ).tiles()


def check_rules(level: Level, look: Look) -> None:
    project = json.loads(LDTK.write(level, look))
    (found,) = project["levels"]
    layers = [layer for layer in found["layerInstances"] if layer["__type"] != "Entities"]
    assert len(layers) == (1 if level.tileset.wall is None else 2)
    for layer in layers:
        assert drawn_again(project, layer, found) == layer["autoLayerTiles"]


@given(levels())
def test_the_rules_draw_the_drawn_tiles_again(level: Level) -> None:
    check_rules(level, Look(SPOTTED))


@pytest.mark.parametrize("name", LEVELS)
def test_the_rules_of_every_tileset_draw_the_drawn_tiles_again(name: str) -> None:
    for look in (Look(), Look(SPOTTED, tile=8)):
        check_rules(LEVELS[name], look)


def test_layers_of_other_tilesets_draw_nothing_in_a_level() -> None:
    assert LDTK.bundle is not None
    project = json.loads(
        LDTK.bundle("p", {"1": CAVE, "2": LEVELS["colours"]}, Look(SPOTTED))["p.ldtk"]
    )
    for level in project["levels"]:
        for layer in level["layerInstances"][1:]:
            assert drawn_again(project, layer, level) == layer["autoLayerTiles"]
    walls, colours = (
        [layer["__identifier"] for layer in level["layerInstances"] if layer["autoLayerTiles"]]
        for level in project["levels"]
    )
    assert (walls, colours) == (["Tiles_walls", "Floor_walls"], ["Tiles_rainbow"])


def test_floor_is_drawn_below_walls_and_in_erased_cells() -> None:
    project = json.loads(LDTK.write(CAVE, Look(SPOTTED)))
    (level,) = project["levels"]
    _, tiles, floor = level["layerInstances"]
    assert len(floor["autoLayerTiles"]) == CAVE.tiles.size
    assert len(tiles["autoLayerTiles"]) == np.count_nonzero(CAVE.tiles)
    tiles["intGridCsv"] = [0 if value == 1 else value for value in tiles["intGridCsv"]]
    assert drawn_again(project, floor, level) == floor["autoLayerTiles"]
    assert drawn_again(project, tiles, level) == tiles["autoLayerTiles"]


def test_entities_show_the_tiles_of_their_places() -> None:
    look = Look(SPOTTED)
    atlas = look.atlas(CAVE.tileset)
    project = json.loads(LDTK.write(CAVE, look))
    for entity in project["levels"][0]["layerInstances"][0]["entityInstances"]:
        place = {"Entrance": "entrance", "Exit": "exit", "Checkpoint": "checkpoint 1"}[
            entity["__identifier"]
        ]
        tile = atlas.tiles[entity["__tile"]["x"] // 16 + entity["__tile"]["y"] // 16 * 8]
        assert tile.place == place
    assert all(
        entity["renderMode"] == "Tile" and entity["tileRect"]
        for entity in project["defs"]["entities"]
    )


def test_a_level_too_large_to_draw_is_written_in_flat_colours_and_read_again() -> None:
    level = Level(
        np.zeros((2, MOST_DRAWN // 2 + 1), np.uint8), {"entrance": (0, 0), "exit": (5, 1)}
    )
    project = json.loads(LDTK.encode(level))
    assert project["defs"]["tilesets"] == []
    assert not any(layer["autoRuleGroups"] for layer in project["defs"]["layers"])
    assert LDTK.beside(level, Look()) == {}
    assert LDTK.decode(LDTK.encode(level)) == level
