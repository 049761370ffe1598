"""`Kind`: what a kind of things does, as data; and the registry `KINDS`.

A plug-in adds a kind by an entry point or by `KINDS.add`; a level carries kinds of its own in
`Level.kinds`, as plain data. A kind whose name is not known is a decoration: it changes nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from levolve.core.errors import InputError, shown
from levolve.core.registry import Registry

NAME = r"[a-z][a-z0-9_]{0,39}"
# The most that a thing gives, needs or spends.
MOST_AMOUNT = 99_999
# The most fields of a kind or thing, and resources and tags of a kind; the longest meaning of a
# kind, and the longest name of a resource. They keep files of strangers small in memory.
MOST_ENTRIES, LONGEST, LONGEST_NAME = 64, 500, 80
# An amount: a whole number, or the value of a field, to which a number may be added.
Amount = int | str
Switch = Literal["", "toggle", "once"]
# The characters of places and tiles in drawings, which no kind may have as its sign.
_TAKEN = set(".#SEABC123456789?:")


@dataclass(frozen=True)
class Kind:
    """A kind of things.

    Parameters
    ----------
    name
        Lower-case letters, digits and _.
    meaning
        A sentence that says what things of this kind do.
    sign
        The character in text pictures.
    fields
        The fields of things of this kind, each with the value that it has by default.
    gives, needs, spends
        Amounts by resource. `{field}` in the name of a resource stands for the value of a field. An
        amount is a whole number or a field such as "damage", also with a number added: "damage+1".
        What needs but spends nothing is asked on each entering. What spends is asked only once, and
        is open from then on.
    switch
        "toggle" for a switch, "once" for one that can only be switched on. A field `on` says
        whether it is on at the start.
    forced
        Whether the switch acts on each entering; others are used by the move x.
    gate
        The field that holds the id of the switch that opens the thing. Its field `open` says
        whether the thing is open while the switch is off.
    direction
        The field that holds the only direction (u, d, l or r) in which its cell can be left.
    leads
        The field that holds the id of the thing to which the move x leads.
    counts
        Whether it is one of the things to collect with the goal `all`.
    held
        Whether it stands on the start, and its gifts are what the player has from the beginning.
    hidden
        Whether players see a wall.
    tags
        Words for furnishing and exports, such as "enemy".
    """

    name: str
    meaning: str = ""
    sign: str = "*"
    fields: Mapping[str, str] = field(default_factory=dict)
    gives: Mapping[str, Amount] = field(default_factory=dict)
    needs: Mapping[str, Amount] = field(default_factory=dict)
    spends: Mapping[str, Amount] = field(default_factory=dict)
    switch: Switch = ""
    forced: bool = False
    gate: str = ""
    direction: str = ""
    leads: str = ""
    counts: bool = False
    held: bool = False
    hidden: bool = False
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `InputError` for values of wrong types and for contradictions."""
        self._check_types()
        for name in (self.gate, self.direction, self.leads):
            if name and name not in self.fields:
                self._refuse(f"expected a field called {name!r}, got {shown(dict(self.fields))}")
        for resource, amount in self.spends.items():
            # Numbers are compared here; amounts from fields when a thing is placed.
            needed = self.needs.get(resource, 0)
            if isinstance(amount, int) and isinstance(needed, int) and amount > needed:
                self._refuse(
                    f"expected to need at least what it spends, {amount} of {resource!r}, got "
                    f"{needed}"
                )
        if self.forced and not self.switch:
            self._refuse("expected a switch, because only switches are forced")
        if self.switch and (self.leads or self.gate):
            self._refuse("expected a switch, or a thing that leads or is a gate, not both")
        if self.leads and self.direction:
            self._refuse("expected a thing that leads or has a direction, not both")
        if self.switch and (self.gives or self.spends or self.counts):
            self._refuse("expected a switch, or a thing that gives, spends or counts, not both")
        others = self.needs or self.spends or self.switch or self.gate or self.direction
        if self.held and (others or self.leads or self.counts):
            self._refuse("expected only gifts, because a held thing is what the player has")

    def _refuse(self, text: str) -> None:
        message = f"kind {self.name!r}: {text}"
        raise InputError(message)

    def _check_types(self) -> None:
        if not isinstance(self.name, str) or re.fullmatch(NAME, self.name) is None:
            message = (
                "kind: expected a name of at most 40 lower-case letters, digits and _, got "
                f"{shown(self.name)}"
            )
            raise InputError(message)
        for name in ("forced", "counts", "held", "hidden"):
            if not isinstance(getattr(self, name), bool):
                self._refuse(f"expected true or false for {name}, got {shown(getattr(self, name))}")
        for name in ("meaning", "gate", "direction", "leads"):
            self._check_line(name, getattr(self, name))
        if self.switch not in get_args(Switch):
            self._refuse(f"expected a switch 'toggle' or 'once', got {shown(self.switch)}")
        plain = isinstance(self.sign, str) and len(self.sign) == 1 and self.sign.isascii()
        if not plain or not self.sign.isprintable() or self.sign.isspace() or self.sign in _TAKEN:
            self._refuse(
                f"expected a sign of one ASCII character other than {' '.join(sorted(_TAKEN))}, "
                f"got {shown(self.sign)}"
            )
        if not isinstance(self.tags, tuple | list) or not all(
            isinstance(tag, str) and re.fullmatch(NAME, tag) for tag in self.tags
        ):
            self._refuse(f"expected tags of lower-case letters, got {shown(self.tags)}")
        object.__setattr__(self, "tags", tuple(self.tags))
        self._check_tables()

    def _check_line(self, name: str, value: object) -> None:
        if not isinstance(value, str) or (value and not value.isprintable()):
            self._refuse(f"expected a text of one line for {name}, got {shown(value)}")
        elif len(value) > LONGEST:
            self._refuse(f"expected at most {LONGEST} characters for {name}, got {len(value)}")

    def _check_tables(self) -> None:
        for name in ("fields", "gives", "needs", "spends", "tags"):
            table = getattr(self, name)
            if name != "tags" and not isinstance(table, Mapping):
                self._refuse(f"expected a table for {name}, got {shown(table)}")
            if len(table) > MOST_ENTRIES:
                self._refuse(f"expected at most {MOST_ENTRIES} entries in {name}, got {len(table)}")
        for name, value in self.fields.items():
            if not isinstance(name, str) or re.fullmatch(NAME, name) is None or name == "id":
                self._refuse(f"expected fields named by lower-case letters, got {shown(name)}")
            if not isinstance(value, str) or not is_value(value):
                self._refuse(f"expected a word as value of the field {name}, got {shown(value)}")
        for table in (self.gives, self.needs, self.spends):
            for resource, amount in table.items():
                self._check_amount(resource, amount)

    def _check_amount(self, resource: object, amount: object) -> None:
        named = re.sub(r"\{([a-z0-9_]+)\}", "", resource) if isinstance(resource, str) else "{"
        used = re.findall(r"\{([a-z0-9_]+)\}", resource) if isinstance(resource, str) else []
        if (
            re.fullmatch(r"[a-zA-Z0-9_ -]*", named) is None
            or not 0 < len(str(resource)) <= LONGEST_NAME
        ):
            self._refuse(
                f"expected resources such as 'health' or '{{color}} key', got {shown(resource)}"
            )
        if isinstance(amount, str):
            match = re.fullmatch(rf"({NAME})(?:\+([0-9]{{1,5}}))?", amount)
            used += [] if match is None else [match[1]]
            right = match is not None
        else:
            right = type(amount) is int and 0 <= amount <= MOST_AMOUNT
        if not right:
            self._refuse(
                f"expected a whole number from 0 to {MOST_AMOUNT} or a field such as 'damage+1' "
                f"for {shown(resource)}, got {shown(amount)}"
            )
        for name in used:
            if name not in self.fields:
                self._refuse(f"expected a field called {name!r}, got {shown(dict(self.fields))}")

    @property
    def acts(self) -> bool:
        """Whether things of this kind can change what a player can do."""
        return bool(
            self.gives
            or self.needs
            or self.spends
            or self.switch
            or self.gate
            or self.direction
            or self.leads
            or self.counts
        )

    def to_data(self) -> dict[str, Any]:
        """Return the kind as plain data, without what has its default value."""
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "name" or value != _EMPTY[each.name]:
                plain = dict(value) if isinstance(value, Mapping) else value
                found[each.name] = list(plain) if isinstance(plain, tuple) else plain
        return found

    @classmethod
    def from_data(cls, data: object) -> "Kind":
        """Create a kind from the result of `to_data`."""
        known = [each.name for each in fields(cls)]
        if not isinstance(data, Mapping) or "name" not in data:
            message = f"kind: expected a table with a name, got {shown(data)}"
            raise InputError(message)
        unknown = next((name for name in data if name not in known), None)
        if unknown is not None:
            message = (
                f"kind {shown(data['name'])}: expected {', '.join(known)}, got {shown(unknown)}"
            )
            raise InputError(message)
        return cls(**data)


