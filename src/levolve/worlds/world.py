"""`World`: a map without an edge. Any window of it is computed alone, at once, and is always the
same.

A cell after g updates depends only on the start map within 2 * g * reach cells. So a window is the
start map of a larger one, made cell by cell from a hash, of which every update needs a part. With
several rules, a field says how much each of them counts at each cell.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.stopping import run_in_pieces
from levolve.kernels.fashion.lines import Plan
from levolve.kernels.fashion.pictures import most_common
from levolve.kernels.fashion.planes import WORD
from levolve.kernels.fashion.runs import run_window
from levolve.worlds.lambda_fields import Noise, SpaceField
from levolve.worlds.morph import Morph
from levolve.worlds.rule import DEFAULT_UPDATES, Map, Rule, checked_updates
from levolve.worlds.running import NO_FIELD, RankTables, share_work, thread_count
from levolve.worlds.starts import FARTHEST, random_start, thresholds_of

MOST_SCALE = 1 << 12
# The side of the pieces in which a window is computed: large enough that margins are a small part
# of the work.
PIECE = 2048
# Updates of so many cells take no longer than a moment.
CELLS_PER_CALL = 1 << 22


class World:
    """An unbounded map: the rule, the seed of its start map, how many updates, and the shares of
    the states at the start.

    With a `Morph` instead of a rule, its rules change into each other over space as `field` says: a
    `Noise`, `Gradient` or `Rings`.

    >>> world = World(Rule([[0, .5], [.2, .6]]), seed=3, updates=6)
    >>> big = world.window(-10, 2**61, 40, 30)
    >>> bool((world.window(-5, 2**61 + 7, 8, 9) == big[7:16, 5:13]).all())
    True
    """

    def __init__(
        self,
        rule: Rule | Morph,
        seed: int = 0,
        updates: int = DEFAULT_UPDATES,
        weights: Sequence[float] | None = None,
        *,
        field: SpaceField | None = None,
    ) -> None:
        """Nothing is computed yet."""
        if not isinstance(rule, Rule | Morph):
            raise InputError(f"rule: expected a fashion Rule or Morph, got {type(rule).__name__}")
        self.morph = rule if isinstance(rule, Morph) else None
        self.rule = rule.rules[0] if isinstance(rule, Morph) else rule
        if self.rule.border != "torus":
            raise InputError(
                "rule: expected one for a torus, a world has no border; leave border as it is"
            )
        if (
            isinstance(seed, bool)
            or not isinstance(seed, int | np.integer)
            or not 0 <= seed < 1 << 64
        ):
            raise InputError(f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}")
        if field is not None and self.morph is None:
            raise InputError("field: expected a Morph of several rules to mix, got one rule")
        self.seed = int(seed)
        self.field: SpaceField = Noise(seed=self.seed) if field is None else field
        self.updates = checked_updates(updates)
        self.weights = None if weights is None else tuple(weights)
        thresholds_of(self.rule.states, self.weights)

    def after(self, updates: int) -> "World":
        """The same world after another number of updates."""
        return World(
            self.morph or self.rule,
            self.seed,
            updates,
            self.weights,
            field=self.field if self.morph else None,
        )

    @property
    def margins(self) -> tuple[int, int]:
        """How far a cell's past reaches along the rows and along the columns."""
        side, up = self._reaches
        return 2 * self.updates * side, 2 * self.updates * up

    @cached_property
    def _reaches(self) -> tuple[int, int]:
        """How far neighbours are along the rows and along the columns."""
        return max(abs(dx) for dx, _ in self.rule.neighbourhood), max(
            abs(dy) for _, dy in self.rule.neighbourhood
        )

    @cached_property
    def _planned(self) -> tuple[RankTables, Plan] | None:
        """The tables and the plan of the rule or of the mixed rules; None where sums are added one
        by one.
        """
        tables = self.rule.tables if self.morph is None else self.morph.tables
        return (
            None
            if tables is None
            else (
                tables,
                tables.plan(np.array([(dy, dx) for dx, dy in self.rule.neighbourhood], np.int64)),
            )
        )

    def window(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        scale: int = 1,
        *,
        executor: Executor | None = None,
    ) -> Map:
        """The `(height, width)` window whose upper left cell is (x, y), from -2**62 to 2**62 either
        way.

        With `scale` k each cell of the result is the most common state of k x k cells, the lowest
        of several. The threads of an `executor` share the work on a large window.
        """
        _check_window(x, y, width, height, scale)
        out = np.empty((height, width), np.uint8)
        # A piece is at least as large as what its past adds to it.
        side = max(PIECE, 2 * max(self.margins))
        columns, rows = _piece_sides(width, height, max(side // scale, 1), thread_count(executor))

        def fill(top: int, left: int) -> None:
            part = out[top : top + rows, left : left + columns]
            piece = self._piece(
                x + left * scale, y + top * scale, part.shape[1] * scale, part.shape[0] * scale
            )
            if scale == 1:
                part[:] = piece
            else:
                small = np.empty(part.shape, np.uint8)
                most_common(piece, self.rule.states, scale, small)
                part[:] = small

        share_work(
            executor,
            fill,
            [(top, left) for top in range(0, height, rows) for left in range(0, width, columns)],
        )
        return out

    def _piece(self, x: int, y: int, width: int, height: int) -> Map:
        across, down = self.margins
        size = width + 2 * across, height + 2 * down
        if self.morph is None and self.rule.is_packed:
            # A height of whole words is run 64 cells at a time.
            size = size[0], -(-size[1] // WORD) * WORD
        start = random_start(
            self.rule.states, size, self.seed, at=(x - across, y - down), weights=self.weights
        )
        field: NDArray[np.int64] | None = None
        if self.morph is not None:
            field = self.field.window(x - across, y - down, *size, stops=len(self.morph.rules))
        planned = self._planned
        if planned is not None and not (self.morph is None and self.rule.is_packed):
            return self._shrunk(
                start, *planned, NO_FIELD if field is None else field.astype(np.int32)
            )
        # Around a torus, and cut: what the torus joins wrongly has not yet come in.
        whole = (
            self.rule.run(start, self.updates)
            if self.morph is None or field is None
            else self.morph.run(start, field, self.updates)
        )
        return np.ascontiguousarray(whole[down : down + height, across : across + width])

    def _shrunk(self, known: Map, tables: RankTables, plan: Plan, field: NDArray[np.int32]) -> Map:
        """What is known after all updates of a start map, in pieces that an interrupt can end."""
        side, up = self._reaches
        keys = tables.keys()
        todo = self.updates

        def go_on(updates: int) -> bool:
            nonlocal known, field, todo
            count = min(updates, todo)
            known = run_window(known, plan, tables.entries, field, keys, up, side, count)
            if self.morph is not None:
                field = np.ascontiguousarray(_trimmed(field, 2 * up * count, 2 * side * count))
            todo -= count
            return todo > 0

        if todo:
            run_in_pieces(go_on, CELLS_PER_CALL * 4 // known.size)
        return known


def _trimmed(array: NDArray[np.int32], rows: int, columns: int) -> NDArray[np.int32]:
    """An array without so many rows and columns at each side."""
    return array[rows : array.shape[0] - rows, columns : array.shape[1] - columns]


def _piece_sides(width: int, height: int, side: int, threads: int) -> tuple[int, int]:
    """Columns and rows of equal pieces of at most `side` x `side`, at least one for each thread."""
    across, down = -(-width // side), -(-height // side)
    down = max(down, min(-(-threads // across), height))
    return -(-width // across), -(-height // down)


def _check_window(x: int, y: int, width: int, height: int, scale: int) -> None:
    for name, value, low, high in (
        ("x", x, -FARTHEST, FARTHEST),
        ("y", y, -FARTHEST, FARTHEST),
        ("width", width, 1, 1 << 20),
        ("height", height, 1, 1 << 20),
        ("scale", scale, 1, MOST_SCALE),
    ):
        if (
            isinstance(value, bool)
            or not isinstance(value, int | np.integer)
            or not low <= value <= high
        ):
            raise InputError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
