"""`Fittings`: painted signs of things: keys, doors, levers, gates, monsters.

All lengths are in sixteenths of a tile.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from levolve.formats.themes.painting import Ramp, ramp_of
from levolve.formats.themes.sign_pen import GOLD, LIGHT, PIXEL, Materials, Pen, emblem
from levolve.formats.themes.textures import Field, canvas_of
from levolve.formats.themes.theme import Pixels
from levolve.formats.themes.things import COIN, ROUND, SLAB, SPIKED, SQUARE, ThingLook
from levolve.levels.tileset import Colour

# Smaller tiles show a shape of one colour.
_LEAST_SIGN = 8


class Fittings(Materials):
    """The things of a theme, made of its materials."""

    def draw(self, look: ThingLook, tile: int) -> Pixels:
        """Draw a thing, transparent where the floor is seen."""
        return _drawn(self, look, tile).copy()


@lru_cache(maxsize=512)
def _drawn(fittings: Materials, look: ThingLook, tile: int) -> Pixels:
    pen = Pen(fittings, canvas_of(tile))
    if look.is_gone:
        return pen.paint.pixels()
    if tile < _LEAST_SIGN:
        _small(pen, look)
    else:
        _PAINTERS[look.sign](pen, look)
    return pen.paint.pixels()


def _small(pen: Pen, look: ThingLook) -> None:
    """A square for what bars the way, a diamond for anything else."""
    bars = look.sign in {"door", "small_door", "gate", "treasure_gate", SQUARE, "secret_door"}
    shape = pen.box(2, 2, 14, 14) if bars else pen.polygon((8, 1), (15, 8), (8, 15), (1, 8))
    pen.edged([shape], look.colour, 1.4)
    if bars and look.changed:
        pen.ink(pen.box(5, 5, 11, 11), 0)


def _key(pen: Pen, look: ThingLook) -> None:
    pen.shadow(3, 13.5, 13.4)
    bow = emblem(pen, look.emblem, 4.9, 8, 3.5)
    shaft = pen.line(2, (8, 8), (14, 8))
    teeth = [pen.line(1.8, (x, 8), (x, low)) for x, low in ((13.6, 11.2), (10.8, 10.6))]
    pen.edged([bow, shaft, *teeth], look.colour, 0.9)
    pen.ink(emblem(pen, look.emblem, 4.9, 8, 1.35), 0)


def _small_key(pen: Pen, _look: ThingLook) -> None:
    pen.shadow(6, 11)
    ring = pen.disc(8, 4.8, 2.8)
    shaft = pen.line(1.9, (8, 7), (8, 13.4))
    teeth = [pen.line(1.7, (8, y), (10.6, y)) for y in (13.2, 10.8)]
    pen.edged([ring, shaft, *teeth], pen.fittings.metal, 0.9)
    pen.ink(pen.disc(8, 4.8, 1.1), 0)


def _frame(pen: Pen, ramp: Ramp | Colour) -> Field:
    """A frame that fills the tile; return the opening in it."""
    pen.edged([pen.box(0.7, 0.7, 15.3, 15.9, 1.2)], ramp, 0.7)
    opening = pen.box(2.7, 2.7, 13.3, 15.9, 0.8)
    pen.ink(opening, 0.6)
    return opening


def _leaf(pen: Pen, opening: Field, ramp: Ramp | Colour, *, is_open: bool) -> None:
    """The leaf of a door: shut, or folded to the left."""
    if is_open:
        pen.fill(np.minimum(opening, pen.box(2.7, 2.7, 5.2, 16)), ramp)
        return
    pen.fill(opening, ramp)
    for x in (6.2, 9.8):
        pen.ink(pen.line(0.6, (x, 3), (x, 16)), 0, 0.5)


def _door(pen: Pen, look: ThingLook) -> None:
    opening = _frame(pen, pen.fittings.stone)
    _leaf(pen, opening, look.colour, is_open=look.changed)
    if not look.changed:
        pen.edged([emblem(pen, look.emblem, 8, 9.2, 2.6)], LIGHT, 0.8)
        pen.ink(emblem(pen, look.emblem, 8, 9.2, 1.2), 0)


def _small_door(pen: Pen, look: ThingLook) -> None:
    opening = _frame(pen, pen.fittings.stone)
    _leaf(pen, opening, pen.fittings.wood, is_open=look.changed)
    if not look.changed:
        shackle = pen.disc(8, 7.6, 2.5)
        pen.ink(shackle)
        pen.fill(shackle, pen.fittings.metal)
        pen.ink(pen.disc(8, 7.6, 1.1), 0)
        pen.edged([pen.box(5, 7.8, 11, 12.6, 0.9)], pen.fittings.metal)
        pen.ink(pen.line(1.3, (8, 9.6), (8, 10.8)), 0)


def _treasure_gate(pen: Pen, look: ThingLook) -> None:
    opening = _frame(pen, GOLD)
    _leaf(pen, opening, pen.fittings.wood, is_open=look.changed)
    if not look.changed:
        pen.edged([pen.disc(8, 9.2, 4.3)], GOLD)
        pen.text(look.text, 8, 9.2, 4.8, pen.fittings.ink)


def _gate(pen: Pen, look: ThingLook) -> None:
    opening = _frame(pen, pen.fittings.stone)
    low = 5.4 if look.changed else 16.0
    for x in (4.4, 8.0, 11.6):
        bar = np.minimum(pen.line(1.7, (x, 2.6), (x, low)), pen.box(0, 2.2, 16, 16))
        pen.fill(np.minimum(bar, opening + 0.4 * PIXEL), pen.fittings.metal)
    if not look.changed:
        for y in (6.6, 11.6):
            pen.fill(pen.box(2.7, y, 13.3, y + 1.2), pen.fittings.metal)
    pen.edged([pen.disc(8, 2.2, 1.9)], look.colour, 0.7)


def _lever(pen: Pen, look: ThingLook) -> None:
    pen.shadow(3, 13)
    end = (12.4, 4.2) if look.changed else (3.6, 4.2)
    pen.edged([pen.line(1.8, (8, 11.4), end)], pen.fittings.metal)
    pen.edged([pen.disc(*end, 2.3)], look.colour)
    pen.edged([pen.box(3, 10.4, 13, 14, 1.4)], pen.fittings.stone)
    pen.ink(pen.box(6.2, 11.2, 9.8, 12.4, 0.5), 0)


def _button(pen: Pen, look: ThingLook) -> None:
    pen.shadow(3, 13)
    pen.edged([pen.box(2.6, 4.4, 13.4, 14, 2)], pen.fittings.stone)
    if look.changed:
        pen.ink(pen.disc(8, 9.2, 3.2), 0.8)
        pen.fill(pen.disc(8, 9.4, 2.8), look.colour, 0.4)
        return
    pen.ink(pen.disc(8, 9.4, 3.6))
    pen.fill(pen.disc(8, 9.4, 3.6), ramp_of(look.colour, 0.45).dark)
    pen.fill(pen.disc(8, 8, 3.6), look.colour)


def _plate(pen: Pen, look: ThingLook) -> None:
    inset = 1.4 if look.changed else 0.0
    pen.ink(pen.box(2, 2, 14, 14, 1), 0.6)
    pen.fill(pen.box(2, 2, 14, 14, 1), pen.fittings.stone.dark)
    side = 2.4 + inset
    low = 16 - side - 1.2 + inset
    pen.fill(pen.box(side, side, 16 - side, low, 0.8), pen.fittings.stone)
    pen.edged([emblem(pen, 2, 8, 7.6 + inset * 0.4, 2.2)], look.colour, 0.6)
    if look.changed:
        pen.ink(pen.box(2, 2, 14, 14, 1), 0, 0.4)


_TURNS: Mapping[str, Callable[[float, float], tuple[float, float]]] = {
    "r": lambda x, y: (x, y),
    "l": lambda x, y: (16 - x, 16 - y),
    "d": lambda x, y: (16 - y, x),
    "u": lambda x, y: (y, 16 - x),
}


def _one_way(pen: Pen, look: ThingLook) -> None:
    turn = _TURNS.get(look.direction, _TURNS["r"])
    pen.ink(pen.box(1.6, 1.6, 14.4, 14.4, 2), 0, 0.28)
    for x in (4.0, 8.6):
        line = pen.line(2.1, *(turn(*point) for point in ((x, 4.2), (x + 3.6, 8), (x, 11.8))))
        pen.edged([line], look.colour, 0.9)


def _stairs(pen: Pen, look: ThingLook) -> None:
    pen.shadow(2, 14, 14.8)
    steps = [pen.box(2 + 3 * step, 11 - 3 * step, 14, 14.4) for step in range(4)]
    pen.edged(steps, pen.fittings.stone)
    for step in range(4):
        top = 11 - 3 * step
        pen.fill(pen.box(2 + 3 * step, top, 14, top + 1.1), pen.fittings.stone.light)
        pen.ink(pen.line(0.5, (2 + 3 * step, top + 3), (14, top + 3)), 0, 0.35)
    pen.edged([pen.polygon((4.4, 1.6), (7.2, 5.6), (1.6, 5.6))], look.colour, 0.7)


def _teleporter(pen: Pen, look: ThingLook) -> None:
    ramp = ramp_of(look.colour, 0.5)
    pen.edged([pen.disc(8, 8, 6.8)], ramp)
    pen.ink(pen.disc(8, 8, 5), 0)
    pen.fill(pen.disc(8, 8, 4.2), ramp.dark)
    pen.fill(pen.disc(7.4, 7.4, 2.9), ramp.base)
    pen.fill(pen.disc(7, 7, 1.5), ramp.light)


def _treasure(pen: Pen, _look: ThingLook) -> None:
    pen.shadow(3, 13, 14)
    pen.edged([pen.box(2, 4, 14, 13.6, 2)], pen.fittings.wood)
    pen.fill(pen.box(2, 4, 14, 7.6, 2), pen.fittings.wood.light)
    pen.ink(pen.box(2, 7.4, 14, 8.2), 0)
    for x in (3.4, 11.2):
        pen.fill(pen.box(x, 4, x + 1.5, 13.6), GOLD)
    pen.edged([pen.box(6.4, 6.6, 9.6, 10.4, 0.8)], GOLD, 0.6)
    pen.ink(pen.line(1, (8, 8.2), (8, 9)), 0)


def _coin(pen: Pen, _look: ThingLook) -> None:
    pen.shadow(5, 11, 13.4)
    pen.edged([pen.disc(8, 8, 4.8)], GOLD)
    pen.fill(pen.disc(8, 8, 3.5), GOLD.dark)
    pen.fill(pen.disc(8, 8, 3.0), GOLD)
    pen.fill(pen.line(1.3, (8, 6.4), (8, 9.6)), GOLD.light)


def _eyes(pen: Pen, y: float, apart: float, size: float) -> None:
    for x in (8 - apart, 8 + apart):
        pen.fill(pen.disc(x, y, size), LIGHT, 0)
        pen.ink(pen.disc(x + 0.2, y + 0.3, size * 0.5), 0)


def _monster(pen: Pen, look: ThingLook) -> None:
    pen.shadow(3.6, 12.4)
    body = pen.disc(8, 8.2, 5)
    skirt = pen.box(3, 8.2, 13, 13.4, 1.2)
    horns = [pen.polygon((x, 1.8), (x + 1.6, 5.6), (x - 1.6, 5.6)) for x in (4.8, 11.2)]
    pen.edged([body, skirt, *horns], look.colour)
    for x in (5.6, 10.4):
        pen.ink(pen.polygon((x, 11.6), (x + 1.1, 14.2), (x - 1.1, 14.2)), 0)
    _eyes(pen, 7.6, 2.1, 1.5)
    pen.ink(pen.line(0.9, (6, 10.6), (10, 10.6)), 0)
    pen.badge(look.text)


def _boss(pen: Pen, look: ThingLook) -> None:
    pen.shadow(2.4, 13.6, 14.8)
    head = pen.disc(8, 9, 5.8)
    jaw = pen.box(3.2, 9, 12.8, 14.4, 1.4)
    horns = [
        pen.polygon((1, 0.8), (5.4, 4.4), (2.6, 7.4)),
        pen.polygon((15, 0.8), (13.4, 7.4), (10.6, 4.4)),
    ]
    pen.edged(horns, LIGHT)
    pen.edged([head, jaw], look.colour)
    crown = [pen.box(4.6, 3.2, 11.4, 4.8)]
    crown += [pen.polygon((x, 0.8), (x + 1.5, 3.6), (x - 1.5, 3.6)) for x in (5.6, 8, 10.4)]
    pen.edged(crown, GOLD, 0.6)
    _eyes(pen, 8.2, 2.4, 1.6)
    pen.ink(pen.box(5, 10.8, 11, 13, 0.8), 0)
    for x in (5.8, 8, 10.2):
        pen.fill(pen.polygon((x - 0.9, 10.8), (x + 0.9, 10.8), (x, 12.6)), LIGHT, 0)
    pen.badge(look.text)


def _trap(pen: Pen, look: ThingLook) -> None:
    pen.ink(pen.box(1.6, 1.6, 14.4, 14.4, 1.2), 0, 0.4)
    for y in (7.4, 13.4):
        for x in (4, 8, 12):
            pen.ink(pen.box(x - 1.5, y - 0.9, x + 1.5, y + 0.5, 0.6), 0, 0.8)
            if not look.changed:
                pen.edged(
                    [pen.polygon((x, y - 5.4), (x + 1.4, y), (x - 1.4, y))], pen.fittings.metal, 0.6
                )
    if not look.changed:
        pen.badge(look.text)


def _potion(pen: Pen, look: ThingLook) -> None:
    pen.shadow(4, 12)
    glass = [pen.disc(8, 9.8, 4.4), pen.box(6.3, 2.8, 9.7, 8)]
    pen.edged(glass, (206, 226, 236))
    pen.fill(np.minimum(pen.disc(8, 9.8, 3.7), pen.box(0, 8.6, 16, 16)), look.colour)
    pen.edged([pen.box(5.8, 1.6, 10.2, 3.4, 0.6)], pen.fittings.wood, 0.6)
    pen.fill(pen.line(0.9, (6, 8.2), (5.6, 10.2)), LIGHT, 0)
    pen.badge(look.text)


def _spawn(pen: Pen, look: ThingLook) -> None:
    ring = np.minimum(pen.disc(8, 8, 6.4), -pen.disc(8, 8, 4.9))
    gaps = np.maximum(pen.box(6.9, 0, 9.1, 16), pen.box(0, 6.9, 16, 9.1))
    dashes = np.minimum(ring, -gaps)
    pen.ink(dashes, 0.7, 0.8)
    pen.fill(dashes, look.colour, 0.3)
    if look.text:
        pen.ink(pen.disc(8, 8, 3.7), 0, 0.75)
        pen.text(look.text, 8, 8, 4.6, look.colour)
        return
    pen.edged([pen.disc(8, 8, 1.5)], look.colour, 0.7)


def _heart(pen: Pen, look: ThingLook) -> None:
    parts = [pen.disc(10.6, 11.2, 2), pen.disc(13.6, 11.2, 2)]
    tip = pen.polygon((8.8, 12), (15.4, 12), (12.1, 15.4))
    pen.edged([*parts, tip], look.colour, 0.8)


def _secret_door(pen: Pen, _look: ThingLook) -> None:
    arch = np.maximum(pen.disc(8, 7, 4.4), pen.box(3.6, 7, 12.4, 14))
    ring = np.minimum(arch, -(arch - 1.1 * PIXEL))
    dashes = np.minimum(
        ring, np.where((pen.canvas.y * 8) % 1 < 0.62, 1.0, -1.0)
    )  # more line than gap
    pen.ink(dashes, 0.6, 0.5)
    pen.paint.lay(pen.paint.inside(dashes) * 0.7, LIGHT)


def _token(pen: Pen, look: ThingLook) -> None:
    shapes = {
        ROUND: [pen.disc(8, 8, 6)],
        SQUARE: [pen.box(1.4, 1.4, 14.6, 14.6, 1.6)],
        SLAB: [pen.box(2, 5, 14, 13.4, 3)],
        SPIKED: [
            pen.box(3.2, 3.2, 12.8, 12.8),
            pen.polygon((8, 0.8), (15.2, 8), (8, 15.2), (0.8, 8)),
        ],
    }[look.sign]
    pen.shadow(4, 12, 14.4)
    pen.edged(shapes, look.colour)
    y = 9.2 if look.sign == SLAB else 8
    if look.changed:
        pen.ink(pen.box(4.4, y - 3.4, 11.6, y + 3.4, 1), 0, 0.6)
    pen.text(look.text, 8, y, 6 if look.sign != SLAB else 5)


_PAINTERS: Mapping[str, Callable[[Pen, ThingLook], None]] = {
    "key": _key,
    "door": _door,
    "small_key": _small_key,
    "small_door": _small_door,
    "lever": _lever,
    "button": _button,
    "plate": _plate,
    "gate": _gate,
    "one_way": _one_way,
    "stairs": _stairs,
    "teleporter": _teleporter,
    "treasure": _treasure,
    COIN: _coin,
    "treasure_gate": _treasure_gate,
    "monster": _monster,
    "trap": _trap,
    "potion": _potion,
    "boss": _boss,
    "spawn": _spawn,
    "player": _heart,
    "secret_door": _secret_door,
    ROUND: _token,
    SQUARE: _token,
    SPIKED: _token,
    SLAB: _token,
}
