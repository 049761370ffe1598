"""`Thing`: one thing in a level, its text and data forms, and the checks of all things of a level.

In text a thing is `KIND x,y`, followed by its id and fields: `gate 6,2 id=a lever=b open=true`.
"""

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from levolve.core.errors import InputError, PlaceError, shown
from levolve.levels.places import Place
from levolve.levels.things.kinds import KINDS, MOST_AMOUNT, MOST_ENTRIES, NAME, Kind, is_value

MOST_THINGS = 10_000
# Proofs have a column for each resource.
MOST_RESOURCES = 256
_ID = r"[A-Za-z0-9_-]{1,40}"
_CELL = r"(-?[0-9]{1,9}),(-?[0-9]{1,9})"


@dataclass(frozen=True)
class Thing:
    """One thing: a key, a door, a monster.

    Parameters
    ----------
    kind
        The name of its kind; an unknown one has no effect.
    cell
        Where it is, (x, y).
    id
        The name by which other things refer to it; empty for none.
    fields
        Values by field, as texts. A field that is not given has the default of the kind.
    """

    kind: str
    cell: Place
    id: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `InputError` for values that cannot be written on one line."""
        if not isinstance(self.kind, str) or re.fullmatch(NAME, self.kind) is None:
            message = (
                "things: expected a kind of lower-case letters, digits and _, got "
                f"{shown(self.kind)}"
            )
            raise InputError(message)
        try:
            x, y = (operator.index(part) for part in self.cell)
        except (TypeError, ValueError) as problem:
            message = f"{self.kind}: expected a cell (x, y), got {shown(self.cell)}"
            raise InputError(message) from problem
        object.__setattr__(self, "cell", (x, y))
        if not isinstance(self.id, str) or (self.id and re.fullmatch(_ID, self.id) is None):
            message = (
                f"{self.label}: expected an id of at most 40 letters, digits, - and _, got "
                f"{shown(self.id)}"
            )
            raise InputError(message)
        if not isinstance(self.fields, Mapping):
            message = f"{self.label}: expected fields by name, got {shown(self.fields)}"
            raise InputError(message)
        if len(self.fields) > MOST_ENTRIES:
            raise InputError(
                f"{self.label}: expected at most {MOST_ENTRIES} fields, got {len(self.fields)}"
            )
        values = dict(sorted((str(name), _text(value)) for name, value in self.fields.items()))
        for name, value in values.items():
            if re.fullmatch(NAME, name) is None or name == "id" or not is_value(value):
                message = (
                    f"{self.label}: expected fields such as color=red, values without spaces and "
                    f"=, got {shown(name)}={shown(value)}"
                )
                raise InputError(message)
        object.__setattr__(self, "fields", MappingProxyType(values))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copying and pickling."""
        return Thing, (self.kind, self.cell, self.id, dict(self.fields))

    def __hash__(self) -> int:
        """Return equal hashes for equal things."""
        return hash(self.order)

    @property
    def order(self) -> tuple[int, int, str, str, tuple[tuple[str, str], ...]]:
        """The key by which the things of a level are sorted: row, column, kind, id, fields."""
        return self.cell[1], self.cell[0], self.kind, self.id, tuple(self.fields.items())

    @property
    def label(self) -> str:
        """Kind, id and cell for messages: `gate a at 6,2`."""
        name = self.kind.replace("_", " ") + (f" {self.id}" if self.id else "")
        return f"{name} at {self.cell[0]},{self.cell[1]}"

    def moved(self, x: int, y: int) -> "Thing":
        """Return the thing moved by some columns and rows."""
        return Thing(self.kind, (self.cell[0] + x, self.cell[1] + y), self.id, self.fields)

    def value(self, name: str, kinds: Mapping[str, Kind]) -> str:
        """Return the value of a field: its own, or the default of its kind."""
        kind = kinds.get(self.kind)
        return self.fields.get(name, "" if kind is None else kind.fields.get(name, ""))

    def to_text(self) -> str:
        """Return the thing as text on one line."""
        parts = [self.kind, f"{self.cell[0]},{self.cell[1]}"]
        parts += [f"id={self.id}"] if self.id else []
        return " ".join(parts + [f"{name}={value}" for name, value in self.fields.items()])

    @classmethod
    def from_text(cls, text: str, where: str = "thing") -> "Thing":
        """Parse the result of `to_text`; an error begins with `where`."""
        words = text.split()
        match = re.fullmatch(_CELL, words[1]) if len(words) > 1 else None
        values: dict[str, str] = {}
        for word in words[2:]:
            name, equals, value = word.partition("=")
            if not equals or not name or name in values:
                match = None
                break
            values[name] = value
        if match is None:
            message = (
                f"{where}: expected 'KIND x,y' and fields such as color=red, each once, got "
                f"{shown(text)}"
            )
            raise InputError(message)
        try:
            return cls(words[0], (int(match[1]), int(match[2])), values.pop("id", ""), values)
        except InputError as problem:
            message = f"{where}: {problem}"
            raise InputError(message) from problem

    def to_data(self) -> dict[str, Any]:
        """Return the thing as plain data."""
        found: dict[str, Any] = {"kind": self.kind, "cell": list(self.cell)}
        found |= {"id": self.id} if self.id else {}
        return found | ({"fields": dict(self.fields)} if self.fields else {})

    @classmethod
    def from_data(cls, data: object) -> "Thing":
        """Create a thing from the result of `to_data`."""
        if not isinstance(data, Mapping) or not {"kind", "cell"} <= set(data):
            message = f"things: expected objects with kind and cell, got {shown(data)}"
            raise InputError(message)
        cell = data["cell"]
        if not isinstance(cell, list | tuple) or not all(type(part) is int for part in cell):
            message = f"things: expected a cell [x, y] of whole numbers, got {shown(cell)}"
            raise InputError(message)
        return cls(data["kind"], tuple(cell), data.get("id", ""), data.get("fields", {}))


