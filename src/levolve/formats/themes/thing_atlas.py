"""`ThingAtlas`: the signs of things in one picture, for editors and engines.

All levels of a theme share one picture, which has the usual signs: every built-in kind in every
named colour, open and shut. Signs that are not among them, such as those of kinds of a level's own,
follow after them; the name of the picture then ends in a digest of those signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.theme import LEAST_TILE, MOST_TILE, Theme
from levolve.formats.themes.things import COIN, COLOURS, LINKS, NUMBERED, ThingLook, looks_of
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing

if TYPE_CHECKING:
    from PIL import Image

NAME = "levolve-things"
_NAME = re.compile(rf"{NAME}-([a-z][a-z0-9_-]*?)-([0-9]{{1,3}})(-[0-9a-f]{{8}})?")
# The largest usual number on a sign.
_LARGEST = 9
_NUMBERS = [str(number) for number in range(1, _LARGEST + 1)]
# The usual values of the field that changes the sign of a kind, by kind; those of links follow.
_VALUES: Mapping[str, tuple[str, Sequence[str]]] = {
    "key": ("color", list(COLOURS)),
    "door": ("color", list(COLOURS)),
    "small_key": ("", [""]),
    "small_door": ("", [""]),
    "treasure": ("value", ["1", "2"]),
    "player": ("", [""]),
    "secret_door": ("", [""]),
    "spawn": ("of", [""]),
    "one_way": ("direction", list("udlr")),
    **{kind: (name, _NUMBERS) for kind, name in NUMBERED.items()},
}
_SWITCHES = ("lever", "button", "plate")
_EMBLEMS = {"key", "door"}

# A kind, and how a thing of it looks.
Sign = tuple[str, ThingLook]


@dataclass(frozen=True)
class ThingAtlas:
    """The signs of things in a theme, `tile` pixels wide and high; sign n is in column n %
    `COLUMNS` and row n // `COLUMNS` of the picture. `extras` follow the usual signs.
    """

    theme: Theme
    tile: int
    extras: tuple[Sign, ...] = ()

    @property
    def name(self) -> str:
        """The name of the picture, without suffix."""
        words = "\n".join(f"{kind} {look.name}" for kind, look in self.extras)
        more = f"-{sha256(words.encode()).hexdigest()[:8]}" if self.extras else ""
        return f"{NAME}-{self.theme.name}-{self.tile}{more}"

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        """All signs in order."""
        return (*usual_signs(), *self.extras)

    @cached_property
    def _numbers(self) -> Mapping[ThingLook, int]:
        return {as_drawn(look): number for number, (_, look) in enumerate(self.signs)}

    def number(self, look: ThingLook) -> int:
        """Return the number of the sign of a thing that looks so."""
        return self._numbers[as_drawn(look)]

    def find(self, look: ThingLook) -> int | None:
        """Return the number of a sign; None if the atlas does not have it."""
        return self._numbers.get(as_drawn(look))

    @property
    def rows(self) -> int:
        """The number of rows of the picture."""
        return -(-len(self.signs) // COLUMNS)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """`(signs, tile, tile, 4)` pixels of all signs."""
        return np.stack([self.theme.thing(look, self.tile) for _, look in self.signs])

    @cached_property
    def picture(self) -> Image.Image:
        """The picture of all signs, with transparent pixels."""
        from PIL import Image

        side = self.tile
        grid = np.zeros((self.rows * COLUMNS, side, side, 4), np.uint8)
        grid[: len(self.signs)] = self.pixels
        rows = grid.reshape(self.rows, COLUMNS, side, side, 4).swapaxes(1, 2)
        return Image.fromarray(rows.reshape(self.rows * side, COLUMNS * side, 4))


def known_thing_atlas(name: str) -> ThingAtlas | None:
    """Return the usual signs of the atlas that a file name, with or without suffix, stands for;
    None for other names.
    """
    match = _NAME.fullmatch(name.rpartition(".")[0] or name)
    known = match is not None and match[1] in THEMES and LEAST_TILE <= int(match[2]) <= MOST_TILE
    return _atlas_of(THEMES[match[1]], int(match[2]), ()) if match is not None and known else None


def thing_atlas(
    theme: Theme, tile: int, things: Sequence[Thing], own: Mapping[str, Kind]
) -> ThingAtlas:
    """Return the atlas with all signs of a level's things; the picture is drawn once."""
    known = {as_drawn(look) for _, look in usual_signs()}
    extras = {
        as_drawn(look): (thing.kind, look)
        for thing, first in zip(things, looks_of(things, own), strict=True)
        for look in _states(first)
        if as_drawn(look) not in known
    }
    return _atlas_of(theme, tile, tuple(sorted(extras.values(), key=lambda sign: sign[1].name)))


