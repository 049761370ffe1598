"""Altered files. `alter` changes bytes, words and numbers of any file; the other functions know a
format and repair what a random change would break:

checksums, lengths and compressed data, so that what was altered is reached.
"""

import io
import json
import re
import struct
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
WORD = re.compile(rb"[A-Za-z_]+|[0-9.]+|\"[^\"\n]{0,40}\"|[^\sA-Za-z0-9]")
BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}={0,2}")
EXTREMES = [
    b"0", b"-1", b"1", b"2", b"255", b"256", b"65535", b"65536", b"4194304", b"4194305", b"2147483647", b"2147483648", b"4294967295", b"4294967296",
    b"9223372036854775807", b"18446744073709551616", b"1e9999", b"-1e9999", b"1e-9999", b"1e308", b"NaN", b"Infinity", b"inf", b"nan", b"0.1", b"1.5",
    b"-0", b"00", b"1_0", b"0x10", b"9" * 50, b"9" * 400, b"1" * 5000, b"", b"null", b"true", b"[]", b"{}", b'""',
]  # fmt: skip
PIECES = [
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\n", b"\r", b"\x85", "\u2028".encode(), b'"', b"'", b"\\", b"\\u", b"\\ud800",
    b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"/>", b"&amp;", b"<!DOCTYPE x>", b"<![CDATA[", b",", b":", b"=", b";", b"#", b" ", b"\t",
    b".", b"..", b"-", b"1e999", b"S", b"E", b"A", b"F", b"9", b"goal: tour", b"digest: 0", b"checkpoint 1", b"checkpoint 99999999999", b"solution",
    "²".encode(), "٣".encode(), "\U0001f600".encode(), b"aaaaaaaaaaaaaaaa", b"[[[[[[[[", b'{"a":{"a":', b"sMs[",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2, 255, 256, 1 << 31, 1 << 32, 1 << 63, 1 << 64, 10**50, -(1 << 63), 0.5, -0.0, 1e308, "", "a", "0", "x" * 300,
    "\x00", "\x1b[31m", "\u2028", "²", "../../x", "entrance", "walls", "5x4", "9999999x9999999", [], {}, [[]], [1, 2], ["a"], {"a": 1}, {"kind": "x"},
    [[[[[[]]]]]],
]  # fmt: skip
CHUNKS = (
    b"tEXt",
    b"zTXt",
    b"iTXt",
    b"iCCP",
    b"acTL",
    b"fcTL",
    b"eXIf",
    b"tRNS",
    b"PLTE",
    b"gAMA",
    b"sRGB",
)
# A long line that is repeated several times would take more memory than a reader may.
LONGEST = 1 << 22
Alter = Callable[[bytes, Random], bytes]


