"""`Certificate`: why a level with things cannot be lost, in a form that is checked without a
search for ways to win.

Numbers of things are their indices in `Level.things`. A set of things is written as a hexadecimal
number without prefix, in lower case: bit i stands for thing i, so that "5" is the set of things 0
and 2, and "0" the empty set.

The *ignored* things of a certificate change nothing that matters for winning: they are decoration
(kinds without mechanics), or they need and spend nothing, have no direction, lead nowhere, open on
no switch, no thing opens on them, nothing needs a resource that they give, and they do not count or
the goal is not `all`. An amount of 0 is no amount. Their state is no part of the states of a
certificate. What stands on the start is ignored too: what it gives, the player has from the
beginning. Everything else is an *acting* thing. A level without acting things, or whose goal is
reached on the start, needs no certificate.

The *last* stop of the goal (the exit) ends the level if it is entered when all other stops were
visited and, with the goal `all`, everything that counts was taken. Otherwise it is a cell like
others.

A *plain* cell is walkable, has no acting thing, and is not the last stop of the goal and no other
stop after the first. A plain *group* is a largest set of plain cells connected by steps; its name
is its first cell in reading order.

By `kind`:

`A`, `T`
    `data` is empty. All steps between cells of the level are legal in both directions, nothing is
    spent, all acting switches are toggles that are used by choice (A: there are none), and every
    one-way is harmless: all cells that a step joins to it, at least one of them in its direction,
    are plain cells of one group (for this, what only gives, counts or is switched by choice stands
    on plain cells). All stairs and teleporters lead to a thing that leads back. So every move can
    be taken back, except the taking of things, which only helps; and a level that can be won cannot
    be lost.
`C`, `C+T`
    As A or T, but things may be spent: a thing that spends is opened once. Resources that are spent
    are needed only by things that spend something. `data` is `{"next": {SET: THING, ...}}` with an
    entry for every set of opened things that a player can reach, and no others. The last stop is
    passed if there are other stops after the first, or if anything counts and the goal is `all`, as
    though entering it did not end the level: who tries to pass it either may, or wins. THING is the
    number of a thing that can be opened next, or -1 if the goal is reached without opening another
    thing. Sets only grow, so every set leads to a win.
`G`
    Anything. `data` is `{"ignored": [THING, ...], "grouped": BOOL, "ranks": {STATE: RANK, ...}}`
    with an entry for every state that a player can reach, and no others; states in which the level
    has ended are none. Decorations are ignored whether or not they are listed. STATE is
    `X,Y/STAGE/TOUCHED/ON`: the cell of the player, the number of stops after the first that were
    visited, the set of acting things that were taken or opened (things that give, count, or spend),
    and the set of acting switches that are on. Stops on the start are visited from the beginning;
    the last stop is not counted. If `grouped` is true, a plain cell is replaced by the name of its
    group; this requires that steps between cells of the level are legal in both directions. Every
    state of rank 1 has a move that wins; every state of a higher rank has a move to a state of a
    lower rank. Ranks are whole numbers from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from levolve.core.errors import InputError, shown

KINDS = ("A", "T", "C", "C+T", "G")


@dataclass(frozen=True)
class Certificate:
    """The reason why a level can be won from every state that a player can reach.

    Parameters
    ----------
    kind
        The class of the level: A, T, C, C+T or G.
    data
        Plain JSON data, as the docstring of this module says.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `InputError` for an unknown kind or data of another form."""
        if self.kind not in KINDS:
            message = f"certificate: expected a kind of {', '.join(KINDS)}, got {shown(self.kind)}"
            raise InputError(message)
        if not isinstance(self.data, Mapping):
            message = f"certificate: expected data by name, got {shown(self.data)}"
            raise InputError(message)

    def to_data(self) -> dict[str, Any]:
        """Return the certificate as plain JSON data."""
        return {"kind": self.kind, "data": dict(self.data)}

    @classmethod
    def from_data(cls, data: object) -> "Certificate":
        """Create a certificate from the result of `to_data`."""
        if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
            message = f"certificate: expected an object with kind and data, got {shown(data)}"
            raise InputError(message)
        return cls(data["kind"], data.get("data", {}))
