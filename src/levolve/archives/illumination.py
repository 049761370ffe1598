"""`Illumination`: the job that fills an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, ClassVar, Self

from levolve.archives.archive import Archive, Progress
from levolve.errors import InputError
from levolve.evolution.loop import GenerationScored, SearchEnded
from levolve.evolution.map_elites import MapElitesSearch
from levolve.recipes.recipe import Recipe
from levolve.runs.executors import stop_requested
from levolve.runs.jobs import Job, JobOutcome, State
from levolve.runs.run import Run

if TYPE_CHECKING:
    from levolve.evolution.search import Search


class Illumination(Job[Archive]):
    """Fills an archive by a run of a recipe with the strategy `map_elites`.

    Parameters
    ----------
    recipe
        What to evolve; see `levolve.archives.illuminating.illumination_recipe`.
    seed
        From 0 to 2**64 - 1; by default a random one.
    executor
        Any `concurrent.futures.Executor` to evaluate individuals with; by default this thread. It does not change the result.
    stop
        Called between generations; return True to end early.
    """

    kind: ClassVar[str] = "illuminate"

    def __init__(self, recipe: Recipe, seed: int | None = None, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> None:
        """Prepare; nothing is computed yet."""
        if recipe.strategy["kind"] != "map_elites":
            message = f"strategy: expected map_elites, got {recipe.strategy['kind']}"
            raise InputError(message)
        self.run = Run(recipe, seed, executor, stop)
        self.recipe = recipe
        self.name = recipe.name
        self.seed = self.run.seed
        self.filling = Progress()

    def call(self) -> dict[str, Any]:
        """Return the recipe and the seed."""
        return self.run.call()

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Build an illumination from its recipe and seed."""
        return cls(Recipe.from_data(call["recipe"]), call["seed"], executor, stop)

    def events(self) -> Iterator[GenerationScored | SearchEnded]:
        """Advance to the end; yield an event per generation, with coverage and QD score as its figures, and one with the reason at the end."""
        for event in self.run.events():
            if isinstance(event, GenerationScored):
                self.filling.evaluations.append(event.evaluations)
                self.filling.coverage.append(event.figures["coverage"])
                self.filling.qd_score.append(event.figures["qd_score"])
            yield event

    def state(self) -> State:
        """Return the state of the run, and how the archive was filled."""
        return {"run": self.run.state(), "filling": {name: list(values) for name, values in vars(self.filling).items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self.run.restore(state["run"])
        self.filling = Progress(**{name: list(values) for name, values in state["filling"].items()})

    @property
    def search(self) -> MapElitesSearch:
        """The running search."""
        search: Search = self.run.search
        if not isinstance(search, MapElitesSearch):
            message = f"strategy: expected a search of map_elites, got {type(search).__name__}"
            raise InputError(message)
        return search

    @property
    def result(self) -> Archive:
        """The archive so far."""
        search, run = self.search, self.run
        elites = search.archive.state()
        genes = run.population.copy() if elites["genes"] is None else elites["genes"]
        best = search.best_genes
        inside = best is None or bool((genes == best).all(axis=1).any())
        return Archive(
            run.recipe,
            run.seed,
            run.evaluations,
            search.grid,
            elites["cells"],
            genes,
            elites["scores"],
            elites["values"],
            search.settings.floor or 0.0,
            0 if inside else 1,
            self.filling,
        )

    @property
    def size(self) -> str:
        """The size of the levels."""
        return self.run.size

    @property
    def score(self) -> float | None:
        """The best score so far; None before the first generation."""
        return self.run.score

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return self.run.is_remote

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` ended the run."""
        return self.run.is_stopped

    @property
    def progress(self) -> float | None:
        """The share of the evaluations."""
        return self.run.progress

    @property
    def headline(self) -> str:
        """The coverage so far."""
        return f"{self.filling.coverage[-1]:.1%} covered" if self.filling.coverage else ""

    def outcome(self) -> JobOutcome:
        """Return the report. The levels are in the state, as genes."""
        archive = self.result
        return JobOutcome(self.to_data(archive), archive.digest)

    def to_data(self, archive: Archive | None = None) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        return {**(archive or self.result).to_data(), "seconds": round(self.run.seconds, 6)}
