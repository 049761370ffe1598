"""Our own evolution of walks: genes are decoded into moves that are neither void nor hopeless."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import (
    CROSS,
    GOLDEN_STEP,
    MUTATE,
    SELECT,
    draw,
    draw_below,
    draw_float,
    open_stream,
)
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.flag_field import NEVER, Field, Genes, Places, start_genes
from levolve.kernels.puzzles.flag_positions import Room, hopeless, make_room
from levolve.kernels.variation.selection import best_first

# A gene is one of eight orders of the four moves: where to begin, and which way round.
ORDERS = 8
_3, _29 = np.uint64(3), np.uint64(29)


class GuidedRules(NamedTuple):
    """How a generation is bred. See `evolve_guided`."""

    elites: int
    contest: int
    crossing: float
    patience: int


class Population(NamedTuple):
    """Genes, scores, how many moves each makes, and a fingerprint of those; `books` holds the best
    score of this start and when it came.
    """

    genes: Genes
    scores: NDArray[np.float64]
    made: Places
    prints: NDArray[np.uint64]
    books: Places


@kernel
def _been_since(
    here: int, near: int, steps: Places, way: NDArray[np.int8], since: int, made: int
) -> bool:
    """Whether a walk has stood on a cell since its move `since`, where a tile last fell: it would
    come to the same position again.
    """
    back = here
    for at in range(made - 1, since - 1, -1):
        back -= steps[way[at]]
        if back == near:
            return True
    return False


@kernel
def walk_guided(
    genes: Genes, field: Field, room: Room, way: NDArray[np.int8]
) -> tuple[int, int, bool]:
    """A chromosome as our own decoding plays it: (visits used, moves made, whether it wins). The
    moves are written to `way`.

    The first move in a gene's order that is neither void nor hopeless, and does not come back to
    the same position, is made; so every gene makes a move until none is left that keeps the round
    winnable as far as can be seen.
    """
    left, steps = room.left, field.steps
    left[:] = field.left
    here = field.start
    remaining = field.remaining
    if left[here] < NEVER:
        left[here] -= 1
        remaining -= 1
    made = 0
    since = 0
    for index in range(genes.shape[0]):
        if remaining == 0 and here == field.flag:
            break
        turn = 1 if genes[index] & 4 else 3
        moved = False
        for attempt in range(4):
            move = (np.int64(genes[index]) + attempt * turn) & 3
            near = here + steps[move]
            if left[near] == 0:
                continue
            falls = int(left[near] != NEVER)
            if not falls and _been_since(here, near, steps, way, since, made):
                continue
            left[near] -= falls
            if hopeless(field, room, near, remaining - falls):
                left[near] += falls
                continue
            remaining -= falls
            here = near
            way[made] = move
            made += 1
            if falls:
                since = made
            moved = True
            break
        if not moved:
            break
    return field.remaining - remaining, made, remaining == 0 and here == field.flag


@kernel
def _print_walk(way: NDArray[np.int8], made: int) -> np.uint64:
    """A fingerprint of a walk: its moves, mixed as they come."""
    mixed = np.uint64(made)
    for index in range(made):
        mixed = (mixed ^ np.uint64(way[index] + 1)) * GOLDEN_STEP
        mixed ^= mixed >> _29
    return mixed


@kernel
def _score(population: Population, field: Field, room: Room, way: NDArray[np.int8]) -> int:
    """Walk all until one wins, who is given, or -1. A walk that one before has made already scores
    nothing.
    """
    genes, scores, made, prints, _ = population
    for individual in range(genes.shape[0]):
        used, made[individual], won = walk_guided(genes[individual], field, room, way)
        if won:
            scores[individual] = used
            return individual
        prints[individual] = _print_walk(way, made[individual])
        scores[individual] = used
        for other in range(individual):
            if prints[other] == prints[individual]:
                scores[individual] = 0.0
                break
    return -1


@kernel
def _breed(
    seed: np.uint64,
    generation: int,
    population: Population,
    rules: GuidedRules,
    order: Places,
    bred: Genes,
) -> None:
    """The next generation, from individuals in order, best first."""
    genes, made = population.genes, population.made
    size, length = genes.shape
    for individual in range(size):
        if individual < rules.elites:
            bred[individual] = genes[order[individual]]
            continue
        choice = open_stream(seed, SELECT, generation, individual)
        place = size
        mate_place = size
        for number in range(rules.contest):
            place = min(place, int(draw_below(choice, 2 * number, size)))
            mate_place = min(mate_place, int(draw_below(choice, 2 * number + 1, size)))
        parent = order[place]
        bred[individual] = genes[parent]
        cross = open_stream(seed, CROSS, generation, individual)
        if draw_float(cross, 0) < rules.crossing:
            cut = draw_below(cross, 1, length)
            bred[individual, cut:] = genes[order[mate_place], cut:]
        change = open_stream(seed, MUTATE, generation, individual)
        # The later of two: what is changed late keeps a long beginning.
        reach = int(made[parent]) + 1
        at = min(max(draw_below(change, 0, reach), draw_below(change, 1, reach)), length - 1)
        bred[individual, at] = draw_below(change, 2, ORDERS)
        if draw(change, 3) & _3 != 0:
            for index in range(at + 1, length):
                bred[individual, index] = draw_below(change, index + 4, ORDERS)


@kernel
def evolve_guided(
    seed: np.uint64,
    first: int,
    count: int,
    population: Population,
    field: Field,
    rules: GuidedRules,
) -> tuple[int, int]:
    """Up to `count` generations of our own algorithm, from generation `first` on: (generations
    done, who won or -1).

    Scores are visits used up. A walk that another individual has made already scores nothing, so
    that no two stay alike. The best `elites` are handed on as they are. A parent is the best of
    `contest` drawn; a child is the beginning of one and, by the chance `crossing`, the end of
    another; then it changes from some gene on, more often late than early. After `patience`
    generations without a better best all start anew.
    """
    genes, scores, _, _, books = population
    room = make_room(field)
    way = zeros(genes.shape[1], np.int8)
    order = zeros(genes.shape[0], np.int64)
    bred = genes.copy()
    for generation in range(first, first + count):
        winner = _score(population, field, room, way)
        if winner >= 0:
            return generation - first, winner
        best_first(scores, order)
        best = np.int64(scores[order[0]])
        if best > books[0]:
            books[0] = best
            books[1] = generation
        if generation - books[1] >= rules.patience:
            books[0] = -1
            books[1] = generation
            start_genes(seed, generation + 1, genes, ORDERS)
        else:
            _breed(seed, generation, population, rules, order, bred)
            genes[:] = bred
    return count, -1


@kernel
def count_guided_wins(genes: Genes, field: Field) -> int:
    """How many chromosomes win as our own decoding plays them."""
    room = make_room(field)
    way = zeros(genes.shape[1], np.int8)
    wins = 0
    for who in range(genes.shape[0]):
        _, _, won = walk_guided(genes[who], field, room, way)
        wins += won
    return int(wins)
