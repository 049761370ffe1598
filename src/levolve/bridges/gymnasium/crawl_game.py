"""`CrawlGame`: levels with things, such as keys, doors, levers, monsters and treasure."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.game import MoveResults, Observations, WalkGame
from levolve.core.errors import InputError
from levolve.kernels.crawl import step_crawls
from levolve.kernels.proofs import sweeps
from levolve.levels.grid import MOVES, USE
from levolve.levels.level import Level
from levolve.levels.things.batch_proofs import tables_of
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.lowering import DONE, EVERY, Mechanics, lower
from levolve.levels.things.thing import Thing, kinds_of

# The entries of `holds`: resources of this name; keys of the colours of a level, in alphabetical
# order; and resources of kinds of its own.
NAMED = ("health", "treasure", "small key")
COLOURS, OTHERS = 8, 5
SLOTS = len(NAMED) + COLOURS + OTHERS
# A level may have this many things with an effect, or twice as many as the levels that are looked
# at first.
LEAST_ROOM = 64
MOST_VARIANT, MOST_HELD = 255, 2**31 - 1


class CrawlGame(WalkGame):
    """Walk among things; a fifth action uses levers, buttons, stairs and teleporters.

    Each stop, and each thing to collect where the goal says so, gives an equal share of a reward
    of 1. An observation has the entries of `WalkGame`, and: `things` `(kinds, height, width)`
    uint8, a plane per kind: 0 for nothing, else a number from 1 that tells things of a kind apart
    (the colour, the switch and its gates, the two ends of stairs, the direction, the damage); what
    was taken, defeated or opened for good disappears. `open` `(height, width)` uint8, 1 where a
    thing lets the player in now; `on`, 1 where a switch is on. `holds` `(16,)` int32: health,
    treasure, small keys, keys by colour, and what else there is. `left`, how many things are still
    to be collected. `kinds` says which plane is which.
    """

    moves: ClassVar[str] = MOVES + USE

    def set_up(self) -> None:
        """Take kinds and tileset from the levels."""
        super().set_up()
        levels = [level for level in self.source.samples() if isinstance(level, Level)]
        own = sorted({name for level in levels for name in level.kinds})
        acting = [name for name in KINDS if KINDS[name].acts and not KINDS[name].held]
        self.kinds = (*acting, *(name for name in own if name not in acting))
        width, height = self.source.size
        most = max(len(lower(level).cells) for level in levels)
        self.room = max(LEAST_ROOM, 2 * most)
        plane = spaces.Box(0, 1, (height, width), np.uint8)
        self.space = spaces.Dict(
            {
                **self.space.spaces,
                "things": spaces.Box(0, MOST_VARIANT, (len(self.kinds), height, width), np.uint8),
                "open": plane,
                "on": plane,
                "holds": spaces.Box(0, MOST_HELD, (SLOTS,), np.int32),
                "left": spaces.Discrete(self.room + 1),
            }
        )
        self.fields = {
            **self.fields,
            "at": ((height, width), np.int32),
            "traits": ((self.room, sweeps.TRAITS), np.int32),
            "amounts": ((self.room, 3, SLOTS), np.int32),
            "planes": ((self.room,), np.int64),
            "variants": ((self.room,), np.uint8),
            "cells": ((self.room, 2), np.int64),
            "count": ((), np.int64),
            "bits": ((self.room,), np.uint8),
            "has": ((SLOTS,), np.int32),
            "left": ((), np.int64),
        }

    def prepare(self, item: Level) -> Mapping[str, Any]:
        """Return the start of a level."""
        found = lower(item)
        count = len(found.cells)
        if count > self.room:
            message = (
                f"level: expected at most {self.room} things with an effect, got {count}; put "
                "the level with the most things first"
            )
            raise InputError(message)
        width, _ = self.source.size
        cells = np.stack([found.cells % item.width, found.cells // item.width], axis=1)
        traits, amounts = tables_of(found)
        leads = found.leads_to
        beyond = leads // item.width * width + leads % item.width
        traits[:, sweeps.LEADS] = np.where(leads < 0, -1, beyond)
        slots = _slots(found.resources)
        at = np.full(self.fields["at"][0], -1, np.int32)
        at[cells[:, 1], cells[:, 0]] = np.arange(count)
        kinds = kinds_of(item.things, item.kinds)
        shown = [item.things[index] for index in found.things.tolist()]
        left = int(found.counts.sum()) if found.collects else 0
        walk = super().prepare(item)
        return {
            **walk,
            "share": 1.0 / max(walk["length"] - walk["reached"] + left, 1),
            "reached": min(walk["reached"], walk["length"] - bool(left)),
            "at": at,
            "traits": _filled(traits, self.room),
            "amounts": _filled(_in_slots(amounts, slots), self.room),
            "planes": _filled(
                np.array([self._plane(thing) for thing in shown], np.int64), self.room
            ),
            "variants": _filled(_variants(shown, found, kinds), self.room),
            "cells": _filled(cells, self.room),
            "count": count,
            "bits": _filled(found.starts_on.astype(np.uint8), self.room),
            "has": _in_slots(found.initial, slots),
            "left": left,
        }

    def _plane(self, thing: Thing) -> int:
        if thing.kind not in self.kinds:
            message = (
                f"level: expected things of the kinds {', '.join(self.kinds)}, got {thing.label}; "
                "its kind is in none of the levels that are looked at first"
            )
            raise InputError(message)
        return self.kinds.index(thing.kind)

    def move(
        self,
        actions: NDArray[np.int64],
        begins: NDArray[np.bool_],
        steps: NDArray[np.int64],
        most: int,
        cost: float,
    ) -> MoveResults:
        """Move all players."""
        state, results = self.state, MoveResults.empty(self.players, len(self.moves))
        self.targets = np.empty((self.players, 2), np.int64)
        step_crawls(
            actions,
            begins,
            state["tiles"],
            self.tileset.table,
            state["stops"],
            state["length"],
            state["share"],
            state["at"],
            state["traits"],
            state["amounts"],
            state["player"],
            state["reached"],
            state["bits"],
            state["has"],
            state["left"],
            steps,
            most,
            cost,
            results.rewards,
            results.won,
            results.truncated,
            results.moved,
            self.targets,
            results.masks,
        )
        return results

    def observe(self) -> Observations:
        """Return what players see: the walk, and the things as they are now."""
        state = self.state
        width, height = self.source.size
        traits, bits = state["traits"], state["bits"] != 0
        player, row = np.nonzero(np.arange(self.room) < state["count"][:, np.newaxis])
        x, y = state["cells"][player, row].T
        gate = traits[player, row, sweeps.GATE]
        shut = (gate >= 0) & (bits[player, gate] == (traits[player, row, sweeps.GATE_OPEN] != 0))
        spends = (state["amounts"][player, row, sweeps.SPENDS] > 0).any(axis=1)
        needs = state["amounts"][player, row, sweeps.NEEDS]
        paid = spends & bits[player, row]
        lacks = (state["has"][player] < needs).any(axis=1) & ~paid
        is_done = traits[player, row, sweeps.STATE] == DONE
        still = (gate >= 0) | (traits[player, row, sweeps.LEADS] >= 0)
        still |= (traits[player, row, sweeps.DIRECTIONS] != EVERY) | (needs.any(axis=1) & ~spends)
        taken = is_done & bits[player, row] & ~still
        planes = np.zeros((self.players, len(self.kinds), height, width), np.uint8)
        planes[player, state["planes"][player, row], y, x] = np.where(
            taken, 0, state["variants"][player, row]
        )
        is_open, is_on = (np.zeros((self.players, height, width), np.uint8) for _ in range(2))
        is_open[player, y, x] = ~shut & ~lacks
        is_on[player, y, x] = bits[player, row] & ~is_done
        return {
            **super().observe(),
            "things": planes,
            "open": is_open,
            "on": is_on,
            "holds": state["has"].copy(),
            "left": state["left"].copy(),
        }


def _filled(rows: NDArray[Any], room: int) -> NDArray[Any]:
    filled = np.zeros((room, *rows.shape[1:]), rows.dtype)
    filled[: len(rows)] = rows
    return filled


def _slots(resources: tuple[str, ...]) -> list[int]:
    """Return the entry of `holds` for each resource of a level."""
    coloured = [name for name in resources if name.endswith(" key") and name not in NAMED]
    others = [name for name in resources if name not in NAMED and name not in coloured]
    if len(coloured) > COLOURS or len(others) > OTHERS:
        message = (
            f"level: expected keys of at most {COLOURS} colours and {OTHERS} resources of its "
            f"own, got {len(coloured)} and {len(others)}"
        )
        raise InputError(message)
    order = [*NAMED, *coloured, *[""] * (COLOURS - len(coloured)), *others]
    return [order.index(name) for name in resources]


def _in_slots(amounts: NDArray[np.int32], slots: list[int]) -> NDArray[np.int32]:
    """Return amounts of resources with an entry for each slot."""
    found = np.zeros((*amounts.shape[:-1], SLOTS), np.int32)
    found[..., slots] = amounts
    return found


def _variants(
    things: list[Thing], mechanics: Mechanics, kinds: Mapping[str, Kind]
) -> NDArray[np.uint8]:
    """Return a number from 1 for each thing: which colour, switch, link, direction or amount."""
    colours = sorted({thing.value("color", kinds) for thing in things})
    switches = sorted({row for row in mechanics.gate.tolist() if row >= 0})
    links: dict[frozenset[int], int] = {}
    found = []
    for row, thing in enumerate(things):
        kind = kinds[thing.kind]
        numbers = [
            thing.value(name, kinds)
            for name in ("damage", "health", "amount", "value")
            if name in kind.fields
        ]
        gate, leads = int(mechanics.gate[row]), int(mechanics.leads_to[row])
        if leads >= 0:
            pair = frozenset((leads, int(mechanics.cells[row])))
            number = links.setdefault(pair, len(links))
        elif gate >= 0 or row in switches:
            number = switches.index(gate if gate >= 0 else row)
        elif kind.direction:
            number = MOVES.index(thing.value(kind.direction, kinds))
        elif "color" in kind.fields:
            number = colours.index(thing.value("color", kinds)) - ("" in colours)
        else:
            number = int(numbers[0]) - 1 if numbers else 0
        found.append(min(max(number + 1, 1), MOST_VARIANT))
    return np.array(found, np.uint8)
