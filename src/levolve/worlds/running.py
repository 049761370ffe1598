"""Maps run by kernels, in pieces that an interrupt can end. Small maps take many updates per call;
large ones one, whose rows may go to threads.

Plans: how the scores of a rule, or of several that are mixed, become the tables that kernels look
up.

With one group of neighbours a table holds the rank of every state of a cell and its neighbours,
exact or of floats. With several groups the tables hold partial sums of exact scores, which are
small whatever the neighbourhood.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.stopping import check_stop, run_in_pieces
from levolve.kernels.fashion.lines import CHUNK, PASS, UNIT, Plan, update_rows
from levolve.kernels.fashion.margins import TORUS, close_rows, lay_out, lay_rows
from levolve.kernels.fashion.planes import (
    WORD,
    pack_planes,
    run_planes,
    unpack_planes,
    update_planes,
)
from levolve.kernels.fashion.runs import run_lines, run_summed
from levolve.kernels.fashion.starts import DONE, TODO, follow_course
from levolve.worlds.scores import Whole

# Entries of a table of partial sums, of which there are several; and of one table of ranks, which
# is still as fast.
NEAR_ENTRIES = 1 << 13
MOST_ENTRIES = 1 << 17
_BYTE, _WORD, _LONG = 16, 32, 63


@dataclass(frozen=True, eq=False)
class RankTables:
    """A plan's groups and tables, `(rules, entries)`; steps depend on the size of the map."""

    groups: NDArray[np.int64]
    factors: NDArray[np.int64]
    turns: NDArray[np.int64]
    bits: NDArray[np.int64]
    # Which neighbour each place of a pass stands for; -1 for none.
    places: NDArray[np.int64]
    entries: NDArray[Any]

    def plan(self, steps: NDArray[np.int64]) -> Plan:
        """The plan for (row, column) steps to the neighbours."""
        padded = np.where(self.places[:, np.newaxis] >= 0, steps[self.places], 0)
        return Plan(
            np.ascontiguousarray(padded, np.int64), self.factors, self.turns, self.groups, self.bits
        )

    def keys(self) -> NDArray[Any]:
        """Room for keys, of the smallest type that holds them."""
        largest = int((self.groups[:, 4] - self.groups[:, 3]).max())
        return np.empty(CHUNK, np.uint16 if largest <= 1 << _BYTE else np.uint32)


def group_sizes(digits: int, near: int) -> list[int]:
    """How many neighbours each group has, so that tables are small; as equal as whole passes
    permit.
    """
    most = max(
        size for size in range(1, near + 1) if size == 1 or digits ** (size + 1) <= NEAR_ENTRIES
    )
    if most >= PASS and most < near:
        most -= most % PASS
    return [min(most, near - begin) for begin in range(0, near, most)]


