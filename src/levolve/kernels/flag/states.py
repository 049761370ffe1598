"""Every position that play can come to, and which of them can still be won."""

import numpy as np

from levolve.kernels.compiler import kernel
from levolve.kernels.flag.field import NEVER, Field
from levolve.kernels.flag.positions import Packing, Words, keep_position, pack_position
from levolve.kernels.memory import full, zeros


@kernel
def explore(field: Field, packing: Packing, table: Words, most: int) -> tuple[int, int]:
    """How many positions play can come to, and how many of those can still be won; (0, 0) where there are more than `most`.

    A won position is an end: play goes no further.
    """
    lefts = zeros((most + 4, field.left.shape[0]), np.uint8)
    places = zeros(most + 4, np.int64)
    rests = zeros(most + 4, np.int64)
    after = full((most + 4, 4), -1, np.int64)
    can = zeros(most + 4, np.bool_)
    key = zeros(packing.place + 1, np.uint64)
    lefts[0] = field.left
    rests[0] = field.remaining
    places[0] = field.start
    if field.left[field.start] < NEVER:
        lefts[0, field.start] -= 1
        rests[0] -= 1
    pack_position(lefts[0], field.start, packing, key)
    keep_position(table, key, 1)
    count = 1
    state = 0
    while state < count:
        here = places[state]
        if rests[state] == 0 and here == field.flag:
            can[state] = True
        else:
            for move in range(4):
                near = here + field.steps[move]
                if lefts[state, near] == 0:
                    continue
                lefts[count] = lefts[state]
                places[count] = near
                rests[count] = rests[state]
                if lefts[count, near] != NEVER:
                    lefts[count, near] -= 1
                    rests[count] -= 1
                pack_position(lefts[count], near, packing, key)
                # A position is kept with its number, counted from 1.
                number = keep_position(table, key, count + 1)
                after[state, move] = number - 1 if number > 0 else count
                if number == 0:
                    count += 1
                    if count > most:
                        return 0, 0
        state += 1
    changed = True
    while changed:
        changed = False
        for state in range(count - 1, -1, -1):
            if not can[state]:
                for move in range(4):
                    if after[state, move] >= 0 and can[after[state, move]]:
                        can[state] = True
                        changed = True
                        break
    solvable = 0
    for state in range(count):
        solvable += can[state]
    return count, solvable
