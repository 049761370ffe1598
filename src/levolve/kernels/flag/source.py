"""The source's evolution of walks: a gene is a move, played as it stands.

A generation is little work, so what it costs is what the processor has to wait for. Thirty-two genes share a machine word, two bits each, the first
lowest: a child is cut together by masks. Whether a step meets a tile is a coin flip, so there is no branch on it. And each step of a walk
waits for the one before it, so four walks go side by side and wait together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.flag.field import NEVER, Field, Places
from levolve.kernels.flag.genes import Genes
from levolve.kernels.selection import best_first
from levolve.kernels.streams import ALL_ONES, MUTATE, Index, draw_below, draw_float, open_stream

Packed = NDArray[np.uint64]
Four = tuple[int, int, int, int]

A_WORD = 32
LANES = 4
FIRM = -128
_0, _1, _2, _3 = (np.uint64(n) for n in range(4))


class Rules(NamedTuple):
    """How walks are judged and a generation is bred. See `evolve_source`."""

    match_weight: float
    distance_weight: float
    void_mark: float
    parents: int
    elites: int
    rate: float
    swap: bool
    spare: bool


class Course(NamedTuple):
    """A round as these walks take it: the visits that each cell is owed, negative, `FIRM` for one that never falls; each cell's steps from the flag;
    whether a walk can leave the flag when all is used up, for another cell that never falls; and room for the walks.
    """  # noqa: D205 one sentence

    owed: NDArray[np.int8]
    away: Places
    goes_on: bool
    lanes: NDArray[np.int8]


@kernel
def pack_genes(genes: Genes, packed: Packed) -> None:
    """Genes of a population into words."""
    packed[:] = 0
    for individual in range(genes.shape[0]):
        for index in range(genes.shape[1]):
            packed[individual, index // A_WORD] |= np.uint64(genes[individual, index]) << np.uint64(index % A_WORD * 2)


@kernel
def unpack_genes(packed: Packed, genes: Genes) -> None:
    """Words back into genes."""
    for individual in range(genes.shape[0]):
        for index in range(genes.shape[1]):
            genes[individual, index] = _gene(packed[individual], index)


@kernel
def _gene(chromosome: Packed, index: Index) -> np.uint64:
    return np.uint64((chromosome[index // A_WORD] >> np.uint64(index % A_WORD * 2)) & _3)


@kernel
def _set_gene(chromosome: Packed, index: Index, gene: Index) -> None:
    shift = np.uint64(index % A_WORD * 2)
    chromosome[index // A_WORD] = (chromosome[index // A_WORD] & ~(_3 << shift)) | np.uint64(gene) << shift


@kernel
def _from_gene_on(first: Index, word: int) -> np.uint64:
    """The bits of a word that belong to gene `first` or to later ones."""
    before = min(max(first - word * A_WORD, 0), A_WORD)
    return ALL_ONES << np.uint64(before * 2) if before < A_WORD else _0


@kernel
def lay_course(field: Field) -> Course:
    """The course before the first gene is played: the start's visit is paid."""
    cells = field.left.shape[0]
    owed = np.zeros(cells, np.int8)
    away = np.zeros(cells, np.int64)
    for cell in range(cells):
        owed[cell] = FIRM if field.left[cell] == NEVER else -np.int64(field.left[cell])
        away[cell] = abs(cell // field.width - field.flag // field.width) + abs(cell % field.width - field.flag % field.width)
    if owed[field.start] != FIRM:
        owed[field.start] += 1
    goes_on = False
    for move in range(4):
        goes_on |= owed[field.flag + field.steps[move]] == FIRM
    return Course(owed, away, goes_on, np.zeros(LANES * cells, np.int8))


@inlined
def _tread(owed: NDArray[np.int8], here: int, step: int) -> tuple[int, int]:
    """One gene: where it leads, and -1 if it is a move, 0 if it is void."""
    near = np.uint64(here + step)
    visits = owed[near]
    owed[near] = visits + np.int8((visits < 0) & (visits > FIRM))
    # The sign of what is owed, in every bit.
    solid = int(np.int64(visits) >> 63)
    return here + (step & solid), solid


@kernel
def _walk_four(packed: Packed, first: int, length: int, field: Field, course: Course) -> tuple[Four, Four]:
    """Play all genes of four individuals, each in its own stretch of `course.lanes`: where they end, and how many moves they make.

    Where there are fewer than four left, the last is walked again.
    """
    lanes, steps = course.lanes, field.steps
    cells = course.owed.shape[0]
    for lane in range(LANES):
        board = lanes[lane * cells : (lane + 1) * cells]
        for cell in range(cells):
            board[cell] = course.owed[cell]
    last = packed.shape[0] - 1
    a, b, c, d = packed[first], packed[min(first + 1, last)], packed[min(first + 2, last)], packed[min(first + 3, last)]
    here_a, here_b, here_c, here_d = field.start, field.start + cells, field.start + 2 * cells, field.start + 3 * cells
    moves_a = moves_b = moves_c = moves_d = 0
    for word in range(packed.shape[1]):
        genes_a, genes_b, genes_c, genes_d = a[word], b[word], c[word], d[word]
        for _ in range(min(length - word * A_WORD, A_WORD)):
            here_a, solid = _tread(lanes, here_a, steps[genes_a & _3])
            moves_a -= solid
            here_b, solid = _tread(lanes, here_b, steps[genes_b & _3])
            moves_b -= solid
            here_c, solid = _tread(lanes, here_c, steps[genes_c & _3])
            moves_c -= solid
            here_d, solid = _tread(lanes, here_d, steps[genes_d & _3])
            moves_d -= solid
            genes_a, genes_b, genes_c, genes_d = genes_a >> _2, genes_b >> _2, genes_c >> _2, genes_d >> _2
    return (here_a, here_b - cells, here_c - 2 * cells, here_d - 3 * cells), (moves_a, moves_b, moves_c, moves_d)


@kernel
def _wins(chromosome: Packed, length: int, field: Field) -> bool:
    """Whether a walk wins on its way: nothing left over, and on the flag, after any of its moves or before the first."""
    left = field.left.copy()
    remaining = field.remaining
    here = field.start
    if left[here] < NEVER:
        left[here] -= 1
        remaining -= 1
    for index in range(length):
        if remaining == 0 and here == field.flag:
            return True
        near = here + field.steps[_gene(chromosome, index)]
        if left[near] > 0:
            here = near
            if left[near] < NEVER:
                left[near] -= 1
                remaining -= 1
    return remaining == 0 and here == field.flag


@kernel
def score_source(packed: Packed, length: int, field: Field, course: Course, rules: Rules, scores: NDArray[np.float64]) -> int:
    """The scores of a population, 0 for a win; gives the first who wins, or -1.

    A gene that leads off the map or into a gap does nothing: it is void. The source makes `match_weight` x visits left over + `distance_weight` x
    steps to the flag + `void_mark` x void genes small; here its negative is made large. A win is looked for after every move.
    """
    population = packed.shape[0]
    cells = course.owed.shape[0]
    winner = -1
    for first in range(0, population, LANES):
        ends, moves = _walk_four(packed, first, length, field, course)
        for lane in range(min(LANES, population - first)):
            individual = first + lane
            board = course.lanes[lane * cells : (lane + 1) * cells]
            over = np.int64(0)
            for cell in range(cells):
                over -= np.int64(board[cell]) if board[cell] > FIRM else np.int64(0)
            distance = course.away[ends[lane]]
            scores[individual] = -(rules.match_weight * over + rules.distance_weight * distance + rules.void_mark * (length - moves[lane]))
            # Once all is used up it stays so: only such a walk can have won on its way.
            if over == 0 and (distance == 0 or (course.goes_on and _wins(packed[individual], length, field))):
                scores[individual] = 0.0
                if winner < 0:
                    winner = individual
    return winner


@kernel
def _breed(seed: np.uint64, generation: int, packed: Packed, length: int, rules: Rules, order: Places, bred: Packed) -> None:
    """The next generation, from the best individuals in order."""
    for individual in range(packed.shape[0]):
        change = open_stream(seed, MUTATE, generation, individual)
        child = bred[individual]
        if individual < rules.elites:
            child[:] = packed[order[individual]]
            if rules.spare:
                continue
        else:
            outer, inner = packed[order[draw_below(change, 3, rules.parents)]], packed[order[draw_below(change, 4, rules.parents)]]
            one, other = draw_below(change, 5, length), draw_below(change, 6, length)
            low, high = min(one, other), max(one, other)
            for word in range(packed.shape[1]):
                mask = _from_gene_on(low, word) & ~_from_gene_on(high + 1, word)
                child[word] = (outer[word] & ~mask) | (inner[word] & mask)
        at = draw_below(change, 1, length)
        if draw_float(change, 0) <= rules.rate:
            _set_gene(child, at, draw_below(change, 2, 4))
        elif rules.swap:
            to = draw_below(change, 2, length)
            gene = _gene(child, at)
            _set_gene(child, at, np.int64(_gene(child, to)))
            _set_gene(child, to, np.int64(gene))


@kernel
def evolve_source(seed: np.uint64, first: int, count: int, genes: Genes, scores: NDArray[np.float64], field: Field, rules: Rules) -> tuple[int, int]:
    """Up to `count` generations of the source's algorithm, from generation `first` on: (generations done, who won or -1).

    The best `parents` breed: a stretch of one goes into a copy of the other. Then one gene is reset by the chance `rate`, or else, with `swap`, two
    are exchanged. The best `elites` are handed on, and mutated like all others unless they are `spare`d.
    """
    population, length = genes.shape
    packed = np.zeros((population, -(-length // A_WORD)), np.uint64)
    bred = packed.copy()
    order = np.zeros(max(rules.parents, rules.elites), np.int64)
    course = lay_course(field)
    pack_genes(genes, packed)
    done = 0
    winner = -1
    while done < count:
        winner = score_source(packed, length, field, course, rules, scores)
        if winner >= 0:
            break
        best_first(scores, order)
        _breed(seed, first + done, packed, length, rules, order, bred)
        packed, bred = bred, packed
        done += 1
    unpack_genes(packed, genes)
    return done, winner