def build_tables(
    sizes: Sequence[int], digits: int, states: int, entries: NDArray[Any]
) -> RankTables:
    """Tables for groups of so many neighbours. `entries` are `(rules, …)`, group after group; the
    cell's own state is the highest digit of a key.
    """
    near = sum(sizes)
    state_bits = (states - 1).bit_length() or 1
    groups: list[tuple[int, ...]] = []
    factors: list[int] = []
    places: list[int] = []
    begin = neighbour = 0
    for size in sizes:
        passes = -(-size // PASS)
        first = len(places) // PASS
        groups.append((first, first + passes, digits**size, begin, begin + digits ** (size + 1)))
        factors += [digits ** (size - 1 - k) for k in range(size)] + [0] * (passes * PASS - size)
        places += [neighbour + k for k in range(size)] + [-1] * (passes * PASS - size)
        begin, neighbour = groups[-1][-1], neighbour + size
    turns = [(near - 1 - place) << state_bits if place >= 0 else 0 for place in places] + [
        near << state_bits
    ]
    bits = (state_bits, state_bits + near.bit_length())
    whole = [np.array(part, np.int64) for part in (groups, factors, turns, bits, places)]
    return RankTables(
        whole[0], whole[1], whole[2], whole[3], whole[4], np.ascontiguousarray(entries)
    )


def sum_tables(matrices: Sequence[Whole], near: int, *, bounded: bool) -> RankTables | None:
    """Tables of partial sums of one or more rules' whole scores; None where sums with state and tie
    order have more than 63 bits.

    Entries of one rule hold the state too. Those of several rules are mixed by shares that add up
    to 256 before the state is added.
    """
    states = len(matrices[0])
    digits = states + bounded
    sizes = group_sizes(digits, near)
    # Scores from 1 on: only differences count, and 0 stays for cells outside.
    lowest = min(min(0, *row) if bounded else min(row) for matrix in matrices for row in matrix)
    highest = max(max(0, *row) if bounded else max(row) for matrix in matrices for row in matrix)
    shift = ((states - 1).bit_length() or 1) + near.bit_length()
    largest = near * (highest - lowest + 1) * (UNIT if len(matrices) > 1 else 1)
    bits = largest.bit_length() + shift
    if bits > _LONG:
        return None
    kind = np.uint16 if bits <= _BYTE else np.uint32 if bits <= _WORD else np.int64
    scores = np.zeros((len(matrices), digits, digits), np.int64)
    for rule, matrix in enumerate(matrices):
        scores[rule, :states] = np.array(
            [[value - lowest + 1 for value in (*row, *(0,) * bounded)] for row in matrix], np.int64
        )
    parts = []
    for number, size in enumerate(sizes):
        keys = np.arange(digits**size)
        sums = np.zeros((len(matrices), digits, len(keys)), np.int64)
        for place in range(size):
            sums += scores[:, :, keys // digits**place % digits]
        if len(matrices) == 1:
            sums <<= shift
            if number == 0:
                sums[:, :states] |= np.arange(states)[:, np.newaxis]
        parts.append(sums.reshape(len(matrices), -1))
    return build_tables(sizes, digits, states, np.concatenate(parts, axis=1).astype(kind))


Map = NDArray[np.uint8]
Steps = NDArray[np.int64]
Terms = tuple[NDArray[np.uint64], NDArray[np.uint64]]

# Updates of so many cells take no longer than a moment, however they are run.
CELLS_PER_PIECE = 1 << 20
# From so many cells on a call per update costs nothing, and threads may share the work.
LARGE = 1 << 18
SLABS_PER_THREAD, LEAST_ROWS = 4, 32
NO_FIELD = np.zeros((1, 1), np.int32)


def run_course(run: Callable[[int], None], course: NDArray[np.int64], cells: int) -> None:
    """Run a map of so many cells to the end of its course in pieces; `run(until)` runs it up to an
    update.
    """

    def go_on(updates: int) -> bool:
        run(int(course[DONE]) + updates)
        return bool(course[DONE] < course[TODO])

    run_in_pieces(go_on, CELLS_PER_PIECE // cells)


def thread_count(executor: Executor | None) -> int:
    """How many threads of a pool may work on a map; 1 without a pool, and for workers that do not
    share memory.
    """
    return (
        int(getattr(executor, "_max_workers", 1)) if isinstance(executor, ThreadPoolExecutor) else 1
    )


def share_work(
    executor: Executor | None, work: Callable[..., None], calls: Sequence[tuple[Any, ...]]
) -> None:
    """Make all calls, on the threads of a pool and on this one: each takes the next call when it
    has finished one.
    """
    waiting = iter(calls)

    def take() -> None:
        for arguments in waiting:
            check_stop()
            work(*arguments)

    helpers = (
        [executor.submit(take) for _ in range(min(thread_count(executor), len(calls)) - 1)]
        if executor is not None
        else []
    )
    take()
    for helper in helpers:
        # One that has not begun is not needed any more.
        if not helper.cancel():
            helper.result()


def _slabs(first: int, last: int, executor: Executor | None) -> list[tuple[int, int]]:
    """Rows from `first` to before `last` in parts: several per thread, so that one that is late
    holds up the others only briefly.
    """
    threads = thread_count(executor)
    # The rows next to a part are computed twice.
    parts = (
        1
        if threads == 1
        else max(threads, min(SLABS_PER_THREAD * threads, (last - first) // LEAST_ROWS))
    )
    cuts = [first + (last - first) * part // parts for part in range(parts + 1)]
    return [(begin, end) for begin, end in itertools.pairwise(cuts) if begin < end]


def _run_large(
    now: NDArray[Any],
    update: Callable[[NDArray[Any], NDArray[Any], int, int], None],
    close: Callable[[NDArray[Any]], None],
    rows: tuple[int, int],
    inside: Callable[[NDArray[Any]], NDArray[Any]],
    course: NDArray[np.int64],
    executor: Executor | None,
) -> NDArray[Any]:
    """Run a map to the end of its course, one update per call. `update(now, following, first,
    last)` updates rows.

    `close` fills what is around the map after an update, `inside` is the map proper.
    """
    slabs = _slabs(*rows, executor)
    # The map now, the one that follows, and the saved one each have memory of their own, so that
    # none is copied to be saved.
    memory, saved = [now], now
    while course[DONE] < course[TODO]:
        following = next((free for free in memory if free is not now and free is not saved), None)
        if following is None:
            # With all that is around the map.
            following = _copied(now, executor)
            memory.append(following)
        share_work(executor, update, [(now, following, *slab) for slab in slabs])
        close(following)
        if follow_course(inside(now), inside(following), inside(saved), course):
            saved = following
        now = following
    return now


def _copied(array: NDArray[Any], executor: Executor | None) -> NDArray[Any]:
    """Return a copy of an array, in rows without gaps, made by the threads of a pool."""
    out = np.empty(array.shape, array.dtype)
    share_work(
        executor,
        np.copyto,
        [(out[first:last], array[first:last]) for first, last in _slabs(0, len(array), executor)],
    )
    return out


def run_by_tables(
    tiles: Map,
    states: int,
    around: int,
    tables: RankTables,
    steps: Steps,
    course: NDArray[np.int64],
    field: NDArray[np.int32] = NO_FIELD,
    *,
    executor: Executor | None = None,
) -> Map:
    """The `(height, width)` map at the end of its course, `(6,)`, by tables; several rules are
    mixed by a field of λ in 256ths.
    """
    plan, keys = tables.plan(steps), tables.keys()
    if tiles.size < LARGE:
        final: Map = tiles[np.newaxis].copy()
        saved = final.copy()
        entries, courses = tables.entries[np.newaxis], course[np.newaxis]
        run_course(
            lambda until: run_lines(
                final, states, around, plan, entries, field, keys, until, saved, courses
            ),
            course,
            tiles.size,
        )
        return np.asarray(final[0])
    height, width = tiles.shape
    up, side = (int(reach) for reach in np.abs(steps).max(axis=0))
    rows, stride = height + 4 * up, width + 2 * side
    line = np.empty(rows * stride, np.uint8)
    share_work(
        executor,
        lay_rows,
        [(tiles, up, side, states, around, *slab, line) for slab in _slabs(0, height, executor)],
    )
    mixture = np.empty(rows * stride if len(tables.entries) > 1 else 1, np.int32)
    if len(tables.entries) > 1:
        lay_out(field, up, side, 0, around, mixture)

    def update(now: Map, following: Map, first: int, last: int) -> None:
        update_rows(
            now,
            following,
            stride,
            around,
            states,
            plan,
            tables.entries,
            mixture,
            first,
            last,
            tables.keys(),
        )

    def close(line: Map) -> None:
        if around == TORUS:
            close_rows(line, up, height, stride)

    def inside(line: Map) -> Map:
        return line.reshape(rows, stride)[2 * up : 2 * up + height, side : side + width]

    close(line)
    return _copied(
        inside(
            _run_large(line, update, close, (2 * up, 2 * up + height), inside, course, executor)
        ),
        executor,
    )


def run_by_planes(
    tiles: Map,
    steps: Steps,
    terms: Terms,
    course: NDArray[np.int64],
    executor: Executor | None = None,
) -> Map:
    """The `(height, width)` map of two states at the end of its course, `(6,)`. A side is a
    multiple of 64.

    `steps` are the four (row, column) steps of length 1 in their order.
    """
    upright = tiles.shape[0] % WORD == 0
    steps = steps if upright else np.ascontiguousarray(steps[:, ::-1])
    source = tiles if upright else np.ascontiguousarray(tiles.T)
    words = np.empty((source.shape[0] // WORD, source.shape[1]), np.uint64)
    slabs = _slabs(0, len(words), executor if tiles.size >= LARGE else None)
    share_work(executor, pack_planes, [(source, words, *slab) for slab in slabs])
    if tiles.size < LARGE:
        saved = words.copy()
        run_course(
            lambda until: run_planes(words, steps, *terms, until, saved, course), course, tiles.size
        )
    else:

        def update(
            now: NDArray[np.uint64], following: NDArray[np.uint64], first: int, last: int
        ) -> None:
            update_planes(now, following, first, last, steps, *terms)

        words = _run_large(
            words, update, lambda _: None, (0, len(words)), lambda whole: whole, course, executor
        )
    out = np.empty_like(source)
    share_work(executor, unpack_planes, [(words, out, *slab) for slab in slabs])
    return out if upright else np.ascontiguousarray(out.T)


def run_by_sums(
    tiles: Map,
    steps: Steps,
    scores: NDArray[Any],
    weights: NDArray[Any],
    lowest: Any,
    course: NDArray[np.int64],
    *,
    torus: bool,
) -> Map:
    """The `(height, width)` map at the end of its course, `(6,)`, by adding scores up; see
    `run_summed`.
    """
    tiles, saved = tiles.copy(), tiles.copy()
    run_course(
        lambda until: run_summed(
            tiles, steps, scores, weights, lowest, torus, until, saved, course
        ),
        course,
        tiles.size,
    )
    return tiles
