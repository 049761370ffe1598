"""`Study`: a meta-evolution by ask and tell, whatever its scheme."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.recipes.recipe import Recipe
from levolve.studies.trial import ScoredTrial, Trial

TrialEvaluator = Callable[[Sequence[Trial]], Sequence[ScoredTrial]]


class Study(ABC):
    """A running meta-evolution: `ask` gives the trials to evaluate, `tell` takes their outcomes; both in turn.

    `population` holds the sets of settings after the last `tell`, best first. The loop of `evolution.loop` advances a study like any search. A
    scheme implements `ask`, `tell`, `seeds_of`, `rounds` and `trials_to_come`, and `_state` and `_restore` if it holds more than its population.
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
        # The sets that were proposed, by their settings, where none is proposed twice; and why the last one was refused that makes no valid recipe.
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
        """The sets that were compared on fresh seeds in a final, best first; empty for a scheme without a final."""
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
        """Take the outcomes of the trials last asked for, in their order; a trial that was not evaluated is left out."""

    @abstractmethod
    def seeds_of(self, trial: Trial) -> tuple[int, ...]:
        """The seeds of the runs of a trial."""

    def better(self, leader: ScoredTrial | None, scored: ScoredTrial) -> ScoredTrial | None:
        """The set to show as the best while a generation is being evaluated: `leader`, shown so far, or one that has just been evaluated."""
        if scored.outcome is None or (leader is not None and scored.score <= leader.score):
            return leader
        return scored

    def recipe_of(self, trial: Trial) -> Recipe | str:
        """The recipe of a trial, or the reason for which its settings make no valid recipe."""
        try:
            return self.base.changed(trial.settings)
        except InputError as problem:
            return str(problem)

    def propose(self, at_most: int | None = None) -> list[Trial]:  # noqa: ARG002 a trial is run whole, so a generation cannot be cut
        """The trials to evaluate next, if `at_most` evaluations are left. No generation is begun after the budget; the one under way is completed."""
        return self.ask()

    def step(self, evaluate: TrialEvaluator, at_most: int | None = None) -> None:
        """One generation of trials."""
        self.tell(evaluate(self.propose(at_most)))

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
            message = f"state: expected {', '.join(missing)} in it, as Study.state() gives it, got {', '.join(state) or 'nothing'}"
            raise InputError(message)
        self.generation, self.evaluations = int(state["generation"]), int(state["evaluations"])
        self.population = tuple(ScoredTrial.from_state(scored) for scored in state["population"])
        self.best = None if state["best"] is None else ScoredTrial.from_state(state["best"])
        self._restore(state)

    def _state(self) -> dict[str, Any]:
        """What a scheme holds besides the population."""
        return {}

    def _restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027 only schemes that hold more need one
        """Take over what `_state` gave."""
