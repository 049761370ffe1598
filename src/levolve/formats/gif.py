"""GIF: an animation of a solution, or of the best level of a run over the generations. The comment of the file contains the level."""

import io
import json
from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from levolve.errors import InputError
from levolve.formats.drawing import draw_level, fitting_tile
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.formats.look import Look
from levolve.formats.marks import INK, PAPER, font
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.pictures import gif_comments
from levolve.formats.walks import caption_of, walk_of
from levolve.levels.level import Level

MOST_FRAMES = 120
MOST_SIDE = 640
LINE = 22


def encode_frames(frames: Sequence[tuple[str, Level]], look: Look | None = None, milliseconds: int = 100) -> bytes:
    """Encode a looping animation of levels with captions; the last one is shown for two seconds. The comment contains the last level."""
    if not frames:
        message = "GIF: expected at least one level to show, got none"
        raise InputError(message)
    step = -(-len(frames) // MOST_FRAMES)
    look = look or Look()
    tile = look.tile or fitting_tile(frames[-1][1], MOST_SIDE, look.theme.own_tile)
    drawn = ((caption, draw_level(level, tile, theme=look.theme)) for caption, level in [*frames[:-1:step], frames[-1]])
    return _animation(drawn, frames[-1][1], milliseconds)


def _animation(frames: Iterable[tuple[str, Image.Image]], last: Level, milliseconds: int = 100) -> bytes:
    """Pictures with captions as an animation that holds a level in its comment."""
    pictures = []
    for caption, drawn in frames:
        picture = Image.new("RGB", (max(drawn.width, 200), drawn.height + LINE), PAPER)
        picture.paste(drawn, (0, 0))
        ImageDraw.Draw(picture).text((4, drawn.height + LINE // 2), caption, fill=INK, font=font(13), anchor="lm")
        pictures.append(picture.quantize(64))
    buffer = io.BytesIO()
    pictures[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[milliseconds] * (len(pictures) - 1) + [2000],
        loop=0,
        comment=json.dumps(level_to_data(last)).encode(),
    )
    return buffer.getvalue()


def encode(level: Level, look: Look | None = None) -> bytes:
    """Encode an animation of the solution, and of the way back where the goal's measured tour returns."""
    look = look or Look()
    walked = walk_of(level).steps
    tile = look.tile or fitting_tile(level, MOST_SIDE, look.theme.own_tile)
    every = -(-max(walked, 1) // MOST_FRAMES)
    frames = [(f"{steps} of {walked} steps", steps) for steps in range(0, walked, every)]
    drawn = ((caption, draw_level(level, tile, steps=steps, theme=look.theme)) for caption, steps in [*frames, (caption_of(level), walked)])
    return _animation(drawn, level)


def decode(content: bytes) -> Level:
    """Return the level in the comment of an animation written by `encode_frames`."""
    comments = gif_comments(content)
    if len(comments) != 1:
        got = f"{len(comments)} comments, of which none is trusted" if comments else "another animation"
        message = f"GIF: expected an animation written by levolve, with the level in its comment, got {got}"
        raise InputError(message)
    return level_from_data(parse_json(comments[0], "GIF"))


GIF = Format("an animation of the solution that also contains the level", encode, decode, draw=encode)
