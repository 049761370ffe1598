"""`Rule`: a score matrix and a neighbourhood. Runs maps by the fastest way that fits; all ways give the same map."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.errors import InputError
from levolve.fashion.scores import (
    MOST_RANKED,
    Exact,
    Whole,
    attainable,
    attainable_count,
    exact_scores,
    ranks_of,
    score_array,
    whole_scores,
)
from levolve.kernels import fashion as kernels

Map = NDArray[np.uint8]
Offset = tuple[int, int]
Border = Literal["torus", "bounded"]

VON_NEUMANN: tuple[Offset, ...] = ((0, 1), (0, -1), (-1, 0), (1, 0))
MOORE: tuple[Offset, ...] = (*VON_NEUMANN, (1, 1), (1, -1), (-1, -1), (-1, 1))
NEIGHBOURHOODS = {"von_neumann": VON_NEUMANN, "moore": MOORE}
DEFAULT_UPDATES = 40
MOST_UPDATES = 1_000_000
MOST_NEIGHBOURS = 1024
FARTHEST = 1 << 20
MOST_KEYS = 1 << 20
KEY_BITS = 32


@dataclass(frozen=True)
class Outcome:
    """What a run came to. `length` is 1 at a fixed point, more in a cycle, 0 if the map still changed; `since` is an update from which on it holds.

    For a fixed point, `since` is the first such update.
    """

    final: Map
    updates: int
    since: int
    length: int

    def __str__(self) -> str:
        """In words."""
        if self.length == 0:
            return f"still changing after {self.updates} updates"
        return f"a fixed point after {self.since} updates" if self.length == 1 else f"a cycle of {self.length} maps by update {self.since}"


class Rule:
    """A fashion rule: scores S, one row a state, and the neighbourhood as (dx, dy) offsets, y downwards.

    In an update every cell scores the sum of S[own state][neighbour's state], and then takes the state of the best-scoring cell among itself
    and its neighbours. Of equals the cell itself comes first, then the neighbours in the order of the list. Scores are compared exactly.
    On a torus the map's sides are joined; on a bounded map cells outside are not there: they add nothing to a score and nobody follows them.

    >>> rule = Rule(scores=[[0, .5], [.2, .6]], neighbourhood=[(0, 1), (0, -1), (-1, 0), (1, 0)])
    >>> rule.run([[0, 0, 0], [0, 1, 1], [0, 0, 0]], updates=1).tolist()
    [[0, 1, 1], [1, 1, 1], [0, 1, 1]]
    """

    def __init__(
        self,
        scores: object,
        neighbourhood: Iterable[Iterable[int]] | str = "von_neumann",
        border: Border = "torus",
    ) -> None:
        """Check everything; nothing is compiled yet."""
        self.exact: Exact = exact_scores(scores)
        self.neighbourhood = checked_neighbourhood(neighbourhood)
        if border not in {"torus", "bounded"}:
            message = f"border: expected 'torus' or 'bounded', got {border!r}"
            raise InputError(message)
        self.border: Border = border

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.exact)

    @property
    def scores(self) -> list[list[float]]:
        """The score matrix as floats."""
        return [[float(value) for value in row] for row in self.exact]

    @property
    def reach(self) -> int:
        """How far the farthest neighbour is, along the rows or the columns."""
        return max(max(abs(dx), abs(dy)) for dx, dy in self.neighbourhood)

    def __repr__(self) -> str:
        """As it could be typed."""
        rows = [[float(f"{float(value):.12g}") for value in row] for row in self.exact]
        return f"Rule(scores={rows}, neighbourhood={list(self.neighbourhood)}, border={self.border!r})"

    def __eq__(self, other: object) -> bool:
        """Whether scores, neighbourhood and border are the same."""
        if not isinstance(other, Rule):
            return NotImplemented
        return (self.exact, self.neighbourhood, self.border) == (other.exact, other.neighbourhood, other.border)

    def __hash__(self) -> int:
        """Equal rules have equal hashes."""
        return hash((self.exact, self.neighbourhood, self.border))

    @cached_property
    def whole(self) -> Whole:
        """The scores as whole numbers in the same proportions."""
        return whole_scores(self.exact)[0]

    def run(self, start: ArrayLike, updates: int = DEFAULT_UPDATES) -> Map:
        """The map after `updates` updates of a `(height, width)` start map; the start map is left as it is."""
        return self.develop(start, updates).final

    def frames(self, start: ArrayLike, updates: int = DEFAULT_UPDATES) -> Iterator[Map]:
        """The start map and the map after each update: `updates` + 1 maps."""
        now = self.checked_map(start)
        yield now
        for _ in range(checked_updates(updates)):
            now = self.run(now, 1)
            yield now

    def develop(self, start: ArrayLike, updates: int = DEFAULT_UPDATES) -> Outcome:
        """Run a map and say whether it came to a fixed point or a cycle."""
        tiles = self.checked_map(start)
        updates = checked_updates(updates)
        found = np.zeros((1, 2), np.int64)
        if self.border == "torus" and self._is_bitwise and any(side % kernels.WORD == 0 for side in tiles.shape):
            tiles = self._run_planes(tiles, updates, found)
        elif self._has_table:
            tiles = tiles[np.newaxis].copy()
            table, state_bits = self.table
            kernels.run_keyed(tiles, self.steps(tiles[0].shape), self.states, table, state_bits, self.border == "torus", updates, found)
            tiles = tiles[0]
        else:
            tiles = tiles.copy()
            scores = score_array(self.whole, len(self.neighbourhood))[np.newaxis]
            everywhere = np.ones((1, 1, 1), np.int64)
            kernels.run_summed(tiles, self.steps(tiles.shape), scores, everywhere, self.border == "torus", updates, found[0])
        since, length = found[0].tolist()
        return Outcome(tiles, updates, since, length)

    def smoothed(self, tiles: ArrayLike, times: int = 1) -> Map:
        """The map after a majority filter: a cell takes the state of more than four of the nine cells around and on it, where there is one."""
        now = self.checked_map(tiles)
        for _ in range(times):
            out = np.empty_like(now)
            kernels.smooth(now, self.states, self.border == "torus", out)
            now = out
        return now

    def checked_map(self, tiles: ArrayLike, argument: str = "start") -> Map:
        """A map as bytes, or an error that says what is wrong with it."""
        try:
            array = np.asarray(tiles)
        except ValueError as problem:
            message = f"{argument}: expected rows of equal length"
            raise InputError(message) from problem
        if array.ndim != 2 or 0 in array.shape:  # noqa: PLR2004 rows and columns
            message = f"{argument}: expected a map of rows and columns, got shape {array.shape}"
            raise InputError(message)
        if array.dtype.kind not in "iub":
            message = f"{argument}: expected whole numbers, got {array.dtype}"
            raise InputError(message)
        if array.min() < 0 or array.max() >= self.states:
            message = f"{argument}: expected states from 0 to {self.states - 1}, got {array.min()} to {array.max()}"
            raise InputError(message)
        return np.ascontiguousarray(array, np.uint8)

    def steps(self, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """The neighbourhood as (row, column) steps on a map of this size: around the torus the short way, no farther than just outside else."""
        height, width = shape
        steps = np.array([(dy, dx) for dx, dy in self.neighbourhood], np.int64)
        size = np.array([height, width])
        if self.border == "torus":
            return np.asarray((steps + size // 2) % size - size // 2, np.int64)
        return np.clip(steps, -size, size)

    @cached_property
    def _is_bitwise(self) -> bool:
        return self.states == 2 and sorted(self.neighbourhood) == sorted(VON_NEUMANN)  # noqa: PLR2004 a bit a cell

    @property
    def _has_table(self) -> bool:
        near = len(self.neighbourhood)
        digits = self.states + (self.border == "bounded")
        return digits ** (near + 1) <= MOST_KEYS and attainable_count(digits, near) <= MOST_RANKED

    @cached_property
    def table(self) -> tuple[NDArray[Any], int]:
        """A rank and a state for every state of a cell and its neighbours, packed as `run_keyed` takes it; and the bits of a state."""
        near = len(self.neighbourhood)
        digits = self.states + (self.border == "bounded")
        scores = np.zeros((self.states, digits), object)
        scores[:, : self.states] = self.whole
        # Ranks of sums by the multiset of neighbours, then each key by its multiset.
        padded = tuple(tuple(row) for row in scores.tolist())
        sums = attainable_sums(padded, digits, near)
        ranks = ranks_of([total for row in sums.values() for total in row]).reshape(len(sums), self.states)
        numbers = {around: number for number, around in enumerate(sums)}
        state_bits = (self.states - 1).bit_length() or 1
        shift = state_bits + near.bit_length()
        by_key = np.zeros((digits, digits**near), np.int64)
        places = _multiset_numbers(digits, near, numbers)
        for state in range(self.states):
            by_key[state] = (ranks[places, state] << shift) | state
        bits = int(by_key.max()).bit_length()
        if bits > KEY_BITS:
            message = f"neighbourhood: {near} neighbours and {self.states} states have more scores than can be told apart; use fewer of either"
            raise InputError(message)
        return by_key.reshape(1, -1).astype(np.uint16 if bits <= KEY_BITS // 2 else np.uint32), state_bits

    @cached_property
    def _masks(self) -> NDArray[np.uint64]:
        """The digits of the ranks for two states, as `run_planes` takes them."""
        near = len(self.neighbourhood)
        sums = [(near - count) * self.whole[state][0] + count * self.whole[state][1] for state in (0, 1) for count in range(near + 1)]
        ranks = ranks_of(sums).reshape(2, near + 1) - 1
        digits = (ranks[np.newaxis] >> np.arange(kernels.PLANES).reshape(-1, 1, 1)) & 1
        return np.where(digits == 1, np.uint64(2**64 - 1), np.uint64(0))

    def _run_planes(self, tiles: Map, updates: int, found: NDArray[np.int64]) -> Map:
        upright = tiles.shape[0] % kernels.WORD == 0
        steps = np.array([(dy, dx) if upright else (dx, dy) for dx, dy in self.neighbourhood], np.int64)
        source = tiles if upright else np.ascontiguousarray(tiles.T)
        words = np.empty((source.shape[0] // kernels.WORD, source.shape[1]), np.uint64)
        kernels.pack_planes(source, words)
        kernels.run_planes(words, steps, self._masks, updates, found[0])
        out = np.empty_like(source)
        kernels.unpack_planes(words, out)
        return out if upright else np.ascontiguousarray(out.T)


def attainable_sums(scores: Whole, digits: int, near: int) -> dict[tuple[int, ...], list[int]]:
    """For every multiset of neighbours' states the score of a cell of each state."""
    sums: dict[tuple[int, ...], list[int]] = {}
    square = scores + ((0,) * digits,) * (digits - len(scores))
    for total, state, around in attainable(square, near):
        if state < len(scores):
            sums.setdefault(around, [0] * len(scores))[state] = total
    return sums


def _multiset_numbers(digits: int, near: int, numbers: dict[tuple[int, ...], int]) -> NDArray[np.int64]:
    """For every key of `near` digits, which multiset its digits are."""
    keys = np.arange(digits**near)
    columns = np.stack([keys // digits**place % digits for place in range(near)], axis=1)
    columns.sort(axis=1)
    codes = columns @ digits ** np.arange(near)[::-1]
    known = np.array([sum(state * digits ** (near - 1 - place) for place, state in enumerate(around)) for around in numbers], np.int64)
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, codes, sorter=order)], np.int64)


