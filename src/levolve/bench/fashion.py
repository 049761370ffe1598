"""Fashion maps, beside a version with one object per cell and one with rolled NumPy arrays. Only updates that were really computed count."""

from collections.abc import Iterator

import numpy as np

from levolve.bench.figures import Effort, Figure
from levolve.bench.plain.fashion import run_objects, run_rolled
from levolve.bench.timing import fastest, processor_seconds
from levolve.errors import LevolveError
from levolve.fashion.design import find_designs
from levolve.fashion.rule import Map, Rule
from levolve.fashion.starts import random_start
from levolve.fashion.world import World

SUBJECT = "fashion"
RATE = "million cells/s"
SOURCE = Rule([[0, 0.5], [0.2, 0.6]])
SIX = Rule([[(7 * row * row + 11 * column * column + 3 * row * column) % 13 for column in range(6)] for row in range(6)])
UPDATES = 40


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure small maps beside objects, large ones beside NumPy, and windows of an infinite world."""
    for name, rule in (("two states, 100x100", SOURCE), ("six states, 100x100", SIX)):
        start = random_start(rule.states, (100, 100), 1)
        done = updates_done(rule, start)
        seconds = fastest(rule.run, start, done) / done
        few = effort.choose(1, 3)
        slow = processor_seconds(run_objects, rule, start, few) / few
        _compare(np.array(run_objects(rule, start, 1)), rule.run(start, 1))
        yield Figure(SUBJECT, name, 1e4 / seconds / 1e6, RATE, slow / seconds, "one object per cell")
    side = effort.choose(1024, 4096)
    rule = find_designs("cracks")[0].rule
    start = random_start(rule.states, (side, side), 1)
    done = updates_done(rule, start)
    seconds = fastest(rule.run, start, done, seconds=0) / done
    slow = processor_seconds(run_rolled, rule, start, 2) / 2
    _compare(run_rolled(rule, start, 2), rule.run(start, 2))
    yield Figure(SUBJECT, f"two states, {side}x{side}", side * side / seconds / 1e6, RATE, slow / seconds, "rolled NumPy arrays")
    world = World(SOURCE, seed=1, updates=6)
    seconds = fastest(world.window, 10**6, -(10**6), 200, 200)
    yield Figure(SUBJECT, "window of 200x200 of an infinite world", 1000 * seconds, "ms", note="6 updates")


def updates_done(rule: Rule, start: Map) -> int:
    """Return how many of the updates are computed before the map is known to repeat."""
    outcome = rule.develop(start, UPDATES)
    return UPDATES if outcome.length == 0 else min(UPDATES, outcome.since + outcome.length)


def _compare(expected: np.ndarray, given: np.ndarray) -> None:
    if not np.array_equal(expected, given):
        message = "benchmark: the maps of the two versions differ"
        raise LevolveError(message)
