"""The style of all charts: colours, ramps of heat maps, and words. No library that draws is
needed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart; yellow, too
# faint on white, is left out.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Once the colours are used up they come again with another stroke, or another marker.
STROKES = ("solid", "dashed", "dotted", "dashdot")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK, GREY, FAINT, WHITE = "#222222", "#6E6E6E", "#DDDDDD", "#FFFFFF"


@dataclass(frozen=True)
class ColourRamp:
    """The colours of a heat map, from low numbers to high ones; `empty` is that of cells without a
    number.

    Each step is darker than the one before, so that the order is seen without colours, too. With a
    `power` of less than 1, low numbers are told apart better.
    """

    steps: tuple[Colour, ...]
    empty: Colour
    power: float = 1.0

    def colours(self, values: NDArray[np.float64], low: float, high: float) -> NDArray[np.uint8]:
        """Return the colours of `(height, width)` numbers between `low` and `high` as `(height,
        width, 3)`; NaN is empty.
        """
        steps = np.array(self.steps, np.float64)
        share = np.clip(
            np.nan_to_num((values - low) / (high - low if high > low else 1.0)), 0.0, 1.0
        )
        depth = share**self.power * (len(steps) - 1)
        step = np.minimum(depth.astype(np.int64), len(steps) - 2)
        part = (depth - step)[..., np.newaxis]
        mixed = steps[step] * (1 - part) + steps[step + 1] * part
        return (
            np.where(np.isnan(values)[..., np.newaxis], np.array(self.empty, np.float64), mixed)
            .round()
            .astype(np.uint8)
        )


SCORES = ColourRamp(
    ((222, 235, 210), (150, 206, 160), (66, 160, 152), (38, 104, 140), (44, 44, 104)),
    empty=(238, 236, 231),
)
SHARES = ColourRamp(
    ((214, 226, 240), (146, 190, 222), (74, 142, 196), (28, 88, 158), (10, 34, 90)),
    empty=(255, 255, 255),
    power=0.5,
)


def words(name: str) -> str:
    """Return the name of a measure or an objective as words."""
    return name.replace("_", " ")


def shortened(name: str, fits: Callable[[str], bool]) -> str:
    """Leave out the middle of a long name until it fits: the ends are what tells names apart."""
    shown, kept = name, len(name)
    while kept > 1 and not fits(shown):
        kept -= 1
        shown = f"{name[: kept // 2]}…{name[len(name) - (kept - kept // 2) :]}"
    return shown
