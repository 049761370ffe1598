"""The world of an LDtk project: where its levels lie, in rows, with gaps between them."""

from collections.abc import Sequence
from math import ceil, sqrt

# Cells between neighbouring levels.
GAP = 4


def positions(sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the upper left cells of levels of these sizes, in rows that together are about as wide as high. No two levels touch."""
    columns = ceil(sqrt(len(sizes)))
    found: list[tuple[int, int]] = []
    top = 0
    for start in range(0, len(sizes), columns):
        left = 0
        row = sizes[start : start + columns]
        for width, _ in row:
            found.append((left, top))
            left += width + GAP
        top += max(height for _, height in row) + GAP
    return found
