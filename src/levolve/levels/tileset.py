"""Tilesets: the kinds of tiles a level is made of, their characters, and which steps between them are legal."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from levolve.registry import Registry


@dataclass(frozen=True)
class Tileset:
    """Kinds of tiles by number: `characters[kind]` in text, `names[kind]` in words, `steps[a][b]` whether a step from a to b is legal."""

    name: str
    characters: str
    names: tuple[str, ...]
    steps: tuple[tuple[bool, ...], ...]

    def may_stand(self, kind: int) -> bool:
        """Whether a tile of this kind can be stood on."""
        return self.steps[kind][kind]

    @cached_property
    def table(self) -> NDArray[np.uint8]:
        """`steps` as kernels take it: with one more row and column of zeros for the margin around a level."""
        kinds = len(self.characters)
        table = np.zeros((kinds + 1, kinds + 1), np.uint8)
        table[:kinds, :kinds] = self.steps
        table.setflags(write=False)
        return table


WALLS = Tileset("walls", ".#", ("floor", "wall"), ((True, False), (False, False)))

# A step is legal between equal colours and neighbours on the line R-O-Y-G-B-V, which does not close to a ring.
RAINBOW = Tileset(
    "rainbow",
    "ROYGBV",
    ("red", "orange", "yellow", "green", "blue", "violet"),
    tuple(tuple(abs(a - b) <= 1 for b in range(6)) for a in range(6)),
)

TILESETS: Registry[Tileset] = Registry("tileset", {"walls": f"{__name__}:WALLS", "rainbow": f"{__name__}:RAINBOW"})
