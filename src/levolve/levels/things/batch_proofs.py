"""Proofs of many levels at once, as searches need them, and the work arrays of proofs."""

import threading
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs import plays, proving, sweeps
from levolve.kernels.proofs.opened_sets import MOST_OPENED, MOST_SWITCHES
from levolve.levels.things.lowering import Effects, Mechanics

# The most states of a search that is repeated for many levels.
SEARCHED = 2**16
# The most states whose nodes can be stored.
MOST_ROWS = 2**20


@dataclass(frozen=True, eq=False)
class BatchProof:
    """Proofs of n levels, each an `(n,)` array.

    Attributes
    ----------
    winnable, safe, undecided
        As in `Proof`.
    steps
        The fewest moves to win; -1 if the level cannot be won, or if they were not computed, and -2
        if the search for them exceeds its limit.
    states, lost, spheres
        As in `Proof`.
    reached, acting
        The number of acting things that can be reached, and of all acting things.
    choices, losing
        The number of moves from condensed states that can be won to others, and of those that lose.
        0 in the classes A and T, where no move loses.
    marks
        `(N, 3)` for the N rows of things: whether some play enters the thing; the sphere in which
        the sweep enters it, and in which it enters it or finds it shut, from 1, or 0 for never.
        Empty unless they were wanted.
    """

    winnable: NDArray[np.bool_]
    safe: NDArray[np.bool_]
    undecided: NDArray[np.bool_]
    steps: NDArray[np.int32]
    states: NDArray[np.int32]
    lost: NDArray[np.int32]
    spheres: NDArray[np.int32]
    reached: NDArray[np.int32]
    acting: NDArray[np.int32]
    choices: NDArray[np.int32]
    losing: NDArray[np.int32]
    marks: NDArray[np.int32]


class Tables(NamedTuple):
    """The things of n levels, as arrays: those of level i are the rows `firsts[i]` to `firsts[i +
    1]` of `(N, TRAITS)` traits and `(N, 3, r)` amounts. `initial` are `(n, r)` amounts at the
    start.
    """

    firsts: NDArray[np.int64]
    traits: NDArray[np.int32]
    amounts: NDArray[np.int32]
    initial: NDArray[np.int32]


def prove_batch(
    tiles: NDArray[np.uint8],
    steps: NDArray[np.uint8],
    stops: NDArray[np.int32],
    tables: Tables,
    *,
    collects: bool,
    walked: bool = True,
    marked: bool = False,
) -> BatchProof:
    """Prove n levels of one size.

    Parameters
    ----------
    tiles
        `(n, height, width)` kinds of tiles.
    steps
        `(kinds, kinds)` whether a step from one kind of tile to another is legal.
    stops
        `(n, s)` cells of the stops of the goal.
    tables
        The things: traits and amounts as in `tables_of`, one level after the other. A gate is the
        row of its switch in its level.
    collects
        Whether everything that counts has to be collected.
    walked
        Whether the fewest moves to win are computed. This takes most of the time.
    marked
        Whether things are marked.
    """
    count = len(tiles)
    firsts, traits, amounts, initial = tables
    results = np.zeros((count, proving.RESULTS), np.int32)
    marks = np.empty((len(traits) if marked else 0, proving.MARKS), np.int32)
    space = workspace()
    proving.prove_levels(
        tiles,
        steps,
        stops,
        collects,
        initial,
        firsts,
        traits,
        amounts,
        space.sets,
        space.choices,
        space.ways,
        space.reach,
        space.keys,
        space.ranks,
        space.heads,
        space.links,
        space.table,
        space.order,
        space.paying,
        space.parts,
        np.empty(0, np.int32),
        marks,
        results,
    )
    winnable = results[:, proving.WINNABLE] == 1
    moves = np.full(count, -1, np.int32)
    if walked:
        moves = follow(tiles, steps, stops, tables, winnable, collects=collects)[:, plays.MOVES]
    lost = results[:, proving.LOST]
    return BatchProof(
        winnable,
        winnable & (lost == 0),
        results[:, proving.WINNABLE] < 0,
        moves,
        results[:, proving.STATES],
        lost,
        results[:, proving.SPHERES],
        results[:, proving.REACHED],
        results[:, proving.ACTING_THINGS],
        results[:, proving.CHOICES],
        results[:, proving.LOSING],
        marks,
    )


