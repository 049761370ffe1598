"""`Original`: the file of a level that was read, so that the parts of it that a person added are in
the files of new levels too.
"""

from __future__ import annotations

import base64
import warnings
import zlib
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.safe_text import printable
from levolve.formats import FORMATS
from levolve.formats.reading.budgets import MOST_BYTES
from levolve.formats.reading.files import inflate
from levolve.levels.level import Level

if TYPE_CHECKING:
    from levolve.formats.look import Look

# How many parts a warning names.
MOST_NAMED = 8


class ForeignPartsWarning(UserWarning):
    """Parts of a file that a person added are not in a new file."""


@dataclass(frozen=True)
class Original:
    """The file that a level was read from: its name, for messages, its format, its bytes, and the
    name of the level if the file has several.
    """

    name: str
    suffix: str
    content: bytes
    part: str | None = None

    @property
    def _level(self) -> tuple[str, ...]:
        return () if self.part is None else (self.part,)

    @cached_property
    def foreign(self) -> list[str]:
        """The parts of the file that are not levolve's, each in a few words."""
        find = FORMATS[self.suffix].foreign
        return [] if find is None else find(self.content, *self._level)

    @property
    def kept(self) -> NDArray[np.bool_] | None:
        """The `(height, width)` cells that the file marks as those that evolution must not change;
        None if it marks none.
        """
        find = FORMATS[self.suffix].kept
        return None if find is None else find(self.content, *self._level)

    def write(self, level: Level, suffix: str, look: Look) -> tuple[bytes, Look]:
        """Return the file of a level together with the foreign parts of this file, and the look in
        which it is drawn.

        The parts can be kept only in a file of the same format, and in a level of the same size;
        otherwise a warning names them. The tiles of the new file are as large as those of this one,
        unless the look sets their size.
        """
        entry = FORMATS[suffix]
        if not self.foreign:
            return entry.write(level, look), look
        if entry.merge is None or suffix != self.suffix:
            # Things of unknown kinds are in the new file if they are in the level.
            from levolve.formats.edited_things import part_of  # loads the themes

            kept = {part_of(thing.kind, thing.cell) for thing in level.things}
            if not kept.issuperset(self.foreign):
                self.warn(f"not kept in .{suffix} files, only in .{self.suffix} files", kept)
            return entry.write(level, look), look
        drawn = self._sized(look, level)
        try:
            return entry.merged(self.content, entry.write(level, drawn), *self._level), drawn
        except InputError as problem:
            self.warn(f"not kept, because {problem}")
            return entry.write(level, look), look

    def _sized(self, look: Look, level: Level) -> Look:
        """Return the look with the tile size of this file, if the theme can draw it and no other
        size was chosen.
        """
        measure = FORMATS[self.suffix].grid
        if look.tile is not None or measure is None:
            return look
        width, height = measure(self.content, *self._level)
        try:
            sized = replace(look, tile=width)
            sized.theme.check_tile(width)
            _ = sized.atlas(level.tileset)
        except InputError:
            return look
        return sized if width == height else look

    def warn(self, problem: str, kept: Container[str] = ()) -> None:
        """Warn that the foreign parts but some are not in a new file, and name them."""
        parts = [part for part in self.foreign if part not in kept]
        named = ", ".join(parts[:MOST_NAMED])
        more = f" and {len(parts) - MOST_NAMED} more" if len(parts) > MOST_NAMED else ""
        warnings.warn(
            printable(f"{self.name}: {problem}: {named}{more}"), ForeignPartsWarning, stacklevel=4
        )

    def to_data(self) -> dict[str, str]:
        """Return JSON-compatible data, from which `from_data` builds an equal original."""
        part = {} if self.part is None else {"part": self.part}
        return {
            "name": self.name,
            "suffix": self.suffix,
            **part,
            "content": base64.b64encode(zlib.compress(self.content, 9)).decode(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any] | None) -> Original | None:
        """Build an original from the result of `to_data`; None for None."""
        if data is None:
            return None
        return cls(
            data["name"],
            data["suffix"],
            inflate(base64.b64decode(data["content"]), MOST_BYTES, "original"),
            data.get("part"),
        )
