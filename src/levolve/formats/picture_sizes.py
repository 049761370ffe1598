"""Pictures that are too large to draw. Nothing here loads the library that draws."""

from levolve.errors import InputError

MOST_PIXELS = 64_000_000


def check_pixels(width: int, height: int, tile: int) -> None:
    """Refuse a picture that is too large to draw."""
    if width * height * tile * tile > MOST_PIXELS:
        message = f"tile: {tile} pixels per tile make a picture of {width * tile}x{height * tile}, too large to draw; choose fewer"
        raise InputError(message)
