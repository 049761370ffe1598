"""Pictures of puzzles being played: frames with a caption below, as a looping GIF."""

import io
from collections.abc import Sequence
from typing import Any, Protocol

from PIL import Image, ImageDraw

from levolve.formats.colours import INK, PAPER, paint
from levolve.formats.marks import font

# Plug-ins may import `paint` from here.
__all__ = ["Drawer", "animate", "animate_moves", "paint"]

MOST_FRAMES = 150
LINE = 24


class Drawer(Protocol):
    """What draws a position after some moves: a puzzle."""

    def draw(self, position: Any, moves: str = "") -> Image.Image:  # noqa: ANN401 each puzzle has positions of its own
        """The picture."""


def animate_moves(puzzle: Drawer, position: Any) -> bytes:  # noqa: ANN401 same
    """A GIF of a position's solution being played; of the position alone where it holds none."""
    moves = position.solution or ""
    frames = [(f"{count} of {len(moves)} moves", puzzle.draw(position, moves[:count])) for count in range(len(moves) + 1)]
    if moves:
        frames[-1] = (f"{len(moves)} moves: won", frames[-1][1])
    return animate(frames)


def animate(frames: Sequence[tuple[str, Image.Image]], milliseconds: int = 250) -> bytes:
    """A GIF of pictures with captions; the last one is shown for two seconds."""
    step = -(-len(frames) // MOST_FRAMES)
    pictures = [_captioned(*frame).quantize(64) for frame in [*frames[:-1:step], frames[-1]]]
    buffer = io.BytesIO()
    durations = [milliseconds] * (len(pictures) - 1) + [2000]
    pictures[0].save(buffer, "GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, disposal=2)
    return buffer.getvalue()


def _captioned(caption: str, drawn: Image.Image) -> Image.Image:
    picture = Image.new("RGB", (max(drawn.width, 150), drawn.height + LINE), PAPER)
    picture.paste(drawn, ((picture.width - drawn.width) // 2, 0))
    ImageDraw.Draw(picture).text((6, drawn.height + LINE // 2), caption, fill=INK, font=font(13), anchor="lm")
    return picture
