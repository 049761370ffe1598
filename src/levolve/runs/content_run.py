"""`ContentRun`: the execution of a recipe of contents that are no levels, and its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from levolve.contents.content import canonical_bytes, digest_of, plain
from levolve.errors import InputError
from levolve.evolution.map_elites import MapElitesSearch
from levolve.recipes.content_recipe import ContentRecipe
from levolve.recipes.plugins import plugins_of
from levolve.runs.executors import stop_requested
from levolve.runs.jobs import JobOutcome
from levolve.runs.search_run import SearchRun
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from levolve.genotypes.genes import Genes


class ContentRun(SearchRun["ContentRun"]):
    """One run of a recipe of contents; see `SearchRun`."""

    kind: ClassVar[str] = "evolve-content"
    stale: ClassVar[tuple[str, ...]] = ("best", "contents", "features")

    def __init__(
        self,
        recipe: ContentRecipe,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
        *,
        ancestry: bool = False,
    ) -> None:
        """Prepare; nothing is computed yet."""
        self.recipe = recipe
        self.problem = recipe.problem
        super().__init__(recipe, seed, executor, stop, ancestry=ancestry)

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Build a run from its recipe and seed."""
        return cls(ContentRecipe.from_data(call["recipe"]), call["seed"], executor, stop, ancestry=bool(call.get("ancestry")))

    @property
    def result(self) -> ContentRun:
        """This run: it gives the best content so far, the history and the report."""
        return self

    def outcome(self) -> JobOutcome:
        """Return the report, which includes the best content."""
        return JobOutcome(self.to_data(), self.digest)

    @cached_property
    def best(self) -> Any:  # noqa: ANN401 any content
        """The best content."""
        return self._decoded(self.best_genes)

    @cached_property
    def contents(self) -> list[Any]:
        """The best content found, then the last population from best to worst, without duplicates."""
        order = np.argsort(-self._search.scores, kind="stable")
        found = {row.tobytes(): row for row in (self.best_genes, *self._search.genes[order])}
        return [self._decoded(row) for row in found.values()]

    def _decoded(self, genes: Genes) -> Any:  # noqa: ANN401 any content
        return self.problem.decode(genes[np.newaxis])[0]

    @property
    def digest(self) -> str:
        """The SHA-256 of the best content."""
        return digest_of(self.best)

    @cached_property
    def features(self) -> dict[str, float]:
        """The features of the best content. It is evaluated again."""
        known = self.recipe.parts[0].assess([self.best])[0].features
        # A feature without a value is NaN.
        return {name: value for name, value in known.items() if not isnan(value)}

    @property
    def elites(self) -> list[dict[str, Any]]:
        """The best content of each cell, best first: its features on the axes, its `score` and the `content`. Only with the strategy `map_elites`."""
        search = self._search
        if not isinstance(search, MapElitesSearch):
            message = f"elites: expected a run with the strategy map_elites, got {self.recipe.strategy['kind']}"
            raise InputError(message)
        found, names = search.archive, [axis.name for axis in search.grid.axes]
        return [
            {
                **dict(zip(names, found.values[place].tolist(), strict=True)),
                "score": float(found.scores[place]),
                "content": self._decoded(found.genes[place]),
            }
            for place in np.argsort(-found.scores, kind="stable").tolist()
        ]

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        return {
            "recipe": self.recipe.name,
            "seed": self.seed,
            "best_score": self.best_score,
            "digest": self.digest,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "features": self.features,
            "best": plain(self.best),
        }

    def to_file(self) -> bytes:
        """Return the best content as the bytes of a JSON file, with the recipe, the seed and the version that made it."""
        data = self.recipe.to_data()
        plugins = plugins_of(data)
        origin = {"recipe": data, "seed": self.seed, "version": VERSION, "engine": ENGINE, "plugins": plugins}
        return canonical_bytes({"format": "levolve content", "content": self.best, "score": self.best_score, "origin": origin}) + b"\n"
