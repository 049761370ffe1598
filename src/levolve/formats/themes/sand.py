"""The theme `sand`: sandstone in the desert."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import bare, drift, masonry, pebbles, ripples

SAND = PaintedTheme(
    "sand",
    "sandstone in the desert",
    ground=Material(Ramp((206, 172, 116), (236, 212, 162), (250, 234, 196)), ripples()),
    top=Material(Ramp((168, 116, 70), (202, 152, 98), (228, 184, 130)), masonry(1, 2, 1.0, 7, 0.35)),
    front=Material(Ramp((104, 62, 40), (160, 104, 62), (198, 144, 92)), masonry(2, 2, 6 / 16)),
    rim=Rim((252, 224, 172)),
    path=(52, 142, 198),
    path_edge=(18, 56, 92),
    marks=Marks("flag"),
    shape=WallShape(radius=1 / 16, front=6 / 16),
    shadow=Shadow((84, 48, 30), 0.45),
    details=(drift, pebbles, bare),
)
