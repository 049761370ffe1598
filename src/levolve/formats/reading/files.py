"""`read_bytes`, `read_text` and `read_data`: the only functions that read files named by a user or
by another file.

Unpacking of zlib and gzip data up to a given size. Tiled's third compression, Zstandard, is not in
Python's library and is not read.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from typing import Any

from levolve.core.errors import InputError, ProofError
from levolve.formats.reading.budgets import MOST_BYTES
from levolve.formats.reading.data import parse_json, parse_toml

# Opening a FIFO without this flag waits for its other end.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_PIECE = 1 << 20


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes; raise `InputError` for every
    other file.
    """
    try:
        # Some devices do something when they are opened, so the kind is checked before and after.
        _check_regular(Path(path).stat(), path)
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as problem:
        raise InputError(_unreadable(path, problem)) from problem
    try:
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(file.fileno())
            _check_regular(found, path)
            _check_size(found.st_size, most, path)
            content = _pieces(file, most)
    except OSError as problem:
        raise InputError(_unreadable(path, problem)) from problem
    _check_size(len(content), most, path)
    return content


def inside_folder(folder: Path | None, source: str, suffixes: tuple[str, ...]) -> Path | None:
    """Return the path of a file that another one names, after all symbolic links; None if it is
    outside the folder, or of another kind.
    """
    relative = PureWindowsPath(source)
    if (
        folder is None
        or relative.drive
        or relative.root
        or ".." in relative.parts
        or not source.lower().endswith(suffixes)
    ):
        return None
    try:
        found = (folder / Path(*relative.parts)).resolve(strict=True)
        return found if found.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):
        return None


def _pieces(file: Any, most: int) -> bytes:
    """Return the content, and at most one piece more than allowed: the size of some files, as in
    /proc, is not known before.
    """
    pieces: list[bytes] = []
    size = 0
    while size <= most and (piece := file.read(_PIECE)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _check_regular(found: os.stat_result, path: str | Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "something else")
        raise InputError(
            f"{path}: expected a file that can be read, got {kind}; "
            f"{'name a file in it' if kind == _FOLDER else 'copy it to a regular file'}"
        )


_FOLDER = "a folder"
_KINDS = (
    (stat.S_ISDIR, _FOLDER),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def _check_size(size: int, most: int, path: str | Path) -> None:
    if size > most:
        raise InputError(
            f"{path}: expected a file of at most {most:,} bytes, got "
            f"{'more' if size > most + _PIECE else f'{size:,}'}; split it"
        )


def _unreadable(path: str | Path, problem: OSError | ValueError) -> str:
    """Return the message for a file that cannot be read. A name that contains a null character or
    cannot be encoded is a `ValueError`.
    """
    if isinstance(problem, InputError):
        return str(problem)
    reason = (
        (problem.strerror or str(problem))
        if isinstance(problem, OSError)
        else "the name contains a character that no file name can have"
    )
    return (
        f"{str(path)!r}: {reason}"
        if not isinstance(problem, OSError)
        else f"{path}: expected a file that can be read: {reason}"
    )


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, without a byte order mark."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{path}: expected text in UTF-8: {problem.reason} at byte {problem.start}"
        ) from problem


def read_data(path: str | Path, what: str) -> Any:
    """Return the plain data in a `.json` file, or in a file of another name as TOML. `what` names
    it in errors, such as "recipe".
    """
    where = f"{what} {path}"
    try:
        content = read_text(path)
    except InputError as problem:
        raise InputError(f"{what} {problem}") from problem
    return (
        parse_json(content, where)
        if Path(path).suffix.lower() == ".json"
        else parse_toml(content, where)
    )


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Prefix error messages with the file's name."""
    try:
        yield
    except (InputError, ProofError) as problem:
        raise type(problem)(f"{path}: {problem}") from problem


# Accept a zlib or a gzip header.
_EITHER_HEADER = zlib.MAX_WBITS | 32


def inflate(content: bytes, most: int, what: str) -> bytes:
    """Return the unpacked bytes; raise `InputError` if they are damaged, incomplete or more than
    `most`.
    """
    unpacker = zlib.decompressobj(_EITHER_HEADER)
    try:
        found = unpacker.decompress(content, most + 1)
    except zlib.error as problem:
        raise InputError(f"{what}: expected compressed data: {problem}") from problem
    if len(found) > most:
        raise InputError(f"{what}: expected at most {most:,} bytes when unpacked, got more")
    if not unpacker.eof:
        raise InputError(f"{what}: expected complete compressed data, got data that is cut off")
    return found
