"""A fashion map as one padded line: loops over the whole map without a break at the end of a row,
four neighbours per pass.

A *plan* says how the neighbours of a cell become the number by which candidates are compared. The
neighbours lie in groups. The states of a cell and of a group's neighbours are the digits of a key
into the group's table; the entries of all groups are added. One group whose entries are ranks holds
any order of the scores; entries of several groups are partial sums of exact scores. Number, place
in the tie order and state share one word, so that the best candidate is the largest word.

The line is `height` rows of `stride` cells. An update writes all but `2 * up` rows at the top and
at the bottom, where `up` is how far neighbours are along the columns. It works in bands of rows
whose numbers stay in the cache.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fashion.margins import OPEN, Scalar, close_sides
from levolve.kernels.fashion.starts import Numbers

Line = NDArray[np.uint8]
Field = NDArray[np.int32]

# Neighbours per pass, cells per call of an innermost loop, and bytes of the numbers of a band.
PASS = 4
CHUNK = 4096
BAND_BYTES = 1 << 17
# λ in 256ths: at 256 * r the rule r alone counts.
UNIT = 256


class Plan(NamedTuple):
    """How neighbours become numbers. They come in passes of four; those of the last pass of a group
    that do not exist have only zeros.

    - `steps` `(4 * passes, 2)`: (row, column) steps to the neighbours.
    - `factors` `(4 * passes,)`: what a neighbour's state is multiplied with in the key.
    - `turns` `(4 * passes + 1,)`: places in the tie order, shifted above the state; the cell's own
      place last.
    - `groups` `(groups, 5)`: first and last pass, what the cell's own state is multiplied with, and
      first and last entry of the table.
    - `bits` `(2,)`: the bits of a state, and those of a state and the tie order together.
    """

    steps: Numbers
    factors: Numbers
    turns: Numbers
    groups: Numbers
    bits: Numbers


@kernel
def _first_keys(
    own: Line,
    factor: Scalar,
    a: Line,
    b: Line,
    c: Line,
    d: Line,
    f0: Scalar,
    f1: Scalar,
    f2: Scalar,
    f3: Scalar,
    keys: NDArray[Any],
) -> None:
    for j in range(keys.size):
        keys[j] = own[j] * factor + a[j] * f0 + b[j] * f1 + c[j] * f2 + d[j] * f3


@kernel
def _more_keys(
    a: Line,
    b: Line,
    c: Line,
    d: Line,
    f0: Scalar,
    f1: Scalar,
    f2: Scalar,
    f3: Scalar,
    keys: NDArray[Any],
) -> None:
    for j in range(keys.size):
        keys[j] += a[j] * f0 + b[j] * f1 + c[j] * f2 + d[j] * f3


@kernel
def _look_up(keys: NDArray[Any], table: NDArray[Any], out: NDArray[Any]) -> None:
    for j in range(keys.size):
        out[j] = table[keys[j]]


@kernel
def _add_up(keys: NDArray[Any], table: NDArray[Any], out: NDArray[Any]) -> None:
    for j in range(keys.size):
        out[j] += table[keys[j]]


@kernel
def _mix(numbers: NDArray[Any], field: Field, rule: int, out: NDArray[Any]) -> None:
    """Add the numbers of a rule, as much as it counts at each cell. A rule counts 256 at its own λ,
    and nothing 256 from there.
    """
    peak = np.int32(rule * UNIT)
    for j in range(out.size):
        share = max(np.int32(UNIT) - abs(field[j] - peak), np.int32(0))
        out[j] += numbers[j] * out.dtype.type(share)


@kernel
def _add_states(states: Line, bits: Scalar, out: NDArray[Any]) -> None:
    for j in range(out.size):
        out[j] = (out[j] << bits) | states[j]


@kernel
def _best_of_four(
    own: NDArray[Any],
    turn: Scalar,
    a: NDArray[Any],
    b: NDArray[Any],
    c: NDArray[Any],
    d: NDArray[Any],
    t0: Scalar,
    t1: Scalar,
    t2: Scalar,
    t3: Scalar,
    out: NDArray[Any],
) -> None:
    for j in range(out.size):
        best = max(own[j] | turn, a[j] | t0)
        best = max(best, b[j] | t1)
        best = max(best, c[j] | t2)
        out[j] = max(best, d[j] | t3)


@kernel
def _better_of_four(
    a: NDArray[Any],
    b: NDArray[Any],
    c: NDArray[Any],
    d: NDArray[Any],
    t0: Scalar,
    t1: Scalar,
    t2: Scalar,
    t3: Scalar,
    best: NDArray[Any],
) -> None:
    # In place: an array that is read under another name would prevent vector instructions.
    for j in range(best.size):
        candidate = max(a[j] | t0, b[j] | t1)
        candidate = max(candidate, c[j] | t2)
        candidate = max(candidate, d[j] | t3)
        best[j] = max(best[j], candidate)


@kernel
def _choose(
    own: NDArray[Any],
    turn: Scalar,
    a: NDArray[Any],
    b: NDArray[Any],
    c: NDArray[Any],
    d: NDArray[Any],
    t0: Scalar,
    t1: Scalar,
    t2: Scalar,
    t3: Scalar,
    mask: Scalar,
    out: Line,
) -> None:
    for j in range(out.size):
        best = max(own[j] | turn, a[j] | t0)
        best = max(best, b[j] | t1)
        best = max(best, c[j] | t2)
        out[j] = max(best, d[j] | t3) & mask


@kernel
def _sum_groups(
    now: Line,
    at: int,
    count: int,
    stride: int,
    plan: Plan,
    table: NDArray[Any],
    keys: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """The numbers of `count` cells of the line from `at` on, by one rule's table."""
    kind = keys.dtype.type
    steps, factors = plan.steps, plan.factors
    keys = keys[:count]
    for group in range(len(plan.groups)):
        first, last, factor, begin, end = plan.groups[group]
        for p in range(first, last):
            k = PASS * p
            a = at + steps[k, 0] * stride + steps[k, 1]
            b = at + steps[k + 1, 0] * stride + steps[k + 1, 1]
            c = at + steps[k + 2, 0] * stride + steps[k + 2, 1]
            d = at + steps[k + 3, 0] * stride + steps[k + 3, 1]
            f0, f1 = kind(factors[k]), kind(factors[k + 1])
            f2, f3 = kind(factors[k + 2]), kind(factors[k + 3])
            if p == first:
                _first_keys(
                    now[at : at + count],
                    kind(factor),
                    now[a : a + count],
                    now[b : b + count],
                    now[c : c + count],
                    now[d : d + count],
                    f0,
                    f1,
                    f2,
                    f3,
                    keys,
                )
            else:
                _more_keys(
                    now[a : a + count],
                    now[b : b + count],
                    now[c : c + count],
                    now[d : d + count],
                    f0,
                    f1,
                    f2,
                    f3,
                    keys,
                )
        if group == 0:
            _look_up(keys, table[begin:end], out)
        else:
            _add_up(keys, table[begin:end], out)


