"""Positions of a round packed into a few words, and a table that holds them whole, so that a proof rests on no hash."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.flag.field import NEVER, Cells, Places
from levolve.kernels.streams import GOLDEN_STEP, Index

Words = NDArray[np.uint64]
_29 = np.uint64(29)


class Packing(NamedTuple):
    """Where each cell's visits stand in the packed form of a position, and which word holds the player's place, the last one."""

    word: Places
    shift: Places
    place: int


@kernel
def pack_position(left: Cells, position: Index, packing: Packing, key: Words) -> None:
    """Write the packed form of a position to `key`."""
    key[:] = 0
    for cell in range(left.shape[0]):
        if 0 < left[cell] < NEVER:
            key[packing.word[cell]] += np.uint64(left[cell]) << np.uint64(packing.shift[cell])
    key[packing.place] = np.uint64(position)


@kernel
def one_visit(cell: Index, packing: Packing) -> np.uint64:
    """One visit of a cell, where it stands in its word."""
    return np.uint64(1) << np.uint64(packing.shift[cell])


@kernel
def find_position(table: Words, key: Words) -> Index:
    """The row of the table that holds a key, or the empty row where it would go. A row's last column is 0 where it is empty."""
    words = key.shape[0]
    mixed = np.uint64(0)
    for word in range(words):
        mixed = (mixed ^ key[word]) * GOLDEN_STEP
        mixed ^= mixed >> _29
    row: Index = np.int64(mixed % np.uint64(table.shape[0]))
    while table[row, words] != 0:
        same = True
        for word in range(words):
            if table[row, word] != key[word]:
                same = False
                break
        if same:
            return row
        row += 1
        if row == table.shape[0]:
            row = 0
    return row


@kernel
def keep_position(table: Words, key: Words, mark: int) -> Index:
    """The mark that a position was kept with; 0 if it is new, and it is then kept with `mark`, which is not 0."""
    words = key.shape[0]
    row = find_position(table, key)
    if table[row, words] == 0:
        table[row, :words] = key
        table[row, words] = np.uint64(mark)
        return 0
    return np.int64(table[row, words])