def _text(value: object) -> str:
    """Return a value of a field as text: editors and programs give numbers and truth values too."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def kinds_of(things: Iterable[Thing], own: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return the known kinds of these things by name: a level's own and registered ones."""
    found: dict[str, Kind] = {}
    for name in dict.fromkeys(thing.kind for thing in things):
        if name in own:
            found[name] = own[name]
        elif name in KINDS:
            found[name] = KINDS[name]
    return found


def amount(thing: Thing, text: int | str, kinds: Mapping[str, Kind]) -> int:
    """Return an amount of a kind for one thing: a number, or the value of a field plus a number."""
    if isinstance(text, int):
        return text
    name, _, more = text.partition("+")
    value = thing.value(name, kinds)
    if re.fullmatch("[0-9]{1,5}", value) is None or int(value) + int(more or 0) > MOST_AMOUNT:
        message = (
            f"{thing.label}: expected a whole number from 0 to {MOST_AMOUNT - int(more or 0)} for "
            f"{name}, got {shown(value)}"
        )
        raise InputError(message)
    return int(value) + int(more or 0)


def resources(
    thing: Thing, table: Mapping[str, int | str], kinds: Mapping[str, Kind]
) -> dict[str, int]:
    """Return what a thing gives, needs or spends: amounts by resource."""
    found: dict[str, int] = {}
    for name, text in table.items():
        whole = re.sub(r"\{([a-z0-9_]+)\}", lambda part: thing.value(part[1], kinds), name)
        found[whole] = found.get(whole, 0) + amount(thing, text, kinds)
    return found


def checked_things(things: object) -> tuple[Thing, ...]:
    """Return things in the order of a level; `InputError` for anything else or too many."""
    if isinstance(things, str | bytes | Mapping) or not isinstance(things, Iterable):
        message = f"things: expected a list of things, got {type(things).__name__}"
        raise InputError(message)
    found = tuple(things)
    if len(found) > MOST_THINGS:
        message = f"things: expected at most {MOST_THINGS}, got {len(found)}"
        raise InputError(message)
    for thing in found:
        if not isinstance(thing, Thing):
            message = f"things: expected Thing, got {type(thing).__name__}"
            raise InputError(message)
    return tuple(sorted(found, key=lambda thing: thing.order))


