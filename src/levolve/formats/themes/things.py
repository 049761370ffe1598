"""How things look: which sign a thing has, in which colour, and the small texts on it.

Keys and doors of one colour share an emblem, so that they belong together without the colour too;
gates have the colour of their switch, and stairs that of the stairs they lead to.
"""

import colorsys
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from levolve.levels.things.kinds import Kind
from levolve.levels.things.playing import PlayRules, PlayState
from levolve.levels.things.thing import Thing, kinds_of
from levolve.levels.tileset import Colour

COLOURS: Mapping[str, Colour] = {
    "red": (214, 58, 58),
    "blue": (58, 112, 214),
    "green": (52, 158, 84),
    "yellow": (238, 196, 52),
    "purple": (146, 76, 186),
    "orange": (236, 128, 42),
    "cyan": (54, 178, 190),
    "white": (236, 236, 232),
    "black": (62, 60, 72),
    "pink": (236, 124, 172),
    "brown": (138, 92, 56),
    "grey": (140, 144, 152),
    "gold": (232, 180, 60),
    "silver": (186, 194, 204),
}
# Colours of gates and their switches, and of what leads to each other, in the order of the level.
LINKS = ("cyan", "orange", "pink", "green", "purple", "yellow", "blue", "red")
_SIGNS: Mapping[str, str] = {
    "key": "gold",
    "door": "brown",
    "small_key": "silver",
    "small_door": "brown",
    "lever": "",
    "button": "",
    "plate": "",
    "gate": "",
    "one_way": "white",
    "stairs": "",
    "teleporter": "",
    "treasure": "gold",
    "treasure_gate": "gold",
    "monster": "purple",
    "trap": "silver",
    "potion": "red",
    "boss": "red",
    "spawn": "white",
    "player": "red",
    "secret_door": "grey",
}
# The kinds that have a sign of their own.
BUILT_IN = frozenset(_SIGNS)
# The kinds whose signs show a number, and the field that holds it.
NUMBERED = {
    "monster": "damage",
    "trap": "damage",
    "boss": "damage",
    "potion": "health",
    "treasure_gate": "amount",
}
EMBLEMS = 6
MOST_DIGITS = 2
# The sign of a treasure that is worth 1, and the shapes of kinds that are not built in.
COIN = "coin"
ROUND, SQUARE, SPIKED, SLAB = "round", "square", "spiked", "slab"


@dataclass(frozen=True)
class ThingLook:
    """How a thing looks.

    Attributes
    ----------
    sign
        A built-in kind, or the shape of a token: round, square, spiked or slab.
    colour
        The main colour.
    emblem
        The number of the emblem that keys and doors of one colour share.
    direction
        u, d, l or r; empty for things without one.
    text
        At most two characters: a letter or a number.
    changed
        Whether it is open, on, taken or used up.
    """

    sign: str
    colour: Colour
    emblem: int = 0
    direction: str = ""
    text: str = ""
    changed: bool = False

    @property
    def name(self) -> str:
        """A text that is different for different looks."""
        parts = [self.sign, bytes(self.colour).hex(), self.emblem, self.direction, self.text]
        return "-".join(map(str, [*parts, int(self.changed)]))

    @property
    def is_gone(self) -> bool:
        """Whether there is nothing to see any more: what was taken or defeated."""
        kept = {"door", "small_door", "lever", "button", "plate", "gate", "treasure_gate", "trap"}
        return self.changed and self.sign not in kept | {SQUARE, SLAB}

    def used(self) -> "ThingLook":
        """Return the look of the same thing that is open, on, taken or used up."""
        return replace(self, changed=True)


def colour_of(name: str) -> Colour:
    """Return the colour of a word such as red or #d63a3a; any other word has a colour of its
    own.
    """
    known = COLOURS.get(name.lower())
    if known is not None:
        return known
    if re.fullmatch("#[0-9a-fA-F]{6}", name):
        red, green, blue = bytes.fromhex(name[1:])
        return red, green, blue
    number = sum((place + 1) * ord(character) for place, character in enumerate(name))
    shares = colorsys.hls_to_rgb(number * 0.381966 % 1, 0.48, 0.55)
    red, green, blue = (round(255 * share) for share in shares)
    return red, green, blue


