"""Maps that draw a wall on the only way: refused by name or blocked, never proven.

Each class of Tiled maps and of LDtk projects has one small case, and one that is harmless and stays
proven. The judge of the Tiled maps is Tiled's own `tmxrasterizer`.
"""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.levels.level import Level
from oracles.rasterized import RASTERIZER, walls_on_solution

LEVEL = Level.from_text("S..\n##1\nE..").with_solution("rrddll")
SIDE = 16
ATLAS = Look().atlas(LEVEL.tileset)
FLOOR, WALL = ATLAS.first[0], ATLAS.first[1]
# The numbers of the first tileset of a map begin with 1.
FLOOR_GID, WALL_GID = FLOOR + 1, WALL + 1
# A cell of the way in the first row, and a wall below it.
WAY, BELOW = 1, 4
AT_WAY = {"id": "90", "x": "16", "y": "16"}
CELLS = LEVEL.width * LEVEL.height


def numbers(index: int = WAY, number: int = WALL_GID) -> str:
    """The numbers of a layer with one tile."""
    return ",".join(str(number if cell == index else 0) for cell in range(CELLS))


def layer(text: str, name: str = "mine") -> ET.Element:
    """A tile layer."""
    size = {"width": str(LEVEL.width), "height": str(LEVEL.height)}
    element = ET.Element("layer", {"id": "80", "name": name, **size})
    ET.SubElement(element, "data", {"encoding": "csv"}).text = text
    return element


def objects(**entry: str) -> ET.Element:
    """An object layer with one object on the way."""
    element = ET.Element("objectgroup", {"id": "81", "name": "mine"})
    ET.SubElement(element, "object", AT_WAY | entry)
    return element


def edited(path: Path) -> Any:
    """A file of the test, parsed."""
    return ET.parse(path)


def tileset_file(path: Path) -> Path:
    """The tileset beside a map."""
    (found,) = path.parent.glob("*.tsx")
    return found


def added(element: ET.Element, *, first: bool = False) -> Callable[[Path], None]:
    """Add a layer above all others."""

    def change(path: Path) -> None:
        tree = edited(path)
        root = tree.getroot()
        root.insert(0 if first else len(root), element)
        tree.write(path)

    return change


def second_data(path: Path) -> None:
    tree = edited(path)
    walls = next(each for each in tree.getroot().iter("layer") if each.get("name") == "walls")
    ET.SubElement(walls, "data", {"encoding": "csv"}).text = numbers()
    tree.write(path)


def animated(path: Path) -> None:
    tree = edited(tileset_file(path))
    tile = next(each for each in tree.getroot().iter("tile") if each.get("id") == str(FLOOR))
    frames = ET.SubElement(tile, "animation")
    for number in (WALL, FLOOR):
        ET.SubElement(frames, "frame", {"tileid": str(number), "duration": "100"})
    tree.write(tileset_file(path))


def listed_twice(path: Path) -> None:
    """The class of the last entry counts for a reader that takes all; the picture shows a wall."""
    painted(path)
    tree = edited(tileset_file(path))
    ET.SubElement(tree.getroot(), "tile", {"id": str(WALL), "type": "floor"})
    tree.write(tileset_file(path))


def painted(path: Path, number: int = WALL_GID) -> None:
    """Draw a tile on the way, on the level's own layer of walls."""
    tree = edited(path)
    walls = next(each for each in tree.getroot().iter("layer") if each.get("name") == "walls")
    data = walls.find("data")
    assert data is not None
    assert data.text is not None
    cells = data.text.replace("\n", "").split(",")
    cells[WAY] = str(number)
    data.text = ",".join(cells)
    tree.write(path)


def wrong_columns(path: Path) -> None:
    """With other columns, numbers stand for other tiles of the picture."""
    tree = edited(tileset_file(path))
    tree.getroot().set("columns", "4")
    tree.write(tileset_file(path))