def checked_kinds(kinds: object, things: Iterable[Thing]) -> Mapping[str, Kind]:
    """Return the kinds of a level's own that its things use, by name in alphabetical order; a
    registered name can only stand for the registered kind.
    """
    own = dict(kinds) if isinstance(kinds, Mapping) else {}
    if not isinstance(kinds, Mapping) or not all(
        isinstance(kind, Kind) and kind.name == name for name, kind in own.items()
    ):
        message = f"kinds: expected kinds by name, got {shown(kinds)}"
        raise InputError(message)
    used = {thing.kind for thing in things}
    for name in sorted(own):
        if name in KINDS and KINDS[name] != own[name]:
            message = (
                f"kind {name!r}: expected a name other than those of registered kinds, got "
                "another meaning of one; rename it"
            )
            raise InputError(message)
    return MappingProxyType(
        {name: own[name] for name in sorted(own) if name in used and name not in KINDS}
    )


def check_things(
    things: Sequence[Thing],
    own: Mapping[str, Kind],
    shape: tuple[int, int],
    walkable: Sequence[Sequence[bool]],
    route: Sequence[Place],
) -> None:
    """Raise `InputError` unless the things fit into a level of `(height, width)` cells with these
    walkable cells, whose goal has the stops `route`.
    """
    kinds = kinds_of(things, own)
    ids: dict[str, Thing] = {}
    acting: dict[Place, Thing] = {}
    for thing in things:
        x, y = thing.cell
        if not (0 <= x < shape[1] and 0 <= y < shape[0]):
            message = (
                f"{thing.label}: expected a cell inside the {shape[1]}x{shape[0]} level; move or "
                "delete it"
            )
            raise PlaceError(message)
        if thing.id and thing.id in ids:
            message = f"{thing.label}: expected another id, because {ids[thing.id].label} has it"
            raise InputError(message)
        ids |= {thing.id: thing} if thing.id else {}
        kind = kinds.get(thing.kind)
        if kind is None:
            continue
        if not walkable[y][x]:
            message = f"{thing.label}: expected a walkable tile; move it or open that tile"
            raise PlaceError(message)
        if kind.acts:
            _check_cell(thing, kind, acting, route)
    check_fields(things, kinds)
    # Things of known kinds are on walkable tiles; others may be anywhere, but cannot be entered.
    leading = [(thing, kinds[thing.kind].leads) for thing in things if thing.kind in kinds]
    for thing, to in ((thing, ids[thing.value(to, kinds)]) for thing, to in leading if to):
        if not walkable[to.cell[1]][to.cell[0]]:
            message = f"{thing.label}: expected it to lead to a walkable tile, got {to.label}"
            raise PlaceError(message)


def check_fields(things: Sequence[Thing], kinds: Mapping[str, Kind]) -> None:
    """Raise `InputError` for values of fields that the kinds of things cannot use, such as ids of
    things that do not exist.
    """
    ids = {thing.id: thing for thing in things if thing.id}
    names: set[str] = set()
    for thing in things:
        kind = kinds.get(thing.kind)
        if kind is not None:
            names |= _check_values(thing, kind, kinds, ids)
    if len(names) > MOST_RESOURCES:
        message = (
            f"things: expected at most {MOST_RESOURCES} resources, such as different colours of "
            f"keys, got {len(names)}"
        )
        raise InputError(message)


def _check_cell(
    thing: Thing, kind: Kind, acting: dict[Place, Thing], route: Sequence[Place]
) -> None:
    """Raise `PlaceError` if a thing cannot stand on its cell, together with what is there."""
    if thing.cell in acting:
        message = (
            f"{thing.label}: expected a cell of its own, because {acting[thing.cell].label} "
            "stands there; move one of them"
        )
        raise PlaceError(message)
    acting[thing.cell] = thing
    if not route:
        return
    if kind.held and thing.cell != route[0]:
        message = (
            f"{thing.label}: expected the start at {route[0][0]},{route[0][1]}, because it is "
            "what the player has there"
        )
        raise PlaceError(message)
    if not kind.held and thing.cell in {route[0], route[-1]}:
        end = "start" if thing.cell == route[0] else "end"
        message = f"{thing.label}: expected a cell other than the {end} of the level; move it"
        raise PlaceError(message)


