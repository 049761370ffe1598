"""Dungeons with a tour: one evolution beside the same algorithm in plain Python with A*, and the
best dungeons.

The evolution of dungeons with a tour: lists of tiles, and A* for the ways.
"""

import heapq
import random
import statistics
from collections.abc import Iterator

from levolve.bench.measuring import Effort, Figure, processor_seconds
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.tune import tune
from levolve.recipes.recipe import find_recipe

SIDE, POPULATION, ITERATIONS = 10, 100, 100
FLOOR, RATE, CHUNK = 0.8367, 0.0203, (5, 9)
KILL, MUTATE, COUPLE = 82, 71, 4
CELLS = SIDE * SIDE

Dungeon = tuple[list[bool], int]


class Plain:
    """The algorithm of recipe `dungeon`, with its counts and settings, as one would write it in
    plain Python.
    """

    def __init__(self, seed: int) -> None:
        """Begin with fresh dungeons."""
        self.dice = random.Random(seed)
        self.evaluations = 0
        self.population: list[tuple[int, Dungeon]] = [
            self.scored(self.fresh()) for _ in range(POPULATION)
        ]

    def fresh(self) -> Dungeon:
        """Floor tiles and a place for B."""
        return [self.dice.random() < FLOOR for _ in range(CELLS)], self.dice.randrange(CELLS)

    def scored(self, dungeon: Dungeon) -> tuple[int, Dungeon]:
        """A dungeon with its tour."""
        self.evaluations += 1
        return tour(dungeon), dungeon

    def step(self) -> None:
        """One generation."""
        self.population.sort(key=lambda one: -one[0])
        kept = self.population[: POPULATION - KILL]
        bred: list[tuple[int, Dungeon]] = []
        for pair in range(COUPLE):
            (score, (tiles, mark)), (_, (others, _)) = kept[2 * pair], kept[2 * pair + 1]
            child = [
                others[cell]
                if (cell % SIDE // CHUNK[0] + cell // SIDE // CHUNK[1]) % 2
                else tiles[cell]
                for cell in range(CELLS)
            ]
            bred.append((score, (child, mark)) if child == tiles else self.scored((child, mark)))
        for place in range(MUTATE):
            score, (tiles, mark) = kept[place % len(kept)]
            mutant = [not tile if self.dice.random() < RATE else tile for tile in tiles]
            moved = self.dice.randrange(CELLS) if self.dice.random() < 30 * RATE else mark
            bred.append(
                (score, (tiles, mark))
                if (mutant, moved) == (tiles, mark)
                else self.scored((mutant, moved))
            )
        bred.extend(self.scored(self.fresh()) for _ in range(KILL - MUTATE - COUPLE))
        self.population = kept + bred


def tour(dungeon: Dungeon) -> int:
    """Steps from A to B to C to A, or -1."""
    tiles, mark = dungeon
    floor = [cell for cell in range(CELLS) if tiles[cell]]
    if len(floor) < 3:
        return -1
    first, last = floor[0], floor[-1]
    middle = min(floor[1:-1], key=lambda cell: (cell - mark) % CELLS)
    legs = [
        a_star(tiles, start, goal)
        for start, goal in ((first, middle), (middle, last), (last, first))
    ]
    return sum(legs) if min(legs) >= 0 else -1


def a_star(tiles: list[bool], start: int, goal: int) -> int:
    """Steps of a shortest way, or -1; the estimate is the way without walls."""
    goal_x, goal_y = goal % SIDE, goal // SIDE
    best = {start: 0}
    waiting = [(0, 0, start)]
    while waiting:
        _, steps, cell = heapq.heappop(waiting)
        if cell == goal:
            return steps
        if steps > best[cell]:
            continue
        x, y = cell % SIDE, cell // SIDE
        for next_x, next_y in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if not (0 <= next_x < SIDE and 0 <= next_y < SIDE):
                continue
            neighbour = next_y * SIDE + next_x
            if tiles[neighbour] and steps + 1 < best.get(neighbour, CELLS):
                best[neighbour] = steps + 1
                heapq.heappush(
                    waiting,
                    (steps + 1 + abs(next_x - goal_x) + abs(next_y - goal_y), steps + 1, neighbour),
                )
    return -1


SUBJECT = "dungeons"


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure one run of the source's algorithm, the annealed recipe, and the whole
    meta-evolution.
    """
    recipe = find_recipe("dungeon")
    Run(recipe, 0).finish()
    share = effort.choose(5, 1)
    ratios, milliseconds = [], []
    for turn in range(effort.rounds):
        plain = Plain(turn)
        slow = share * processor_seconds(_advance, plain, ITERATIONS // share)
        runs = [Run(recipe, 20 * turn + place) for place in range(20)]
        fast = sum(processor_seconds(run.finish) for run in runs) / len(runs)
        ratios.append(slow / fast)
        milliseconds.append(1000 * fast)
    note = "population 100, 100 generations"
    yield Figure(
        SUBJECT,
        "one run of recipe dungeon",
        statistics.median(milliseconds),
        "ms",
        statistics.median(ratios),
        "plain Python with A*",
        note,
    )
    if effort.quick:
        return
    runs = [Run(find_recipe("dungeon-best"), seed) for seed in range(1000, 1003)]
    seconds = statistics.median(processor_seconds(run.finish) for run in runs)
    found = ", ".join(f"{run.best_score:g}" for run in runs)
    yield Figure(
        SUBJECT, "one run of recipe dungeon-best", seconds, "s", note=f"steps of the tour: {found}"
    )
    seconds = processor_seconds(lambda: tune("dungeon-meta", seed=1, executor=1))
    yield Figure(
        SUBJECT, "whole meta-evolution", seconds, "s", note="recipe dungeon-meta, 5,100 settings"
    )


def _advance(plain: Plain, generations: int) -> None:
    for _ in range(generations):
        plain.step()
