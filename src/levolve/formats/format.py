"""`Format`: the definition of a file format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from levolve.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.formats.look import Look
    from levolve.levels.level import Level
    from levolve.levels.tileset import Tileset

# Names of programs, and the formats that they open.
PROGRAMS = {"tiled": "tmx", "godot": "tscn", "sokoban": "xsb", "numpy": "npz", "text": "txt"}


def _nothing(_level: Level, _look: Look) -> dict[str, bytes]:
    return {}


@dataclass(frozen=True)
class Format:
    """Conversion of levels to and from bytes.

    Attributes
    ----------
    meaning
        A description in one line.
    encode, decode
        Convert a level to bytes and back. `decode` raises `InputError` for invalid bytes.
    edited
        Whether people edit such files. A wrong solution in an edited file is replaced when the file
        is loaded.
    beside
        Returns the names and bytes of additional files in the same folder, such as a picture of the
        tiles, in a look.
    decode_in
        Decodes a file that may refer to other files, given its folder.
    tilesets
        The names of the supported tilesets, None for all; `encode` raises `InputError` for a level
        of another.
    blind
        What shows no things: the programs that such files are for. A warning says so when a level
        with things is written; levolve reads them from the file.
    draw
        Converts a level to bytes in a look, for formats whose files show or refer to drawn tiles.
        `encode` uses the default look.
    foreign
        Returns the parts of a file that are not levolve's, such as "layer 'clouds'": layers,
        objects, properties and tilesets that a person added.
    merge
        `merge(original, written)` returns the original with the level of the written file; see
        `merged`, which checks the result. Raises `InputError` if they do not fit together.
    kept
        Returns the `(height, width)` cells that a layer called `keep` marks; None if the file has
        no such layer.
    grid
        Returns the width and the height of a file's tiles in pixels. A level that joins the foreign
        parts of a file has tiles of that size.
    serves
        `serves(name, present, needed)`: whether a file that is already present can serve as an
        additional file of that name, such as a tileset that a person has added to. It is then left
        as it is. By default only equal pictures and equal bytes serve.
    bundle
        Returns additional files for the levels of a pack, given by name, in a look; such as a
        project that contains all of them.
    single
        Whether each level of a pack has a file of its own, besides the files of `bundle`.
    levels
        Returns the levels of a file that may contain several, by name, in order, given its folder,
        if it has one. Each is decoded when it is looked up. Such a format's `foreign`, `merge`,
        `kept` and `grid` take the name of one of its levels as a last argument.
    """

    meaning: str
    encode: Callable[[Level], bytes]
    decode: Callable[[bytes], Level]
    edited: bool = False
    beside: Callable[[Level, Look], Mapping[str, bytes]] = _nothing
    decode_in: Callable[[bytes, Path], Level] | None = None
    tilesets: tuple[str, ...] | None = None
    blind: str = ""
    draw: Callable[[Level, Look], bytes] | None = None
    foreign: Callable[..., list[str]] | None = None
    merge: Callable[..., bytes] | None = None
    kept: Callable[..., NDArray[np.bool_] | None] | None = None
    grid: Callable[..., tuple[int, int]] | None = None
    serves: Callable[[str, bytes, bytes], bool] | None = None
    bundle: Callable[[str, Mapping[str, Level], Look], Mapping[str, bytes]] | None = None
    single: bool = True
    levels: Callable[..., Mapping[str, Level]] | None = None

    def write(self, level: Level, look: Look) -> bytes:
        """Return the bytes of a level's file in a look."""
        return self.encode(level) if self.draw is None else self.draw(level, look)

    @property
    def shows_tiles(self) -> bool:
        """Whether files of this format show or refer to drawn tiles."""
        return self.draw is not None or self.beside is not _nothing

    def holds(self, tileset: Tileset) -> bool:
        """Whether levels of this tileset can be written."""
        return self.tilesets is None or tileset.name in self.tilesets

    def read(self, content: bytes, folder: Path) -> Level:
        """Return the level in a file's bytes."""
        return self.decode(content) if self.decode_in is None else self.decode_in(content, folder)

    def merged(self, original: bytes, written: bytes, *part: str) -> bytes:
        """Return a file that a person edited with the level of another file in it.

        One rule for all editors: what a part of the file says about the level (its tiles, places,
        solution and metadata) is replaced as a whole; where and how the part is shown, and every
        other part, stays as the person left it. `InputError` is raised if the result is not the
        level of `written`, such as under a wall that the person drew on another layer. Things of
        unknown kinds that the person added stay, and are part of the level.
        """
        if self.merge is None:
            raise InputError("expected a format that keeps what a person added to a file")
        content = self.merge(original, written, *part)
        found = self.levels(content)[part[0]] if part and self.levels else self.decode(content)
        from levolve.formats.edited_things import same_but_unknown

        if not same_but_unknown(found, self.decode(written)):
            raise InputError(
                "the level does not fit between the parts that a person added or moved"
            )
        return content
