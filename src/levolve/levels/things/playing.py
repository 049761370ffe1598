"""`PlayRules`: the rules of play of a level, with or without things, one move after the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from levolve.levels.grid import MOVES, USE
from levolve.levels.places import Place
from levolve.levels.things.lowering import DONE, NO_SWITCH, ONCE, lower
from levolve.levels.things.thing import Thing, kinds_of

if TYPE_CHECKING:
    from levolve.levels.level import Level

STEPS: Mapping[str, Place] = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
# A search for a way to win that sees more moments than this is given up.
MOST_MOMENTS = 30_000


@dataclass(frozen=True)
class PlayState:
    """What can change in a level while it is played.

    Attributes
    ----------
    cell
        Where the player is.
    visited
        How many stops of the goal were visited, the first included; the last one is never counted.
    done, on
        The rows (see `Mechanics`) of things that were taken or opened, and of switches that are on.
    """

    cell: Place
    visited: int
    done: frozenset[int]
    on: frozenset[int]


class PlayRules:
    r"""The rules of one level.

    >>> from levolve.levels.level import Level
    >>> play = PlayRules(Level.from_text("S..E\n####\nthing: key 1,0\nthing: door 2,0"))
    >>> moment = play.start
    >>> for move in "rrr":
    ...     moment = play.after(moment, move)
    >>> play.won(moment), play.has(moment)
    (True, {'red key': 1})
    """

    def __init__(self, level: "Level") -> None:
        """Prepare the rules."""
        found = self.mechanics = lower(level)
        self.level = level
        self._tiles = level.tiles.tolist()
        self._stops = list(level.goal.route(level.places) or ())
        # Lists are faster than arrays where one value at a time is read.
        self._rows = {
            (int(cell) % level.width, int(cell) // level.width): row
            for row, cell in enumerate(found.cells.tolist())
        }
        self._gives, self._needs, self._spends = (
            [{n: amount for n, amount in enumerate(amounts) if amount} for amounts in table]
            for table in (found.gives.tolist(), found.needs.tolist(), found.spends.tolist())
        )
        self._counts = frozenset(row for row, counts in enumerate(found.counts.tolist()) if counts)

    def thing(self, row: int) -> Thing:
        """Return the thing of a row."""
        return self.level.things[int(self.mechanics.things[row])]

    def row_at(self, cell: Place) -> int | None:
        """Return the row of the acting thing on a cell; None if there is none."""
        return self._rows.get(cell)

    @cached_property
    def start(self) -> PlayState:
        """The moment before the first move; the goal must have stops, and all of them a place."""
        on = frozenset(row for row, on in enumerate(self.mechanics.starts_on.tolist()) if on)
        return self._visiting(self._stops[0], 1, frozenset(), on)

    def _visiting(
        self, cell: Place, visited: int, done: frozenset[int], on: frozenset[int]
    ) -> PlayState:
        while visited < len(self._stops) - 1 and self._stops[visited] == cell:
            visited += 1
        return PlayState(cell, visited, done, on)

    def won(self, moment: PlayState) -> bool:
        """Whether the level has ended."""
        ended = moment.visited >= len(self._stops) - 1 and moment.cell == self._stops[-1]
        return ended and (not self.mechanics.collects or self._counts <= moment.done)

    def left(self, moment: PlayState) -> int:
        """Return how many things are still to be collected for the goal."""
        return len(self._counts - moment.done) if self.mechanics.collects else 0

    def has(self, moment: PlayState) -> dict[str, int]:
        """Return what the player has, by resource."""
        return {
            name: amount
            for name, amount in zip(self.mechanics.resources, self._amounts(moment), strict=True)
            if amount
        }

    def _amounts(self, moment: PlayState) -> list[int]:
        amounts: list[int] = self.mechanics.initial.tolist()
        for row in moment.done:
            for number, amount in self._gives[row].items():
                amounts[number] += amount
            for number, amount in self._spends[row].items():
                amounts[number] -= amount
        return amounts

    def is_open(self, moment: PlayState, row: int) -> bool:
        """Whether a thing with a gate is open; true for every other."""
        gate = int(self.mechanics.gate[row])
        return gate < 0 or (gate in moment.on) != bool(self.mechanics.gate_open[row])

    def missing(self, moment: PlayState, row: int) -> dict[str, int]:
        """Return how much of which resources a thing needs, if the player has less."""
        if self._spends[row] and row in moment.done:
            return {}
        amounts = self._amounts(moment)
        return {
            self.mechanics.resources[number]: amount
            for number, amount in self._needs[row].items()
            if amounts[number] < amount
        }

    def is_changed(self, moment: PlayState, row: int) -> bool:
        """Whether a thing looks different from the start: a switch that is on, an open gate or
        door, something that was taken or opened.
        """
        if self.mechanics.gate[row] >= 0:
            return self.is_open(moment, row)
        if self.mechanics.switch[row] != NO_SWITCH:
            return row in moment.on
        if self.mechanics.states[row] == DONE:
            return row in moment.done
        return bool(self._needs[row]) and not self.missing(moment, row)

    def after(self, moment: PlayState, move: str) -> PlayState:
        """Return the moment after a move; `IllegalMoveError` with the reason if it is not legal."""
        if self.won(moment):
            message = "The level has ended."
            raise IllegalMoveError(message)
        row = self._rows.get(moment.cell)
        if move == USE:
            return self._use(moment, row)
        if row is not None and not self.mechanics.directions[row] >> MOVES.index(move) & 1:
            message = "This cell can be left in one direction only."
            raise IllegalMoveError(message)
        (x, y), (right, down) = moment.cell, STEPS[move]
        to_x, to_y = x + right, y + down
        inside = 0 <= to_x < self.level.width and 0 <= to_y < self.level.height
        tileset = self.level.tileset
        if not inside or not tileset.steps[self._tiles[y][x]][self._tiles[to_y][to_x]]:
            message = tileset.blocked
            raise IllegalMoveError(message)
        return self._enter(moment, (to_x, to_y))

    def _use(self, moment: PlayState, row: int | None) -> PlayState:
        found = self.mechanics
        if row is not None and found.switch[row] != NO_SWITCH and not found.forced[row]:
            return PlayState(
                moment.cell, moment.visited, moment.done, self._switched(moment.on, row)
            )
        if row is not None and found.leads_to[row] >= 0:
            y, x = divmod(int(found.leads_to[row]), self.level.width)
            return self._enter(moment, (x, y))
        message = "There is nothing to use here."
        raise IllegalMoveError(message)

    def _switched(self, on: frozenset[int], row: int) -> frozenset[int]:
        return on | {row} if self.mechanics.switch[row] == ONCE else on ^ {row}

    def _enter(self, moment: PlayState, cell: Place) -> PlayState:
        row, done, on = self._rows.get(cell), moment.done, moment.on
        if row is not None:
            name = self.thing(row).kind.replace("_", " ")
            if not self.is_open(moment, row):
                message = f"The {name} is shut."
                raise IllegalMoveError(message)
            missing = self.missing(moment, row)
            if missing:
                needed = ", ".join(f"{amount} {name}" for name, amount in missing.items())
                message = f"The {name} needs {needed}."
                raise IllegalMoveError(message)
            done = done | {row} if self.mechanics.states[row] == DONE else done
            on = self._switched(on, row) if self.mechanics.forced[row] else on
        return self._visiting(cell, moment.visited, done, on)

    def played(self, moves: str) -> list[PlayState]:
        """Return the moments before and after all moves; `IllegalMoveError` if one is illegal."""
        moments = [self.start]
        for move in moves:
            moments.append(self.after(moments[-1], move))
        return moments

    def ways(self, moment: PlayState) -> dict[str, PlayState]:
        """Return the moment after each legal move."""
        found = {}
        for move in MOVES + USE:
            try:
                found[move] = self.after(moment, move)
            except IllegalMoveError:
                continue
        return found

    def way_to_win(self, moment: PlayState, most: int = MOST_MOMENTS) -> str | None:
        """Return the moves of a shortest way to win from here; None if there is none, or if a
        search through `most` moments finds none. `hopeless` tells the two apart.
        """
        return self._search(moment, most)[0]

    def hopeless(self, moment: PlayState, most: int = MOST_MOMENTS) -> bool:
        """Whether the level cannot be won any more; false if a search through `most` moments is
        not enough to say so.
        """
        moves, complete = self._search(moment, most)
        return complete and moves is None

    def _search(self, moment: PlayState, most: int) -> tuple[str | None, bool]:
        if self.won(moment):
            return "", True
        before: dict[PlayState, tuple[PlayState, str]] = {}
        waiting, seen = [moment], {moment}
        for here in waiting:
            for move, there in self.ways(here).items():
                if there in seen:
                    continue
                seen.add(there)
                before[there] = here, move
                if self.won(there):
                    return _moves_to(there, before), True
                waiting.append(there)
            if len(seen) > most:
                return None, False
        return None, True


def _moves_to(moment: PlayState, before: Mapping[PlayState, tuple[PlayState, str]]) -> str:
    moves = ""
    while moment in before:
        moment, move = before[moment]
        moves = move + moves
    return moves


class IllegalMoveError(Exception):
    """A move that is not legal; the text says why, in words for players."""


def hidden_cells(level: "Level") -> list[Place]:
    """Return the cells that look like walls to players."""
    kinds = kinds_of(level.things, level.kinds)
    return [
        thing.cell for thing in level.things if thing.kind in kinds and kinds[thing.kind].hidden
    ]
