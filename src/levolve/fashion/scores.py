"""Score matrices made exact: numbers as people write them become whole numbers, and sums of them become ranks.

A sum of floats such as 0.1 + 0.2 is not 0.3, and ties decide what a map looks like. So a float is read as the decimal number it is written
as, everything is brought to one denominator, and exact arithmetic deals with whole numbers only.
"""

import numbers
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, gcd, lcm
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, shown

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
    """A number as it is written: 0.1 is one tenth. Text, truth values, NaN and infinity are refused."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        hint = "; take the quotes away" if isinstance(value, str) else ""
        message = f"{where}: expected a number, got {type(value).__name__} {shown(value)}{hint}"
        raise InputError(message)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not np.isfinite(float(value)):
        message = f"{where}: expected a finite number, got {float(value)}"
        raise InputError(message)
    return Fraction(str(value))


def written_scores(scores: object) -> Written:
    """Return scores as they are written, row by row; empty if they are not a matrix."""
    return tuple(tuple(map(str, row)) for row in _rows(scores) if not isinstance(row, str))


def written_numbers(scores: object) -> list[list[object]]:
    """Return scores with texts such as "0.5" as numbers."""
    return [[Fraction(Decimal(value)) if isinstance(value, str) and is_number(value) else value for value in row] for row in _rows(scores)]


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
    return [[row] if isinstance(row, str) or not isinstance(row, Iterable) else list(row) for row in listed]


def exact_scores(scores: object) -> Exact:
    """A square matrix of exact numbers from rows of numbers, or from all numbers in one list."""
    if isinstance(scores, str) or not isinstance(scores, Iterable):
        message = f"scores: expected rows of numbers such as [[0, 0.5], [0.2, 0.6]], got {shown(scores)}"
        raise InputError(message)
    listed = list(scores)
    if listed and all(not isinstance(row, Iterable) for row in listed):
        side = round(len(listed) ** 0.5)
        if side * side != len(listed):
            message = f"scores: expected a square matrix, n rows of n numbers, got {len(listed)} numbers in one list; n times n would be 4, 9, 16 …"
            raise InputError(message)
        listed = [listed[row * side : (row + 1) * side] for row in range(side)]
    rows = []
    for number, row in enumerate(listed):
        if isinstance(row, str) or not isinstance(row, Iterable):
            message = f"scores: row {number}: expected a list of numbers, got {shown(row)}"
            raise InputError(message)
        rows.append(tuple(exact_number(value, f"scores: row {number}, column {column}") for column, value in enumerate(row)))
    lengths = sorted({len(row) for row in rows})
    if not rows or lengths != [len(rows)]:
        message = f"scores: expected a square matrix, n rows of n numbers, got {len(rows)} rows of {' and '.join(map(str, lengths[:4])) or 'nothing'}"
        raise InputError(message)
    if len(rows) > MOST_STATES:
        message = f"scores: expected at most {MOST_STATES} states, got {len(rows)}"
        raise InputError(message)
    return tuple(rows)


def finite_scores(scores: Exact) -> None:
    """Refuse numbers that are too large for 64-bit floats."""
    for number, row in enumerate(scores):
        for column, value in enumerate(row):
            if abs(value) > LARGEST_FLOAT:
                message = f"scores: row {number}, column {column}: expected a finite 64-bit float, got more than 1e308"
                raise InputError(message)


def whole_scores(*matrices: Exact) -> list[Whole]:
    """Matrices of whole numbers in the same proportions, all divided by what they have in common."""
    denominator = lcm(*(value.denominator for matrix in matrices for row in matrix for value in row))
    whole = [tuple(tuple(int(value * denominator) for value in row) for row in matrix) for matrix in matrices]
    common = gcd(*(value for matrix in whole for row in matrix for value in row)) or 1
    return [tuple(tuple(value // common for value in row) for row in matrix) for matrix in whole]


def attainable(scores: Whole, neighbours: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every score that a cell can have: (score, state, states of the neighbours in rising order)."""
    states = range(len(scores))
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for around in combinations_with_replacement(states, neighbours):
        found.extend((sum(scores[state][other] for other in around), state, around) for state in states)
    return found


def attainable_count(states: int, neighbours: int) -> int:
    """How many pairs of a state and a multiset of neighbours there are."""
    return states * comb(neighbours + states - 1, neighbours)


def score_array(scores: Whole, neighbours: int) -> NDArray[np.int64]:
    """`(states, states + 1)` whole numbers as kernels take them; the last column, for cells outside, is nothing."""
    limit = max(abs(value) for row in scores for value in row) * neighbours
    if limit >= MOST_SCORE:
        message = (
            f"scores: {len(scores)} states and {neighbours} neighbours with numbers of such different size cannot be added up exactly; "
            "round them to fewer digits"
        )
        raise InputError(message)
    array = np.zeros((len(scores), len(scores) + 1), np.int64)
    array[:, :-1] = scores
    return array


def ranks_of(values: Sequence[int]) -> NDArray[np.int64]:
    """The place of each number in their common order, from 1; equal numbers have equal places."""
    if max(map(abs, values)) < MOST_SCORE:
        return cast("NDArray[np.int64]", np.unique(np.array(values, np.int64), return_inverse=True)[1].ravel() + 1)
    places = {value: place for place, value in enumerate(sorted(set(values)), 1)}
    return np.array([places[value] for value in values], np.int64)
