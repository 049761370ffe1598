"""`Tuning`: the result of a meta-evolution."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.jobs.studies.rank_tests import Pair, half_width, rank_pairs
from levolve.jobs.studies.result import StudyResult
from levolve.jobs.studies.study import ScoredTrial
from levolve.levels.level import Level
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import Scheme
from levolve.recipes.search_space import Settings
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The names of the two recipes in the rank test between them.
TUNED, UNTUNED = "tuned", "original"


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(StudyResult):
    """The result of a meta-evolution.

    `best` is the best set with the runs it was judged by; `fresh` are the scores of runs of it with
    other seeds, and `untuned` those of the original recipe with these seeds. `history` has the sets
    of each generation, best first. `finalists` are the sets that a final compared on the same
    seeds, best first; a scheme without a final has none.
    """

    noun: ClassVar[str] = "tuning"

    source: Recipe
    recipe: Recipe
    scheme: Scheme
    seed: int
    best: ScoredTrial
    level: Level | None
    fresh: NDArray[np.float64]
    untuned: NDArray[np.float64]
    history: tuple[tuple[ScoredTrial, ...], ...]
    finalists: tuple[ScoredTrial, ...]
    trials: int
    runs: int
    evaluations: int
    seconds: float

    def __repr__(self) -> str:
        """Return the recipe, and how much it has done."""
        return (
            f"<Tuning of {self.source.name}, seed {self.seed}: best score {self.best_score:g} of "
            f"{self.trials:,} sets, {self.runs:,} runs>"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the generation, the place, the score and the settings of every set, one row each.
        A set that could not be run has no score.
        """
        return [
            {
                "generation": generation,
                "place": place,
                "score": None if one.outcome is None else one.score,
                **{
                    variable.path: one.settings[variable.path] for variable in self.source.variables
                },
            }
            for generation, sets in enumerate(self.history)
            for place, one in enumerate(sets)
        ]

    def _figure(self) -> "Figure":
        from levolve.jobs.charts.studies import tuning_figure

        return tuning_figure(self)

    def _origin(self) -> tuple[str, dict[str, Any]]:
        return "levolve meta", {"recipe": self.source.to_data(), "seed": self.seed}

    def _document(self, suffix: str) -> str | None:
        """Return the tuned recipe."""
        return self.recipe.to_toml() if suffix == ".toml" else None

    @property
    def best_score(self) -> float:
        """The score by which the best set was chosen: that of a lucky run, if it was judged by one
        run.
        """
        return self.best.score

    @property
    def judged_by(self) -> int:
        """The number of runs that the best set was judged by."""
        return 0 if self.best.outcome is None else len(self.best.outcome.scores)

    @cached_property
    def final_tests(self) -> tuple[Pair, ...]:
        """Rank tests of the best set, named "1", against each other finalist, "2" and so on, by
        their runs in the final.
        """
        scores = {
            str(place): np.array(one.outcome.scores)
            for place, one in enumerate(self.finalists, 1)
            if one.outcome is not None
        }
        return tuple(rank_pairs(scores, "1")) if len(scores) > 1 else ()

    @cached_property
    def test(self) -> Pair:
        """The rank test between the tuned and the original recipe, by their runs with fresh
        seeds.
        """
        return next(rank_pairs({TUNED: self.fresh, UNTUNED: self.untuned}))

    @property
    def settings(self) -> Settings:
        """The settings of the best trial."""
        return self.best.settings

    @cached_property
    def digest(self) -> str:
        """Sha256 over every trial of every generation with its score, and over the results."""
        trials = [
            [[dict(one.settings), one.score] for one in generation] for generation in self.history
        ]
        content = json.dumps(
            [trials, self.fresh.tolist(), self.untuned.tolist(), self.recipe.to_data()],
            sort_keys=True,
        )
        return hashlib.sha256(content.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """The result without its history, as plain data that JSON can hold."""
        return {
            "recipe": self.source.name,
            "seed": self.seed,
            "version": VERSION,
            "engine": ENGINE,
            "scheme": self.scheme.kind,
            "best_score": self.best_score,
            "judged_by": self.judged_by,
            "finalists": [
                {**one.to_data(), "runs": len(one.outcome.scores)}
                for one in self.finalists
                if one.outcome is not None
            ],
            "final_tests": [pair.to_data() for pair in self.final_tests],
            "fresh_mean": float(self.fresh.mean()),
            "fresh_half_width": half_width(self.fresh),
            "fresh_scores": self.fresh.tolist(),
            "untuned_mean": float(self.untuned.mean()),
            "untuned_half_width": half_width(self.untuned),
            "untuned_scores": self.untuned.tolist(),
            "test": self.test.to_data(),
            "settings": dict(self.settings),
            "digest": self.digest,
            "generations": len(self.history) - 1,
            "trials": self.trials,
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "tuned": self.recipe.to_data(),
        }


def level_of(source: Recipe, best: ScoredTrial) -> Level | None:
    """The best level of a trial's runs, if it is winnable."""
    if best.outcome is None:
        return None
    recipe = source.changed({"vary": None, "meta": None, **best.settings})
    return next(recipe.problem.result(best.outcome.genes[np.newaxis]), None)
