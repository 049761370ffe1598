"""What the independent checker knows of things: the rules of play, with plain lists and dicts.

It reads things and their kinds by itself, and shares no code with `lowering`, with kernels or with
what finds solutions and certificates.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from levolve.levels.checker import STEPS, stops_of
from levolve.levels.things.kinds import Amount, Kind
from levolve.levels.things.thing import Thing, kinds_of

if TYPE_CHECKING:
    from levolve.levels.level import Level

Cell = tuple[int, int]


class State(NamedTuple):
    """Where the player is, the number of stops after the first that he visited, and two sets of
    things as numbers (bit i is thing i): what he took or opened, and the switches that are on.
    """

    cell: Cell
    stage: int
    touched: int
    on: int


@dataclass(frozen=True)
class Part:
    """A thing that does something; `number` is its index in the level. `gate` is the number of its
    switch, `way` the only move by which its cell is left, `leads` the cell to which it leads.
    """

    number: int
    name: str
    label: str
    cell: Cell
    gives: Mapping[str, int]
    needs: Mapping[str, int]
    spends: Mapping[str, int]
    switch: str
    forced: bool
    on: bool
    gate: int | None
    open_while_off: bool
    way: str
    leads: Cell | None
    counts: bool

    @property
    def bit(self) -> int:
        """The set that contains only this thing."""
        return 1 << self.number

    @property
    def kept(self) -> bool:
        """Whether it is remembered that the player was here."""
        return bool(self.gives or self.spends or self.counts)


class Rules:
    """The rules of play of a level whose goal has stops.

    Attributes
    ----------
    entrance
        The cell of the first stop.
    stops
        Names and cells of the other stops in order.
    at
        What acts on each cell. What stands on the entrance is in `initial`, amounts by resource.
    things
        The number of things in the level.
    """

    def __init__(self, level: "Level") -> None:
        """Read the level and its things."""
        self.tiles: list[list[int]] = level.tiles.tolist()
        self._legal = level.tileset.steps
        (_, self.entrance), *self.stops = stops_of(level.places, level.goal.stops)
        self.collects = level.goal.collects
        self.initial: dict[str, int] = {}
        self.at: dict[Cell, Part] = {}
        kinds = kinds_of(level.things, level.kinds)
        self.things = len(level.things)
        numbers = {thing.id: number for number, thing in enumerate(level.things) if thing.id}
        for number, thing in enumerate(level.things):
            kind = kinds.get(thing.kind)
            if kind is None or not kind.acts:
                continue
            part = _read(number, thing, kind, numbers, level.things)
            if kind.held:
                for name, amount in part.gives.items():
                    self.initial[name] = self.initial.get(name, 0) + amount
            else:
                self.at[part.cell] = part
        self.index()

    def index(self) -> None:
        """Compute what follows from `at`."""
        self.parts = {part.number: part for part in self.at.values()}
        self.counting = sum(part.bit for part in self.at.values() if part.counts)
        self._counted, self._owned = 0, dict(self.initial)

    def without(self, ignored: set[int]) -> "Rules":
        """Return the rules of the same level without these things."""
        rules = copy.copy(self)
        rules.at = {cell: part for cell, part in self.at.items() if part.number not in ignored}
        rules.index()
        return rules

    def start(self) -> State:
        """Return the first state."""
        on = sum(part.bit for part in self.at.values() if part.on)
        return self._visited(State(self.entrance, 0, 0, on))

    def is_won(self, state: State) -> bool:
        """Whether the level has ended."""
        return state.stage == len(self.stops)

    def missing(self, touched: int) -> list[Part]:
        """Return what still has to be collected."""
        left = self._left(touched)
        return [part for part in self.parts.values() if part.bit & left] if left else []

    def _left(self, touched: int) -> int:
        return self.counting & ~touched if self.collects else 0

    def owned(self, touched: int) -> Mapping[str, int]:
        """Return what the player has who took and opened these things."""
        # Only what differs from the set asked for before is counted: levels may have 10,000 things.
        changed = touched ^ self._counted
        while changed:
            bit = changed & -changed
            changed ^= bit
            sign = 1 if bit & touched else -1
            part = self.parts.get(bit.bit_length() - 1)
            for name, amount in () if part is None else part.gives.items():
                self._owned[name] = self._owned.get(name, 0) + sign * amount
            for name, amount in () if part is None else part.spends.items():
                self._owned[name] = self._owned.get(name, 0) - sign * amount
        self._counted = touched
        return self._owned

    def neighbours(self, cell: Cell) -> Iterator[tuple[str, Cell]]:
        """Return the moves to the cells beside a cell, and these cells."""
        for move, (right, down) in STEPS.items():
            to = cell[0] + right, cell[1] + down
            if 0 <= to[1] < len(self.tiles) and 0 <= to[0] < len(self.tiles[0]):
                yield move, to

    def is_step(self, cell: Cell, to: Cell) -> bool:
        """Whether the tiles allow a step from a cell to one beside it."""
        return self._legal[self.tiles[cell[1]][cell[0]]][self.tiles[to[1]][to[0]]]

    def obstacle(self, state: State, cell: Cell) -> str:
        """Return why the player cannot enter a cell; nothing if he can."""
        part = self.at.get(cell)
        if part is None:
            return ""
        if part.gate is not None:
            is_on = self.parts[part.gate].bit & state.on != 0
            if is_on == part.open_while_off:
                switch = f"{self.parts[part.gate].label} is {'on' if is_on else 'off'}"
                return f"enters {_one(part.name)} that is shut, because {switch}"
        if part.spends and part.bit & state.touched:
            return ""
        for name, amount in part.needs.items():
            has = self.owned(state.touched).get(name, 0)
            if has < amount:
                return (
                    f"enters {_one(part.name)} that needs {amount} {name}; the player has "
                    f"{has or 'none'}"
                )
        return ""

    def entered(self, state: State, cell: Cell) -> State:
        """Return the state after the player entered a cell that lets him in."""
        part, touched, on = self.at.get(cell), state.touched, state.on
        if part is not None:
            touched |= part.bit if part.kept else 0
            on = _switched(part, on) if part.forced else on
        return self._visited(State(cell, state.stage, touched, on))

    def used(self, state: State) -> State | None:
        """Return the state after the player used a switch; None if there is none to use."""
        part = self.at.get(state.cell)
        if part is None or not part.switch or part.forced:
            return None
        return state._replace(on=_switched(part, state.on))

    def _visited(self, state: State) -> State:
        stage, last = state.stage, len(self.stops) - 1
        while stage < last and self.stops[stage][1] == state.cell:
            stage += 1
        ended = stage == last and self.stops[last][1] == state.cell
        return state._replace(stage=stage + (ended and not self._left(state.touched)))


def _switched(part: Part, on: int) -> int:
    return on | part.bit if part.switch == "once" else on ^ part.bit


def _read(
    number: int, thing: Thing, kind: Kind, numbers: Mapping[str, int], things: tuple[Thing, ...]
) -> Part:
    values = {**kind.fields, **thing.fields}
    return Part(
        number,
        thing.kind.replace("_", " "),
        f"the {thing.label}",
        thing.cell,
        _amounts(kind.gives, values),
        _amounts(kind.needs, values),
        _amounts(kind.spends, values),
        kind.switch,
        kind.forced,
        bool(kind.switch) and values.get("on") == "true",
        numbers[values[kind.gate]] if kind.gate else None,
        values.get("open") == "true",
        values[kind.direction] if kind.direction else "",
        things[numbers[values[kind.leads]]].cell if kind.leads else None,
        kind.counts,
    )


def _amounts(table: Mapping[str, Amount], values: Mapping[str, str]) -> dict[str, int]:
    """Return amounts by resource, without those of 0."""
    found: dict[str, int] = {}
    for resource, amount in table.items():
        if isinstance(amount, int):
            whole = amount
        else:
            field, _, more = amount.partition("+")
            whole = int(values[field]) + int(more or 0)
        name = resource.format_map(values)
        found[name] = found.get(name, 0) + whole
    return {name: whole for name, whole in found.items() if whole}


def _one(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
