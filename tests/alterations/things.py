"""Alterations of the things in Tiled maps and LDtk projects, and what they then show, found
plainly: the class of an object, the cell under its centre, and the kind that its tile looks like.
"""

import json
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from levolve.formats.look import Look
from levolve.formats.themes.thing_atlas import usual_signs
from levolve.levels.level import Level

SIDE = 16
Shown = set[tuple[str, tuple[int, int]]]
WAYS = ("drag", "cell", "delete", "copy", "class", "kind", "both", "tile", "hide", "turn", "size", "reference")  # fmt: skip


@cache
def kinds_by_look() -> dict[bytes, frozenset[str]]:
    """The kinds of the usual signs of the default theme by their pixels."""
    found: dict[bytes, set[str]] = {}
    for kind, look in usual_signs():
        pixels = Look().theme.thing(look, SIDE).tobytes()
        found.setdefault(pixels, set()).add(kind)
    return {pixels: frozenset(kinds) for pixels, kinds in found.items()}


def looks_like(picture: Path, x: int, y: int) -> frozenset[str]:
    """The kinds that a square of a picture of signs shows."""
    with Image.open(picture) as image:
        square = image.convert("RGBA").crop((x, y, x + SIDE, y + SIDE)).tobytes()
    return kinds_by_look().get(square, frozenset())


def _objects(root: ET.Element) -> tuple[ET.Element, list[ET.Element]]:
    layer = next(each for each in root.iter("objectgroup") if each.get("name") == "things")
    return layer, layer.findall("object")


def _value(entry: ET.Element, name: str) -> ET.Element | None:
    return next((each for each in entry.iter("property") if each.get("name") == name), None)


def alter_tmx(path: Path, level: Level, random: Random) -> str:  # noqa: C901, PLR0912 one branch per way
    """Change one thing of a map."""
    tree = ET.parse(path)
    layer, listed = _objects(tree.getroot())
    entry, way = random.choice(listed), random.choice(WAYS)
    if way == "drag":
        entry.set(random.choice("xy"), str(random.randint(0, 90)))
    elif way == "cell":
        entry.set("x", str(SIDE * random.randrange(level.width)))
        entry.set("y", str(SIDE * random.randint(1, level.height)))
    elif way == "delete":
        layer.remove(entry)
    elif way == "copy":
        twin = ET.fromstring(ET.tostring(entry))
        twin.set("id", str(random.choice((1, 90, 90, 90))))
        twin.set("x", str(SIDE * random.randrange(level.width)))
        layer.append(twin)
    elif way in {"class", "kind", "both"}:
        name = random.choice(("door", "monster", "torch", "key", "Door"))
        stated = _value(entry, "kind")
        if way != "kind":
            entry.set("type", name)
        if way != "class" and stated is not None:
            stated.set("value", name)
    elif way == "tile":
        entry.set("gid", random.choice(listed).get("gid", "1"))
    elif way == "hide":
        random.choice((entry, layer)).set("visible", "0")
    elif way == "turn":
        entry.set("rotation", random.choice(("90", "180", "0")))
    elif way == "size":
        for key in ("width", "height"):
            entry.attrib.pop(key)
    else:
        for value in entry.iter("property"):
            if value.get("type") == "object":
                value.set("value", random.choice(("0", "1", "3", "99")))
    tree.write(path)
    return f"{way} of {entry.get('name')}"


