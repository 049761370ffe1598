"""Evolution of walks as they are: a chromosome is the list of moves itself. No move is void, and
none is ruled out because it looks hopeless.

A child is a parent's walk, perhaps joined to another's at a cell that both come through. It is
changed by mutations, and then goes on at random until it can go no further. *Turn* (a rotation
after Posa): where the end of the walk is beside an earlier cell of it, the walk goes from that cell
straight to its end, and from there back over what was between; every tile keeps its visits, and the
walk ends elsewhere. *Detour*: a step is replaced by three around it, or two steps there and back
are put in, over tiles that bear more visits. *Cut*: the walk ends earlier.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import (
    CROSS,
    GOLDEN_STEP,
    MUTATE,
    SELECT,
    START,
    Index,
    draw_below,
    draw_float,
    open_stream,
)
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.flag_field import NEVER, Cells, Field, Places
from levolve.kernels.variation.selection import best_first

# Of ten mutations six are turns, two are detours and two are cuts.
TURNS, DETOURS = 6, 8
# Steps in a row onto tiles that never fall.
MOST_IDLE = 4
_29 = np.uint64(29)

Moves = NDArray[np.int8]
Stream = tuple[np.uint64, np.uint64]


class WalkRules(NamedTuple):
    """How a generation is bred. See `evolve_walks`."""

    elites: int
    contest: int
    crossing: float
    changes: int
    patience: int


class Walks(NamedTuple):
    """Walks: their moves, how many each makes, scores and fingerprints; `record` holds the best
    score of this start and its generation.
    """

    moves: Moves
    made: Places
    scores: NDArray[np.float64]
    prints: NDArray[np.uint64]
    record: NDArray[np.float64]


class Ground(NamedTuple):
    """Room for one walk: the cells it comes through, its start first, and the visits that each cell
    still bears.
    """

    cells: Places
    left: Cells


@kernel
def replay_walk(moves: Moves, made: int, field: Field, ground: Ground) -> int:
    """Play a walk into `ground`; gives how many visits are left over."""
    cells, left = ground
    left[:] = field.left
    cells[0] = field.start
    remaining = field.remaining
    for index in range(made + 1):
        if index > 0:
            cells[index] = cells[index - 1] + field.steps[moves[index - 1]]
        if left[cells[index]] < NEVER:
            left[cells[index]] -= 1
            remaining -= 1
    return remaining


@kernel
def extend_walk(
    moves: Moves, made: int, field: Field, ground: Ground, stream: Stream, drawn: Index
) -> tuple[int, int]:
    """Walk on at random until the walk wins, is stuck or is full: (moves made, visits left over).

    The first open move from a random one on is taken; a tile that never falls only `MOST_IDLE`
    times in a row.
    """
    remaining = replay_walk(moves, made, field, ground)
    here: Index = ground.cells[made]
    idle = 0
    while made < moves.shape[0] and not (remaining == 0 and here == field.flag):
        turn = draw_below(stream, drawn, 4)
        drawn += 1
        chosen: Index = -1
        for attempt in range(4):
            move = (turn + attempt) & 3
            visits = ground.left[here + field.steps[move]]
            if chosen < 0 and visits > 0 and (visits != NEVER or idle < MOST_IDLE):
                chosen = move
        if chosen < 0:
            break
        here += field.steps[chosen]
        moves[made] = chosen
        made += 1
        ground.cells[made] = here
        if ground.left[here] == NEVER:
            idle += 1
        else:
            idle = 0
            ground.left[here] -= 1
            remaining -= 1
    return made, remaining


@kernel
def turn_walk(moves: Moves, made: int, field: Field, ground: Ground, first: Index) -> None:
    """Turn the tail behind an earlier cell that the end is beside: the first such cell from the
    `first` on. `ground` holds the walk.
    """
    end = ground.cells[made]
    for attempt in range(made - 1):
        joint = (first + attempt) % (made - 1)
        for move in range(4):
            if ground.cells[joint] + field.steps[move] == end:
                # The tail but its first move, backwards and the other way.
                low, high = joint + 1, made - 1
                while low <= high:
                    moves[low], moves[high] = moves[high] ^ 1, moves[low] ^ 1
                    low += 1
                    high -= 1
                moves[joint] = move
                return


@kernel
def detour_walk(
    moves: Moves, made: int, field: Field, ground: Ground, first: Index, aside: Index
) -> int:
    """Put in a detour at the first step from the `first` on that allows one; gives how many moves
    there are then. `ground` holds the walk.

    `aside` is the direction in which the detour leaves the walk: across a step, around it; along
    it, there and back.
    """
    if made + 2 > moves.shape[0]:
        return made
    left = ground.left
    for attempt in range(made):
        at = (first + attempt) % made
        here, move = ground.cells[at], moves[at]
        beside = here + field.steps[aside]
        across = aside >> 1 != move >> 1
        other = beside + field.steps[move] if across else here
        if left[beside] > 0 and left[other] > 0:
            for index in range(made - 1, at - 1, -1):
                moves[index + 2] = moves[index]
            moves[at] = aside
            moves[at + 1] = move if across else aside ^ 1
            if across:
                moves[at + 2] = aside ^ 1
            return made + 2
    return made


@kernel
def join_walk(
    moves: Moves,
    cut: Index,
    mate: Moves,
    mate_made: int,
    field: Field,
    ground: Ground,
    first: Index,
) -> int:
    """Go on from a cell of a walk as a mate goes on from there, as far as that is open; gives how
    many moves there are then.

    The walk is cut to `cut` moves; the mate is joined where it first comes through that cell from
    its move `first` on.
    """
    remaining = replay_walk(moves, int(cut), field, ground)
    here: Index = ground.cells[cut]
    place = field.start
    joint = -1
    for index in range(mate_made):
        if joint < 0 and index >= first and place == here:
            joint = index
        place += field.steps[mate[index]]
    made = int(cut)
    if joint < 0:
        return made
    for index in range(joint, mate_made):
        near = here + field.steps[mate[index]]
        if (
            ground.left[near] == 0
            or made == moves.shape[0]
            or (remaining == 0 and here == field.flag)
        ):
            break
        here = near
        moves[made] = mate[index]
        made += 1
        if ground.left[here] < NEVER:
            ground.left[here] -= 1
            remaining -= 1
    return made


@kernel
def _print_walk(moves: Moves, made: int) -> np.uint64:
    """A fingerprint of a walk."""
    mixed = np.uint64(made)
    for index in range(made):
        mixed = (mixed ^ np.uint64(moves[index] + 1)) * GOLDEN_STEP
        mixed ^= mixed >> _29
    return mixed


@kernel
def start_walks(seed: np.uint64, generation: int, walks: Walks, field: Field) -> int:
    """Random walks for a whole population; gives who wins, or -1."""
    ground = Ground(zeros(walks.moves.shape[1] + 1, np.int64), field.left.copy())
    winner = -1
    for who in range(walks.moves.shape[0]):
        stream = open_stream(seed, START, generation, who)
        walks.made[who], over = extend_walk(walks.moves[who], 0, field, ground, stream, 0)
        won = _judge(walks, who, over, ground, field)
        if won and winner < 0:
            winner = who
    return winner


@kernel
def _judge(walks: Walks, who: int, over: int, ground: Ground, field: Field) -> bool:
    """Score a walk that `ground` holds: its visits used up, less than one off where it ends away
    from the flag. Whether it wins.
    """
    end = ground.cells[walks.made[who]]
    away = abs(end // field.width - field.flag // field.width) + abs(
        end % field.width - field.flag % field.width
    )
    walks.scores[who] = field.remaining - over - away / (field.left.shape[0] + 1)
    walks.prints[who] = _print_walk(walks.moves[who], walks.made[who])
    for other in range(who):
        if walks.prints[other] == walks.prints[who]:
            walks.scores[who] = 0.0
    return bool(over == 0 and end == field.flag)


@kernel
def _change(
    moves: Moves, made: int, field: Field, rules: WalkRules, change: Stream, ground: Ground
) -> tuple[int, Index]:
    """Apply one to `changes` mutations to a walk: (moves it then has, numbers drawn)."""
    drawn: Index = 1
    for _ in range(1 + draw_below(change, 0, rules.changes)):
        kind = draw_below(change, drawn, 10)
        replay_walk(moves, made, field, ground)
        if made > 1 and kind < TURNS:
            turn_walk(moves, made, field, ground, draw_below(change, drawn + 1, made - 1))
        elif made > 1 and kind < DETOURS:
            made = detour_walk(
                moves,
                made,
                field,
                ground,
                draw_below(change, drawn + 1, made),
                draw_below(change, drawn + 2, 4),
            )
        else:
            # The later of two: what is cut late keeps a long beginning.
            made = int(
                max(
                    draw_below(change, drawn + 1, made + 1), draw_below(change, drawn + 2, made + 1)
                )
            )
        drawn += 3
    return made, drawn


@kernel
def _breed(
    seed: np.uint64,
    generation: int,
    walks: Walks,
    rules: WalkRules,
    order: Places,
    field: Field,
    bred: Walks,
    ground: Ground,
) -> int:
    """The next generation, from walks in order, best first; gives who of it wins, or -1."""
    size = walks.moves.shape[0]
    winner = -1
    for who in range(size):
        moves = bred.moves[who]
        if who < rules.elites:
            moves[:] = walks.moves[order[who]]
            bred.made[who] = walks.made[order[who]]
            over = replay_walk(moves, bred.made[who], field, ground)
        else:
            choice = open_stream(seed, SELECT, generation, who)
            place = mate_place = size
            for number in range(rules.contest):
                place = min(place, int(draw_below(choice, 2 * number, size)))
                mate_place = min(mate_place, int(draw_below(choice, 2 * number + 1, size)))
            moves[:] = walks.moves[order[place]]
            made = int(walks.made[order[place]])
            cross = open_stream(seed, CROSS, generation, who)
            if draw_float(cross, 0) < rules.crossing:
                mate = order[mate_place]
                mate_made = int(walks.made[mate])
                cut, first = draw_below(cross, 1, made + 1), draw_below(cross, 2, mate_made + 1)
                made = join_walk(moves, cut, walks.moves[mate], mate_made, field, ground, first)
            change = open_stream(seed, MUTATE, generation, who)
            made, drawn = _change(moves, made, field, rules, change, ground)
            bred.made[who], over = extend_walk(moves, made, field, ground, change, drawn)
        won = _judge(bred, who, over, ground, field)
        if won and winner < 0:
            winner = who
    return winner


@kernel
def evolve_walks(
    seed: np.uint64,
    first: int,
    count: int,
    walks: Walks,
    field: Field,
    rules: WalkRules,
    winner: int,
) -> tuple[int, int]:
    """Up to `count` generations, from generation `first` on, whose winner is `winner` (or -1):
    (generations done, who wins or -1).

    The best `elites` are handed on as they are. A parent is the best of `contest` drawn. By the
    chance `crossing` its walk is joined to a second parent's; then it gets one to `changes`
    mutations. A walk that another individual makes already scores nothing. After `patience`
    generations without a better best all start anew.
    """
    order = zeros(walks.moves.shape[0], np.int64)
    bred = Walks(
        walks.moves.copy(),
        walks.made.copy(),
        walks.scores.copy(),
        walks.prints.copy(),
        walks.record,
    )
    ground = Ground(zeros(walks.moves.shape[1] + 1, np.int64), field.left.copy())
    for generation in range(first, first + count):
        if winner >= 0:
            return generation - first, winner
        best_first(walks.scores, order)
        if walks.scores[order[0]] > walks.record[0]:
            walks.record[0] = walks.scores[order[0]]
            walks.record[1] = generation
        if generation - walks.record[1] >= rules.patience:
            walks.record[0] = -1
            walks.record[1] = generation
            winner = start_walks(seed, generation + 1, walks, field)
        else:
            winner = _breed(seed, generation, walks, rules, order, field, bred, ground)
            walks.moves[:] = bred.moves
            walks.made[:] = bred.made
            walks.scores[:] = bred.scores
            walks.prints[:] = bred.prints
    return count, winner


@kernel
def count_random_walks(
    seed: np.uint64, generation: int, count: int, longest: int, field: Field
) -> int:
    """How many of `count` random walks win."""
    ground = Ground(zeros(longest + 1, np.int64), field.left.copy())
    moves = zeros(longest, np.int8)
    wins = 0
    for who in range(count):
        made, over = extend_walk(
            moves, 0, field, ground, open_stream(seed, START, generation, who), 0
        )
        wins += over == 0 and ground.cells[made] == field.flag
    return int(wins)
