"""Reach the Flag: the walk over falling tiles, exact search, the table of all states, and genes decoded into walks.

A round is flat and has a border of gaps, so that no step needs a look at the edge: `left` holds how many visits each cell still bears,
`NEVER` for one that does not fall (the flag is such a cell). `steps` are the four moves u, d, l, r as differences of cells.

What is looked for is a walk that uses up every visit and ends on the flag, so three things can be said about a position in the middle of a
walk, none of which depends on how it came about. *Connectivity*: what cannot be reached any more can never be used up. *Dead ends*: k visits of
a cell stand between k + 1 visits of its neighbours. *Parity*: steps change the colour of a chequered floor, so the visits left on the two
colours must fit, unless a cell that never falls makes up for it.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.streams import CROSS, MUTATE, SELECT, START, Index, draw, draw_below, draw_float, open_stream

Cells = NDArray[np.int16]
Places = NDArray[np.int64]
Genes = NDArray[np.uint8]
Words = NDArray[np.uint64]

NEVER = 255
LANES = 4
FAILED, SOLVED, GAVE_UP = 0, 1, 2
_3 = np.uint64(3)


@kernel
def hopeless(
    left: Cells, steps: Places, position: int, flag: int, remaining: int, colour: NDArray[np.int8], stack: Places, mark: NDArray[np.int8]
) -> bool:
    """Whether a position is lost for one of the three reasons above. `stack` and `mark` are room to work in; `mark` comes and goes empty."""
    if remaining == 0 and position == flag:
        return False
    reached = 0
    flag_reached = False
    excess = 0
    loose = False
    stack[0] = position
    mark[position] = 1
    count = 1
    done = 0
    while done < count:
        cell = stack[done]
        done += 1
        around = 0
        for move in range(4):
            near = cell + steps[move]
            visits = int(left[near])
            if near == position:
                around += 1
            if visits > 0:
                around += visits
                if mark[near] == 0:
                    mark[near] = 1
                    stack[count] = near
                    count += 1
        own = int(left[cell])
        if own == NEVER:
            if cell == flag:
                flag_reached = flag_reached or cell != position or around > 0
            if colour[cell] != colour[flag]:
                loose = True
        else:
            reached += own
            excess += own if colour[cell] != colour[flag] else -own
            if own > 0 and around < own + 1:
                reached = -NEVER * NEVER
    for index in range(count):
        mark[stack[index]] = 0
    if reached != remaining or not flag_reached:
        return True
    if loose:
        return False
    if colour[position] != colour[flag]:
        excess += 1
    return excess < 1


@kernel
def search(
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    colour: NDArray[np.int8],
    key_word: Places,
    key_shift: Places,
    place_word: int,
    table: Words,
    limit: int,
    budget: int,
    moves: NDArray[np.int8],
) -> tuple[int, int, int, int]:
    """Depth-first for up to `limit` ways to win: (outcome, how many were found, length of the first, positions looked at).

    `remaining` is what is left before the visit of the start is taken off. Moves into corners come first (Warnsdorff). Positions that are
    known to lead nowhere are kept in `table`, whole, so that a proof rests on no hash. A way that comes back to the very same position
    (possible only on cells that never fall) is no new way.
    """
    left = start_left.copy()
    words = table.shape[1] - 1
    capacity = table.shape[0]
    deepest = moves.shape[0]
    stack = np.zeros(left.shape[0], np.int64)
    mark = np.zeros(left.shape[0], np.int8)
    place = np.zeros(deepest + 1, np.int64)
    rest = np.zeros(deepest + 1, np.int64)
    order = np.zeros((deepest + 1, 4), np.int8)
    choices = np.zeros(deepest + 1, np.int8)
    tried = np.zeros(deepest + 1, np.int8)
    tainted = np.zeros(deepest + 1, np.int8)
    found_at = np.zeros(deepest + 1, np.int64)
    way = np.zeros(deepest + 1, np.int8)
    ways = np.zeros(4, np.int64)
    key = np.zeros(words, np.uint64)
    for cell in range(left.shape[0]):
        if 0 < left[cell] < NEVER:
            key[key_word[cell]] += np.uint64(left[cell]) << np.uint64(key_shift[cell])
    if left[start] < NEVER:
        left[start] -= 1
        remaining -= 1
        key[key_word[start]] -= np.uint64(1) << np.uint64(key_shift[start])
    found = 0
    length = 0
    nodes = 0
    stored = 0
    depth = 0
    place[0] = start
    rest[0] = remaining
    entering = True
    outcome = FAILED
    if hopeless(left, steps, start, flag, remaining, colour, stack, mark):
        return FAILED, 0, 0, 1
    while depth >= 0:
        here = place[depth]
        if entering:
            entering = False
            nodes += 1
            choices[depth] = 0
            tried[depth] = 0
            tainted[depth] = 0
            found_at[depth] = found
            if rest[depth] == 0 and here == flag:
                found += 1
                if found == 1:
                    length = depth
                    for index in range(depth):
                        moves[index] = way[index]
                if found >= limit:
                    return SOLVED, found, length, nodes
            elif nodes > budget:
                return GAVE_UP, found, length, nodes
            else:
                key[place_word] = np.uint64(here)
                if not _known(table, key):
                    # Fewest ways on first: such a cell is the likeliest to be cut off if it is left for later.
                    for move in range(4):
                        near = here + steps[move]
                        if left[near] > 0:
                            open_ways = 0
                            for further in range(4):
                                if left[near + steps[further]] > 0:
                                    open_ways += 1
                            if left[near] == NEVER:
                                open_ways += 8
                            at = choices[depth]
                            while at > 0 and ways[at - 1] > open_ways:
                                ways[at] = ways[at - 1]
                                order[depth, at] = order[depth, at - 1]
                                at -= 1
                            ways[at] = open_ways
                            order[depth, at] = move
                            choices[depth] += 1
                else:
                    choices[depth] = -1
        if tried[depth] < choices[depth] and depth < deepest:
            move = order[depth, tried[depth]]
            tried[depth] += 1
            near = here + steps[move]
            after = rest[depth]
            if left[near] == NEVER:
                back = depth
                seen = False
                while back >= 0 and rest[back] == after:
                    if place[back] == near:
                        seen = True
                        break
                    back -= 1
                if seen:
                    tainted[depth] = 1
                    continue
            else:
                after -= 1
                left[near] -= 1
                key[key_word[near]] -= np.uint64(1) << np.uint64(key_shift[near])
            if hopeless(left, steps, near, flag, after, colour, stack, mark):
                nodes += 1
                if left[near] != NEVER:
                    left[near] += 1
                    key[key_word[near]] += np.uint64(1) << np.uint64(key_shift[near])
                continue
            way[depth] = move
            depth += 1
            place[depth] = near
            rest[depth] = after
            entering = True
            continue
        # Everything from here has been tried.
        if choices[depth] >= 0 and found == found_at[depth] and (limit == 1 or tainted[depth] == 0) and stored * 2 < capacity:
            key[place_word] = np.uint64(here)
            stored += _keep(table, key)
        if left[here] != NEVER and depth > 0:
            left[here] += 1
            key[key_word[here]] += np.uint64(1) << np.uint64(key_shift[here])
        if depth > 0 and tainted[depth] == 1 and rest[depth - 1] == rest[depth]:
            tainted[depth - 1] = 1
        depth -= 1
    if found > 0:
        outcome = SOLVED
    return outcome, found, length, nodes


@kernel
def _slot(table: Words, key: Words) -> Index:
    """Where a key stands in the table, or the empty slot where it would go; the last column says whether a slot is taken."""
    words = key.shape[0]
    size = np.uint64(table.shape[0])
    mixed = np.uint64(0)
    for word in range(words):
        mixed = (mixed ^ key[word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot: Index = np.int64(mixed % size)
    while table[slot, words] != 0:
        same = True
        for word in range(words):
            if table[slot, word] != key[word]:
                same = False
                break
        if same:
            return slot
        slot += 1
        if slot == table.shape[0]:
            slot = 0
    return slot


@kernel
def _known(table: Words, key: Words) -> bool:
    return bool(table[_slot(table, key), key.shape[0]] != 0)


@kernel
def _keep(table: Words, key: Words) -> int:
    """Store a key; 1 if it is new."""
    words = key.shape[0]
    slot = _slot(table, key)
    if table[slot, words] != 0:
        return 0
    for word in range(words):
        table[slot, word] = key[word]
    table[slot, words] = 1
    return 1


@kernel
def explore(
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    key_word: Places,
    key_shift: Places,
    place_word: int,
    table: Words,
    most: int,
) -> tuple[int, int]:
    """Every position that play can come to: (how many, how many can still be won); 0 where there are more than `most`.

    A won position is an end: play goes no further.
    """
    words = table.shape[1] - 1
    cells = start_left.shape[0]
    lefts = np.zeros((most + 4, cells), np.int16)
    places = np.zeros(most + 4, np.int64)
    rests = np.zeros(most + 4, np.int64)
    after = np.full((most + 4, 4), -1, np.int64)
    can = np.zeros(most + 4, np.int8)
    key = np.zeros(words, np.uint64)
    lefts[0] = start_left
    rests[0] = remaining
    if start_left[start] < NEVER:
        lefts[0, start] -= 1
        rests[0] -= 1
    places[0] = start
    count = 1
    _keep_numbered(table, key, lefts[0], start, key_word, key_shift, place_word, 0)
    state = 0
    while state < count:
        here = places[state]
        if rests[state] == 0 and here == flag:
            can[state] = 1
        else:
            for move in range(4):
                near = here + steps[move]
                if lefts[state, near] == 0:
                    continue
                lefts[count] = lefts[state]
                places[count] = near
                rests[count] = rests[state]
                if lefts[count, near] != NEVER:
                    lefts[count, near] -= 1
                    rests[count] -= 1
                number = _keep_numbered(table, key, lefts[count], near, key_word, key_shift, place_word, count)
                after[state, move] = number
                if number == count:
                    count += 1
                    if count > most:
                        return 0, 0
        state += 1
    changed = True
    while changed:
        changed = False
        for state in range(count - 1, -1, -1):
            if can[state] == 0:
                for move in range(4):
                    if after[state, move] >= 0 and can[after[state, move]] == 1:
                        can[state] = 1
                        changed = True
                        break
    winnable = 0
    for state in range(count):
        winnable += can[state]
    return count, winnable


@kernel
def _keep_numbered(table: Words, key: Words, left: Cells, position: int, key_word: Places, key_shift: Places, place_word: int, number: int) -> Index:
    """The number of a position: the one it was stored with, or `number` if it is new."""
    words = key.shape[0]
    key[:] = 0
    for cell in range(left.shape[0]):
        if 0 < left[cell] < NEVER:
            key[key_word[cell]] += np.uint64(left[cell]) << np.uint64(key_shift[cell])
    key[place_word] = np.uint64(position)
    slot = _slot(table, key)
    if table[slot, words] != 0:
        return np.int64(table[slot, words] - np.uint64(1))
    for word in range(words):
        table[slot, word] = key[word]
    table[slot, words] = np.uint64(number + 1)
    return number


@kernel
def walk_plainly(
    genes: Genes, start_left: Cells, steps: Places, start: int, flag: int, remaining: int, width: int, left: Cells
) -> tuple[int, int, int, int]:
    """A chromosome as the source plays it, a gene a move: (visits left over, distance to the flag, void genes, moves played or -1).

    A gene that leads off the map or into a gap does nothing: it is void. Whether the round is won is looked at after every move; -1 says it is not.
    """
    left[:] = start_left
    if left[start] < NEVER:
        left[start] -= 1
        remaining -= 1
    here = start
    voids = 0
    if remaining == 0 and here == flag:
        return 0, 0, 0, 0
    for index in range(genes.shape[0]):
        # No branch on what the step meets: that is a coin flip, and the processor would guess wrong every other time.
        step = steps[genes[index]]
        visits = int(left[here + step])
        solid = int(visits > 0)
        falls = solid & int(visits < NEVER)
        left[here + step] = visits - falls
        remaining -= falls
        voids += 1 - solid
        here += solid * step
        if remaining == 0 and here == flag:
            return 0, 0, voids, index + 1
    distance = abs(here // width - flag // width) + abs(here % width - flag % width)
    return remaining, distance, voids, -1


@inlined
def _tread(left: Cells, here: int, step: int) -> tuple[int, int, int]:
    """One gene: where it leads, whether a visit is used, whether it is void. No branch on what it meets: that is a coin flip to the processor."""
    visits = int(left[here + step])
    solid = int(visits > 0)
    falls = solid & int(visits < NEVER)
    left[here + step] = visits - falls
    return here + solid * step, falls, 1 - solid


@kernel
def score_plainly(
    genes: Genes,
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    width: int,
    weights: NDArray[np.float64],
    left: Cells,
    scores: NDArray[np.float64],
) -> int:
    """The scores of a population as `walk_plainly` plays it, 0 for a win; gives the first who wins, or -1.

    Each step of a walk waits for the one before it, so `LANES` walks go side by side and wait together, each on its own stretch of `left`. The last
    of a population that does not fill the lanes are walked twice.
    """
    population, length = genes.shape
    cells = start_left.shape[0]
    taken = 1 if start_left[start] < NEVER else 0
    winner = population
    for group in range(0, population, LANES):
        a = min(group, max(population - LANES, 0))
        b, c, d = min(a + 1, population - 1), min(a + 2, population - 1), min(a + 3, population - 1)
        for lane in range(LANES):
            for cell in range(cells):
                left[lane * cells + cell] = start_left[cell]
            left[lane * cells + start] -= taken
        here_a, here_b, here_c, here_d = start, cells + start, 2 * cells + start, 3 * cells + start
        rest_a = rest_b = rest_c = rest_d = remaining - taken
        void_a = void_b = void_c = void_d = 0
        won_a = won_b = won_c = won_d = rest_a == 0 and start == flag
        for index in range(length):
            here_a, falls, void = _tread(left, here_a, steps[genes[a, index]])
            rest_a -= falls
            void_a += void
            won_a |= (rest_a == 0) & (here_a == flag)
            here_b, falls, void = _tread(left, here_b, steps[genes[b, index]])
            rest_b -= falls
            void_b += void
            won_b |= (rest_b == 0) & (here_b == cells + flag)
            here_c, falls, void = _tread(left, here_c, steps[genes[c, index]])
            rest_c -= falls
            void_c += void
            won_c |= (rest_c == 0) & (here_c == 2 * cells + flag)
            here_d, falls, void = _tread(left, here_d, steps[genes[d, index]])
            rest_d -= falls
            void_d += void
            won_d |= (rest_d == 0) & (here_d == 3 * cells + flag)
        for individual, won, rest, here, void in (
            (a, won_a, rest_a, here_a, void_a),
            (b, won_b, rest_b, here_b - cells, void_b),
            (c, won_c, rest_c, here_c - 2 * cells, void_c),
            (d, won_d, rest_d, here_d - 3 * cells, void_d),
        ):
            distance = abs(here // width - flag // width) + abs(here % width - flag % width)
            scores[individual] = 0.0 if won else -(weights[0] * rest + weights[1] * distance + weights[2] * void)
            if won and individual < winner:
                winner = individual
    return winner if winner < population else -1


@kernel
def start_genes(seed: np.uint64, generation: int, genes: Genes, below: int) -> None:
    """Fresh genes, each from 0 to `below` - 1, for a whole population."""
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, START, generation, individual)
        for index in range(genes.shape[1]):
            genes[individual, index] = draw_below(stream, index, below)


@kernel
def _rank(scores: NDArray[np.float64], order: Places) -> None:
    """Individuals from the best score to the worst; of equals the first comes first."""
    for individual in range(scores.shape[0]):
        at = individual
        while at > 0 and scores[order[at - 1]] < scores[individual]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = individual


@kernel
def evolve_as_source(
    seed: np.uint64,
    first: int,
    count: int,
    genes: Genes,
    scores: NDArray[np.float64],
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    width: int,
    weights: NDArray[np.float64],
    parents: int,
    elites: int,
    rate: float,
    swap: bool,
    spare: bool,
) -> tuple[int, int]:
    """Up to `count` generations of the source's algorithm, from generation `first` on: (generations done, who won or -1).

    `weights` are those of visits left over, distance and void genes; the source makes their sum small, here its negative is made large.
    The best `parents` breed; the best `elites` are handed on, and mutated like all others unless they are `spare`d.
    """
    population, length = genes.shape
    left = np.zeros(LANES * start_left.shape[0], np.int16)
    order = np.zeros(population, np.int64)
    bred = genes.copy()
    for generation in range(first, first + count):
        winner = score_plainly(genes, start_left, steps, start, flag, remaining, width, weights, left, scores)
        if winner >= 0:
            return generation - first, winner
        _rank(scores, order)
        for individual in range(population):
            change = open_stream(seed, MUTATE, generation, individual)
            if individual < elites:
                bred[individual] = genes[order[individual]]
                if spare:
                    continue
            else:
                one, other = order[draw_below(change, 3, parents)], order[draw_below(change, 4, parents)]
                low, high = draw_below(change, 5, length), draw_below(change, 6, length)
                if low > high:
                    low, high = high, low
                child, outer, inner = bred[individual], genes[one], genes[other]
                for index in range(low):
                    child[index] = outer[index]
                for index in range(low, high + 1):
                    child[index] = inner[index]
                for index in range(high + 1, length):
                    child[index] = outer[index]
            at = draw_below(change, 1, length)
            if draw_float(change, 0) <= rate:
                bred[individual, at] = draw_below(change, 2, 4)
            elif swap:
                to = draw_below(change, 2, length)
                bred[individual, at], bred[individual, to] = bred[individual, to], bred[individual, at]
        genes[:] = bred
    return count, -1


@kernel
def walk_wisely(
    genes: Genes,
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    colour: NDArray[np.int8],
    left: Cells,
    stack: Places,
    mark: NDArray[np.int8],
    way: NDArray[np.int8],
) -> tuple[int, int, int]:
    """A chromosome as our own decoding plays it: (visits used, moves made, 1 if it wins). The moves are written to `way`.

    A gene names an order of the four moves: where to begin, and which way round. The first move in that order that is neither void nor
    hopeless, and does not come back to the same position, is made; so every gene makes a move until none is left that keeps the round
    winnable as far as can be seen.
    """
    left[:] = start_left
    whole = remaining
    if left[start] < NEVER:
        left[start] -= 1
        remaining -= 1
    here = start
    made = 0
    since = 0
    for index in range(genes.shape[0]):
        if remaining == 0 and here == flag:
            return whole, made, 1
        turn = 1 if genes[index] & 4 else 3
        moved = False
        for attempt in range(4):
            move = (int(genes[index]) + attempt * turn) & 3
            near = here + steps[move]
            if left[near] == 0:
                continue
            if left[near] == NEVER:
                # Back where the walk has been since the last tile fell: the same position again.
                back = here
                seen = back == near
                at = made - 1
                while not seen and at >= since:
                    back -= steps[way[at]]
                    seen = back == near
                    at -= 1
                if seen or hopeless(left, steps, near, flag, remaining, colour, stack, mark):
                    continue
                way[made] = move
                made += 1
            else:
                left[near] -= 1
                if hopeless(left, steps, near, flag, remaining - 1, colour, stack, mark):
                    left[near] += 1
                    continue
                remaining -= 1
                way[made] = move
                made += 1
                since = made
            here = near
            moved = True
            break
        if not moved:
            return whole - remaining, made, 0
    return whole - remaining, made, 1 if remaining == 0 and here == flag else 0


@kernel
def _print_of(way: NDArray[np.int8], made: int) -> np.uint64:
    """A fingerprint of a walk: two a move, mixed as they come."""
    mixed = np.uint64(made)
    for index in range(made):
        mixed = (mixed ^ np.uint64(way[index] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


@kernel
def evolve_wisely(
    seed: np.uint64,
    first: int,
    count: int,
    genes: Genes,
    scores: NDArray[np.float64],
    made: Places,
    prints: Words,
    start_left: Cells,
    steps: Places,
    start: int,
    flag: int,
    remaining: int,
    colour: NDArray[np.int8],
    elites: int,
    contest: int,
    crossing: float,
    patience: int,
    books: Places,
) -> tuple[int, int]:
    """Up to `count` generations of our own algorithm, from generation `first` on: (generations done, who won or -1).

    Scores are visits used up. A walk that another individual has made already scores nothing, so that no two stay alike. `elites` are handed on
    as they are. A child is the beginning of one parent and, by the chance `crossing`, the end of another; then it changes from some gene on, more
    often late than early. After `patience` generations without a better best the whole population starts anew. `books` holds the best score of
    this start and the generation it came in.
    """
    population, length = genes.shape
    left = start_left.copy()
    stack = np.zeros(left.shape[0], np.int64)
    mark = np.zeros(left.shape[0], np.int8)
    way = np.zeros(length, np.int8)
    order = np.zeros(population, np.int64)
    bred = genes.copy()
    for generation in range(first, first + count):
        for individual in range(population):
            used, made[individual], won = walk_wisely(genes[individual], start_left, steps, start, flag, remaining, colour, left, stack, mark, way)
            scores[individual] = used
            prints[individual] = _print_of(way, made[individual])
            if won:
                return generation - first, individual
            for other in range(individual):
                if prints[other] == prints[individual]:
                    scores[individual] = 0.0
                    break
        _rank(scores, order)
        best = np.int64(scores[order[0]])
        if best > books[0]:
            books[0] = best
            books[1] = generation
        if generation - books[1] >= patience:
            books[0] = -1
            books[1] = generation
            start_genes(seed, generation + 1, genes, 8)
            continue
        for individual in range(population):
            if individual < elites:
                bred[individual] = genes[order[individual]]
                continue
            choice = open_stream(seed, SELECT, generation, individual)
            first_place = population
            second_place = population
            for draw_number in range(contest):
                first_place = min(first_place, int(draw_below(choice, 2 * draw_number, population)))
                second_place = min(second_place, int(draw_below(choice, 2 * draw_number + 1, population)))
            one, mate = order[first_place], order[second_place]
            bred[individual] = genes[one]
            reach = int(made[one]) + 1
            cut = open_stream(seed, CROSS, generation, individual)
            if draw_float(cut, 0) < crossing:
                at = draw_below(cut, 1, length)
                bred[individual, at:] = genes[mate, at:]
            change = open_stream(seed, MUTATE, generation, individual)
            at = max(draw_below(change, 0, reach), draw_below(change, 1, reach))
            at = min(at, length - 1)
            bred[individual, at] = draw_below(change, 2, 8)
            if draw(change, 3) & _3 != 0:
                for index in range(at + 1, length):
                    bred[individual, index] = draw_below(change, index + 4, 8)
        genes[:] = bred
    return count, -1
