"""Outlines of levels on a lattice, drawn as masks."""

from functools import lru_cache

from levolve.errors import InputError
from levolve.genotypes.lattice import IN, OUT, Mask

# Masks are scaled to the lattice, so that they are drawn finer than most lattices.
SIDE = 96


@lru_cache(maxsize=16)
def mask_of(shape: str) -> Mask:
    """Return the mask of a named shape; empty for "full"."""
    if shape == "full":
        return ()
    inside = {
        "ellipse": lambda x, y: x * x + y * y <= 1,
        "diamond": lambda x, y: abs(x) + abs(y) <= 1,
        "ring": lambda x, y: max(abs(x), abs(y)) >= 1 / 3,
        "cross": lambda x, y: min(abs(x), abs(y)) <= 1 / 3,
    }
    if shape not in inside:
        message = f"shape: expected one of full, {', '.join(inside)}, got {shape!r}"
        raise InputError(message)
    middle = [(2 * k + 1 - SIDE) / SIDE for k in range(SIDE)]
    return tuple("".join(IN if inside[shape](x, y) else OUT for x in middle) for y in middle)
