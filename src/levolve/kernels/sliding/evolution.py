"""Generations of paths, after the *Enhanced 8-Puzzle GA*."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import zeros
from levolve.kernels.sliding.boards import Board, BoardFrame, Numbers, Words, print_board, rate_board, spread
from levolve.kernels.sliding.paths import REPLACE, Paths, cut_path, grow_path, join_paths, mutate_path, start_paths
from levolve.kernels.streams import CROSS, MUTATE, draw_below, draw_float, open_stream


class PathRules(NamedTuple):
    """How a generation is bred. See `evolve_paths`."""

    elites: int
    mutation: float
    crossing: float
    crowd: int
    shaken: int
    stride: int
    reach: int
    patience: int
    grown: int
    regrow: bool
    apart: bool


class Crowds(NamedTuple):
    """A table of how many paths have been met that end on a board: fingerprints, and how often."""

    prints: Words
    counts: Numbers


@kernel
def _count(crowds: Crowds, printed: np.uint64) -> int:
    """Meet a board once more; gives how often it has been met."""
    size = crowds.counts.shape[0]
    slot = spread(printed, size)
    while crowds.counts[slot] > 0 and crowds.prints[slot] != printed:
        slot = slot + 1 if slot + 1 < size else 0
    crowds.prints[slot] = printed
    crowds.counts[slot] += 1
    return int(crowds.counts[slot])


@kernel
def _choose_elites(paths: Paths, scores: NDArray[np.float64], apart: bool, chosen: Numbers, is_elite: NDArray[np.bool_]) -> int:
    """The best, the first of equals, as many as `chosen` holds; `apart`: no two that end on the same board. Gives how many there are."""
    population = scores.shape[0]
    barred = zeros(population, np.bool_)
    is_elite[:] = False
    for found in range(chosen.shape[0]):
        best = -1
        for who in range(population):
            if not barred[who] and (best < 0 or scores[who] > scores[best]):
                best = who
        if best < 0:
            return found
        chosen[found] = best
        is_elite[best] = True
        barred[best] = True
        if apart:
            end = paths.prints[best, paths.lengths[best]]
            for who in range(population):
                if scores[who] == scores[best] and paths.prints[who, paths.lengths[who]] == end:
                    barred[who] = True
    return int(chosen.shape[0])


@kernel
def _vary(seed: np.uint64, generation: int, paths: Paths, who: int, elites: Numbers, frame: BoardFrame, rules: PathRules) -> None:
    """Join a path with an elite and mutate it, each by its chance."""
    if elites.shape[0] > 0:
        cross = open_stream(seed, CROSS, generation, who)
        if draw_float(cross, 0) < rules.crossing:
            join_paths(paths, who, elites[draw_below(cross, 1, elites.shape[0])], frame)
    change = open_stream(seed, MUTATE, generation, who)
    if draw_float(change, 0) < rules.mutation:
        kind = draw_below(change, 1, 4)
        again = draw_below(change, 4, rules.stride) if kind < REPLACE else 0
        length = paths.lengths[who]
        cut = length - draw_below(change, 3, (min(length, rules.reach) if rules.reach > 0 else length) + 1)
        for step in range(again + 1):
            mutate_path(paths, who, frame, kind, draw_below(change, 2 if step == 0 else 5 + step, 4), cut)


@kernel
def _regrow(seed: np.uint64, generation: int, paths: Paths, who: int, frame: BoardFrame, steps: int) -> None:
    """Cut a path to a random length and let it grow by random moves."""
    change = open_stream(seed, MUTATE, generation, who)
    cut_path(paths, who, draw_below(change, 4, paths.lengths[who] + 1), frame)
    for step in range(steps):
        grow_path(paths, who, frame, False, draw_below(change, 5 + step, 4), -1)


@kernel
def _mutate_often(seed: np.uint64, generation: int, paths: Paths, who: int, frame: BoardFrame, times: int) -> None:
    """Apply the mutation operator to a path many times, as the author's report does."""
    change = open_stream(seed, MUTATE, generation, who)
    for time in range(times):
        kind = draw_below(change, 3 * time, 4)
        cut = draw_below(change, 3 * time + 2, paths.lengths[who] + 1)
        mutate_path(paths, who, frame, kind, draw_below(change, 3 * time + 1, 4), cut)


@kernel
def evolve_paths(
    seed: np.uint64,
    first: int,
    count: int,
    start: Board,
    frame: BoardFrame,
    paths: Paths,
    scores: NDArray[np.float64],
    books: NDArray[np.float64],
    rules: PathRules,
) -> tuple[int, int]:
    """Up to `count` generations, from generation `first` on: (generations done, who has reached the goal or -1).

    The best `elites` stay as they are; with `apart`, no two of them end on the same board. Every
    other path is joined with an elite by the chance `crossing` and mutated by the chance
    `mutation`. Where more than `crowd` paths end on the same board, those in excess are changed
    strongly: cut to a random length and grown by `shaken` random moves (`regrow`), or mutated
    `shaken` times. With `crowd` 0 no path is in excess.

    A mutation that grows does so by up to `stride` moves, one that cuts takes off at most `reach` (0: any number); 1 and 0 are the source's.
    After `patience` generations without a better best all start anew, `grown` moves long; `books` holds the best of this start and the generation it
    came in. If `count` is 0, the first paths are grown instead: a kernel of their own would be compiled a second time.
    """
    if count == 0:
        start_paths(seed, first, start, frame, rules.grown, paths)
    population = paths.moves.shape[0]
    aim = print_board(frame.goal, frame)
    chosen = zeros(rules.elites, np.int64)
    is_elite = zeros(population, np.bool_)
    crowds = Crowds(zeros(4 * population, np.uint64), zeros(4 * population, np.int64))
    for generation in range(first, first + count):
        best = -np.inf
        for who in range(population):
            scores[who] = rate_board(paths.boards[who], frame)
            best = max(best, scores[who])
            if paths.prints[who, paths.lengths[who]] == aim:
                return generation - first, who
        if best > books[0]:
            books[0] = best
            books[1] = generation
        if generation - books[1] >= rules.patience:
            books[0] = -np.inf
            books[1] = generation
            start_paths(seed, generation + 1, start, frame, rules.grown, paths)
            continue
        elites = chosen[: _choose_elites(paths, scores, rules.apart, chosen, is_elite)]
        crowds.counts[:] = 0
        for who in range(population):
            met = _count(crowds, paths.prints[who, paths.lengths[who]])
            if is_elite[who]:
                continue
            if 0 < rules.crowd < met and rules.regrow:
                _regrow(seed, generation, paths, who, frame, rules.shaken)
            elif 0 < rules.crowd < met:
                _mutate_often(seed, generation, paths, who, frame, rules.shaken)
            else:
                _vary(seed, generation, paths, who, elites, frame, rules)
    return count, -1
