"""`Run`: the execution of a recipe with a seed, and its results."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from levolve.errors import InputError, LevolveError
from levolve.evolution.evaluation import ParallelEvaluator
from levolve.evolution.fused import begin_search
from levolve.evolution.loop import STOPPED, GenerationScored, SearchEnded, advance
from levolve.evolution.seeds import choose_seed
from levolve.formats.json import encode
from levolve.levels.level import Level, Origin
from levolve.levels.solving import shortest_solution
from levolve.measures.levels import batch_of, level_at
from levolve.measures.measuring import measure
from levolve.recipes.plugins import local_functions, plugins_of
from levolve.recipes.recipe import Recipe
from levolve.runs.executors import Here, stop_requested
from levolve.runs.jobs import Job, JobOutcome
from levolve.runs.memory import check_memory
from levolve.version import VERSION

if TYPE_CHECKING:
    from levolve.genotypes.genes import Genes
    from levolve.levels.tileset import Tileset

STATE_VERSION = 1
# Cached properties that a new generation makes invalid.
STALE = ("best", "levels", "frames", "measures")


@dataclass
class History:
    """The history of a run, one entry per generation in each list. `best` is the best score so far, `mean` that of the population."""

    best: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)

    def add(self, event: GenerationScored) -> None:
        """Add a generation."""
        self.best.append(event.best)
        self.mean.append(event.mean)
        self.evaluations.append(event.evaluations)


class Run(Job["Run"]):
    """One run of a recipe. `events()` advances it and yields an event per generation; `finish()` runs to the end.

    Parameters
    ----------
    recipe
        What to evolve, and how.
    seed
        From 0 to 2**64 - 1; by default a random one.
    executor
        Any `concurrent.futures.Executor` to evaluate individuals with; by default this thread. It does not change the result.
    stop
        Called between generations; return True to end early.
    """

    kind: ClassVar[str] = "evolve"

    def __init__(self, recipe: Recipe, seed: int | None = None, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> None:
        """Prepare; nothing is computed yet."""
        check_memory(recipe)
        self.recipe = recipe
        self.name = recipe.name
        self.seed = choose_seed(seed)
        self.problem = recipe.problem
        self.history = History()
        self.seconds = 0.0
        self.ended: SearchEnded | None = None
        self._stop = stop
        self._search = begin_search(self.problem, recipe.parts[2], self.seed, recipe.planned_generations)
        self._evaluate = ParallelEvaluator(self.problem, executor or Here())
        self._improvements: list[tuple[int, float, Genes]] = []

    def call(self) -> dict[str, Any]:
        """Return the recipe and the seed."""
        local = local_functions(self.recipe.parts)
        if local:
            message = f"objective: expected a function that other processes can import, defined at the top of a module, got {local[0]}"
            raise InputError(message)
        return {"recipe": self.recipe.to_data(), "seed": self.seed}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Build a run from its recipe and seed."""
        return cls(Recipe.from_data(call["recipe"]), call["seed"], executor, stop)

    def rebuilt(self) -> Self:
        """Return an equal run; unlike one built from its call, it may use functions that only this process knows."""
        return type(self)(self.recipe, self.seed)

    def events(self) -> Iterator[GenerationScored | SearchEnded]:
        """Advance to the end; yield an event per generation, with the start as number 0, and one with the reason at the end."""
        began = time.perf_counter()
        for event in advance(self._search, self._evaluate, self.recipe.limits, self._stop):
            if isinstance(event, GenerationScored):
                self._add(event)
            else:
                self.ended = event
            self.seconds += time.perf_counter() - began
            yield event
            began = time.perf_counter()

    def _add(self, event: GenerationScored) -> None:
        for stale in STALE:
            self.__dict__.pop(stale, None)
        self.history.add(event)
        if event.improved and self._search.best_genes is not None:
            self._improvements.append((event.generation, event.best, self._search.best_genes))

    def state(self) -> dict[str, Any]:
        """Return the complete state of the run as plain numbers, texts and arrays. `restore` continues from it to the same bytes."""
        return {
            "version": STATE_VERSION,
            "recipe": self.recipe.to_json(),
            "seed": self.seed,
            "seconds": self.seconds,
            "search": self._search.state(),
            "history": {name: list(values) for name, values in vars(self.history).items()},
            "improvements": [(generation, score, genes.copy()) for generation, score, genes in self._improvements],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a run of the same recipe and seed; only its limits, `generations` and `evaluations`, may differ."""
        if state.get("version") != STATE_VERSION:
            message = f"state: expected version {STATE_VERSION}, got {state.get('version')!r}; it was saved by another version of levolve"
            raise InputError(message)
        if state["seed"] != self.seed:
            message = f"state: expected the state of a run with seed {self.seed}, got seed {state['seed']}"
            raise InputError(message)
        if _without_limits(state["recipe"]) != _without_limits(self.recipe.to_json()):
            message = f"state: expected the state of a run of recipe {self.recipe.name!r} with the same settings, got that of another recipe"
            raise InputError(message)
        self._search.restore(state["search"])
        self.history = History(**{name: list(values) for name, values in state["history"].items()})
        self.seconds = float(state["seconds"])
        self.ended = None
        self._improvements = [(int(generation), float(score), np.array(genes)) for generation, score, genes in state["improvements"]]
        for stale in STALE:
            self.__dict__.pop(stale, None)

    @property
    def result(self) -> Run:
        """This run: it gives the best level so far, the history and the report."""
        return self

    @property
    def size(self) -> str:
        """The size of the levels."""
        return "{}x{}".format(*self.recipe.size)

    @property
    def score(self) -> float | None:
        """The best score so far; None before the first generation."""
        return self.best_score if self._search.generation else None

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` ended the run."""
        return self.ended is not None and self.ended.reason == STOPPED

    @property
    def progress(self) -> float | None:
        """The share of the generations or of the evaluations, whichever is nearer to its limit."""
        if self.ended is not None and not self.is_stopped:
            return 1.0
        limits = self.recipe.limits
        shares = [0.0 if limits.generations is None else self._search.generation / (limits.generations + 1)]
        shares += [] if not limits.evaluations else [self.evaluations / limits.evaluations]
        return min(max(shares), 1.0)

    def outcome(self) -> JobOutcome:
        """Return the report, and the best level as JSON."""
        return JobOutcome(self.to_data(), self.digest, ((self.digest, encode(self.best)),))

    @property
    def tileset(self) -> Tileset:
        """The tileset of the levels of this run."""
        return self.problem.batch(self.problem.start(self.seed, 0, 1)).tileset

    @property
    def best_score(self) -> float:
        """The highest score found."""
        return self._search.best_score

    @property
    def evaluations(self) -> int:
        """The number of evaluated individuals."""
        return self._search.evaluations

    @property
    def population(self) -> Genes:
        """The genes of the last population, `(n, ...)`."""
        return self._search.genes

    @property
    def scores(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The scores of the last population, `(n,)`."""
        return self._search.scores

    @property
    def best_genes(self) -> Genes:
        """The genes of the best individual."""
        if self._search.best_genes is None:
            message = "run: nothing has been evaluated yet; call finish() first"
            raise LevolveError(message)
        return self._search.best_genes

    @cached_property
    def best(self) -> Level:
        """The best level, with its solution and origin."""
        for level in self.grow(self.best_genes[np.newaxis]):
            return self._with_origin(level, 0)
        return self.levels[0]

    @property
    def best_so_far(self) -> Level:
        """The best level of an unfinished run; without a solution if it cannot be won yet."""
        try:
            return self.best
        except LevolveError:
            return level_at(self.problem.batch(self.best_genes[np.newaxis]))

    @property
    def digest(self) -> str:
        """The SHA-256 of the best level."""
        return self.best.digest

    @cached_property
    def measures(self) -> dict[str, float]:
        """All measures of the best level that apply to it."""
        return measure(self.best, like=self.recipe.like).of_level()

    @property
    def unmet(self) -> list[str]:
        """The targets and constraints that the best level does not meet, one sentence each."""
        return self.recipe.parts[1].unmet(batch_of(self.best))

    @cached_property
    def levels(self) -> list[Level]:
        """The best level found, then the last population from best to worst, without duplicates; all are winnable and have a solution."""
        best = self.best_genes[np.newaxis]
        order = np.argsort(-self._search.scores, kind="stable")
        found = dict.fromkeys(self.grow(np.concatenate((best, self._search.genes[order]))))
        if not found:
            message = (
                f"run: no winnable level was found in {self.evaluations} evaluations of recipe {self.recipe.name!r}; "
                "use more generations, rank infeasible levels (objective.feasible_first=true), or check that the cells to keep leave a path"
            )
            raise LevolveError(message)
        return [self._with_origin(level, index) for index, level in enumerate(found)]

    def _with_origin(self, level: Level, index: int) -> Level:
        data = self.recipe.to_data()
        return level.with_origin(Origin.of(data, self.seed, index, VERSION, plugins_of(data, level)))

    @cached_property
    def frames(self) -> list[tuple[str, Level]]:
        """Return the best level after each improvement, with a caption."""
        shown: list[tuple[str, Level]] = []
        for number, score, genes in self._improvements:
            shown.extend((f"generation {number}, score {score:g}", level) for level in self.grow(genes[np.newaxis]))
        if not shown:
            return [(f"score {self.best_score:g}", self.best)]
        return [*shown[:-1], (shown[-1][0], self.best)]

    def grow(self, genes: Genes) -> Iterator[Level]:
        """Decode `(n, ...)` genes, and return the winnable levels, each with a shortest solution that the independent checker has replayed."""
        for index in range(len(genes)):
            batch = self.problem.batch(genes[index : index + 1])
            level = level_at(batch)
            solution = shortest_solution(level)
            if solution is not None:
                proven = level.with_solution(solution)
                proven.check()
                yield proven

    @cached_property
    def unseen(self) -> dict[str, Any] | None:
        """The performance of an evolved fashion rule on unseen start maps; None for runs of other genotypes."""
        if self.recipe.genotype["kind"] != "fashion" or self.recipe.genotype["rules"] != 1:
            return None
        from levolve.runs.evolved_rules import designs_of, try_unseen  # noqa: PLC0415 needed only for runs that evolve rules

        return try_unseen(designs_of(self)[0]).to_data()

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        data = {
            "recipe": self.recipe.name,
            "seed": self.seed,
            "best_score": self.best_score,
            "digest": self.digest,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "measures": self.measures,
        }
        return data if self.unseen is None else {**data, "unseen": self.unseen}


def _without_limits(recipe: str) -> dict[str, Any]:
    """Return the recipe of this JSON text without what only decides when a run ends."""
    return {key: value for key, value in json.loads(recipe).items() if key not in {"generations", "evaluations"}}
