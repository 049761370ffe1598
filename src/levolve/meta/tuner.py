"""`Tuner`: evolution of sets of settings by ask and tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from levolve.errors import InputError
from levolve.kernels.streams import JUDGE, PARENT, SETTING, SPREAD, draw
from levolve.meta.judging import Outcome
from levolve.meta.sets import below, child_of, fresh_set, mutant_of, stream_of
from levolve.runs.parts import Table
from levolve.runs.recipe import Recipe
from levolve.runs.varying import Scheme, Settings

REFUSED = -1.0


@dataclass(frozen=True, eq=False)
class Candidate:
    """A set of settings: number `individual` of a generation. The seeds of its runs come from these two."""

    settings: Settings
    generation: int
    individual: int


@dataclass(frozen=True, eq=False)
class Judged:
    """A set with its score. One that no recipe can be made of has no outcome, and scores -1."""

    candidate: Candidate
    outcome: Outcome | None

    @property
    def settings(self) -> Settings:
        """The set."""
        return self.candidate.settings

    @property
    def score(self) -> float:
        """The mean score of its runs."""
        return REFUSED if self.outcome is None else self.outcome.score


class Tuner:
    """A running meta-evolution. `ask` gives the sets to be judged, `tell` hears what came of them; both by turns.

    `population` are the sets after the last `tell`, best first.
    """

    def __init__(self, recipe: Recipe, scheme: Scheme, seed: int) -> None:
        """Begin with nothing judged."""
        self.base = recipe.changed({"vary": None, "meta": None})
        self.variables = recipe.variables
        self.scheme = scheme
        self.seed = seed
        self.generation = 0
        self.population: tuple[Judged, ...] = ()
        self.refusal = ""
        # The best set so far, if there is one that could be run; it need not survive, where scores are below 0.
        self.best: Judged | None = None

    def ask(self) -> list[Candidate]:
        """The sets to be judged next: all of the first generation, later the newcomers."""
        scheme, survivors = self.scheme, self._survivors()
        mutants, children = (scheme.mutants, scheme.children) if survivors else (0, 0)
        newcomers = [
            *(self._mutant(survivors, place) for place in range(mutants)),
            *(self._child(survivors, mutants + place) for place in range(children)),
        ]
        missing = range(len(newcomers), scheme.population - len(survivors))
        newcomers.extend(fresh_set(self.variables, stream_of(self.seed, SETTING, self.generation, place)) for place in missing)
        return [Candidate(settings, self.generation, place) for place, settings in enumerate(newcomers)]

    def _survivors(self) -> tuple[Judged, ...]:
        """The sets that stay: not the worst, and none below 0."""
        return tuple(judged for judged in self.population[: self.scheme.population - self.scheme.drop] if judged.score >= 0)

    def _mutant(self, survivors: Sequence[Judged], place: int) -> Settings:
        """A mutant of any survivor."""
        stream = stream_of(self.seed, SPREAD, self.generation, place)
        original = survivors[below(stream, 2 * len(self.variables), len(survivors))]
        return mutant_of(self.variables, original.settings, self.scheme.spread, stream)

    def _child(self, survivors: Sequence[Judged], place: int) -> Settings:
        """A child of two survivors, not the same one twice if there are two."""
        stream = stream_of(self.seed, PARENT, self.generation, place)
        first = below(stream, len(self.variables), len(survivors))
        second = (first + 1 + below(stream, len(self.variables) + 1, max(len(survivors) - 1, 1))) % len(survivors)
        return child_of(self.variables, survivors[first].settings, survivors[second].settings, stream)

    def recipe_of(self, candidate: Candidate) -> Table | None:
        """The recipe of a set as data, or None if there is no such recipe: the parts themselves say what fits together."""
        try:
            return self.base.changed(candidate.settings).to_data()
        except InputError as problem:
            self.refusal = str(problem)
            return None

    def seeds_of(self, candidate: Candidate) -> tuple[int, ...]:
        """The seeds of the runs that judge a set."""
        stream = stream_of(self.seed, JUDGE, candidate.generation, candidate.individual)
        return tuple(int(draw(stream, k)) for k in range(self.scheme.seeds))

    def tell(self, judged: Sequence[Judged]) -> None:
        """Hear what came of the sets last asked for, in their order; one that nobody judged is left out and forgotten."""
        everyone = [*self._survivors(), *judged]
        # Of equal sets the older comes first: it was not a lucky draw of the last generation.
        self.population = tuple(sorted(everyone, key=lambda one: (one.outcome is None, -one.score)))
        first = self.population[0] if self.population else None
        if first is not None and first.outcome is not None and (self.best is None or first.score > self.best.score):
            self.best = first
        self.generation += 1
