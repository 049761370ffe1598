"""Making a pack: searches side by side, each for a level that is as wished and distinct from all that were taken before.

Diversity is sought, not sieved: the score of every individual holds how many cells it lacks to be distinct from each level taken. A round is a fixed
number of searches against the same levels taken, so that its outcome does not depend on how many threads do the work; then what was found is taken
one after the other. A level that came too near to one taken in the same round goes on from its own population in the next.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.evolution.seeds import choose_seed
from levolve.genotypes.genes import Genes
from levolve.kernels.streams import PACK, draw, open_stream
from levolve.levels.batch import Batch
from levolve.levels.level import Level
from levolve.levels.solving import shortest_solution
from levolve.measures import MEASURES
from levolve.measures.measuring import measure
from levolve.packs.aim import Aim
from levolve.packs.crowd import Crowd
from levolve.packs.order import Order
from levolve.packs.pack import Miss, Pack, Part, with_origins
from levolve.packs.wanted import Range
from levolve.runs.executors import Here, stop_if_told
from levolve.runs.run import check_memory

Wish = tuple[tuple[str, Range], ...]

SIDE_BY_SIDE = 8
PROBE_GENERATIONS = 150
# The narrowest range of difficulty a level is asked for, as a share of all that the probes found.
NARROWEST = 0.01
PROBES = 1 << 40  # numbers of the searches that look how easy and how hard levels can be, far from those of levels


class Catch(NamedTuple):
    """What a search came to: the best genes, the last population, and how many individuals were scored."""

    genes: Genes
    population: Genes
    evaluations: int


class Making:
    """A pack in the making. `rounds()` yields how many levels are decided after each round; `finish()` goes through to the end."""

    def __init__(self, order: Order, seed: int | None = None, executor: Executor | None = None) -> None:
        """Make ready; nothing is searched yet."""
        check_memory(order.recipe)
        self.order = order
        self.seed = choose_seed(seed)
        self.executor = executor or Here()
        self.evaluations = 0
        self.searches = 0
        self.found: dict[int, Level] = {}
        self.missed: list[Miss] = []
        self._wishes = list(order.wishes)
        self._crowd = Crowd.empty(order.frame.height, order.frame.width, order.tileset, order.least)
        self._pending = list(range(order.count))
        self._populations: dict[int, Genes] = {}
        self._attempts = [0] * order.count
        # Searches in a row that came to nothing, for each wish.
        self._vain: dict[Wish, int] = {}
        # The smallest shortfall of those, and what it was made of.
        self._nearest: dict[Wish, tuple[float, tuple[str, ...]]] = {}

    def rounds(self) -> Iterator[int]:
        """Go on until every level is found or given up."""
        if self.order.curve is not None:
            self._draw_the_curve(self.order.curve)
        while self._pending:
            indices = self._pending[:SIDE_BY_SIDE]
            objective = self.order.recipe.parts[1]
            value = objective.score if self.order.aims_high else None
            aims = [Aim(self._wishes[index], self._crowd, value) for index in indices]
            catches = list(self.executor.map(self._search, aims, map(self._seed_of, indices), map(self._populations.get, indices)))
            for index, aim, catch in zip(indices, aims, catches, strict=True):
                self.evaluations += catch.evaluations
                self.searches += 1
                self._attempts[index] += 1
                self._judge(index, aim, catch)
            self._give_up()
            yield self.order.count - len(self._pending)

    def finish(self) -> Pack:
        """Go on to the end, and give the pack."""
        for _ in self.rounds():
            pass
        return self.pack

    @property
    def pack(self) -> Pack:
        """What was found so far, in the order of the wishes; along the curve, if there is one."""
        levels = [self.found[index] for index in sorted(self.found)]
        curve = self.order.curve
        if curve is not None and levels:
            hardness = measure(levels)["difficulty"]
            levels = [levels[index] for index in np.argsort(hardness if curve[0] <= curve[1] else -hardness, kind="stable")]
        missed = tuple(sorted(self.missed, key=lambda miss: miss.index))
        return Pack(self.order.recipe.name, with_origins(levels, self.order, self.seed), (Part(self.order, self.seed, len(levels), missed),))

    def _seed_of(self, index: int) -> int:
        return self._number(index, self._attempts[index])

    def _number(self, index: int, attempt: int) -> int:
        start, step = open_stream(np.uint64(self.seed), PACK, index, attempt)
        return int(draw((np.uint64(start), np.uint64(step)), 0))

    def _search(self, aim: Aim, seed: int, population: Genes | None, generations: int | None = None) -> Catch:
        """One search, from fresh individuals or from a population."""
        recipe, frame, genotype = self.order.recipe, self.order.frame, self.order.genotype
        limit = recipe.generations if generations is None else min(generations, recipe.generations)

        def start(seed: int, generation: int, count: int) -> Genes:
            if generation == 0 and population is not None:
                return population.copy()
            genes = genotype.start(frame, seed, generation, count)
            if generation == 0 and recipe.first_genes is not None:
                genes[0] = recipe.first_genes
            return genes

        search = recipe.parts[2].search(genotype.space(frame), start, seed, limit)
        while (
            search.generation <= limit
            and (aim.goal is None or search.best_score < aim.goal)
            and (recipe.evaluations is None or search.evaluations < recipe.evaluations)
        ):
            stop_if_told()
            search.tell(aim.score(genotype.batch(search.ask(), frame)))
        assert search.best_genes is not None  # noqa: S101 the start is always scored
        return Catch(search.best_genes, search.genes, search.evaluations)

    def _judge(self, index: int, aim: Aim, catch: Catch) -> None:
        """Take what was found, or let it be searched on, or count it as in vain."""
        batch = self.order.genotype.batch(catch.genes[np.newaxis], self.order.frame)
        wish = tuple(aim.wish.items())
        now = replace(aim, crowd=self._crowd)
        if now.shortfall(batch)[0] == 0:
            level = Level(batch.tiles[0], batch.places_of(0), batch.tileset)
            proven = level.with_solution(shortest_solution(level))
            proven.check()
            self.found[index] = proven
            self._crowd = self._crowd.joined_by(proven.tiles)
            self._pending.remove(index)
            self._populations.pop(index, None)
            self._vain[wish] = 0
        elif aim.shortfall(batch)[0] == 0:
            # It was as wished until another level was taken in this round.
            self._populations[index] = catch.population
        else:
            self._populations.pop(index, None)
            self._vain[wish] = self._vain.get(wish, 0) + 1
            miss = float(now.shortfall(batch)[0]), tuple(now.unmet(batch))
            self._nearest[wish] = min(self._nearest.get(wish, miss), miss)

    def _give_up(self) -> None:
        """Search no longer for levels with a wish that was searched for in vain too often."""
        hopeless = {wish for wish, vain in self._vain.items() if vain >= self.order.budget}
        pending: list[int] = []
        for index in self._pending:
            wish = tuple(self._wishes[index].items())
            if wish in hopeless:
                self.missed.append(Miss(index, self._nearest[wish][1]))
            else:
                pending.append(index)
        self._pending = pending

    def _draw_the_curve(self, curve: Range) -> None:
        """Look how easy and how hard levels can be, and wish for difficulties that go evenly from one place between them to another."""
        ends = [self._wishes[0], self._wishes[-1]]
        # The easiest is looked for where the curve begins, unless it goes downwards.
        ends = ends if curve[0] <= curve[1] else ends[::-1]
        aims = [Aim(wish, self._crowd, value) for wish, value in zip(ends, (_easy, _hard), strict=True)]
        seeds = [self._number(PROBES, attempt) for attempt in range(len(aims))]
        catches = list(self.executor.map(self._search, aims, seeds, [None] * 2, [PROBE_GENERATIONS] * 2))
        self.evaluations += sum(catch.evaluations for catch in catches)
        self.searches += len(catches)
        genes = np.concatenate([catch.genes[np.newaxis] for catch in catches])
        easiest, hardest = sorted(int(count) for count in MEASURES["difficulty"].count(self.order.genotype.batch(genes, self.order.frame)))
        way = hardest - easiest
        gap = (curve[1] - curve[0]) / max(self.order.count - 1, 1)
        # Never so narrow that no whole number lies within.
        within = max(abs(gap) / 4 * way, NARROWEST * way, 0.5)
        for index, wish in enumerate(self._wishes):
            middle = easiest + way * (curve[0] + gap * index)
            self._wishes[index] = {**wish, "difficulty": (round(middle - within, 1), round(middle + within, 1))}


def _hard(batch: Batch) -> NDArray[np.float64]:
    return MEASURES["difficulty"].count(batch).astype(np.float64)


def _easy(batch: Batch) -> NDArray[np.float64]:
    return np.asarray(1.0 / (2.0 + MEASURES["difficulty"].count(batch)), np.float64)