def checkpoint(path: Path, **changes: str) -> None:
    tree = edited(path)
    entry = next(
        each for each in tree.getroot().iter("object") if each.get("name") == "checkpoint 1"
    )
    entry.attrib |= {"gid": str(WALL_GID)} | changes
    tree.write(path)


def same_first_number(path: Path, after: int = 0) -> None:
    """Two tilesets whose tiles have the same numbers: the walls of one are floor in the other."""
    tree = edited(path)
    content = f'<tile id="{WALL}" type="floor"/>'
    other = f'<tileset firstgid="1" name="mine" tilewidth="16" tileheight="16">{content}</tileset>'
    root = tree.getroot()
    position = next(index for index, each in enumerate(root) if each.tag == "tileset")
    root.insert(position + after, ET.fromstring(other))
    tree.write(path)
    painted(path)


def template(path: Path, name: str = "wall.tx") -> None:
    source = tileset_file(path).name
    entry = {"gid": WALL_GID, "width": SIDE, "height": SIDE, "visible": True}
    if name.endswith("tx"):
        shows = "".join(f' {key}="{int(value)}"' for key, value in entry.items())
        tileset = f'<tileset firstgid="1" source="{source}"/>'
        content = f"<template>{tileset}<object{shows}/></template>"
    else:
        reference = {"firstgid": 1, "source": source}
        content = json.dumps({"type": "template", "tileset": reference, "object": entry})
    (path.parent / name).write_text(content)
    added(objects(template=name))(path)


def image_layer(path: Path) -> None:
    column, row = WALL % 8 * SIDE, WALL // 8 * SIDE
    (picture,) = path.parent.glob("*.png")
    with Image.open(picture) as image:
        box = (column, row, column + SIDE, row + SIDE)
        image.convert("RGBA").crop(box).save(path.parent / "mine.png")
    element = ET.Element("imagelayer", {"id": "83", "name": "mine", "offsetx": "16"})
    ET.SubElement(element, "image", {"source": "mine.png", "width": "16", "height": "16"})
    added(element)(path)


SHOWN = "expected the tiles of the level on its own layers only, got wall drawn at 1,0"
DETACH = "object '90' on layer 'mine': expected an object without a template"
# The change, and what the reader says; nothing if the level is read with a wall on the way.
TILED: dict[str, tuple[Callable[[Path], None], str]] = {
    "object": (added(objects(gid=str(WALL_GID), width="16", height="16")), f"'mine': {SHOWN}"),
    "object without a size": (added(objects(gid=str(WALL_GID))), f"'90' on layer 'mine': {SHOWN}"),
    "object without a width": (added(objects(gid=str(WALL_GID), height="16")), SHOWN),
    "flipped object": (added(objects(gid=str(WALL_GID | 0x80000000), width="16")), SHOWN),
    "second data": (second_data, "layer 'walls': expected one <data>, got 2"),
    "layer": (added(layer(numbers())), f"layer 'mine': {SHOWN}"),
    "flipped layer": (added(layer(numbers(number=WALL_GID | 0x40000000))), SHOWN),
    "layer called keep": (added(layer(numbers(), "keep")), f"layer 'keep': {SHOWN}"),
    "level's own layer": (painted, ""),
    "animation": (animated, "to show 'floor' only, as its class says, got 'wall' in its animation"),
    "tile twice": (listed_twice, f"expected each tile once, got tile {WALL} twice"),
    "columns": (wrong_columns, "expected 8 columns of tiles as in its picture, got 4"),
    "checkpoint": (checkpoint, "got wall drawn at 2,1, where the level has floor"),
    "large checkpoint": (lambda path: checkpoint(path, height="32"), "got wall drawn at 2,0"),
    "two first numbers": (same_first_number, "got two with firstgid 1"),
    "two first numbers, ours first": (
        lambda path: same_first_number(path, 1),
        "got two with firstgid 1",
    ),
    "template": (template, DETACH),
    "template in JSON": (lambda path: template(path, "wall.tj"), DETACH),
    "image layer": (
        image_layer,
        "image layer 'mine': expected a picture without the level's tiles",
    ),
}
HARMLESS: dict[str, Callable[[Path], None]] = {
    "a wall over a wall": added(layer(numbers(BELOW))),
    "a floor on the way": added(layer(numbers(number=FLOOR_GID))),
    "a hidden wall": added(objects(gid=str(WALL_GID), visible="0")),
    "a wall elsewhere": added(objects(gid=str(WALL_GID), x="160")),
}