def shown_tmx(path: Path) -> Shown | None:
    """The kinds and cells of things; None if an object contradicts itself or is not seen."""
    import math

    root = ET.parse(path).getroot()
    layer, listed = _objects(root)
    tilesets = [
        (int(each.get("firstgid", "1")), each.get("source", "")) for each in root.iter("tileset")
    ]
    found: Shown = set()
    for entry in listed:
        kind, stated = entry.get("type", ""), _value(entry, "kind")
        if stated is not None and stated.get("value", "").lower() != kind.lower():
            return None
        if "0" in {entry.get("visible"), layer.get("visible")}:
            return None
        gid = int(entry.get("gid", "0"))
        first, source = max(each for each in tilesets if each[0] <= gid)
        number = gid - first
        seen = looks_like(
            path.parent / source.replace(".tsx", ".png"), number % 8 * SIDE, number // 8 * SIDE
        )
        if seen and kind.lower() not in seen:
            return None
        width, height = (float(entry.get(key, str(SIDE))) for key in ("width", "height"))
        turn = math.radians(float(entry.get("rotation", "0")))
        x, y = width / 2, -height / 2
        across = float(entry.get("x", "0")) + x * math.cos(turn) - y * math.sin(turn)
        down = float(entry.get("y", "0")) + x * math.sin(turn) + y * math.cos(turn)
        found.add(
            (kind.lower(), (math.floor(across / SIDE + 1e-9), math.floor(down / SIDE + 1e-9)))
        )
    return found if len(found) == len(listed) else None


def _entities(project: Any) -> tuple[Any, Any]:
    layers = project["levels"][0]["layerInstances"]
    layer = next(each for each in layers if each["__identifier"] == "Things")
    return layer, layer["entityInstances"]


def alter_ldtk(path: Path, level: Level, random: Random) -> str:
    """Change one thing of a project."""
    project = json.loads(path.read_text())
    layer, listed = _entities(project)
    entity, way = random.choice(listed), random.choice(WAYS)
    if way == "drag":
        entity["px"][random.randrange(2)] = random.randint(0, 90)
    elif way == "cell":
        entity["px"] = [SIDE * random.randrange(level.width), SIDE * random.randrange(level.height)]
    elif way == "delete":
        listed.remove(entity)
    elif way == "copy":
        twin = json.loads(json.dumps(entity))
        twin["iid"] = random.choice(
            (entity["iid"], "a copy", "11111111-2222-11ee-8888-123456789abc")
        )
        twin["px"][0] = SIDE * random.randrange(level.width)
        listed.append(twin)
    elif way in {"class", "kind", "both"}:
        other = random.choice(project["defs"]["entities"])
        entity["__identifier"] = other["identifier"] if way != "kind" else entity["__identifier"]
        entity["defUid"] = other["uid"] if way != "class" else entity["defUid"]
    elif way == "tile":
        entity["__tile"] = random.choice(listed)["__tile"]
    elif way == "hide":
        layer["visible"] = False
    elif way == "size":
        entity["width"] = random.choice((8, 32))
    else:
        field = random.choice(entity["fieldInstances"])
        field["__value"] = random.choice((None, "red", 5, [], {"entityIid": listed[0]["iid"]}))
    path.write_text(json.dumps(project))
    return f"{way} of {entity['__identifier']}"


def shown_ldtk(path: Path) -> Shown | None:
    """The kinds and cells of things; None if an entity contradicts itself or is not seen."""
    project = json.loads(path.read_text())
    layer, listed = _entities(project)
    names = {each["uid"]: each["identifier"] for each in project["defs"]["entities"]}
    pictures = {each["uid"]: each["relPath"] for each in project["defs"]["tilesets"]}
    found: Shown = set()
    for entity in listed:
        kind = entity["__identifier"].lower()
        if names[entity["defUid"]].lower() != kind or not layer["visible"]:
            return None
        for tile in [entity["__tile"], *(each["__tile"] for each in entity["fieldInstances"])]:
            seen = (
                looks_like(path.parent / pictures[tile["tilesetUid"]], tile["x"], tile["y"])
                if tile
                else set()
            )
            if seen and kind not in seen:
                return None
        middle = [entity["px"][0] + entity["width"] / 2, entity["px"][1] + entity["height"] / 2]
        found.add((kind, (int(middle[0] // SIDE), int(middle[1] // SIDE))))
    return found if len(found) == len(listed) else None
