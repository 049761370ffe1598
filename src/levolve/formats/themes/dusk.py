"""The theme `dusk`: ruins in the last light."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.surfaces import crack, grain, masonry, pebbles, slabs, toned

DUSK = PaintedTheme(
    "dusk",
    "ruins in the last light",
    ground=Material(Ramp((58, 50, 84), (92, 82, 122), (124, 112, 152)), slabs(depth=0.6)),
    top=Material(Ramp((26, 20, 44), (44, 36, 68), (70, 56, 96)), grain(3, 0.4)),
    front=Material(Ramp((14, 10, 28), (38, 28, 58), (92, 52, 82)), masonry(2, 2, 5 / 16)),
    rim=Rim((240, 148, 116), north=0.9, side=0.7, south=0.25),
    marks=Marks("portal"),
    shadow=Shadow((10, 6, 24), 0.55),
    details=(crack, toned, pebbles),
)
