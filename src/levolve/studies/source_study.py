"""The scheme of the dungeon's first author: evolution of sets of settings, each judged once."""

from collections.abc import Sequence

from levolve.kernels.streams import JUDGE, PARENT, SETTING, SPREAD, draw
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import SourceScheme
from levolve.recipes.search_space import Settings
from levolve.studies.settings import below, child_of, fresh_set, mutant_of, stream_of
from levolve.studies.study import Study
from levolve.studies.trial import ScoredTrial, Trial


class SourceStudy(Study):
    """A running meta-evolution by the source's scheme: the worst sets go, mutants and children of the others and fresh sets take their places."""

    def __init__(self, recipe: Recipe, scheme: SourceScheme, seed: int) -> None:
        """Begin with nothing evaluated."""
        super().__init__(recipe, seed)
        self.scheme = scheme

    @property
    def rounds(self) -> int:
        """The generations of the scheme, and the first one."""
        return self.scheme.generations + 1

    @property
    def trials_to_come(self) -> int:
        """How many trials the generations after this one have, unless more than `drop` have to go."""
        return (self.scheme.generations - self.generation) * self.scheme.drop

    def ask(self) -> list[Trial]:
        """The trials to evaluate next: all of the first generation, later the newcomers."""
        scheme, survivors = self.scheme, self._survivors()
        mutants, children = (scheme.mutants, scheme.children) if survivors else (0, 0)
        newcomers = [
            *(self._mutant(survivors, place) for place in range(mutants)),
            *(self._child(survivors, mutants + place) for place in range(children)),
        ]
        missing = range(len(newcomers), scheme.population - len(survivors))
        newcomers.extend(fresh_set(self.variables, stream_of(self.seed, SETTING, self.generation, place)) for place in missing)
        return [Trial(settings, self.generation, place) for place, settings in enumerate(newcomers)]

    def _survivors(self) -> tuple[ScoredTrial, ...]:
        """The trials that stay: not the worst, and none below 0."""
        return tuple(scored for scored in self.population[: self.scheme.population - self.scheme.drop] if scored.score >= 0)

    def _mutant(self, survivors: Sequence[ScoredTrial], place: int) -> Settings:
        """A mutant of any survivor."""
        stream = stream_of(self.seed, SPREAD, self.generation, place)
        original = survivors[below(stream, 2 * len(self.variables), len(survivors))]
        return mutant_of(self.variables, original.settings, self.scheme.spread, stream)

    def _child(self, survivors: Sequence[ScoredTrial], place: int) -> Settings:
        """A child of two survivors, different ones if there are two."""
        stream = stream_of(self.seed, PARENT, self.generation, place)
        first = below(stream, len(self.variables), len(survivors))
        second = (first + 1 + below(stream, len(self.variables) + 1, max(len(survivors) - 1, 1))) % len(survivors)
        return child_of(self.variables, survivors[first].settings, survivors[second].settings, stream)

    def seeds_of(self, trial: Trial) -> tuple[int, ...]:
        """The seeds of the runs of a trial."""
        stream = stream_of(self.seed, JUDGE, trial.generation, trial.individual)
        return tuple(int(draw(stream, k)) for k in range(self.scheme.seeds))

    def tell(self, scored: Sequence[ScoredTrial]) -> None:
        """Take the outcomes of the trials last asked for, in their order; a trial that was not evaluated is left out and dropped."""
        everyone = [*self._survivors(), *scored]
        # Of equal trials the older comes first: it was not a lucky draw of the last generation.
        self.population = tuple(sorted(everyone, key=lambda one: (one.outcome is None, -one.score)))
        self.evaluations += sum(one.outcome.evaluations for one in scored if one.outcome is not None)
        first = self.population[0] if self.population else None
        if first is not None and first.outcome is not None and (self.best is None or first.score > self.best.score):
            self.best = first
        self.generation += 1
