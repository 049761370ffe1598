"""Score matrices made exact: numbers as people write them become whole numbers, and sums of them
become ranks.

A sum of floats such as 0.1 + 0.2 is not 0.3, and ties decide what a map looks like. So a float is
read as the decimal number it is written as, everything is brought to one denominator, and exact
arithmetic deals with whole numbers only.

Ranks of scores in the forms that kernels take: a table keyed by a cell and its neighbours, and
planes of bits for two states.

Only the order of the scores matters. Exact sums and sums of 64-bit floats give different ranks, and
from there on everything is the same.
"""

import numbers
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain, combinations_with_replacement, product
from math import comb, gcd, lcm
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.kernels.fashion.planes import PLANES

Exact = tuple[tuple[Fraction, ...], ...]
Whole = tuple[tuple[int, ...], ...]
Written = tuple[tuple[str, ...], ...]

MOST_STATES = 200
# Sums stay below this: there is room to weigh them where rules are mixed.
MOST_SCORE = 1 << 62
MOST_RANKED = 1 << 22
# More characters than any 64-bit float needs.
LONGEST_WRITTEN = 400
_NUMBER = re.compile(r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]{1,3})?")
LARGEST_FLOAT = Fraction(sys.float_info.max)


def exact_number(value: object, where: str) -> Fraction:
    """A number as it is written: 0.1 is one tenth. Text, truth values, NaN and infinity are
    refused.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        hint = "; take the quotes away" if isinstance(value, str) else ""
        raise InputError(
            f"{where}: expected a number, got {type(value).__name__} {shown(value)}{hint}"
        )
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not np.isfinite(float(value)):
        raise InputError(f"{where}: expected a finite number, got {float(value)}")
    return Fraction(str(value))


def written_scores(scores: object) -> Written:
    """Return scores as they are written, row by row; empty if they are not a matrix."""
    return tuple(tuple(map(str, row)) for row in _rows(scores) if not isinstance(row, str))


def written_numbers(scores: object) -> list[list[object]]:
    """Return scores with texts such as "0.5" as numbers."""
    return [
        [
            Fraction(Decimal(value)) if isinstance(value, str) and is_number(value) else value
            for value in row
        ]
        for row in _rows(scores)
    ]


def is_number(text: str) -> bool:
    """Whether a text is a decimal number of a reasonable length."""
    return len(text) <= LONGEST_WRITTEN and _NUMBER.fullmatch(text) is not None


def _rows(scores: object) -> list[list[Any]]:
    """Return the rows of a matrix, or of all its numbers in one list, unchecked."""
    if isinstance(scores, str) or not isinstance(scores, Iterable):
        return []
    listed = list(scores)
    if listed and all(isinstance(row, str) or not isinstance(row, Iterable) for row in listed):
        side = max(1, round(len(listed) ** 0.5))
        return [listed[first : first + side] for first in range(0, len(listed), side)]
    return [
        [row] if isinstance(row, str) or not isinstance(row, Iterable) else list(row)
        for row in listed
    ]


def exact_scores(scores: object) -> Exact:
    """A square matrix of exact numbers from rows of numbers, or from all numbers in one list."""
    if isinstance(scores, str) or not isinstance(scores, Iterable):
        raise InputError(
            f"scores: expected rows of numbers such as [[0, 0.5], [0.2, 0.6]], got {shown(scores)}"
        )
    listed = list(scores)
    if listed and all(not isinstance(row, Iterable) for row in listed):
        side = round(len(listed) ** 0.5)
        if side * side != len(listed):
            raise InputError(
                f"scores: expected a square matrix, n rows of n numbers, got {len(listed)} "
                "numbers in one list; n times n would be 4, 9, 16 …"
            )
        listed = [listed[row * side : (row + 1) * side] for row in range(side)]
    rows = []
    for number, row in enumerate(listed):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"scores: row {number}: expected a list of numbers, got {shown(row)}")
        rows.append(
            tuple(
                exact_number(value, f"scores: row {number}, column {column}")
                for column, value in enumerate(row)
            )
        )
    lengths = sorted({len(row) for row in rows})
    if not rows or lengths != [len(rows)]:
        raise InputError(
            f"scores: expected a square matrix, n rows of n numbers, got {len(rows)} rows of "
            f"{' and '.join(map(str, lengths[:4])) or 'nothing'}"
        )
    if len(rows) > MOST_STATES:
        raise InputError(f"scores: expected at most {MOST_STATES} states, got {len(rows)}")
    return tuple(rows)


def finite_scores(scores: Exact) -> None:
    """Refuse numbers that are too large for 64-bit floats."""
    for number, row in enumerate(scores):
        for column, value in enumerate(row):
            if abs(value) > LARGEST_FLOAT:
                raise InputError(
                    f"scores: row {number}, column {column}: expected a finite 64-bit float, got "
                    "more than 1e308"
                )


def whole_scores(*matrices: Exact) -> list[Whole]:
    """Matrices of whole numbers in the same proportions, all divided by what they have in
    common.
    """
    denominator = lcm(
        *(value.denominator for matrix in matrices for row in matrix for value in row)
    )
    whole = [
        tuple(tuple(int(value * denominator) for value in row) for row in matrix)
        for matrix in matrices
    ]
    common = gcd(*(value for matrix in whole for row in matrix for value in row)) or 1
    return [tuple(tuple(value // common for value in row) for row in matrix) for matrix in whole]


def attainable(scores: Whole, neighbours: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every score that a cell can have: (score, state, states of the neighbours in rising
    order).
    """
    states = range(len(scores))
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for around in combinations_with_replacement(states, neighbours):
        found.extend(
            (sum(scores[state][other] for other in around), state, around) for state in states
        )
    return found


