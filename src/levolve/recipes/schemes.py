"""Schemes of meta-evolution, a recipe's `meta` table: how sets of settings are proposed, run and
judged.

`source` is the scheme of the dungeon's first author. `race` is iterated racing (López-Ibáñez,
Dubois-Lacoste, Pérez Cáceres, Birattari, Stützle 2016, "The irace package: Iterated racing for
automatic algorithm configuration", Operations Research Perspectives 3) with successive halving
(Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits", ICML) as the rule
that ends the runs of weak sets early.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Annotated, ClassVar, Self

from annotated_types import Interval
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from levolve.core.errors import InputError, explain, shown
from levolve.core.registry import did_you_mean
from levolve.recipes.part_tables import Table

DEFAULT = "source"
# Races that are counted one by one; those after them are taken to be as long as the last one.
MOST_GROWTH = 1000

Count = Annotated[int, Field(ge=0, le=1 << 20)]
Positive = Annotated[int, Field(ge=1, le=1 << 20)]


class Scheme(BaseModel, ABC):
    """What all schemes have in common. A subclass sets `kind`, its name in a recipe, and adds its
    own settings.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ClassVar[str]
    # Runs of the best set, and of the original recipe, with seeds that no set was judged by.
    fresh_runs: ClassVar[int]

    population: Annotated[int, Field(ge=2, le=1 << 20)] = 100
    generations: Annotated[int, Field(ge=0)] = 100

    @model_serializer(mode="wrap")
    def _with_kind(self, handler: SerializerFunctionWrapHandler) -> Table:
        """All settings, after the kind; without the kind for the default one."""
        settings: Table = handler(self)
        return settings if self.kind == DEFAULT else {"kind": self.kind, **settings}

    @property
    @abstractmethod
    def total(self) -> int:
        """About how many trials there are in all."""

    @abstractmethod
    def at_random(self) -> Self:
        """Return a baseline for the scheme: all new sets are random."""

    def adjusted(
        self,
        *,
        population: int | None = None,
        generations: int | None = None,
        seeds: int | None = None,
    ) -> Self:
        """Return the scheme with some settings changed; with another population, all counts are
        scaled in proportion.
        """
        changes = {"population": population, "generations": generations, "seeds": seeds}
        given: Table = {name: value for name, value in changes.items() if value is not None}
        if population is not None:
            given |= self._in_proportion(population)
        try:
            return type(self).model_validate({**dict(self), **given})
        except ValidationError as problem:
            raise InputError(explain(problem, "meta")) from problem

    @abstractmethod
    def _in_proportion(self, population: int) -> Table:
        """The settings that depend on the population, for another population."""


class SourceScheme(Scheme):
    """The scheme of the dungeon's first author.

    In each generation the `drop` worst sets are removed, and all that scored below 0. They are
    replaced by `mutants` of survivors, with each number moved by up to a share `spread` of its
    range; by `children`, the means of two survivors; and by `fresh` random sets. If more than
    `drop` sets were removed, more random sets are added. The score of a set is the mean of `seeds`
    runs; survivors keep it.
    """

    kind: ClassVar[str] = "source"
    fresh_runs: ClassVar[int] = 20

    drop: Annotated[int, Field(ge=1)] = 50
    mutants: Annotated[int, Field(ge=0)] = 20
    children: Annotated[int, Field(ge=0)] = 20
    fresh: Annotated[int, Field(ge=0)] = 10
    spread: Annotated[float, Interval(gt=0, le=1)] = 0.1
    seeds: Positive = 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.drop >= self.population:
            raise InputError(
                f"drop: expected fewer than the population of {self.population}, got {self.drop}"
            )
        if self.mutants + self.children + self.fresh != self.drop:
            counts = f"{self.mutants} + {self.children} + {self.fresh}"
            raise InputError(
                f"drop: expected as many as mutants + children + fresh, {counts}, got {self.drop}"
            )
        return self

    @property
    def total(self) -> int:
        """The total number of evaluated sets, if never more than `drop` sets are removed."""
        return self.population + self.generations * self.drop

    def at_random(self) -> Self:
        """The scheme whose newcomers are all random."""
        return self.model_copy(update={"mutants": 0, "children": 0, "fresh": self.drop})

    def _in_proportion(self, population: int) -> Table:
        drop, mutants, children = (
            count * population // self.population
            for count in (self.drop, self.mutants, self.children)
        )
        drop = max(drop, 1)
        return {
            "drop": drop,
            "mutants": mutants,
            "children": children,
            "fresh": max(drop - mutants - children, 0),
        }


