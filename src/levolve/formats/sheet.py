"""Contact sheets: many levels in one picture."""

from collections.abc import Sequence

from PIL import Image

from levolve.formats.drawing import contact_sheet
from levolve.formats.look import Look
from levolve.formats.png import picture_bytes
from levolve.levels.level import Level


def sheet_picture(levels: Sequence[Level | Image.Image], captions: Sequence[str], look: Look | None = None) -> bytes:
    """Encode a contact sheet of all levels, and of pictures beside them, as PNG."""
    return picture_bytes(contact_sheet(levels, captions, theme=(look or Look()).theme))
