"""The tileset: meadows and forests are walkable, water is not."""

from levolve.levels.tileset import Tileset

MEADOW, FOREST, WATER = range(3)

LAKES = Tileset(
    "lakes",
    ",^~",
    ("meadow", "forest", "water"),
    ((True, True, False), (True, True, False), (False, False, False)),
    colours=((178, 205, 122), (62, 118, 74), (86, 146, 199)),
)
