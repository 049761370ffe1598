"""`Rule`: a score matrix, a neighbourhood, a border and an arithmetic. Runs maps by the fastest way
that fits; all ways give the same map.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.core.errors import InputError, shown
from levolve.kernels.fashion.margins import BOUNDED, TORUS
from levolve.kernels.fashion.pictures import smooth
from levolve.kernels.fashion.planes import WORD
from levolve.kernels.fashion.starts import LENGTH, SINCE, new_courses
from levolve.worlds.running import (
    MOST_ENTRIES,
    RankTables,
    build_tables,
    run_by_planes,
    run_by_sums,
    run_by_tables,
    sum_tables,
)
from levolve.worlds.scores import (
    MOST_RANKED,
    Exact,
    Ranks,
    Whole,
    Written,
    attainable_count,
    exact_ranks,
    exact_scores,
    finite_scores,
    float_ranks,
    keyed_table,
    plane_terms,
    score_array,
    text_ranks,
    whole_scores,
    written_numbers,
    written_scores,
)
from levolve.worlds.starts import VON_NEUMANN, checked_neighbourhood

Map = NDArray[np.uint8]
Border = Literal["torus", "bounded"]
Arithmetic = Literal["exact", "float", "text"]
ARITHMETICS: tuple[Arithmetic, ...] = ("exact", "float", "text")

DEFAULT_UPDATES = 40
MOST_UPDATES = 1_000_000
MOST_KEYS = 1 << 20
LOWEST = np.int64(-(2**63))
LOWEST_FLOAT = np.float64("-inf")


@dataclass(frozen=True)
class Outcome:
    """What a run came to. `length` is 1 at a fixed point, more in a cycle, 0 if the map still
    changed; `since` is an update from which on it holds.

    For a fixed point, `since` is the first such update.
    """

    final: Map
    updates: int
    since: int
    length: int

    def __str__(self) -> str:
        """In words."""
        if self.length == 0:
            return f"still changing after {self.updates} updates"
        return (
            f"a fixed point after {self.since} updates"
            if self.length == 1
            else f"a cycle of {self.length} maps by update {self.since}"
        )


class Rule:
    """A fashion rule: scores S, one row per state, and the neighbourhood as (dx, dy) offsets, y
    downwards.

    In an update every cell scores the sum of S[own state][neighbour's state], and then takes the
    state of the best-scoring cell among itself and its neighbours. Ties are won by the cell itself,
    then by the neighbour listed first. On a torus the map's sides are joined; on a bounded map
    cells outside do not exist: they add nothing to a score and are not followed.

    - `scores`: a square matrix of finite numbers, rows or one list, from 1 to 200 states.
    - `neighbourhood`: from 1 to 1024 offsets (dx, dy), or `von_neumann` or `moore`.
    - `border`: `torus` or `bounded`.
    - `arithmetic`: how sums are compared. `exact`: as the numbers are written, 0.1 + 0.2 ties with
      0.3. `float`: as 64-bit floats, added in the order of the neighbourhood, so that rounding
      decides some ties, as in the source system. Both are equally fast. `text`: the scores are
      texts such as "0.5", joined in the order of the neighbourhood and compared as texts, as the
      source's showcase was made.

    >>> rule = Rule(scores=[[0, .5], [.2, .6]], neighbourhood=[(0, 1), (0, -1), (-1, 0), (1, 0)])
    >>> rule.run([[0, 0, 0], [0, 1, 1], [0, 0, 0]], updates=1).tolist()
    [[0, 1, 1], [1, 1, 1], [0, 1, 1]]
    """

    def __init__(
        self,
        scores: object,
        neighbourhood: Iterable[Iterable[int]] | str = "von_neumann",
        border: Border = "torus",
        *,
        arithmetic: Arithmetic = "exact",
    ) -> None:
        """Check everything; nothing is compiled yet."""
        self.written: Written = written_scores(scores)
        as_text = arithmetic == "text"
        self.exact: Exact = exact_scores(written_numbers(scores) if as_text else scores)
        self.neighbourhood = checked_neighbourhood(neighbourhood)
        if border not in {"torus", "bounded"}:
            raise InputError(f"border: expected 'torus' or 'bounded', got {shown(border)}")
        self.border: Border = border
        if arithmetic not in ARITHMETICS:
            raise InputError(
                f"arithmetic: expected 'exact', 'float' or 'text', got {shown(arithmetic)}"
            )
        self.arithmetic: Arithmetic = arithmetic
        if arithmetic == "float":
            finite_scores(self.exact)
        digits = self.states + (border == "bounded")
        if as_text and digits ** (len(self.neighbourhood) + 1) > MOST_ENTRIES:
            raise InputError(
                f"arithmetic: 'text' needs a table of all cases; {self.states} states and "
                f"{len(self.neighbourhood)} neighbours have too many; use fewer of either"
            )

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.exact)

    @property
    def scores(self) -> list[list[float]]:
        """The score matrix as floats."""
        return [[float(value) for value in row] for row in self.exact]

    @property
    def reach(self) -> int:
        """How far the farthest neighbour is, along the rows or the columns."""
        return max(max(abs(dx), abs(dy)) for dx, dy in self.neighbourhood)

    @property
    def is_packed(self) -> bool:
        """Whether maps on a torus are run 64 cells at a time: two states and the four nearest
        neighbours.
        """
        return self.states == 2 and sorted(self.neighbourhood) == sorted(
            VON_NEUMANN
        )  # one bit per cell

    def __repr__(self) -> str:
        """As it could be typed."""
        rows = [[float(f"{float(value):.12g}") for value in row] for row in self.exact]
        arithmetic = "" if self.arithmetic == "exact" else f", arithmetic={self.arithmetic!r}"
        return (
            f"Rule(scores={rows}, neighbourhood={list(self.neighbourhood)}, "
            f"border={self.border!r}{arithmetic})"
        )

    def __eq__(self, other: object) -> bool:
        """Whether scores, neighbourhood, border and arithmetic are the same."""
        return self._parts() == other._parts() if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        """Equal rules have equal hashes."""
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        scores = self.written if self.arithmetic == "text" else self.exact
        return scores, self.neighbourhood, self.border, self.arithmetic

    def with_border(self, border: str) -> "Rule":
        """The same rule with another border, torus or bounded."""
        return self._changed(cast("Border", border), self.arithmetic)

    def with_arithmetic(self, arithmetic: str) -> "Rule":
        """The same rule with another arithmetic: exact, float or text."""
        return self._changed(self.border, cast("Arithmetic", arithmetic))

    def _changed(self, border: Border, arithmetic: Arithmetic) -> "Rule":
        scores: object = self.written if arithmetic == "text" else self.exact
        changed = Rule(scores, self.neighbourhood, border, arithmetic=arithmetic)
        changed.written = self.written
        return changed

    @classmethod
    def from_written(
        cls, scores: Written, neighbourhood: Iterable[Iterable[int]] | str, arithmetic: Arithmetic
    ) -> "Rule":
        """Return a rule on a torus whose scores are numbers as a file writes them."""
        rule = cls(written_numbers(scores), neighbourhood, arithmetic=arithmetic)
        rule.written = scores
        return rule

    @cached_property
    def whole(self) -> Whole:
        """The scores as whole numbers in the same proportions."""
        return whole_scores(self.exact)[0]

    def run(
        self, start: ArrayLike, updates: int = DEFAULT_UPDATES, *, executor: Executor | None = None
    ) -> Map:
        """The map after `updates` updates of a `(height, width)` start map; the start map is left
        as it is.

        `executor` may be a `ThreadPoolExecutor`, whose threads share the work on a large map.
        """
        return self.develop(start, updates, executor=executor).final

    def frames(self, start: ArrayLike, updates: int = DEFAULT_UPDATES) -> Iterator[Map]:
        """The start map and the map after each update: `updates` + 1 maps."""
        now = self.checked_map(start)
        yield now
        for _ in range(checked_updates(updates)):
            now = self.run(now, 1)
            yield now

    def develop(
        self, start: ArrayLike, updates: int = DEFAULT_UPDATES, *, executor: Executor | None = None
    ) -> Outcome:
        """Run a map and say whether it came to a fixed point or a cycle. The threads of a pool
        share the work on a large map.
        """
        tiles = self.checked_map(start)
        updates = checked_updates(updates)
        course = new_courses(1, updates)[0]
        if (
            self.border == "torus"
            and any(side % WORD == 0 for side in tiles.shape)
            and self._planes is not None
        ):
            steps = np.array([(dy, dx) for dx, dy in self.neighbourhood], np.int64)
            final = run_by_planes(tiles, steps, self._planes, course, executor)
        elif (tables := self.tables) is not None:
            around = TORUS if self.border == "torus" else BOUNDED
            steps = self.steps(tiles.shape)
            final = run_by_tables(
                tiles, self.states, around, tables, steps, course, executor=executor
            )
        else:
            scores, lowest = self.summands()
            weights = np.ones((1, 1, 1), scores.dtype)
            final = run_by_sums(
                tiles,
                self.steps(tiles.shape),
                scores[np.newaxis],
                weights,
                lowest,
                course,
                torus=self.border == "torus",
            )
        return Outcome(final, updates, int(course[SINCE]), int(course[LENGTH]))

    def smoothed(self, tiles: ArrayLike, times: int = 1) -> Map:
        """The map after a majority filter: a cell takes the state of more than four of the nine
        cells around and on it, where there is one.
        """
        now = self.checked_map(tiles)
        for _ in range(times):
            out = np.empty_like(now)
            smooth(now, self.states, self.border == "torus", out)
            now = out
        return now

    def cell_scores(self, tiles: ArrayLike) -> NDArray[Any]:
        """Return the score of every cell of a map, `(height, width)`, before it follows the best.

        Floats, or texts with text arithmetic. Exact sums are rounded to the nearest float.

        >>> Rule([[0, .5], [.2, .6]]).cell_scores([[0, 1, 1]]).tolist()
        [[1.0, 2.0, 2.0]]
        """
        now = self.checked_map(tiles)
        text = self.arithmetic == "text"
        matrix: list[list[Any]] = [list(row) for row in (self.written if text else self.exact)]
        if self.arithmetic == "float":
            matrix = self.scores
        # A cell outside a bounded map adds nothing: one more state.
        scores = np.array([[*row, "" if text else 0] for row in matrix], object)
        outside, (height, width) = self.states, now.shape
        y, x = np.indices(now.shape)
        sums = np.full(now.shape, "" if text else 0, object)
        for dx, dy in self.neighbourhood:
            near = now[(y + dy) % height, (x + dx) % width].astype(np.int64)
            if self.border == "bounded":
                inside = (y + dy >= 0) & (y + dy < height) & (x + dx >= 0) & (x + dx < width)
                near[~inside] = outside
            sums = sums + scores[now, near]
        return sums if text else sums.astype(np.float64)

    def checked_map(self, tiles: ArrayLike, argument: str = "start") -> Map:
        """A map as bytes, or an error that says what is wrong with it."""
        try:
            array = np.asarray(tiles)
        except ValueError as problem:
            raise InputError(f"{argument}: expected rows of equal length") from problem
        if array.ndim != 2 or 0 in array.shape:  # rows and columns
            raise InputError(
                f"{argument}: expected a map of rows and columns, got shape {array.shape}"
            )
        if array.dtype.kind not in "iub":
            raise InputError(f"{argument}: expected whole numbers, got {array.dtype}")
        if array.min() < 0 or array.max() >= self.states:
            raise InputError(
                f"{argument}: expected states from 0 to {self.states - 1}, got {array.min()} to "
                f"{array.max()}"
            )
        return np.ascontiguousarray(array, np.uint8)

    def steps(self, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """The neighbourhood as (row, column) steps on a map of this size: around the torus the
        short way, no farther than just outside else.
        """
        height, width = shape
        steps = np.array([(dy, dx) for dx, dy in self.neighbourhood], np.int64)
        size = np.array([height, width])
        if self.border == "torus":
            return np.asarray((steps + size // 2) % size - size // 2, np.int64)
        return np.clip(steps, -size, size)

    @property
    def _has_table(self) -> bool:
        near = len(self.neighbourhood)
        digits = self.states + (self.border == "bounded")
        return digits ** (near + 1) <= MOST_KEYS and attainable_count(digits, near) <= MOST_RANKED

    def ranks(self, digits: int) -> Ranks:
        """The rank of every state of a cell and its neighbours; with more digits than states the
        last one is a cell outside.
        """
        near = len(self.neighbourhood)
        outside = digits - self.states
        if self.arithmetic == "float":
            return float_ranks(np.pad(np.array(self.scores), [(0, 0), (0, outside)]), near)
        if self.arithmetic == "text":
            return text_ranks([[*row, *[""] * outside] for row in self.written], near)
        return exact_ranks(tuple((*row, *(0,) * outside) for row in self.whole), digits, near)

    @cached_property
    def tables(self) -> RankTables | None:
        """The tables by which maps are run; None where none hold the sums, which are then added one
        by one.
        """
        near = len(self.neighbourhood)
        digits = self.states + (self.border == "bounded")
        small = digits ** (near + 1) <= MOST_ENTRIES and self._has_table
        if self.arithmetic == "exact" and not small:
            tables = sum_tables([self.whole], near, bounded=self.border == "bounded")
            if tables is not None:
                return tables
        return self.rank_tables if self._has_table else None

    @cached_property
    def rank_tables(self) -> RankTables:
        """One table with a rank and a state for every state of a cell and its neighbours."""
        near = len(self.neighbourhood)
        digits = self.states + (self.border == "bounded")
        return build_tables(
            [near], digits, self.states, keyed_table(self.ranks(digits), digits, near)
        )

    def summands(self) -> tuple[NDArray[Any], Any]:
        """The scores as `run_summed` takes them, `(states, states + 1)` int64 or float64, and a
        number of that type below every sum.
        """
        if self.arithmetic == "float":
            return np.pad(np.array(self.scores), [(0, 0), (0, 1)]), LOWEST_FLOAT
        return score_array(self.whole, len(self.neighbourhood)), LOWEST

    @cached_property
    def _planes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The ranks as `run_planes` takes them; None for rules that it cannot run."""
        if not self.is_packed:
            return None
        return plane_terms(self.ranks(self.states))


def checked_updates(updates: object) -> int:
    """A number of updates."""
    if (
        isinstance(updates, bool)
        or not isinstance(updates, int | np.integer)
        or not 0 <= updates <= MOST_UPDATES
    ):
        raise InputError(
            f"updates: expected a whole number from 0 to {MOST_UPDATES}, got {shown(updates)}"
        )
    return int(updates)
