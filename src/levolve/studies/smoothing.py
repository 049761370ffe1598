"""Estimates of what a set of settings is worth, from all runs of sets near it.

The score of one run says little: runs of the same set differ more than good sets do. A weighted mean over neighbouring sets (kernel regression, after
E. A. Nadaraya 1964, "On estimating regression", and G. S. Watson 1964, "Smooth regression analysis") uses the runs of all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from levolve.recipes.search_space import Settings, Span, Variable
from levolve.studies.settings import deviation_of

# The width of the kernel in standard deviations of the elites, and the least deviation: of whole numbers, and as a share of the range of others.
WIDTH, LEAST_DEVIATION, LEAST_SHARE = 3.0, 1.0, 0.002
# How far apart two different choices are, in widths.
OTHER_CHOICE = 1.0


@dataclass(frozen=True)
class RaceRecord:
    """What is known of a set: how often it was run, and the sum of its scores."""

    settings: Settings
    runs: int
    total: float


def smoothed_scores(
    variables: Sequence[Variable], elites: Sequence[Settings], records: Sequence[RaceRecord], sets: Sequence[Settings]
) -> list[float]:
    """An estimate of the score of each of `sets`, from the records of all sets that were run, at least one; those of near sets count most.

    Distances are measured on the scale of the `elites`, at least one: where they agree, only sets that are close to each other are near.
    """
    squares = np.zeros((len(sets), len(records)))
    for variable in variables:
        here, there = ([settings[variable.path] for settings in group] for group in (sets, [record.settings for record in records]))
        if isinstance(variable, Span):
            low, high = variable.bounds(elites[0])
            least = LEAST_DEVIATION if variable.whole else LEAST_SHARE * (high - low)
            width = WIDTH * max(deviation_of([elite[variable.path] for elite in elites]), least)
            # A range of a single number has no width.
            steps = (np.array(here, float)[:, np.newaxis] - np.array(there, float)) / (width or 1.0)
        else:
            steps = np.array([[OTHER_CHOICE * (one != other) for other in there] for one in here]).reshape(squares.shape)
        squares += steps * steps
    nearness = 1 / (1 + squares)
    nearness *= nearness
    nearness *= nearness
    runs, totals = np.array([record.runs for record in records], float), np.array([record.total for record in records])
    # Exact sums: the same bits on every machine.
    return [fsum(row * totals) / fsum(row * runs) for row in nearness]
