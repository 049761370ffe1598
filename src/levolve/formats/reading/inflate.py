"""Unpacking of zlib and gzip data up to a given size. Tiled's third compression, Zstandard, is not in Python's library and is not read."""

import zlib

from levolve.errors import InputError

# Accept a zlib or a gzip header.
_EITHER_HEADER = zlib.MAX_WBITS | 32


def inflate(content: bytes, most: int, what: str) -> bytes:
    """Return the unpacked bytes; raise `InputError` if they are damaged, incomplete or more than `most`."""
    unpacker = zlib.decompressobj(_EITHER_HEADER)
    try:
        found = unpacker.decompress(content, most + 1)
    except zlib.error as problem:
        message = f"{what}: expected compressed data: {problem}"
        raise InputError(message) from problem
    if len(found) > most:
        message = f"{what}: expected at most {most:,} bytes when unpacked, got more"
        raise InputError(message)
    if not unpacker.eof:
        message = f"{what}: expected complete compressed data, got data that is cut off"
        raise InputError(message)
    return found
