"""The theme `cave`: a cave of rock and earth.

The theme `circuit`: a board of a computer.

The theme `dusk`: ruins in the last light.

The theme `hedge`: a garden of cut hedges.

The theme `ice`: blocks of ice in snow.

The theme `sand`: sandstone in the desert.

The theme `stone`: a dungeon of cut stone.

The theme `wood`: a house of boards and beams.
"""

from levolve.formats.themes.painted import Material, PaintedTheme, Rim, Shadow
from levolve.formats.themes.painting import Ramp
from levolve.formats.themes.signs import Marks
from levolve.formats.themes.surfaces import (
    bare,
    blades,
    boulders,
    crack,
    drift,
    facets,
    flowers,
    glints,
    grain,
    knot,
    masonry,
    panels,
    pebbles,
    planks,
    ripples,
    slabs,
    toned,
    traces,
    tufts,
    via,
    worn,
)
from levolve.formats.themes.thing_signs import Fittings
from levolve.formats.themes.wall_shapes import WallShape

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
    fittings=Fittings(stone=Ramp((64, 48, 42), (126, 100, 82), (186, 158, 132))),
)


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
    fittings=Fittings(
        stone=Ramp((20, 28, 48), (62, 78, 112), (120, 200, 206)),
        wood=Ramp((16, 54, 64), (34, 112, 116), (98, 226, 226)),
        metal=Ramp((40, 84, 104), (96, 170, 186), (200, 246, 248)),
        ink=(4, 8, 16),
    ),
)


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
    fittings=Fittings(stone=Ramp((50, 36, 72), (104, 80, 132), (216, 150, 140)), ink=(12, 8, 24)),
)


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
    fittings=Fittings(stone=Ramp((92, 88, 72), (160, 156, 130), (222, 220, 196))),
)


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
    fittings=Fittings(
        stone=Ramp((70, 112, 164), (138, 182, 218), (224, 242, 252)),
        wood=Ramp((64, 66, 92), (112, 118, 150), (176, 186, 210)),
        ink=(20, 36, 66),
    ),
)


SAND = PaintedTheme(
    "sand",
    "sandstone in the desert",
    ground=Material(Ramp((206, 172, 116), (236, 212, 162), (250, 234, 196)), ripples()),
    top=Material(
        Ramp((168, 116, 70), (202, 152, 98), (228, 184, 130)), masonry(1, 2, 1.0, 7, 0.35)
    ),
    front=Material(Ramp((104, 62, 40), (160, 104, 62), (198, 144, 92)), masonry(2, 2, 6 / 16)),
    rim=Rim((252, 224, 172)),
    path=(52, 142, 198),
    path_edge=(18, 56, 92),
    marks=Marks("flag"),
    shape=WallShape(radius=1 / 16, front=6 / 16),
    shadow=Shadow((84, 48, 30), 0.45),
    details=(drift, pebbles, bare),
    fittings=Fittings(stone=Ramp((128, 82, 50), (186, 134, 84), (236, 200, 146)), ink=(52, 28, 16)),
)


STONE = PaintedTheme(
    "stone",
    "a dungeon of cut stone",
    ground=Material(Ramp((158, 150, 138), (212, 205, 192), (238, 233, 222)), slabs()),
    top=Material(
        Ramp((70, 72, 88), (98, 101, 118), (128, 132, 150)),
        slabs(depth=0.45, bevel=0.12, roughness=0.3),
    ),
    front=Material(Ramp((44, 44, 58), (98, 98, 116), (140, 142, 160)), masonry(2, 2, 6 / 16)),
    rim=Rim((178, 183, 200)),
    marks=Marks("door"),
    shape=WallShape(front=6 / 16),
    details=(crack, pebbles, toned),
)


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
    fittings=Fittings(stone=Ramp((58, 32, 20), (104, 64, 38), (164, 116, 76)), ink=(32, 16, 10)),
)
