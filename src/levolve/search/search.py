"""`Strategy` and `Search`: the base classes of strategies and of their searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from levolve.core.errors import InputError
from levolve.core.settings import Configurable
from levolve.search.problem import Evaluation

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from levolve.search.ancestors import Ancestor
    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.lineage import Lineage
    from levolve.search.problem import Problem

    Starter = Callable[[int, int, int], Genes]
    Evaluator = Callable[[Genes], Evaluation]

State = dict[str, Any]


class Strategy(Configurable):
    """The settings of a search. A subclass is a frozen dataclass whose fields are its settings."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that every evaluation must contain in addition to the scores:
        measures, or features that the objective returns.
        """
        return ()

    def fitted(self, problem: Problem) -> Self:
        """Return the strategy with values for the settings that depend on the problem and are not
        given, such as the ranges of features.
        """
        return self

    @property
    def objective_names(self) -> tuple[str, ...]:
        """Names of the objectives of a strategy that looks for a Pareto front; empty for one that
        looks for the highest score.
        """
        return ()

    @property
    def individuals(self) -> int:
        """The number of individuals in the population."""
        return int(getattr(self, "population", 1))

    @property
    def elites_kept(self) -> int:
        """The most individuals that are kept outside of the population."""
        return 0

    @property
    def follows_scores(self) -> bool:
        """Whether proposals depend on the scores; False for a search that follows features only."""
        return True

    @property
    def ends_at_goal(self) -> bool:
        """Whether a search is over when it has found the highest possible score; False for one that
        looks for more than that.
        """
        return True

    @abstractmethod
    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> Search:
        """Start a search.

        Parameters
        ----------
        space
            The genes that may vary, and how.
        start
            `start(seed, generation, count)` returns the genes of `count` random individuals.
        seed
            From 0 to 2**64 - 1. The same seed and scores give the same genes.
        generations
            The planned number of generations after the start; only schedules, such as a
            temperature, depend on it.
        """


class Generations(NamedTuple):
    """One or more generations of a search.

    The lists have the best score so far, the mean score and all evaluations after each of them.
    `improvements` are the generations with a new best score, with this score and its genes.
    """

    best: list[float]
    mean: list[float]
    evaluations: list[int]
    improvements: list[tuple[int, float, Genes]]


class Search(ABC):
    """A running search: `ask` returns genes to evaluate, `tell` records their scores, in turn.

    The base class tracks the generation, the evaluations and the best individual, and provides the
    state of the search as plain data. A strategy implements `_ask` and `_tell`; it needs `_state`
    and `_restore` only if it stores more than the population.

    `lineage` is an optional recorder of ancestors, set before the first generation. A strategy adds
    the children that it proposes to it; it needs `_living` only if parents may come from outside
    the population.
    """

    def __init__(self, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with nothing evaluated."""
        self.space = space
        self.start = start
        self.seed = seed
        self.generation = 0
        self.evaluations = 0
        # Consecutive generations without new individuals.
        self.idle = 0
        self.best_score = -np.inf
        self.best_genes: Genes | None = None
        self.genes: Genes
        self.scores: NDArray[np.float64]
        self.lineage: Lineage | None = None
        self._asked: Genes | None = None

    def ask(self) -> Genes:
        """Return the genes to evaluate next, except those that equal a parent, whose score is
        known. The same until `tell` is called.
        """
        if self._asked is None:
            self._asked = self._ask()
            if self.lineage is not None and self.generation == 0:
                self.lineage.add(self._asked)
        return self._asked

    def tell(self, evaluation: Evaluation | ArrayLike) -> None:
        """Record the evaluation of the genes that `ask` returned, or only their scores, in the same
        order. Higher is better.

        A shorter evaluation covers only the first genes: the generation is cut, and the rest is
        dropped. This is how a budget is met exactly.
        """
        if self._asked is None:
            raise InputError("tell: expected a call of ask() before tell()")
        if not isinstance(evaluation, Evaluation):
            evaluation = Evaluation(np.asarray(evaluation, np.float64))
        asked, scores = self._asked, evaluation.scores
        if scores.ndim != 1 or len(scores) > len(asked) or (len(scores) == 0 < len(asked)):
            raise InputError(
                f"scores: expected one for each of the {len(asked)} individuals that ask() "
                f"returned, got shape {scores.shape}"
            )
        self._record(asked[: len(scores)], scores)
        self._asked = None
        if len(scores) == len(asked):
            self._tell(evaluation)
        else:
            self._cut(asked[: len(scores)], evaluation)
        if self.lineage is not None and self.best_genes is not None:
            self.lineage.advance(self.generation, self._all_living(), self.best_genes)
        self.generation += 1

    @property
    def figures(self) -> Mapping[str, float]:
        """Figures of the population in addition to the best and the mean score, by name, such as
        the coverage of an archive.
        """
        return {}

    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        """Advance by one generation; if `at_most` is given, evaluate at most that many of its
        individuals.
        """
        genes = self.ask()
        self.tell(evaluate(genes if at_most is None else genes[:at_most]))

    def advance_many(
        self, evaluate: Evaluator, most: int, at_most: int | None = None
    ) -> Generations:
        """Advance by one generation, like `step`, or by up to `most` if that takes no more time."""
        before = self.best_score
        self.step(evaluate, at_most)
        improvements = (
            [(self.generation - 1, self.best_score, self.best_genes)]
            if self.best_genes is not None and self.best_score > before
            else []
        )
        return Generations([self.best_score], [self.mean_score], [self.evaluations], improvements)

    def insert(self, genes: Genes, evaluation: Evaluation | ArrayLike) -> None:
        """Add evaluated individuals from elsewhere between two generations; they replace the worst
        of the population.
        """
        if self._asked is not None or not self.generation:
            raise InputError(
                "insert: expected a search between two generations, after tell() and before ask()"
            )
        if not isinstance(evaluation, Evaluation):
            evaluation = Evaluation(np.asarray(evaluation, np.float64))
        self._record(genes, evaluation.scores)
        self._insert(genes, evaluation)
        if self.lineage is not None and self.best_genes is not None:
            self.lineage.add(genes)
            self.lineage.advance(self.generation - 1, self._all_living(), self.best_genes)

    def _insert(self, genes: Genes, evaluation: Evaluation) -> None:
        """Let evaluated individuals replace the worst of the population."""
        worst = np.argsort(self.scores, kind="stable")[: len(genes)]
        self.genes, self.scores = self.genes.copy(), self.scores.copy()
        self.genes[worst], self.scores[worst] = genes[: len(worst)], evaluation.scores[: len(worst)]

    def emigrants(self, count: int) -> tuple[Genes, Evaluation]:
        """Return the `count` best individuals of the population, for `insert` of another search.
        They stay in this one, too.
        """
        best = np.argsort(-self.scores, kind="stable")[:count]
        return self.genes[best], Evaluation(self.scores[best])

    def front(self) -> tuple[Genes, dict[str, NDArray[np.float64]]]:
        """Return the Pareto front of the population, and its values by objective, `(n,)` each; only
        for strategies with several objectives.
        """
        raise InputError(
            "front: expected a search with several objectives, such as that of strategy nsga2"
        )

    @property
    def mean_score(self) -> float:
        """The mean score of the population."""
        return float(self.scores.sum()) / max(len(self.scores), 1)

    def _record(self, genes: Genes, scores: NDArray[np.float64]) -> None:
        """Count evaluated individuals, and record the best."""
        self.idle = 0 if len(scores) else self.idle + 1
        if len(scores):
            winner = int(scores.argmax())  # the index of the first NaN, if any
            if np.isnan(scores[winner]):
                raise InputError(f"scores: expected numbers, got NaN for individual {winner}")
            if scores[winner] > self.best_score:
                self.best_score = float(scores[winner])
                self.best_genes = genes[winner].copy()
        self.evaluations += len(scores)

    def _cut(self, genes: Genes, evaluation: Evaluation) -> None:
        """Record a generation of which only the first individuals were evaluated: they replace the
        worst of the population.
        """
        scores = evaluation.scores
        if self.generation:
            genes, scores = (
                np.concatenate((self.genes, genes)),
                np.concatenate((self.scores, scores)),
            )
            best = np.argsort(-scores, kind="stable")[: len(self.genes)]
            genes, scores = genes[best], scores[best]
        self.genes, self.scores = genes.copy(), scores.copy()

    def _complete(self, size: int) -> None:
        """Fill the population of a search that is continued after a start that was cut: its
        individuals take turns.
        """
        if len(self.genes) < size:
            chosen = np.arange(size) % len(self.genes)
            self.genes, self.scores = self.genes[chosen], self.scores[chosen]

    def ancestors(self) -> list[Ancestor]:
        """Return the ancestors of the best individual, from the first to itself. Requires a
        `lineage`, and at least one generation.
        """
        if self.lineage is None or self.best_genes is None:
            raise InputError(
                "ancestors: expected a search with a lineage, after at least one generation"
            )
        return self.lineage.line(self.best_genes, self._all_living())

    def _all_living(self) -> list[tuple[Genes, NDArray[np.float64]]]:
        best = (
            []
            if self.best_genes is None
            else [(self.best_genes[np.newaxis], np.array([self.best_score]))]
        )
        return [*self._living(), *best]

    def _living(self) -> list[tuple[Genes, NDArray[np.float64]]]:
        """Return all individuals that may become parents, and their scores."""
        return [(self.genes, self.scores)]

    def state(self) -> State:
        """Return the complete state of the search as plain numbers and arrays. `restore` continues
        from it, on this machine or another.
        """
        population = (
            {"genes": self.genes.copy(), "scores": self.scores.copy()}
            if self.generation
            else {"genes": None, "scores": None}
        )
        return {
            "generation": self.generation,
            "evaluations": self.evaluations,
            "idle": self.idle,
            "best_score": self.best_score,
            "best_genes": None if self.best_genes is None else self.best_genes.copy(),
            **population,
            **(
                {}
                if self.lineage is None
                else {"lineage": self.lineage.state(self._all_living() if self.generation else ())}
            ),
            **self._state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state of a search with the same settings, gene space and seed."""
        missing = [name for name in self.state() if name not in state]
        if missing:
            raise InputError(
                f"state: expected {', '.join(missing)} in it, as returned by Search.state(), got "
                f"{', '.join(state) or 'nothing'}"
            )
        self.generation, self.evaluations, self.idle = (
            int(state[name]) for name in ("generation", "evaluations", "idle")
        )
        self.best_score = float(state["best_score"])
        best = state["best_genes"]
        self.best_genes = None if best is None else np.array(best)
        if self.generation:
            self.genes, self.scores = (
                np.array(state["genes"]),
                np.array(state["scores"], np.float64),
            )
        self._asked = None
        if self.lineage is not None:
            self.lineage.restore(state["lineage"], self.best_genes)
        self._restore(state)

    def _state(self) -> State:
        """Return the state of a strategy in addition to the population."""
        return {}

    def _restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027 only strategies with additional state need it
        """Restore the result of `_state`."""

    @abstractmethod
    def _ask(self) -> Genes:
        """Propose individuals without a known score."""

    @abstractmethod
    def _tell(self, evaluation: Evaluation) -> None:
        """Record the evaluation of all proposed individuals; afterwards `genes` and `scores` are
        the population.
        """
