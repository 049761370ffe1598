"""Picture files: the chunks of a PNG, the comments of a GIF, and the pixels of both.

Pillow decodes pixels only. It receives a file with nothing but the size, the palette and the
pixels: profiles, texts and animations, which other chunks contain, are never unpacked.
"""

import hashlib
import io
import struct
import warnings
import zlib

from PIL import Image

from levolve.core.errors import InputError
from levolve.formats.reading.budgets import (
    MOST_CELLS,
    MOST_CHUNKS,
    MOST_FRAMES,
    MOST_PIXELS,
    check_amount,
)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DRAWN = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_ANIMATED = b"acTL"
_HEADER = 13
_GIF_SIGNATURES = (b"GIF87a", b"GIF89a")
_SCREEN, _FRAME = 13, 10
_EXTENSION, _IMAGE, _TRAILER, _COMMENT = 0x21, 0x2C, 0x3B, 0xFE
# Raised by Pillow for invalid pictures.
_DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    LookupError,
    EOFError,
    TypeError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)

Chunk = tuple[bytes, bytes]
_STRIP = 256


def png_chunks(content: bytes) -> list[Chunk]:
    """Return the name and the content of each chunk of a PNG file."""
    if not content.startswith(_SIGNATURE):
        raise InputError("PNG: expected a picture, got another file")
    chunks: list[Chunk] = []
    position = len(_SIGNATURE)
    while position + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, position)
        end = position + 12 + length
        if end > len(content):
            break
        check = struct.unpack_from(">I", content, end - 4)[0]
        data = content[position + 8 : end - 4]
        if zlib.crc32(data, zlib.crc32(name)) != check:
            raise InputError(
                "PNG: expected a complete picture, got a damaged one: a checksum is wrong"
            )
        chunks.append((name, data))
        check_amount(len(chunks), MOST_CHUNKS, "chunks", "PNG")
        if name == b"IEND":
            break
        position = end
    if (
        not chunks
        or chunks[0][0] != b"IHDR"
        or len(chunks[0][1]) != _HEADER
        or chunks[-1][0] != b"IEND"
    ):
        raise InputError(
            "PNG: expected a complete picture, got a damaged one or one that is cut off"
        )
    return chunks


def png_size(chunks: list[Chunk]) -> tuple[int, int]:
    """Return the width and the height of a picture."""
    width, height = struct.unpack_from(">II", chunks[0][1])
    return width, height


def png_pixels(chunks: list[Chunk], mode: str | None, most: int = MOST_CELLS) -> Image.Image:
    """Return the pixels of a picture, converted to a mode of Pillow such as RGBA; as they are
    stored for None.

    It may have `most` pixels, by default as many as a level cells.
    """
    width, height = png_size(chunks)
    check_amount(width * height, most, "pixels", "PNG")
    if any(name == _ANIMATED for name, _ in chunks):
        raise InputError(
            "PNG: expected one picture, got an animation, which shows more than its pixels"
        )
    drawn = io.BytesIO()
    drawn.write(_SIGNATURE)
    for name, data in chunks:
        if name in _DRAWN:
            drawn.write(
                struct.pack(">I4s", len(data), name)
                + data
                + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))
            )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(drawn, formats=["PNG"]) as image:
                image.load()
                converted: Image.Image = image if mode is None else image.convert(mode)
                return converted
    except _DAMAGED as problem:
        raise InputError("PNG: expected a complete picture, got a damaged one") from problem


def pixels_digest(image: Image.Image) -> str:
    """Return the SHA-256 of the size, the colours and the opacity of a picture's pixels, as text:
    the same in every file with these pixels.
    """
    digest = hashlib.sha256(f"{image.width}x{image.height}:".encode())
    # In strips, so that no second copy of a large picture is made.
    for top in range(0, image.height, _STRIP):
        digest.update(
            image.crop((0, top, image.width, min(top + _STRIP, image.height)))
            .convert("RGBA")
            .tobytes()
        )
    return digest.hexdigest()


def gif_last_frame(content: bytes) -> Image.Image:
    """Return the last picture that an animation shows."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=["GIF"]) as image:
                check_amount(image.width * image.height, MOST_PIXELS, "pixels", "GIF")
                check_amount(getattr(image, "n_frames", 1), MOST_FRAMES, "frames", "GIF")
                image.seek(getattr(image, "n_frames", 1) - 1)
                last: Image.Image = image.convert("RGB")
                return last
    except InputError:
        raise
    except _DAMAGED as problem:
        raise InputError("GIF: expected a complete picture, got a damaged one") from problem


def gif_frames_digest(content: bytes) -> str:
    """Return the SHA-256 of a GIF file without its comments, as text."""
    digest = hashlib.sha256()
    position = 0
    for begin, end, _ in _gif_comments(content):
        digest.update(content[position:begin])
        position = end
    digest.update(content[position:])
    return digest.hexdigest()


def gif_comments(content: bytes) -> list[bytes]:
    """Return the comments of a GIF file. Its pixels are not decoded."""
    return [comment for _, _, comment in _gif_comments(content)]


def _gif_comments(content: bytes) -> list[tuple[int, int, bytes]]:
    """Return where each comment of a GIF file begins and ends, and its text."""
    if content[:6] not in _GIF_SIGNATURES or len(content) < _SCREEN:
        raise InputError("GIF: expected a picture, got another file")
    comments: list[tuple[int, int, bytes]] = []
    position = _SCREEN + _table(content[10])
    for count in range(MOST_CHUNKS):
        kind = content[position] if position < len(content) else -1
        if kind == _TRAILER:
            return comments
        if kind == _EXTENSION:
            begin, label = position, content[position + 1 : position + 2]
            blocks, position = _blocks(content, position + 2, count)
            if label == bytes([_COMMENT]):
                comments.append((begin, position, b"".join(blocks)))
        elif kind == _IMAGE and position + _FRAME < len(content):
            _, position = _blocks(
                content, position + _FRAME + _table(content[position + 9]) + 1, count
            )
        else:
            break
    raise InputError("GIF: expected a complete picture, got a damaged one or one that is cut off")


def _table(flags: int) -> int:
    """Return the size of a table of colours, in bytes."""
    return 3 << (flags % 8 + 1) if flags & 128 else 0


def _blocks(content: bytes, position: int, before: int) -> tuple[list[bytes], int]:
    """Return the blocks from a position, and the position after them. Each begins with its length;
    one of length 0 is the last.
    """
    blocks: list[bytes] = []
    while position < len(content) and content[position]:
        end = position + 1 + content[position]
        blocks.append(content[position + 1 : end])
        check_amount(before + len(blocks), MOST_CHUNKS, "blocks", "GIF")
        position = end
    return blocks, position + 1
