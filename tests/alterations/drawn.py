"""Alterations of Tiled maps that draw something over the level, or draw its tiles as something
else: a wall on the corridor, if nobody looks.
"""

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from alterations import tiled
from levolve.formats.look import Look
from levolve.formats.pictures.walk_lines import path_cells
from levolve.levels.level import Level

SIDE = 16
FLIPS = (0, 0, 0, 0x80000000, 0x40000000, 0x20000000, 0xA0000000)
OFFSETS = (0, 0, 0, 16, -16, 8, 1, 0.5, 48)


def alter(path: Path, level: Level, other: Level, random: Random) -> str:
    """Change a map once or twice; return what was done."""
    before = tiled.alter(path, level, other, random) if random.random() < 0.25 else ""
    return f"{before}; {random.choice(WAYS)(path, level, random)}"


def _atlas(level: Level) -> tuple[list[int], list[int], list[int]]:
    """The numbers of the tiles of floors, walls and marks in a map."""
    tiles = Look().atlas(level.tileset).tiles
    groups = [[n + 1 for n, tile in enumerate(tiles) if tile.kind == kind] for kind in (0, 1, None)]
    return groups[0], groups[1], groups[2]


def _number(level: Level, random: Random) -> int:
    """The number of a tile, most often of a wall, perhaps flipped."""
    floors, walls, marks = _atlas(level)
    return random.choice(random.choice((walls, walls, walls, floors, marks))) | random.choice(FLIPS)


def _cell(level: Level, random: Random) -> tuple[int, int]:
    """A cell, most often one of the solution."""
    if random.random() < 0.7:
        return random.choice(list(path_cells(level)))
    return random.randrange(level.width), random.randrange(level.height)


def _edit(path: Path) -> tuple[Any, ET.Element]:
    tree = ET.parse(path)
    return tree, tree.getroot()


def _changed(element: ET.Element, random: Random) -> None:
    """Give a layer some of the settings that move or hide it."""
    for key, values in (
        ("offsetx", OFFSETS),
        ("offsety", OFFSETS),
        ("opacity", (1, 1, 1, 0, 0.3)),
        ("visible", (1, 1, 1, 1, 0, "false", "true", "2")),
        ("tintcolor", ("#ffffff", "#ffffff", "#80ff0000", "#00ffffff")),
        ("parallaxx", (1, 1, 1, 0.5)),
        ("x", (0, 0, 0, 1)),
    ):
        if random.random() < 0.2:
            element.set(key, str(random.choice(values)))


def _insert(path: Path, element: ET.Element, random: Random) -> None:
    """Put a layer anywhere among others, perhaps in a group."""
    tree, root = _edit(path)
    _changed(element, random)
    if random.random() < 0.25:
        group = ET.Element("group", {"id": "91", "name": "group"})
        _changed(group, random)
        group.append(element)
        element = group
    first = next(n for n, each in enumerate(root) if each.tag in {"layer", "group", "objectgroup"})
    root.insert(random.randint(first, len(root)), element)
    tree.write(path)


def _layer(path: Path, level: Level, random: Random) -> str:
    """Add a tile layer."""
    width, height = random.choice(
        ((level.width, level.height),) * 4 + ((level.width + 1, level.height), (2, 2))
    )
    name = random.choice(("mine", "mine", "keep", "floor", "decor"))
    layer = ET.Element(
        "layer", {"id": "80", "name": name, "width": str(width), "height": str(height)}
    )
    share = random.choice((0.05, 0.3, 1))
    numbers = [
        _number(level, random) if random.random() < share else 0 for _ in range(width * height)
    ]
    ET.SubElement(layer, "data", {"encoding": "csv"}).text = ",".join(map(str, numbers))
    _insert(path, layer, random)
    return f"a layer {name}"


