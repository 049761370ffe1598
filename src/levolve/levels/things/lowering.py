"""`Mechanics`: what the things of a level do, as plain arrays for kernels.

`lower(level)` computes it, `effects_of(things, kinds)` the part of it that does not depend on
cells. Decorations have no row, and neither has a thing that stands on the start (the kind
`player`): what it gives is in `initial`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing, kinds_of, resources

if TYPE_CHECKING:
    from levolve.levels.level import Level

# Bits of `Mechanics.directions`.
UP, DOWN, LEFT, RIGHT, EVERY = 1, 2, 4, 8, 15
# Values of `Mechanics.switch`.
NO_SWITCH, TOGGLE, ONCE = 0, 1, 2
# Values of `Mechanics.states`.
NO_STATE, DONE, SWITCH = 0, 1, 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Effects:
    """What n acting things do wherever they are. They use r resources. Arrays are contiguous and
    read-only.

    Attributes
    ----------
    resources
        The r names of resources, sorted.
    things
        `(n,)` int32 index of each row among all things.
    gives, needs, spends
        `(n, r)` int32 amounts from 0 to 99,999. `spends` is at most `needs`, in each entry. What
        needs and spends nothing lets everybody in. What needs but spends nothing is asked on each
        entering. What spends is asked and spends on the first entering only.
    states
        `(n,)` uint8 the meaning of the thing's bit: NO_STATE 0, DONE 1 (it gives, counts or spends;
        set on the first entering), SWITCH 2 (whether it is on).
    switch
        `(n,)` uint8: NO_SWITCH 0, TOGGLE 1, ONCE 2 (it can only be switched on).
    forced
        `(n,)` bool: the switch acts on each entering; other switches are used by `x`.
    starts_on
        `(n,)` bool: the switch is on at the start.
    gate
        `(n,)` int32 row of the switch that opens or shuts this thing, or -1.
    gate_open
        `(n,)` bool: the thing lets in if and only if the state of its switch differs from this
        value, so true means open while the switch is off.
    directions
        `(n,)` uint8 moves by which the cell may be left: UP 1 | DOWN 2 | LEFT 4 | RIGHT 8, EVERY 15
        if it is no one-way.
    leads
        `(n,)` int32 index, among all things, of the one to which `x` leads, or -1.
    counts
        `(n,)` bool: needed for the goal `all`.
    held
        `(k, r)` int32 what each of all k things gives at the start: 0 except for what is held.
    """

    resources: tuple[str, ...]
    things: NDArray[np.int32]
    gives: NDArray[np.int32]
    needs: NDArray[np.int32]
    spends: NDArray[np.int32]
    states: NDArray[np.uint8]
    switch: NDArray[np.uint8]
    forced: NDArray[np.bool_]
    starts_on: NDArray[np.bool_]
    gate: NDArray[np.int32]
    gate_open: NDArray[np.bool_]
    directions: NDArray[np.uint8]
    leads: NDArray[np.int32]
    counts: NDArray[np.bool_]
    held: NDArray[np.int32]


@dataclass(frozen=True, eq=False, kw_only=True)
class Mechanics(Effects):
    """A level and its n acting things. Cells are numbered in reading order, y * width + x; -1 means
    none.

    The rows are ordered as in `Level.things`, so by cell. A cell has at most one acting thing; only
    `initial` stems from what stands on the start. A thing has at most one bit of state.

    Attributes
    ----------
    tiles
        `(height, width)` uint8 kinds of tiles.
    steps
        `(kinds, kinds)` bool: whether a step from a kind of tile to another is legal.
    symmetric
        Whether `steps` is symmetric.
    stops
        `(s,)` int32 cells of the goal's stops in order, the start first; empty for a goal without
        stops, which is won at once.
    collects
        Whether the level ends only when everything that counts was taken (the goal `all`). Before,
        the last stop is an ordinary cell.
    initial
        `(r,)` int32 amounts at the start.
    cells
        `(n,)` int32 cells.
    at
        `(height, width)` int32 row of the acting thing on each cell, or -1.
    leads_to
        `(n,)` int32 cell to which `x` leads, or -1. The cell need not have an acting thing; it may
        be a stop.
    """

    tiles: NDArray[np.uint8]
    steps: NDArray[np.bool_]
    symmetric: bool
    stops: NDArray[np.int32]
    collects: bool
    initial: NDArray[np.int32]
    cells: NDArray[np.int32]
    at: NDArray[np.int32]
    leads_to: NDArray[np.int32]


_SWITCHES = {"": NO_SWITCH, "toggle": TOGGLE, "once": ONCE}
_DIRECTIONS = {"u": UP, "d": DOWN, "l": LEFT, "r": RIGHT}


def effects_of(things: Sequence[Thing], own: Mapping[str, Kind]) -> Effects:
    """Return what things do, as arrays; `own` are the kinds that are not registered."""
    kinds = kinds_of(things, own)
    rows: list[tuple[int, Thing, Kind]] = []
    held: dict[int, dict[str, int]] = {}
    for index, thing in enumerate(things):
        kind = kinds.get(thing.kind)
        if kind is None or not kind.acts:
            continue
        if kind.held:
            held[index] = resources(thing, kind.gives, kinds)
        else:
            rows.append((index, thing, kind))
    tables = {
        name: [resources(thing, getattr(kind, name), kinds) for _, thing, kind in rows]
        for name in ("gives", "needs", "spends")
    }
    used = [*held.values(), *(one for table in tables.values() for one in table)]
    names = sorted(set().union(*used))
    by_id = {thing.id: row for row, (_, thing, _) in enumerate(rows) if thing.id}
    any_id = {thing.id: index for index, thing in enumerate(things) if thing.id}
    changes = [
        [*gives.values(), *spends.values()]
        for gives, spends in zip(tables["gives"], tables["spends"], strict=True)
    ]
    has_state = [
        SWITCH if kind.switch else (DONE if kind.counts or any(changes[row]) else NO_STATE)
        for row, (_, _, kind) in enumerate(rows)
    ]
    return Effects(
        resources=tuple(names),
        things=_frozen([index for index, _, _ in rows], np.int32),
        gives=_amounts(tables["gives"], names),
        needs=_amounts(tables["needs"], names),
        spends=_amounts(tables["spends"], names),
        states=_frozen(has_state, np.uint8),
        switch=_frozen([_SWITCHES[kind.switch] for _, _, kind in rows], np.uint8),
        forced=_frozen([kind.forced for _, _, kind in rows], np.bool_),
        starts_on=_frozen(
            [bool(kind.switch) and thing.value("on", kinds) == "true" for _, thing, kind in rows],
            np.bool_,
        ),
        gate=_frozen(
            [by_id[thing.value(kind.gate, kinds)] if kind.gate else -1 for _, thing, kind in rows],
            np.int32,
        ),
        gate_open=_frozen(
            [bool(kind.gate) and thing.value("open", kinds) == "true" for _, thing, kind in rows],
            np.bool_,
        ),
        directions=_frozen(
            [
                _DIRECTIONS[thing.value(kind.direction, kinds)] if kind.direction else EVERY
                for _, thing, kind in rows
            ],
            np.uint8,
        ),
        leads=_frozen(
            [
                any_id[thing.value(kind.leads, kinds)] if kind.leads else -1
                for _, thing, kind in rows
            ],
            np.int32,
        ),
        counts=_frozen([kind.counts for _, _, kind in rows], np.bool_),
        held=_amounts([held.get(index, {}) for index in range(len(things))], names),
    )


def lower(level: "Level") -> Mechanics:
    """Return what the things of a level do, as arrays."""
    effects = effects_of(level.things, level.kinds)
    route = level.goal.route(level.places) or ()
    all_cells = np.array(
        [y * level.width + x for x, y in (thing.cell for thing in level.things)], np.int32
    )
    cells = all_cells[effects.things]
    at = np.full(level.height * level.width, -1, np.int32)
    at[cells] = np.arange(len(cells))
    return Mechanics(
        **vars(effects),
        tiles=level.tiles,
        steps=_frozen(level.tileset.steps, np.bool_),
        symmetric=level.tileset.reversible,
        stops=_frozen([y * level.width + x for x, y in route], np.int32),
        collects=level.goal.collects,
        initial=_frozen(effects.held.sum(axis=0), np.int32),
        cells=_frozen(cells, np.int32),
        at=_frozen(at.reshape(level.height, level.width), np.int32),
        leads_to=_frozen(
            np.where(effects.leads < 0, -1, np.append(all_cells, 0)[effects.leads]), np.int32
        ),
    )


def _frozen(values: object, kind: type[np.generic]) -> NDArray[Any]:
    array = np.ascontiguousarray(values, dtype=kind)
    array.setflags(write=False)
    return array


def _amounts(tables: list[dict[str, int]], names: list[str]) -> NDArray[np.int32]:
    columns = {name: column for column, name in enumerate(names)}
    array = np.zeros((len(tables), len(names)), np.int32)
    for row, table in enumerate(tables):
        for name, amount in table.items():
            array[row, columns[name]] = amount
    array.setflags(write=False)
    return array