def looks_of(things: Sequence[Thing], own: Mapping[str, Kind]) -> list[ThingLook]:
    """Return how the things of a level look at its start, in their order."""
    kinds = kinds_of(things, own)
    links = _links(things, kinds)
    on = {thing.id for thing in things if thing.value("on", kinds) == "true"}
    return [_look(thing, kinds, link, on) for thing, link in zip(things, links, strict=True)]


def looks_during(
    play: PlayRules, moment: PlayState, first: Sequence[ThingLook] | None = None
) -> list[ThingLook]:
    """Return how the things of a level look at a moment of play; `first` are their looks at the
    start, if they are known.
    """
    looks = list(first or looks_of(play.level.things, play.level.kinds))
    for row, index in enumerate(play.mechanics.things.tolist()):
        changed = play.is_changed(moment, row)
        if changed != looks[index].changed:
            looks[index] = replace(looks[index], changed=changed)
    return looks


def _links(things: Sequence[Thing], kinds: Mapping[str, Kind]) -> list[str]:
    """Return the colour of each thing that refers to another one or to which one refers."""
    colours: dict[str, str] = {}
    targets = [_target(thing, kinds) for thing in things]
    groups = 0
    for thing, target in zip(things, targets, strict=True):
        if target and target not in colours:
            colours[target] = colours.get(thing.id) or LINKS[groups % len(LINKS)]
            groups += 1
        if target and thing.id and kinds[thing.kind].leads:
            colours.setdefault(thing.id, colours[target])
    return [
        colours.get(target or thing.id, "") for thing, target in zip(things, targets, strict=True)
    ]


def _target(thing: Thing, kinds: Mapping[str, Kind]) -> str:
    kind = kinds.get(thing.kind)
    return "" if kind is None else thing.value(kind.gate or kind.leads, kinds)


def _look(thing: Thing, kinds: Mapping[str, Kind], link: str, on: Collection[str]) -> ThingLook:
    kind = kinds.get(thing.kind, Kind(thing.kind))
    sign, letter = _sign(thing, kind, known=thing.kind in kinds)
    named = thing.value("color", kinds)
    colour = named or link or _SIGNS.get(thing.kind, "") or (thing.kind if letter else LINKS[0])
    changed = thing.value("on", kinds) == "true"
    if kind.gate:
        changed = (thing.value(kind.gate, kinds) in on) != (thing.value("open", kinds) == "true")
    return ThingLook(
        sign,
        colour_of(colour),
        list(COLOURS).index(colour) % EMBLEMS if colour in COLOURS else len(colour) % EMBLEMS,
        thing.value(kind.direction, kinds) if kind.direction else "",
        letter or _text(thing, kinds),
        changed,
    )


def _sign(thing: Thing, kind: Kind, *, known: bool) -> tuple[str, str]:
    """Return the sign of a thing and the letter on it: none on those of built-in kinds."""
    if known and thing.kind in _SIGNS:
        return COIN if thing.kind == "treasure" and _is_one(thing, kind) else thing.kind, ""
    letter = thing.kind[0].upper()
    if kind.hidden or kind.direction or kind.leads:
        return ("secret_door" if kind.hidden else "one_way" if kind.direction else "teleporter"), ""
    if "enemy" in kind.tags or kind.spends:
        return SPIKED, letter
    if kind.switch:
        return SLAB, letter
    return (SQUARE if kind.gate or kind.needs else ROUND), letter


def _is_one(thing: Thing, kind: Kind) -> bool:
    return thing.fields.get("value", kind.fields["value"]) == "1"


def _text(thing: Thing, kinds: Mapping[str, Kind]) -> str:
    """Return the number or letter on the sign of a built-in kind; damage of 1 is not written."""
    if thing.kind == "spawn":
        return thing.value("of", kinds)[:1].upper()
    if thing.kind not in NUMBERED:
        return ""
    number = thing.value(NUMBERED[thing.kind], kinds)
    written = len(number) <= MOST_DIGITS and (number != "1" or thing.kind == "treasure_gate")
    return number if written else ""