def attainable_count(states: int, neighbours: int) -> int:
    """How many pairs of a state and a multiset of neighbours there are."""
    return states * comb(neighbours + states - 1, neighbours)


def score_array(scores: Whole, neighbours: int) -> NDArray[np.int64]:
    """`(states, states + 1)` whole numbers as kernels take them; the last column, for cells
    outside, is nothing.
    """
    limit = max(abs(value) for row in scores for value in row) * neighbours
    if limit >= MOST_SCORE:
        raise InputError(
            f"scores: {len(scores)} states and {neighbours} neighbours with numbers of such "
            "different size cannot be added up exactly; "
            "round them to fewer digits"
        )
    array = np.zeros((len(scores), len(scores) + 1), np.int64)
    array[:, :-1] = scores
    return array


def ranks_of(values: Sequence[int]) -> NDArray[np.int64]:
    """The place of each number in their common order, from 1; equal numbers have equal places."""
    if max(map(abs, values)) < MOST_SCORE:
        return cast(
            "NDArray[np.int64]",
            np.unique(np.array(values, np.int64), return_inverse=True)[1].ravel() + 1,
        )
    places = {value: place for place, value in enumerate(sorted(set(values)), 1)}
    return np.array([places[value] for value in values], np.int64)


Ranks = NDArray[np.int64]

KEY_BITS = 32
# Planes of bits are for two states and four neighbours: sixteen patterns, and three kinds of a pair
# of neighbours.
_PATTERN = (2, 2, 2, 2, 2)
_PAIRS = 3
_ALL = np.uint64(2**64 - 1)


def exact_ranks(scores: Whole, digits: int, neighbours: int) -> Ranks:
    """The ranks, from 1, of exact sums: `(states, digits ** neighbours)`, the first neighbour as
    the highest digit of the key.

    `scores` are rows of `digits` whole numbers. Sums depend only on the multiset of the neighbours'
    states, so only these are added up.
    """
    states = len(scores)
    square = scores + ((0,) * digits,) * (digits - states)
    sums: dict[tuple[int, ...], list[int]] = {}
    for total, state, around in attainable(square, neighbours):
        if state < states:
            sums.setdefault(around, [0] * states)[state] = total
    ranks = ranks_of([total for row in sums.values() for total in row]).reshape(len(sums), states)
    places = _multiset_numbers(digits, neighbours, list(sums))
    return np.ascontiguousarray(ranks[places].T)


def _multiset_numbers(
    digits: int, neighbours: int, multisets: list[tuple[int, ...]]
) -> NDArray[np.int64]:
    """For every key of `neighbours` digits, the number of the multiset of its digits."""
    keys = np.arange(digits**neighbours)
    columns = np.stack([keys // digits**place % digits for place in range(neighbours)], axis=1)
    columns.sort(axis=1)
    codes = columns @ digits ** np.arange(neighbours)[::-1]
    known = np.array(
        [
            sum(state * digits ** (neighbours - 1 - place) for place, state in enumerate(around))
            for around in multisets
        ],
        np.int64,
    )
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, codes, sorter=order)], np.int64)


