"""`FurnishingPlan`: which things levels get, as prototypes for a batch and as slots for kernels.

The role of a thing follows from what its kind does: what asks for a resource is a barrier, what
gives it is a key, and so on. So kinds of the user's own are placed like built-in ones.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.building import locks
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.thing import Thing, resources
from levolve.search.genotypes.furnishing.wanted import MOST_THINGS, PREFERENCES, Wanted

HEALTH = "health"
COLORS = ("red", "blue", "green", "yellow", "purple", "orange", "cyan", "white")
DIRECTIONS = "udlr"
# Where kinds belong, and, by tag or role, others.
USUAL: dict[str, tuple[str, ...]] = {
    "key": ("dead_end", "room", "far", "behind"),
    "switch": ("dead_end", "room", "off_way"),
    "reward": ("dead_end", "room", "off_way", "behind"),
    "enemy": ("treasure", "treasure", "room", "on_way"),
    "trap": ("corridor", "on_way"),
    "potion": ("dead_end", "off_way"),
    "spawn": ("room", "anywhere"),
    "boss": ("exit",),
    "plate": ("room", "dead_end"),
}


@dataclass(frozen=True, eq=False)
class FurnishingPlan:
    """The things of furnished levels.

    Attributes
    ----------
    prototypes
        The things, one per column of their cells. A one-way has a column per direction.
    slots
        `(s, COLUMNS)` table of `kernels.building.locks`: what is placed, barriers first.
    held
        The column of what the player has at the start, on the entrance; -1 for none.
    kinds
        The kinds that are not registered.
    """

    prototypes: tuple[Thing, ...]
    slots: NDArray[np.int32]
    held: int
    kinds: Mapping[str, Kind]

    @property
    def columns(self) -> list[slice]:
        """The columns of each slot, one of which has the cell of its thing."""
        return [
            slice(
                row[locks.FIRST], row[locks.FIRST] + (4 if row[locks.ROLE] == locks.ONE_WAY else 1)
            )
            for row in self.slots.tolist()
        ]


def plan(
    wanted: Iterable[Wanted],
    health: int | None = None,
    *,
    allow_loss: bool = False,
    taken_ids: Collection[str] = (),
) -> FurnishingPlan:
    """Return the plan for things; raise `InputError` for things that do not fit together."""
    return _Planner(list(wanted), health, set(taken_ids), allow_loss=allow_loss).plan()


class _Planner:
    """Turns wanted things into prototypes and slots."""

    def __init__(
        self, wanted: list[Wanted], health: int | None, taken_ids: set[str], *, allow_loss: bool
    ) -> None:
        self.wanted, self.health, self.allow_loss = wanted, health, allow_loss
        self.taken_ids = taken_ids
        self.prototypes: list[Thing] = []
        self.slots: list[list[int]] = []
        self.groups: dict[str, int] = {}
        # The amounts that locks ask for, at most, and the numbers of takers, by resource.
        self.asked: dict[str, int] = {}
        self.takers: dict[str, int] = {}
        self.switches: list[tuple[str, Kind]] = []
        self.damage = 0

    def plan(self) -> FurnishingPlan:
        """Return the plan."""
        total = sum(each.count for each in self.wanted)
        if total > MOST_THINGS:
            raise InputError(f"things: expected at most {MOST_THINGS}, got {total}")
        for each in self.wanted:
            self._check(each)
        # Barriers come first, after what opens them is known; switches before their gates.
        named = [(each, self._things(each)) for each in self.wanted]
        self._read_switches(named)
        for barrier in (True, False):
            for each, things in named:
                if _is_barrier(each.kind) == barrier:
                    for thing in things:
                        self._add(each, thing)
        self._check_counts(named)
        self._link_gates()
        held = self._add_player()
        return FurnishingPlan(
            tuple(self.prototypes),
            np.array(self.slots, np.int32).reshape(-1, locks.COLUMNS),
            held,
            {each.kind.name: each.kind for each in self.wanted if each.kind.name not in KINDS},
        )

    @staticmethod
    def _check(each: Wanted) -> None:
        kind = each.kind
        if kind.held:
            raise InputError(
                f"{kind.name}: expected another kind, because it stands on the entrance; set "
                "health instead"
            )
        if kind.leads:
            raise InputError(
                f"{kind.name}: expected a kind that leads nowhere, because pairs of {kind.name} "
                "are not placed"
            )

    def _things(self, each: Wanted) -> list[Thing]:
        """Return the things of a kind, with their own colours and amounts."""
        kind = each.kind
        own = dict(each.fields)
        colored = "color" in kind.fields and "color" not in own
        colors = self._colors(kind) if colored else 1
        found = []
        for number in range(each.count):
            fields = dict(own)
            if colored:
                fields["color"] = COLORS[number % colors]
            if kind.name == "treasure_gate" and "amount" not in fields:
                treasure = sum(one.count for one in self.wanted if one.kind.name == "treasure")
                # Half of all, one more for each further gate.
                fields["amount"] = str(min(max(treasure // 2 + number, 1), max(treasure, 1)))
            found.append(Thing(kind.name, (0, 0), "", fields))
        return found

    def _colors(self, kind: Kind) -> int:
        """Return how many colours things of a kind have: as many as there are of what opens
        them.
        """
        keys = sum(
            one.count
            for one in self.wanted
            if "color" in one.kind.fields and one.kind.gives and "color" not in one.fields
        )
        own = sum(one.count for one in self.wanted if one.kind == kind)
        return max(1, min(len(COLORS), own if kind.gives else keys))

    def _read_switches(self, named: list[tuple[Wanted, list[Thing]]]) -> None:
        for each, things in named:
            if each.kind.switch:
                for _ in things:
                    name = next(
                        name
                        for name in (f"{each.kind.name}-{k}" for k in itertools.count(1))
                        if name not in self.taken_ids
                    )
                    self.taken_ids.add(name)
                    self.switches.append((name, each.kind))
        toggles = sum(kind.switch == "toggle" for _, kind in self.switches)
        if toggles > locks.MOST_SWITCHES:
            raise InputError(
                f"things: expected at most {locks.MOST_SWITCHES} levers and plates, got {toggles}"
            )

    def _group(self, resource: str) -> int:
        if resource not in self.groups:
            if len(self.groups) == locks.MOST_GROUPS:
                raise InputError(
                    f"things: expected at most {locks.MOST_GROUPS} kinds of keys and doors"
                )
            self.groups[resource] = len(self.groups)
        return self.groups[resource]

    def _slot(self, each: Wanted, role: int, *usual: str) -> list[int]:
        """Return a new slot of a role, with the place that things of a kind usually have."""
        names = each.where or USUAL.get(each.kind.name) or _by_tag(each.kind) or usual
        row = [0] * locks.COLUMNS
        row[locks.ROLE], row[locks.FIRST] = role, len(self.prototypes)
        row[locks.GROUP], row[locks.SWITCH_OF] = locks.NO_GROUP, -1
        row[locks.AMOUNT] = 1
        row[locks.WHERE] = sum({1 << PREFERENCES[name] for name in names})
        row[locks.NEAREST], row[locks.FARTHEST] = each.distance
        row[locks.ASIDE] = int(each.kind.forced)
        row[locks.GUARDED] = int("reward" in each.kind.tags)
        self.slots.append(row)
        return row

    def _add(self, each: Wanted, thing: Thing) -> None:
        """Add the slot and the prototypes of one thing."""
        kind = each.kind
        known = {kind.name: kind}
        gives, needs, spends = (
            resources(thing, table, known) for table in (kind.gives, kind.needs, kind.spends)
        )
        if kind.direction:
            self._slot(each, locks.ONE_WAY)
            self.prototypes += [
                Thing(kind.name, (0, 0), "", {**thing.fields, kind.direction: way})
                for way in DIRECTIONS
            ]
            return
        if kind.gate:
            self._slot(each, locks.GATE)
        elif kind.switch:
            name = [name for name, one in self.switches if one == kind][
                sum(prototype.kind == kind.name for prototype in self.prototypes)
            ]
            thing = Thing(kind.name, (0, 0), name, thing.fields)
            if kind.switch == "once":
                row = self._slot(each, locks.KEY, *USUAL["switch"])
                row[locks.GROUP] = self._group(f"switch {name}")
            else:
                self._slot(each, locks.SWITCH, *USUAL["switch"])
        elif kind.hidden and not kind.acts:
            self._slot(each, locks.SECRET)
        elif HEALTH in needs or HEALTH in spends:
            self.damage += spends.get(HEALTH, 0)
            self._slot(each, locks.CONTENT)
        elif needs:
            resource = next(iter(needs))
            taken = any(spends.values())
            row = self._slot(each, locks.TAKER if taken else locks.LOCK)
            row[locks.GROUP], row[locks.AMOUNT] = self._group(resource), needs[resource]
            if taken:
                self.takers[resource] = self.takers.get(resource, 0) + 1
            else:
                self.asked[resource] = max(self.asked.get(resource, 0), needs[resource])
        else:
            self._add_gift(each, gives)
        self.prototypes.append(thing)

    def _add_gift(self, each: Wanted, gives: Mapping[str, int]) -> None:
        resource = next((name for name in gives if name in self.groups), "")
        if resource in self.takers:
            self._slot(each, locks.PAYMENT, *USUAL["key"])[locks.GROUP] = self._group(resource)
            return
        had = sum(
            row[locks.AMOUNT]
            for row in self.slots
            if row[locks.ROLE] == locks.KEY and row[locks.GROUP] == self.groups.get(resource, -2)
        )
        if resource and (had < self.asked.get(resource, 0) or not each.kind.counts):
            row = self._slot(each, locks.KEY, *USUAL["key"])
            row[locks.GROUP], row[locks.AMOUNT] = self._group(resource), gives[resource]
        else:
            self._slot(each, locks.CONTENT, *(USUAL["key"] if gives else ("anywhere",)))

    def _check_counts(self, named: list[tuple[Wanted, list[Thing]]]) -> None:
        """Raise `InputError` for barriers that nothing opens, and for what opens nothing."""
        given: dict[str, int] = {}
        for each, things in named:
            known = {each.kind.name: each.kind}
            for thing in things:
                for name, number in resources(thing, each.kind.gives, known).items():
                    given[name] = given.get(name, 0) + number
                    used = name in self.groups or name == HEALTH or each.kind.counts
                    if not used:
                        raise InputError(
                            f"things: expected something that the {_named(thing)} opens, because "
                            "a key without a door is of no use; ask for as many doors as keys, or "
                            "more"
                        )
        for name, most in {**self.asked, **self.takers}.items():
            if given.get(name, 0) < (most if name in self.asked or not self.allow_loss else 1):
                barrier = next(
                    _named(thing)
                    for each, things in named
                    for thing in things
                    if name in resources(thing, each.kind.needs, {each.kind.name: each.kind})
                )
                raise InputError(
                    f"things: expected {most} {name} for the {barrier}, got "
                    f"{given.get(name, 0)}; ask for more of what gives it"
                )
        if sum(self.takers.values()) > locks.MOST_TAKERS:
            raise InputError(
                f"things: expected at most {locks.MOST_TAKERS} doors that use up keys, got "
                f"{sum(self.takers.values())}"
            )

    def _link_gates(self) -> None:
        """Give each gate its switch, in turn: the second gate of a switch that can be switched back
        is open at first.
        """
        gates = [row for row in self.slots if row[locks.ROLE] == locks.GATE]
        if len(gates) < len(self.switches) or (gates and not self.switches):
            raise InputError(
                "things: expected at least one gate for each lever, button and plate, and a switch "
                f"for gates, got {len(gates)} gates and {len(self.switches)} switches"
            )
        for number, row in enumerate(gates):
            name, kind = self.switches[number % len(self.switches)]
            column = row[locks.FIRST]
            gate = self.prototypes[column]
            opens = number // len(self.switches) % 2 == 1 and kind.switch == "toggle"
            fields = {**gate.fields, _gate_field(self.wanted, gate): name}
            fields |= {"open": "true"} if opens else {}
            self.prototypes[column] = Thing(gate.kind, gate.cell, "", fields)
            if kind.switch == "toggle":
                row[locks.OPEN] = int(opens)
                row[locks.SWITCH_OF] = next(
                    index
                    for index, slot in enumerate(self.slots)
                    if self.prototypes[slot[locks.FIRST]].id == name
                )
            else:
                row[locks.ROLE], row[locks.GROUP] = locks.LOCK, self.groups[f"switch {name}"]

    def _add_player(self) -> int:
        """Add what the player has at the start: by default, health for all that can happen."""
        if self.health is None and not self.damage:
            return -1
        health = self.damage + 1 if self.health is None else self.health
        self.prototypes.append(Thing("player", (0, 0), "", {HEALTH: str(health)}))
        return len(self.prototypes) - 1


def _is_barrier(kind: Kind) -> bool:
    """Whether things of a kind stand in the way until something opens them."""
    asks = [name for name in kind.needs if name != HEALTH]
    return bool(asks or kind.gate or kind.direction or (kind.hidden and not kind.acts))


def _by_tag(kind: Kind) -> tuple[str, ...]:
    return next((USUAL[tag] for tag in kind.tags if tag in USUAL), ())


def _gate_field(wanted: list[Wanted], gate: Thing) -> str:
    return next(each.kind.gate for each in wanted if each.kind.name == gate.kind)


def _named(thing: Thing) -> str:
    color = thing.fields.get("color", "")
    return f"{color} {thing.kind}".strip().replace("_", " ")