class RaceScheme(Scheme):
    """Iterated racing: weak sets stop early, survivors are run again on new seeds and judged by all
    their runs.

    The first race has `start` random sets, each of the `generations` that follow `population` new
    ones: `fresh` random ones, the others near the `elites` best sets so far, as far from them as
    the elites lie from each other, times `spread`. For each of the latter `screen` sets are drawn,
    and those with the highest estimates are run. The estimate is a weighted mean over all runs of
    neighbouring sets; it also selects the elites. In a race every set is run with `seeds` seeds;
    the better half is run as often again, and so on until the best have `runs` runs each; with
    every race `runs` grows by the factor `growth`, up to `final_runs`, and the elites are run as
    often. Finally the `finalists` best are judged on fresh seeds alone: `final_runs` for the best
    two, fewer for the others, the weaker half of which leaves after each stage. Of a budget in
    evaluations the share `reserve` is kept for the final.
    """

    kind: ClassVar[str] = "race"
    fresh_runs: ClassVar[int] = 100

    population: Annotated[int, Field(ge=2, le=1 << 20)] = 24
    generations: Annotated[int, Field(ge=0, le=1 << 20)] = 18
    start: Annotated[int, Field(ge=2, le=1 << 20)] = 60
    fresh: Count = 2
    elites: Annotated[int, Field(ge=2, le=1 << 20)] = 8
    spread: Annotated[float, Interval(gt=0, le=10)] = 1.5
    screen: Annotated[int, Field(ge=1, le=1000)] = 5
    seeds: Positive = 1
    runs: Positive = 3
    growth: Annotated[float, Interval(ge=1, le=10)] = 1.1
    finalists: Annotated[int, Field(ge=2, le=1 << 20)] = 5
    final_runs: Annotated[int, Field(ge=2, le=1 << 20)] = 200
    reserve: Annotated[float, Interval(gt=0, lt=1)] = 0.2

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.fresh > self.population:
            raise InputError(
                f"fresh: expected at most the population of {self.population}, got {self.fresh}"
            )
        if self.finalists > self.elites:
            raise InputError(
                f"finalists: expected at most as many as elites, {self.elites}, got "
                f"{self.finalists}"
            )
        return self

    def runs_in(self, race: int) -> int:
        """The runs that a set has at the end of a race, the first of which is race 0."""
        most = max(self.runs, self.final_runs)
        runs = float(self.runs)
        # By products, not by a power: the same bits on every machine.
        for _ in range(race if self.growth > 1 else 0):
            if runs >= most:
                break
            runs *= self.growth
        return max(self.seeds, min(int(runs), most))

    def rounds_in(self, race: int) -> int:
        """The rounds of a race: one with `seeds` runs, then each doubles the runs."""
        return 1 + ceil(self.runs_in(race) / self.seeds - 1).bit_length()

    def kept(self, contenders: int) -> int:
        """How many of so many contenders stay in the race after a round."""
        return min(contenders, max(contenders // 2, self.elites))

    @property
    def rounds(self) -> int:
        """The rounds of all races and of the final."""
        return sum(count * self.rounds_in(race) for race, count in self._races()) + stages_of(
            self.finalists
        )

    @property
    def total(self) -> int:
        """How many trials there are in all; a set has one in each round that it takes part in."""
        trials = self.finalists * 2 + self.generations * self.elites
        for race, count in self._races():
            contenders = self.population if race else self.start
            for _ in range(self.rounds_in(race)):
                trials += count * contenders
                contenders = self.kept(contenders)
        return trials

    def _races(self) -> Iterator[tuple[int, int]]:
        """Races, and how many are like each of them: from some race on the number of runs no longer
        grows.
        """
        last = self.generations
        for race in range(1 + min(last, MOST_GROWTH)):
            yield race, 1
        if last > MOST_GROWTH:
            yield last, last - MOST_GROWTH

    def at_random(self) -> Self:
        """The same races between random sets only."""
        return self.model_copy(update={"fresh": self.population})

    def _in_proportion(self, population: int) -> Table:
        start, fresh, elites, finalists = (
            count * population // self.population
            for count in (self.start, self.fresh, self.elites, self.finalists)
        )
        elites = max(elites, 2)
        return {
            "start": max(start, 2),
            "fresh": fresh,
            "elites": elites,
            "finalists": min(max(finalists, 2), elites),
        }


def stages_of(finalists: int) -> int:
    """The rounds of a final: after each but the last the weaker half leaves, until two are left."""
    return max(1, (finalists - 1).bit_length())


SCHEMES: dict[str, type[Scheme]] = {SourceScheme.kind: SourceScheme, RaceScheme.kind: RaceScheme}


def scheme_from_data(data: object) -> object:
    """The scheme that a `meta` table describes; its `kind` alone stands for all default settings,
    and a table without one is of kind `source`.
    """
    if data is None or isinstance(data, Scheme):
        return data
    settings = {"kind": data} if isinstance(data, str) else data
    if not isinstance(settings, Mapping):
        raise InputError(
            f"meta: expected a table of settings such as {{kind = 'race'}}, got {shown(data)}"
        )
    kind = str(settings.get("kind", DEFAULT))
    if kind not in SCHEMES:
        raise InputError(f"meta: unknown scheme {shown(kind)}: {did_you_mean(kind, list(SCHEMES))}")
    scheme = SCHEMES[kind]
    for key in settings:
        if key != "kind" and key not in scheme.model_fields:
            raise InputError(
                f"meta: unknown setting {shown(key)} of scheme {kind}: "
                f"{did_you_mean(str(key), list(scheme.model_fields))}"
            )
    try:
        return scheme.model_validate(
            {key: value for key, value in settings.items() if key != "kind"}
        )
    except ValidationError as problem:
        raise InputError(f"meta.{explain(problem, '')}") from problem


# The type of a recipe's `meta`.
AnyScheme = Annotated[SerializeAsAny[Scheme], BeforeValidator(scheme_from_data)]
