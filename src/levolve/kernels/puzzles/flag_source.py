"""The source's evolution of walks: a gene is a move, played as it stands.

Thirty-two genes share a machine word, two bits each, the first lowest; words of one number stand
together for the whole population. A child is cut together by masks.

Walks of a whole population at once, on rounds that fit into a machine word.

A cell is a bit. Rows lie a gap apart, and the word ends in a row of gaps, so that a step over any
edge, counted modulo 64, meets a gap. How many visits a cell still bears is a number of two bits,
one in each of two words. A step of one individual is then a few shifts and no branch (whether a
step meets a tile is a coin flip, which no processor foresees), and those of several individuals go
side by side in the processor's lanes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import (
    ALL_ONES,
    MUTATE,
    Index,
    draw_below,
    draw_float,
    open_stream,
)
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.flag_field import NEVER, Cells, Field, Genes, Places
from levolve.kernels.variation.selection import best_first

Words = NDArray[np.uint64]

A_WORD = 32
MOST_VISITS = 3
_0, _1, _2, _3, _63 = map(np.uint64, (0, 1, 2, 3, 63))


class Planes(NamedTuple):
    """A round as words, where it fits.

    Words: the two bits of the visits left, the start's taken off; cells that never fall; the four
    steps, a byte each; the start. Each cell's steps to the flag. The other arrays are room for a
    population of walks: where each stands, what is left for it, and how many moves it has made.
    """

    fits: bool
    low: np.uint64
    high: np.uint64
    never: np.uint64
    steps: np.uint64
    start: np.uint64
    away: Places
    here: Words
    low_left: Words
    high_left: Words
    moves: Words


@kernel
def _fits(field: Field) -> bool:
    """Whether a round is small enough, and no tile bears more visits than two bits can count."""
    width, height = field.width - 2, field.left.shape[0] // field.width - 2
    fits = (width + 1) * (height + 1) <= 64
    for cell in range(field.left.shape[0]):
        fits &= field.left[cell] <= MOST_VISITS or field.left[cell] == NEVER
    return bool(fits)


@kernel
def lay_planes(field: Field, population: int) -> Planes:
    """A round as words; nothing but the room where it does not fit."""
    fits = _fits(field)
    low = high = never = start = _0
    away = zeros(64, np.int64)
    stride = field.width - 1
    flag_y, flag_x = field.flag // field.width - 1, field.flag % field.width - 1
    for cell in range(64):
        away[cell] = abs(cell // stride - flag_y) + abs(cell % stride - flag_x)
    for cell in range(field.left.shape[0]):
        visits = np.uint64(field.left[cell])
        if fits and visits > _0:
            place = np.uint64((cell // field.width - 1) * stride + cell % field.width - 1)
            bit = _1 << place
            if cell == field.start:
                start = place
            if visits == NEVER:
                never |= bit
            else:
                if cell == field.start:
                    visits -= _1
                low |= bit * (visits & _1)
                high |= bit * (visits >> _1)
    steps = np.uint64((64 - stride) | (stride << 8) | (63 << 16) | (1 << 24))
    room = zeros((4, population), np.uint64)
    return Planes(fits, low, high, never, steps, start, away, room[0], room[1], room[2], room[3])


@kernel
def walk_planes(packed: Words, length: int, planes: Planes) -> None:
    """Play all genes of all individuals; `packed` has a column for each."""
    never, steps = planes.never, planes.steps
    here, low_left, high_left, moves = planes.here, planes.low_left, planes.high_left, planes.moves
    for who in range(here.shape[0]):
        here[who] = planes.start
        low_left[who] = planes.low
        high_left[who] = planes.high
        moves[who] = _0
    for index in range(length):
        genes = packed[index // A_WORD]
        shift = np.uint64(index % A_WORD * 2)
        for who in range(here.shape[0]):
            step = (steps >> ((genes[who] >> shift & _3) << _3)) & _63
            near = (here[who] + step) & _63
            solid = ((low_left[who] | high_left[who] | never) >> near) & _1
            paid = (solid << near) & ~never
            high_left[who] ^= paid & ~low_left[who]
            low_left[who] ^= paid
            moves[who] += solid
            here[who] += step & (_0 - solid)


@kernel
def left_over(planes: Planes, who: int) -> np.int64:
    """How many visits an individual has left over."""
    return np.int64(bit_count(planes.low_left[who]) + _2 * bit_count(planes.high_left[who]))


class SourceRules(NamedTuple):
    """How walks are judged and a generation is bred. See `evolve_source`."""

    match_weight: float
    distance_weight: float
    void_mark: float
    parents: int
    elites: int
    rate: float
    swap: bool
    spare: bool
    at_end: bool


@kernel
def pack_genes(genes: Genes, packed: Words) -> None:
    """Genes of a population, a row for each, into words, a column for each."""
    packed[:] = 0
    for who in range(genes.shape[0]):
        for index in range(genes.shape[1]):
            packed[index // A_WORD, who] |= np.uint64(genes[who, index]) << np.uint64(
                index % A_WORD * 2
            )


@kernel
def unpack_genes(packed: Words, genes: Genes) -> None:
    """Words back into genes."""
    for who in range(genes.shape[0]):
        for index in range(genes.shape[1]):
            genes[who, index] = _gene(packed, who, index)


@kernel
def _gene(packed: Words, who: int, index: Index) -> np.uint64:
    return np.uint64((packed[index // A_WORD, who] >> np.uint64(index % A_WORD * 2)) & _3)


@kernel
def _set_gene(packed: Words, who: int, index: Index, gene: np.uint64) -> None:
    shift = np.uint64(index % A_WORD * 2)
    packed[index // A_WORD, who] = (packed[index // A_WORD, who] & ~(_3 << shift)) | gene << shift


@kernel
def _from_gene_on(first: Index, word: int) -> np.uint64:
    """The bits of a word that belong to gene `first` or to later ones."""
    before = min(max(first - word * A_WORD, 0), A_WORD)
    return ALL_ONES << np.uint64(before * 2) if before < A_WORD else _0


@kernel
def walk_source(
    packed: Words, who: int, length: int, field: Field, left: Cells, at_end: bool
) -> tuple[Index, Index, Index, bool]:
    """A chromosome as the source plays it: (visits left over, steps to the flag, void genes,
    whether it wins). `left` is room to work in.

    A gene that leads off the map or into a gap does nothing: it is void. A win is tested after
    every move and ends the walk; or, `at_end`, after the last gene only.
    """
    left[:] = field.left
    here = field.start
    remaining = field.remaining
    voids = 0
    if left[here] < NEVER:
        left[here] -= 1
        remaining -= 1
    for index in range(length):
        if not at_end and remaining == 0 and here == field.flag:
            break
        near = here + field.steps[_gene(packed, who, index)]
        if left[near] == 0:
            voids += 1
            continue
        here = near
        if left[near] < NEVER:
            left[near] -= 1
            remaining -= 1
    distance = abs(here // field.width - field.flag // field.width) + abs(
        here % field.width - field.flag % field.width
    )
    return remaining, distance, voids, remaining == 0 and here == field.flag


@kernel
def score_source(
    packed: Words,
    length: int,
    field: Field,
    planes: Planes,
    left: Cells,
    rules: SourceRules,
    scores: NDArray[np.float64],
) -> int:
    """The scores of a population, 0 for a win; gives the first who wins, or -1. A round that fits a
    word is walked on its planes.

    The source makes `match_weight` x visits left over + `distance_weight` x steps to the flag +
    `void_mark` x void genes small; here its negative is made large.
    """
    winner = -1
    if planes.fits:
        walk_planes(packed, length, planes)
    for who in range(scores.shape[0]):
        won = False
        over: Index = 0
        distance: Index = 0
        voids: Index = 0
        if planes.fits:
            over, distance, voids = (
                left_over(planes, who),
                planes.away[planes.here[who] & _63],
                length - np.int64(planes.moves[who]),
            )
            won = bool(over == 0 and distance == 0)
        if not planes.fits or (over == 0 and not rules.at_end):
            # On planes a walk goes on after a win: one that has used up all is walked again.
            over, distance, voids, won = walk_source(packed, who, length, field, left, rules.at_end)
        scores[who] = (
            0.0
            if won
            else -(
                rules.match_weight * over
                + rules.distance_weight * distance
                + rules.void_mark * voids
            )
        )
        if won and winner < 0:
            winner = who
    return winner


@kernel
def _breed(
    seed: np.uint64,
    generation: int,
    packed: Words,
    length: int,
    rules: SourceRules,
    order: Places,
    bred: Words,
) -> None:
    """The next generation, from the best individuals in order."""
    words, population = packed.shape
    for who in range(population):
        change = open_stream(seed, MUTATE, generation, who)
        if who < rules.elites:
            for word in range(words):
                bred[word, who] = packed[word, order[who]]
            if rules.spare:
                continue
        else:
            outer, inner = (
                order[draw_below(change, 3, rules.parents)],
                order[draw_below(change, 4, rules.parents)],
            )
            one, other = draw_below(change, 5, length), draw_below(change, 6, length)
            low, high = min(one, other), max(one, other)
            for word in range(words):
                mask = _from_gene_on(low, word) & ~_from_gene_on(high + 1, word)
                bred[word, who] = (packed[word, outer] & ~mask) | (packed[word, inner] & mask)
        at = draw_below(change, 1, length)
        if draw_float(change, 0) <= rules.rate:
            _set_gene(bred, who, at, np.uint64(draw_below(change, 2, 4)))
        elif rules.swap:
            to = draw_below(change, 2, length)
            gene = _gene(bred, who, at)
            _set_gene(bred, who, at, _gene(bred, who, to))
            _set_gene(bred, who, to, gene)


@kernel
def evolve_source(
    seed: np.uint64,
    first: int,
    count: int,
    genes: Genes,
    scores: NDArray[np.float64],
    field: Field,
    rules: SourceRules,
) -> tuple[int, int]:
    """Up to `count` generations of the source's algorithm, from generation `first` on: (generations
    done, who won or -1).

    The best `parents` breed: a stretch of one goes into a copy of the other. Then one gene is reset
    by the chance `rate`, or else, with `swap`, two are exchanged. The best `elites` are handed on,
    and mutated like all others unless they are `spare`d.
    """
    population, length = genes.shape
    packed = zeros((-(-length // A_WORD), population), np.uint64)
    bred = packed.copy()
    order = zeros(max(rules.parents, rules.elites), np.int64)
    planes = lay_planes(field, population)
    left = field.left.copy()
    pack_genes(genes, packed)
    done = 0
    winner = -1
    while done < count:
        winner = score_source(packed, length, field, planes, left, rules, scores)
        if winner >= 0:
            break
        best_first(scores, order)
        _breed(seed, first + done, packed, length, rules, order, bred)
        packed, bred = bred, packed
        done += 1
    unpack_genes(packed, genes)
    return done, winner


@kernel
def count_wins(genes: Genes, field: Field, at_end: bool) -> int:
    """How many chromosomes win."""
    population, length = genes.shape
    packed = zeros((-(-length // A_WORD), population), np.uint64)
    pack_genes(genes, packed)
    left = field.left.copy()
    wins = 0
    for who in range(population):
        _, _, _, won = walk_source(packed, who, length, field, left, at_end)
        wins += won
    return int(wins)
