"""What Godot shows of a scene, written plainly after Godot's documentation and text format.

Lines of sections are split one by one; every node has a matrix; every tile is a quadrilateral on
the screen. There is no Godot here: this is what the tests compare with instead, and it shares no
code with the reader.
"""

import base64
import io
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from PIL import Image

from levolve.formats.look import Look
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import Atlas, atlas_of
from levolve.levels.level import Level

Matrix = tuple[float, float, float, float, float, float]
Cells = dict[tuple[int, int], str]
SIDES = ("right_side", "bottom_side", "left_side", "top_side")
CORNERS = ("bottom_right_corner", "bottom_left_corner", "top_left_corner", "top_right_corner")
# The peering bits of square tiles that each mode of a terrain set allows.
LEGAL = {0: {*SIDES, *CORNERS}, 1: {*CORNERS}, 2: {*SIDES}}


@dataclass
class Part:
    """A section: its tag, the fields of its heading, and its properties."""

    tag: str
    fields: dict[str, str]
    properties: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> list[Part]:
    parts: list[Part] = []
    for line in text.split("\n"):
        if line.startswith("["):
            tag, _, rest = line.strip()[1:-1].partition(" ")
            parts.append(
                Part(
                    tag,
                    {
                        key: value.strip('"')
                        for key, value in re.findall(
                            r'(\w+)=("[^"]*"|[^\s"]+\("[^"]*"\)|\S+)', rest
                        )
                    },
                )
            )
        elif line.strip():
            key, _, value = line.partition(" = ")
            parts[-1].properties[key] = value
    return parts


def numbers(value: str) -> list[float]:
    return [float(number) for number in value[value.index("(") + 1 : value.rindex(")")].split(",")]


def validate(files: Mapping[str, bytes]) -> None:
    """Fail if a scene or resource refers to something that is not there, or uses a tile or a
    peering bit that Godot does not know.
    """
    for name, content in files.items():
        if not name.endswith((".tscn", ".tres")):
            continue
        text = content.decode()
        parts = parse(text)
        assert parts[0].tag == ("gd_scene" if name.endswith(".tscn") else "gd_resource"), name
        order = [part.tag for part in parts[1:]]
        assert order == sorted(
            order, key=["ext_resource", "sub_resource", "resource", "node"].index
        ), name
        resources = [part for part in parts if part.tag in {"ext_resource", "sub_resource"}]
        assert int(parts[0].fields["load_steps"]) == len(resources) + 1, name
        identities = [part.fields["id"] for part in resources]
        assert len(identities) == len(set(identities)), name
        assert set(re.findall(r'(?:Ext|Sub)Resource\("([^"]*)"\)', text)) == set(identities), name
        assert {part.fields["path"] for part in parts if part.tag == "ext_resource"} <= set(
            files
        ), name
        paths = {"."}
        for index, part in enumerate(part for part in parts if part.tag == "node"):
            assert ("parent" in part.fields) == (index > 0), name
            if index:
                assert part.fields["parent"] in paths, name
                parent = part.fields["parent"]
                path = part.fields["name"] if parent == "." else f"{parent}/{part.fields['name']}"
                assert path not in paths, name
                assert not set('.:@/"%') & set(part.fields["name"]), name
                paths.add(path)
        if name.endswith(".tres"):
            validate_tileset(parts, files)
        else:
            validate_cells(parts, files)


