"""The operations of the document *Enhanced 8-Puzzle GA*, on plain lists.

A state is an integer whose digits are the cells in reading order, 0 for the blank; a leading zero
is not printed. A solution is a list of states from the start on, without repetition. Random numbers
come from Python's `random`.

>>> from levolve.compat import eight_puzzle
>>> eight_puzzle.fitness(123456780), eight_puzzle.neighbours(123456780)
(1.0, [123450786, 123456708])
"""

import random
from collections.abc import Sequence

from levolve.puzzles.sliding.exact import fitness as board_fitness
from levolve.puzzles.sliding.rules import Board

Solution = list[int]
GOAL = 123456780
INITIAL_SIZE = 30
MUTATIONS = ("best", "random", "replace", "truncate")


def fitness(state: int) -> float:
    """Return 1 - 0.01 Manhattan - 0.2 TopLeft of a state; 1 is the goal."""
    return board_fitness(Board.read(state))


def neighbours(state: int) -> list[int]:
    """Return the states one move away."""
    board = Board.read(state)
    return sorted(int(board.after(move)) for move in "udlr" if board.may(move))


def initial_solution(start: int, size: int = INITIAL_SIZE) -> Solution:
    """Return a solution grown from the start by up to `size` random moves."""
    solution = [start]
    for _ in range(size):
        solution = grow(solution)
    return solution


def grow(solution: Sequence[int], *, best: bool = False) -> Solution:
    """Return the solution with one more state, the best one or a random one; never a cycle."""
    known = set(solution)
    fresh = [state for state in neighbours(solution[-1]) if state not in known]
    if not fresh:
        return list(solution)
    return [*solution, max(fresh, key=fitness) if best else random.choice(fresh)]


def mutation(solution: Sequence[int], kind: str | None = None) -> Solution:
    """Return a mutated copy. `kind` is one of `MUTATIONS`, by default a random one."""
    kind = kind or random.choice(MUTATIONS)
    if kind == "truncate":
        return list(solution[: random.randint(1, len(solution))])
    if kind != "replace":
        return grow(solution, best=kind == "best")
    other = grow(solution[:-1]) if len(solution) > 1 else list(solution)
    return other if len(other) == len(solution) else list(solution)


def crossover(elite: Sequence[int], weaker: Sequence[int]) -> Solution:
    """Return the weaker solution up to the last state of the elite that it holds, then the elite's.

    A state that comes up twice takes the path back to its first place, so that there is no cycle.
    """
    joint = max(place for place, state in enumerate(elite) if state in weaker)
    joined: Solution = []
    for state in (*weaker[: weaker.index(elite[joint])], *elite[joint:]):
        if state in joined:
            del joined[joined.index(state) :]
        joined.append(state)
    return joined


def is_solved(solution: Sequence[int]) -> bool:
    """Whether a solution ends at the goal."""
    return solution[-1] == GOAL
