"""Tilesets of puzzles, with which editors and engines show their positions: those of Reach the Flag and of the sliding puzzle."""

from colorsys import hls_to_rgb

from levolve.levels.tileset import Colour, Tileset

GAP, MOST_VISITS = 0, 9
NEVER_FALLS = MOST_VISITS + 1
# From light to dark with the visits that a tile bears; the last one does not fall.
_VISITS = (
    (58, 52, 64),
    (244, 208, 99),
    (222, 158, 66),
    (196, 116, 52),
    (168, 84, 44),
    (140, 62, 40),
    (122, 52, 60),
    (104, 48, 84),
    (84, 48, 104),
    (64, 50, 120),
    (150, 156, 168),
)

# A gap is closed; from every tile a step leads to every other.
ROUND_TILES = Tileset(
    "flag",
    ".123456789*",
    ("gap", *(f"visits_{visits}" for visits in range(1, MOST_VISITS + 1)), "never_falls"),
    tuple(tuple(GAP not in {one, other} for other in range(NEVER_FALLS + 1)) for one in range(NEVER_FALLS + 1)),
    colours=_VISITS,
    labels=("", "", *(str(visits) for visits in range(2, MOST_VISITS + 1)), ""),
    blocked="There is no tile.",
)

MOST_NUMBER = 24
_BLANK: Colour = (222, 216, 204)


def _colours() -> tuple[Colour, ...]:
    """Return colours from orange by green to blue, so that a board in order is a smooth ramp."""
    ramp = [hls_to_rgb(0.07 + 0.5 * number / (MOST_NUMBER - 1), 0.47, 0.48) for number in range(MOST_NUMBER)]
    return (_BLANK, *((round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in ramp))


# Nobody walks on a board: every kind is open, so that it is one layer of tiles.
BOARD_TILES = Tileset(
    "sliding",
    "_123456789abcdefghijklmno",
    ("blank", *(f"tile_{number}" for number in range(1, MOST_NUMBER + 1))),
    ((True,) * (MOST_NUMBER + 1),) * (MOST_NUMBER + 1),
    colours=_colours(),
    labels=("", *map(str, range(1, MOST_NUMBER + 1))),
)
