"""`Run`: the execution of a recipe with a seed, and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from levolve.display import Displayed
from levolve.errors import LevolveError
from levolve.formats.json import encode
from levolve.levels.level import Level, Origin
from levolve.levels.solving import shortest_solution
from levolve.measures.levels import batch_of, level_at
from levolve.measures.measuring import measure
from levolve.recipes.plugins import plugins_of
from levolve.recipes.recipe import Recipe
from levolve.runs.executors import stop_requested
from levolve.runs.front import Front
from levolve.runs.jobs import JobOutcome
from levolve.runs.memory import check_memory
from levolve.runs.search_run import SearchRun
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from levolve.formats.look import Look
    from levolve.formats.originals import Original
    from levolve.genotypes.genes import Genes
    from levolve.levels.tileset import Tileset


class Run(Displayed, SearchRun["Run"]):
    """One run of a recipe of levels. `events()` advances it and yields an event per generation; `finish()` runs to the end.

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
    ancestry
        Whether to record the ancestors of the best individual. It does not change the result, but takes longer.
    """

    kind: ClassVar[str] = "evolve"
    stale: ClassVar[tuple[str, ...]] = ("best", "levels", "frames", "measures", "front")

    def __init__(
        self,
        recipe: Recipe,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
        *,
        ancestry: bool = False,
    ) -> None:
        """Prepare; nothing is computed yet."""
        check_memory(recipe, ancestry=ancestry)
        self.recipe = recipe
        self.problem = recipe.problem
        super().__init__(recipe, seed, executor, stop, ancestry=ancestry)

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Build a run from its recipe and seed."""
        return cls(Recipe.from_data(call["recipe"]), call["seed"], executor, stop, ancestry=bool(call.get("ancestry")))

    @property
    def result(self) -> Run:
        """This run: it gives the best level so far, the history and the report."""
        return self

    @property
    def size(self) -> str:
        """The size of the levels."""
        return "{}x{}".format(*self.recipe.size)

    def outcome(self) -> JobOutcome:
        """Return the report, and the best level as JSON."""
        return JobOutcome(self.to_data(), self.digest, ((self.digest, encode(self.best)),))

    @property
    def tileset(self) -> Tileset:
        """The tileset of the levels of this run."""
        return self.problem.batch(self.problem.start(self.seed, 0, 1)).tileset

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
        return self.recipe.parts[1].unmet(batch_of(self.best, self.recipe.like))

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

    def _picture(self) -> bytes | None:
        from levolve.formats.png import encode as png  # noqa: PLC0415 loads the library that draws, which most runs do not need

        return png(self.best_so_far) if self._search.generation else None

    def encoded_files(self, path: Path, look: Look | None = None, original: Original | None = None) -> dict[Path, bytes]:
        """Return the bytes of the files for an output path: the film of the run (.gif), evolved rules (.toml), or the best level in any format."""
        from levolve.runs.output import encode_run  # noqa: PLC0415 it imports this class

        return encode_run(self, path, look, original)

    @property
    def has_front(self) -> bool:
        """Whether the run has several objectives, and so a Pareto front."""
        return bool(self.recipe.parts[2].objective_names)

    @cached_property
    def front(self) -> Front:
        """The Pareto front of a run with several objectives, such as one with strategy "nsga2"; raises `InputError` for others."""
        self.best_genes  # noqa: B018 raises an error if nothing has been evaluated
        genes, values = self._search.front()
        grown = [next(self.grow(genes[index : index + 1]), None) for index in range(len(genes))]
        # Members of the front are in the population, whose levels know their index in the run.
        known = {level.digest: level for level in self.levels} if any(grown) else {}
        proven = [index for index, level in enumerate(grown) if level is not None]
        return Front(tuple(known[level.digest] for level in grown if level is not None), {name: numbers[proven] for name, numbers in values.items()})

    def _with_origin(self, level: Level, index: int) -> Level:
        data = self.recipe.to_data()
        return level.with_origin(Origin.of(data, self.seed, index, VERSION, plugins_of(data, level), ENGINE))

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
        if self.has_front:
            data["front"] = self.front.rows()
        if self.has_ancestry:
            data["ancestry"] = [ancestor.to_data() for ancestor in self.ancestry]
        return data if self.unseen is None else {**data, "unseen": self.unseen}
