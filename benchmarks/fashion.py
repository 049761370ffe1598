"""Times fashion maps against the straightforward version with one object per cell, and against
NumPy with rolled arrays, in one run on one core.

Only updates that were really done are counted: a map at a fixed point costs nothing here, and is
not claimed as speed. Run it with `make bench`.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from levolve.bench.worlds import run_objects, run_rolled
from levolve.worlds.rule import Map, Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.starts import MOORE, VON_NEUMANN, random_start
from levolve.worlds.world import World

UPDATES = 40
TURNS = 5
SOURCE = Rule([[0, 0.5], [0.2, 0.6]])
SIX = Rule(
    [
        [(7 * row * row + 11 * column * column + 3 * row * column) % 13 for column in range(6)]
        for row in range(6)
    ]
)


def seconds(work: Callable[[], object], turns: int = TURNS) -> float:
    best = float("inf")
    for _ in range(turns):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def updates_done(rule: Rule, start: Map) -> int:
    """How many of the updates are computed before the map is known to repeat."""
    outcome = rule.develop(start, UPDATES)
    return UPDATES if outcome.length == 0 else min(UPDATES, outcome.since + outcome.length)


def against_objects(name: str, rule: Rule) -> None:
    start = random_start(rule.states, (100, 100), 1)
    done = updates_done(rule, start)
    rule.run(start, done)
    ours = seconds(lambda: rule.run(start, done), 20) / done
    few = 3
    plain = seconds(lambda: run_objects(rule, start, few), 3) / few
    if run_objects(rule, start, few) != rule.run(start, few).tolist():
        message = f"{name}: the maps differ"
        raise AssertionError(message)
    everything = seconds(lambda: rule.run(start, UPDATES), 20)
    print(
        f"  {name:<34} objects {1e4 / plain / 1e6:6.2f} million cells/s   levolve "
        f"{1e4 / ours / 1e6:7.0f}   {plain / ours:7,.0f} times"
        f"   ({UPDATES} updates, {done} of them computed: "
        f"{plain * UPDATES / everything:,.0f} times)"
    )


def against_rolls(side: int) -> None:
    start = random_start(2, (side, side), 1)
    rule = find_designs("cracks")[0].rule
    done = updates_done(rule, start)
    ours = seconds(lambda: rule.run(start, done), 3) / done
    rolled = seconds(lambda: run_rolled(rule, start, 2), 2) / 2
    if not np.array_equal(run_rolled(rule, start, 2), rule.run(start, 2)):
        message = "the maps differ"
        raise AssertionError(message)
    print(
        f"  two states {side}x{side:<21} NumPy   {side * side / rolled / 1e6:6.1f} million "
        f"cells/s   levolve {side * side / ours / 1e6:7,.0f}"
        f"   {rolled / ours:7,.0f} times   (packing and unpacking among {done} updates)"
    )


def neighbourhoods() -> None:
    """Maps by tables: ranks of few neighbours, partial sums of many."""
    diamond = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if 0 < abs(dx) + abs(dy) <= 2]
    print(
        "million cells/s by size, states and neighbours, processor time; on threads: wall "
        "time of one over that of two"
    )
    for side, states, near in (
        (100, 6, VON_NEUMANN),
        (100, 2, MOORE),
        (100, 6, MOORE),
        (100, 2, diamond),
        (1024, 6, VON_NEUMANN),
        (4096, 6, VON_NEUMANN),
    ):
        rule = Rule(
            [
                [
                    (7 * row * row + 11 * column * column + 3 * row * column) % 13
                    for column in range(states)
                ]
                for row in range(states)
            ],
            near,
        )
        start = random_start(states, (side, side), 1)
        updates = 200 if side == 100 else 12
        done = min(updates_done(rule, start), updates) if side > 100 else updates_done(rule, start)
        best = float("inf")
        for _ in range(TURNS if side < 4096 else 2):
            began = time.process_time()
            rule.run(start, done)
            best = min(best, time.process_time() - began)
        line = (
            f"  {side}x{side:<5} {states} states, {len(near):>2} neighbours  "
            f"{side * side * done / best / 1e6:7,.0f}"
        )
        if side >= 1024:
            with ThreadPoolExecutor(2) as pool:
                one, two = (
                    seconds(lambda: rule.run(start, done), 3),  # noqa: B023 called here
                    seconds(lambda: rule.run(start, done, executor=pool), 3),  # noqa: B023 called here
                )
            line += f"   two threads {one / two:4.2f}"
        print(line, flush=True)


def windows() -> None:
    world = World(SOURCE, seed=1, updates=6)
    world.window(0, 0, 200, 200)
    print("window of 200x200, milliseconds, by where it is")
    for x, y in ((0, 0), (10**6, -(10**6)), (2**61, -(2**61))):
        print(
            f"  {x:>20},{y:<21} "
            f"{1000 * seconds(lambda x=x, y=y: world.window(x, y, 200, 200), 20):6.3f}"  # type: ignore[misc]
        )


def arithmetics() -> None:
    """Exact against float: the same tables and planes, filled with other ranks."""
    decimal = [
        [(7 * row * row + 11 * column * column + 3 * row * column) % 13 / 10 for column in range(6)]
        for row in range(6)
    ]
    print(
        "float against exact arithmetic, processor time of float over that of exact, best of "
        "several in turn"
    )
    for label, scores, side in (
        ("two states", SOURCE.exact, 100),
        ("two states", SOURCE.exact, 1024),
        ("six states", decimal, 100),
        ("six states", decimal, 1024),
    ):
        rules = Rule(scores), Rule(scores, arithmetic="float")
        start = random_start(rules[0].states, (side, side), 1)
        best = [float("inf")] * len(rules)
        for _ in range(1 + 20 * TURNS):
            for number, rule in enumerate(rules):
                began = time.process_time_ns()
                rule.run(start, 4)
                best[number] = min(best[number], time.process_time_ns() - began)
        print(f"  {label} {side}x{side:<6} {best[1] / best[0]:5.2f}")


def main() -> None:
    print(
        f"updates of a fashion map, von Neumann neighbourhood of {len(VON_NEUMANN)}, one "
        "core, best of several"
    )
    against_objects("two states 100x100", SOURCE)
    against_objects("six states 100x100", SIX)
    against_rolls(1024)
    against_rolls(4096)
    neighbourhoods()
    windows()
    arithmetics()


if __name__ == "__main__":
    main()
