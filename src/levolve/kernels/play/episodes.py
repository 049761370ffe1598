"""Which level each episode plays."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.streams import EDIT, EPISODE, draw_below, open_stream


@kernel
def draw_numbers(seeds: NDArray[np.uint64], episodes: NDArray[np.int64], count: int, out: NDArray[np.int64]) -> None:
    """Write a uniform number from 0 to count - 1 for each of n players: a function of the player's seed and the number of the episode."""
    for player in range(seeds.size):
        out[player] = draw_below(open_stream(seeds[player], EPISODE, episodes[player], 0), 0, count)


@kernel
def draw_cells(seeds: NDArray[np.uint64], episodes: NDArray[np.int64], steps: NDArray[np.int64], count: int, out: NDArray[np.int64]) -> None:
    """Write a number below `count` for each designer of a level, from its seed, its episode and its step, `(n,)` each."""
    for designer in range(len(out)):
        out[designer] = draw_below(open_stream(seeds[designer], EDIT, episodes[designer], 0), steps[designer], count)
