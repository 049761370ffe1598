"""The theme `wood`: a house of boards and beams."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import bare, grain, knot, planks

WOOD = PaintedTheme(
    "wood",
    "a house of boards and beams",
    ground=Material(Ramp((164, 118, 74), (214, 170, 118), (238, 202, 154)), planks(4)),
    top=Material(Ramp((84, 50, 30), (122, 78, 46), (160, 110, 70)), grain(2, 0.4)),
    front=Material(Ramp((40, 22, 16), (88, 52, 32), (130, 84, 50)), planks(4, 25, upright=True)),
    rim=Rim((206, 156, 104)),
    path=(52, 142, 198),
    path_edge=(18, 56, 92),
    marks=Marks("door"),
    shape=WallShape(radius=0.5 / 16),
    shadow=Shadow((40, 20, 10), 0.45),
    details=(knot, bare, bare),
)
