"""The sliding puzzle: tables of distances, iterative deepening on pattern databases, and populations of paths.

A board is flat, one byte a cell, row by row; 0 is the blank and the goal has the tile of each cell named after it: a goal with the blank in the
last cell is 1, 2, 3, … 0. Other goals are brought into this form by renaming tiles (`puzzles/sliding/rules.py`). A move is the way a *tile* slides,
u, d, l, r: the blank goes the other way. `near[cell, move]` is the cell whose tile slides into a blank at `cell` by that move, or -1.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.streams import CROSS, MUTATE, START, Index, draw_below, draw_float, mix, open_stream

Board = NDArray[np.uint8]
Near = NDArray[np.int64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

FOUND, EXHAUSTED, GAVE_UP = 1, 0, 2
UNKNOWN = 255
ALL_MOVES = 4
BEST, RANDOM, REPLACE = range(3)


@kernel
def rank_board(board: Board) -> int:
    """The place of a board among all orders of its tiles, by Lehmer's code."""
    cells = board.shape[0]
    rank = 0
    for cell in range(cells):
        smaller = 0
        for later in range(cell + 1, cells):
            if board[later] < board[cell]:
                smaller += 1
        rank = rank * (cells - cell) + smaller
    return rank


@kernel
def distance_table(goal: Board, near: Near, distances: NDArray[np.uint8]) -> int:
    """The least number of moves to the goal for every board, by rank; `UNKNOWN` for one that cannot reach it. Gives how many can."""
    cells = goal.shape[0]
    distances[:] = UNKNOWN
    queue = np.zeros((distances.shape[0] // 2 + 1, cells), np.uint8)
    queue[0] = goal
    distances[rank_board(goal)] = 0
    count = 1
    done = 0
    board = goal.copy()
    while done < count:
        board[:] = queue[done]
        done += 1
        distance = distances[rank_board(board)]
        blank = 0
        while board[blank] != 0:
            blank += 1
        for move in range(4):
            other = near[blank, move]
            if other < 0:
                continue
            board[blank], board[other] = board[other], 0
            rank = rank_board(board)
            if distances[rank] == UNKNOWN:
                distances[rank] = distance + 1
                queue[count] = board
                count += 1
            board[other], board[blank] = board[blank], 0
    return count


@kernel
def pattern_table(places: Numbers, blank: int, near: Near, table: NDArray[np.uint8]) -> None:
    """How many moves of a few tiles alone bring those to their goals at `places`, for every way they can stand.

    An entry's index has the cell of each tile as a digit, the first tile's the highest. Moves of all other tiles are free, so that tables of
    different tiles may be added (Korf and Felner 2002). Breadth-first by moves that count; between those the blank wanders.
    """
    cells = near.shape[0]
    tiles = places.shape[0]
    size = table.shape[0]
    table[:] = UNKNOWN
    seen = np.zeros(size * cells, np.bool_)
    now = np.zeros(size * cells, np.int32)
    after = np.zeros(size * cells, np.int32)
    weights = np.ones(tiles, np.int64)
    for tile in range(tiles - 2, -1, -1):
        weights[tile] = weights[tile + 1] * cells
    index = 0
    for tile in range(tiles):
        index += places[tile] * weights[tile]
    now[0] = index * cells + blank
    seen[now[0]] = True
    count = 1
    moves = 0
    stands = np.full(cells, -1, np.int64)
    while count > 0:
        following = 0
        done = 0
        while done < count:
            state = np.int64(now[done])
            done += 1
            index = state // cells
            empty = state % cells
            if table[index] == UNKNOWN:
                table[index] = moves
            for tile in range(tiles):
                stands[index // weights[tile] % cells] = tile
            for move in range(4):
                other = near[empty, move]
                if other < 0:
                    continue
                tile = stands[other]
                if tile < 0:
                    state = index * cells + other
                    if not seen[state]:
                        seen[state] = True
                        now[count] = state
                        count += 1
                else:
                    state = (index + (empty - other) * weights[tile]) * cells + other
                    if not seen[state]:
                        seen[state] = True
                        after[following] = state
                        following += 1
            for tile in range(tiles):
                stands[index // weights[tile] % cells] = -1
        now, after = after, now
        count = following
        moves += 1


@kernel
def deepen(
    start: Board,
    near: Near,
    tables: NDArray[np.uint8],
    group: Numbers,
    weight: Numbers,
    mirror: Numbers,
    budget: int,
    moves: NDArray[np.int8],
) -> tuple[int, int, int]:
    """Iterative deepening A*: (outcome, length, positions looked at); the moves are written to `moves`.

    Tile t belongs to the table `group[t]`, where its cell counts `weight[t]`. Where `mirror` is given (its first entry is not -1) the board is also
    looked up as its reflection: cell c is then mirror[c], and so is the tile named after it.
    """
    cells = start.shape[0]
    groups = tables.shape[0]
    mirrored = mirror[0] >= 0
    board = start.copy()
    longest = moves.shape[0]
    blank = 0
    while board[blank] != 0:
        blank += 1
    index = np.zeros(groups, np.int64)
    image = np.zeros(groups, np.int64)
    for cell in range(cells):
        tile = int(board[cell])
        if tile != 0:
            index[group[tile]] += cell * weight[tile]
            if mirrored:
                twin = mirror[cells + tile]
                image[group[twin]] += mirror[cell] * weight[twin]
    estimate = 0
    reflected = 0
    for which in range(groups):
        estimate += int(tables[which, index[which]])
        if mirrored:
            reflected += int(tables[which, image[which]])
    bound = max(estimate, reflected)
    tried = np.zeros(longest + 2, np.int8)
    plain = np.zeros(longest + 2, np.int64)
    turned = np.zeros(longest + 2, np.int64)
    nodes = 0
    while bound <= longest:
        following = 1 << 40
        depth = 0
        tried[0] = 0
        plain[0] = estimate
        turned[0] = reflected
        if max(estimate, reflected) == 0:
            return FOUND, 0, nodes
        while depth >= 0:
            if tried[depth] == ALL_MOVES:
                depth -= 1
                if depth >= 0:
                    # Take the move back: the blank returns, the tile too.
                    move = moves[depth]
                    other = near[blank, move ^ 1]
                    tile = int(board[other])
                    board[blank] = tile
                    board[other] = 0
                    index[group[tile]] += (blank - other) * weight[tile]
                    if mirrored:
                        twin = mirror[cells + tile]
                        image[group[twin]] += (mirror[blank] - mirror[other]) * weight[twin]
                    blank = other
                continue
            move = tried[depth]
            tried[depth] += 1
            if depth > 0 and moves[depth - 1] == move ^ 1:
                continue
            other = near[blank, move]
            if other < 0:
                continue
            tile = int(board[other])
            which = group[tile]
            went = index[which] + (blank - other) * weight[tile]
            value = plain[depth] - int(tables[which, index[which]]) + int(tables[which, went])
            total = value
            value_turned = 0
            went_turned = 0
            which_turned = 0
            if mirrored:
                twin = mirror[cells + tile]
                which_turned = group[twin]
                went_turned = image[which_turned] + (mirror[blank] - mirror[other]) * weight[twin]
                value_turned = turned[depth] - int(tables[which_turned, image[which_turned]]) + int(tables[which_turned, went_turned])
                total = max(total, value_turned)
            nodes += 1
            if depth + 1 + total > bound:
                following = min(following, depth + 1 + total)
                continue
            if nodes > budget:
                return GAVE_UP, bound, nodes
            index[which] = went
            if mirrored:
                image[which_turned] = went_turned
            board[blank] = tile
            board[other] = 0
            blank = other
            moves[depth] = move
            depth += 1
            tried[depth] = 0
            plain[depth] = value
            turned[depth] = value_turned
            if total == 0:
                return FOUND, depth, nodes
        bound = following
    return EXHAUSTED, bound, nodes


@kernel
def print_board(board: Board) -> np.uint64:
    """A fingerprint of a board: a random word for each tile on its cell, joined by exclusive or (Zobrist)."""
    joined = np.uint64(0)
    for cell in range(board.shape[0]):
        joined ^= mix(np.uint64(cell * 32 + int(board[cell]) + 1))
    return joined


@kernel
def rate_board(board: Board, goal: Board, goal_cell: Numbers, width: int, rings: int) -> float:
    """The source's fitness, 1 - 0.01 * Manhattan - 0.2 * TopLeft; 1 at the goal.

    TopLeft counts a top row and a left column that are not as in the goal. On larger boards what is left without them has a top row and a left
    column of its own, and so on for as many `rings` as there are; a 3x3 board has one, as in the source.
    """
    cells = board.shape[0]
    manhattan = 0
    for cell in range(cells):
        tile = board[cell]
        if tile != 0:
            to = goal_cell[tile]
            manhattan += abs(cell // width - to // width) + abs(cell % width - to % width)
    wrong = 0
    height = cells // width
    for ring in range(rings):
        for column in range(ring, width):
            if board[ring * width + column] != goal[ring * width + column]:
                wrong += 1
                break
        for row in range(ring, height):
            if board[row * width + ring] != goal[row * width + ring]:
                wrong += 1
                break
    return 1.0 - 0.01 * manhattan - 0.2 * wrong


@kernel
def _find(prints: Words, length: int, sought: np.uint64) -> int:
    """Where a board stands in a path, from the end; -1 if nowhere."""
    for index in range(length, -1, -1):
        if prints[index] == sought:
            return index
    return -1


@kernel
def _slide(board: Board, blank: int, other: int) -> None:
    board[blank] = board[other]
    board[other] = 0


@kernel
def _print_after(printed: np.uint64, tile: int, blank: int, other: int) -> np.uint64:
    """The fingerprint after a tile slid from `other` to `blank`."""
    return (
        printed
        ^ mix(np.uint64(blank * 32 + 1))
        ^ mix(np.uint64(other * 32 + tile + 1))
        ^ mix(np.uint64(blank * 32 + tile + 1))
        ^ mix(np.uint64(other * 32 + 1))
    )


@kernel
def _take_back(moves: NDArray[np.int8], board: Board, blank: int, near: Near, length: int, to: Index) -> int:
    """Undo moves from the end until `to` are left; gives the blank's cell."""
    for index in range(length - 1, to - 1, -1):
        other = near[blank, moves[index] ^ 1]
        _slide(board, blank, other)
        blank = other
    return blank


@kernel
def _grow(
    moves: NDArray[np.int8],
    prints: Words,
    board: Board,
    blank: int,
    length: int,
    near: Near,
    goal: Board,
    goal_cell: Numbers,
    width: int,
    rings: int,
    best: bool,
    turn: Index,
    barred: int,
) -> tuple[int, int]:
    """One more move that leads to no board of the path: the best of them, or a random one by `turn`. Gives blank and length; no move, no change.

    A random move is the first that will do from the turn-th on, round the four.
    """
    if length == moves.shape[0]:
        return blank, length
    chosen = -1
    chosen_print = np.uint64(0)
    chosen_score = -1e30
    for attempt in range(4):
        move = (turn + attempt) & 3
        other = near[blank, move]
        if other < 0 or move == barred or (length > 0 and moves[length - 1] == move ^ 1):
            continue
        printed = _print_after(prints[length], int(board[other]), blank, other)
        if _find(prints, length, printed) >= 0:
            continue
        if not best:
            chosen, chosen_print = move, printed
            break
        _slide(board, blank, other)
        score = rate_board(board, goal, goal_cell, width, rings)
        _slide(board, other, blank)
        if score > chosen_score:
            chosen, chosen_print, chosen_score = move, printed, score
    if chosen < 0:
        return blank, length
    other = near[blank, chosen]
    _slide(board, blank, other)
    moves[length] = chosen
    prints[length + 1] = chosen_print
    return other, length + 1


@kernel
def start_paths(
    seed: np.uint64,
    generation: int,
    start: Board,
    near: Near,
    goal: Board,
    goal_cell: Numbers,
    width: int,
    grown: int,
    moves: NDArray[np.int8],
    prints: Words,
    boards: NDArray[np.uint8],
    blanks: Numbers,
    lengths: Numbers,
) -> None:
    """A population of paths from the start, each grown by `grown` random moves that close no cycle."""
    blank = 0
    while start[blank] != 0:
        blank += 1
    for individual in range(moves.shape[0]):
        stream = open_stream(seed, START, generation, individual)
        boards[individual] = start
        blanks[individual] = blank
        lengths[individual] = 0
        prints[individual, 0] = print_board(start)
        for step in range(grown):
            blanks[individual], lengths[individual] = _grow(
                moves[individual],
                prints[individual],
                boards[individual],
                blanks[individual],
                lengths[individual],
                near,
                goal,
                goal_cell,
                width,
                1,
                False,
                draw_below(stream, step, 4),
                -1,
            )


@kernel
def join_paths(
    moves: NDArray[np.int8],
    prints: Words,
    board: Board,
    blank: int,
    length: int,
    elite_moves: NDArray[np.int8],
    elite_prints: Words,
    elite_length: int,
    near: Near,
) -> tuple[int, int]:
    """Crossover: from the elite's end back to its start, the first board that the weaker path holds too; the elite's end is put there.

    The source could close a cycle this way. Here a board that comes up a second time takes the path back to where it came up first.
    """
    for joint in range(elite_length, -1, -1):
        at = _find(prints, length, elite_prints[joint])
        if at < 0:
            continue
        blank = _take_back(moves, board, blank, near, length, at)
        length = at
        for index in range(joint, elite_length):
            known = _find(prints, length, elite_prints[index + 1])
            if known >= 0:
                blank = _take_back(moves, board, blank, near, length, known)
                length = known
                continue
            if length == moves.shape[0]:
                break
            move = elite_moves[index]
            other = near[blank, move]
            _slide(board, blank, other)
            blank = other
            moves[length] = move
            length += 1
            prints[length] = elite_prints[index + 1]
        break
    return blank, length


@kernel
def mutate_path(
    moves: NDArray[np.int8],
    prints: Words,
    board: Board,
    blank: int,
    length: int,
    near: Near,
    goal: Board,
    goal_cell: Numbers,
    width: int,
    rings: int,
    kind: Index,
    turn: Index,
    cut: Index,
) -> tuple[int, int]:
    """One of the four mutations: 0 grow by the best move, 1 grow by a random one, 2 replace the last board, 3 cut to the length `cut`."""
    if kind == BEST:
        return _grow(moves, prints, board, blank, length, near, goal, goal_cell, width, rings, True, turn, -1)
    if kind == RANDOM:
        return _grow(moves, prints, board, blank, length, near, goal, goal_cell, width, rings, False, turn, -1)
    if kind == REPLACE:
        if length == 0:
            return blank, length
        last = moves[length - 1]
        was = prints[length]
        back = _take_back(moves, board, blank, near, length, length - 1)
        grown_blank, grown = _grow(moves, prints, board, back, length - 1, near, goal, goal_cell, width, rings, False, turn, last)
        if grown == length:
            return grown_blank, length
        # There is no other board: all stays as it was.
        other = near[back, last]
        _slide(board, back, other)
        moves[length - 1] = last
        prints[length] = was
        return other, length
    return _take_back(moves, board, blank, near, length, cut), int(cut)


@kernel
def evolve_paths(
    seed: np.uint64,
    first: int,
    count: int,
    near: Near,
    goal: Board,
    goal_cell: Numbers,
    width: int,
    rings: int,
    moves: NDArray[np.int8],
    prints: Words,
    boards: NDArray[np.uint8],
    blanks: Numbers,
    lengths: Numbers,
    scores: NDArray[np.float64],
    elites: int,
    mutation: float,
    crossing: float,
    crowd: int,
    shaken: int,
    stride: int,
    reach: int,
    patience: int,
    start: Board,
    grown: int,
    books: NDArray[np.float64],
) -> tuple[int, int]:
    """Up to `count` generations, from generation `first` on: (generations done, who has reached the goal or -1).

    The best `elites` stay as they are. Every other path is joined with an elite by the chance `crossing` and mutated by the chance `mutation`. Where
    more than `crowd` paths end on the same board, those past it are shaken: cut to a random length and grown by `shaken` random moves; then
    too, no two elites end on the same board. Without such control (`crowd` 0) neither is looked at.

    A mutation that grows does so by up to `stride` moves, one that cuts takes off at most `reach` (0: any number); 1 and 0 are the source's.
    After `patience` generations without a better best all start anew; `books` holds the best of this start and the generation it came in.
    """
    population = moves.shape[0]
    aim = print_board(goal)
    chosen = np.zeros(elites, np.int64)
    is_elite = np.zeros(population, np.bool_)
    barred = np.zeros(population, np.bool_)
    slots = np.zeros(4 * population, np.int64)
    held = np.zeros(4 * population, np.uint64)
    for generation in range(first, first + count):
        for individual in range(population):
            scores[individual] = rate_board(boards[individual], goal, goal_cell, width, rings)
            if prints[individual, lengths[individual]] == aim:
                return generation - first, individual
        best_score = scores.max()
        if best_score > books[0]:
            books[0] = best_score
            books[1] = generation
        if generation - books[1] >= patience:
            books[0] = -1e30
            books[1] = generation
            start_paths(seed, generation + 1, start, near, goal, goal_cell, width, grown, moves, prints, boards, blanks, lengths)
            continue
        is_elite[:] = False
        barred[:] = False
        found = 0
        while found < elites:
            best = -1
            for individual in range(population):
                if not barred[individual] and (best < 0 or scores[individual] > scores[best]):
                    best = individual
            if best < 0:
                break
            is_elite[best] = True
            barred[best] = True
            chosen[found] = best
            found += 1
            if crowd > 0:
                # No two elites end on the same board.
                taken = prints[best, lengths[best]]
                for individual in range(population):
                    if scores[individual] == scores[best] and prints[individual, lengths[individual]] == taken:
                        barred[individual] = True
        slots[:] = 0
        for individual in range(population):
            path = moves[individual]
            steps = prints[individual]
            board = boards[individual]
            current = steps[lengths[individual]]
            slot: Index = np.int64(current % np.uint64(4 * population))
            while slots[slot] > 0 and held[slot] != current:
                slot = slot + 1 if slot + 1 < 4 * population else 0
            held[slot] = current
            slots[slot] += 1
            if is_elite[individual]:
                continue
            change = open_stream(seed, MUTATE, generation, individual)
            if crowd > 0 and slots[slot] > crowd:
                cut = draw_below(change, 4, lengths[individual] + 1)
                blanks[individual] = _take_back(path, board, blanks[individual], near, lengths[individual], cut)
                lengths[individual] = cut
                for step in range(shaken):
                    blanks[individual], lengths[individual] = _grow(
                        path, steps, board, blanks[individual], lengths[individual], near, goal, goal_cell, width, rings, False,
                        draw_below(change, 5 + step, 4), -1,
                    )  # fmt: skip
                continue
            if found > 0:
                cross = open_stream(seed, CROSS, generation, individual)
                if draw_float(cross, 0) < crossing:
                    elite = chosen[draw_below(cross, 1, found)]
                    blanks[individual], lengths[individual] = join_paths(
                        path, steps, board, blanks[individual], lengths[individual], moves[elite], prints[elite], lengths[elite], near
                    )
            if draw_float(change, 0) < mutation:
                kind = draw_below(change, 1, 4)
                again = draw_below(change, 4, stride) if kind < REPLACE else 0
                most = lengths[individual] + 1
                if reach > 0:
                    most = min(most, reach + 1)
                cut = lengths[individual] - draw_below(change, 3, most)
                for step in range(again + 1):
                    blanks[individual], lengths[individual] = mutate_path(
                        path, steps, board, blanks[individual], lengths[individual], near, goal, goal_cell, width, rings,
                        kind, draw_below(change, 2 if step == 0 else 5 + step, 4), cut,
                    )  # fmt: skip
    return count, -1


@kernel
def shorten(start: Board, goal: Board, near: Near, moves: NDArray[np.int8], lengths: Numbers, room: int, way: NDArray[np.int8]) -> int:
    """The shortest way from start to goal over boards that any of the paths holds; its moves are written to `way`, its length is given.

    All boards of all paths, and of those around them the nearest, as many as there is `room` for, are joined wherever two are one move apart:
    breadth-first from the start. -1 if no path holds the goal.
    """
    population = moves.shape[0]
    cells = start.shape[0]
    total = 1
    for individual in range(population):
        total += lengths[individual]
    total = max(total, room)
    size = 2 * total + 1
    slots = np.full(size, -1, np.int64)
    held = np.zeros((total, cells), np.uint8)
    came = np.full(total, -1, np.int64)
    by = np.zeros(total, np.int8)
    board = start.copy()
    known = 0
    home = 0
    while start[home] != 0:
        home += 1
    for individual in range(population):
        board[:] = start
        blank = home
        for index in range(lengths[individual] + 1):
            if index > 0:
                other = near[blank, moves[individual, index - 1]]
                _slide(board, blank, other)
                blank = other
            slot = _board_slot(slots, held, board)
            if slots[slot] < 0:
                slots[slot] = known
                held[known] = board
                known += 1
    done = 0
    while done < known < room:
        board[:] = held[done]
        done += 1
        blank = 0
        while board[blank] != 0:
            blank += 1
        for move in range(4):
            other = near[blank, move]
            if other < 0 or known == room:
                continue
            _slide(board, blank, other)
            slot = _board_slot(slots, held, board)
            if slots[slot] < 0:
                slots[slot] = known
                held[known] = board
                known += 1
            _slide(board, other, blank)
    # The start is board 0. A board that has been reached knows from where (the start from itself).
    queue = np.zeros(known, np.int64)
    came[0] = 0
    count = 1
    done = 0
    while done < count:
        at = queue[done]
        done += 1
        board[:] = held[at]
        same = True
        for cell in range(cells):
            if board[cell] != goal[cell]:
                same = False
                break
        if same:
            length = 0
            back = at
            while back != 0:
                length += 1
                back = came[back]
            back = at
            for index in range(length - 1, -1, -1):
                way[index] = by[back]
                back = came[back]
            return length
        blank = 0
        while board[blank] != 0:
            blank += 1
        for move in range(4):
            other = near[blank, move]
            if other < 0:
                continue
            _slide(board, blank, other)
            slot = _board_slot(slots, held, board)
            if slots[slot] >= 0 and came[slots[slot]] < 0:
                came[slots[slot]] = at
                by[slots[slot]] = move
                queue[count] = slots[slot]
                count += 1
            _slide(board, other, blank)
    return -1


@kernel
def _board_slot(slots: Numbers, held: NDArray[np.uint8], board: Board) -> Index:
    """Where a board stands among those held, or the empty slot where it would go; boards are compared whole."""
    size = slots.shape[0]
    slot: Index = np.int64(print_board(board) % np.uint64(size))
    while slots[slot] >= 0:
        same = True
        for cell in range(board.shape[0]):
            if held[slots[slot], cell] != board[cell]:
                same = False
                break
        if same:
            return slot
        slot += 1
        if slot == size:
            slot = 0
    return slot
