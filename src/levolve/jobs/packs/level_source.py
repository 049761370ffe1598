"""`LevelPackSource`: parallel searches for the levels of a pack.

Each search is for a level that meets its targets and is distinct from all accepted before.
Diversity is optimised, not filtered: the score of every individual includes the number of cells it
lacks to be distinct from each accepted level. Results are accepted in the order in which their
searches began, and a search begins when the result of the one eight places before it is accepted or
not. So it knows the same accepted levels with any number of threads, and no thread waits while
there is work for it. If a level is too similar to one that was accepted after its search began, the
search continues from its population.

Failed searches of a pack: how near they came, and why no level was found.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from levolve.jobs.executors import stop_requested
from levolve.jobs.memory import check_memory
from levolve.jobs.packs import objective as fused_objective  # noqa: F401 adds the objective to the fused ones
from levolve.jobs.packs.objective import Distinctness, PackObjective
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack import with_origins
from levolve.jobs.packs.pick import curve_targets, easiness, hardness, is_narrow, widened
from levolve.jobs.packs.section import MissedLevel, PackSource, Take, seed_of
from levolve.jobs.packs.targets import Range, write_range
from levolve.levels.batch import Batch
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measuring import measure
from levolve.search.fused import begin_search
from levolve.search.genotypes.gene_space import Genes
from levolve.search.level_problem import LevelProblem
from levolve.search.loop import STOPPED, Limits, SearchEnded, advance
from levolve.search.search import Strategy

SIMILAR = (
    "levels that meet all targets were found, but all are too similar to levels of the pack; "
    "lower the distinctness or request fewer levels"
)


@dataclass
class Failures:
    """The consecutive failed searches for levels with the same targets.

    `shortfall` and `unmet` are those of the nearest result. `similar` is whether a result met all
    targets, but was not distinct; if so, `unmet` describes the nearest of those results, because
    distinctness is then the only obstacle.
    """

    count: int = 0
    shortfall: float = float("inf")
    unmet: tuple[str, ...] = ()
    similar: bool = False

    def add(self, objective: PackObjective, batch: Batch) -> None:
        """Count a failed search by its best level, the only one of the batch."""
        short, similar = float(objective.shortfall(batch)[0]), meets_targets(objective, batch)
        self.count += 1
        if (not similar, short) < (not self.similar, self.shortfall):
            self.shortfall, self.unmet, self.similar = short, tuple(objective.unmet(batch)), similar


def meets_targets(objective: PackObjective, batch: Batch) -> bool:
    """Whether the only level of a batch is winnable and meets all targets, distinct from others or
    not.
    """
    return bool(without_distinctness(objective).shortfall(batch)[0] == 0)


def without_distinctness(objective: PackObjective) -> PackObjective:
    """Return the objective for levels that need not be distinct from any other."""
    return replace(objective, distinctness=objective.distinctness.emptied(), value=None)


def diagnoses(objective: PackObjective) -> list[PackObjective]:
    """Return the objectives of searches that show why no level was found: all targets without
    distinctness, then each target alone.
    """
    free = without_distinctness(objective)
    return (
        [
            free,
            *(replace(free, targets={name: limits}) for name, limits in objective.targets.items()),
        ]
        if len(objective.targets) > 1
        else [free]
    )


def reason_of(targets: Mapping[str, Range], met: Sequence[bool]) -> str:
    """Return one sentence that says why no level was found, from what the searches of `diagnoses`
    met; empty if they show nothing more.
    """
    together, *alone = met
    if together:
        return SIMILAR
    if not alone:
        return ""
    texts = [f"{name} {write_range(limits)}" for name, limits in targets.items()]
    if all(alone):
        return (
            "the targets seem to contradict each other: levels were found for each alone, but "
            f"none for {' with '.join(texts)}"
        )
    never = [text for text, success in zip(texts, alone, strict=True) if not success]
    return f"no level was found for {' or '.join(never)} even without the other targets"


Targets = tuple[tuple[str, Range], ...]

# How many searches are under way at a time, with any number of threads.
SEARCHES_AT_ONCE = 8
# Stream numbers of the searches for the easiest and the hardest level, far from those of levels;
# the next one is that of diagnoses.
PROBES = 1 << 40


@dataclass(eq=False)
class SearchResult:
    """The result of a search: the best genes, the last population as long as the search may be
    continued, and the number of evaluated individuals.

    `score` is that of the best genes; None if the result was stored by an earlier version.
    """

    genes: Genes
    population: Genes | None
    evaluations: int
    score: float | None = None


def search_level(
    problem: LevelProblem, strategy: Strategy, seed: int, limits: Limits
) -> SearchResult:
    """Search for one level: a unit of work for any thread, process or machine."""
    search = begin_search(problem, strategy, seed, limits.generations or 0)
    for done in advance(search, problem.evaluate, limits, stop_requested, events=False):
        if isinstance(done, SearchEnded) and done.reason == STOPPED:
            raise CancelledError
    assert search.best_genes is not None  # noqa: S101 the start is always evaluated
    return SearchResult(search.best_genes, search.genes, search.evaluations, search.best_score)


class LevelPackSource(PackSource):
    """Searches for the levels of an order. The units of work are the searches."""

    order: Order

    def __init__(self, order: Order, seed: int) -> None:
        """Prepare; nothing is searched yet."""
        check_memory(order.recipe)
        super().__init__(order, seed)
        longer = f"--attempts (now {order.budget}) or --set generations=N"
        self.advice = f"Widen the targets, or search longer with {longer}"
        self.targets = list(order.targets)
        self._accepted = Distinctness.empty(
            order.frame.height, order.frame.width, order.tileset, order.least
        )
        self._furnished = order.recipe.furnisher is not None
        self._pending = list(range(order.count))
        # The searches that have begun and are not judged yet, in this order.
        self._under_way: dict[int, PackObjective] = {}
        # The searches that are continued from their population.
        self._continued: dict[int, SearchResult] = {}
        self._attempts = [0] * order.count
        # The failed searches for each set of targets since the last level that was found for it.
        self._failures: dict[Targets, Failures] = {}
        self._diagnosed = 0

    def search(self, take: Take) -> Iterator[int | None]:
        """Search until every level is found or abandoned."""
        if self.order.curve is not None:
            yield from self._probe(self.order.curve, take)
        for result in take(search_level, self._searches(), SEARCHES_AT_ONCE):
            index = next(iter(self._under_way))
            self._judge(index, self._under_way.pop(index), result)
            yield result.evaluations
        yield from self._abandon(take)
        # The last searches may have failed: report that their levels are decided, too.
        yield None

    def _searches(self) -> Iterator[tuple[LevelProblem, Strategy, int, Limits] | None]:
        """Iterate over the searches for pending levels; None if there is none to begin before the
        next result is known.
        """
        while True:
            index = next(
                (
                    index
                    for index in self._pending
                    if index not in self._under_way and self._has_hope(index)
                ),
                None,
            )
            if index is None:
                yield None
                continue
            objective = PackObjective(
                self.targets[index], self._accepted, furnished=self._furnished
            )
            if self.order.maximises:
                own = self.order.recipe.scored
                objective = PackObjective.maximising(
                    own, self.targets[index], self._accepted, furnished=self._furnished
                )
            self._under_way[index] = objective
            population = self._continued[index].population if index in self._continued else None
            seed = seed_of(self.seed, index, self._attempts[index])
            self._attempts[index] += 1
            yield self._search(objective, seed, population)

    @property
    def items(self) -> tuple[Level, ...]:
        """The levels found so far, in the order of their targets, or along the curve."""
        levels = [self._found[index] for index in sorted(self._found)]
        curve = self.order.curve
        if curve is not None and levels:
            difficulty = measure(levels)["difficulty"]
            keys = difficulty if curve[0] <= curve[1] else -difficulty
            levels = [levels[index] for index in np.argsort(keys, kind="stable")]
        return with_origins(levels, self.order, self.seed)

    def _search(
        self,
        objective: PackObjective,
        seed: int,
        population: Genes | None = None,
        generations: int | None = None,
    ) -> tuple[LevelProblem, Strategy, int, Limits]:
        """Return the arguments of `search_level` for a search from random individuals or from a
        population.
        """
        recipe = self.order.recipe
        problem = replace(recipe.problem, frame=self.order.frame, objective=objective)
        if population is not None:
            problem = replace(problem, first=population)
        most = recipe.generations if generations is None else min(generations, recipe.generations)
        return (
            problem,
            recipe.parts[2],
            seed,
            replace(recipe.limits, generations=most, goal=objective.goal),
        )

    @staticmethod
    def encode(unit: SearchResult) -> dict[str, Any]:
        """Return the result of a search as plain data and arrays."""
        return vars(unit).copy()

    @staticmethod
    def decode(state: Mapping[str, Any]) -> SearchResult:
        """Return the result that `encode` described."""
        population = None if state["population"] is None else np.array(state["population"])
        genes, evaluations = np.array(state["genes"]), int(state["evaluations"])
        return SearchResult(genes, population, evaluations, state.get("score"))

    def _judge(self, index: int, objective: PackObjective, result: SearchResult) -> None:
        """Accept a level, continue its search, or count it as a failure."""
        batch = self.order.genotype.batch(result.genes[np.newaxis], self.order.frame)
        targets = tuple(objective.targets.items())
        if index in self._continued:
            self._continued.pop(index).population = None
        # A level of the highest possible score meets everything that was known when its search
        # began.
        met = (
            bool(objective.shortfall(batch)[0] == 0)
            if result.score is None or objective.goal is None
            else result.score == objective.goal
        )
        if met and not self._accepted.lacking(batch)[0]:
            problem = replace(self.order.recipe.problem, frame=self.order.frame)
            proven = next(problem.result(result.genes[np.newaxis]))
            self._found[index] = proven
            self._accepted = self._accepted.joined_by(proven.tiles)
            self._pending.remove(index)
            self._failures.pop(targets, None)
        elif met:
            # It met its targets until another level was accepted.
            self._continued[index] = result
            return
        else:
            self._failures.setdefault(targets, Failures()).add(
                replace(objective, distinctness=self._accepted), batch
            )
        result.population = None

    def _has_hope(self, index: int) -> bool:
        """Whether a level is worth another search: its targets were not missed by too many
        consecutive ones, or can be widened.
        """
        failures = self._failures.get(tuple(self.targets[index].items()))
        return failures is None or failures.count < self.order.budget or self._widen(index)

    def _abandon(self, take: Take) -> Iterator[int | None]:
        """Abandon the levels that are left, and find out why their targets are missed."""
        hopeless: dict[Targets, list[int]] = {}
        for index in self._pending:
            hopeless.setdefault(tuple(self.targets[index].items()), []).append(index)
        for targets, indices in hopeless.items():
            failures = self._failures[targets]
            reason = SIMILAR
            if not failures.similar:
                reason = yield from self._diagnose(
                    PackObjective(dict(targets), self._accepted, furnished=self._furnished), take
                )
            self._missed += [MissedLevel(index, failures.unmet, reason) for index in indices]
            self._pending = [index for index in self._pending if index not in indices]

    def _widen(self, index: int) -> bool:
        """Allow a level another difficulty, if neighbours on the curve can hardly be told apart;
        return whether that was possible.
        """
        curve, scale = self.order.curve, self.scale
        if curve is None or scale is None or not is_narrow(curve, self.order.count, *scale):
            return False
        wider = widened(self.targets[index]["difficulty"], *scale)
        if wider is not None:
            self.targets[index] = {**self.targets[index], "difficulty": wider}
        return wider is not None

    def _diagnose(self, objective: PackObjective, take: Take) -> Generator[int, None, str]:
        """Search with fewer conditions, and return one sentence that says why no level was
        found.
        """
        if not objective.targets:
            return ""
        tried = diagnoses(objective)
        searches = [
            self._search(each, seed_of(self.seed, PROBES + 1, self._diagnosed + number))
            for number, each in enumerate(tried)
        ]
        self._diagnosed += len(tried)
        met = []
        for each, result in zip(tried, take(search_level, searches), strict=True):
            result.population = None
            met.append(
                meets_targets(
                    each, self.order.genotype.batch(result.genes[np.newaxis], self.order.frame)
                )
            )
            yield result.evaluations
        return reason_of(objective.targets, met)

    def _probe(self, curve: Range, take: Take) -> Iterator[int | None]:
        """Search for the easiest and the hardest level, and set targets of difficulty along the
        curve between the two.
        """
        ends = [self.targets[0], self.targets[-1]]
        # The easiest level is searched for first, unless the curve descends.
        ends = ends if curve[0] <= curve[1] else ends[::-1]
        objectives = [
            PackObjective(targets, self._accepted, value, furnished=self._furnished)
            for targets, value in zip(ends, (easiness, hardness), strict=True)
        ]
        searches = [
            self._search(
                objective,
                seed_of(self.seed, PROBES, attempt),
                generations=self.order.probe_generations,
            )
            for attempt, objective in enumerate(objectives)
        ]
        results = []
        for result in take(search_level, searches):
            results.append(result)
            result.population = None
            yield result.evaluations
        genes = np.stack([result.genes for result in results])
        extremes = sorted(
            MEASURES["difficulty"]
            .count(self.order.genotype.batch(genes, self.order.frame))
            .tolist()
        )
        self.scale = extremes[0], extremes[1]
        self.targets = curve_targets(self.targets, curve, *self.scale)
