"""Trials: sets of settings, and the unit of work that evaluates one by whole runs of its recipe."""

from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

import numpy as np

from levolve.errors import InputError, LevolveError
from levolve.evolution.evaluation import ParallelEvaluator
from levolve.evolution.fused import begin_search
from levolve.evolution.loop import STOPPED, finish_search
from levolve.genotypes.genes import Genes
from levolve.recipes.parts import Table
from levolve.recipes.recipe import Recipe
from levolve.recipes.search_space import Settings
from levolve.runs.executors import Here, stop_requested
from levolve.runs.memory import check_memory
from levolve.version import VERSION

REFUSED = -1.0


@dataclass(frozen=True, eq=False)
class Trial:
    """A set of settings: number `individual` of those that a generation, or a race, proposed."""

    settings: Settings
    generation: int
    individual: int


@dataclass(frozen=True, eq=False)
class TrialOutcome:
    """The result of a trial: the score of each of its runs, the evaluations they used, and the genes of the best level."""

    scores: tuple[float, ...]
    evaluations: int
    genes: Genes

    @property
    def score(self) -> float:
        """The mean score of the runs."""
        return sum(self.scores) / len(self.scores)

    def joined(self, later: "TrialOutcome") -> "TrialOutcome":
        """The result of these runs and of later ones with other seeds."""
        genes = later.genes if max(later.scores) > max(self.scores) else self.genes
        return TrialOutcome((*self.scores, *later.scores), self.evaluations + later.evaluations, genes)


@dataclass(frozen=True, eq=False)
class ScoredTrial:
    """A trial with its outcome. One whose settings make no valid recipe has none, and scores -1."""

    trial: Trial
    outcome: TrialOutcome | None

    @property
    def settings(self) -> Settings:
        """The set of settings."""
        return self.trial.settings

    @property
    def score(self) -> float:
        """The mean score of its runs."""
        return REFUSED if self.outcome is None else self.outcome.score

    def to_data(self) -> dict[str, Any]:
        """Settings and score as plain data that JSON can hold."""
        return {"settings": dict(self.settings), "score": self.score}

    def state(self) -> dict[str, Any]:
        """Everything, as plain numbers and arrays; see `from_state`."""
        place = {"settings": dict(self.settings), "generation": self.trial.generation, "individual": self.trial.individual}
        if self.outcome is None:
            return {**place, "scores": None}
        return {**place, "scores": list(self.outcome.scores), "evaluations": self.outcome.evaluations, "genes": self.outcome.genes.copy()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "ScoredTrial":
        """The trial that `state` describes."""
        trial = Trial(dict(state["settings"]), int(state["generation"]), int(state["individual"]))
        if state["scores"] is None:
            return cls(trial, None)
        scores = tuple(float(score) for score in state["scores"])
        return cls(trial, TrialOutcome(scores, int(state["evaluations"]), np.array(state["genes"])))


def run_trial(recipe: Recipe | Table, seeds: Sequence[int], version: str) -> TrialOutcome | str:
    """A unit of work: run a recipe with each of the seeds, in any thread, process or machine; or the reason for which it was refused.

    Another process or machine gets the recipe as data. `version` is that of the caller: another may give other bytes.
    """
    if version != VERSION:
        message = f"--cluster: expected workers with levolve {version}, got one with {VERSION}; install the same version there"
        raise LevolveError(message)
    try:
        found = recipe if isinstance(recipe, Recipe) else Recipe.from_data(recipe)
        check_memory(found)
        # The searches of `Run`, without its history and its report.
        searches = [begin_search(found.problem, found.parts[-1], seed, found.planned_generations) for seed in seeds]
        evaluate = ParallelEvaluator(found.problem, Here())
        ends = [finish_search(search, evaluate, found.limits, stop_requested) for search in searches]
    except InputError as problem:
        return str(problem)
    if any(end.reason == STOPPED for end in ends):
        raise CancelledError
    best = max(searches, key=lambda search: search.best_score)
    assert best.best_genes is not None  # noqa: S101 the start is always evaluated
    return TrialOutcome(tuple(end.best for end in ends), sum(end.evaluations for end in ends), best.best_genes)
