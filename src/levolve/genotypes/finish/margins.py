"""The margin that finish steps add to levels. Loads no kernels, because recipes are read without them."""

from collections.abc import Mapping, Sequence

from levolve.genotypes.finish.step import FinishStep
from levolve.levels.frame import FREE
from levolve.levels.places import Place


def margin_of(steps: Sequence[FinishStep]) -> int:
    """Return the number of rows and columns that all steps together add on each side."""
    return sum(step.margin for step in steps)


def moved_inside(places: Mapping[str, Place], width: int, height: int, margin: int) -> dict[str, Place]:
    """Move places in the margin to the nearest cell inside. Places outside the level stay outside."""
    moved: dict[str, Place] = {}
    for name, (x, y) in places.items():
        inside = 0 <= x < width and 0 <= y < height
        moved[name] = (min(max(x, margin), width - 1 - margin), min(max(y, margin), height - 1 - margin)) if inside else (x, y)
    return moved


def padded_rows(rows: Sequence[str], margin: int) -> tuple[str, ...]:
    """Return rows of cells to keep with free cells around them."""
    width = len(rows[0]) + 2 * margin if rows else 0
    sides = FREE * margin
    return (*[FREE * width] * margin, *[f"{sides}{row}{sides}" for row in rows], *[FREE * width] * margin)