def _objects(path: Path, level: Level, random: Random) -> str:
    """Add objects that show tiles."""
    layer = ET.Element(
        "objectgroup", {"id": "81", "name": random.choice(("mine", "mine", "solution", "keep"))}
    )
    for number in range(random.randint(1, 4)):
        column, row = _cell(level, random)
        x = SIDE * column + random.choice(OFFSETS)
        y = SIDE * (row + 1) + random.choice(OFFSETS)
        entry = {
            "id": str(200 + number),
            "x": str(x),
            "y": str(y),
            "gid": str(_number(level, random)),
        }
        if random.random() < 0.6:
            entry |= {
                "width": str(random.choice((16, 16, 32, 8, -16))),
                "height": str(random.choice((16, 16, 32, 8))),
            }
        if random.random() < 0.3:
            entry["rotation"] = str(random.choice((90, 180, 270, 45, -90)))
        if random.random() < 0.1:
            entry["visible"] = random.choice(("0", "false"))
        if random.random() < 0.1:
            entry["template"] = _template(path, level)
        ET.SubElement(layer, "object", entry)
    _insert(path, layer, random)
    return "objects with tiles"


def _template(path: Path, level: Level) -> str:
    """Save an object that shows a wall as a template, and return its name.

    It is JSON: `tmxrasterizer` 1.8.2 reads templates by its plug-ins only. The form `.tx` is built
    into the editor, and the rasterizer draws nothing for an object of such a template.
    """
    (tsx,) = path.parent.glob("levolve-*.tsx")
    entry = {"id": 1, "gid": _atlas(level)[1][0], "width": SIDE, "height": SIDE, "visible": True}
    tileset = {"firstgid": 1, "source": tsx.name}
    template = {"type": "template", "tileset": tileset, "object": entry}
    (path.parent / "wall.tj").write_text(json.dumps(template))
    return "wall.tj"


def _from_template(path: Path, level: Level, random: Random) -> str:
    """Add an object that only a template describes."""
    layer = ET.Element("objectgroup", {"id": "82", "name": "mine"})
    column, row = _cell(level, random)
    entry = {"id": "300", "x": str(SIDE * column), "y": str(SIDE * (row + 1))}
    ET.SubElement(layer, "object", {**entry, "template": _template(path, level)})
    _insert(path, layer, random)
    return "an object of a template"


def _picture_of(path: Path) -> Path:
    (picture,) = path.parent.glob("levolve-*.png")
    return picture


def _wall_picture(path: Path, level: Level, random: Random) -> str:
    """Save the picture of a wall as a file of its own, and return its name."""
    number = random.choice(_atlas(level)[1]) - 1
    column, row = number % 8 * SIDE, number // 8 * SIDE
    with Image.open(_picture_of(path)) as image:
        image.convert("RGBA").crop((column, row, column + SIDE, row + SIDE)).save(
            path.parent / "mine.png"
        )
    return "mine.png"


def _image(path: Path, level: Level, random: Random) -> str:
    """Add a layer with a picture."""
    source = random.choice((_picture_of(path).name, _wall_picture(path, level, random)))
    layer = ET.Element("imagelayer", {"id": "83", "name": "mine"})
    ET.SubElement(layer, "image", {"source": source, "width": "16", "height": "16"})
    _insert(path, layer, random)
    tree, root = _edit(path)
    for each in root.iter("imagelayer"):
        each.set("offsetx", str(SIDE * random.randrange(level.width)))
        each.set("offsety", str(SIDE * random.randrange(level.height)))
    tree.write(path)
    return f"an image layer with {source}"


def _second_data(path: Path, level: Level, random: Random) -> str:
    """Add the numbers of a layer once more, in this or another form."""
    tree, root = _edit(path)
    layer = random.choice(list(root.iter("layer")))
    way = random.choice(("data", "chunk", "tile", "first"))
    numbers = ",".join(
        str(random.choice((0, _number(level, random)))) for _ in range(level.tiles.size)
    )
    if way in {"data", "first"}:
        data = ET.Element("data", {"encoding": "csv"})
        data.text = numbers
        layer.insert(0 if way == "first" else len(layer), data)
    else:
        data = next(layer.iter("data"))
        size = {"x": "0", "y": "0", "width": str(level.width), "height": str(level.height)}
        ET.SubElement(
            data, way, size if way == "chunk" else {"gid": str(_number(level, random))}
        ).text = numbers if way == "chunk" else None
        if way == "tile" and random.random() < 0.5:
            del data.attrib["encoding"]
    tree.write(path)
    return f"a second {way}"


