"""`Run`: the execution of a recipe with a seed, and its results.

`ContentRun`: the execution of a recipe of contents that are no levels, and its results.

Runs in files: the recipe, the seed and the complete state, as JSON with a marker.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from concurrent.futures import Executor
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from levolve.contents.content import canonical_bytes, digest_of, plain
from levolve.core.display import Displayed
from levolve.core.errors import InputError, LevolveError, shown
from levolve.formats.json import encode
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_bytes
from levolve.jobs.executors import stop_requested
from levolve.jobs.job import JobOutcome
from levolve.jobs.memory import check_memory
from levolve.jobs.runs.history import Front
from levolve.jobs.runs.search_run import SearchRun
from levolve.jobs.store.codec import decode_state, encode_state
from levolve.levels.level import Level, Origin
from levolve.levels.measures.measuring import batch_of, level_at, measure
from levolve.recipes.part_tables import plugins_of
from levolve.recipes.recipe import Recipe
from levolve.search.strategies.map_elites import MapElitesSearch
from levolve.version import ENGINE, VERSION, difference

if TYPE_CHECKING:
    from pathlib import Path

    from levolve.contents.content import ContentProblem
    from levolve.formats.look import Look
    from levolve.formats.originals import Original
    from levolve.levels.tileset import Tileset
    from levolve.recipes.content_recipe import ContentRecipe
    from levolve.search.level_problem import LevelProblem


class Run(Displayed, SearchRun["Run", Recipe]):
    """One run of a recipe of levels. `events()` advances it and yields an event per generation;
    `finish()` runs to the end.

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

    kind: ClassVar[str] = "evolve"
    stale: ClassVar[tuple[str, ...]] = ("best", "levels", "frames", "measures", "front")

    problem: LevelProblem

    @staticmethod
    def of(
        recipe: Recipe | ContentRecipe,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
        *,
        ancestry: bool = False,
    ) -> Any:
        """Return the run of a recipe of levels, or of other contents; nothing is computed yet."""
        if isinstance(recipe, Recipe):
            return Run(recipe, seed, executor, stop, ancestry=ancestry)
        return ContentRun(recipe, seed, executor, stop, ancestry=ancestry)

    def _check_memory(self, recipe: Recipe, *, ancestry: bool) -> None:
        check_memory(recipe, ancestry=ancestry)

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
        for level in self.problem.result(self.best_genes[np.newaxis]):
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
        """The best level found, then the last population from best to worst, without duplicates;
        all are winnable and have a solution.
        """
        found = dict.fromkeys(self.problem.result(self.best_and_population))
        if not found:
            raise LevolveError(
                f"run: no winnable level was found in {self.evaluations} evaluations of "
                f"recipe {self.recipe.name!r}; "
                "use more generations, rank infeasible levels "
                "(objective.feasible_first=true), or check that the cells to keep leave a "
                "path"
            )
        return [self._with_origin(level, index) for index, level in enumerate(found)]

    def _picture(self) -> bytes | None:
        from levolve.formats.pictures.png import encode as png

        return png(self.best_so_far) if self._search.generation else None

    def encoded_files(
        self, path: Path, look: Look | None = None, original: Original | None = None
    ) -> dict[Path, bytes]:
        """Return the bytes of the files for an output path: the film of the run (.gif), evolved
        rules (.toml), or the best level in any format.
        """
        from levolve.jobs.runs.output import encode_run

        return encode_run(self, path, look, original)

    @property
    def has_front(self) -> bool:
        """Whether the run has several objectives, and so a Pareto front."""
        return bool(self.recipe.parts[2].objective_names)

    @cached_property
    def front(self) -> Front:
        """The Pareto front of a run with several objectives, such as one with strategy "nsga2";
        raises `InputError` for others.
        """
        self.best_genes  # noqa: B018 raises an error if nothing has been evaluated
        genes, values = self._search.front()
        grown = [
            next(self.problem.result(genes[index : index + 1]), None) for index in range(len(genes))
        ]
        # Members of the front are in the population, whose levels know their index in the run.
        known = {level.digest: level for level in self.levels} if any(grown) else {}
        proven = [index for index, level in enumerate(grown) if level is not None]
        return Front(
            tuple(known[level.digest] for level in grown if level is not None),
            {name: numbers[proven] for name, numbers in values.items()},
        )

    def _with_origin(self, level: Level, index: int) -> Level:
        data = self.recipe.to_data()
        return level.with_origin(
            Origin.of(data, self.seed, index, VERSION, plugins_of(data, level), ENGINE)
        )

    @cached_property
    def frames(self) -> list[tuple[str, Level]]:
        """Return the best level after each improvement, with a caption."""
        shown: list[tuple[str, Level]] = []
        for number, score, genes in self._improvements:
            shown.extend(
                (f"generation {number}, score {score:g}", level)
                for level in self.problem.result(genes[np.newaxis])
            )
        if not shown:
            return [(f"score {self.best_score:g}", self.best)]
        return [*shown[:-1], (shown[-1][0], self.best)]

    @cached_property
    def unseen(self) -> dict[str, Any] | None:
        """The performance of an evolved fashion rule on unseen start maps; None for runs of other
        genotypes.
        """
        if self.recipe.genotype["kind"] != "fashion" or self.recipe.genotype["rules"] != 1:
            return None
        from levolve.jobs.runs.world_jobs import designs_of, try_unseen

        return try_unseen(designs_of(self)[0]).to_data()

    @property
    def changed_cells(self) -> int | None:
        """How many cells of the best level differ from the level that it is an edit of; None for
        runs of other recipes.
        """
        if self.recipe.change is None:
            return None
        given = Level.from_text("\n".join(self.recipe.start))
        return int((given.tiles != self.best.tiles).sum())

    def report(self) -> dict[str, Any]:
        """Return the measures; also the cells changed, the front, ancestors and unseen maps of runs
        with them.
        """
        data: dict[str, Any] = {"measures": self.measures}
        if self.changed_cells is not None:
            data["changed_cells"] = self.changed_cells
        if self.has_front:
            data["front"] = self.front.rows()
        if self.has_ancestry:
            data["ancestry"] = [ancestor.to_data() for ancestor in self.ancestry]
        return data if self.unseen is None else {**data, "unseen": self.unseen}


