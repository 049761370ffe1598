"""The names of the layers, tilesets and properties that are levolve's in a Tiled map."""

from collections.abc import Iterable

from levolve.formats.metadata import METADATA
from levolve.formats.themes.atlas import FLOOR, TILES, WALLS

PLACES, SOLUTION, MOVES, KEEP = "places", "solution", "moves", "keep"
# A level is in these tile layers: two, or in earlier versions and for tilesets without walls one.
TILE_LAYERS = (FLOOR, WALLS, TILES)
# The class of the objects that are places.
PLACE = "place"
# The prefix of the names of our tilesets in a map.
OWN = "levolve-"
# The prefix of our properties. Readers such as pytmx reject properties with the names of their own attributes, such as `version`.
PREFIX = "levolve_"


def own_properties(names: Iterable[str]) -> dict[str, str]:
    """Return the metadata in a map's properties, as the name in `METADATA` by the name of the property.

    Earlier versions wrote names without a prefix. They count only in a map in which no name has the prefix.
    """
    listed = list(names)
    own = {name: name.removeprefix(PREFIX) for name in listed if name.startswith(PREFIX)}
    return own or {name: name for name in listed if name in METADATA}


def written_by_us(names: Iterable[str]) -> dict[str, str]:
    """Return the metadata that levolve wrote: every version wrote the digest. Without it, `seed` or `version` may be a person's own property."""
    own = own_properties(names)
    return own if "digest" in own.values() else {name: key for name, key in own.items() if name.startswith(PREFIX)}
