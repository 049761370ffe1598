"""LDtk projects: what people draw in LDtk is read as LDtk shows it, or rejected."""

import copy
import json
import re
from typing import Any

import pytest

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


def project_of(level: Level = LEVEL) -> Any:
    return json.loads(FORMATS["ldtk"].encode(level))


def changed(path: str, value: object) -> bytes:
    """The project with one thing changed, by its path."""
    project = copy.deepcopy(project_of())
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    inner = project
    for key in keys:
        inner = inner[key]
    inner[last] = value
    return json.dumps(project).encode()


PLACES, TILES, FLOOR = (f"levels/0/layerInstances/{number}" for number in range(3))
FIRST = f"{PLACES}/entityInstances/0"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("levels", [], "expected a project with one level, got none"),
        (
            "levels",
            [{"identifier": "Cellar"}, {"identifier": "Attic"}],
            "got Cellar, Attic; add the name of one to the path, such as FILE.ldtk#Cellar",
        ),
        ("levels/0/layerInstances", None, "Save levels to separate files"),
        ("levels/0/layerInstances", [], "expected an IntGrid layer, got none"),
        ("levels/0/layerInstances", "all", "layerInstances: expected a valid list"),
        (
            "levels/0/pxWid",
            64,
            "expected 4 cells of 16 pixels as in the level's pxWid of 64, got 3",
        ),
        (
            f"{TILES}/__cWid",
            4,
            "expected 3 cells of 16 pixels as in the level's pxWid of 48, got 4",
        ),
        (f"{TILES}/__cWid", 1, "at least 2x2"),
        (f"{TILES}/__cWid", "wide", "__cWid: expected a valid integer"),
        (
            f"{TILES}/__pxTotalOffsetX",
            8,
            "expected the sum of its offsets, 0,0, in __pxTotalOffsetX and Y, got 8,0",
        ),
        (f"{TILES}/__gridSize", 8, "expected the grid size of its definition, 16, got 8"),
        (f"{TILES}/visible", False, "expected a visible layer, got a hidden or faint one"),
        (f"{PLACES}/visible", False, "expected a visible layer, got a hidden or faint one"),
        (
            f"{TILES}/layerDefUid",
            99999,
            "expected a definition with its number layerDefUid, got none with 99999",
        ),
        (f"{TILES}/__identifier", "Ground", "expected the name of its definition, Tiles"),
        (f"{TILES}/intGridCsv", [1, 1], "expected 3x3 cells in intGridCsv, got 2"),
        (f"{TILES}/intGridCsv", [1, 1, 7, 1, 1, 1, 2, 1, 1], "got 7 without one"),
        (
            f"{TILES}/intGridCsv",
            [2, 1, 1, 1, 1, 1, 2, 1, 1],
            "got wall drawn at 2,0, where the value is floor",
        ),
        (f"{TILES}/autoLayerTiles", [{"px": [0, 0]}], "expected px, src and t in every drawn tile"),
        (f"{FLOOR}/__pxTotalOffsetX", 16, "layer Floor: expected the sum of its offsets"),
        (f"{FLOOR}/visible", False, "layer Floor: expected a visible layer"),
        (
            "defs/layers/1/intGridValues/1/identifier",
            "lava",
            "expected tiles called only floor, wall",
        ),
        ("defs/layers/1/intGridValues/1/identifier", "Keep", "draw it on another IntGrid layer"),
        ("defs/layers/1/pxOffsetX", 16, "expected the sum of its offsets, 16,0"),
        ("defs/layers/1/parallaxFactorX", 0.5, "expected no parallax"),
        ("defs/layers/0/parallaxFactorY", 0.5, "expected no parallax"),
        ("defs/layers/1/displayOpacity", 0, "expected a visible layer"),
        ("defs/layers/1/gridSize", 0, "gridSize: expected"),
        ("defs/entities/0/identifier", "Way_in", "expected the name of its definition, Way_in"),
        (f"{FIRST}/__identifier", "Entrence", "expected the name of its definition, Entrance"),
        (f"{FIRST}/defUid", 99999, "expected a definition with its number defUid"),
        (f"{FIRST}/px", [48, 0], "entrance: expected a cell inside the 3x3 level"),
        (f"{FIRST}/px", [-16, 0], "entrance: expected a cell inside the 3x3 level"),
        (f"{FIRST}/px", [0.5, 0], "px.0: expected a valid integer"),
        (f"{FIRST}/px", [32, 0], "got wall at 2,0"),
        (f"{FIRST}/px", None, "expected its position px, got none"),
        (f"{FIRST}/width", 80, "got wall at 2,0"),
        ("defs/entities/0/pivotX", 2, "pivotX: expected"),
        (
            f"{PLACES}/entityInstances/2/fieldInstances/0/__value",
            None,
            "expected a whole number in its field 'number'",
        ),
        (f"{PLACES}/entityInstances/2/fieldInstances/0/__value", 0, "unknown place 'checkpoint 0'"),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(
    path: str, value: object, words: str
) -> None:
    with pytest.raises(InputError) as problem:
        FORMATS["ldtk"].decode(changed(path, value))
    assert words in str(problem.value)


