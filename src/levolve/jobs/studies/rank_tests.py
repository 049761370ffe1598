"""Rank tests between recipes: Mann and Whitney's U, or Wilcoxon's signed ranks for paired runs,
with Holm's correction for several pairs.

Critical differences: the average ranks of recipes over many problems and seeds, and which of them
are too close to call (Demšar 2006).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from levolve.core.errors import InputError
from levolve.jobs.studies.distributions import (
    Numbers,
    chi_square_tail,
    doubled_ranks,
    normal_tails,
    range_quantile,
    sign_tails,
    student_quantile,
    subset_tails,
)
from levolve.jobs.studies.result import StudyResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.jobs.studies.comparison import Comparison

SIGNIFICANT = 0.05
# With ties, the normal approximation is too confident for few runs: p-values are exact up to this
# number of arrangements. Without ties they are exact as long as one sample is small, or the number
# of pairs.
MOST_ARRANGEMENTS = 20_000
SMALL_SAMPLE, FEW_PAIRS = 8, 50


@dataclass(frozen=True)
class Pair:
    """Two recipes, the one with the better chance first.

    `wins` is the probability that a run of `first` beats one of `second`, ties counted half. `p` is
    that of a two-sided rank test, and `p_corrected` the same with Holm's correction over all pairs.
    """

    first: str
    second: str
    wins: float
    p: float
    p_corrected: float

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at the 5 % level."""
        return self.p_corrected < SIGNIFICANT

    def to_data(self) -> dict[str, Any]:
        """All fields as plain data."""
        return {
            "first": self.first,
            "second": self.second,
            "wins": self.wins,
            "p": self.p,
            "p_corrected": self.p_corrected,
        }


def rank_pairs(
    results: Mapping[str, Numbers], against: str | None = None, *, paired: bool = False
) -> Iterator[Pair]:
    """Test every two of several samples by name, `(n,)` each; higher is better. With `against`,
    only the pairs that this name is one of.

    With `paired`, number k of one sample is compared with number k of the other only.
    """
    tested: list[tuple[str, str, float, float]] = []
    for (one, ones), (other, others) in combinations(results.items(), 2):
        if against not in {None, one, other}:
            continue
        wins, p = _signed_ranks(ones, others) if paired else _rank_sum(ones, others)
        first, second = (one, other) if wins >= 1 / 2 else (other, one)
        tested.append((first, second, max(wins, 1 - wins), p))
    for (winner, loser, wins, p), corrected in zip(
        tested, holm([p for *_, p in tested]), strict=True
    ):
        yield Pair(winner, loser, wins, p, float(corrected))


def _rank_sum(ones: Numbers, others: Numbers) -> tuple[float, float]:
    """Return the share of pairs of runs that the first sample wins, ties half, and the p-value of
    Mann and Whitney's test.
    """
    count, others_count = len(ones), len(others)
    both = count + others_count
    ranks, ties = doubled_ranks(np.concatenate((ones, others)))
    total = int(ranks[:count].sum())
    pairs = count * others_count
    won = total / 2 - count * (count + 1) / 2
    smaller = min(count, others_count)
    # A sample of one has no arrangements to speak of: no difference to it is significant.
    few = smaller > 1 and comb(both, count) <= MOST_ARRANGEMENTS
    if few or (smaller <= SMALL_SAMPLE and len(ties) == both):
        own = total if count == smaller else int(ranks.sum()) - total
        return won / pairs, subset_tails(ranks, smaller, own)
    spread = sqrt(pairs / 12 * (both + 1 - float((ties**3 - ties).sum()) / (both * (both - 1))))
    # Corrected for continuity.
    gap = abs(won - pairs / 2) - 1 / 2
    return won / pairs, normal_tails(gap / spread) if spread > 0 and gap > 0 else 1.0


def _signed_ranks(ones: Numbers, others: Numbers) -> tuple[float, float]:
    """Return the share of seeds that the first sample wins, ties half, and the p-value of
    Wilcoxon's test with Pratt's treatment of ties.
    """
    wins = float(((ones > others) + (ones == others) / 2).mean())
    # Runs without success are infinitely bad: such a difference is larger than any other, and two
    # of them are equal.
    finite = np.concatenate((ones[np.isfinite(ones)], others[np.isfinite(others)], np.zeros(1)))
    far = 2 * float(np.ptp(finite)) + 1
    lowest = float(finite.min()) - far
    gaps = np.where(np.isfinite(ones), ones, lowest) - np.where(np.isfinite(others), others, lowest)
    if not gaps.any():
        return wins, 1.0
    # Pratt's treatment: pairs without a difference get the lowest ranks, which then count for
    # neither side.
    ranks, _ = doubled_ranks(np.abs(gaps))
    ranks = ranks[gaps != 0]
    total = int(ranks[gaps[gaps != 0] > 0].sum())
    untied = len(np.unique(np.abs(gaps))) == len(gaps) and len(ranks) == len(gaps)
    if 2 ** len(gaps) <= MOST_ARRANGEMENTS or (untied and len(gaps) <= FEW_PAIRS):
        return wins, sign_tails(ranks, total)
    # Twice the sum of ranks with blind signs; its variance counts ties by itself.
    deviation = abs(total - float(ranks.sum()) / 2) / 2
    spread = sqrt(float((ranks.astype(np.float64) ** 2).sum())) / 4
    return wins, normal_tails(deviation / spread)


