"""Which parts of a map are levolve's, and which a person added."""

from levolve.errors import shown
from levolve.formats.tiled.data import FLIPS, tile_numbers
from levolve.formats.tiled.layers import all_layers, level_layers, places_layer
from levolve.formats.tiled.model import Layer, Map, Object, TiledTileset
from levolve.formats.tiled.names import MOVES, OWN, PLACE, SOLUTION, written_by_us

_NOUNS = {"objectgroup": "object layer", "imagelayer": "image layer"}


def is_own(tileset: TiledTileset) -> bool:
    """Whether this is a tileset of levolve."""
    return (tileset.name if tileset.source is None else tileset.source).startswith(OWN)


def is_walk(entry: Object) -> bool:
    """Whether an object of the layer `solution` is the line that levolve draws."""
    return any(value.name == MOVES for value in entry.properties) or SOLUTION in {entry.name, entry.kind}


def is_plain(entry: Object, found: Map) -> bool:
    """Whether a place is as levolve writes it, apart from its position: a rectangle of one cell, or one of our tiles."""
    if entry.properties or entry.polygon or entry.polyline or entry.ellipse or entry.rotation or entry.kind not in {"", PLACE}:
        return False
    owner = owner_of(entry.gid & ~int(FLIPS), found.tilesets) if entry.gid else None
    return (entry.width, entry.height) == (found.tilewidth, found.tileheight) and (owner is None or is_own(owner))


def owner_of(number: int, tilesets: list[TiledTileset]) -> TiledTileset | None:
    """Return the tileset to which the number of a tile belongs."""
    return max((tileset for tileset in tilesets if tileset.firstgid <= number), key=lambda tileset: tileset.firstgid, default=None)


def numbers_of(layer: Layer) -> list[int]:
    """Return the numbers of a tile layer."""
    numbers: list[int] = (tile_numbers(layer.data, layer.compression, layer.width * layer.height) & ~FLIPS).tolist()
    return numbers


def every_layer(layers: list[Layer]) -> list[Layer]:
    """Return all layers, with groups and the layers in them."""
    return [inner for layer in layers for inner in (layer, *every_layer(layer.layers))]


def foreign_parts(found: Map) -> list[str]:
    """Return the parts of a map that are not levolve's: layers, objects, properties and tilesets, each in a few words."""
    own = {placed.path for placed in level_layers(found)}
    places = places_layer(found)
    parts = [f"group {shown(layer.name)}" for layer in every_layer(found.layers) if layer.type == "group"]
    for placed in all_layers(found):
        layer = placed.layer
        is_places, is_solution = places is not None and placed.path == places.path, layer.name == SOLUTION and layer.type == "objectgroup"
        if placed.path not in own and not is_places and not is_solution:
            parts.append(f"{_NOUNS.get(layer.type, 'layer')} {shown(layer.name)}")
            continue
        parts += [f"property {shown(entry.name)} of layer {shown(layer.name)}" for entry in layer.properties]
        if is_places:
            parts += [f"property {shown(value.name)} of object {shown(entry.name)}" for entry in layer.objects for value in entry.properties]
        if is_solution:
            parts += [f"object {shown(entry.name)} on layer {shown(layer.name)}" for entry in layer.objects if not is_walk(entry)]
    parts += [f"tileset {shown(tileset.source or tileset.name)}" for tileset in found.tilesets if not is_own(tileset)]
    ours = written_by_us(entry.name for entry in found.properties)
    parts += [f"property {shown(entry.name)}" for entry in found.properties if entry.name not in ours]
    parts += [f"class {shown(found.kind)} of the map"] if found.kind else []
    return parts + ([f"background colour {shown(found.backgroundcolor)}"] if found.backgroundcolor else [])


def foreign_artwork(found: Map) -> list[str]:
    """Return the tilesets of a person with which the level itself is drawn."""
    used = {number for placed in level_layers(found) for number in numbers_of(placed.layer)} - {0}
    owners = [owner_of(number, found.tilesets) for number in sorted(used)]
    return list(dict.fromkeys(shown(owner.source or owner.name) for owner in owners if owner is not None and not is_own(owner)))