def named(project: Any, old: str, new: str) -> Any:
    """The project with another name for an entity or a layer, in its definition and its
    instances.
    """
    return json.loads(json.dumps(project).replace(f'"{old}"', f'"{new}"'))


@pytest.mark.parametrize(
    ("old", "new"), [("Entrance", "Entrence"), ("Exit", "exit"), ("Checkpoint", "Checkpoints")]
)
def test_a_misspelt_place_is_refused_and_the_right_name_is_given(old: str, new: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{old}'"):
        FORMATS["ldtk"].decode(json.dumps(named(project_of(), old, new)).encode())


def test_a_second_entrance_is_refused() -> None:
    project = project_of()
    entities = project["levels"][0]["layerInstances"][0]["entityInstances"]
    entities.append({**entities[0], "px": [16, 16]})
    with pytest.raises(InputError, match="expected one entrance, got a second at 1,1"):
        FORMATS["ldtk"].decode(json.dumps(project).encode())


def test_erased_cells_are_floor_and_other_layers_and_entities_are_left_alone() -> None:
    assert (
        FORMATS["ldtk"].decode(changed(f"{TILES}/intGridCsv", [0, 0, 2, 1, 1, 1, 2, 0, 0])) == LEVEL
    )
    project = project_of()
    places = project["levels"][0]["layerInstances"][0]
    bat = {"__identifier": "Bat", "defUid": 900, "px": [0, 0]}
    project["defs"]["entities"].append({"identifier": "Bat", "uid": 900})
    enemies = {**places, "__identifier": "Enemies", "layerDefUid": 901, "entityInstances": [bat]}
    project["levels"][0]["layerInstances"].insert(0, enemies)
    places["entityInstances"].append(bat)
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL


@pytest.mark.parametrize("offset", [(16, 0), (-16, 16), (8, 0), (0, 7)])
@pytest.mark.parametrize("where", ["instance", "definition"])
def test_tiles_with_a_pixel_offset_are_refused(offset: tuple[int, int], where: str) -> None:
    project = project_of()
    layer, definition = project["levels"][0]["layerInstances"][1], project["defs"]["layers"][1]
    for key, total, pixels in zip(
        ("pxOffsetX", "pxOffsetY"), ("__pxTotalOffsetX", "__pxTotalOffsetY"), offset, strict=True
    ):
        (layer if where == "instance" else definition)[key] = pixels
        layer[total] = pixels
    with pytest.raises(
        InputError,
        match="layer Tiles: expected no offset, because cells would lie outside the level, got",
    ):
        FORMATS["ldtk"].decode(json.dumps(project).encode())


def test_a_floor_moved_against_the_walls_is_refused() -> None:
    project = project_of()
    layer = project["levels"][0]["layerInstances"][2]
    layer["pxOffsetX"] = layer["__pxTotalOffsetX"] = 16
    with pytest.raises(
        InputError,
        match=(
            "layer Floor: expected no offset from the tiles and their grid of 16, got 16,0 pixels"
        ),
    ):
        FORMATS["ldtk"].decode(json.dumps(project).encode())


@pytest.mark.parametrize(
    ("offset", "moved"), [((16, 0), 1), ((7, 7), 0), ((8, 0), 1), ((0, -8), 0)]
)
def test_places_with_a_pixel_offset_are_where_they_are_shown(
    offset: tuple[int, int], moved: int
) -> None:
    level = Level.from_text("....\nS..E\n....")
    project = project_of(level)
    layer = project["levels"][0]["layerInstances"][0]
    layer["pxOffsetX"], layer["pxOffsetY"] = (
        layer["__pxTotalOffsetX"],
        layer["__pxTotalOffsetY"],
    ) = offset
    layer["entityInstances"].pop()
    found = FORMATS["ldtk"].decode(json.dumps(project).encode())
    assert found.places == {"entrance": (moved, 1)}


@pytest.mark.parametrize("pivot", [(0, 0), (0.5, 0.5), (1, 1), (0.5, 1)])
@pytest.mark.parametrize("size", [(16, 16), (32, 48), (8, 4)])
def test_an_entity_dragged_freehand_belongs_to_the_cell_under_its_centre(
    pivot: tuple[float, float], size: tuple[int, int]
) -> None:
    project = project_of(Level.from_text("....\n....\n...S"))
    definition, entity = (
        project["defs"]["entities"][0],
        project["levels"][0]["layerInstances"][0]["entityInstances"][0],
    )
    definition["pivotX"], definition["pivotY"] = entity["__pivot"] = list(pivot)
    entity["width"], entity["height"] = size
    for x, y in ((24, 24), (16, 31), (31, 16)):
        entity["px"] = [
            round(x + (pivot[0] - 0.5) * size[0]),
            round(y + (pivot[1] - 0.5) * size[1]),
        ]
        assert FORMATS["ldtk"].decode(json.dumps(project).encode()).places == {"entrance": (1, 1)}


def test_layers_with_another_grid_keep_their_cells_and_entities_their_places() -> None:
    project = project_of()
    layer, definition = project["levels"][0]["layerInstances"][0], project["defs"]["layers"][0]
    layer["__gridSize"] = definition["gridSize"] = 8
    layer["__cWid"] = layer["__cHei"] = 6
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL


def test_a_project_with_several_worlds_is_read() -> None:
    project = project_of()
    project["worlds"] = [
        {"identifier": "World", "levels": project.pop("levels")},
        {"identifier": "Other", "levels": []},
    ]
    project["levels"] = []
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL


def test_a_project_of_the_first_version_is_read() -> None:
    """Without tilesets and rules, and with one IntGrid layer."""
    project = project_of()
    project["levels"][0]["layerInstances"].pop()
    tiles = project["levels"][0]["layerInstances"][1]
    tiles |= {"autoLayerTiles": [], "__tilesetDefUid": None, "__tilesetRelPath": None}
    project["defs"] |= {"tilesets": [], "enums": [], "layers": project["defs"]["layers"][:2]}
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL


def test_drawn_tiles_are_read_whatever_the_form_of_their_text() -> None:
    text = FORMATS["ldtk"].encode(LEVEL).decode()
    assert FORMATS["ldtk"].decode(json.dumps(json.loads(text), indent=3).encode("utf-16")) == LEVEL
    moved = re.sub(r'("autoLayerTiles": \[\{"px":\[)\d+', r"\g<1>16", text, count=1)
    assert moved != text
    with pytest.raises(
        InputError, match="layer Tiles: expected drawn tiles as in its IntGrid values"
    ):
        FORMATS["ldtk"].decode(moved.encode())
