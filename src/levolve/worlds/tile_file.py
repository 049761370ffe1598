"""`TileFile`: an `.npy` array of bytes that is written tile by tile, and continued after an
interruption.

Until all tiles are written the cells are in `PATH.part`, and a journal is in `PATH.part.done`. Its
first line identifies the map: a hash of all that decides its cells. Each further line has the
number of a tile and a checksum of the map's identity, the number and the cells. When the writing
goes on, every tile is read again and compared with its checksum. A tile whose entry is torn, or
whose cells are not those that were written, is made again.
"""

import hashlib
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np

from levolve.core.errors import OutputError
from levolve.formats.writing import write_file
from levolve.worlds.rule import Map

Box = tuple[int, int, int, int]

CHUNK = 1 << 24


class TileFile:
    """The file of a map that is being written. `done` are the numbers of the tiles in it; `boxes`
    are (left, top, width, height) of all tiles.
    """

    def __init__(
        self, path: Path, identity: str, shape: tuple[int, int], boxes: Sequence[Box]
    ) -> None:
        """Nothing is read or written yet. `shape` is (height, width)."""
        self.path = path
        self.part, self.journal = (
            path.with_name(path.name + ".part"),
            path.with_name(path.name + ".part.done"),
        )
        self.identity = identity
        self.boxes = boxes
        self.done: set[int] = set()
        self._width = shape[1]
        self._header = _header(shape)
        self._size = len(self._header) + shape[0] * shape[1]
        self._cells: BinaryIO
        self._entries: BinaryIO

    def __enter__(self) -> Self:
        """Open the file and find the tiles that are in it; if there is none of this map, take the
        room on the disk for all of it.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            entries = self._known_entries()
            self._cells = self.part.open("r+b" if entries else "w+b", buffering=0)
            try:
                self._open(entries)
            except BaseException:
                self._cells.close()
                if not entries:
                    # Without room for the map nothing is left behind.
                    self.part.unlink(missing_ok=True)
                    self.journal.unlink(missing_ok=True)
                raise
        except OSError as problem:
            raise self._error(problem) from problem
        return self

    def _open(self, entries: Mapping[int, str]) -> None:
        """Take the room for a new map, or check the tiles of one that is continued; write the
        journal anew.
        """
        if not entries:
            self._allocate()
        self.done = {
            number
            for number, checksum in entries.items()
            if self._checksum(number, self._read(self.boxes[number])) == checksum
        }
        lines = [self.identity, *(f"{number} {entries[number]}" for number in sorted(self.done))]
        write_file(self.journal, "".join([f"{line}\n" for line in lines]).encode())
        self._entries = self.journal.open("ab", buffering=0)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; if all tiles are in it, give it its name."""
        self._entries.close()
        if kind is None:
            os.fsync(self._cells.fileno())
        self._cells.close()
        if kind is None:
            self.part.replace(self.path)
            self.journal.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            raise self._error(problem) from problem

    def put(self, number: int, tiles: Map) -> None:
        """Write a tile, and then its entry."""
        left, top, width, _ = self.boxes[number]
        whole = width == self._width
        for row, cells in enumerate([tiles] if whole else tiles):
            self._cells.seek(self._place(left, top + row))
            _write(self._cells, np.ascontiguousarray(cells).tobytes())
        _write(self._entries, f"{number} {self._checksum(number, tiles.tobytes())}\n".encode())
        self.done.add(number)

    def _place(self, column: int, row: int) -> int:
        return len(self._header) + row * self._width + column

    def _read(self, box: Box) -> bytes:
        left, top, width, height = box
        rows = []
        for row in range(top, top + height):
            self._cells.seek(self._place(left, row))
            rows.append(self._cells.read(width))
        return b"".join(rows)

    def _checksum(self, number: int, cells: bytes) -> str:
        return hashlib.blake2b(
            f"{self.identity} {number} ".encode() + cells, digest_size=16
        ).hexdigest()

    def _known_entries(self) -> dict[int, str]:
        """The entries of the journal of this map; nothing where the journal or the part is of
        another map, or not whole.
        """
        if not (
            self.journal.is_file()
            and self.part.is_file()
            and self.part.stat().st_size == self._size
        ):
            return {}
        with self.part.open("rb") as file:
            if file.read(len(self._header)) != self._header:
                return {}
        first, *lines = self.journal.read_text(encoding="ascii", errors="replace").splitlines() or [
            ""
        ]
        entries = [line.split(" ") for line in lines if line.count(" ") == 1]
        known = {
            int(number): checksum
            for number, checksum in entries
            if number.isdecimal() and number.isascii()
        }
        return (
            {number: checksum for number, checksum in known.items() if number < len(self.boxes)}
            if first == self.identity
            else {}
        )

    def _allocate(self) -> None:
        """Write the header, and take the room for all cells, so that a full disk is noticed now."""
        _write(self._cells, self._header)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._cells.fileno(), 0, self._size)
            return
        for start in range(len(self._header), self._size, CHUNK):
            _write(self._cells, bytes(min(CHUNK, self._size - start)))

    def _error(self, problem: OSError) -> OutputError:
        kept = (
            f"; the tiles made so far are in {self.part}, repeat the call to continue"
            if self.done
            else ""
        )
        return OutputError(
            f"output {self.path}: cannot be written: {problem.strerror or problem} "
            f"({self._size:,} bytes are needed){kept}"
        )


def _header(shape: tuple[int, int]) -> bytes:
    """The header of an `.npy` file of bytes."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": "|u1", "fortran_order": False, "shape": shape}
    )
    return buffer.getvalue()


def _write(file: BinaryIO, content: bytes) -> None:
    """Write everything; an unbuffered file may take a part only."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]
