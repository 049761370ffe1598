"""Curves of long runs are thinned, and end with the newest point."""

from itertools import pairwise

from levolve.jobs.runs.history import Curve


def test_a_thinned_curve_ends_with_its_newest_point() -> None:
    curve: Curve[int] = Curve(most=8)
    assert curve.points == []
    for generation in range(100):
        curve.add(generation, generation)
        points = curve.points
        assert (points[0], points[-1]) == (0, generation)
        assert len(points) == len(set(points)) <= 9
        assert len({later - earlier for earlier, later in pairwise(points[:-1])}) <= 1