def follow(
    tiles: NDArray[np.uint8],
    steps: NDArray[np.uint8],
    stops: NDArray[np.int32],
    tables: Tables,
    wanted: NDArray[np.bool_],
    *,
    collects: bool,
    replayed: bool = False,
) -> NDArray[np.int32]:
    """Return the parts of a shortest play of each level, `(n, PARTS)`; see `kernels.proofs.plays`.
    All are -1 if the level cannot be won or is not `wanted`, and -2 if a limit is exceeded.

    Unless `replayed`, only moves are counted. The other arguments are those of `prove_batch`.
    """
    firsts, traits, amounts, initial = tables
    parts = np.where(wanted, 0, -1).astype(np.int32)[:, np.newaxis].repeat(plays.PARTS, axis=1)
    space = walking_space()
    plays.follow_plays(
        tiles,
        steps,
        stops,
        collects,
        initial,
        firsts,
        traits,
        amounts,
        space.plays,
        space.lengths,
        space.parents,
        space.entries,
        space.edges,
        space.table,
        space.moves if replayed else np.empty(0, np.uint8),
        parts,
    )
    return parts


class Workspace:
    """Work arrays of searches with at most `states` states. The system provides the memory of new
    arrays only as it is used.
    """

    def __init__(self, states: int) -> None:
        """Create the arrays."""
        # A power of two, as hash tables need.
        size = 1 << max(10, (states - 1).bit_length())
        self.states = states
        self.sets = np.empty(states, np.uint64)
        self.choices = np.empty(states, np.int32)
        self.ways = np.empty(states, np.uint64)
        self.reach = np.empty(8 * max(SEARCHED, min(states, MOST_ROWS)), np.uint64)
        self.parts = np.empty(32 * max(SEARCHED, min(states, MOST_ROWS)), np.int32)
        self.keys = np.empty((states, 2), np.uint64)
        self.ranks = np.empty(states, np.int32)
        self.heads = np.empty(states, np.int32)
        self.links = np.empty((6 * states, 2), np.int32)
        self.table = np.full(2 * size, -1, np.int32)
        self.order = np.empty(states, np.int32)
        self.paying = np.empty(MOST_OPENED + MOST_SWITCHES, np.int32)


class WalkingSpace:
    """Work arrays of a search for a shortest play with at most `states` states."""

    def __init__(self, states: int) -> None:
        """Create the arrays."""
        size = 1 << max(10, (states - 1).bit_length())
        self.plays = np.empty((states, 2), np.uint64)
        self.lengths = np.empty(states, np.int32)
        self.parents = np.empty(states, np.int32)
        self.entries = np.empty((6 * states, 2), np.int32)
        self.edges = np.empty((max(states, 2**18), 2), np.int32)
        self.table = np.full(2 * size, -1, np.int32)
        self.moves = np.empty(max(states, 2**18), np.uint8)


_kept = threading.local()


def workspace() -> Workspace:
    """Return this thread's work arrays for `SEARCHED` states."""
    if not hasattr(_kept, "workspace"):
        _kept.workspace = Workspace(SEARCHED)
    found: Workspace = _kept.workspace
    return found


def walking_space() -> WalkingSpace:
    """Return this thread's work arrays for shortest plays of `SEARCHED` states."""
    if not hasattr(_kept, "walking_space"):
        _kept.walking_space = WalkingSpace(SEARCHED)
    found: WalkingSpace = _kept.walking_space
    return found


def tables_of(effects: Effects) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return what things do as the tables of the kernels: `(n, TRAITS)` traits, whose columns for
    cells are -1, and `(n, 3, r)` amounts.
    """
    traits = np.full((len(effects.things), sweeps.TRAITS), -1, np.int32)
    for column, values in (
        (sweeps.STATE, effects.states),
        (sweeps.SWITCH, effects.switch),
        (sweeps.FORCED, effects.forced),
        (sweeps.STARTS_ON, effects.starts_on),
        (sweeps.GATE, effects.gate),
        (sweeps.GATE_OPEN, effects.gate_open),
        (sweeps.DIRECTIONS, effects.directions),
        (sweeps.COUNTS, effects.counts),
    ):
        traits[:, column] = values
    amounts = np.stack([effects.gives, effects.needs, effects.spends], axis=1)
    return traits, np.ascontiguousarray(amounts, np.int32)


def tables_of_level(mechanics: Mechanics) -> Tables:
    """Return the things of one level as tables."""
    traits, amounts = tables_of(mechanics)
    traits[:, sweeps.CELL], traits[:, sweeps.LEADS] = mechanics.cells, mechanics.leads_to
    firsts = np.array([0, len(traits)], np.int64)
    return Tables(firsts, traits, amounts, mechanics.initial[np.newaxis])