def _infinite(path: Path, level: Level, random: Random) -> str:
    """Make the map infinite, with chunks or without."""
    tree, root = _edit(path)
    root.set("infinite", random.choice(("1", "1", "0", "true")))
    for data in root.iter("data"):
        chunk = ET.SubElement(
            data,
            "chunk",
            {"x": "0", "y": "0", "width": str(level.width), "height": str(level.height)},
        )
        chunk.text, data.text = data.text, None
    tree.write(path)
    return "chunks"


def _tileset_file(path: Path, level: Level, random: Random) -> str:  # noqa: C901, PLR0912 one branch per part
    """Change the tileset of the folder: animations, doubles, columns, margins, counts, rectangles
    and classes.
    """
    (tsx,) = path.parent.glob("levolve-*.tsx")
    tree, root = _edit(tsx)
    floors, walls, _ = _atlas(level)
    chosen = str(random.choice(floors[:3] + walls[:3]) - 1)
    tile = next(each for each in root.findall("tile") if each.get("id") == chosen)
    way = random.choice(
        (
            "animation",
            "double",
            "columns",
            "tilecount",
            "spacing",
            "margin",
            "rectangle",
            "image",
            "size",
            "second",
            "own",
            "offset",
            "grid",
        )
    )
    if way == "animation":
        frames = ET.SubElement(tile, "animation")
        for _ in range(random.randint(1, 3)):
            ET.SubElement(
                frames,
                "frame",
                {
                    "tileid": str(random.choice(random.choice((walls, floors))) - 1),
                    "duration": "100",
                },
            )
    elif way == "double":
        ET.SubElement(
            root, "tile", {"id": tile.get("id", ""), "type": random.choice(("wall", "floor"))}
        )
    elif way == "columns":
        root.set("columns", str(random.choice((4, 7, 9, 16, 0))))
    elif way in {"tilecount", "spacing", "margin"}:
        root.set(way, str(random.choice((1, 2, 16))))
    elif way == "rectangle":
        tile.attrib |= {"x": "16", "y": "16", "width": "16", "height": "16"}
    elif way in {"image", "second"}:
        image = root.find("image")
        assert image is not None
        if way == "second":
            root.insert(
                1,
                ET.Element(
                    "image",
                    {"source": _wall_picture(path, level, random), "width": "16", "height": "16"},
                ),
            )
        else:
            image.set("width", str(random.choice((64, 256))))
    elif way == "own":
        ET.SubElement(
            tile,
            "image",
            {
                "source": random.choice(
                    (_wall_picture(path, level, random), _picture_of(path).name)
                ),
                "width": "16",
                "height": "16",
            },
        )
    elif way == "size":
        root.set("tilewidth", "8")
        root.set("tileheight", "8")
    elif way == "grid":
        root.attrib |= {"tilerendersize": "grid", "fillmode": "stretch"}
    else:
        root.insert(0, ET.Element("tileoffset", {"x": "0", "y": str(random.choice((16, 8, -16)))}))
    tree.write(tsx)
    return f"tileset: {way}"


