"""Plans: how the scores of a rule, or of several that are mixed, become the tables that kernels look up.

With one group of neighbours a table holds the rank of every state of a cell and its neighbours, exact or of floats. With several groups the tables
hold partial sums of exact scores, which are small whatever the neighbourhood.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.fashion.scores import Whole
from levolve.kernels.fashion.lines import CHUNK, PASS, UNIT, Plan

# Entries of a table of partial sums, of which there are several; and of one table of ranks, which is still as fast.
NEAR_ENTRIES = 1 << 13
MOST_ENTRIES = 1 << 17
_BYTE, _WORD, _LONG = 16, 32, 63


@dataclass(frozen=True, eq=False)
class Tables:
    """A plan's groups and tables, `(rules, entries)`; steps depend on the size of the map."""

    groups: NDArray[np.int64]
    factors: NDArray[np.int64]
    turns: NDArray[np.int64]
    bits: NDArray[np.int64]
    # Which neighbour each place of a pass stands for; -1 for none.
    places: NDArray[np.int64]
    entries: NDArray[Any]

    def plan(self, steps: NDArray[np.int64]) -> Plan:
        """The plan for (row, column) steps to the neighbours."""
        padded = np.where(self.places[:, np.newaxis] >= 0, steps[self.places], 0)
        return Plan(np.ascontiguousarray(padded, np.int64), self.factors, self.turns, self.groups, self.bits)

    def keys(self) -> NDArray[Any]:
        """Room for keys, of the smallest type that holds them."""
        largest = int((self.groups[:, 4] - self.groups[:, 3]).max())
        return np.empty(CHUNK, np.uint16 if largest <= 1 << _BYTE else np.uint32)


def group_sizes(digits: int, near: int) -> list[int]:
    """How many neighbours each group has, so that tables are small; as equal as whole passes permit."""
    most = max(size for size in range(1, near + 1) if size == 1 or digits ** (size + 1) <= NEAR_ENTRIES)
    if most >= PASS and most < near:
        most -= most % PASS
    return [min(most, near - begin) for begin in range(0, near, most)]


def build_tables(sizes: Sequence[int], digits: int, states: int, entries: NDArray[Any]) -> Tables:
    """Tables for groups of so many neighbours. `entries` are `(rules, …)`, group after group; the cell's own state is the highest digit of a key."""
    near = sum(sizes)
    state_bits = (states - 1).bit_length() or 1
    groups: list[tuple[int, ...]] = []
    factors: list[int] = []
    places: list[int] = []
    begin = neighbour = 0
    for size in sizes:
        passes = -(-size // PASS)
        first = len(places) // PASS
        groups.append((first, first + passes, digits**size, begin, begin + digits ** (size + 1)))
        factors += [digits ** (size - 1 - k) for k in range(size)] + [0] * (passes * PASS - size)
        places += [neighbour + k for k in range(size)] + [-1] * (passes * PASS - size)
        begin, neighbour = groups[-1][-1], neighbour + size
    turns = [(near - 1 - place) << state_bits if place >= 0 else 0 for place in places] + [near << state_bits]
    bits = (state_bits, state_bits + near.bit_length())
    whole = [np.array(part, np.int64) for part in (groups, factors, turns, bits, places)]
    return Tables(whole[0], whole[1], whole[2], whole[3], whole[4], np.ascontiguousarray(entries))


def sum_tables(matrices: Sequence[Whole], near: int, *, bounded: bool) -> Tables | None:
    """Tables of partial sums of one or more rules' whole scores; None where sums with state and tie order have more than 63 bits.

    Entries of one rule hold the state too. Those of several rules are mixed by shares that add up to 256 before the state is added.
    """
    states = len(matrices[0])
    digits = states + bounded
    sizes = group_sizes(digits, near)
    # Scores from 1 on: only differences count, and 0 stays for cells outside.
    lowest = min(min(0, *row) if bounded else min(row) for matrix in matrices for row in matrix)
    highest = max(max(0, *row) if bounded else max(row) for matrix in matrices for row in matrix)
    shift = ((states - 1).bit_length() or 1) + near.bit_length()
    largest = near * (highest - lowest + 1) * (UNIT if len(matrices) > 1 else 1)
    bits = largest.bit_length() + shift
    if bits > _LONG:
        return None
    kind = np.uint16 if bits <= _BYTE else np.uint32 if bits <= _WORD else np.int64
    scores = np.zeros((len(matrices), digits, digits), np.int64)
    for rule, matrix in enumerate(matrices):
        scores[rule, :states] = np.array([[value - lowest + 1 for value in (*row, *(0,) * bounded)] for row in matrix], np.int64)
    parts = []
    for number, size in enumerate(sizes):
        keys = np.arange(digits**size)
        sums = np.zeros((len(matrices), digits, len(keys)), np.int64)
        for place in range(size):
            sums += scores[:, :, keys // digits**place % digits]
        if len(matrices) == 1:
            sums <<= shift
            if number == 0:
                sums[:, :states] |= np.arange(states)[:, np.newaxis]
        parts.append(sums.reshape(len(matrices), -1))
    return build_tables(sizes, digits, states, np.concatenate(parts, axis=1).astype(kind))
