"""What a format is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from levolve.levels.tileset import TILESETS

if TYPE_CHECKING:
    from levolve.levels.level import Level


def _nothing(_: Level) -> dict[str, bytes]:
    return {}


@dataclass(frozen=True)
class Format:
    """A level to bytes and back. `decode` raises `InputError` with a message that begins with what was wrong.

    `edited` formats are those that people change by hand: a solution in such a file need not hold, and a new one is found when it is loaded.
    `beside` names the files that a level's file needs in its folder, such as a picture of the tiles, and gives their bytes. Where a file may itself
    name others, `decode_in` reads it knowing its folder. `tilesets` are those that the format can hold; `encode` refuses a level of another.
    """

    meaning: str
    encode: Callable[[Level], bytes]
    decode: Callable[[bytes], Level]
    edited: bool = False
    beside: Callable[[Level], Mapping[str, bytes]] = _nothing
    decode_in: Callable[[bytes, Path], Level] | None = None
    tilesets: tuple[str, ...] = tuple(TILESETS)

    def read(self, content: bytes, folder: Path) -> Level:
        """The level in a file's bytes."""
        return self.decode(content) if self.decode_in is None else self.decode_in(content, folder)
