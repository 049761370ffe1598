"""GIF: a solution being walked, or how the best level of a run changed over the generations. The level travels in the comment."""

import io
import json
from collections.abc import Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from levolve.errors import InputError
from levolve.formats.drawing import INK, PAPER, draw_level, fitting_tile, font
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data, parse_json
from levolve.formats.png import open_picture
from levolve.levels.level import Level

MOST_FRAMES = 120
LINE = 22


def encode_frames(frames: Sequence[tuple[str, Level]], milliseconds: int = 100) -> bytes:
    """A looping animation of levels with captions; the last one stands for two seconds. Its comment holds the last level."""
    if not frames:
        message = "GIF: expected at least one level to show, got none"
        raise InputError(message)
    step = -(-len(frames) // MOST_FRAMES)
    chosen = [*frames[:-1:step], frames[-1]]
    tile = fitting_tile(frames[-1][1], 640)
    pictures = []
    for caption, level in chosen:
        drawn = draw_level(level, tile)
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
        comment=json.dumps(level_to_data(frames[-1][1])).encode(),
    )
    return buffer.getvalue()


def encode(level: Level) -> bytes:
    """The solution being walked, from the first step to the last."""
    moves = level.solution or ""
    step = -(-max(len(moves), 1) // MOST_FRAMES)
    frames = [(f"{count} of {len(moves)} steps", replace(level, solution=moves[:count])) for count in range(0, len(moves), step)]
    caption = f"{len(moves)} steps" if moves else f"{level.width}x{level.height}"
    return encode_frames([*frames, (caption, level)])


def decode(content: bytes) -> Level:
    """The level in the comment of an animation that was written here."""
    comment = open_picture(content, "GIF").info.get("comment")
    if not comment:
        message = "GIF: expected an animation written by levolve, with the level in its comment, got another one"
        raise InputError(message)
    return level_from_data(parse_json(comment, "GIF"))


GIF = Format("an animation of the solution, with the level inside", encode, decode)
