"""Selections as their docstrings say them, on a plain list of scores."""

from collections.abc import Sequence
from math import ceil

from levolve.kernels.bits.random_streams import SELECT
from levolve.search.selection import Proportional, Selection, Tournament, TruncationSelection
from oracles import selection as draws
from oracles.streams import Stream, open_stream


def chosen(
    selection: Selection, scores: Sequence[float], count: int, seed: int, generation: int
) -> list[int]:
    """The indices of `count` parents, each drawn from a stream of its own."""
    streams = [open_stream(seed, SELECT, generation, place) for place in range(count)]
    return [parent(selection, scores, stream) for stream in streams]


def parent(selection: Selection, scores: Sequence[float], stream: Stream) -> int:
    """One parent."""
    if isinstance(selection, Tournament):
        return draws.tournament(stream, scores, selection.size)
    if isinstance(selection, Proportional):
        return draws.proportional(stream, wheel(scores))
    assert isinstance(selection, TruncationSelection)
    return draws.from_the_best(
        stream, draws.best_first(scores, ceil(selection.share * len(scores)))
    )


def wheel(scores: Sequence[float]) -> list[float]:
    """The scores as they are, or lifted so that the lowest is 0 if it is below; then scaled so that
    the largest is 1.
    """
    lift = -min(scores) if min(scores) < 0 else 0.0
    lifted = [score + lift for score in scores]
    return [score / max(lifted) for score in lifted] if max(lifted) > 0 else lifted
