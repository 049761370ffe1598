"""Tilesets: the kinds of tiles, their characters, names and colours, and the legal steps between
them.

A tileset defines all of this, so that any registered tileset (`TILESETS.add`) works in every
format, picture and page.

Tilesets of puzzles, with which editors and engines show their positions: those of Reach the Flag
and of the sliding puzzle.
"""

import colorsys
import re
from colorsys import hls_to_rgb
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.registry import Registry
from levolve.levels.places import ENTRANCE, EXIT, TOUR, checkpoint

Colour = tuple[int, int, int]

# The characters of places in the text form of a level.
SIGNS = {
    ENTRANCE: "S",
    EXIT: "E",
    **{checkpoint(n): str(n) for n in range(1, 10)},
    **{name: name for name in TOUR},
}
# The character for a free cell, and the one that ends a key below the picture.
RESERVED = "?:"
MOST_KINDS = 254
LIGHT: Colour = (250, 248, 243)
DARK: Colour = (58, 52, 64)


@dataclass(frozen=True)
class Tileset:
    """Kinds of tiles by number, from 0.

    Attributes
    ----------
    name
        Lower-case letters, digits, - and _.
    characters, names
        The character and the name of each kind; all differ.
    steps
        `steps[a][b]` is true if a step from kind a to kind b is legal. A kind is walkable if the
        step to itself is legal.
    colours, dark_colours
        (red, green, blue) of each kind, 0 to 255; all differ. By default they are spread over the
        colour wheel. Dark colours are for dark pages; by default they are the same.
    floor, wall
        The kinds of an empty and of a closed cell: by default the first walkable kind and the first
        that is not; None for both if every kind is walkable.
    signs
        Whether places are drawn as signs on floor tiles in text: by default if there is a floor and
        no character of the tileset is such a sign.
    seam
        The colour of the lines between floor tiles; None for no lines.
    path, path_edge
        The colours of a solution and of its outline.
    rule
        A sentence that explains the legal steps, if they are not obvious.
    blocked
        The message for a player who tries an illegal step.
    labels
        What is written on the tiles of each kind, such as a number; empty texts for nothing. By
        default nothing is.
    """

    name: str
    characters: str
    names: tuple[str, ...]
    steps: tuple[tuple[bool, ...], ...]
    colours: tuple[Colour, ...] = ()
    dark_colours: tuple[Colour, ...] = ()
    floor: int | None = None
    wall: int | None = None
    signs: bool | None = None
    seam: Colour | None = None
    path: Colour = LIGHT
    path_edge: Colour | None = DARK
    rule: str = ""
    blocked: str = "The way is blocked."
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the arguments are consistent, and compute the defaults."""
        kinds = len(self.characters)
        self._check_texts(kinds)
        if len(self.steps) != kinds or any(len(row) != kinds for row in self.steps):
            raise InputError(
                f"tileset {self.name!r}: expected steps of {kinds} rows of {kinds}, one per "
                f"kind, got {[len(row) for row in self.steps]}"
            )
        open_kinds = [kind for kind in range(kinds) if self.may_stand(kind)]
        closed = [kind for kind in range(kinds) if not self.may_stand(kind)]
        if not open_kinds:
            raise InputError(
                f"tileset {self.name!r}: expected a walkable kind (steps[kind][kind] is true), "
                "got none"
            )
        self._default("labels", self.labels or ("",) * kinds)
        if len(self.labels) != kinds:
            raise InputError(
                f"tileset {self.name!r}: expected {kinds} labels, one per kind, got "
                f"{len(self.labels)}"
            )
        self._default("colours", self.colours or _spread_colours(kinds))
        self._default("dark_colours", self.dark_colours or self.colours)
        self._default(
            "floor", self.floor if self.floor is not None or not closed else open_kinds[0]
        )
        self._default("wall", self.wall if self.wall is not None or not closed else closed[0])
        drawable = self.floor is not None and not set(self.characters) & set(SIGNS.values())
        self._default("signs", drawable if self.signs is None else self.signs)
        if self.signs and not drawable:
            raise InputError(
                f"tileset {self.name!r}: expected a floor and characters other than "
                f"{' '.join(SIGNS.values())} if places are drawn as signs"
            )
        for name, colours in (("colours", self.colours), ("dark_colours", self.dark_colours)):
            if len(set(colours)) != kinds or len(colours) != kinds:
                raise InputError(
                    f"tileset {self.name!r}: expected {kinds} different {name}, one per kind, "
                    f"got {len(set(colours))}"
                )
        for name, kind, known in (("floor", self.floor, open_kinds), ("wall", self.wall, closed)):
            if kind is not None and kind not in known:
                raise InputError(
                    f"tileset {self.name!r}: expected {name} to be a kind that is "
                    f"{'' if name == 'floor' else 'not '}walkable, got {kind}"
                )

    def _default(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_texts(self, kinds: int) -> None:
        if re.fullmatch(r"[a-z][a-z0-9_-]*", self.name) is None:
            raise InputError(
                "tileset: expected a name of lower-case letters, digits, - and _, because it is "
                f"part of file names, got {self.name!r}"
            )
        plain = all(
            character.isascii() and character.isprintable() and not character.isspace()
            for character in self.characters
        )
        if (
            not 1 <= kinds <= MOST_KINDS
            or len(set(self.characters)) != kinds
            or not plain
            or set(self.characters) & set(RESERVED)
        ):
            raise InputError(
                f"tileset {self.name!r}: expected 1 to {MOST_KINDS} different ASCII "
                f"characters, without spaces and {' '.join(RESERVED)}, "
                f"got {self.characters!r}"
            )
        if (
            len(set(self.names)) != kinds
            or len(self.names) != kinds
            or any(re.fullmatch(r"[a-z][a-z0-9_]*", name) is None for name in self.names)
        ):
            raise InputError(
                f"tileset {self.name!r}: expected {kinds} different names of lower-case letters, "
                f"digits and _, one per kind, got {self.names!r}"
            )

    def may_stand(self, kind: int) -> bool:
        """Whether tiles of this kind are walkable."""
        return self.steps[kind][kind]

    @property
    def open_kind(self) -> int:
        """The kind of an opened cell: the floor, or the first walkable kind."""
        return (
            self.floor
            if self.floor is not None
            else next(kind for kind in range(len(self.steps)) if self.may_stand(kind))
        )

    @cached_property
    def packs(self) -> bool:
        """Whether levels can be packed into rows of bits: kind 0 is floor, kind 1 is wall, and
        there are no other kinds.
        """
        return self.steps == ((True, False), (False, False))

    @cached_property
    def reversible(self) -> bool:
        """Whether every legal step is also legal in the opposite direction."""
        return all(
            self.steps[a][b] == self.steps[b][a] for a in range(len(self.steps)) for b in range(a)
        )

    @cached_property
    def table(self) -> NDArray[np.uint8]:
        """`(kinds + 1, kinds + 1)` uint8 array of `steps` for kernels, with an extra row and column
        of zeros for the border around a level.
        """
        kinds = len(self.characters)
        table = np.zeros((kinds + 1, kinds + 1), np.uint8)
        table[:kinds, :kinds] = self.steps
        table.setflags(write=False)
        return table


def _spread_colours(kinds: int) -> tuple[Colour, ...]:
    """Return different colours around the wheel, every second one darker."""
    wheel = [
        colorsys.hls_to_rgb(kind / kinds, 0.62 if kind % 2 == 0 else 0.42, 0.5)
        for kind in range(kinds)
    ]
    return tuple(
        (round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in wheel
    )


WALLS = Tileset(
    "walls",
    ".#",
    ("floor", "wall"),
    ((True, False), (False, False)),
    colours=((236, 232, 223), (66, 60, 74)),
    dark_colours=((75, 69, 85), (27, 24, 32)),
    seam=(226, 221, 210),
    path=(226, 149, 60),
    path_edge=None,
)

# A step is legal between equal colours and neighbours on the line R-O-Y-G-B-V, which does not close
# to a ring.
RAINBOW = Tileset(
    "rainbow",
    "ROYGBV",
    ("red", "orange", "yellow", "green", "blue", "violet"),
    tuple(tuple(abs(a - b) <= 1 for b in range(6)) for a in range(6)),
    colours=(
        (214, 69, 65),
        (235, 151, 78),
        (244, 208, 63),
        (88, 175, 106),
        (68, 130, 200),
        (142, 84, 173),
    ),
    rule="Steps lead to the same or a neighbouring colour",
    blocked="No step between these colours.",
)

TILESETS: Registry[Tileset] = Registry(
    "tileset",
    {
        "walls": f"{__name__}:WALLS",
        "rainbow": f"{__name__}:RAINBOW",
        "flag": "levolve.levels.tileset:ROUND_TILES",
        "sliding": "levolve.levels.tileset:BOARD_TILES",
    },
    "levolve.tilesets",
    kinds=(f"{__name__}:Tileset",),
)


GAP, MOST_VISITS = 0, 9
NEVER_FALLS = MOST_VISITS + 1
# From light to dark with the visits that a tile bears; the last one does not fall.
_VISITS = (
    (58, 52, 64),
    (244, 208, 99),
    (222, 158, 66),
    (196, 116, 52),
    (168, 84, 44),
    (140, 62, 40),
    (122, 52, 60),
    (104, 48, 84),
    (84, 48, 104),
    (64, 50, 120),
    (150, 156, 168),
)

# A gap is closed; from every tile a step leads to every other.
ROUND_TILES = Tileset(
    "flag",
    ".123456789*",
    ("gap", *(f"visits_{visits}" for visits in range(1, MOST_VISITS + 1)), "never_falls"),
    tuple(
        tuple(GAP not in {one, other} for other in range(NEVER_FALLS + 1))
        for one in range(NEVER_FALLS + 1)
    ),
    colours=_VISITS,
    labels=("", "", *(str(visits) for visits in range(2, MOST_VISITS + 1)), ""),
    blocked="There is no tile.",
)

MOST_NUMBER = 24
_BLANK: Colour = (222, 216, 204)


def _colours() -> tuple[Colour, ...]:
    """Return colours from orange by green to blue, so that a board in order is a smooth ramp."""
    ramp = [
        hls_to_rgb(0.07 + 0.5 * number / (MOST_NUMBER - 1), 0.47, 0.48)
        for number in range(MOST_NUMBER)
    ]
    return (
        _BLANK,
        *((round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in ramp),
    )


# Nobody walks on a board: every kind is open, so that it is one layer of tiles.
BOARD_TILES = Tileset(
    "sliding",
    "_123456789abcdefghijklmno",
    ("blank", *(f"tile_{number}" for number in range(1, MOST_NUMBER + 1))),
    ((True,) * (MOST_NUMBER + 1),) * (MOST_NUMBER + 1),
    colours=_colours(),
    labels=("", *map(str, range(1, MOST_NUMBER + 1))),
)