def tiled_map(folder: Path) -> Path:
    return levolve.save(LEVEL, folder / "a.tmx")


def assert_not_proven(path: Path, words: str) -> None:
    """Assert that a file is refused with these words, or, without words, has a wall on the way."""
    if words:
        with pytest.raises(InputError) as problem:
            levolve.load(path)
        assert words in str(problem.value)
    else:
        level = levolve.load(path)
        assert isinstance(level, Level)
        assert level.tiles[0, WAY] == 1
        assert level.solution is None


@pytest.mark.parametrize("name", TILED)
def test_a_tiled_map_with_a_wall_on_the_way_is_not_proven(name: str, tmp_path: Path) -> None:
    path, (change, words) = tiled_map(tmp_path), TILED[name]
    change(path)
    assert_not_proven(path, words)


@pytest.mark.parametrize("name", HARMLESS)
def test_a_tiled_map_with_walls_elsewhere_stays_proven(name: str, tmp_path: Path) -> None:
    path = tiled_map(tmp_path)
    HARMLESS[name](path)
    assert levolve.load(path) == LEVEL


# Tiled counts the columns of a picture itself and shows the last of two tilesets; other programs
# need not. The judge knows no stretched walls, and the rasterizer reads no templates in the form
# that is built into the editor.
UNSEEN = {"columns", "large checkpoint", "template", "two first numbers, ours first"}


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
@pytest.mark.parametrize("name", [name for name in TILED if name not in UNSEEN])
def test_tiled_draws_the_wall_of_each_case(name: str, tmp_path: Path) -> None:
    path = tiled_map(tmp_path)
    TILED[name][0](path)
    assert walls_on_solution(path, LEVEL)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("gid", WALL_GID, SHOWN),
        ("gid", WALL_GID + (1 << 32), "gid"),
        ("gid", -1, "gid"),
        ("gid", 1 << 80, "gid"),
        ("x", 1e308, ""),
        ("template", "wall.tj", DETACH),
    ],
)
def test_an_object_of_a_map_in_json(key: str, value: object, words: str, tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / "a.tmj")
    data = json.loads(path.read_text())
    entry = {"id": 90, "x": 16, "y": 16, "gid": WALL_GID} | {key: value}
    data["layers"].append({"id": 81, "name": "mine", "type": "objectgroup", "objects": [entry]})
    path.write_text(json.dumps(data))
    with pytest.raises(InputError) as problem:
        levolve.load(path)
    assert (words or "expected a position near the map") in str(problem.value)


def test_a_key_that_a_map_in_json_has_twice_is_refused(tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / "a.tmj")
    text = path.read_text()
    assert text.count('"data":') == 2
    before, _, after = text.rpartition('"data":')
    path.write_text(f'{before}"data":[{numbers()}],"data":{after}')
    with pytest.raises(InputError, match="expected each key once, got a second 'data'"):
        levolve.load(path)


# LDtk


def project_at(folder: Path) -> tuple[Path, Any]:
    path = levolve.save(LEVEL, folder / "a.ldtk")
    return path, json.loads(path.read_text())


