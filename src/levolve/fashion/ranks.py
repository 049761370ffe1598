"""Ranks of scores in the forms that kernels take: a table keyed by a cell and its neighbours, and planes of bits for two states.

Only the order of the scores matters. Exact sums and sums of 64-bit floats give different ranks, and from there on everything is the same.
"""

from collections.abc import Sequence
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.fashion.scores import Whole, attainable, ranks_of
from levolve.kernels.fashion.planes import PLANES

Ranks = NDArray[np.int64]

KEY_BITS = 32
# Planes of bits are for two states and four neighbours: sixteen patterns, and three kinds of a pair of neighbours.
_PATTERN = (2, 2, 2, 2, 2)
_PAIRS = 3
_ALL = np.uint64(2**64 - 1)


def exact_ranks(scores: Whole, digits: int, neighbours: int) -> Ranks:
    """The ranks, from 1, of exact sums: `(states, digits ** neighbours)`, the first neighbour as the highest digit of the key.

    `scores` are rows of `digits` whole numbers. Sums depend only on the multiset of the neighbours' states, so only these are added up.
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


def _multiset_numbers(digits: int, neighbours: int, multisets: list[tuple[int, ...]]) -> NDArray[np.int64]:
    """For every key of `neighbours` digits, the number of the multiset of its digits."""
    keys = np.arange(digits**neighbours)
    columns = np.stack([keys // digits**place % digits for place in range(neighbours)], axis=1)
    columns.sort(axis=1)
    codes = columns @ digits ** np.arange(neighbours)[::-1]
    known = np.array([sum(state * digits ** (neighbours - 1 - place) for place, state in enumerate(around)) for around in multisets], np.int64)
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, codes, sorter=order)], np.int64)


def float_sums(scores: NDArray[np.float64], neighbours: int) -> NDArray[np.float64]:
    """Sums of 64-bit floats in the order of the neighbourhood: `(states, digits ** neighbours)` from `(states, digits)` scores."""
    digits = scores.shape[1]
    keys = np.arange(digits**neighbours)
    sums = np.zeros((scores.shape[0], len(keys)))
    with np.errstate(over="ignore"):
        for place in reversed(range(neighbours)):
            sums += scores[:, keys // digits**place % digits]
    return sums


def float_ranks(scores: NDArray[np.float64], neighbours: int) -> Ranks:
    """The ranks, from 1, of sums of floats: `(states, digits ** neighbours)` from `(states, digits)` scores."""
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
    """Ranks as a table of one group of neighbours, `(1, keys)`: a rank, room for the tie order, and a state for every key."""
    states = ranks.shape[0]
    state_bits = (states - 1).bit_length() or 1
    by_key = np.zeros((digits, ranks.shape[1]), np.int64)
    by_key[:states] = (ranks << (state_bits + neighbours.bit_length())) | np.arange(states)[:, np.newaxis]
    bits = int(by_key.max()).bit_length()
    if bits > KEY_BITS:
        message = f"neighbourhood: {neighbours} neighbours and {states} states have more scores than fit a table; use fewer of either"
        raise InputError(message)
    return by_key.reshape(1, -1).astype(np.uint16 if bits <= KEY_BITS // 2 else np.uint32)


def plane_terms(ranks: Ranks) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
    """Ranks of two states and four neighbours, `(2, 16)`, as `run_planes` takes them; None where four bits are too few."""
    places = ranks.reshape(_PATTERN) - 1
    counts = np.indices(_PATTERN)[1:].sum(axis=0)
    if all(np.ptp(places[state][counts[state] == count]) == 0 for state in (0, 1) for count in range(5)):
        return _count_terms(places), _pattern_terms(places, 0)
    codes = _paired_codes(places, counts)
    if codes is not None:
        return _count_terms(codes), _pattern_terms(codes, 1)
    if places.max() < 1 << PLANES:
        return _count_terms(places), _pattern_terms(places, PLANES)
    return None


def _paired_codes(places: Ranks, counts: NDArray[np.int64]) -> Ranks | None:
    """Codes of four bits in the order of the ranks, such that all but the lowest bit depend only on how many neighbours have state 1.

    Ranks of one state and one number of neighbours have to lie in one pair of codes. None where that cannot be.
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
    """The lowest digits of codes as sums modulo 2 over the neighbours' pattern: `(planes, 2, 4, 3)`."""
    pairs = np.stack([codes[:, 0, 0], codes[:, 0, 1], codes[:, 1, 1]], axis=1)
    digits = pairs[np.newaxis] >> np.arange(planes).reshape(-1, 1, 1, 1, 1) & 1
    # Axes: plane, state, pair, third, fourth. Along each axis the value at 0 is taken away from the others.
    for axis in (1, 2, 3, 4):
        first = np.take(digits, [0], axis)
        rest = np.take(digits, range(1, digits.shape[axis]), axis)
        digits = np.concatenate([first, first ^ rest], axis)
    # Terms without either of the last two neighbours, with the third, with the fourth, with both.
    ordered = digits.transpose(0, 1, 4, 3, 2).reshape(planes, 2, 4, _PAIRS)
    return np.where(ordered == 1, _ALL, np.uint64(0))


def _count_terms(codes: Ranks) -> NDArray[np.uint64]:
    """The digits of codes as sums modulo 2 over the digits of the number of neighbours in state 1: `(4, 2, 5)`."""
    by_count = np.stack([codes[:, 0, 0, 0, 0], codes[:, 0, 0, 0, 1], codes[:, 0, 0, 1, 1], codes[:, 0, 1, 1, 1], codes[:, 1, 1, 1, 1]], axis=1)
    digits = by_count[np.newaxis] >> np.arange(PLANES).reshape(-1, 1, 1) & 1
    digits = np.concatenate([digits[:, :1], digits[:, :1] ^ digits[:, 1:]], axis=1)
    none, one, two, three, four = (digits[:, :, count] for count in range(5))
    terms = np.stack([none, none ^ one, none ^ two, none ^ one ^ two ^ three, none ^ four], axis=2)
    return np.where(terms == 1, _ALL, np.uint64(0))
