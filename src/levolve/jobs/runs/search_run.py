"""`SearchRun`: what runs of levels and of other contents share: the search, its history, its state
and its best individual.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np

from levolve.core.errors import InputError, LevolveError, requiring
from levolve.jobs.executors import SerialExecutor, shares_memory, stop_requested
from levolve.jobs.job import Job, Result
from levolve.jobs.runs.history import History
from levolve.recipes.base_recipe import BaseRecipe
from levolve.recipes.finding import recipe_from_data
from levolve.recipes.part_tables import local_functions
from levolve.search.clock import work_clock
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.fused import begin_search
from levolve.search.loop import STOPPED, GenerationScored, SearchEnded, advance
from levolve.search.problem import choose_seed
from levolve.search.search import Generations

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from levolve.search.ancestors import Ancestor
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.lineage import Lineage
    from levolve.search.search import Search, Strategy

STATE_VERSION = 1


AnyRecipe = TypeVar("AnyRecipe", bound=BaseRecipe)


class SearchRun(Job[Result], Generic[Result, AnyRecipe]):
    """One run of a recipe. `events()` advances it and yields an event per generation; `finish()`
    runs to the end.

    The problem of the recipe decodes individuals: into levels with a proof (`Run`), or into any
    other content (`ContentRun`).

    Parameters
    ----------
    recipe
        What to evolve, and how.
    seed
        From 0 to 2**64 - 1; by default a random one.
    executor
        Any `concurrent.futures.Executor` to evaluate individuals with; by default this thread. It
        does not change the result.
    stop
        Called between generations; return True to end early.
    ancestry
        Whether to record the ancestors of the best individual. It does not change the result, but
        takes longer.
    """

    # Cached properties that a new generation makes invalid.
    stale: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        recipe: AnyRecipe,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
        *,
        ancestry: bool = False,
    ) -> None:
        """Prepare; nothing is computed yet."""
        self._check_memory(recipe, ancestry=ancestry)
        self.recipe = recipe
        self.problem = recipe.problem
        self.name = recipe.name
        self.seed = choose_seed(seed)
        self.history = History()
        self.seconds = 0.0
        self.ended: SearchEnded | None = None
        self._stop = stop
        strategy: Strategy = recipe.parts[-1]
        self.has_ancestry = ancestry
        self._search = begin_search(
            recipe.problem,
            strategy,
            self.seed,
            recipe.planned_generations,
            _new_lineage() if ancestry else None,
        )
        self._evaluate = ParallelEvaluator(recipe.problem, executor or SerialExecutor())
        self._improvements: list[tuple[int, float, Genes]] = []

    def _check_memory(self, recipe: AnyRecipe, *, ancestry: bool) -> None:
        """Raise an error for a run that does not fit into the memory, if that is known."""

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Build a run from its recipe and seed."""
        recipe: Any = recipe_from_data(call["recipe"])
        return cls(recipe, call["seed"], executor, stop, ancestry=bool(call.get("ancestry")))

    @property
    def result(self) -> Result:
        """This run: it gives the best result so far, the history and the report."""
        return cast("Result", self)

    def call(self) -> dict[str, Any]:
        """Return the recipe and the seed, and whether ancestors are recorded."""
        local = local_functions(self.recipe.parts)
        if local:
            raise InputError(
                "objective: expected a function that other processes can import, defined at the "
                f"top of a module, got {local[0]}"
            )
        return {
            "recipe": self.recipe.to_data(),
            "seed": self.seed,
            **({"ancestry": True} if self.has_ancestry else {}),
        }

    def rebuilt(self) -> Self:
        """Return an equal run; unlike one built from its call, it may use functions that only this
        process knows.
        """
        return type(self)(self.recipe, self.seed, ancestry=self.has_ancestry)

    def events(self) -> Iterator[GenerationScored | SearchEnded]:
        """Advance to the end; yield an event per generation, with the start as number 0, and one
        with the reason at the end.
        """
        began = work_clock()
        for event in advance(self._search, self._evaluate, self.recipe.limits, self._stop):
            if isinstance(event, GenerationScored):
                best = self._search.best_genes
                improvements = (
                    [(event.generation, event.best, best)]
                    if event.improved and best is not None
                    else []
                )
                self._record(
                    Generations([event.best], [event.mean], [event.evaluations], improvements)
                )
                self._forget()
            else:
                self.ended = event
            self.seconds += work_clock() - began
            yield event
            began = work_clock()

    def finish(self) -> Result:
        """Advance to the end, and return the result. Without events, Python's share of a fast
        search is half as large.
        """
        began = work_clock()
        try:
            for done in advance(
                self._search, self._evaluate, self.recipe.limits, self._stop, events=False
            ):
                if isinstance(done, SearchEnded):
                    self.ended = done
                else:
                    self._record(done)
        finally:
            self._forget()
            self.seconds += work_clock() - began
        return self.result

    def _record(self, done: Generations) -> None:
        self.history.add(done)
        self._improvements += done.improvements

    def _forget(self) -> None:
        for stale in self.stale:
            self.__dict__.pop(stale, None)

    def __repr__(self) -> str:
        """Return the recipe, the seed, and the best score so far."""
        size = f" {self.size}" if self.size else ""
        found = (
            f"best score {self.best_score:g}, {self.evaluations:,} evaluations"
            if self._search.generation
            else "nothing evaluated yet"
        )
        return f"<{type(self).__name__} of {self.name}{size}, seed {self.seed}: {found}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the history as a pandas data frame, one row per generation. Requires pandas."""
        return self.history.to_frame()

    def plot(self) -> Figure:
        """Return the best and the mean scores over the evaluations as a matplotlib figure. Requires
        the extra `plot`.
        """
        with requiring("run.plot", ("matplotlib",), "plot"):
            from levolve.jobs.charts.results import history_figure

        return history_figure(
            self.history,
            f"{self.name} {self.size}, seed {self.seed}: best score {self.best_score:g}",
        )

    def state(self) -> dict[str, Any]:
        """Return the complete state of the run as plain numbers, texts and arrays. `restore`
        continues from it to the same bytes.
        """
        return {
            "version": STATE_VERSION,
            "recipe": self.recipe.to_json(),
            "seed": self.seed,
            "seconds": self.seconds,
            "search": self._search.state(),
            "history": {name: list(values) for name, values in vars(self.history).items()},
            "improvements": [
                (generation, score, genes.copy()) for generation, score, genes in self._improvements
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a run of the same recipe and seed; only its limits,
        `generations` and `evaluations`, may differ.
        """
        if state.get("version") != STATE_VERSION:
            raise InputError(
                f"state: expected version {STATE_VERSION}, got {state.get('version')!r}; it was "
                "saved by another version of levolve"
            )
        if state["seed"] != self.seed:
            raise InputError(
                f"state: expected the state of a run with seed {self.seed}, got seed "
                f"{state['seed']}"
            )
        if _without_limits(state["recipe"]) != _without_limits(self.recipe.to_json()):
            raise InputError(
                f"state: expected the state of a run of recipe {self.name!r} with the same "
                "settings, got that of another recipe"
            )
        self._search.restore(state["search"])
        self.history = History(**{name: list(values) for name, values in state["history"].items()})
        self.seconds = float(state["seconds"])
        self.ended = None
        self._improvements = [
            (int(generation), float(score), np.array(genes))
            for generation, score, genes in state["improvements"]
        ]
        self._forget()

    @property
    def score(self) -> float | None:
        """The best score so far; None before the first generation."""
        return self.best_score if self._search.generation else None

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return not shares_memory(self._evaluate.executor)

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
        shares = [
            0.0
            if limits.generations is None
            else self._search.generation / (limits.generations + 1)
        ]
        shares += [] if not limits.evaluations else [self.evaluations / limits.evaluations]
        return min(max(shares), 1.0)

    @property
    def search(self) -> Search:
        """The running search."""
        return self._search

    @property
    def best_score(self) -> float:
        """The highest score found."""
        return self._search.best_score

    @property
    def evaluations(self) -> int:
        """The number of evaluated individuals. Those whose content was evaluated before count as
        well, although their scores are remembered.
        """
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
            raise LevolveError("run: nothing has been evaluated yet; call finish() first")
        return self._search.best_genes

    @property
    def ancestry(self) -> list[Ancestor]:
        """The ancestors of the best individual, from the first to itself. Only for a run that
        records them.
        """
        if not self.has_ancestry:
            raise LevolveError("run: its ancestors were not recorded; start it with ancestry=True")
        return self._search.ancestors()

    @property
    def best_and_population(self) -> Genes:
        """The genes of the best individual, then of the last population from best to worst."""
        order = np.argsort(-self._search.scores, kind="stable")
        return np.concatenate((self.best_genes[np.newaxis], self._search.genes[order]))

    @property
    @abstractmethod
    def digest(self) -> str:
        """The SHA-256 of the best level or content."""

    @abstractmethod
    def report(self) -> dict[str, Any]:
        """Return what only this kind of run reports, as JSON-compatible data."""

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        return {
            "recipe": self.recipe.name,
            "seed": self.seed,
            "best_score": self.best_score,
            "digest": self.digest,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            **self.report(),
        }


def _without_limits(recipe: str) -> dict[str, Any]:
    """Return the recipe of this JSON text without what only decides when a run ends."""
    return {
        key: value
        for key, value in json.loads(recipe).items()
        if key not in {"generations", "evaluations"}
    }


def _new_lineage() -> Lineage:
    from levolve.search.lineage import Lineage

    return Lineage()