def _swapped(path: Path, level: Level, random: Random) -> str:
    """Change which tile of the picture is where, perhaps in a copy with another name or in another
    form.
    """
    picture = _picture_of(path)
    with Image.open(picture) as image:
        pixels = image.convert("RGBA")
    for _ in range(random.choice((1, 20, 60))):
        one, two = (
            ((number % 8) * SIDE, (number // 8) * SIDE) for number in random.sample(range(65), 2)
        )
        first, second = (pixels.crop((x, y, x + SIDE, y + SIDE)) for x, y in (one, two))
        pixels.paste(first, two)
        pixels.paste(second, one)
    way = random.choice(("same", "renamed", "form"))
    if way == "same":
        pixels.save(picture)
    elif way == "renamed":
        pixels.save(path.parent / "mine.png")
        (tsx,) = path.parent.glob("levolve-*.tsx")
        tsx.write_text(tsx.read_text().replace(picture.name, "mine.png"))
    else:
        buffer = io.BytesIO()
        pixels.convert("RGB").save(buffer, "BMP")
        picture.write_bytes(buffer.getvalue())
    del level
    return f"tiles of the picture swapped: {way}"


def _another(path: Path, level: Level, random: Random) -> str:
    """Add another tileset with our picture, or a copy of it, and a layer that uses it; perhaps in
    another folder, or with the same first number.
    """
    source, folder = _picture_of(path).name, random.choice(("", "", "sub/", "../out/"))
    if random.random() < 0.5:
        (path.parent / "copy.png").write_bytes((path.parent / source).read_bytes())
        source = "copy.png"
    (path.parent / folder).mkdir(exist_ok=True)
    (path.parent / folder / source).write_bytes((path.parent / source).read_bytes())
    classes = "" if random.random() < 0.5 else '<tile id="8" type="wall"/>'
    image = f'<image source="{source}" width="128" height="144"/>'
    content = (
        'name="mine" tilewidth="16" tileheight="16" tilecount="72" '
        f'columns="8">{image}{classes}</tileset>'
    )
    (path.parent / folder / "mine.tsx").write_text(f"<tileset {content}")
    tree, root = _edit(path)
    first = random.choice((1000, 1000, 1000, 1, 40))
    inside = random.random() < 0.4 and not folder
    tileset = (
        ET.fromstring(f'<tileset firstgid="{first}" {content}')
        if inside
        else ET.Element("tileset", {"firstgid": str(first), "source": f"{folder}mine.tsx"})
    )
    root.insert(
        next(n for n, each in enumerate(root) if each.tag == "tileset") + random.randint(0, 1),
        tileset,
    )
    tree.write(path)
    layer = ET.Element(
        "layer",
        {"id": "84", "name": "mine", "width": str(level.width), "height": str(level.height)},
    )
    walls = _atlas(level)[1]
    numbers = [
        first - 1 + random.choice(walls) if random.random() < 0.4 else 0
        for _ in range(level.tiles.size)
    ]
    ET.SubElement(layer, "data", {"encoding": "csv"}).text = ",".join(map(str, numbers))
    _insert(path, layer, random)
    return f"another tileset {folder}mine.tsx with {source} from {first}"


def _mark(path: Path, level: Level, random: Random) -> str:
    """Let a place show another tile, or take its size away."""
    tree, root = _edit(path)
    places = next(each for each in root.iter("objectgroup") if each.get("name") == "places")
    entry = random.choice(places.findall("object"))
    way = random.choice(("tile", "tile", "size", "larger"))
    if way == "tile":
        entry.set("gid", str(_number(level, random)))
    elif way == "size":
        for key in random.choice((("width", "height"), ("width",), ("height",))):
            entry.attrib.pop(key, None)
    else:
        entry.attrib |= {"width": "48", "height": "48", "gid": str(_number(level, random))}
    tree.write(path)
    return f"{way} of {entry.get('name')}"


def _syntax(path: Path, level: Level, random: Random) -> str:
    """Write a number or a flag in a form that programs read differently."""
    del level
    tree, root = _edit(path)
    layer = random.choice([each for each in root.iter() if each.tag in {"layer", "objectgroup"}])
    key, value = random.choice(
        (
            ("offsetx", "1_6"),
            ("offsetx", "1e1"),
            ("visible", "off"),
            ("visible", "no"),
            ("opacity", "nan"),
            ("offsety", " 16 "),
        )
    )
    layer.set(key, value)
    tree.write(path)
    return f"{key} = {value!r}"


WAYS = (
    _layer,
    _layer,
    _objects,
    _objects,
    _from_template,
    _image,
    _second_data,
    _infinite,
    _tileset_file,
    _tileset_file,
    _swapped,
    _another,
    _mark,
    _syntax,
)
