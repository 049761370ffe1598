"""Colours and signs that pictures and the terminal share. Nothing here loads the library that
draws.

Pictures that are too large to draw. Nothing here loads the library that draws.
"""

from levolve.core.errors import InputError
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import DARK, LIGHT, Colour

PAPER, INK = LIGHT, DARK
PLACE_COLOURS: dict[str, Colour] = {ENTRANCE: (46, 134, 88), EXIT: (193, 55, 60)}
OTHER_PLACE: Colour = (62, 104, 184)
# The way back of a tour, under the way there: a wider line, so that both are seen where they share
# a cell.
WAY_BACK: Colour = (112, 178, 170)


def sign_of(name: str) -> str:
    """Return the sign of a place in pictures: S, E, a checkpoint's number, or A, B, C."""
    return {ENTRANCE: "S", EXIT: "E"}.get(name, name.removeprefix("checkpoint "))


def paint(text: str, colour: Colour, ink: Colour) -> str:
    """Return a text on a coloured ground, for the terminal."""
    return (
        f"\x1b[38;2;{ink[0]};{ink[1]};{ink[2]};48;2;{colour[0]};{colour[1]};{colour[2]}m"
        f"{text}\x1b[0m"
    )


MOST_PIXELS = 64_000_000


def check_pixels(width: int, height: int, tile: int) -> None:
    """Refuse a picture that is too large to draw."""
    if width * height * tile * tile > MOST_PIXELS:
        raise InputError(
            f"tile: {tile} pixels per tile make a picture of {width * tile}x{height * tile}, too "
            "large to draw; choose fewer"
        )
