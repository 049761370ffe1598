"""A sheet of pictures of contents."""

from collections.abc import Sequence
from math import ceil, sqrt

from PIL import Image

GAP = 6
WIDEST = 2400
BACKGROUND = (255, 255, 255)


def sheet_of(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return one picture with all others in rows, about as wide as high; large ones are scaled down."""
    columns = ceil(sqrt(len(pictures)))
    width, height = (max(getattr(picture, side) for picture in pictures) for side in ("width", "height"))
    scale = min(1.0, WIDEST / (columns * (width + GAP)))
    step_x, step_y = int(width * scale) + GAP, int(height * scale) + GAP
    sheet = Image.new("RGB", (columns * step_x + GAP, ceil(len(pictures) / columns) * step_y + GAP), BACKGROUND)
    for number, picture in enumerate(pictures):
        size = max(int(picture.width * scale), 1), max(int(picture.height * scale), 1)
        small = picture.convert("RGB").resize(size, Image.Resampling.BOX) if scale < 1 else picture.convert("RGB")
        sheet.paste(small, (GAP + number % columns * step_x, GAP + number // columns * step_y))
    return sheet
