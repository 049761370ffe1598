"""Where both kinds of evolution begin."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.streams import START, draw_below, open_stream

Genes = NDArray[np.uint8]


@kernel
def start_genes(seed: np.uint64, generation: int, genes: Genes, below: int) -> None:
    """Fresh genes, each from 0 to `below` - 1, for a whole population."""
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, START, generation, individual)
        for index in range(genes.shape[1]):
            genes[individual, index] = draw_below(stream, index, below)