def float_sums(scores: NDArray[np.float64], neighbours: int) -> NDArray[np.float64]:
    """Sums of 64-bit floats in the order of the neighbourhood: `(states, digits ** neighbours)`
    from `(states, digits)` scores.
    """
    digits = scores.shape[1]
    keys = np.arange(digits**neighbours)
    sums = np.zeros((scores.shape[0], len(keys)))
    with np.errstate(over="ignore"):
        for place in reversed(range(neighbours)):
            sums += scores[:, keys // digits**place % digits]
    return sums


def float_ranks(scores: NDArray[np.float64], neighbours: int) -> Ranks:
    """The ranks, from 1, of sums of floats: `(states, digits ** neighbours)` from `(states,
    digits)` scores.
    """
    sums = float_sums(scores, neighbours)
    return np.asarray(np.unique(sums, return_inverse=True)[1].reshape(sums.shape) + 1, np.int64)


def text_ranks(scores: Sequence[Sequence[str]], neighbours: int) -> Ranks:
    """Return the ranks, from 1, of texts joined in the order of the neighbourhood.

    `(states, digits ** neighbours)` from `(states, digits)` texts, compared character by character.
    """
    digits = len(scores[0])
    keys = list(product(range(digits), repeat=neighbours))
    sums = [["".join([row[state] for state in key]) for key in keys] for row in scores]
    places = {text: place for place, text in enumerate(sorted(set(chain(*sums))), 1)}
    return np.array([[places[text] for text in row] for row in sums], np.int64)


def keyed_table(ranks: Ranks, digits: int, neighbours: int) -> NDArray[Any]:
    """Ranks as a table of one group of neighbours, `(1, keys)`: a rank, room for the tie order, and
    a state for every key.
    """
    states = ranks.shape[0]
    state_bits = (states - 1).bit_length() or 1
    by_key = np.zeros((digits, ranks.shape[1]), np.int64)
    by_key[:states] = (ranks << (state_bits + neighbours.bit_length())) | np.arange(states)[
        :, np.newaxis
    ]
    bits = int(by_key.max()).bit_length()
    if bits > KEY_BITS:
        raise InputError(
            f"neighbourhood: {neighbours} neighbours and {states} states have more scores than "
            "fit a table; use fewer of either"
        )
    return by_key.reshape(1, -1).astype(np.uint16 if bits <= KEY_BITS // 2 else np.uint32)


def plane_terms(ranks: Ranks) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
    """Ranks of two states and four neighbours, `(2, 16)`, as `run_planes` takes them; None where
    four bits are too few.
    """
    places = ranks.reshape(_PATTERN) - 1
    counts = np.indices(_PATTERN)[1:].sum(axis=0)
    if all(
        np.ptp(places[state][counts[state] == count]) == 0 for state in (0, 1) for count in range(5)
    ):
        return _count_terms(places), _pattern_terms(places, 0)
    codes = _paired_codes(places, counts)
    if codes is not None:
        return _count_terms(codes), _pattern_terms(codes, 1)
    if places.max() < 1 << PLANES:
        return _count_terms(places), _pattern_terms(places, PLANES)
    return None


def _paired_codes(places: Ranks, counts: NDArray[np.int64]) -> Ranks | None:
    """Codes of four bits in the order of the ranks, such that all but the lowest bit depend only on
    how many neighbours have state 1.

    Ranks of one state and one number of neighbours have to lie in one pair of codes. None where
    that cannot be.
    """
    most = int(places.max())
    joined = np.zeros(most + 1, bool)
    for state in (0, 1):
        for count in range(5):
            found = places[state][counts[state] == count]
            joined[found.min() : found.max()] = True
    codes = np.zeros(most + 1, np.int64)
    code = 0
    for rank in range(most + 1):
        if joined[rank] and code % 2:
            # Its partner follows: both begin a pair of codes.
            if rank and joined[rank - 1]:
                return None
            code += 1
        codes[rank] = code
        code += 1
    return codes[places] if codes[-1] < 1 << PLANES else None


def _pattern_terms(codes: Ranks, planes: int) -> NDArray[np.uint64]:
    """The lowest digits of codes as sums modulo 2 over the neighbours' pattern: `(planes, 2, 4,
    3)`.
    """
    pairs = np.stack([codes[:, 0, 0], codes[:, 0, 1], codes[:, 1, 1]], axis=1)
    digits = pairs[np.newaxis] >> np.arange(planes).reshape(-1, 1, 1, 1, 1) & 1
    # Axes: plane, state, pair, third, fourth. Along each axis the value at 0 is taken away from the
    # others.
    for axis in (1, 2, 3, 4):
        first = np.take(digits, [0], axis)
        rest = np.take(digits, range(1, digits.shape[axis]), axis)
        digits = np.concatenate([first, first ^ rest], axis)
    # Terms without either of the last two neighbours, with the third, with the fourth, with both.
    ordered = digits.transpose(0, 1, 4, 3, 2).reshape(planes, 2, 4, _PAIRS)
    return np.where(ordered == 1, _ALL, np.uint64(0))


def _count_terms(codes: Ranks) -> NDArray[np.uint64]:
    """The digits of codes as sums modulo 2 over the digits of the number of neighbours in state 1:
    `(4, 2, 5)`.
    """
    by_count = np.stack(
        [
            codes[:, 0, 0, 0, 0],
            codes[:, 0, 0, 0, 1],
            codes[:, 0, 0, 1, 1],
            codes[:, 0, 1, 1, 1],
            codes[:, 1, 1, 1, 1],
        ],
        axis=1,
    )
    digits = by_count[np.newaxis] >> np.arange(PLANES).reshape(-1, 1, 1) & 1
    digits = np.concatenate([digits[:, :1], digits[:, :1] ^ digits[:, 1:]], axis=1)
    none, one, two, three, four = (digits[:, :, count] for count in range(5))
    terms = np.stack([none, none ^ one, none ^ two, none ^ one ^ two ^ three, none ^ four], axis=2)
    return np.where(terms == 1, _ALL, np.uint64(0))