def checked_neighbourhood(neighbourhood: Iterable[Iterable[int]] | str) -> tuple[Offset, ...]:
    """Offsets (dx, dy), from a list of them or a neighbourhood's name."""
    if isinstance(neighbourhood, str):
        if neighbourhood not in NEIGHBOURHOODS:
            message = f"neighbourhood: expected a list of offsets (dx, dy) or one of {', '.join(NEIGHBOURHOODS)}, got {neighbourhood!r}"
            raise InputError(message)
        return NEIGHBOURHOODS[neighbourhood]
    offsets: list[Offset] = []
    try:
        listed = [list(entry) for entry in neighbourhood]
    except TypeError as problem:
        message = f"neighbourhood: expected a list of offsets (dx, dy), got {neighbourhood!r}"
        raise InputError(message) from problem
    for position, entry in enumerate(listed):
        try:
            dx, dy = (operator.index(part) for part in entry)
        except (TypeError, ValueError) as problem:
            message = f"neighbourhood: expected offsets (dx, dy) of two whole numbers, got {tuple(entry)!r} at position {position}"
            raise InputError(message) from problem
        if max(abs(dx), abs(dy)) > FARTHEST:
            message = f"neighbourhood: expected offsets of at most {FARTHEST}, got {(dx, dy)} at position {position}"
            raise InputError(message)
        offsets.append((dx, dy))
    if not 1 <= len(offsets) <= MOST_NEIGHBOURS:
        message = f"neighbourhood: expected from 1 to {MOST_NEIGHBOURS} offsets (dx, dy), got {len(offsets)}"
        raise InputError(message)
    return tuple(offsets)


def checked_updates(updates: object) -> int:
    """A number of updates."""
    if isinstance(updates, bool) or not isinstance(updates, int | np.integer) or not 0 <= updates <= MOST_UPDATES:
        message = f"updates: expected a whole number from 0 to {MOST_UPDATES}, got {updates!r}"
        raise InputError(message)
    return int(updates)