@kernel
def _number_cells(
    now: Line,
    at: int,
    count: int,
    stride: int,
    plan: Plan,
    tables: NDArray[Any],
    field: Field,
    keys: NDArray[Any],
    part: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """The numbers of `count` cells of the line from `at` on. By several rules: the mixture of their
    sums, then the state.
    """
    done = 0
    while done < count:
        size = min(CHUNK, count - done)
        line = out[done : done + size]
        if len(tables) == 1:
            _sum_groups(now, at + done, size, stride, plan, tables[0], keys, line)
        else:
            for j in range(size):
                line[j] = 0
            for rule in range(len(tables)):
                _sum_groups(now, at + done, size, stride, plan, tables[rule], keys, part[:size])
                _mix(part[:size], field[at + done : at + done + size], rule, line)
            _add_states(now[at + done : at + done + size], tables.dtype.type(plan.bits[1]), line)
        done += size


@kernel
def _choose_cells(
    numbers: NDArray[Any], at: int, stride: int, plan: Plan, part: NDArray[Any], out: Line
) -> None:
    """The states of the best candidates, for as many cells of the line of numbers from `at` on as
    `out` has.
    """
    kind = numbers.dtype.type
    steps, turns = plan.steps, plan.turns
    passes = len(steps) // PASS
    mask = kind((1 << plan.bits[0]) - 1)
    done = 0
    while done < len(out):
        size = min(CHUNK, len(out) - done)
        here = at + done
        own, turn = numbers[here : here + size], kind(turns[-1])
        for p in range(passes):
            k = PASS * p
            a = here + steps[k, 0] * stride + steps[k, 1]
            b = here + steps[k + 1, 0] * stride + steps[k + 1, 1]
            c = here + steps[k + 2, 0] * stride + steps[k + 2, 1]
            d = here + steps[k + 3, 0] * stride + steps[k + 3, 1]
            n0, n1, n2, n3 = (
                numbers[a : a + size],
                numbers[b : b + size],
                numbers[c : c + size],
                numbers[d : d + size],
            )
            t0, t1 = kind(turns[k]), kind(turns[k + 1])
            t2, t3 = kind(turns[k + 2]), kind(turns[k + 3])
            if p < passes - 1:
                if p == 0:
                    _best_of_four(own, turn, n0, n1, n2, n3, t0, t1, t2, t3, part[:size])
                    own, turn = part[:size], kind(0)
                else:
                    _better_of_four(n0, n1, n2, n3, t0, t1, t2, t3, part[:size])
            else:
                _choose(own, turn, n0, n1, n2, n3, t0, t1, t2, t3, mask, out[done : done + size])
        done += size


@inlined
def reaches(steps: Numbers) -> tuple[int, int]:
    """How far neighbours are along the columns and along the rows."""
    up, side = 0, 0
    for k in range(len(steps)):
        up, side = max(up, abs(steps[k, 0])), max(side, abs(steps[k, 1]))
    return up, side


@kernel
def update_rows(
    now: Line,
    following: Line,
    stride: int,
    around: int,
    outside: int,
    plan: Plan,
    tables: NDArray[Any],
    field: Field,
    first: int,
    last: int,
    keys: NDArray[Any],
) -> None:
    """One update of the rows from `first` to before `last` of a padded line, into another. Margins
    at the ends of these rows are filled too.

    Parameters
    ----------
    now, following
        The line before and after, `(height * stride,)` uint8; `2 * up` rows above `first` and from
        `last` on are read.
    around, outside
        `TORUS`, `BOUNDED` or `OPEN`; and the state of cells outside.
    plan, tables
        How cells become numbers; `(rules, entries)` of an unsigned type, or int64.
    field
        λ of each cell of the line in 256ths if there are several rules; else anything.
    keys
        `(CHUNK,)` of the type of a key; its content is not used.
    """
    up, side = reaches(plan.steps)
    kind = tables.dtype.type
    rows = max(BAND_BYTES // (stride * tables.itemsize) - 2 * up, 4 * up, 1)
    rows = min(rows, last - first)
    numbers = empty((rows + 2 * up) * stride, tables.dtype)
    part = empty(CHUNK if len(plan.steps) > PASS or len(tables) > 1 else 1, tables.dtype)
    known = 0
    for top in range(first, last, rows):
        bottom = min(top + rows, last)
        # Rows top - up to bottom + up; of these, the last of the band before are known.
        begin = top - up + known
        begin_at = begin * stride + side
        slot = known * stride
        count = (bottom + up - begin) * stride - 2 * side
        _number_cells(
            now,
            begin_at,
            count,
            stride,
            plan,
            tables,
            field,
            keys,
            part,
            numbers[slot + side : slot + side + count],
        )
        if around == OPEN:
            # Unknown cells need states that exist: their keys are looked up too.
            for cell in range(side):
                numbers[slot + cell] = kind(0)
                numbers[slot + side + count + cell] = kind(0)
        else:
            close_sides(numbers, slot, bottom + up - begin, stride, side, around, kind(0))
        at = top * stride + side
        count = (bottom - top) * stride - 2 * side
        _choose_cells(numbers, up * stride + side, stride, plan, part, following[at : at + count])
        if around != OPEN:
            close_sides(
                following, top * stride, bottom - top, stride, side, around, np.uint8(outside)
            )
        known = 2 * up
        shift = (bottom - top) * stride
        for cell in range(known * stride):
            numbers[cell] = numbers[cell + shift]
