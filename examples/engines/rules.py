"""The rules of things for the samples: what happens when the player enters a cell.

Cells are (column, row). The kinds are those of levolve; any other kind is a decoration. Rows may
run downwards (pygame) or upwards (arcade): only one-ways ask for the direction of a step.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]
MONSTERS = ("monster", "boss", "trap")
SWITCHES = ("lever", "button", "plate")
# What is gone when it was taken or defeated; everything else has another sign then.
TAKEN = ("key", "small_key", "treasure", "potion", "player", "monster", "boss")


@dataclass(eq=False)
class Thing:
    """A thing on the map; `number` is that of its object, which others refer to."""

    kind: str
    cell: Cell
    number: int
    fields: dict[str, Any] = field(default_factory=dict)
    # Taken, opened, defeated or switched on.
    changed: bool = False

    def gives(self) -> dict[str, int]:
        """What the player gets here."""
        return {
            "key": {f"{self.fields.get('color', 'red')} key": 1},
            "small_key": {"small key": 1},
            "treasure": {"treasure": int(self.fields.get("value", 1))},
            "potion": {"health": int(self.fields.get("health", 1))},
            "player": {"health": int(self.fields.get("health", 0))},
        }.get(self.kind, {})

    def needs(self) -> dict[str, int]:
        """What the player must have to come here."""
        damage = int(self.fields.get("damage", 2 if self.kind == "boss" else 1))
        return {
            "door": {f"{self.fields.get('color', 'red')} key": 1},
            "small_door": {"small key": 1},
            "treasure_gate": {"treasure": int(self.fields.get("amount", 5))},
            **{kind: {"health": damage + 1} for kind in MONSTERS},
        }.get(self.kind, {})

    def costs(self) -> dict[str, int]:
        """What the player loses here."""
        if self.kind in MONSTERS:
            return {"health": self.needs()["health"] - 1}
        return self.needs() if self.kind == "small_door" else {}


class Game:
    """A player among things."""

    def __init__(
        self, walls: set[Cell], size: Cell, places: dict[str, Cell], things: list[Thing]
    ) -> None:
        """Start at the entrance."""
        self.walls, self.size, self.exit = walls, size, places["exit"]
        self.things = things
        self.at = {thing.cell: thing for thing in things if thing.kind != "spawn"}
        self.by_number = {thing.number: thing for thing in things}
        self.has: Counter[str] = Counter()
        for thing in things:
            thing.changed = thing.kind in SWITCHES and bool(thing.fields.get("on", False))
        self.first = {thing.number: self.is_changed(thing) for thing in things}
        self.position = places["entrance"]
        self._enter(self.position)

    @property
    def won(self) -> bool:
        """Whether the player is at the exit."""
        return self.position == self.exit

    def is_open(self, gate: Thing) -> bool:
        """Whether a gate is open: as at the start, or the opposite if its switch is on."""
        switch = self.by_number[int(gate.fields["lever"])]
        return bool(gate.fields.get("open", False)) != switch.changed

    def move(self, direction: str, across: int, down: int) -> bool:
        """Take a step (u, d, l or r), unless something is in the way."""
        cell = (self.position[0] + across, self.position[1] + down)
        here = self.at.get(self.position)
        inside = 0 <= cell[0] < self.size[0] and 0 <= cell[1] < self.size[1]
        held = here is not None and here.kind == "one_way"
        wrong = held and here is not None and here.fields.get("direction", "r") != direction
        return (
            inside and cell not in self.walls and not wrong and not self.won and self._enter(cell)
        )

    def use(self) -> bool:
        """Use the lever, the stairs or the teleporter under the player."""
        here = self.at.get(self.position)
        if here is None or self.won:
            return False
        if here.kind in {"lever", "button"}:
            here.changed = here.kind == "button" or not here.changed
            return True
        leads = here.kind in {"stairs", "teleporter"}
        return leads and self._enter(self.by_number[int(here.fields["to"])].cell)

    def _enter(self, cell: Cell) -> bool:
        thing = self.at.get(cell)
        if thing is not None and not self._allows(thing):
            return False
        self.position = cell
        return True

    def _allows(self, thing: Thing) -> bool:
        if thing.kind == "gate":
            return self.is_open(thing)
        if thing.kind == "plate":
            thing.changed = not thing.changed
        elif thing.kind not in SWITCHES and not thing.changed:
            if any(self.has[name] < amount for name, amount in thing.needs().items()):
                return False
            self.has.update(thing.gives())
            self.has.subtract(thing.costs())
            thing.changed = bool(thing.gives() or thing.needs())
        return True

    def is_changed(self, thing: Thing) -> bool:
        """Whether a thing is taken, open, defeated or switched on."""
        return self.is_open(thing) if thing.kind == "gate" else thing.changed

    def sign(self, thing: Thing) -> int | None:
        """How many signs of its tileset the sign of a thing is after that on the map; None for what
        is gone. The sign of what is open or on comes after the other one.
        """
        changed = self.is_changed(thing)
        return None if changed and thing.kind in TAKEN else changed - self.first[thing.number]

    def status(self) -> str:
        """What the player has, in words."""
        return ", ".join(f"{amount} {name}" for name, amount in sorted(self.has.items()) if amount)