def is_value(value: str) -> bool:
    """Whether a text can be the value of a field: printable, without spaces and = signs; it may be
    empty.
    """
    return (
        len(value) <= 200  # longer than any id, colour or word
        and value.isprintable()
        and not re.search(r"[\s=]", value)
    )


_EMPTY = {each.name: getattr(Kind("a"), each.name) for each in fields(Kind)}

_KEY = {"{color} key": 1}
_SMALL = {"small key": 1}
_BLOW: Mapping[str, Amount] = {"health": "damage+1"}
_HURT: Mapping[str, Amount] = {"health": "damage"}

KEY = Kind(
    "key", "Opens all doors of its colour; it is never used up.", "k", {"color": "red"}, _KEY
)
DOOR = Kind("door", "Lets in who has the key of its colour.", "D", {"color": "red"}, needs=_KEY)
SMALL_KEY = Kind("small_key", "Opens one small door, and is used up.", "j", gives=_SMALL)
SMALL_DOOR = Kind(
    "small_door", "Takes a small key, and stays open.", "d", needs=_SMALL, spends=_SMALL
)
LEVER = Kind(
    "lever",
    "Opens and shuts its gates each time it is used.",
    "l",
    {"on": "false"},
    switch="toggle",
)
BUTTON = Kind("button", "Opens and shuts its gates once, when it is used.", "b", switch="once")
PLATE = Kind(
    "plate",
    "Opens and shuts its gates each time it is stepped on.",
    "p",
    {"on": "false"},
    switch="toggle",
    forced=True,
)
GATE = Kind(
    "gate",
    "Is opened and shut by its lever, button or plate.",
    "g",
    {"lever": "", "open": "false"},
    gate="lever",
)
ONE_WAY = Kind(
    "one_way", "Can be left in one direction only.", ">", {"direction": "r"}, direction="direction"
)
STAIRS = Kind("stairs", "Lead to other stairs when they are used.", "H", {"to": ""}, leads="to")
TELEPORTER = Kind(
    "teleporter", "Leads to another thing when it is used.", "T", {"to": ""}, leads="to"
)
TREASURE = Kind(
    "treasure",
    "Something to collect.",
    "$",
    {"value": "1"},
    {"treasure": "value"},
    counts=True,
    tags=("reward",),
)
TREASURE_GATE = Kind(
    "treasure_gate",
    "Lets in who has collected enough treasure.",
    "G",
    {"amount": "5"},
    needs={"treasure": "amount"},
)
MONSTER = Kind(
    "monster",
    "Costs health once; who has too little cannot pass.",
    "m",
    {"damage": "1"},
    needs=_BLOW,
    spends=_HURT,
    tags=("enemy",),
)
TRAP = Kind(
    "trap",
    "Costs health once, like a monster, but does not move.",
    "^",
    {"damage": "1"},
    needs=_BLOW,
    spends=_HURT,
)
POTION = Kind("potion", "Gives health.", "h", {"health": "1"}, {"health": "health"})
BOSS = Kind(
    "boss",
    "A strong monster; it has to be defeated to complete the level.",
    "M",
    {"damage": "2"},
    needs=_BLOW,
    spends=_HURT,
    counts=True,
    tags=("enemy",),
)
SPAWN = Kind("spawn", "Where the game places something.", "o", {"of": ""})
PLAYER = Kind(
    "player",
    "What the player has at the start.",
    "@",
    {"health": "0"},
    {"health": "health"},
    held=True,
)
SECRET_DOOR = Kind("secret_door", "A passage that looks like a wall.", "%", hidden=True)

# What the fields of these kinds say.
FIELD_MEANINGS: Mapping[str, str] = {
    "color": "The colour; a key opens the doors of its own.",
    "on": "Whether it is on at the start: true or false.",
    "lever": "The id of the lever, button or plate that moves it.",
    "open": "Whether it is open while that is off: true or false.",
    "direction": "The only way out of its cell: u, d, l or r.",
    "to": "The id of the thing to which it leads.",
    "value": "How much treasure it counts as.",
    "amount": "How much treasure it asks for; none is taken.",
    "damage": "How much health it costs; at least 1 has to be left.",
    "health": "How much health the player has from it.",
    "of": "A word for what the game places there.",
}

_NAMES = (
    "key door small_key small_door lever button plate gate one_way stairs teleporter treasure "
    "treasure_gate monster trap potion boss spawn player secret_door"
)
KINDS: Registry[Kind] = Registry(
    "kind of things",
    {name: f"{__name__}:{name.upper()}" for name in _NAMES.split()},
    "levolve.things",
    kinds=(f"{__name__}:Kind",),
)
