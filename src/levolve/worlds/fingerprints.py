"""Behaviour fingerprints: two rules whose attainable scores come in the same order, ties included,
behave alike on every map.

A cell's score depends on its state and on how many neighbours have each state. The places of all
these scores in their common order are the fingerprint; multiplying all scores by a positive number
or adding one to all of them changes nothing. A fingerprint without ties is generic.

Sums of floats may also depend on the order in which the neighbours are added. Where they do, the
fingerprint of a rule with float arithmetic has a case for every order. Where they do not, it is the
same kind as an exact one, and the two can be compared. Surveys and portraits are exact.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.writing import check_writable, write_file
from levolve.worlds.design import Design, RuleLike
from levolve.worlds.legend import Palette
from levolve.worlds.pictures import encode_picture
from levolve.worlds.rule import Map, Rule
from levolve.worlds.scores import (
    MOST_RANKED,
    MOST_SCORE,
    attainable_count,
    exact_number,
    ranks_of,
    whole_scores,
)
from levolve.worlds.shipped import find_design, find_designs
from levolve.worlds.starts import random_start

MOST_SIDE = 2048
CHUNK = 1 << 16
GOLDEN_TURN = 0.618034


@dataclass(frozen=True)
class Fingerprint:
    """`ranks[i]` is the place, from 0, of the score of case i. Cases are ordered by the neighbours'
    states, then by the cell's own.

    With `ordered` the neighbours' states are taken in the order of the neighbourhood, otherwise
    only as often as they occur.
    """

    states: int
    neighbours: int
    ranks: tuple[int, ...]
    ordered: bool = False

    @property
    def generic(self) -> bool:
        """Whether no two cases tie."""
        return len(set(self.ranks)) == len(self.ranks)

    @property
    def number(self) -> int:
        """The behaviour number: the ranks as digits of one whole number. Different fingerprints
        have different numbers.
        """
        value = 0
        for rank in self.ranks:
            value = value * len(self.ranks) + rank
        return value

    @cached_property
    def digest(self) -> str:
        """The first sixteen digits of a hash: equal fingerprints have equal digests."""
        text = (
            f"{self.states} {self.neighbours} "
            f"{' '.join(map(str, self.ranks))}{' ordered' if self.ordered else ''}"
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def order(self) -> str:
        """The cases from the lowest score to the highest: own state, colon, neighbours' states;
        ties are joined by =.
        """
        cases = (
            _ordered_cases(self.states, self.neighbours)
            if self.ordered
            else _cases(self.states, self.neighbours)
        )
        tied: dict[int, list[str]] = {}
        for rank, (state, around) in zip(self.ranks, cases, strict=True):
            gap = "" if self.states <= 10 else "."  # more than one digit per state
            tied.setdefault(rank, []).append(f"{state}:{gap.join(map(str, around))}")
        return " < ".join(" = ".join(tied[rank]) for rank in sorted(tied))

    def to_data(self) -> dict[str, Any]:
        """The fingerprint as plain data that JSON can hold; the number as text, for it may be
        longer than JSON numbers are read.
        """
        return {
            "states": self.states,
            "neighbours": self.neighbours,
            "number": str(self.number),
            "digest": self.digest,
            "generic": self.generic,
            "ordered": self.ordered,
            "order": self.order,
        }


@dataclass(frozen=True)
class RuleFingerprint:
    """The fingerprint of a rule with the rule's name."""

    rule: str
    fingerprint: Fingerprint

    def to_data(self) -> dict[str, Any]:
        """The result as plain data that JSON can hold."""
        return {"rule": self.rule, **self.fingerprint.to_data()}


def fingerprint_rules(
    rules: Iterable[RuleLike], *, arithmetic: str | None = None
) -> list[RuleFingerprint]:
    """The fingerprints of rules given by name, file, `Rule` or `Design`; a file of several records
    gives one for each.

    `arithmetic` is exact or float, by default as each rule says.
    """
    found: list[Design] = []
    for rule in rules:
        found += [find_design(rule)] if isinstance(rule, Rule | Design) else find_designs(rule)
    return [
        RuleFingerprint(design.name, fingerprint(design.adapted(arithmetic=arithmetic).rule))
        for design in found
    ]


