"""`Wanted`: a number of things of one kind, and where they belong; read from tables of recipes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from levolve.core.errors import InputError, UnknownNameError
from levolve.core.registry import did_you_mean
from levolve.kernels.building import thing_cells as wishes
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.thing import Thing

MOST_THINGS = 200
FAR_AWAY = 1 << 30
# Where things can belong, by name.
PREFERENCES = {
    "anywhere": wishes.ANYWHERE,
    "dead_end": wishes.AT_DEAD_END,
    "room": wishes.IN_A_ROOM,
    "off_way": wishes.OFF_WAY,
    "on_way": wishes.ON_WAY,
    "far": wishes.FAR,
    "behind": wishes.BEHIND,
    "corridor": wishes.IN_CORRIDOR,
    "treasure": wishes.GUARDING,
    "exit": wishes.AT_EXIT,
}


@dataclass(frozen=True)
class Wanted:
    """A number of things of one kind, and where.

    Attributes
    ----------
    kind, count
        The kind, and how many there are.
    where
        Names of places in `PREFERENCES`, of which each thing has one; empty for the usual ones.
    distance
        The least and the greatest number of steps from the entrance.
    fields
        Values of fields that all of them have.
    """

    kind: Kind
    count: int
    where: tuple[str, ...] = ()
    distance: tuple[int, int] = (0, FAR_AWAY)
    fields: Mapping[str, str] = field(default_factory=dict)


def kind_called(name: str, own: Mapping[str, Kind]) -> Kind:
    """Return the kind with this name, in the singular or the plural."""
    singulars = [name]
    singulars += [name[: -len(end)] + new for end, new in _PLURALS if name.endswith(end)]
    for singular in singulars:
        if singular in own:
            return own[singular]
        if singular in KINDS:
            return KINDS[singular]
    hint = did_you_mean(name, [*own, *KINDS], "levolve parts things")
    raise UnknownNameError(f"things: unknown kind {name!r}: {hint}")


_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))


def parse_wanted(things: Mapping[str, Any], own: Mapping[str, Kind]) -> tuple[Wanted, ...]:
    """Return wanted things from a table of counts by kind. Instead of a count, there may be a table
    with `count`, `where`, `distance` and `fields`.
    """
    found: dict[str, Wanted] = {}
    for name, value in things.items():
        kind = kind_called(str(name), own)
        if kind.name in found:
            raise InputError(f"things: expected each kind once, got {kind.name} again as {name!r}")
        each = _parse_one(kind, value)
        if each.count:
            found[kind.name] = each
    # Sorted, because tables of recipes in files may be in any order.
    return tuple(found[name] for name in sorted(found))


def _parse_one(kind: Kind, value: Any) -> Wanted:
    table = dict(value) if isinstance(value, Mapping) else {"count": value}
    where = f"things.{kind.name}"
    known = ["count", "where", "distance", "fields"]
    for key in table:
        if key not in known:
            raise InputError(f"{where}: unknown key {key!r}: {did_you_mean(str(key), known)}")
    count = table.get("count", 1)
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_THINGS:
        raise InputError(f"{where}: expected a whole number from 0 to {MOST_THINGS}, got {count!r}")
    places = table.get("where", ())
    places = (places,) if isinstance(places, str) else tuple(places)
    for place in places:
        if place not in PREFERENCES:
            raise InputError(
                f"{where}.where: unknown place {place!r}: "
                f"{did_you_mean(str(place), list(PREFERENCES))}"
            )
    fields = table.get("fields", {})
    if not isinstance(fields, Mapping) or not set(fields) <= set(kind.fields):
        raise InputError(
            f"{where}.fields: expected fields of {kind.name} "
            f"({', '.join(kind.fields) or 'it has none'}), got {fields!r}"
        )
    # A thing checks the texts of its fields.
    checked = Thing(kind.name, (0, 0), "", fields).fields
    return Wanted(kind, count, places, _parse_distance(where, table.get("distance")), checked)


def _parse_distance(where: str, value: Any) -> tuple[int, int]:
    if value is None:
        return 0, FAR_AWAY
    pair = value
    if isinstance(value, str):
        low, dots, high = value.partition("..")
        pair = [low, high if dots else low]
        pair = [int(part) if part.strip().isdigit() else part for part in pair]
    if (
        not isinstance(pair, list | tuple)
        or len(pair) != 2
        or not all(isinstance(part, int) and not isinstance(part, bool) for part in pair)
        or not 0 <= pair[0] <= pair[1] <= FAR_AWAY
    ):
        raise InputError(
            f"{where}.distance: expected the least and the greatest number of steps from the "
            f"entrance, such as [8, 20] or 8..20, got {value!r}"
        )
    return pair[0], pair[1]
