"""The length of runs of larger levels: a recipe's generations suit its own size."""

from math import sqrt

from levolve.recipes.recipe import Recipe


def with_more_generations(recipe: Recipe, original: Recipe) -> Recipe:
    """Return a recipe with more generations if its levels are larger than those of the original, otherwise the recipe itself.

    The number grows with the square root of the number of cells: a level has more genes to arrange, and its paths are longer.
    """
    cells, before = (width * height for width, height in (recipe.size, original.size))
    if cells <= before:
        return recipe
    return recipe.changed({"generations": round(recipe.generations * sqrt(cells / before))})