def alter(content: bytes, random: Random) -> bytes:
    """Change a file in one to four places."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice(_CHANGES)(content, random)[:LONGEST]
    return content


def _span(content: bytes, random: Random) -> tuple[int, int]:
    begin = random.randrange(len(content) + 1)
    return begin, min(len(content), begin + random.choice((0, 1, 1, 2, 4, 8, 30, 200)))


def _flip(content: bytes, random: Random) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 8))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut(content: bytes, random: Random) -> bytes:
    begin, end = _span(content, random)
    return content[:begin] + content[end:] if random.random() < 0.8 else content[:begin]


def _repeat(content: bytes, random: Random) -> bytes:
    begin, end = _span(content, random)
    return content[:end] + content[begin:end] * random.choice((1, 1, 2, 3, 50)) + content[end:]


def _repeat_line(content: bytes, random: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    place = random.randrange(len(lines))
    lines[place : place + 1] = [lines[place]] * random.choice((0, 2, 2, 3, 40))
    if random.random() < 0.3:
        other = random.randrange(len(lines) or 1)
        lines.insert(other, lines.pop() if lines else b"")
    return b"".join(lines)


def _insert(content: bytes, random: Random) -> bytes:
    begin, end = _span(content, random)
    return (
        content[:begin]
        + random.choice(PIECES) * random.choice((1, 1, 1, 2, 30))
        + content[end if random.random() < 0.3 else begin :]
    )


def _number(content: bytes, random: Random) -> bytes:
    return _replace(content, random, NUMBER, lambda _: random.choice(EXTREMES))


def _swap(content: bytes, random: Random) -> bytes:
    words = [match.span() for match in _near(content, random, WORD)]
    if len(words) < 2:
        return content
    (a, b), (c, d) = sorted(random.sample(words, 2))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def _packed(content: bytes, random: Random) -> bytes:
    """Change data in base64, compressed or not."""

    def change(match: bytes) -> bytes:
        try:
            inside = b64decode(match, validate=True)
        except ValueError:
            return match
        try:
            return b64encode(zlib.compress(alter(zlib.decompress(inside), random)))
        except zlib.error:
            return b64encode(_flip(_cut(inside, random), random))

    return _replace(content, random, BASE64, change)


def _near(content: bytes, random: Random, pattern: re.Pattern[bytes]) -> list[re.Match[bytes]]:
    """Matches in a part of the file: a large one would take long to search."""
    begin = random.randrange(max(1, len(content) - 300))
    return list(pattern.finditer(content, begin, begin + 600))


def _replace(
    content: bytes, random: Random, pattern: re.Pattern[bytes], by: Callable[[bytes], bytes]
) -> bytes:
    found = _near(content, random, pattern)
    if not found:
        return content
    match = random.choice(found)
    return content[: match.start()] + by(match[0]) + content[match.end() :]


_CHANGES: list[Alter] = [
    _flip,
    _cut,
    _repeat,
    _repeat_line,
    _insert,
    _insert,
    _number,
    _number,
    _swap,
    _packed,
]


def alter_json(content: bytes, random: Random) -> bytes:
    """Change values, keys and lists of JSON data."""
    if random.random() < 0.4:
        return alter(content, random)
    try:
        data = json.loads(content)
    except ValueError:
        return alter(content, random)
    for _ in range(random.choice((1, 1, 2, 3))):
        data = _alter_data(data, random)
    return json.dumps(data).encode()


def _alter_data(data: Any, random: Random) -> Any:
    if not isinstance(data, dict | list) or not data or random.random() < 0.1:
        return deepcopy(random.choice(VALUES))
    key = random.choice(list(data)) if isinstance(data, dict) else random.randrange(len(data))
    chance = random.random()
    if chance < 0.55:
        data[key] = _alter_data(data[key], random)
    elif chance < 0.65:
        del data[key]
    elif chance < 0.75 and isinstance(data, dict):
        data[random.choice((*data, "a", "", "\ud800", "1" * 500, "\x00", "²"))] = data.pop(key)
    elif isinstance(data, list):
        data[key : key + 1] = [deepcopy(data[key]) for _ in range(random.choice((0, 2, 3, 60)))]
    else:
        data[key] = deepcopy(random.choice(VALUES))
    return data


def alter_png(content: bytes, random: Random) -> bytes:
    """Change chunks of a PNG file; lengths and checksums are right again, and compressed data is
    compressed again.
    """
    if random.random() < 0.2:
        return alter(content, random)
    chunks, position = [], 8
    while position + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, position)
        chunks.append(
            (content[position + 4 : position + 8], content[position + 8 : position + 8 + length])
        )
        position += 12 + length
    for _ in range(random.choice((1, 1, 2))):
        place = random.randrange(len(chunks) or 1)
        if not chunks:
            break
        name, data = chunks[place]
        chance = random.random()
        if chance < 0.55:
            chunks[place] = name, _alter_chunk(name, data, random)
        elif chance < 0.65:
            chunks.insert(random.randrange(len(chunks)), chunks[place])
        elif chance < 0.75:
            del chunks[place]
        elif chance < 0.85:
            chunks.insert(1, (random.choice(CHUNKS), data[:99]))
        else:
            chunks.insert(1, (random.choice((b"iCCP", b"zTXt", b"iTXt", b"pHYs", b"leVl")), b""))
    packed = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    ]
    return content[:8] + b"".join(packed)


def _alter_chunk(name: bytes, data: bytes, random: Random) -> bytes:
    if name == b"IHDR" and len(data) == 13:
        header = list(struct.unpack(">IIBBBBB", data))
        header[random.randrange(7)] = random.choice(
            (0, 1, 2, 3, 4, 6, 8, 16, 255, 100_000, 1 << 16, (1 << 31) - 1)
        )
        return struct.pack(
            ">IIBBBBB",
            *(value % (1 << (32 if place < 2 else 8)) for place, value in enumerate(header)),
        )
    try:
        inside = zlib.decompress(data)
    except zlib.error:
        return alter(data, random)
    return zlib.compress(alter_json(inside, random) if name == b"leVl" else alter(inside, random))


def alter_gif(content: bytes, random: Random) -> bytes:
    """Change a GIF file, or the level in its comment."""
    place = content.find(b"!\xfe")
    if place < 0 or random.random() < 0.4:
        return alter(content, random)
    blocks, position = [], place + 2
    while position < len(content) and content[position]:
        blocks.append(content[position + 1 : position + 1 + content[position]])
        position += 1 + content[position]
    comment = alter_json(b"".join(blocks), random)
    packed = (
        b"".join(
            bytes([len(comment[start : start + 255])]) + comment[start : start + 255]
            for start in range(0, len(comment), 255)
        )
        + b"\0"
    )
    again = b"!\xfe" + packed if random.random() < 0.1 else b""
    return content[: place + 2] + packed + again + content[position + 1 :]


def alter_npy(content: bytes, random: Random) -> bytes:
    """Change the header of an array, with the right length, or anything."""
    end = content.find(b"\n")
    if random.random() < 0.3 or not content.startswith(b"\x93NUMPY") or end < 10:
        return alter(content, random)
    header = content[10:end]
    kinds = (
        b"|u1",
        b"<i8",
        b">i4",
        b"<U5",
        b"<U0",
        b"|O",
        b"|V4",
        b"<f8",
        b"|b1",
        b"<M8[s]",
        b"<U999999999",
        b"|S3",
        b"<c16",
    )
    if random.random() < 0.4:
        header = re.sub(rb"'[<>|=][A-Za-z][0-9]*'", b"'" + random.choice(kinds) + b"'", header)
    elif random.random() < 0.5:
        shapes = (
            b"(2, 3)",
            b"(3,)",
            b"()",
            b"(0, 0)",
            b"(1000000, 1000000)",
            b"(-1, 2)",
            b"(2, 3, 4)",
            b"(True, 3)",
            b"(9999999999999999999, 2)",
        )
        header = re.sub(rb"\([^)]*\)", random.choice(shapes), header)
    else:
        header = alter(header, random)
    header = header[:60000] + b"\n"
    return content[:8] + struct.pack("<H", len(header)) + header + content[end + 1 :]


def alter_npz(content: bytes, random: Random) -> bytes:
    """Change arrays of an NPZ file, and pack them again."""
    if random.random() < 0.3:
        return alter(content, random)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        arrays = [(name, archive.read(name)) for name in archive.namelist()]
    place = random.randrange(len(arrays))
    name, data = arrays[place]
    chance = random.random()
    if chance < 0.7:
        arrays[place] = name, alter_npy(data, random)
    elif chance < 0.8:
        arrays[place] = (
            random.choice(
                ("tiles.npy", "place_names.npy", "digest.npy", "a.npy", "recipe.npy", "x")
            ),
            data,
        )
    elif chance < 0.9:
        del arrays[place]
    else:
        arrays[place] = name, random.choice(arrays)[1]
    buffer = io.BytesIO()
    # The others take long to begin with.
    usual = random.random() < 0.98
    packing = random.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if usual
        else (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)
    )
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name, data in dict(arrays).items():
            archive.writestr(name, data)
    packed = buffer.getvalue()
    return packed if random.random() < 0.8 else alter(packed, random)


FORMS: dict[str, Alter] = {
    "text": alter,
    "json": alter_json,
    "png": alter_png,
    "gif": alter_gif,
    "npy": alter_npy,
    "npz": alter_npz,
}
