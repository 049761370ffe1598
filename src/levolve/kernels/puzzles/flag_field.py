"""A round as kernels take it. Nothing is compiled here, so that the rules of the puzzle can be read
without Numba.

Where both kinds of evolution begin.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.random_streams import START, draw_below, open_stream
from levolve.kernels.compiler import kernel

NEVER = 255

Cells = NDArray[np.uint8]
Places = NDArray[np.int64]


class Field(NamedTuple):
    """A round, flat, with a border of gaps, so that no step needs a look at the edge.

    `left` holds how many visits each cell still bears, `NEVER` for one that does not fall (the flag
    is such a cell). `steps` are the four moves u, d, l, r as differences of cells. `remaining`
    counts all visits, that of the start included. `colour` is 0 and 1 like a chequered floor.
    """

    left: Cells
    steps: Places
    start: int
    flag: int
    remaining: int
    colour: NDArray[np.int8]
    width: int


Genes = NDArray[np.uint8]


@kernel
def start_genes(seed: np.uint64, generation: int, genes: Genes, below: int) -> None:
    """Fresh genes, each from 0 to `below` - 1, for a whole population."""
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, START, generation, individual)
        for index in range(genes.shape[1]):
            genes[individual, index] = draw_below(stream, index, below)
