"""The theme `hedge`: a garden of cut hedges."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import bare, blades, boulders, flowers, tufts

HEDGE = PaintedTheme(
    "hedge",
    "a garden of cut hedges",
    ground=Material(Ramp((150, 160, 92), (198, 206, 132), (226, 230, 166)), blades()),
    top=Material(Ramp((28, 78, 44), (58, 122, 62), (112, 172, 84)), boulders(5, 0.55)),
    front=Material(Ramp((14, 44, 34), (36, 88, 52), (74, 132, 66)), boulders(5, 0.8)),
    rim=Rim((160, 208, 104), north=0.8),
    marks=Marks("flag"),
    shape=WallShape(radius=4 / 16, front=5 / 16),
    gloom=0.35,
    bend=0.9 / 16,
    waves=8,
    details=(tufts, flowers, bare),
)
