"""Iterated racing: sets of settings are run on more and more seeds, weak ones stop early, and new
ones are sampled near the best.

After M. López-Ibáñez, J. Dubois-Lacoste, L. Pérez Cáceres, M. Birattari, T. Stützle 2016, "The
irace package: Iterated racing for automatic algorithm configuration", Operations Research
Perspectives 3. Seed number k is the same for all sets, and a set that has been run n times has been
run with the first n of them: no set is run twice with the same seed, and all are compared on the
same seeds. The seeds of the final are others.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any

from levolve.jobs.studies.setting_sets import (
    RaceRecord,
    best_first,
    cautiously_ranked,
    evaluations_per_run,
    fresh_set,
    neighbour_of,
    runs_of,
    smoothed_scores,
    stream_of,
    with_outcomes,
)
from levolve.jobs.studies.study import ScoredTrial, Study, Trial
from levolve.kernels.bits.random_streams import JUDGE, SETTING, SPREAD, draw
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import RaceScheme, stages_of
from levolve.recipes.search_space import Settings

# How often a set may be drawn that is known or refused, for each one that is needed.
ATTEMPTS = 100
# The probability that a neighbour makes a choice anew.
NEW_CHOICE = 0.1
# Which seeds: those of the races, or those of the final.
RACES, FINAL = range(2)


class RacingStudy(Study):
    """A running meta-evolution by races. A generation is a round of a race, or a stage of the
    final.
    """

    def __init__(self, recipe: Recipe, scheme: RaceScheme, seed: int) -> None:
        """Begin with nothing evaluated."""
        super().__init__(recipe, seed)
        self.scheme = scheme
        self.race = 0
        # Rounds of the present race that are over.
        self.round = 0
        self.contenders: list[ScoredTrial] = []
        self.elites: list[ScoredTrial] = []
        # All sets that were run in a race, by race and number.
        self.records: dict[tuple[int, int], RaceRecord] = {}
        # The sets of the final: those still in it first, each part best first.
        self.final: list[ScoredTrial] = []
        self.in_final = 0
        self.stage = 0
        self._rounds, self._total = scheme.rounds, scheme.total
        self._trials = 0
        # Evaluations per run of the finalists, by which the stages of the final are planned.
        self._costs = 1.0
        self._remaining: int | None = None
        self._asked: list[Trial] | None = None
        self._seeds: dict[Trial, range] = {}

    @property
    def rounds(self) -> int:
        """The rounds of all races, and the stages of the final."""
        return self._rounds

    @property
    def trials_to_come(self) -> int:
        """How many of the planned trials have not been asked for."""
        return max(self._total - self._trials, 0)

    @property
    def is_complete(self) -> bool:
        """Whether the final is over."""
        return bool(self.final) and self.stage >= stages_of(len(self.final))

    @property
    def finalists(self) -> tuple[ScoredTrial, ...]:
        """The sets of the final with their scores on its seeds, best first."""
        return tuple(scored for scored in self.final if scored.outcome is not None)

    def better(self, leader: ScoredTrial | None, scored: ScoredTrial) -> ScoredTrial | None:
        """The set that led after the last round; in the first round the best so far."""
        return super().better(leader, scored) if self.best is None else self.best

    def propose(self, at_most: int | None = None) -> list[Trial]:
        """The trials of one round. With a budget of evaluations, the final begins when no more than
        its share is left.
        """
        self._remaining = at_most
        return self.ask()

    # ---- asking

    def ask(self) -> list[Trial]:
        """The sets to run in this round, each on the seeds it has not been run with. The same until
        `tell` is called.
        """
        if self._asked is None:
            if not self.final and self._is_time_for_the_final():
                self._begin_final()
            planned = self._plan_stage() if self.final else self._plan_round()
            self._seeds = {scored.trial: seeds for scored, seeds in planned if len(seeds)}
            self._asked = list(self._seeds)
            self._trials += len(self._asked)
        return self._asked

    def seeds_of(self, trial: Trial) -> tuple[int, ...]:
        """The seeds of a trial of the present round."""
        stream = stream_of(self.seed, JUDGE, FINAL if self.final else RACES, 0)
        return tuple(int(draw(stream, number)) for number in self._seeds[trial])

    def _plan_round(self) -> list[tuple[ScoredTrial, range]]:
        """Who runs with which seeds in this round of a race; in its last round the elites have to
        keep up.
        """
        if not self.contenders:
            self.contenders = self._newcomers()
        group = [*self.contenders, *(self.elites if self._is_last_round else ())]
        return [(scored, range(runs_of(scored), self._target)) for scored in group]

    @property
    def _target(self) -> int:
        """The runs that every contender has after this round."""
        return min(self.scheme.seeds << self.round, self.scheme.runs_in(self.race))

    @property
    def _is_last_round(self) -> bool:
        return self._target == self.scheme.runs_in(self.race)

    def _newcomers(self) -> list[ScoredTrial]:
        """New sets for a race, none of them known or refused; fewer if there are no more. Of those
        near the elites the most promising.
        """
        scheme = self.scheme
        wanted, fresh = (
            (scheme.population, scheme.fresh) if self.elites else (scheme.start, scheme.start)
        )
        elites = [elite.settings for elite in self.elites]
        found = self._drawn(
            fresh,
            lambda attempt: fresh_set(
                self.variables, stream_of(self.seed, SETTING, self.race, attempt)
            ),
        )
        self.known.update(map(_name_of, found))
        if wanted > fresh:
            near = self._drawn(
                (wanted - fresh) * scheme.screen,
                lambda attempt: neighbour_of(
                    self.variables,
                    elites,
                    scheme.spread,
                    NEW_CHOICE,
                    stream_of(self.seed, SPREAD, self.race, attempt),
                ),
            )
            found += [near[place] for place in self._most_promising(near)[: wanted - fresh]]
            self.known.update(map(_name_of, found))
        return [
            ScoredTrial(Trial(settings, self.race, place), None)
            for place, settings in enumerate(found)
        ]

    def _drawn(self, count: int, propose: Callable[[int], Settings]) -> list[Settings]:
        """So many different sets, none of them known or refused; fewer if there are no more. A
        refused one is known from now on.
        """
        found: dict[str, Settings] = {}
        for attempt in range(ATTEMPTS * count):
            if len(found) == count:
                break
            settings = propose(attempt)
            name = _name_of(settings)
            if name in self.known or name in found:
                continue
            if self._is_refused(Trial(settings, self.race, attempt)):
                self.known.add(name)
            else:
                found[name] = settings
        return list(found.values())

    def _most_promising(self, sets: Sequence[Settings]) -> list[int]:
        """The places of some sets, the one with the highest estimate first; of equal ones the
        earlier first.
        """
        estimates = smoothed_scores(
            self.variables,
            [elite.settings for elite in self.elites],
            list(self.records.values()),
            sets,
        )
        return sorted(range(len(sets)), key=lambda place: -estimates[place])

    def _is_refused(self, trial: Trial) -> bool:
        recipe = self.recipe_of(trial)
        if isinstance(recipe, str):
            self.refusal = recipe
        return isinstance(recipe, str)

    # ---- the budget

    def _is_time_for_the_final(self) -> bool:
        """Whether all races are over, or another round would use evaluations that the final
        needs.
        """
        if self.race > self.scheme.generations:
            return True
        if self._remaining is None or not self.population:
            return False
        per_run = evaluations_per_run(self.population[: self.scheme.elites])
        before = [runs_of(scored) for scored in self.contenders] or [0] * self.scheme.population
        runs = sum(self._target - count for count in before)
        return self._remaining - runs * per_run < min(
            self.scheme.reserve * (self.evaluations + self._remaining), self._final_runs() * per_run
        )

    def _final_runs(self) -> int:
        """The runs of a complete final."""
        total, left, stages = 0, self.scheme.finalists, stages_of(self.scheme.finalists)
        for _ in range(stages):
            total += left * -(-self.scheme.final_runs // stages)
            left = -(-left // 2)
        return total

    # ---- the final

    def _begin_final(self) -> None:
        """Take the best sets, without the scores they were selected by: those are too high."""
        self.final = [
            ScoredTrial(scored.trial, None)
            for scored in self.population[: self.scheme.finalists]
            if scored.outcome is not None
        ]
        self._costs = evaluations_per_run(self.population[: self.scheme.finalists])
        self.in_final = len(self.final)

    def _plan_stage(self) -> list[tuple[ScoredTrial, range]]:
        """Who runs with which seeds in this stage of the final: all that are left in it, as often
        as the budget allows.
        """
        stages = stages_of(len(self.final))
        runs = -(-self.scheme.final_runs // stages)
        if self._remaining is not None:
            runs = max(
                1,
                min(
                    runs,
                    int(self._remaining / (stages - self.stage) / (self.in_final * self._costs)),
                ),
            )
        return [
            (scored, range(runs_of(scored), runs_of(scored) + runs))
            for scored in self.final[: self.in_final]
        ]

    # ---- telling

    def tell(self, scored: Sequence[ScoredTrial]) -> None:
        """Take the outcomes of the trials last asked for; a set that was not evaluated keeps the
        runs it had, and leaves if it had none.
        """
        self.evaluations += sum(
            one.outcome.evaluations for one in scored if one.outcome is not None
        )
        outcomes = {(one.trial.generation, one.trial.individual): one for one in scored}
        if self.final:
            self._close_stage(outcomes)
        else:
            self._close_round(outcomes)
        self.best = self.population[0] if self.population else None
        self._asked = None
        self.generation += 1

    def _close_round(self, outcomes: Mapping[tuple[int, int], ScoredTrial]) -> None:
        """The better half goes on; after the last round the most promising of contenders and elites
        are the elites.
        """
        self.contenders, self.elites = (
            with_outcomes(group, outcomes) for group in (self.contenders, self.elites)
        )
        for scored in (*self.contenders, *self.elites):
            if scored.outcome is not None:
                record = RaceRecord(
                    scored.settings, len(scored.outcome.scores), fsum(scored.outcome.scores)
                )
                self.records[scored.trial.generation, scored.trial.individual] = record
        if self._is_last_round:
            group = best_first([*self.elites, *self.contenders])
            # The best by their own runs are the scale of the estimates. After the first race they
            # lie too far apart for that.
            self.elites = group[: self.scheme.elites]
            if self.race and group:
                self.elites = [
                    group[place]
                    for place in self._most_promising([scored.settings for scored in group])[
                        : self.scheme.elites
                    ]
                ]
            self.contenders = []
            self.race, self.round = self.race + 1, 0
        else:
            self.contenders = best_first(self.contenders)[: self.scheme.kept(len(self.contenders))]
            self.round += 1
        self.population = (
            cautiously_ranked([*self.elites, *self.contenders])
            if self.contenders
            else tuple(self.elites)
        )

    def _close_stage(self, outcomes: Mapping[tuple[int, int], ScoredTrial]) -> None:
        """The better half stays in the final, until two are left."""
        inside = best_first(with_outcomes(self.final[: self.in_final], outcomes))
        self.final = [*inside, *self.final[self.in_final :]]
        self.stage += 1
        self.in_final = min(len(inside), max(2, -(-self.in_final // 2)))
        self.population = self.finalists or self.population

    # ---- state

    def _state(self) -> dict[str, Any]:
        """The sets of the race and of the final, and where they are."""
        groups = {
            name: [scored.state() for scored in getattr(self, name)]
            for name in ("contenders", "elites", "final")
        }
        places = {name: getattr(self, name) for name in ("race", "round", "in_final", "stage")}
        records = [
            [*place, dict(record.settings), record.runs, record.total]
            for place, record in self.records.items()
        ]
        return {
            **groups,
            **places,
            "records": records,
            "known": sorted(self.known),
            "trials": self._trials,
            "final_costs": self._costs,
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take over what `_state` gave."""
        for name in ("contenders", "elites", "final"):
            setattr(self, name, [ScoredTrial.from_state(scored) for scored in state[name]])
        for name in ("race", "round", "in_final", "stage"):
            setattr(self, name, int(state[name]))
        self.records = {}
        for race, number, settings, runs, total in state["records"]:
            self.records[int(race), int(number)] = RaceRecord(
                dict(settings), int(runs), float(total)
            )
        self.known, self._trials, self._costs = (
            set(state["known"]),
            int(state["trials"]),
            float(state["final_costs"]),
        )
        self._asked = None


def _name_of(settings: Settings) -> str:
    """A set as text, the same for equal sets."""
    return json.dumps(settings, sort_keys=True)
