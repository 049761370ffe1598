"""Sets of settings, the individuals of meta-evolution: random ones, mutants, children and
neighbours. A set has a value for every variable.

The scheme of the dungeon's first author: evolution of sets of settings, each judged once.

Estimates of what a set of settings is worth, from all runs of sets near it.

The score of one run says little: runs of the same set differ more than good sets do. A weighted
mean over neighbouring sets (kernel regression, after E. A. Nadaraya 1964, "On estimating
regression", and G. S. Watson 1964, "Smooth regression analysis") uses the runs of all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np

from levolve.jobs.studies.study import ScoredTrial, Study, Trial
from levolve.kernels.bits.random_streams import (
    JUDGE,
    PARENT,
    SETTING,
    SPREAD,
    Stream,
    draw,
    draw_float,
    open_stream,
)
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import SourceScheme
from levolve.recipes.search_space import Choice, Number, Settings, Span, Variable

# How far neighbours are moved at least: a whole number by about 1 now and then, any other by a
# share of its range.
LEAST_STEP, LEAST_SHARE = 0.5, 0.001


def stream_of(seed: int, purpose: int, generation: int, individual: int) -> Stream:
    """The stream of one individual, as the kernels take it."""
    start, step = open_stream(np.uint64(seed), purpose, generation, individual)
    return np.uint64(start), np.uint64(step)


def below(stream: Stream, index: int, bound: int) -> int:
    """Number `index` of a stream as a whole number from 0 to `bound` - 1."""
    return int(draw(stream, index)) * bound >> 64


def fresh_set(variables: Sequence[Variable], stream: Stream) -> Settings:
    """Every setting anywhere in its range."""

    def any_number(index: int, span: Span, low: Number, high: Number) -> Number:
        if span.whole:
            return int(low) + below(stream, index, int(high - low) + 1)
        return low + draw_float(stream, index) * (high - low)

    return _filled(
        variables,
        any_number,
        lambda index, choice: choice.values[below(stream, index, len(choice.values))],
    )


def mutant_of(
    variables: Sequence[Variable], original: Settings, spread: float, stream: Stream
) -> Settings:
    """Every number moved by up to a share `spread` of its range, a whole one by 1 at least; that
    share of the choices made anew.
    """

    def near(index: int, span: Span, low: Number, high: Number) -> Number:
        reach, value = spread * (high - low), original[span.path]
        if span.whole:
            steps = max(1, round(reach))
            value += below(stream, index, 2 * steps + 1) - steps
        else:
            value += reach * (2 * draw_float(stream, index) - 1)
        return _within(value, low, high)

    def chosen(index: int, choice: Choice) -> Any:
        if draw_float(stream, index) < spread:
            return choice.values[below(stream, len(variables) + index, len(choice.values))]
        return original[choice.path]

    return _filled(variables, near, chosen)


def child_of(
    variables: Sequence[Variable], one: Settings, other: Settings, stream: Stream
) -> Settings:
    """Every number the mean of the parents', rounded either way by a coin; every choice one of the
    two.
    """

    def mean(index: int, span: Span, low: Number, high: Number) -> Number:
        total = one[span.path] + other[span.path]
        value = (total + below(stream, index, 2)) // 2 if span.whole else total / 2
        return _within(value, low, high)

    return _filled(
        variables, mean, lambda index, choice: (one, other)[below(stream, index, 2)][choice.path]
    )


def neighbour_of(
    variables: Sequence[Variable],
    elites: Sequence[Settings],
    spread: float,
    chance: float,
    stream: Stream,
) -> Settings:
    """A set near the best ones: every setting from one of two of them, numbers moved by `spread`
    times the elites' standard deviation.

    A choice is made anew with probability `chance`. The steps follow the elites, so they become
    shorter where the elites agree, for each setting on a scale of its own.
    """
    count = len(variables)
    parents = [elites[below(stream, 4 * count + place, len(elites))] for place in range(2)]

    def near(index: int, span: Span, low: Number, high: Number) -> Number:
        deviation = spread * deviation_of([elite[span.path] for elite in elites])
        # The sum of three uniform numbers: nearly normal, with deviation 1, and the same bits on
        # every machine.
        step = 2 * sum(draw_float(stream, 4 * index + turn) for turn in range(1, 4)) - 3
        value = (
            parents[below(stream, 4 * index, 2)][span.path]
            + max(deviation, LEAST_STEP if span.whole else LEAST_SHARE * (high - low)) * step
        )
        return _within(round(value) if span.whole else value, low, high)

    def chosen(index: int, choice: Choice) -> Any:
        if draw_float(stream, 4 * index + 1) < chance:
            return choice.values[below(stream, 4 * index + 2, len(choice.values))]
        return parents[below(stream, 4 * index, 2)][choice.path]

    return _filled(variables, near, chosen)


def deviation_of(values: Sequence[Number]) -> float:
    """The standard deviation of some numbers."""
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _within(value: Number, low: Number, high: Number) -> Number:
    return min(max(value, low), high)


def _filled(
    variables: Sequence[Variable],
    number: Callable[[int, Span, Number, Number], Number],
    chosen: Callable[[int, Choice], Any],
) -> Settings:
    """A set, one setting after the other, as a bound may be a setting before."""
    settings: dict[str, Any] = {}
    for index, variable in enumerate(variables):
        if isinstance(variable, Span):
            settings[variable.path] = number(index, variable, *variable.bounds(settings))
        else:
            settings[variable.path] = chosen(index, variable)
    return settings


# The width of the kernel in standard deviations of the elites, and the least deviation: of whole
# numbers, and as a share of the range of others.
WIDTH, LEAST_DEVIATION, LEAST_SMOOTHED_SHARE = 3.0, 1.0, 0.002
# How far apart two different choices are, in widths.
OTHER_CHOICE = 1.0


@dataclass(frozen=True)
class RaceRecord:
    """What is known of a set: how often it was run, and the sum of its scores."""

    settings: Settings
    runs: int
    total: float


def smoothed_scores(
    variables: Sequence[Variable],
    elites: Sequence[Settings],
    records: Sequence[RaceRecord],
    sets: Sequence[Settings],
) -> list[float]:
    """An estimate of the score of each of `sets`, from the records of all sets that were run, at
    least one; those of near sets count most.

    Distances are measured on the scale of the `elites`, at least one: where they agree, only sets
    that are close to each other are near.
    """
    squares = np.zeros((len(sets), len(records)))
    for variable in variables:
        here, there = (
            [settings[variable.path] for settings in group]
            for group in (sets, [record.settings for record in records])
        )
        if isinstance(variable, Span):
            low, high = variable.bounds(elites[0])
            least = LEAST_DEVIATION if variable.whole else LEAST_SMOOTHED_SHARE * (high - low)
            width = WIDTH * max(deviation_of([elite[variable.path] for elite in elites]), least)
            # A range of a single number has no width.
            steps = (np.array(here, float)[:, np.newaxis] - np.array(there, float)) / (width or 1.0)
        else:
            steps = np.array(
                [[OTHER_CHOICE * (one != other) for other in there] for one in here]
            ).reshape(squares.shape)
        squares += steps * steps
    nearness = 1 / (1 + squares)
    nearness *= nearness
    nearness *= nearness
    runs, totals = (
        np.array([record.runs for record in records], float),
        np.array([record.total for record in records]),
    )
    # Exact sums: the same bits on every machine.
    return [fsum(row * totals) / fsum(row * runs) for row in nearness]


def runs_of(scored: ScoredTrial) -> int:
    """How often a set has been run."""
    return 0 if scored.outcome is None else len(scored.outcome.scores)


def with_outcomes(
    group: Sequence[ScoredTrial], outcomes: Mapping[tuple[int, int], ScoredTrial]
) -> list[ScoredTrial]:
    """The sets of a group with their new runs; those that have none at all, or were refused when
    they were run, leave.
    """
    joined = []
    for scored in group:
        latest = outcomes.get((scored.trial.generation, scored.trial.individual), scored)
        if latest.outcome is None:
            continue
        both = (
            latest.outcome
            if scored.outcome is None or latest is scored
            else scored.outcome.joined(latest.outcome)
        )
        joined.append(ScoredTrial(scored.trial, both))
    return joined


def best_first(group: Sequence[ScoredTrial]) -> list[ScoredTrial]:
    """Sets by the mean of all their runs; of equal ones the earlier first."""
    return sorted(group, key=lambda scored: -scored.score)


def cautiously_ranked(group: Sequence[ScoredTrial]) -> tuple[ScoredTrial, ...]:
    """Sets with different numbers of runs, by the mean less its standard error: few runs are no
    reason to lead.
    """
    several = [
        np.asarray(scored.outcome.scores)
        for scored in group
        if scored.outcome is not None and len(scored.outcome.scores) > 1
    ]
    freedom = sum(len(scores) - 1 for scores in several)
    deviation = (
        sqrt(sum(float(((scores - scores.mean()) ** 2).sum()) for scores in several) / freedom)
        if freedom
        else 0.0
    )
    return tuple(
        sorted(group, key=lambda scored: deviation / sqrt(max(runs_of(scored), 1)) - scored.score)
    )


def evaluations_per_run(group: Sequence[ScoredTrial]) -> float:
    """The mean number of evaluations that a run of these sets uses; at least 1."""
    outcomes = [scored.outcome for scored in group if scored.outcome is not None]
    runs = sum(len(outcome.scores) for outcome in outcomes)
    return max(1.0, sum(outcome.evaluations for outcome in outcomes) / max(runs, 1))


class SourceStudy(Study):
    """A running meta-evolution by the source's scheme: the worst sets go, mutants and children of
    the others and fresh sets take their places.
    """

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
        """How many trials the generations after this one have, unless more than `drop` have to
        go.
        """
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
        newcomers.extend(
            fresh_set(self.variables, stream_of(self.seed, SETTING, self.generation, place))
            for place in missing
        )
        return [Trial(settings, self.generation, place) for place, settings in enumerate(newcomers)]

    def _survivors(self) -> tuple[ScoredTrial, ...]:
        """The trials that stay: not the worst, and none below 0."""
        return tuple(
            scored
            for scored in self.population[: self.scheme.population - self.scheme.drop]
            if scored.score >= 0
        )

    def _mutant(self, survivors: Sequence[ScoredTrial], place: int) -> Settings:
        """A mutant of any survivor."""
        stream = stream_of(self.seed, SPREAD, self.generation, place)
        original = survivors[below(stream, 2 * len(self.variables), len(survivors))]
        return mutant_of(self.variables, original.settings, self.scheme.spread, stream)

    def _child(self, survivors: Sequence[ScoredTrial], place: int) -> Settings:
        """A child of two survivors, different ones if there are two."""
        stream = stream_of(self.seed, PARENT, self.generation, place)
        first = below(stream, len(self.variables), len(survivors))
        second = (
            first + 1 + below(stream, len(self.variables) + 1, max(len(survivors) - 1, 1))
        ) % len(survivors)
        return child_of(
            self.variables, survivors[first].settings, survivors[second].settings, stream
        )

    def seeds_of(self, trial: Trial) -> tuple[int, ...]:
        """The seeds of the runs of a trial."""
        stream = stream_of(self.seed, JUDGE, trial.generation, trial.individual)
        return tuple(int(draw(stream, k)) for k in range(self.scheme.seeds))

    def tell(self, scored: Sequence[ScoredTrial]) -> None:
        """Take the outcomes of the trials last asked for, in their order; a trial that was not
        evaluated is left out and dropped.
        """
        everyone = [*self._survivors(), *scored]
        # Of equal trials the older comes first: it was not a lucky draw of the last generation.
        self.population = tuple(sorted(everyone, key=lambda one: (one.outcome is None, -one.score)))
        self.evaluations += sum(
            one.outcome.evaluations for one in scored if one.outcome is not None
        )
        first = self.population[0] if self.population else None
        if (
            first is not None
            and first.outcome is not None
            and (self.best is None or first.score > self.best.score)
        ):
            self.best = first
        self.generation += 1
