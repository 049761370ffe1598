"""Generations of paths, after the *Enhanced 8-Puzzle GA*.

Paths of boards, and how they change: grow, replace the last board, cut, join.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import (
    CROSS,
    MUTATE,
    START,
    Index,
    draw_below,
    draw_float,
    open_stream,
)
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.sliding_boards import (
    Board,
    BoardFrame,
    Numbers,
    Words,
    find_blank,
    print_after,
    print_board,
    rate_board,
    slide,
    spread,
)

BEST, RANDOM, REPLACE, CUT = range(4)


class Paths(NamedTuple):
    """A population of paths, none of which holds a board twice: moves, fingerprints of the boards
    from the start on, the last board and its blank, and how many moves.
    """

    moves: NDArray[np.int8]
    prints: Words
    boards: NDArray[np.uint8]
    blanks: Numbers
    lengths: Numbers


@kernel
def _find(prints: Words, length: int, sought: np.uint64) -> int:
    """Where a board stands in a path, from the end; -1 if nowhere."""
    for index in range(length, -1, -1):
        if prints[index] == sought:
            return index
    return -1


@kernel
def _step(paths: Paths, who: int, move: Index, printed: np.uint64, frame: BoardFrame) -> None:
    """Add a move to a path that has room for it."""
    blank, length = paths.blanks[who], paths.lengths[who]
    other = frame.near[blank, move]
    slide(paths.boards[who], blank, other)
    paths.moves[who, length] = move
    paths.prints[who, length + 1] = printed
    paths.blanks[who] = other
    paths.lengths[who] = length + 1


@kernel
def cut_path(paths: Paths, who: int, length: Index, frame: BoardFrame) -> None:
    """Take moves back until `length` are left."""
    board, blank = paths.boards[who], paths.blanks[who]
    for index in range(paths.lengths[who] - 1, length - 1, -1):
        other = frame.near[blank, paths.moves[who, index] ^ 1]
        slide(board, blank, other)
        blank = other
    paths.blanks[who] = blank
    paths.lengths[who] = length


@kernel
def grow_path(
    paths: Paths, who: int, frame: BoardFrame, best: bool, turn: Index, barred: Index
) -> bool:
    """One more move, not the `barred` one, that leads to no board of the path: the best of them, or
    a random one. False where there is none.

    Moves are tried from the turn-th on, round the four: a random move is the first that will do,
    and so is the best of equals.
    """
    moves, prints, board = paths.moves[who], paths.prints[who], paths.boards[who]
    blank, length = paths.blanks[who], paths.lengths[who]
    if length == moves.shape[0]:
        return False
    chosen = -1
    chosen_print = np.uint64(0)
    chosen_score = -np.inf
    for attempt in range(4):
        move = (turn + attempt) & 3
        other = frame.near[blank, move]
        if other < 0 or move == barred or (length > 0 and moves[length - 1] == move ^ 1):
            continue
        printed = print_after(prints[length], board[other], blank, other, frame)
        if _find(prints, length, printed) >= 0:
            continue
        score = 0.0
        if best:
            slide(board, blank, other)
            score = rate_board(board, frame)
            slide(board, other, blank)
        if score > chosen_score:
            chosen, chosen_print, chosen_score = move, printed, score
        if not best:
            break
    if chosen < 0:
        return False
    _step(paths, who, chosen, chosen_print, frame)
    return True


@kernel
def start_paths(
    seed: np.uint64, generation: int, start: Board, frame: BoardFrame, grown: int, paths: Paths
) -> None:
    """A population of paths from the start, each grown by `grown` random moves that close no
    cycle.
    """
    blank = find_blank(start)
    printed = print_board(start, frame)
    for who in range(paths.moves.shape[0]):
        stream = open_stream(seed, START, generation, who)
        for cell in range(start.size):
            paths.boards[who, cell] = start[cell]
        paths.blanks[who] = blank
        paths.lengths[who] = 0
        paths.prints[who, 0] = printed
        for step in range(grown):
            grow_path(paths, who, frame, False, draw_below(stream, step, 4), -1)


@kernel
def join_paths(paths: Paths, who: int, elite: Index, frame: BoardFrame) -> None:
    """Crossover: from the elite's end back to its start, the first board that the weaker path holds
    too; the elite's end is put there.

    The source could close a cycle this way. Here a board that comes up a second time takes the path
    back to where it came up first.
    """
    prints, elite_prints, elite_length = (
        paths.prints[who],
        paths.prints[elite],
        paths.lengths[elite],
    )
    joint = elite_length
    at = _find(prints, paths.lengths[who], elite_prints[joint])
    while at < 0:
        # Both begin with the same board, so there is an end to this.
        joint -= 1
        at = _find(prints, paths.lengths[who], elite_prints[joint])
    cut_path(paths, who, at, frame)
    for index in range(joint, elite_length):
        known = _find(prints, paths.lengths[who], elite_prints[index + 1])
        if known >= 0:
            cut_path(paths, who, known, frame)
        elif paths.lengths[who] == paths.moves.shape[1]:
            return
        else:
            # The same type as in other calls: another version of a kernel takes a second to
            # compile.
            _step(paths, who, np.int64(paths.moves[elite, index]), elite_prints[index + 1], frame)


@kernel
def mutate_path(
    paths: Paths, who: int, frame: BoardFrame, kind: Index, turn: Index, cut: Index
) -> None:
    """One of the four mutations: grow by the best move, grow by a random one, replace the last
    board, or cut to the length `cut`.
    """
    length = paths.lengths[who]
    if kind == CUT:
        cut_path(paths, who, cut, frame)
    elif kind != REPLACE:
        grow_path(paths, who, frame, kind == BEST, turn, -1)
    elif length > 0:
        last, printed = np.int64(paths.moves[who, length - 1]), paths.prints[who, length]
        cut_path(paths, who, length - 1, frame)
        if not grow_path(paths, who, frame, False, turn, last):
            # There is no other board: all stays as it was.
            _step(paths, who, last, printed, frame)


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
def _choose_elites(
    paths: Paths,
    scores: NDArray[np.float64],
    apart: bool,
    chosen: Numbers,
    is_elite: NDArray[np.bool_],
) -> int:
    """The best, the first of equals, as many as `chosen` holds; `apart`: no two that end on the
    same board. Gives how many there are.
    """
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
def _vary(
    seed: np.uint64,
    generation: int,
    paths: Paths,
    who: int,
    elites: Numbers,
    frame: BoardFrame,
    rules: PathRules,
) -> None:
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
        cut = length - draw_below(
            change, 3, (min(length, rules.reach) if rules.reach > 0 else length) + 1
        )
        for step in range(again + 1):
            mutate_path(
                paths, who, frame, kind, draw_below(change, 2 if step == 0 else 5 + step, 4), cut
            )


@kernel
def _regrow(
    seed: np.uint64, generation: int, paths: Paths, who: int, frame: BoardFrame, steps: int
) -> None:
    """Cut a path to a random length and let it grow by random moves."""
    change = open_stream(seed, MUTATE, generation, who)
    cut_path(paths, who, draw_below(change, 4, paths.lengths[who] + 1), frame)
    for step in range(steps):
        grow_path(paths, who, frame, False, draw_below(change, 5 + step, 4), -1)


@kernel
def _mutate_often(
    seed: np.uint64, generation: int, paths: Paths, who: int, frame: BoardFrame, times: int
) -> None:
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
    """Up to `count` generations, from generation `first` on: (generations done, who has reached the
    goal or -1).

    The best `elites` stay as they are; with `apart`, no two of them end on the same board. Every
    other path is joined with an elite by the chance `crossing` and mutated by the chance
    `mutation`. Where more than `crowd` paths end on the same board, those in excess are changed
    strongly: cut to a random length and grown by `shaken` random moves (`regrow`), or mutated
    `shaken` times. With `crowd` 0 no path is in excess.

    A mutation that grows does so by up to `stride` moves, one that cuts takes off at most `reach`
    (0: any number); 1 and 0 are the source's. After `patience` generations without a better best
    all start anew, `grown` moves long; `books` holds the best of this start and the generation it
    came in. If `count` is 0, the first paths are grown instead: a kernel of their own would be
    compiled a second time.
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
