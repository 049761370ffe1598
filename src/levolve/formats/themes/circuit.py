"""The theme `circuit`: a board of a computer."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import bare, grain, panels, traces, via

CIRCUIT = PaintedTheme(
    "circuit",
    "a board of a computer",
    ground=Material(Ramp((8, 30, 36), (20, 56, 60), (70, 132, 120)), traces()),
    top=Material(Ramp((38, 44, 68), (66, 76, 108), (98, 112, 146)), grain(2, 0.2)),
    front=Material(Ramp((10, 12, 24), (34, 40, 62), (90, 190, 200)), panels()),
    rim=Rim((98, 226, 226), side=0.8, south=0.8),
    marks=Marks("portal"),
    shape=WallShape(radius=1.5 / 16, front=4 / 16),
    shadow=Shadow((0, 8, 12), 0.6),
    details=(via, bare, via),
)
