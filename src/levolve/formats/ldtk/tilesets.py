"""The tilesets of an LDtk project: the picture of an atlas, the kind of each tile, and the layers
that are drawn with it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from levolve.formats.ldtk.rules import Numbering, RuleGroup, groups_of
from levolve.formats.look import Look
from levolve.formats.themes.atlas import COLUMNS, FLOOR, Atlas
from levolve.levels.tileset import Tileset

TILES_LAYER, FLOOR_LAYER = "Tiles", "Floor"


@dataclass(frozen=True)
class TilesetSheet:
    """A tileset in a project: its atlas and the numbers of its definitions. `tag` is part of the
    names of its layers, if there are several sheets.
    """

    atlas: Atlas
    numbering: Numbering
    tag: str = ""

    @property
    def tiles_layer(self) -> str:
        """The IntGrid layer, which contains the kind of every cell and draws the walls, or all
        tiles if there are no walls.
        """
        return TILES_LAYER + self.tag

    @property
    def floor_layer(self) -> str | None:
        """The layer that draws the floor below the walls; None without walls."""
        return None if self.atlas.tileset.wall is None else FLOOR_LAYER + self.tag

    @cached_property
    def groups(self) -> dict[str, RuleGroup]:
        """The rules by the name of the layer that they draw."""
        found = groups_of(self.atlas, self.numbering, alone=not self.tag)
        named = {FLOOR: self.floor_layer}
        return {named.get(name) or self.tiles_layer: group for name, group in found.items()}

    @property
    def uid(self) -> int:
        """The number of the tileset."""
        return self.numbering("tileset", self.atlas.tileset.name)

    @property
    def picture(self) -> str:
        """The name of the picture of the tiles."""
        return f"{self.atlas.name}.png"

    def rectangle(self, tile: int) -> dict[str, int]:
        """Return the position of a tile in the picture."""
        side = self.atlas.tile
        return {
            "tilesetUid": self.uid,
            "x": tile % COLUMNS * side,
            "y": tile // COLUMNS * side,
            "w": side,
            "h": side,
        }

    def tileset_definition(self) -> dict[str, Any]:
        """Return the tileset. Every tile has the name of its kind, or of its place, as custom data;
        kinds are tags too.
        """
        atlas = self.atlas
        kinds = [
            {
                "enumValueId": name.capitalize(),
                "tileIds": [number for number, tile in enumerate(atlas.tiles) if tile.kind == kind],
            }
            for kind, name in enumerate(atlas.tileset.names)
        ]
        names = [
            tile.place if tile.kind is None else atlas.tileset.names[tile.kind]
            for tile in atlas.tiles
        ]
        return {
            "__cWid": COLUMNS,
            "__cHei": atlas.rows,
            "identifier": identifier_of(atlas.name),
            "uid": self.uid,
            "relPath": self.picture,
            "embedAtlas": None,
            "pxWid": COLUMNS * atlas.tile,
            "pxHei": atlas.rows * atlas.tile,
            "tileGridSize": atlas.tile,
            "spacing": 0,
            "padding": 0,
            "tags": [],
            "tagsSourceEnumUid": self.numbering("kinds", atlas.tileset.name),
            "enumTags": kinds,
            "customData": [{"tileId": number, "data": name} for number, name in enumerate(names)],
            "savedSelections": [],
            "cachedPixelData": None,
        }

    def kinds_definition(self) -> dict[str, Any]:
        """Return the enum of the kinds of tiles."""
        atlas = self.atlas
        values = []
        for kind, name in enumerate(atlas.tileset.names):
            red, green, blue = atlas.theme.colour(atlas.tileset, kind)
            values.append(
                {
                    "id": name.capitalize(),
                    "tileRect": self.rectangle(atlas.first[kind]),
                    "color": red << 16 | green << 8 | blue,
                }
            )
        return {
            "identifier": identifier_of(f"levolve-{atlas.tileset.name}-kinds"),
            "uid": self.numbering("kinds", atlas.tileset.name),
            "values": values,
            "iconTilesetUid": self.uid,
            "externalRelPath": None,
            "externalFileChecksum": None,
            "tags": [],
        }


def sheets_of(tilesets: Iterable[Tileset], look: Look) -> dict[str, TilesetSheet]:
    """Return a sheet per tileset, by its name."""
    different = {tileset.name: tileset for tileset in tilesets}
    numbering = Numbering()
    return {
        name: TilesetSheet(
            look.atlas(tileset), numbering, "" if len(different) == 1 else identifier_of(f"_{name}")
        )
        for name, tileset in different.items()
    }


def identifier_of(name: str) -> str:
    """Return a name in the form that LDtk keeps: letters, digits and _, a capital letter or _
    first.
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name)
    return plain[:1].upper() + plain[1:]
