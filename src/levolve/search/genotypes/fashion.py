"""Fashion: the score matrix of a fashion-based cellular automaton. Running the rule on a start map
gives the level.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import TERRAIN
from levolve.kernels.fashion.lines import CHUNK, UNIT, Plan
from levolve.kernels.fashion.margins import TORUS
from levolve.kernels.fashion.pictures import smooth
from levolve.kernels.fashion.runs import run_lines
from levolve.kernels.fashion.starts import new_courses, start_states
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype

SCORES = 100
STATE_BITS, TURN_BITS = 4, 3
# (row, column) steps down, up, left and right: the order in which ties are broken.
STEPS = ((1, 0), (-1, 0), (0, -1), (0, 1))
_WORD = 1 << 64

Terrain = NDArray[np.uint8]


@lru_cache(maxsize=16)
def start_map(states: int, width: int, height: int, seed: int) -> Terrain:
    """Draw a start map with all states equally likely; the same as that of `levolve.fashion` with
    this seed.
    """
    thresholds = np.array([state * _WORD // states for state in range(1, states)], np.uint64)
    out = np.empty((height, width), np.uint8)
    start_states(np.uint64(seed), TERRAIN, np.uint64(0), np.uint64(0), thresholds, out)
    out.setflags(write=False)
    return out


@lru_cache(maxsize=16)
def _entries(states: int) -> NDArray[np.int64]:
    """Return for each key of a table which entries of the score matrix are added: `(4, states **
    5)`.
    """
    keys = np.arange(states**5)
    own = keys // states**4
    return np.stack([own * states + keys // states**place % states for place in range(4)])


def _plan(states: int, steps: NDArray[np.int64]) -> Plan:
    """Return the plan of one group of four neighbours, for (row, column) steps to them."""
    near = len(STEPS)
    factors = [states**place for place in reversed(range(near))]
    turns = [turn << STATE_BITS for turn in (*reversed(range(near)), near)]
    groups = [(0, 1, states**near, 0, states ** (near + 1))]
    return Plan(
        steps,
        *(
            np.array(part, np.int64)
            for part in (factors, turns, groups, (STATE_BITS, STATE_BITS + TURN_BITS))
        ),
    )


@dataclass(frozen=True)
class Fashion(Genotype):
    """A score from 0 to 99 for every pair of states. States below `open_states` are floor, the
    others wall.

    Each rule runs on `starts` start maps, with seeds from `first_start` upwards. The first gives
    the level, the others are the variants of the batch. After `updates` updates and `smooth` passes
    of a majority filter, a room of `room` cells is opened around each place. With `rules` = 2 there
    are two matrices, and the rule changes from the first to the second from left to right.
    """

    states: Annotated[int, Interval(ge=2, le=10)] = setting(2, "How many states cells can have.")
    updates: Annotated[int, Interval(ge=0, le=10_000)] = setting(20, "How often all cells change.")
    open_states: Annotated[int, Interval(ge=1, le=9)] = setting(
        1, "States below this number are floor, the others wall."
    )
    starts: Annotated[int, Interval(ge=1, le=64)] = setting(
        4, "On how many start maps each rule is tried."
    )
    first_start: Annotated[int, Interval(ge=0, le=1 << 31)] = setting(
        1, "The seed of the first start map; the others follow."
    )
    smooth: Annotated[int, Interval(ge=0, le=100)] = setting(
        1, "Passes of the majority filter at the end."
    )
    room: Annotated[int, Interval(ge=1, le=64)] = setting(
        5, "The side of the room that is opened around each place."
    )
    rules: Literal[1, 2] = setting(1, "Two rules change into each other from left to right.")

    def __post_init__(self) -> None:
        """Raise `InputError` if no state could be a wall."""
        if self.open_states >= self.states:
            message = (
                f"open_states: expected fewer than the {self.states} states, got {self.open_states}"
            )
            raise InputError(message)

    @property
    def variants(self) -> int:
        """A level per start map."""
        return self.starts

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the scores row by row, those of a second rule after those of the
        first.
        """
        return _space(self.rules * self.states**2)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw scores with equal probability."""
        return self.space(frame).draw(seed, generation, count)

    def matrices(self, genes: Genes) -> NDArray[np.int64]:
        """Return the score matrices, `(n, rules, states, states)`."""
        return np.asarray(genes.reshape(len(genes), self.rules, self.states, self.states), np.int64)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels of the first start map, with those of the other start maps as
        variants.
        """
        batches = []
        for number in range(self.starts):
            terrain = self.grow(
                genes, start_map(self.states, frame.width, frame.height, self.first_start + number)
            )
            tiles = (terrain >= self.open_states).astype(np.uint8)
            for x, y in frame.places.values():
                low = (self.room - 1) // 2
                tiles[
                    :, max(y - low, 0) : y - low + self.room, max(x - low, 0) : x - low + self.room
                ] = 0
            batch = Batch(frame, tiles=stamp(tiles, frame, WALLS))
            batch.terrain = terrain
            batch.kinds = self.states
            batches.append(batch)
        batches[0].variants = tuple(batches[1:])
        return batches[0]

    def grow(self, genes: Genes, start: Terrain) -> Terrain:
        """Run each rule on one start map: `(n, height, width)` states."""
        terrain = np.repeat(start[np.newaxis], len(genes), axis=0)
        steps = np.array(STEPS, np.int64)
        size = np.array(start.shape)
        steps = (steps + size // 2) % size - size // 2
        # Scores are small enough to be used as ranks: sum, tie order and state fit into sixteen
        # bits. Sums of two rules are mixed first.
        matrices = genes.reshape(len(genes), self.rules, self.states**2)
        sums = np.ones(
            (len(genes), self.rules, self.states**5), np.uint16 if self.rules == 1 else np.uint32
        )
        for entries in _entries(self.states):
            sums += matrices[:, :, entries].astype(sums.dtype)
        if self.rules == 1:
            own = (np.arange(self.states**5) // self.states**4).astype(np.uint16)
            sums = (sums << np.uint16(STATE_BITS + TURN_BITS)) | own
        height, width = start.shape
        second = np.arange(width) * UNIT // max(width - 1, 1)
        field = np.ascontiguousarray(np.broadcast_to(second, (height, width)), np.int32)
        keys = np.empty(CHUNK, np.uint16 if self.states**5 <= 1 << 16 else np.uint32)
        courses = new_courses(len(genes), self.updates)
        run_lines(
            terrain,
            self.states,
            TORUS,
            _plan(self.states, steps),
            sums,
            field,
            keys,
            self.updates,
            terrain.copy(),
            courses,
        )
        for _ in range(self.smooth):
            for level, before in zip(terrain, terrain.copy(), strict=True):
                smooth(before, self.states, True, level)
        return terrain


@lru_cache(maxsize=16)
def _space(length: int) -> NumberGenes:
    return NumberGenes(np.full(length, SCORES))