def validate_tileset(parts: list[Part], files: Mapping[str, bytes]) -> None:
    (resource,) = (part.properties for part in parts if part.tag == "resource")
    (source,) = (part.properties for part in parts if part.tag == "sub_resource")
    (texture,) = (part.fields["path"] for part in parts if part.tag == "ext_resource")
    side = numbers(source["texture_region_size"])
    with Image.open(io.BytesIO(files[texture])) as image:
        columns, rows = (int(pixels // tile) for pixels, tile in zip(image.size, side, strict=True))
        assert (columns * side[0], rows * side[1]) == image.size
    terrains: set[frozenset[str]] = set()
    for key, value in source.items():
        tile = re.fullmatch(r"(\d+):(\d+)/0(?:/(.*))?", key)
        if tile is None:
            assert key in {"resource_name", "texture", "texture_region_size"}, key
            continue
        assert int(tile[1]) < columns, key
        assert int(tile[2]) < rows, key
        what = tile[3] or ""
        if what.startswith("terrains_peering_bit/"):
            assert what.split("/")[1] in LEGAL[int(resource["terrain_set_0/mode"])], key
            assert source[f"{tile[1]}:{tile[2]}/0/terrain"] == "0" == value, key
        elif what == "terrain":
            prefix = f"{tile[1]}:{tile[2]}/0/terrains_peering_bit/"
            bits = frozenset(
                each.removeprefix(prefix) for each in source if each.startswith(prefix)
            )
            assert bits not in terrains, "no two tiles of a terrain are for the same neighbours"
            terrains.add(bits)
        elif what.startswith("physics_layer_0/"):
            assert "physics_layer_0/collision_layer" in resource
            points = numbers(value)
            assert {abs(point) for point in points} == {side[0] / 2}, "the whole tile"
    assert len(terrains) in {0, 47}
    assert ("terrain_set_0/mode" in resource) == (len(terrains) == 47)
    assert resource["custom_data_layer_0/name"] == '"kind"'


def validate_cells(parts: list[Part], files: Mapping[str, bytes]) -> None:
    for part in parts:
        if part.fields.get("type") == "TileMapLayer":
            identity = re.fullmatch(r'ExtResource\("(.*)"\)', part.properties["tile_set"])
            assert identity is not None
            (path,) = (
                each.fields["path"]
                for each in parts
                if each.tag == "ext_resource" and each.fields["id"] == identity[1]
            )
            (source,) = (
                each.properties
                for each in parse(files[path].decode())
                if each.tag == "sub_resource"
            )
            for _x, _y, number, column, row, alternative in raw_cells(
                part.properties["tile_map_data"]
            ):
                assert number == 0
                assert f"{column}:{row}/{alternative}" in source


def raw_cells(value: str) -> list[tuple[int, ...]]:
    match = re.fullmatch(r'PackedByteArray\("([^"]*)"\)', value)
    assert match is not None
    content = base64.b64decode(match[1])
    return [struct.unpack_from("<hhHHHH", content, offset) for offset in range(2, len(content), 12)]


def local_matrix(properties: Mapping[str, str]) -> Matrix:
    """The matrix of a node: its columns are the directions of x and y, then its position."""
    if "transform" in properties:
        a, b, c, d, x, y = numbers(properties["transform"])
        return a, b, c, d, x, y
    x, y = numbers(properties.get("position", "Vector2(0, 0)"))
    across, down = numbers(properties.get("scale", "Vector2(1, 1)"))
    turn, skew = float(properties.get("rotation", "0")), float(properties.get("skew", "0"))
    return (
        math.cos(turn) * across,
        math.sin(turn) * across,
        -math.sin(turn + skew) * down,
        math.cos(turn + skew) * down,
        x,
        y,
    )


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, x, y = one
    e, f, g, h, u, v = other
    return (
        a * e + c * f,
        b * e + d * f,
        a * g + c * h,
        b * g + d * h,
        a * u + c * v + x,
        b * u + d * v + y,
    )


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, u, v = matrix
    return a * x + c * y + u, b * x + d * y + v


@dataclass
class Drawn:
    """A node with what its parents do to it."""

    part: Part
    path: str
    matrix: Matrix
    visible: bool
    z: int
    order: int


def drawn_nodes(parts: list[Part]) -> list[Drawn]:
    found: dict[str, Drawn] = {}
    for order, part in enumerate(part for part in parts if part.tag == "node"):
        parent = part.fields.get("parent")
        path = (
            "."
            if parent is None
            else part.fields["name"]
            if parent == "."
            else f"{parent}/{part.fields['name']}"
        )
        own = part.properties
        above = found.get(parent or "")
        if parent is not None and above is None:
            # Godot drops a node whose parent is not there yet.
            continue
        faint = any(
            numbers(own.get(name, "Color(1, 1, 1, 1)"))[3] < 0.5
            for name in ("modulate", "self_modulate")
        )
        seen = (
            own.get("visible", "true") == "true"
            and not faint
            and own.get("enabled", "true") == "true"
        )
        matrix = local_matrix(own)
        z = int(own.get("z_index", "0"))
        if above is not None:
            matrix = matrix if own.get("top_level") == "true" else times(above.matrix, matrix)
            seen = seen and above.visible
            z += above.z if own.get("z_as_relative", "true") == "true" else 0
        behind = own.get("show_behind_parent") == "true"
        found[path] = Drawn(part, path, matrix, seen, z, -1 if behind else order)
    return list(found.values())


def shown_level(scene: Path) -> tuple[Cells, dict[str, tuple[int, int]]] | None:
    """The kinds and places that Godot shows, by cells from the top left; None if it shows no level
    that stands upright on a grid.
    """
    parts = parse(scene.read_text())
    outside = {
        part.fields["id"]: part.fields["path"].rpartition("/")[2]
        for part in parts
        if part.tag == "ext_resource"
    }
    nodes = drawn_nodes(parts)
    quads: list[tuple[float, float, float, float, str]] = []
    for node in sorted(nodes, key=lambda node: (node.z, node.order)):
        if (
            node.part.fields.get("type") == "TileMapLayer"
            and node.visible
            and node.part.fields["name"].lower() != "keep"
        ):
            tiles = layer_quads(
                node, scene.parent / resource(node.part.properties["tile_set"], outside)
            )
            if tiles is None:
                return None
            quads += tiles
    if not quads:
        return None
    # The level begins at the first layer's own cell 0,0; where it has no tile, nothing is in the
    # way.
    base = next(node for node in nodes if node.part.fields.get("type") == "TileMapLayer")
    left, top = base.matrix[4:]
    width, height = quads[0][2], quads[0][3]
    across, down = numbers(nodes[0].part.properties["metadata/size"])
    cells: Cells = {(x, y): "floor" for y in range(int(down)) for x in range(int(across))}
    solid: set[tuple[int, int]] = set()
    for x, y, wide, high, kind in quads:
        column, row = (x - left) / width, (y - top) / height
        if (
            abs(wide - width) + abs(high - height) > 1e-3
            or abs(column - round(column)) + abs(row - round(row)) > 1e-2
        ):
            return None
        cells[round(column), round(row)] = kind
        if kind == "wall":
            solid.add((round(column), round(row)))
    if any(cells[cell] != "wall" for cell in solid):
        # A wall under a floor tile stops a player, but is not seen.
        return None
    places = shown_places(nodes, outside, scene.parent, (left, top, width, height))
    return None if places is None else (cells, places)


def resource(value: str, outside: Mapping[str, str]) -> str:
    match = re.fullmatch(r'ExtResource\("(.*)"\)', value)
    assert match is not None
    return outside[match[1]]


def layer_quads(layer: Drawn, tileset: Path) -> list[tuple[float, float, float, float, str]] | None:
    """The tiles of a layer: left, top, width, height and what is seen there; None if they do not
    stand upright.
    """
    a, b, c, d, _, _ = layer.matrix
    if abs(b) + abs(c) > 1e-5 or a <= 0 or d <= 0:
        return None
    parts = parse(tileset.read_text())
    (properties,) = (part.properties for part in parts if part.tag == "resource")
    (source,) = (part.properties for part in parts if part.tag == "sub_resource")
    (texture,) = (part.fields["path"] for part in parts if part.tag == "ext_resource")
    cell_width, cell_height = numbers(properties["tile_size"])
    side = numbers(source["texture_region_size"])
    margin, gap = (
        numbers(source.get(name, "Vector2i(0, 0)")) for name in ("margins", "separation")
    )
    looks = looks_of(texture)
    with Image.open(tileset.parent / texture) as image:
        pixels = image.convert("RGBA")
    found = []
    for x, y, number, column, row, alternative in last_cells(
        raw_cells(layer.part.properties["tile_map_data"])
    ):
        key = f"{column}:{row}/{alternative & 0x0FFF}"
        if number != 0 or key not in source:
            continue
        corner = [
            int(margin[axis] + (column, row)[axis] * (side[axis] + gap[axis])) for axis in (0, 1)
        ]
        look = pixels.crop(
            (corner[0], corner[1], corner[0] + int(side[0]), corner[1] + int(side[1]))
        )
        shift = numbers(source.get(f"{key}/texture_origin", "Vector2i(0, 0)"))
        # A tile is drawn around the middle of its cell.
        at = (
            (x + 0.5) * cell_width - side[0] / 2 - shift[0],
            (y + 0.5) * cell_height - side[1] / 2 - shift[1],
        )
        left, top = apply(layer.matrix, *at)
        found.append((left, top, side[0] * a, side[1] * d, looks.get(look.tobytes(), "unknown")))
    return found


def last_cells(cells: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The cells in order; of two tiles for one cell, the last."""
    return list({cell[:2]: cell for cell in cells}.values())


@lru_cache(maxsize=16)
def looks_of(texture: str) -> dict[bytes, str]:
    """What is seen in a picture of an atlas: the kind or place that each of its tiles shows."""
    atlas = atlas_named(texture)
    names = atlas.tileset.names
    return {
        drawn.tobytes(): tile.place or names[tile.kind or 0]
        for tile, drawn in zip(atlas.tiles, atlas.pixels, strict=True)
    }


def atlas_named(texture: str) -> Atlas:
    _, _tileset, theme, tile = Path(texture).stem.split("-")
    return atlas_of(
        THEMES[theme], Look().atlas(Level.from_text("..\n..").tileset).tileset, int(tile)
    )


def shown_places(
    nodes: list[Drawn],
    outside: Mapping[str, str],
    folder: Path,
    grid: tuple[float, float, float, float],
) -> dict[str, tuple[int, int]] | None:
    """The cells of the markers; None if one is hidden, or if its picture is elsewhere or shows
    another place.
    """
    left, top, width, height = grid

    def cell(node: Drawn) -> tuple[int, int]:
        return math.floor((node.matrix[4] - left) / width), math.floor(
            (node.matrix[5] - top) / height
        )

    places: dict[str, tuple[int, int]] = {}
    for node in nodes:
        if node.part.fields.get("type") == "Marker2D":
            places[node.part.fields["name"]] = cell(node)
            if not node.visible:
                return None
    for node in nodes:
        if node.part.fields.get("type") == "Sprite2D" and node.visible:
            texture = resource(node.part.properties["texture"], outside)
            x, y, across, down = (
                int(number) for number in numbers(node.part.properties["region_rect"])
            )
            with Image.open(folder / texture) as image:
                look = image.convert("RGBA").crop((x, y, x + across, y + down))
            sign = looks_of(texture).get(look.tobytes())
            name = node.path.split("/")[-2]
            if cell(node) != places[name] or sign != name:
                return None
    return places


@dataclass
class ShownThing:
    """A sprite below a node called Things: its groups, metadata, cell and pixels."""

    groups: list[str]
    metadata: dict[str, str]
    cell: tuple[int, int]
    pixels: bytes


def shown_things(scene: Path, tile: int = 16) -> dict[str, ShownThing]:
    """The sprites below `Things` by name, for a level that begins at 0,0."""
    parts = parse(scene.read_text())
    outside = {
        part.fields["id"]: part.fields["path"] for part in parts if part.tag == "ext_resource"
    }
    found = {}
    for node in drawn_nodes(parts):
        if not node.path.startswith("Things/"):
            continue
        own = node.part.properties
        left, top, wide, high = (int(number) for number in numbers(own["region_rect"]))
        with Image.open(scene.parent / resource(own["texture"], outside)) as image:
            cut = image.convert("RGBA").crop((left, top, left + wide, top + high))
        heading = next(
            line
            for line in scene.read_text().split("\n")
            if line.startswith(f'[node name="{node.path[7:]}"') and 'parent="Things"' in line
        )
        found[node.path[7:]] = ShownThing(
            re.findall(r'"([^"]*)"', heading.partition("groups=[")[2]),
            {key[9:]: value for key, value in own.items() if key.startswith("metadata/")},
            (math.floor(node.matrix[4] / tile), math.floor(node.matrix[5] / tile)),
            cut.tobytes(),
        )
    return found
