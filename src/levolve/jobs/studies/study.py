"""`Study`: a meta-evolution by ask and tell, whatever its scheme.

Trials: sets of settings, and the unit of work that evaluates one by whole runs of its recipe.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.jobs.executors import SerialExecutor, stop_requested
from levolve.jobs.memory import check_memory
from levolve.recipes.part_tables import Table
from levolve.recipes.recipe import Recipe
from levolve.recipes.search_space import Settings
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.fused import begin_search
from levolve.search.genotypes.gene_space import Genes
from levolve.search.loop import STOPPED, SearchEnded, advance
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
    """The result of a trial: the score of each of its runs, the evaluations they used, and the
    genes of the best level.
    """

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
        return TrialOutcome(
            (*self.scores, *later.scores), self.evaluations + later.evaluations, genes
        )


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
        place = {
            "settings": dict(self.settings),
            "generation": self.trial.generation,
            "individual": self.trial.individual,
        }
        if self.outcome is None:
            return {**place, "scores": None}
        return {
            **place,
            "scores": list(self.outcome.scores),
            "evaluations": self.outcome.evaluations,
            "genes": self.outcome.genes.copy(),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "ScoredTrial":
        """The trial that `state` describes."""
        trial = Trial(dict(state["settings"]), int(state["generation"]), int(state["individual"]))
        if state["scores"] is None:
            return cls(trial, None)
        scores = tuple(float(score) for score in state["scores"])
        return cls(trial, TrialOutcome(scores, int(state["evaluations"]), np.array(state["genes"])))


def run_trial(recipe: Recipe | Table, seeds: Sequence[int], version: str) -> TrialOutcome | str:
    """A unit of work: run a recipe with each of the seeds, in any thread, process or machine; or
    the reason for which it was refused.

    Another process or machine gets the recipe as data. `version` is that of the caller: another may
    give other bytes.
    """
    if version != VERSION:
        raise LevolveError(
            f"--cluster: expected workers with levolve {version}, got one with {VERSION}; "
            "install the same version there"
        )
    try:
        found = recipe if isinstance(recipe, Recipe) else Recipe.from_data(recipe)
        check_memory(found)
        # The searches of `Run`, without its history and its report.
        searches = [
            begin_search(found.problem, found.parts[-1], seed, found.planned_generations)
            for seed in seeds
        ]
        evaluate = ParallelEvaluator(found.problem, SerialExecutor())
        for search in searches:
            for done in advance(search, evaluate, found.limits, stop_requested, events=False):
                if isinstance(done, SearchEnded) and done.reason == STOPPED:
                    raise CancelledError
    except InputError as problem:
        return str(problem)
    best = max(searches, key=lambda search: search.best_score)
    assert best.best_genes is not None  # noqa: S101 the start is always evaluated
    scores, evaluations = (
        (search.best_score for search in searches),
        (search.evaluations for search in searches),
    )
    return TrialOutcome(tuple(scores), sum(evaluations), best.best_genes)


# Yields events while it evaluates trials, and returns those that were scored.
TrialEvaluator = Callable[[Sequence[Trial]], Generator[Event, None, Sequence[ScoredTrial]]]


class Study(ABC):
    """A running meta-evolution: `ask` gives the trials to evaluate, `tell` takes their outcomes;
    both in turn.

    `population` holds the sets of settings after the last `tell`, best first. `search.loop.advance`
    advances a study like any search. A scheme implements `ask`, `tell`, `seeds_of`, `rounds` and
    `trials_to_come`, and `_state` and `_restore` if it holds more than its population.
    """

    def __init__(self, recipe: Recipe, seed: int) -> None:
        """Begin with nothing evaluated."""
        self.base = recipe.changed({"vary": None, "meta": None})
        self.variables = recipe.variables
        self.seed = seed
        self.generation = 0
        self.evaluations = 0
        self.idle = 0
        self.population: tuple[ScoredTrial, ...] = ()
        # The best set so far that could be run; it need not survive, where scores are below 0.
        self.best: ScoredTrial | None = None
        # The sets that were proposed, by their settings, where none is proposed twice; and why the
        # last one was refused that makes no valid recipe.
        self.known: set[str] = set()
        self.refusal = ""

    @property
    def best_score(self) -> float:
        """The score of the best set so far."""
        return -np.inf if self.best is None else self.best.score

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores of the population: `(n,)`."""
        return np.array([trial.score for trial in self.population])

    @property
    def figures(self) -> Mapping[str, float]:
        """No figures in addition to the scores."""
        return {}

    @property
    def mean_score(self) -> float:
        """The mean score of the population."""
        scores = self.scores
        return float(scores.sum()) / max(len(scores), 1)

    @property
    def is_complete(self) -> bool:
        """Whether the scheme has come to its end before its rounds are used up."""
        return False

    @property
    def finalists(self) -> tuple[ScoredTrial, ...]:
        """The sets that were compared on fresh seeds in a final, best first; empty for a scheme
        without a final.
        """
        return ()

    @property
    @abstractmethod
    def rounds(self) -> int:
        """How many generations there are at most, the first one included."""

    @property
    @abstractmethod
    def trials_to_come(self) -> int:
        """About how many trials there are after those of the present generation."""

    @abstractmethod
    def ask(self) -> list[Trial]:
        """The trials to evaluate next."""

    @abstractmethod
    def tell(self, scored: Sequence[ScoredTrial]) -> None:
        """Take the outcomes of the trials last asked for, in their order; a trial that was not
        evaluated is left out.
        """

    @abstractmethod
    def seeds_of(self, trial: Trial) -> tuple[int, ...]:
        """The seeds of the runs of a trial."""

    def better(self, leader: ScoredTrial | None, scored: ScoredTrial) -> ScoredTrial | None:
        """The set to show as the best while a generation is being evaluated: `leader`, shown so
        far, or one that has just been evaluated.
        """
        if scored.outcome is None or (leader is not None and scored.score <= leader.score):
            return leader
        return scored

    def recipe_of(self, trial: Trial) -> Recipe | str:
        """The recipe of a trial, or the reason for which its settings make no valid recipe."""
        try:
            return self.base.changed(trial.settings)
        except InputError as problem:
            return str(problem)

    def propose(self, at_most: int | None = None) -> list[Trial]:
        """The trials to evaluate next, if `at_most` evaluations are left. No generation is begun
        after the budget; the one under way is completed.
        """
        return self.ask()

    def step(self, evaluate: TrialEvaluator, at_most: int | None = None) -> Iterator[Event]:
        """Advance by one generation of trials, and yield the events of their evaluation."""
        scored = yield from evaluate(self.propose(at_most))
        self.tell(scored)

    def state(self) -> dict[str, Any]:
        """Everything that the study has come to, as plain numbers and arrays."""
        return {
            "generation": self.generation,
            "evaluations": self.evaluations,
            "population": [scored.state() for scored in self.population],
            "best": None if self.best is None else self.best.state(),
            **self._state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a study of the same recipe, scheme and seed."""
        missing = [name for name in self.state() if name not in state]
        if missing:
            raise InputError(
                f"state: expected {', '.join(missing)} in it, as Study.state() gives it, got "
                f"{', '.join(state) or 'nothing'}"
            )
        self.generation, self.evaluations = int(state["generation"]), int(state["evaluations"])
        self.population = tuple(ScoredTrial.from_state(scored) for scored in state["population"])
        self.best = None if state["best"] is None else ScoredTrial.from_state(state["best"])
        self._restore(state)

    def _state(self) -> dict[str, Any]:
        """What a scheme holds besides the population."""
        return {}

    def _restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027 only schemes that hold more need one
        """Take over what `_state` gave."""
