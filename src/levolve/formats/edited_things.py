"""Things in files of editors: which properties of an object are fields of a thing, and the things
made of the objects that a file shows.

A field has a property of the same name. Fields that the kind does not declare, and names that files
use themselves, have the prefix `levolve_`; other properties of a known kind belong to the person
who edits the file. Of an unknown kind, each property that can be a field is one.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from levolve.core.errors import InputError, shown
from levolve.core.safe_text import printable
from levolve.formats.reading.budgets import check_amount
from levolve.formats.themes.thing_atlas import shown_fields
from levolve.formats.themes.things import ThingLook
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.kinds import KINDS, NAME, Kind, is_value
from levolve.levels.things.thing import MOST_THINGS, Thing

KIND, ID = "kind", "thing_id"
# Properties of things in a file that are not fields of the same name.
RESERVED = frozenset({KIND, ID, "tile", "targets", "destination", "id"})
PREFIX = "levolve_"


def kind_named(name: str, own: Mapping[str, Kind]) -> Kind | None:
    """Return a kind of a level's own or a registered one; None for an unknown one."""
    registered = name in KINDS
    return own.get(name) or (KINDS[name] if registered else None)


def kind_name(text: str) -> str:
    """Return the name of the kind that a class or an identifier of an editor stands for."""
    name = re.sub("[^a-z0-9_]", "_", text.lower())[:40]
    return name if re.fullmatch(NAME, name) else f"x_{name}"[:40]


def declared(kind: Kind) -> frozenset[str]:
    """Return the fields that things of a kind have by its definition."""
    state = {"on"} if kind.switch else {"open"} if kind.gate else set()
    return frozenset(kind.fields) | state


def property_of(name: str, kind: Kind | None) -> str:
    """Return the name of the property of a field."""
    plain = name not in RESERVED and not name.startswith(PREFIX)
    return name if plain and (kind is None or name in declared(kind)) else PREFIX + name


def field_of(name: str, value: str | None, kind: Kind | None, where: str) -> str | None:
    """Return the field that a property stands for; None for one that is no field.

    `InputError` is raised for a value that a field of levolve cannot have; `value` is None for one
    that is no text, number or truth value.
    """
    if name.startswith(PREFIX):
        found = name.removeprefix(PREFIX)
    elif name in RESERVED or re.fullmatch(NAME, name) is None:
        return None
    elif kind is None:
        return name if value is not None and is_value(value) else None
    elif name in declared(kind):
        found = name
    else:
        return None
    if value is None or not is_value(value):
        message = f"{where}: expected a word without spaces as {shown(name)}, got {shown(value)}"
        raise InputError(message)
    return found


def references_of(kind: Kind | None) -> tuple[str, ...]:
    """Return the fields that name another thing."""
    return () if kind is None else tuple(filter(None, (kind.gate, kind.leads)))


@dataclass
class FoundThing:
    """A thing as a file shows it.

    `key` is the number or the name that the file gives to the object, `id` the id that it has in
    levolve, and `references` the keys of other objects by field.
    """

    where: str
    key: str
    kind: str
    cell: Place
    id: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)


def check_count(count: int) -> None:
    """Raise `InputError` for more things than a level can have."""
    check_amount(count, MOST_THINGS, "things", "things")


def things_from(found: Sequence[FoundThing], fresh: Callable[[str], str]) -> tuple[Thing, ...]:
    """Return the things of a file. Of several objects with one id, such as copies, the first keeps
    it; one without an id that another refers to gets `fresh(key)`.
    """
    by_key: dict[str, FoundThing] = {}
    for each in found:
        if each.key in by_key:
            message = (
                f"{each.where}: expected a number of its own, got that of "
                f"{by_key[each.key].where}; save the file in its editor"
            )
            raise InputError(message)
        by_key[each.key] = each
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for each in found:
        ids[each.key] = each.id if each.id not in taken else ""
        taken.add(each.id)
    for each in found:
        for name, key in each.references.items():
            if key not in by_key:
                message = (
                    f"{each.where}: expected a thing as {shown(name)}, got a reference to none; "
                    "choose an object of the layer of the things"
                )
                raise InputError(message)
            if not ids[key]:
                ids[key] = _free(fresh(key), taken)
                taken.add(ids[key])
            each.fields[name] = ids[key]
    return tuple(_thing(each, ids[each.key]) for each in found)


def _free(name: str, taken: Iterable[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _thing(found: FoundThing, name: str) -> Thing:
    try:
        return Thing(found.kind, found.cell, name, found.fields)
    except InputError as problem:
        message = f"{found.where}: {problem}"
        raise InputError(message) from problem


def part_of(kind: str, cell: Place) -> str:
    """Return what messages call a thing of an unknown kind that a person added to a file."""
    return f"thing {kind!r} at {cell[0]},{cell[1]}"


def check_shown(
    where: str, thing: Thing, look: ThingLook, seen: str, fields: Mapping[str, str | None]
) -> None:
    """Raise `InputError` for an object that shows the sign of another kind or another direction,
    and warn of one that shows another colour or number than it has. `seen` is the kind of the sign
    that it shows, and `fields` what the sign shows.
    """
    if seen not in {thing.kind, look.sign}:
        raise InputError(
            f"{where}: expected a tile that shows this kind, got that of a {seen}; choose its tile "
            "in the editor"
        )
    shows = shown_fields(thing.kind, look)
    for name, text in fields.items():
        right = shows.get(name)
        if right is None or text == right:
            continue
        problem = (
            f"{where}: its tile shows {name} {shown(text)}, but the property says {shown(right)}; "
            "choose its tile in the editor"
        )
        if look.direction:
            raise InputError(problem)
        warnings.warn(printable(f"{problem}: the property counts"), stacklevel=2)


# Kind, cell and id of a thing in a file.
Key = tuple[str, Place, str]


def matched(old: Sequence[Key], new: Sequence[Key], own: Mapping[str, Kind]) -> dict[int, int]:
    """Return which of the things in a file, by index, become which of the new ones: those with the
    same id, then those in the same cell, then others of the same kind.

    `own` are the kinds of the file's own: things of unknown kinds are only matched with equal ones.
    """
    found: dict[int, int] = {}
    waiting: dict[tuple[object, ...], list[int]] = {}
    keys: tuple[Callable[[Key], tuple[object, ...]], ...] = (
        lambda key: key,
        lambda key: (key[0], key[2]) if key[2] else key,
        lambda key: key[:2],
        lambda key: key[:1],
    )
    for rank, key_of in enumerate(keys):
        taken = set(found.values())
        waiting = {}
        for index, key in enumerate(new):
            if index not in taken:
                waiting.setdefault(key_of(key), []).append(index)
        for index, key in enumerate(old):
            if index in found or (rank and kind_named(key[0], own) is None):
                continue
            free = waiting.get(key_of(key))
            if free:
                found[index] = free.pop(0)
    return found


def same_but_unknown(one: Level, other: Level) -> bool:
    """Whether two levels are equal apart from things of unknown kinds, which have no effect."""

    def known(level: Level) -> Level:
        things = [thing for thing in level.things if kind_named(thing.kind, level.kinds)]
        return level.with_things(things) if len(things) < len(level.things) else level

    return known(one) == known(other)