@lru_cache(maxsize=32)
def _cases(states: int, neighbours: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (state, around)
        for around in combinations_with_replacement(range(states), neighbours)
        for state in range(states)
    ]


def _ordered_cases(states: int, neighbours: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (state, around)
        for around in product(range(states), repeat=neighbours)
        for state in range(states)
    ]


@lru_cache(maxsize=32)
def _weights(states: int, neighbours: int) -> NDArray[np.int64]:
    """How often each entry of the score matrix counts in each case: `(cases, states * states)`."""
    cases = _cases(states, neighbours)
    weights = np.zeros((len(cases), states * states), np.int64)
    for number, (state, around) in enumerate(cases):
        for other in around:
            weights[number, state * states + other] += 1
    return weights


def fingerprint(rule: Rule) -> Fingerprint:
    """The behaviour fingerprint of a rule on a torus or a world without an edge."""
    near = len(rule.neighbourhood)
    _check_cases(rule.states, near)
    if rule.arithmetic != "exact":
        return _ordered_fingerprint(rule)
    whole = rule.whole
    sums = [
        sum(whole[state][other] for other in around) for state, around in _cases(rule.states, near)
    ]
    return Fingerprint(rule.states, near, tuple((ranks_of(sums) - 1).tolist()))


def _ordered_fingerprint(rule: Rule) -> Fingerprint:
    """Return the fingerprint of sums that may depend on the order of the neighbours.

    Sums of floats and joined texts do. There is a case for every order only where the order
    matters.
    """
    states, near = rule.states, len(rule.neighbourhood)
    if states ** (near + 1) > MOST_RANKED:
        raise InputError(
            f"fingerprint: {states} states and {near} neighbours in any order have more than "
            f"{MOST_RANKED:,} cases; use fewer of either"
        )
    codes = [
        sum(other * states ** (near - 1 - place) for place, other in enumerate(around))
        for _, around in _cases(states, near)[::states]
    ]
    ranks = rule.ranks(states) - 1
    plain = ranks[:, codes]
    keys = np.arange(states**near)
    digits = np.sort(np.stack([keys // states**place % states for place in range(near)]), axis=0)[
        ::-1
    ]
    lowest = (digits * states ** np.arange(near)[:, np.newaxis]).sum(axis=0)
    if np.array_equal(ranks, ranks[:, lowest]):
        return Fingerprint(states, near, tuple(plain.T.ravel().tolist()))
    return Fingerprint(states, near, tuple(ranks.T.ravel().tolist()), ordered=True)


def _check_cases(states: int, neighbours: int) -> None:
    if attainable_count(states, neighbours) > MOST_RANKED:
        raise InputError(
            f"fingerprint: {states} states and {neighbours} neighbours have more than "
            f"{MOST_RANKED:,} cases; use fewer of either"
        )


def _rank_rows(matrices: NDArray[np.int64], states: int, neighbours: int) -> NDArray[np.int64]:
    """The ranks of many matrices of small whole numbers, `(n, states * states)`, at once: `(n,
    cases)`.
    """
    sums = matrices @ _weights(states, neighbours).T
    order = np.argsort(sums, axis=1, kind="stable")
    rising = np.take_along_axis(sums, order, axis=1)
    places = np.zeros_like(sums)
    places[:, 1:] = np.cumsum(rising[:, 1:] != rising[:, :-1], axis=1)
    ranks = np.empty_like(sums)
    np.put_along_axis(ranks, order, places, axis=1)
    return ranks


def survey(
    neighbours: int = 4,
    states: int = 2,
    *,
    samples: int = 400_000,
    largest: int = 99,
    seed: int = 0,
) -> dict[Fingerprint, int]:
    """The fingerprints that random matrices of whole numbers from 0 to `largest`, at most 255,
    have; and how many of the samples have each.
    """
    _check_cases(states, neighbours)
    if not 1 <= largest <= 255:  # a byte
        raise InputError(f"largest: expected a whole number from 1 to 255, got {largest!r}")
    found: dict[tuple[int, ...], int] = {}
    for first in range(0, samples, CHUNK):
        rows = min(CHUNK, samples - first)
        matrices = random_start(largest + 1, (states * states, rows), seed, at=(0, first)).astype(
            np.int64
        )
        kinds, counts = np.unique(
            _rank_rows(matrices, states, neighbours), axis=0, return_counts=True
        )
        for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
            found[tuple(kind)] = found.get(tuple(kind), 0) + count
    return {Fingerprint(states, neighbours, ranks): count for ranks, count in sorted(found.items())}


@dataclass(frozen=True, eq=False)
class Portrait:
    """Which behaviours a slice of matrix space holds: `(side, side)` numbers into `fingerprints`,
    most common first.
    """

    numbers: NDArray[np.int64]
    fingerprints: tuple[Fingerprint, ...]

    def picture(self) -> tuple[Map, Palette]:
        """A map and its colours, one per behaviour; the rarest beyond 254 share one."""
        from colorsys import hls_to_rgb

        count = min(len(self.fingerprints), 255)
        colours = []
        for number in range(count):
            # Turning by the golden ratio keeps neighbours in the order apart on the wheel.
            red, green, blue = hls_to_rgb(
                number * GOLDEN_TURN % 1, (0.72, 0.5, 0.62)[number % 3], 0.55
            )
            colours.append((round(255 * red), round(255 * green), round(255 * blue)))
        return np.minimum(self.numbers, 254).astype(np.uint8), tuple(colours)

    def save(self, path: str | Path) -> Path:
        """Draw the portrait into a PNG file, one pixel per matrix."""
        check_portrait_path(path)
        return write_file(path, encode_picture(*self.picture()))


def check_portrait_path(path: str | Path) -> None:
    """Refuse a file name that a portrait cannot be written to."""
    if Path(path).suffix.lower() != ".png":
        raise InputError(f"portrait: expected a file name that ends in .png, got {str(path)!r}")
    check_writable(path)


def portrait(
    rule: Rule,
    axes: tuple[tuple[int, int], tuple[int, int]] = ((0, 1), (1, 0)),
    span: tuple[float, float] | None = None,
    side: int = 256,
) -> Portrait:
    """The behaviours when two entries of a rule's score matrix, each (row, column), go from one end
    of `span` to the other.

    The first entry grows to the right, the second downwards. Without a span they go from the lowest
    score of the matrix to the highest.
    """
    states, near = rule.states, len(rule.neighbourhood)
    _check_cases(states, near)
    for row, column in axes:
        if not (0 <= row < states and 0 <= column < states):
            raise InputError(
                f"axes: expected two entries (row, column) of the {states}x{states} score "
                f"matrix, got {axes!r}"
            )
    if not 2 <= side <= MOST_SIDE:  # two ends
        raise InputError(f"side: expected from 2 to {MOST_SIDE}, got {side!r}")
    flat = [value for row in rule.exact for value in row]
    low, high = (
        (min(flat), max(flat)) if span is None else (exact_number(end, "span") for end in span)
    )
    if not low < high:
        raise InputError(f"span: expected a lower and a higher number, got {low} and {high}")
    values = [low + (high - low) * Fraction(step, side - 1) for step in range(side)]
    ((own, moved),) = whole_scores((tuple(flat), tuple(values)))
    if max(map(abs, (*own, *moved))) * near >= MOST_SCORE:
        raise InputError(
            "span: the scores and the steps between the ends have too many digits for exact "
            "sums; round them, or change the side"
        )
    base, steps = np.array(own, np.int64), np.array(moved, np.int64)
    matrices = np.tile(base, (side, side, 1))
    matrices[:, :, axes[0][0] * states + axes[0][1]] = steps[np.newaxis, :]
    matrices[:, :, axes[1][0] * states + axes[1][1]] = steps[:, np.newaxis]
    ranks = np.concatenate([_rank_rows(row, states, near) for row in matrices])
    kinds, inverse, counts = np.unique(ranks, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return Portrait(
        place[inverse.ravel()].reshape(side, side),
        tuple(Fingerprint(states, near, tuple(kind)) for kind in kinds[order].tolist()),
    )