def _check_values(
    thing: Thing, kind: Kind, kinds: Mapping[str, Kind], ids: Mapping[str, Thing]
) -> set[str]:
    """Return the resources that a thing gives or needs; `InputError` for values of fields that the
    kind cannot use.
    """
    given, needed, spent = (
        resources(thing, table, kinds) for table in (kind.gives, kind.needs, kind.spends)
    )
    for name, number in spent.items():
        if number > needed.get(name, 0):
            message = (
                f"{thing.label}: expected to need at least what it spends, {number} {name}, got "
                f"{needed.get(name, 0)}"
            )
            raise InputError(message)
    for name, number in [*given.items(), *needed.items()]:
        if number > MOST_AMOUNT or not name.strip():
            message = f"{thing.label}: expected at most {MOST_AMOUNT} of a named resource"
            raise InputError(message)
    if kind.direction and thing.value(kind.direction, kinds) not in tuple("udlr"):
        value = thing.value(kind.direction, kinds)
        message = f"{thing.label}: expected {kind.direction} u, d, l or r, got {shown(value)}"
        raise InputError(message)
    for name in ("open",) if kind.gate else ("on",) if kind.switch else ():
        if thing.value(name, kinds) not in {"true", "false", ""}:
            value = thing.value(name, kinds)
            message = f"{thing.label}: expected {name}=true or {name}=false, got {shown(value)}"
            raise InputError(message)
    if kind.gate:
        _check_reference(thing, kind.gate, kinds, ids, switch=True)
    if kind.leads:
        _check_reference(thing, kind.leads, kinds, ids, switch=False)
    return {*given, *needed}


def _check_reference(
    thing: Thing, name: str, kinds: Mapping[str, Kind], ids: Mapping[str, Thing], *, switch: bool
) -> None:
    value = thing.value(name, kinds)
    other = ids.get(value)
    if other is None:
        message = (
            f"{thing.label}: expected {name}=ID with the id of another thing, got {shown(value)}; "
            f"known ids: {', '.join(list(ids)[:10]) or 'none'}"
        )
        raise InputError(message)
    target = kinds.get(other.kind)
    if switch and (target is None or not target.switch):
        message = (
            f"{thing.label}: expected the field {name} to name a switch such as a lever, got "
            f"{other.label}"
        )
        raise InputError(message)
    if not switch and other is thing:
        message = f"{thing.label}: expected the field {name} to name another thing, got itself"
        raise InputError(message)


def remarks(things: Sequence[Thing], own: Mapping[str, Kind]) -> list[str]:
    """Return what is legal but probably a mistake: unknown kinds, keys that open nothing, doors
    without a key, switches without a gate.
    """
    kinds = kinds_of(things, own)
    unknown = sorted({thing.kind for thing in things if thing.kind not in kinds})
    found = [f"kinds without effect, because they are not known: {', '.join(unknown)}"]
    found = found if unknown else []
    given: set[str] = set()
    needed: set[str] = set()
    used: set[str] = set()
    known = [(thing, kinds[thing.kind]) for thing in things if thing.kind in kinds]
    for thing, kind in known:
        given |= set(resources(thing, kind.gives, kinds))
        needed |= set(resources(thing, kind.needs, kinds))
        used |= {thing.value(kind.gate, kinds)} if kind.gate else set()
    for thing, kind in known:
        missing = [
            name
            for name, number in resources(thing, kind.needs, kinds).items()
            if number and name not in given
        ]
        if missing:
            found.append(f"{thing.label} needs what nothing gives: {', '.join(missing)}")
        gifts = resources(thing, kind.gives, kinds)
        if gifts and not kind.counts and not kind.held and not set(gifts) & needed:
            found.append(f"{thing.label} opens nothing")
        if kind.switch and thing.id not in used:
            found.append(f"{thing.label} switches nothing")
    return found