def half_width(scores: Numbers, confidence: float = 0.95) -> float:
    """Half the width of the confidence interval of the mean of `(n,)` numbers, by Student's t; 0
    for fewer than two.

    >>> round(half_width(np.array([1.0, 2.0, 3.0])), 3)
    2.484
    """
    if len(scores) < 2:  # one number has no spread
        return 0.0
    return float(
        student_quantile(confidence, len(scores) - 1) * scores.std(ddof=1) / np.sqrt(len(scores))
    )


def holm(p_values: Sequence[float]) -> Numbers:
    """P-values corrected for their number by Holm's step-down method, in their order.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, np.float64)
    order = np.argsort(given, kind="stable")
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(
        np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1.0
    )
    return corrected


ALPHA = 0.05
FEWEST, MANY = 2, 3


@dataclass(frozen=True, eq=False, repr=False)
class CriticalDifference(StudyResult):
    """The average ranks of recipes, best first; rank 1 is the best of a block, ties share their
    ranks.

    A block is one seed of one problem, on which every recipe has one run. `p` is that of Friedman's
    test that all recipes are alike, None for two recipes. Two recipes whose ranks differ by less
    than `distance` are not significantly different at the 5 % level (Nemenyi's test).
    """

    noun: ClassVar[str] = "critical difference"

    names: tuple[str, ...]
    ranks: Numbers
    blocks: int
    distance: float
    p: float | None
    problems: tuple[str, ...]

    @classmethod
    def of(cls, comparisons: Sequence[Comparison]) -> CriticalDifference:
        """Rank the recipes of one or more comparisons, such as those on several sizes. All must
        have the same recipes.
        """
        if not comparisons:
            raise InputError("comparisons: expected at least one, got none")
        names = sorted(entrant.name for entrant in comparisons[0].entrants)
        for comparison in comparisons:
            if sorted(entrant.name for entrant in comparison.entrants) != names:
                raise InputError(
                    f"comparisons: expected the recipes {', '.join(names)} in all of them, got "
                    f"{comparison!r}"
                )
        parts = [
            [each[name].performance(has_goal=each.goal is not None) for name in names]
            for each in comparisons
        ]
        table = np.concatenate([np.stack(part, axis=1) for part in parts])
        ranked = np.stack([doubled_ranks(-block)[0] / 2 for block in table])
        ranks = ranked.mean(axis=0)
        order = np.argsort(ranks, kind="stable")
        count, blocks = len(names), len(table)
        p = None if count < MANY else friedman(ranked)
        problems = tuple(
            f"{each.problem['objective']['kind']} {each.problem['size']}" for each in comparisons
        )
        return cls(
            tuple(names[place] for place in order),
            ranks[order],
            blocks,
            critical_distance(count, blocks),
            p,
            problems,
        )

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The largest groups of recipes without a significant difference, each as the places of its
        first and last recipe.
        """
        found: list[tuple[int, int]] = []
        for first in range(len(self.names)):
            last = (
                int(np.searchsorted(self.ranks, self.ranks[first] + self.distance, side="left")) - 1
            )
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found

    def __repr__(self) -> str:
        """Return the average ranks, best first."""
        standing = ", ".join(
            f"{name} {rank:.2f}" for name, rank in zip(self.names, self.ranks, strict=True)
        )
        return f"<CriticalDifference {self.distance:.2f} over {self.blocks} blocks: {standing}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per recipe: its average rank."""
        return [
            {"recipe": name, "rank": float(rank)}
            for name, rank in zip(self.names, self.ranks, strict=True)
        ]

    def to_data(self) -> dict[str, Any]:
        """Return all figures as JSON-compatible data."""
        groups = [list(self.names[first : last + 1]) for first, last in self.groups]
        return {
            "ranks": self.rows(),
            "blocks": self.blocks,
            "distance": self.distance,
            "p": self.p,
            "problems": list(self.problems),
            "alike": groups,
        }

    def _figure(self) -> Figure:
        from levolve.jobs.charts.studies import rank_figure

        return rank_figure(self)


def critical_distance(recipes: int, blocks: int) -> float:
    """Return Nemenyi's critical difference of average ranks at the 5 % level.

    >>> round(critical_distance(5, 30), 3)
    1.114
    """
    quantile = range_quantile(1 - ALPHA, recipes) / np.sqrt(2)
    return float(quantile * np.sqrt(recipes * (recipes + 1) / (6 * blocks)))


def friedman(ranks: Numbers) -> float:
    """Return the p-value of Friedman's test: `(blocks, recipes)` ranks, with ties, differ only by
    chance.
    """
    blocks, count = ranks.shape
    # The ranks of a block are as far from their mean as its ties let them be; tables of ties have
    # nothing to compare.
    spread = float(((ranks - (count + 1) / 2) ** 2).sum()) / (count - 1)
    between = float(((ranks.sum(axis=0) - blocks * (count + 1) / 2) ** 2).sum())
    return chi_square_tail(between / spread, count - 1) if spread > 0 else 1.0
