"""The theme `stone`: a dungeon of cut stone."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import crack, masonry, pebbles, slabs, toned

STONE = PaintedTheme(
    "stone",
    "a dungeon of cut stone",
    ground=Material(Ramp((158, 150, 138), (212, 205, 192), (238, 233, 222)), slabs()),
    top=Material(Ramp((70, 72, 88), (98, 101, 118), (128, 132, 150)), slabs(depth=0.45, bevel=0.12, roughness=0.3)),
    front=Material(Ramp((44, 44, 58), (98, 98, 116), (140, 142, 160)), masonry(2, 2, 6 / 16)),
    rim=Rim((178, 183, 200)),
    marks=Marks("door"),
    shape=WallShape(front=6 / 16),
    details=(crack, pebbles, toned),
)
