"""The memory that a run needs, and that this machine has."""

import os

from levolve.errors import LevolveError
from levolve.recipes.recipe import Recipe

# The maximum number of bytes per cell and individual: tiles, distances, packed genes of two generations, and masks.
BYTES_PER_CELL = 8
BYTES_PER_CELL_ONCE = 64


def check_memory(recipe: Recipe) -> None:
    """Raise an error for a run that does not fit into this machine's memory."""
    width, height = recipe.size
    needed = width * height * (recipe.population * BYTES_PER_CELL + BYTES_PER_CELL_ONCE)
    present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else needed
    if needed > present:
        message = (
            f"size: {width}x{height} with a population of {recipe.population} needs about {needed / 1e9:,.0f} GB of memory, but this machine has "
            f"{present / 1e9:,.0f} GB; choose a smaller size or population"
        )
        # Not an `InputError`: the recipe is valid on a machine with more memory.
        raise LevolveError(message)
