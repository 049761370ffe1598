"""The theme `cave`: a cave of rock and earth."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import boulders, crack, grain, pebbles, worn

CAVE = PaintedTheme(
    "cave",
    "a cave of rock and earth",
    ground=Material(Ramp((146, 120, 92), (194, 168, 134), (224, 202, 170)), grain(3, 0.3)),
    top=Material(Ramp((52, 40, 38), (92, 74, 64), (130, 108, 90)), boulders(3, 0.4)),
    front=Material(Ramp((36, 28, 30), (84, 66, 58), (126, 102, 84)), boulders(3, 0.7, rows=5)),
    rim=Rim((170, 146, 118)),
    marks=Marks("portal"),
    shape=WallShape(north=1.5 / 16, side=1.5 / 16, radius=4 / 16, front=6 / 16),
    gloom=0.8,
    bend=1.8 / 16,
    details=(pebbles, worn, crack),
)
