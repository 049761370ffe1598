"""Tile patterns: the windows of a level as numbers."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.bits.random_streams import mix
from levolve.kernels.compiler import kernel, level_kernel

# Odd factors of the hash of a row of cells, and of rows below each other.
_ACROSS, _DOWN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_1 = np.uint64(1)
# Logarithms are rounded to multiples of this, because their last digits differ between machines.
GRAIN = 2.0**-40


def steady_logarithms(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the natural logarithms of positive numbers, rounded so that they are the same on all
    machines.
    """
    return np.asarray(np.round(np.log(values) / GRAIN) * GRAIN, np.float64)


@kernel
def _sort(codes: NDArray[np.int64]) -> None:
    """Sort numbers in place (Shell 1959, gaps by Ciura's rule): Numba's own sort takes longer to
    compile than the rest of the kernel.
    """
    gap = 1
    while gap < codes.size:
        gap = gap * 9 // 4 + 1
    while gap > 1:
        gap = gap * 4 // 9 if gap > 2 else 1
        for position in range(gap, codes.size):
            code = codes[position]
            place = position
            while place >= gap and codes[place - gap] > code:
                codes[place] = codes[place - gap]
                place -= gap
            codes[place] = code


@level_kernel
def pattern_entropies(
    tiles: NDArray[np.uint8], kinds: int, logarithms: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Compute the entropy of the 2x2 patterns of each of `(n, height, width)` levels, in the unit
    of `logarithms`, those of 0 (as 0) to the windows.

    A pattern that occurs k times in w windows adds k / w (log w - log k). Patterns are added in the
    order of their numbers.
    """
    count, height, width = tiles.shape
    windows = (height - 1) * (width - 1)
    codes = empty(windows, np.int64)
    for level in range(count):
        position = 0
        for y in range(height - 1):
            for x in range(width - 1):
                # As plain Python, a byte times a small number would stay a byte and wrap around.
                upper = np.int64(tiles[level, y, x]) * kinds + tiles[level, y, x + 1]
                codes[position] = (upper * kinds + tiles[level, y + 1, x]) * kinds + tiles[
                    level, y + 1, x + 1
                ]
                position += 1
        _sort(codes)
        total = 0.0
        run = 1
        for position in range(1, windows + 1):
            if position < windows and codes[position] == codes[position - 1]:
                run += 1
                continue
            total += run * (logarithms[windows] - logarithms[run])
            run = 1
        out[level] = total / windows


@kernel
def window_codes(
    padded: NDArray[np.uint8], size: int, work: NDArray[np.uint64], codes: NDArray[np.uint64]
) -> None:
    """Write the code of every `size` x `size` window of one `(height, width)` map to `codes`, in
    reading order; equal windows have equal codes.

    A code is a 64-bit hash and never 0: rows of `size` cells are hashed first, then `size` of these
    below each other. `work` has one entry per cell.
    """
    height, width = padded.shape
    across = width - size + 1
    for y in range(height):
        for x in range(across):
            code = np.uint64(0)
            for step in range(size):
                code = code * _ACROSS + np.uint64(padded[y, x + step]) + _1
            work[y * width + x] = code
    position = 0
    for y in range(height - size + 1):
        for x in range(across):
            code = np.uint64(0)
            for step in range(size):
                code = code * _DOWN + work[(y + step) * width + x]
            code = mix(code)
            codes[position] = code if code != np.uint64(0) else _1
            position += 1


@kernel
def find_code(keys: NDArray[np.uint64], code: np.uint64) -> np.int64:
    """Return the place of a code in a hash table whose size is a power of two, or the free place
    (key 0) where it belongs.
    """
    last = np.uint64(keys.size - 1)
    place = code & last
    while keys[place] != code and keys[place] != np.uint64(0):
        place = (place + _1) & last
    return np.int64(place)


@kernel
def style_divergences(
    tiles: NDArray[np.uint8],
    outside: int,
    sizes: NDArray[np.int64],
    keys: NDArray[np.uint64],
    mass: NDArray[np.float64],
    log_mass: NDArray[np.float64],
    absent: NDArray[np.float64],
    shares: NDArray[np.float64],
    log_shares: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Compute for each of `(n, height, width)` levels how far its window patterns are from those of
    a style: the mean divergence over the sizes.

    A level is surrounded by one ring of tiles of kind `outside`. The divergence of two
    distributions P and Q is the mean of KL(P|Q) and KL(Q|P): the sum of (p - q)(log p - log q) / 2
    over all patterns. For size s, `keys[s]` is the hash table of the style's patterns, `mass[s]`
    and `log_mass[s]` the q of each place (of a free place: that of a pattern that the style lacks),
    `absent[s]` the sum over all its patterns for a level without any of them, and `shares[s, k]`
    and `log_shares[s, k]` the p of a pattern that occurs k times in a level.
    """
    count, height, width = tiles.shape
    padded = full((height + 2, width + 2), outside, np.uint8)
    work = empty(padded.size, np.uint64)
    codes = empty(padded.size, np.uint64)
    # The patterns of one level and size: a hash table that is cleared by the places in use.
    room = 1
    while room < 2 * padded.size:
        room *= 2
    seen = zeros(room, np.uint64)
    times = zeros(room, np.int64)
    used = empty(padded.size, np.int64)
    for level in range(count):
        for y in range(height):
            for x in range(width):
                padded[y + 1, x + 1] = tiles[level, y, x]
        total = 0.0
        for s in range(sizes.size):
            size = sizes[s]
            windows = (height + 3 - size) * (width + 3 - size)
            window_codes(padded, size, work, codes)
            different = 0
            for position in range(windows):
                place = find_code(seen, codes[position])
                if times[place] == 0:
                    seen[place] = codes[position]
                    used[different] = place
                    different += 1
                times[place] += 1
            divergence = absent[s]
            p_none, log_p_none = shares[s, 0], log_shares[s, 0]
            for position in range(different):
                place = used[position]
                p, log_p = shares[s, times[place]], log_shares[s, times[place]]
                at = find_code(keys[s], seen[place])
                q, log_q = mass[s, at], log_mass[s, at]
                divergence += (p - q) * (log_p - log_q) / 2
                if keys[s, at] != np.uint64(0):
                    divergence -= (p_none - q) * (log_p_none - log_q) / 2
            for position in range(different):
                times[used[position]] = 0
                seen[used[position]] = np.uint64(0)
            total += divergence
        out[level] = total / sizes.size


@kernel
def least_differences(
    tiles: NDArray[np.uint8], example: NDArray[np.uint8], most: NDArray[np.float64]
) -> None:
    """Lower `most`, `(n,)` shares, to the smallest share of differing cells between each level and
    a part of the example.

    Along each axis, the smaller of the two slides over the larger: a part of the example of the
    level's size, or the whole example on a part of the level.
    """
    count, height, width = tiles.shape
    rows, columns = min(height, example.shape[0]), min(width, example.shape[1])
    for level in range(count):
        best = np.int64(rows * columns)
        for shift_y in range(abs(height - example.shape[0]) + 1):
            for shift_x in range(abs(width - example.shape[1]) + 1):
                y, example_y = (shift_y, 0) if height > example.shape[0] else (0, shift_y)
                x, example_x = (shift_x, 0) if width > example.shape[1] else (0, shift_x)
                differing = np.int64(0)
                for row in range(rows):
                    # Slices, because sums of indices may be negative for the compiler, and are then
                    # not vectorised.
                    mine = tiles[level, y + row, x : x + columns]
                    theirs = example[example_y + row, example_x : example_x + columns]
                    for column in range(columns):
                        differing += mine[column] != theirs[column]
                    if differing >= best:
                        break
                best = min(best, differing)
        most[level] = min(most[level], best / (rows * columns))
