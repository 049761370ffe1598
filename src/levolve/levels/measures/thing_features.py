"""Proofs of levels with things: whether each can be won and cannot be lost, the fewest moves to
win, and what has to be entered before what.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs import plays
from levolve.kernels.proofs.proving import TOUCHED
from levolve.kernels.proofs.sweeps import FORCED, GATE, GIVES, NEEDS, STATE, SWITCH
from levolve.levels.batch import Batch
from levolve.levels.measures.measure import feature
from levolve.levels.measures.path_features import stops
from levolve.levels.things.batch_proofs import BatchProof, Tables, follow, prove_batch
from levolve.levels.things.batch_things import BatchThings

Flags = NDArray[np.bool_]
Shares = NDArray[np.float64]
# The order of things takes one proof per thing: the most things of a level with an order, and the
# most states of all these proofs together.
MOST_ORDERED = 256
MOST_STATES = 2**20
# What enemies take.
HEALTH = "health"


def share(part: NDArray[np.generic], whole: NDArray[np.generic], empty: float = 0.0) -> Shares:
    """Return one number divided by another; `empty` where the other is 0."""
    total = np.asarray(whole, np.float64)
    return np.where(total > 0, np.asarray(part, np.float64) / np.maximum(total, 1.0), empty)


def things_of(batch: Batch) -> BatchThings:
    """Return the things of a batch; none for one without."""
    return batch.things or BatchThings((), np.empty((len(batch), 0), np.int64))


@feature
def tables(batch: Batch) -> Tables:
    """Return the things of the levels as tables."""
    return things_of(batch).tables()


def prove(batch: Batch, changed: Tables, *, marked: bool = True) -> BatchProof:
    """Return the proofs of the levels of a batch with changed things."""
    return prove_batch(
        batch.tiles,
        batch.tileset.table,
        stops(batch).astype(np.int32),
        changed,
        collects=batch.frame.goal.collects,
        walked=False,
        marked=marked,
    )


@feature
def proofs(batch: Batch) -> BatchProof:
    """Return the proofs of the levels, without the fewest moves to win and without marks."""
    if marked_proofs.is_known(batch):
        return marked_proofs(batch)
    return prove(batch, tables(batch), marked=False)


@feature
def marked_proofs(batch: Batch) -> BatchProof:
    """Return the proofs of the levels with marks for each thing, which take longer."""
    return prove(batch, tables(batch))


@feature
def playable(batch: Batch) -> Flags:
    """Return whether each level can be won and cannot be lost, `(n,)`."""
    return proofs(batch).winnable & proofs(batch).safe


@feature
def solution_steps(batch: Batch) -> NDArray[np.int32]:
    """Return the fewest moves to win each level, `(n,)`; -1 for one that cannot be won or that can
    be lost.
    """
    if solutions.is_known(batch):
        steps = solutions(batch)[:, plays.MOVES]
    else:
        steps = _follow(batch, playable(batch), replayed=False)[:, plays.MOVES]
    # An own array: -2 for a search that exceeds its limit is no number of moves.
    return np.where(playable(batch), np.maximum(steps, -1), -1).astype(np.int32)


@feature
def solutions(batch: Batch) -> NDArray[np.int32]:
    """Return the parts of a shortest solution of each level, `(n, PARTS)`, whether or not it can be
    lost; see `kernels.proofs.plays`. All negative for one that is not known.
    """
    return _follow(batch, proofs(batch).winnable, replayed=True)


def _follow(batch: Batch, wanted: Flags, *, replayed: bool) -> NDArray[np.int32]:
    return follow(
        batch.tiles,
        batch.tileset.table,
        stops(batch).astype(np.int32),
        tables(batch),
        wanted,
        collects=batch.frame.goal.collects,
        replayed=replayed,
    )


@dataclass(frozen=True, eq=False)
class Roles:
    """What the m acting things of a batch are; `(m,)` flags unless another shape is named.

    Attributes
    ----------
    enemies
        What takes health: monsters, traps, bosses.
    doors
        Other things that need something, and gates.
    keys
        What gives something other than health and does not count, and switches.
    treasures
        What counts and is no enemy.
    opens
        `(m, m)` whether the first thing is a key that gives what the second, a door, needs, or the
        switch of the second.
    rows
        `(n, m)` rows of the things in the tables; -1 for absent ones.
    cells
        `(n, m)` cells; -1 for absent ones.
    """

    enemies: Flags
    doors: Flags
    keys: Flags
    treasures: Flags
    opens: Flags
    rows: NDArray[np.int64]
    cells: NDArray[np.int64]

    @property
    def present(self) -> Flags:
        """`(n, m)` whether each thing is in each level."""
        return self.rows >= 0

    def marks(self, marks: NDArray[np.int32], column: int) -> NDArray[np.int32]:
        """Return one column of the marks of a proof as `(n, m)`; 0 for absent things."""
        if not len(marks):
            return np.zeros(self.rows.shape, np.int32)
        return np.where(self.present, marks[self.rows, column], 0).astype(np.int32)


@feature
def roles(batch: Batch) -> Roles:
    """Return what the things of the levels are."""
    things = things_of(batch)
    effects = things.effects
    other = np.array([name != HEALTH for name in effects.resources], bool)
    gives, needs = effects.gives[:, other] > 0, effects.needs[:, other] > 0
    enemies = np.asarray((effects.spends[:, ~other] > 0).any(axis=1), bool)
    switches, gates = effects.switch > 0, effects.gate >= 0
    doors = ~enemies & ((effects.needs > 0).any(axis=1) | gates)
    keys = (gives.any(axis=1) & ~effects.counts) | switches
    controls = effects.gate[np.newaxis, :] == np.arange(len(gates))[:, np.newaxis]
    opens = (keys[:, np.newaxis] & (gives.astype(int) @ needs.T.astype(int) > 0)) | controls
    return Roles(
        enemies,
        doors,
        keys,
        effects.counts & ~enemies,
        opens & doors[np.newaxis, :],
        things.rows,
        things.cells[:, effects.things],
    )


@dataclass(frozen=True, eq=False)
class ThingOrder:
    """What has to be entered before what in n levels with m things.

    Attributes
    ----------
    reached
        `(n, m)` whether some play enters the thing.
    needed
        `(n, m)` whether every play that wins enters the thing; only for levels that can be won.
    before
        `(n, m, m)` whether every play that enters the second thing has entered the first before.
    """

    reached: Flags
    needed: Flags
    before: Flags


@feature
def order(batch: Batch) -> ThingOrder:
    """Return what has to be entered before what: what is not reached any more if the first thing
    lets nobody in. Nothing for levels with too many things or states; see `_is_ordered`.
    """
    found, parts = marked_proofs(batch), roles(batch)
    reached = parts.marks(found.marks, TOUCHED) > 0
    shape = reached.shape
    needed = np.zeros(shape, bool)
    decided = _is_ordered(found, shape[1])
    ordered = range(shape[1] if decided.any() else 0)
    before = np.zeros((*shape, shape[1] if ordered else 0), bool)
    for thing in ordered:
        rows = parts.rows[:, thing]
        again = prove(batch, barred(tables(batch), rows[rows >= 0]))
        left = parts.marks(again.marks, TOUCHED) > 0
        # A proof without an answer says nothing.
        known = reached[:, thing] & decided & ~again.undecided
        needed[:, thing] = known & found.winnable & ~again.winnable
        before[:, thing] = known[:, np.newaxis] & reached & ~left
        before[:, thing, thing] = False
    return ThingOrder(reached, needed, before)


def _is_ordered(found: BatchProof, things: int) -> Flags:
    """Return whether the order of the things of each level is computed, `(n,)`."""
    few = found.states.astype(np.int64) * things <= MOST_STATES
    return ~found.undecided & few & (things <= MOST_ORDERED)


@feature
def useless(batch: Batch) -> NDArray[np.int64]:
    """Return the number of keys without which all the same can be reached and won, `(n,)`."""
    found, parts = marked_proofs(batch), roles(batch)
    reached = parts.marks(found.marks, TOUCHED) > 0
    counts = np.zeros(len(batch), np.int64)
    decided = _is_ordered(found, reached.shape[1])
    for thing in np.flatnonzero(parts.keys).tolist() if decided.any() else ():
        rows = parts.rows[:, thing]
        again = prove(batch, _without(batch, thing))
        same = (parts.marks(again.marks, TOUCHED) > 0) == reached
        same[:, thing] = True
        same_win = (again.winnable == found.winnable) & ~again.undecided & decided
        counts += (rows >= 0) & same_win & same.all(axis=1)
    return counts


def barred(given: Tables, rows: NDArray[np.int64]) -> Tables:
    """Return tables in which the things of some rows let nobody in: they need what nobody has."""
    amounts = np.pad(given.amounts, ((0, 0), (0, 0), (0, 1)))
    amounts[rows, NEEDS, -1] = 1
    return given._replace(amounts=amounts, initial=np.pad(given.initial, ((0, 0), (0, 1))))


def _without(batch: Batch, thing: int) -> Tables:
    """Return tables in which a key gives nothing, or a switch is not there and its gates stay as
    they are at the start.
    """
    given, parts, effects = tables(batch), roles(batch), things_of(batch).effects
    rows = parts.rows[:, thing]
    rows = rows[rows >= 0]
    amounts, traits = given.amounts.copy(), given.traits.copy()
    amounts[rows, GIVES] = 0
    shut: list[NDArray[np.int64]] = [rows[:0]]
    if effects.switch[thing]:
        traits[rows[:, np.newaxis], [SWITCH, FORCED, STATE]] = 0
        for gate in np.flatnonzero(effects.gate == thing).tolist():
            gates = parts.rows[:, gate]
            gates = gates[gates >= 0]
            traits[gates, GATE] = -1
            if effects.gate_open[gate] == effects.starts_on[thing]:
                shut.append(gates)
    return barred(given._replace(amounts=amounts, traits=traits), np.concatenate(shut))
