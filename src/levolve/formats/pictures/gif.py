"""GIF: an animation of a solution, or of the best level of a run over the generations. The comment
of the file contains the level.
"""

import io
import json
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PIL import Image, ImageDraw

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.formats.look import Look
from levolve.formats.pictures.colours import INK, PAPER
from levolve.formats.pictures.drawing import PlayedThings, draw_level, fitting_tile
from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import CHANGED
from levolve.formats.pictures.walk_lines import caption_of, walk_of
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.pictures import gif_comments, gif_frames_digest, gif_last_frame
from levolve.formats.themes import theme
from levolve.levels.level import Level

MOST_FRAMES = 120
MOST_COLOURS = 128
MOST_SIDE = 640
LINE = 22
# The digest of the file without its comment, in the data of the level, and what stands in its place
# until it is known.
FRAMES = "frames"
EMPTY_DIGEST = "0" * 64
# The mean difference of a cell's colours, of 255, that comes from a palette of 64.
ROUNDED = 6


def encode_frames(
    frames: Sequence[tuple[str, Level]], look: Look | None = None, milliseconds: int = 100
) -> bytes:
    """Encode a looping animation of levels with captions; the last one is shown for two seconds.
    The comment contains the last level.
    """
    if not frames:
        raise InputError("GIF: expected at least one level to show, got none")
    step = -(-len(frames) // MOST_FRAMES)
    look = look or Look()
    tile = look.tile or fitting_tile(frames[-1][1], MOST_SIDE, look.theme.own_tile)
    shown = [*frames[:-1:step], frames[-1]]
    return _animation(
        [(caption, partial(draw_level, level, tile, theme=look.theme)) for caption, level in shown],
        frames[-1][1],
        milliseconds,
    )


def _animation(
    frames: Sequence[tuple[str, Callable[[], Image.Image]]], last: Level, milliseconds: int = 100
) -> bytes:
    """Pictures with captions, each drawn when it is needed, as an animation that holds a level in
    its comment.
    """
    # One palette for all frames, so that only what changes is written; the last frame has all
    # colours.
    palette = _captioned(*frames[-1]).quantize(MOST_COLOURS, Image.Quantize.MAXCOVERAGE)
    pictures = [
        _captioned(*frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames
    ]
    buffer = io.BytesIO()
    pictures[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[milliseconds] * (len(pictures) - 1) + [2000],
        loop=0,
        comment=json.dumps({FRAMES: EMPTY_DIGEST, **level_to_data(last)}).encode(),
    )
    content = buffer.getvalue()
    # The digest covers everything but the comment, so that it can be put there afterwards. It is
    # within the first block of the comment.
    return content.replace(EMPTY_DIGEST.encode(), gif_frames_digest(content).encode(), 1)


def _captioned(caption: str, draw: Callable[[], Image.Image]) -> Image.Image:
    drawn = draw()
    picture = Image.new("RGB", (max(drawn.width, 200), drawn.height + LINE), PAPER)
    picture.paste(drawn, (0, 0))
    ImageDraw.Draw(picture).text(
        (4, drawn.height + LINE // 2), caption, fill=INK, font=font(13), anchor="lm"
    )
    return picture


def encode(level: Level, look: Look | None = None) -> bytes:
    """Encode an animation of the solution, and of the way back where the goal's measured tour
    returns.
    """
    look = look or Look()
    walked = walk_of(level).steps
    tile = look.tile or fitting_tile(level, MOST_SIDE, look.theme.own_tile)
    every = -(-max(walked, 1) // MOST_FRAMES)
    played = PlayedThings(level)
    frames = [
        *((f"{steps} of {walked} steps", steps) for steps in range(0, walked, every)),
        (caption_of(level), walked),
    ]
    return _animation(
        [
            (
                caption,
                partial(draw_level, level, tile, steps=steps, theme=look.theme, played=played),
            )
            for caption, steps in frames
        ],
        level,
    )


def decode(content: bytes) -> Level:
    """Return the level in the comment of an animation written by `encode_frames`."""
    comments = gif_comments(content)
    if len(comments) != 1:
        got = (
            f"{len(comments)} comments, of which none is trusted"
            if comments
            else "another animation"
        )
        raise InputError(
            "GIF: expected an animation written by levolve, with the level in its comment, got "
            f"{got}"
        )
    data = parse_json(comments[0], "GIF")
    level = level_from_data(data)
    claimed = data.get(FRAMES)
    if (
        gif_frames_digest(content) != claimed
        if claimed is not None
        else not _drawn_before(level, content)
    ):
        raise InputError(CHANGED.format("GIF", "frames"))
    return level


def _drawn_before(level: Level, content: bytes) -> bool:
    """Whether the last frame of an earlier version's animation, which has no digest, shows the
    level in every cell, apart from rounded colours.
    """
    frame = gif_last_frame(content)
    tile = fitting_tile(level, MOST_SIDE)
    if frame.width < level.width * tile or frame.height < level.height * tile:
        return False
    drawn = draw_level(level, tile, theme=theme.PAPER)
    part = np.asarray(frame.crop((0, 0, drawn.width, drawn.height)), np.int16)
    off = (
        np.abs(part - np.asarray(drawn, np.int16))
        .reshape(level.height, tile, level.width, tile, 3)
        .mean(axis=(1, 3, 4))
    )
    return bool(off.max() <= ROUNDED)


GIF = Format(
    "an animation of the solution that also contains the level", encode, decode, draw=encode
)
