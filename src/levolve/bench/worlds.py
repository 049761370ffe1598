"""Fashion maps, beside a version with one object per cell and one with rolled NumPy arrays. Only
updates that were really computed count.

Fashion maps: with one object per cell, and with rolled NumPy arrays.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.bench.measuring import Effort, Figure, fastest, processor_seconds
from levolve.core.errors import LevolveError
from levolve.worlds.rule import Map, Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.starts import random_start
from levolve.worlds.world import World


@dataclass
class Cell:
    """A cell as a program written for clarity has it."""

    state: int
    score: int = 0


def run_objects(rule: Rule, start: Map, updates: int) -> list[list[int]]:
    """The straightforward version: objects in lists, scores in whole numbers, a new list of objects
    every update.
    """
    height, width = start.shape
    scores = rule.whole
    cells = [[Cell(int(state)) for state in row] for row in start]
    for _ in range(updates):
        for y in range(height):
            for x in range(width):
                cell = cells[y][x]
                cell.score = 0
                for dx, dy in rule.neighbourhood:
                    cell.score += scores[cell.state][
                        cells[(y + dy) % height][(x + dx) % width].state
                    ]
        following = [[Cell(cell.state) for cell in row] for row in cells]
        for y in range(height):
            for x in range(width):
                best = cells[y][x].score
                for dx, dy in rule.neighbourhood:
                    other = cells[(y + dy) % height][(x + dx) % width]
                    if other.score > best:
                        best = other.score
                        following[y][x].state = other.state
        cells = following
    return [[cell.state for cell in row] for row in cells]


def run_rolled(rule: Rule, start: Map, updates: int) -> Map:
    """A careful version in NumPy: whole arrays of small numbers, rolled once for each neighbour."""
    scores: NDArray[np.int16] = np.array(rule.whole, np.int16).ravel()
    now = start
    for _ in range(updates):
        row = now * np.uint8(rule.states)
        total = np.zeros(now.shape, np.int16)
        for dx, dy in rule.neighbourhood:
            total += scores.take(row + np.roll(now, (-dy, -dx), (0, 1)))
        best, chosen = total, now
        for dx, dy in rule.neighbourhood:
            rolled = np.roll(total, (-dy, -dx), (0, 1))
            chosen = np.where(rolled > best, np.roll(now, (-dy, -dx), (0, 1)), chosen)
            best = np.maximum(best, rolled)
        now = chosen
    return now


SUBJECT = "fashion"
RATE = "million cells/s"
SOURCE = Rule([[0, 0.5], [0.2, 0.6]])
SIX = Rule(
    [
        [(7 * row * row + 11 * column * column + 3 * row * column) % 13 for column in range(6)]
        for row in range(6)
    ]
)
UPDATES = 40


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure small maps beside objects, large ones beside NumPy, and windows of an infinite
    world.
    """
    for name, rule in (("two states, 100x100", SOURCE), ("six states, 100x100", SIX)):
        start = random_start(rule.states, (100, 100), 1)
        done = updates_done(rule, start)
        seconds = fastest(rule.run, start, done) / done
        few = effort.choose(1, 3)
        slow = processor_seconds(run_objects, rule, start, few) / few
        _compare(np.array(run_objects(rule, start, 1)), rule.run(start, 1))
        yield Figure(
            SUBJECT, name, 1e4 / seconds / 1e6, RATE, slow / seconds, "one object per cell"
        )
    side = effort.choose(1024, 4096)
    rule = find_designs("cracks")[0].rule
    start = random_start(rule.states, (side, side), 1)
    done = updates_done(rule, start)
    seconds = fastest(rule.run, start, done, seconds=0) / done
    slow = processor_seconds(run_rolled, rule, start, 2) / 2
    _compare(run_rolled(rule, start, 2), rule.run(start, 2))
    yield Figure(
        SUBJECT,
        f"two states, {side}x{side}",
        side * side / seconds / 1e6,
        RATE,
        slow / seconds,
        "rolled NumPy arrays",
    )
    world = World(SOURCE, seed=1, updates=6)
    seconds = fastest(world.window, 10**6, -(10**6), 200, 200)
    yield Figure(
        SUBJECT, "window of 200x200 of an infinite world", 1000 * seconds, "ms", note="6 updates"
    )


def updates_done(rule: Rule, start: Map) -> int:
    """Return how many of the updates are computed before the map is known to repeat."""
    outcome = rule.develop(start, UPDATES)
    return UPDATES if outcome.length == 0 else min(UPDATES, outcome.since + outcome.length)


def _compare(expected: np.ndarray, given: np.ndarray) -> None:
    if not np.array_equal(expected, given):
        raise LevolveError("benchmark: the maps of the two versions differ")