class ContentRun(SearchRun["ContentRun", "ContentRecipe"]):
    """One run of a recipe of contents; see `SearchRun`."""

    kind: ClassVar[str] = "evolve-content"
    stale: ClassVar[tuple[str, ...]] = ("best", "contents", "features")

    problem: ContentProblem

    @cached_property
    def best(self) -> Any:
        """The best content."""
        return next(self.problem.result(self.best_genes[np.newaxis]))

    @cached_property
    def contents(self) -> list[Any]:
        """The best content found, then the last population from best to worst, without
        duplicates.
        """
        return list(self.problem.result(self.best_and_population))

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
        """The best content of each cell, best first: its features on the axes, its `score` and the
        `content`. Only with the strategy `map_elites`.
        """
        search = self._search
        if not isinstance(search, MapElitesSearch):
            raise InputError(
                "elites: expected a run with the strategy map_elites, got "
                f"{self.recipe.strategy['kind']}"
            )
        found, names = search.archive, [axis.name for axis in search.grid.axes]
        return [
            {
                **dict(zip(names, found.values[place].tolist(), strict=True)),
                "score": float(found.scores[place]),
                "content": next(self.problem.result(found.genes[place : place + 1])),
            }
            for place in np.argsort(-found.scores, kind="stable").tolist()
        ]

    def report(self) -> dict[str, Any]:
        """Return the features of the best content, and the content."""
        return {"features": self.features, "best": plain(self.best)}

    def to_file(self) -> bytes:
        """Return the best content as the bytes of a JSON file, with the recipe, the seed and the
        version that made it.
        """
        data = self.recipe.to_data()
        plugins = plugins_of(data)
        origin = {
            "recipe": data,
            "seed": self.seed,
            "version": VERSION,
            "engine": ENGINE,
            "plugins": plugins,
        }
        return (
            canonical_bytes(
                {
                    "format": "levolve content",
                    "content": self.best,
                    "score": self.best_score,
                    "origin": origin,
                }
            )
            + b"\n"
        )


FORMAT = "levolve run"
KINDS: dict[str, type[Run | ContentRun]] = {kind.kind: kind for kind in (Run, ContentRun)}


def encode_run_file(run: Run | ContentRun, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a run, finished or not."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "engine": ENGINE,
        "kind": run.kind,
        "digest": _digest(run),
        "call": run.call(),
        "state": base64.b64encode(encode_state(run.state())).decode(),
    }
    return {path: (json.dumps(data, indent=1) + "\n").encode()}


def read_run(path: str | Path) -> Run | ContentRun:
    """Read a run; its `finish` continues it, if it has not ended.

    Raises `InputError` if the file is damaged, or if its recipe and state give another best level
    now.
    """
    data = parse_json(read_bytes(path), str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("kind") not in KINDS:
        raise InputError(f"{path}: expected a run, as written by levolve.save, got something else")
    made = difference(str(data.get("version")), str(data.get("engine", "")))
    try:
        run = KINDS[data["kind"]].from_call(data["call"])
        run.restore(decode_state(base64.b64decode(data["state"], validate=True)))
    except InputError as problem:
        raise InputError(f"{path}: {'; '.join(filter(None, [str(problem), made]))}") from problem
    except (LookupError, TypeError, ValueError, AttributeError, binascii.Error) as problem:
        # A call and a state may hold anything.
        raise InputError(
            f"{path}: expected a run, got damaged data ({type(problem).__name__}: "
            f"{shown(str(problem))})"
        ) from problem
    if _digest(run) != data.get("digest"):
        raise InputError(
            f"{path}: expected the digest {shown(data.get('digest'))}, got {_digest(run)}; "
            f"{made or 'the file was changed'}"
        )
    return run


def _digest(run: Run | ContentRun) -> Any:
    """Return the digest of the best level or content; None if there is none yet."""
    if run.score is None:
        return None
    try:
        return run.digest
    except LevolveError:
        return None
