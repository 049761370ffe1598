"""The theme `ice`: blocks of ice in snow."""

from levolve.formats.themes.marks import Marks
from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.shapes import WallShape
from levolve.formats.themes.surfaces import bare, drift, facets, glints, grain

ICE = PaintedTheme(
    "ice",
    "blocks of ice in snow",
    ground=Material(Ramp((186, 206, 226), (228, 238, 246), (250, 253, 255)), grain(2, 0.3)),
    top=Material(Ramp((104, 156, 204), (150, 198, 232), (206, 234, 250)), facets()),
    front=Material(Ramp((44, 88, 148), (86, 140, 194), (140, 190, 228)), facets(3, 19)),
    rim=Rim((246, 253, 255)),
    marks=Marks("portal"),
    shape=WallShape(radius=1.5 / 16, front=6 / 16),
    gloom=0.25,
    shadow=Shadow((40, 74, 128), 0.4),
    details=(drift, glints, bare),
)
