"""`Curve`: the points of a long run, thinned evenly so that their number stays bounded."""

from typing import Generic, TypeVar

Point = TypeVar("Point")


class Curve(Generic[Point]):
    """Points by generation. When there are more than `most`, every second generation is dropped, and from then on not recorded.

    >>> curve: Curve[int] = Curve(most=4)
    >>> for generation in range(10):
    ...     curve.add(generation, generation)
    >>> curve.points
    [0, 4, 8, 9]
    """

    def __init__(self, most: int) -> None:
        """Start without points."""
        self._most = most
        self._stride = 1
        self._kept: list[tuple[int, Point]] = []
        self._last: tuple[int, Point] | None = None

    def add(self, generation: int, point: Point) -> None:
        """Add a point; generations are added in order."""
        self._last = generation, point
        if generation % self._stride:
            return
        self._kept.append(self._last)
        if len(self._kept) > self._most:
            self._stride *= 2
            self._kept = [kept for kept in self._kept if kept[0] % self._stride == 0]

    @property
    def points(self) -> list[Point]:
        """The points, the newest included."""
        kept, last = self._kept, self._last
        newest = [] if last is None or (kept and kept[-1][0] == last[0]) else [last[1]]
        return [point for _, point in kept] + newest