def drawn_tile(tile: int = WALL, **changes: Any) -> dict[str, Any]:
    """A painted tile on the way."""
    source = [tile % 8 * SIDE, tile // 8 * SIDE]
    return {"px": [16, 0], "src": source, "f": 0, "t": tile, "d": [WAY], "a": 1} | changes


def tiles_layer(*tiles: dict[str, Any], **changes: Any) -> Callable[[Any], None]:
    """Add a layer of painted tiles above all others."""

    def change(project: Any) -> None:
        known = project["defs"]["layers"][1]
        given = project["levels"][0]["layerInstances"][1]
        definition = {"__type": "Tiles", "type": "Tiles", "identifier": "Mine", "uid": 9000}
        project["defs"]["layers"].insert(0, known | definition | {"autoRuleGroups": []})
        instance = {"__type": "Tiles", "__identifier": "Mine", "layerDefUid": 9000}
        emptied = {"intGridCsv": [], "autoLayerTiles": [], "gridTiles": list(tiles)}
        project["levels"][0]["layerInstances"].insert(0, given | instance | emptied | changes)

    return change


def part(project: Any, path: str) -> Any:
    """A part of a project, by its path."""
    for key in path.split("/"):
        project = project[int(key) if key.isdigit() else key]
    return project


def put(path: str, value: object) -> Callable[[Any], None]:
    """Change one value."""
    holder, _, key = path.rpartition("/")

    def change(project: Any) -> None:
        part(project, holder)[int(key) if key.isdigit() else key] = value

    return change


def entity_tile(where: str) -> Callable[[Any], None]:
    """Let the checkpoint show a wall, in one of the parts that say what an entity shows."""

    def change(project: Any) -> None:
        placed = part(project, f"{LAYERS}/0/entityInstances")
        entity = next(each for each in placed if each["__identifier"] == "Checkpoint")
        kinds = project["defs"]["entities"]
        definition = next(each for each in kinds if each["uid"] == entity["defUid"])
        field = entity["fieldInstances"][1]
        rectangle = entity["__tile"] | {"x": WALL % 8 * SIDE, "y": WALL // 8 * SIDE}
        assert field["__tile"] == entity["__tile"]
        if where == "__tile":
            entity["__tile"] = rectangle
        elif where == "definition":
            definition["tileRect"] = rectangle
        elif where == "editor":
            text = ",".join(str(rectangle[key]) for key in "xywh")
            field["realEditorValues"] = [{"id": "V_String", "params": [text]}]
        else:
            field[where] = rectangle

    return change


LAYERS = "levels/0/layerInstances"
HUGE = 10**30
PARTS = "expected px, src and t in every drawn tile as 32-bit numbers"
LDTK: dict[str, tuple[Callable[[Any], None], str]] = {
    "tiles layer": (
        tiles_layer(drawn_tile()),
        "layer Mine: expected drawn tiles as in its IntGrid",
    ),
    "gridTiles with offset": (
        tiles_layer(drawn_tile(px=[0, 0], d=[0]), pxOffsetX=16, __pxTotalOffsetX=16),
        "got wall drawn at 1,0, where the value is floor",
    ),
    "half an offset": (
        tiles_layer(drawn_tile(px=[32, 16], d=[5]), pxOffsetX=-8, __pxTotalOffsetX=-8),
        "layer Mine: expected drawn tiles as in its IntGrid values, got wall drawn at 2,1",
    ),
    "only the sum of an offset": (
        tiles_layer(drawn_tile(px=[0, 16], d=[3]), __pxTotalOffsetY=-16),
        "expected the sum of its offsets",
    ),
    "a cell that is not the position": (
        tiles_layer(drawn_tile(px=[16, 16], d=[WAY])),
        "layer Mine: expected painted tiles whose cell d is that of their position px",
    ),
    "a cell and a number": (tiles_layer(drawn_tile(d=[WAY, 0])), "expected one cell as d"),
    "a number and another source": (tiles_layer(drawn_tile(t=FLOOR)), "cut from the picture"),
    "gridTiles of the tiles": (
        put(f"{LAYERS}/1/gridTiles", [drawn_tile()]),
        "got wall drawn at 1,0",
    ),
    "autoLayerTiles": (put(f"{LAYERS}/2/autoLayerTiles", [drawn_tile()]), "got wall drawn at 1,0"),
    "another tileset": (
        tiles_layer(drawn_tile(), overrideTilesetUid=12345),
        "layer Mine: expected one tileset, got two",
    ),
    "a tileset that is not there": (
        tiles_layer(drawn_tile(), __tilesetDefUid=12345),
        "layer Mine: expected the picture of its tileset",
    ),
    "no tileset": (
        tiles_layer(drawn_tile(), __tilesetDefUid=None),
        "layer Mine: expected the picture of its tileset",
    ),
    "entity's tile": (entity_tile("__tile"), "entity Checkpoint on layer Places"),
    "tile of the definition": (entity_tile("definition"), "entity Checkpoint on layer Places"),
    "value of a field": (entity_tile("__value"), "entity Checkpoint on layer Places"),
    "editor's value of a field": (entity_tile("editor"), "entity Checkpoint on layer Places"),
    "background": (
        put("levels/0/bgRelPath", f"{ATLAS.name}.png"),
        "expected a background of the level without tiles of levolve",
    ),
    "value": (put(f"{LAYERS}/1/intGridCsv/{WAY}", 2), "where the value is wall"),
    "number of 33 bits": (tiles_layer(drawn_tile(t=1 << 33)), "cut from the picture"),
    "position of 64 bits": (tiles_layer(drawn_tile(px=[1 << 64, 0])), PARTS),
    "huge position": (tiles_layer(drawn_tile(px=[HUGE, 0])), PARTS),
    "huge number": (tiles_layer(drawn_tile(t=HUGE)), PARTS),
    "huge source": (tiles_layer(drawn_tile(src=[0, HUGE])), PARTS),
    # A text in a tile: its list is parsed as any other.
    "huge position in a parsed list": (tiles_layer(drawn_tile(px=[HUGE, 0], note="x")), PARTS),
    "huge source in a parsed list": (tiles_layer(drawn_tile(src=[HUGE, 0], note="x")), PARTS),
    "huge number in a parsed list": (tiles_layer(drawn_tile(t=HUGE, note="x")), PARTS),
    "a flag as number": (tiles_layer(drawn_tile(t=True, note="x")), PARTS),
    "huge cell in a parsed list": (
        tiles_layer(drawn_tile(d=[HUGE], note="x")),
        "expected one cell as d",
    ),
    "a number among the tiles": (put(f"{LAYERS}/1/gridTiles", [5]), PARTS),
    "a fraction as number": (tiles_layer(drawn_tile(t=4.5)), PARTS),
    "huge value": (put(f"{LAYERS}/1/intGridCsv/{WAY}", HUGE), "intGridCsv"),
    "value of 64 bits": (put(f"{LAYERS}/1/intGridCsv/{WAY}", 1 << 64), "intGridCsv"),
    "huge width": (put("levels/0/pxWid", HUGE), "pxWid"),
    "huge entity": (put(f"{LAYERS}/0/entityInstances/0/width", HUGE), "width"),
    "huge entity position": (put(f"{LAYERS}/0/entityInstances/0/px/0", 1 << 63), "px.0"),
    "huge tile of an entity": (put(f"{LAYERS}/0/entityInstances/0/__tile/x", HUGE), "__tile.x"),
    "huge number of a definition": (put("defs/tilesets/0/uid", HUGE), "uid"),
    "huge columns": (put("defs/tilesets/0/__cWid", 1 << 40), "__cWid"),
    "huge spacing": (put("defs/tilesets/0/spacing", 1 << 62), "spacing"),
    "huge offset": (put(f"{LAYERS}/1/__pxTotalOffsetX", -HUGE), "__pxTotalOffsetX"),
    "huge grid": (put(f"{LAYERS}/1/__gridSize", HUGE), "__gridSize"),
}
# Texts of JSON that `json.dumps` does not write, in place of a part of the file.
TEXTS: dict[str, tuple[str, str, str]] = {
    "NaN as opacity": ('"__opacity": 1', '"__opacity": NaN', "expected finite numbers, got NaN"),
    "infinite opacity": ('"__opacity": 1', '"__opacity": 1e999', "expected finite numbers"),
    "Infinity": ('"pivotX": 0', '"pivotX": -Infinity', "expected finite numbers, got -Infinity"),
    "key twice": ('"intGridCsv": [', '"intGridCsv": [], "intGridCsv": [', "expected each key once"),
    "list of tiles twice": (
        '"autoLayerTiles": [',
        '"autoLayerTiles": [],"autoLayerTiles": [',
        "each",
    ),
    "number with an exponent": ('"t": ', '"t": 0e0, "u": ', PARTS),
    "faint with an exponent": ('"a": 1', '"a": 1e-9', PARTS),
}


def project_texts() -> Iterator[tuple[str, Callable[[Path], Path], str]]:
    """All cases of LDtk: a name, what writes the file into a folder, and what the reader says."""

    def changed(change: Callable[[Any], None]) -> Callable[[Path], Path]:
        def write(folder: Path) -> Path:
            path, project = project_at(folder)
            change(project)
            path.write_text(json.dumps(project))
            return path

        return write

    def replaced(before: str, after: str) -> Callable[[Path], Path]:
        def write(folder: Path) -> Path:
            path, project = project_at(folder)
            text = json.dumps(project)
            assert before in text
            path.write_text(text.replace(before, after, 1))
            return path

        return write

    for name, (change, words) in LDTK.items():
        yield name, changed(change), words
    for name, (before, after, words) in TEXTS.items():
        yield name, replaced(before, after), words


PROJECTS = {name: (write, words) for name, write, words in project_texts()}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_with_a_wall_on_the_way_is_not_proven(name: str, tmp_path: Path) -> None:
    write, words = PROJECTS[name]
    with pytest.raises(InputError) as problem:
        levolve.load(write(tmp_path))
    assert words in str(problem.value)


def test_a_key_that_a_drawn_tile_has_twice_is_refused(tmp_path: Path) -> None:
    """A tile has its number twice and another not at all: as many numbers as tiles."""
    path, project = project_at(tmp_path)
    text = json.dumps(project)
    first, second = text.index('"t": '), text.index('"t": ', text.index('"t": ') + 1)
    assert text.index("}", first) < second
    end = text.index(",", second)
    path.write_text(
        text[:first]
        + f'"t": 0, "t": {FLOOR}, "u": '
        + text[first + 5 : second]
        + '"u": 0'
        + text[end:]
    )
    with pytest.raises(InputError) as problem:
        levolve.load(path)
    assert PARTS in str(problem.value)


@pytest.mark.parametrize(
    "change",
    [
        tiles_layer(drawn_tile(px=[0, 16], d=[3])),
        tiles_layer(drawn_tile(FLOOR)),
        tiles_layer(drawn_tile(), visible=False),
        put("levels/0/bgRelPath", "sky.png"),
    ],
    ids=["a wall over a wall", "floor", "a hidden layer", "another background"],
)
def test_a_project_with_walls_elsewhere_stays_proven(
    change: Callable[[Any], None], tmp_path: Path
) -> None:
    path, project = project_at(tmp_path)
    change(project)
    path.write_text(json.dumps(project))
    assert levolve.load(path) == LEVEL


def test_no_number_of_a_project_gives_a_traceback(tmp_path: Path) -> None:
    """One process checks all files: one per file would take a second each."""
    calls = []
    for number, (write, _) in enumerate(PROJECTS.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        calls.append(write(folder))
    done = subprocess.run(
        [sys.executable, "-m", "levolve", "check", *calls],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert all(f"{path}" in done.stdout + done.stderr for path in calls)
    assert "Traceback" not in done.stdout + done.stderr
