"""Our own rank tests and quantiles give the values of SciPy."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from levolve.jobs.studies.distributions import (
    Numbers,
    chi_square_tail,
    doubled_ranks,
    range_quantile,
    student_quantile,
)
from levolve.jobs.studies.rank_tests import friedman, rank_pairs

ALL = stats.PermutationMethod(n_resamples=np.inf)


def samples(count: int, other: int, distinct: int, seed: int) -> tuple[Numbers, Numbers]:
    """Two samples with ties if there are fewer distinct values than numbers."""
    drawn = np.random.default_rng(seed)
    pool = drawn.permutation(10 * distinct)[:distinct].astype(np.float64)
    values = (
        drawn.permutation(pool) if distinct >= count + other else drawn.choice(pool, count + other)
    )
    return values[:count], values[count : count + other]


def p_of(ones: Numbers, others: Numbers, *, paired: bool = False) -> float:
    return next(rank_pairs({"a": ones, "b": others}, paired=paired)).p


SIZES = [
    (2, 2),
    (3, 5),
    (7, 7),
    (7, 8),
    (8, 8),
    (8, 30),
    (9, 9),
    (20, 20),
    (3, 200),
    (1, 40),
    (60, 70),
]


@pytest.mark.parametrize("distinct", [3, 10, 400])
@pytest.mark.parametrize(("count", "other"), SIZES)
def test_rank_sums_are_those_of_scipy(count: int, other: int, distinct: int) -> None:
    for seed in range(3):
        ones, others = samples(count, other, distinct, seed)
        few = min(count, other) > 1 and comb(count + other, count) <= 20_000
        theirs = stats.mannwhitneyu(ones, others, method=ALL if few else "auto")
        assert p_of(ones, others) == pytest.approx(theirs.pvalue, rel=1e-9)
        won = next(rank_pairs({"a": ones, "b": others})).wins
        assert won == pytest.approx(
            max(theirs.statistic / count / other, 1 - theirs.statistic / count / other)
        )


@pytest.mark.parametrize("distinct", [3, 10, 2000])
@pytest.mark.parametrize("count", [2, 5, 10, 15, 30, 50, 51, 90])
def test_signed_ranks_are_those_of_scipy(count: int, distinct: int) -> None:
    for seed in range(3):
        ones, others = samples(count, count, distinct, seed)
        method = ALL if 2**count <= 20_000 else "auto"
        if (ones != others).any():
            theirs = stats.wilcoxon(ones, others, zero_method="pratt", method=method)
            assert p_of(ones, others, paired=True) == pytest.approx(theirs.pvalue, rel=1e-9)


def test_samples_that_are_all_alike_differ_by_chance_only() -> None:
    assert p_of(np.ones(30), np.ones(30)) == 1
    assert p_of(np.ones(30), np.ones(30), paired=True) == 1


@given(st.floats(0.01, 0.999), st.integers(1, 300))
def test_quantiles_of_student_are_those_of_scipy(confidence: float, freedom: int) -> None:
    theirs = stats.t.ppf((1 + confidence) / 2, freedom)
    assert student_quantile(confidence, freedom) == pytest.approx(theirs, rel=1e-8)


@given(st.floats(0.0, 200.0), st.integers(1, 60))
def test_tails_of_chi_square_are_those_of_scipy(value: float, freedom: int) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom), rel=1e-9)


@pytest.mark.parametrize("count", [2, 3, 7, 20, 100])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_quantiles_of_ranges_are_those_of_scipy(count: int, confidence: float) -> None:
    theirs = stats.studentized_range.ppf(confidence, count, np.inf)
    assert range_quantile(confidence, count) == pytest.approx(theirs, rel=1e-5)


@pytest.mark.parametrize("distinct", [2, 4, 100])
@pytest.mark.parametrize("count", [3, 4, 9])
def test_average_ranks_are_tested_as_scipy_does(count: int, distinct: int) -> None:
    table = np.random.default_rng(count).integers(0, distinct, (12, count)).astype(np.float64)
    ranks = np.stack([doubled_ranks(block)[0] / 2 for block in table])
    assert (ranks == stats.rankdata(table, axis=1)).all()
    assert friedman(ranks) == pytest.approx(stats.friedmanchisquare(*table.T).pvalue, rel=1e-9)
