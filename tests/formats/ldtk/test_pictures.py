"""LDtk projects whose tiles are cut from a picture of ours under another name, or from ours after
somebody changed it: what they show is judged by the pixels.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.levels.level import Level

LEVEL = Level.from_text("S..\n##1\nE..").with_solution("rrddll")
SIDE = 16
ATLAS = Look().atlas(LEVEL.tileset)
OURS = f"{ATLAS.name}.png"
FLOOR, WALL = ATLAS.first[0], ATLAS.first[1]
# A cell of the way, and one of the wall below it.
WAY, BELOW = 1, 4
NUMBER = 777


def at(tile: int, columns: int = 8) -> tuple[int, int]:
    return tile % columns * SIDE, tile // columns * SIDE


def painted(tile: int, cell: int) -> dict[str, Any]:
    position = [cell % 3 * SIDE, cell // 3 * SIDE]
    return {"px": position, "src": list(at(tile)), "f": 0, "t": tile, "d": [cell], "a": 1}


class Project:
    """A project of the level in a folder, with a second tileset, and a layer that is painted with
    it.
    """

    def __init__(self, folder: Path, picture: str = "mine.png") -> None:
        self.path = levolve.save(LEVEL, folder / "a.ldtk")
        self.folder = folder
        self.data = json.loads(self.path.read_text())
        ours = self.data["defs"]["tilesets"][0]
        self.tileset = ours | {
            "uid": NUMBER,
            "identifier": "Mine",
            "relPath": picture,
            "customData": [],
            "enumTags": [],
        }
        self.data["defs"]["tilesets"].append(self.tileset)
        self.level = self.data["levels"][0]
        self.image = Image.open(folder / OURS).convert("RGBA")

    def paint(self, *tiles: dict[str, Any], **changes: Any) -> "Project":
        """Add the layer above all others."""
        known = self.data["defs"]["layers"][1]
        given = self.level["layerInstances"][1]
        kind = {"__type": "Tiles", "type": "Tiles"}
        definition = {"identifier": "Mine", "uid": 9000, "autoRuleGroups": []}
        self.data["defs"]["layers"].insert(0, known | kind | definition)
        instance = {
            "__identifier": "Mine",
            "layerDefUid": 9000,
            "__tilesetDefUid": NUMBER,
            "__tilesetRelPath": self.tileset["relPath"],
            "intGridCsv": [],
            "autoLayerTiles": [],
            "gridTiles": list(tiles),
        }
        self.level["layerInstances"].insert(0, given | kind | instance | changes)
        return self

    def written(self, name: str = "mine.png") -> Path:
        target = self.folder / name
        target.parent.mkdir(exist_ok=True)
        self.image.save(target)
        self.path.write_text(json.dumps(self.data))
        return self.path


def a_copy(folder: Path) -> Path:
    return Project(folder).paint(painted(WALL, WAY)).written()


def a_copy_in_another_folder(folder: Path) -> Path:
    project = Project(folder, "art\\Mine.png").paint(painted(WALL, WAY))
    return project.written("art/Mine.png")


def a_copy_with_other_tiles(folder: Path) -> Path:
    project = Project(folder).paint(painted(WALL, WAY))
    project.image.paste((200, 0, 0, 255), (*at(FLOOR), at(FLOOR)[0] + SIDE, at(FLOOR)[1] + SIDE))
    return project.written()


def tiles_in_another_order(folder: Path) -> Path:
    """A wall of ours alone in a picture of somebody else."""
    project = Project(folder)
    wall = project.image.crop((*at(WALL), at(WALL)[0] + SIDE, at(WALL)[1] + SIDE))
    project.image = Image.new("RGBA", (3 * SIDE, SIDE))
    project.image.paste(wall, (2 * SIDE, 0))
    project.tileset |= {"pxWid": 3 * SIDE, "pxHei": SIDE, "__cWid": 3, "__cHei": 1}
    return project.paint(painted(2, WAY)).written()


def named_floor(folder: Path) -> Path:
    project = Project(folder).paint(painted(WALL, WAY))
    project.tileset["customData"] = [{"tileId": WALL, "data": "floor"}]
    return project.written()


def smaller_tiles(folder: Path) -> Path:
    project = Project(folder).paint(painted(WALL, WAY))
    project.tileset |= {"tileGridSize": 8, "__cWid": 16, "__cHei": 2 * project.tileset["__cHei"]}
    return project.written()


def ours_repainted(folder: Path) -> Path:
    project = Project(folder)
    wall = project.image.crop((*at(WALL), at(WALL)[0] + SIDE, at(WALL)[1] + SIDE))
    project.image.paste(wall, at(FLOOR))
    return project.written(OURS)


def on_the_layer(folder: Path) -> Path:
    """The layer itself names the copy, which some programs draw."""
    project = Project(folder, "other.png").paint(painted(WALL, WAY), __tilesetRelPath="mine.png")
    return project.written()


def a_background(folder: Path) -> Path:
    project = Project(folder)
    project.level["bgRelPath"] = "mine.png"
    return project.written()


def an_entity(folder: Path) -> Path:
    project = Project(folder)
    places = project.level["layerInstances"][0]["entityInstances"]
    entity = next(each for each in places if each["__identifier"] == "Checkpoint")
    x, y = at(WALL)
    entity["__tile"] = entity["__tile"] | {"tilesetUid": NUMBER, "x": x, "y": y}
    return project.written()


def a_damaged_picture(folder: Path) -> Path:
    path = Project(folder).paint(painted(WALL, WAY)).written()
    (folder / "mine.png").write_bytes(b"no picture")
    return path


DRAWN = "layer Mine: expected drawn tiles as in its IntGrid values, got wall drawn at 1,0"
REFUSED: dict[Callable[[Path], Path], str] = {
    a_copy: DRAWN,
    a_copy_in_another_folder: DRAWN,
    a_copy_with_other_tiles: DRAWN,
    tiles_in_another_order: DRAWN,
    named_floor: f"tileset {NUMBER}: expected tile {WALL} to be wall, which our picture shows",
    smaller_tiles: f"tileset {NUMBER}: expected tiles of 16 pixels in 8 columns",
    ours_repainted: f"expected tile {FLOOR} to be wall, which our picture shows, got floor",
    on_the_layer: "layer Mine: expected the picture of its tileset in __tilesetRelPath",
    a_background: "expected a background of the level without tiles of levolve",
    an_entity: "entity Checkpoint on layer Places: expected a tile that fits the level, got wall",
    a_damaged_picture: "picture 'mine.png': expected a PNG picture",
}


@pytest.mark.parametrize("write", REFUSED, ids=lambda write: write.__name__)
def test_a_wall_of_ours_is_known_by_its_pixels(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = write(tmp_path)
    for name in (path, f"{path}#Level_0"):
        with pytest.raises(InputError) as problem:
            levolve.load(name)
        assert REFUSED[write] in str(problem.value)


def somebodys_tiles(folder: Path) -> Path:
    project = Project(folder).paint(painted(WALL, WAY))
    project.image = Image.effect_noise(project.image.size, 99).convert("RGBA")
    return project.written()


def fitting_tiles(folder: Path) -> Path:
    return Project(folder).paint(painted(WALL, BELOW), painted(FLOOR, WAY)).written()


def not_drawn(folder: Path) -> Path:
    path = Project(folder).written()
    (folder / "mine.png").write_bytes(b"no picture")
    return path


def elsewhere(folder: Path) -> Path:
    """A picture outside the folder is never read."""
    return Project(folder, "../mine.png").paint(painted(WALL, WAY)).written("other.png")


@pytest.mark.parametrize(
    "write",
    [somebodys_tiles, fitting_tiles, not_drawn, elsewhere],
    ids=lambda write: write.__name__,
)
def test_tiles_of_others_and_fitting_ones_stay_proven(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = write(tmp_path)
    assert levolve.load(path) == LEVEL
    assert levolve.load(f"{path}#Level_0") == LEVEL


def test_one_picture_that_many_tilesets_name_is_read_once(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(400):
        project.data["defs"]["tilesets"].append(project.tileset | {"uid": 10_000 + number})
        layer = {"layerDefUid": 20_000 + number, "__tilesetDefUid": 10_000 + number}
        name = {"__identifier": f"Mine_{number}"}
        project.paint(painted(FLOOR, WAY), **layer, **name)
        project.data["defs"]["layers"][0] |= {
            "uid": 20_000 + number,
            "identifier": f"Mine_{number}",
        }
    assert levolve.load(project.written()) == LEVEL