def joined(atlases: Sequence[ThingAtlas]) -> ThingAtlas:
    """Return an atlas of one theme and size with the signs of several."""
    extras = {look: (kind, look) for atlas in atlases for kind, look in atlas.extras}
    listed = tuple(sorted(extras.values(), key=lambda sign: sign[1].name))
    return _atlas_of(atlases[0].theme, atlases[0].tile, listed)


_atlas_of = lru_cache(maxsize=32)(ThingAtlas)


@lru_cache(maxsize=1)
def usual_signs() -> tuple[Sign, ...]:
    """Return the signs that every atlas has, kind by kind."""
    things = list(_usual_things())
    found: dict[ThingLook, Sign] = {}
    for thing, first in zip(things, looks_of(things, {}), strict=True):
        for look in _states(first):
            found.setdefault(as_drawn(look), (thing.kind, look))
    order = {
        kind: place for place, kind in enumerate(dict.fromkeys(thing.kind for thing in things))
    }
    # Sorted by kind, and otherwise in the order of the things.
    return tuple(sorted(found.values(), key=lambda sign: order[sign[0]]))


def _usual_things() -> Iterable[Thing]:
    """Return things that show every usual sign once or more."""
    cell = (0, 0)
    for kind, (name, values) in _VALUES.items():
        yield from (Thing(kind, cell, fields={name: value} if name else {}) for value in values)
    # Links get their colours in order, so that as many as there are colours show all of them.
    for kind in _SWITCHES:
        for number in range(len(LINKS)):
            yield Thing(kind, cell, f"{kind}-{number}")
            yield Thing("gate", cell, fields={"lever": f"{kind}-{number}"})
    for kind in ("stairs", "teleporter"):
        for number in range(len(LINKS)):
            yield Thing(kind, cell, f"{kind}-{number}", {"to": f"{kind}-{number}-end"})
            yield Thing(kind, cell, f"{kind}-{number}-end", {"to": f"{kind}-{number}"})


def shown_fields(kind: str, look: ThingLook) -> dict[str, str]:
    """Return the fields that a sign of a built-in kind shows: its colour, number or direction."""
    if kind in _EMBLEMS:
        named = (name for name, colour in COLOURS.items() if colour == look.colour)
        return {"color": next(named, "#{:02x}{:02x}{:02x}".format(*look.colour))}
    if kind == "one_way":
        return {"direction": look.direction}
    if kind == "treasure":
        return {"value": "1" if look.sign == COIN else "2"}
    # A damage of 1 is not written, and numbers are not written on what is used up.
    unknown = kind not in NUMBERED or look.changed or (kind == "treasure_gate" and not look.text)
    return {} if unknown else {NUMBERED[kind]: look.text or "1"}


def _states(look: ThingLook) -> list[ThingLook]:
    """Return how a thing looks at the start and when that has changed, if it can be seen then."""
    other = replace(look, changed=not look.changed)
    return [look, *([] if other.is_gone else [other])]


def as_drawn(look: ThingLook) -> ThingLook:
    """Return the look without what its sign does not show."""
    text = "" if look.changed and look.sign in NUMBERED else look.text
    return replace(look, emblem=look.emblem if look.sign in _EMBLEMS else 0, text=text)
