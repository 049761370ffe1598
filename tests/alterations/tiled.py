"""Alterations of Tiled maps, in both forms, their tileset and its picture."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random
from typing import Any

from alterations.alteration import pick
from levolve.levels.level import Level

OFFSETS = (0, 16, -16, 32, 8, 1, 0.5)


def alter(path: Path, level: Level, other: Level, random: Random) -> str:
    """Change a map once or twice; return what was done."""
    del other
    ways = (_layer, _layer, _layer, _group, _object, _object, _cells, _tileset, _order)
    return "; ".join(
        random.choice(ways)(path, level, random) for _ in range(random.choice((1, 1, 2)))
    )


class _File:
    """A map that can be changed: elements of TMX or objects of JSON."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.json = path.suffix == ".tmj"
        self.root: Any = json.loads(path.read_text()) if self.json else ET.parse(path).getroot()

    def layers(self) -> list[Any]:
        return (
            self.root["layers"]
            if self.json
            else [each for each in self.root if each.tag in {"layer", "objectgroup", "group"}]
        )

    def named(self, name: str) -> Any:
        return next((layer for layer in self.layers() if layer.get("name") == name), None)

    def objects(self) -> list[Any]:
        places = self.named("places")
        return (
            [] if places is None else places["objects"] if self.json else places.findall("object")
        )

    def put(self, element: Any, key: str, value: float | bool) -> None:
        if self.json:
            element[key] = value
        else:
            element.set(key, str(int(value) if isinstance(value, bool) else value))

    def save(self) -> None:
        text = json.dumps(self.root) if self.json else ET.tostring(self.root, "unicode")
        self._path.write_text(text)


def _layer(path: Path, level: Level, random: Random) -> str:
    """Move a layer, hide it, make it faint or let it scroll at another speed."""
    del level
    file = _File(path)
    name = pick(random, "floor", "walls", "places")
    key, value = random.choice(
        (
            *(
                (key, random.choice(OFFSETS))
                for key in ("offsetx", "offsety", "offsetx", "offsety")
            ),
            ("visible", False),
            ("opacity", random.choice((0, 0.2, 0.9))),
            ("parallaxx", random.choice((0.5, 1))),
        )
    )
    layer = file.named(name)
    if layer is not None:
        file.put(layer, key, value)
        file.save()
    return f"{key} = {value} of {name}"


def _group(path: Path, level: Level, random: Random) -> str:
    """Put a layer into a group that is moved."""
    del level
    file = _File(path)
    name, key, value = (
        pick(random, "floor", "walls", "places"),
        pick(random, "offsetx", "offsety"),
        random.choice(OFFSETS),
    )
    layer = file.named(name)
    if layer is None:
        return "nothing"
    index = list(file.root["layers"] if file.json else file.root).index(layer)
    if file.json:
        file.root["layers"][index] = {
            "type": "group",
            "name": "mine",
            "id": 90,
            key: value,
            "layers": [layer],
            "visible": True,
            "opacity": 1,
            "x": 0,
            "y": 0,
        }
    else:
        group = ET.Element("group", {"id": "90", "name": "mine", key: str(value)})
        file.root.remove(layer)
        group.append(layer)
        file.root.insert(index, group)
    file.save()
    return f"{name} in a group with {key} = {value}"


def _object(path: Path, level: Level, random: Random) -> str:
    """Drag, turn, resize or hide an object, or exchange two."""
    file = _File(path)
    objects = file.objects()
    if not objects:
        return "nothing"
    entry = random.choice(objects)
    way = pick(random, "drag", "drag", "cell", "turn", "resize", "hide", "exchange")
    if way == "drag":
        file.put(entry, pick(random, "x", "y"), random.randint(0, 70))
    elif way == "cell":
        file.put(entry, "x", 16 * random.randrange(level.width))
        file.put(entry, "y", 16 * random.randint(1, level.height))
    elif way == "turn":
        file.put(entry, "rotation", random.choice((90, 180, 30, 0)))
    elif way == "resize":
        file.put(entry, "width", random.choice((8, 32, 48)))
        file.put(entry, "height", random.choice((8, 32)))
    elif way == "hide":
        file.put(entry, "visible", value=False)
    else:
        one, two = random.sample(objects, 2)
        for key in ("x", "y"):
            first, second = float(one.get(key)), float(two.get(key))
            file.put(one, key, second)
            file.put(two, key, first)
    file.save()
    return f"{way} of {entry.get('name')}"


def _cells(path: Path, level: Level, random: Random) -> str:
    """Paint, erase and flip tiles."""
    file = _File(path)
    name = pick(random, "floor", "walls")
    layer = file.named(name)
    if layer is None:
        return "nothing"
    numbers = (
        layer["data"] if file.json else [int(each) for each in layer.find("data").text.split(",")]
    )
    for _ in range(random.randint(1, 3)):
        index = random.randrange(level.tiles.size)
        numbers[index] = random.choice(
            (0, random.randint(1, 66), numbers[index] | (0x80000000 if numbers[index] else 0))
        )
    if not file.json:
        layer.find("data").text = ",".join(map(str, numbers))
    file.save()
    return f"other tiles in {name}"


def _tileset(path: Path, level: Level, random: Random) -> str:
    """Change the tileset of the folder, or the size of the map's tiles."""
    del level
    if path.suffix == ".tmj":
        return _embedded(path, random)
    (tsx,) = path.parent.glob("*.tsx")
    text = tsx.read_text()
    before, after = random.choice(
        (
            (r'tilewidth="16"', 'tilewidth="32"'),
            (r'margin="0"', 'margin="16"'),
            (r'spacing="0"', 'spacing="16"'),
            (r'columns="8"', 'columns="4"'),
            (r"( <image )", r' <tileoffset x="16" y="0" />\n\1'),
            (r'type="wall"', 'type="floor"'),
            (r'type="floor"', 'type="wall"'),
        )
    )
    tsx.write_text(re.sub(before, after, text))
    return f"tileset: {before} → {after}"


def _embedded(path: Path, random: Random) -> str:
    """Change the tileset inside a map of JSON."""
    file = _File(path)
    (tileset,) = file.root["tilesets"]
    key, value = random.choice(
        (
            ("tilewidth", 32),
            ("margin", 16),
            ("spacing", 16),
            ("tileoffset", {"x": 16, "y": 0}),
            ("type", ""),
        )
    )
    if key != "type":
        tileset[key] = value
    for tile in tileset["tiles"] if key == "type" else []:
        tile["type"] = {"wall": "floor", "floor": "wall"}.get(tile["type"], tile["type"])
    file.save()
    return f"tileset inside: {key} = {value}"


def _order(path: Path, level: Level, random: Random) -> str:
    """Put the last layer of tiles first, or change the map's grid."""
    del level
    file = _File(path)
    if random.random() < 0.5:
        file.put(file.root, pick(random, "tilewidth", "tileheight"), random.choice((8, 32)))
        file.save()
        return "another grid"
    floor, walls = file.named("floor"), file.named("walls")
    if floor is None or walls is None:
        return "nothing"
    container = file.root["layers"] if file.json else file.root
    container.remove(walls)
    container.insert(list(container).index(floor), walls)
    file.save()
    return "walls below the floor"
