"""The contracts fail what they are there to fail: a part with one fault each, and the sentence that
names the law it breaks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from levolve import testing
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.paths import ExitPath
from levolve.search.problem import Evaluation
from levolve.search.search import Search, State
from levolve.search.selection import Selection, Tournament
from levolve.search.strategies.generational import Generational, GenerationalSearch
from levolve.search.strategies.steady_state import SteadyState, SteadyStateSearch

if TYPE_CHECKING:
    from levolve.search.search import Evaluator, Starter


@dataclass(frozen=True)
class AnySelection(Selection):
    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        return Tournament(size=1).choose(np.zeros(len(scores)), count, seed, generation)


@dataclass(frozen=True)
class WorstSelection(Selection):
    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        return Tournament().choose(-scores, count, seed, generation)


class SameSeed(GenerationalSearch):
    def _ask(self) -> Genes:
        self.seed = 0
        return super()._ask()


class SameSeedLater(GenerationalSearch):
    def _ask(self) -> Genes:
        seed, self.seed = self.seed, self.seed if self.generation == 0 else 0
        genes = super()._ask()
        self.seed = seed
        return genes


class GlobalRandom(GenerationalSearch):
    def _ask(self) -> Genes:
        self.seed = int(np.random.default_rng().integers(1 << 30))
        return super()._ask()


class LastSeed(GenerationalSearch):
    last: ClassVar[int] = 0

    def _ask(self) -> Genes:
        seed, self.seed = self.seed, LastSeed.last if self.generation else self.seed
        genes = super()._ask()
        self.seed = seed
        return genes

    def _tell(self, evaluation: Evaluation) -> None:
        super()._tell(evaluation)
        LastSeed.last = self.seed


class HiddenCounter(GenerationalSearch):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.counter = 0

    def _ask(self) -> Genes:
        self.counter += 1
        seed, self.seed = self.seed, self.seed + self.counter
        genes = super()._ask()
        self.seed = seed
        return genes


class CountsAsks(GenerationalSearch):
    """Holds its counter in the state, but counts a generation again that was asked for before it
    stopped.
    """

    counter = 0

    def _ask(self) -> Genes:
        self.counter += 1
        seed, self.seed = self.seed, self.seed + self.counter
        genes = super()._ask()
        self.seed = seed
        return genes

    def _state(self) -> State:
        return {"counter": self.counter}

    def _restore(self, state: Any) -> None:
        self.counter = state["counter"]


class ForgetsTheBest(GenerationalSearch):
    def restore(self, state: Any) -> None:
        super().restore({**state, "best_score": -np.inf})


class SharedState(SteadyStateSearch):
    def state(self) -> State:
        return {**super().state(), **({"scores": self.scores} if self.generation else {})}


class ObjectState(GenerationalSearch):
    def _state(self) -> State:
        return {"settings": self.settings}


class Overshoots(GenerationalSearch):
    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        super().step(evaluate)


class Undershoots(GenerationalSearch):
    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        if self.generation == 0 or at_most is None or at_most >= len(self.ask()):
            super().step(evaluate, at_most)
        else:
            self.idle += 1


class Miscounts(GenerationalSearch):
    def _tell(self, evaluation: Evaluation) -> None:
        super()._tell(evaluation)
        self.evaluations += 1


class OutOfRange(GenerationalSearch):
    def _ask(self) -> Genes:
        genes = super()._ask()
        genes[:1] = np.iinfo(genes.dtype).max
        return genes


class ChangesFixedGenes(GenerationalSearch):
    def _ask(self) -> Genes:
        genes = super()._ask()
        genes[:1, 0] ^= 1
        return genes


class NewGenesEachTime(GenerationalSearch):
    calls: Iterator[int] = itertools.count()

    def ask(self) -> Genes:
        self._asked = None
        self.seed = next(self.calls)
        return super().ask()


class WrongScores(GenerationalSearch):
    def _tell(self, evaluation: Evaluation) -> None:
        super()._tell(Evaluation(np.zeros(len(evaluation))))


class WorstIsBest(GenerationalSearch):
    def _record(self, genes: Genes, scores: NDArray[np.float64]) -> None:
        super()._record(genes, scores)
        self.best_score = float(scores.min()) if len(scores) else self.best_score


@dataclass(frozen=True)
class Faulty(Generational):
    """The generational strategy with another search, which has a fault."""

    population: int = 16
    kind: ClassVar[type[GenerationalSearch]] = GenerationalSearch

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> Search:  # type: ignore[override]
        return self.kind(self, space, start, seed)


@dataclass(frozen=True)
class FaultySteadyState(SteadyState):
    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> SteadyStateSearch:
        return SharedState(self, space, start, seed)


STRATEGY_FAULTS: dict[type[GenerationalSearch], str] = {
    SameSeed: "the first proposals depend on the seed",
    SameSeedLater: "offspring of the first generation depend on the seed",
    GlobalRandom: "the same seed gives the same proposals",
    LastSeed: "nor on other searches",
    HiddenCounter: "a restored search proposes the same",
    CountsAsks: "a restored search proposes the same",
    ForgetsTheBest: "a restored search ends in the same state",
    ObjectState: "a state consists of plain",
    Overshoots: "never evaluates more than its budget",
    Undershoots: "uses up its budget",
    Miscounts: "counts its evaluations",
    OutOfRange: "proposed genes are in the range",
    ChangesFixedGenes: "genes that are not free do not change",
    NewGenesEachTime: "ask returns the same genes until tell",
    WrongScores: "the population has the scores of its genes",
    WorstIsBest: "the best score is the highest score passed to tell",
}


@pytest.mark.parametrize(
    ("kind", "law"), STRATEGY_FAULTS.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_a_strategy_with_a_fault_fails_its_contract(
    kind: type[GenerationalSearch], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Faulty, "kind", kind)
    with pytest.raises(AssertionError, match=law):
        testing.check_strategy(Faulty())


@pytest.mark.parametrize(
    ("strategy", "law"),
    [
        (Faulty(selection=AnySelection(), elites=0), "proposals depend on the scores"),
        (Faulty(selection=WorstSelection(), elites=0), "higher scores are preferred"),
        (FaultySteadyState(population=16), "a state does not change while its search continues"),
    ],
    ids=["ignores scores", "prefers lower scores", "shares its state"],
)
def test_a_strategy_that_treats_scores_or_state_wrongly_fails_its_contract(
    strategy: Any, law: str
) -> None:
    with pytest.raises(AssertionError, match=law):
        testing.check_strategy(strategy)


def test_the_strategy_that_faults_are_put_into_keeps_its_contract() -> None:
    testing.check_strategy(Faulty())
    testing.check_strategy(SteadyState(population=16))


class NoSeed(Direct):
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(frame, 0, generation, count)


class NoGeneration(Direct):
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(frame, seed, 0, count)


class CountMatters(Direct):
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(frame, seed + count, generation, count)


class OneTooMany(Direct):
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(frame, seed, generation, count + 1)


class HighColours(Chromatic):
    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(frame, seed, generation, count) + np.uint8(6)


class Blank(Direct):
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        return super().batch(np.zeros_like(genes), frame)


class Neighbours(Direct):
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        return super().batch(genes & genes[:1], frame)


class ChangesGenes(Direct):
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        batch = super().batch(genes.copy(), frame)
        genes[:] = 0
        return batch


class Moody(Direct):
    calls: ClassVar[Iterator[int]] = itertools.count()

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        return super().batch(genes if next(self.calls) % 2 else np.zeros_like(genes), frame)


class ClosedExit(Direct):
    def batch(self, genes: Genes, frame: Frame) -> Batch:
        tiles = super().batch(genes, frame).tiles.copy()
        tiles[:, -1, -1] = 1
        return Batch(frame, tiles=tiles)


class KeepsNothing(Direct):
    def space(self, frame: Frame) -> Any:
        return super().space(Frame(frame.width, frame.height, frame.places))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        return super().start(
            Frame(frame.width, frame.height, frame.places), seed, generation, count
        )


class WritesNoWalls(Direct):
    def write(self, level: Level, frame: Frame) -> Genes:
        return np.zeros_like(super().write(level, frame))


class WrongType(Direct):
    def express(self, genes: Genes, frame: Frame) -> Any:
        return super().express(genes, frame).astype(np.int64)


GENOTYPE_FAULTS: dict[Any, str] = {
    NoSeed: "the genes of a start depend on the seed",
    NoGeneration: "the genes of a start depend on the generation",
    CountMatters: "does not depend on the size of the population",
    OneTooMany: "the requested number of individuals",
    HighColours: "the genes of a start are in the range",
    Blank: "levels depend on the genes",
    Neighbours: "does not depend on the other levels of its batch",
    ChangesGenes: "expressing genes does not change them",
    Moody: "give the same level each time",
    ClosedExit: "entrance and exit are always walkable",
    KeepsNothing: "cells to keep are kept",
    WritesNoWalls: "genes written for a level give this level",
    WrongType: "tiles are",
}


@pytest.mark.parametrize(
    ("genotype", "law"), GENOTYPE_FAULTS.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_a_genotype_with_a_fault_fails_its_contract(genotype: Any, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        testing.check_genotype(genotype(**({} if genotype is HighColours else {"fill": 0.3})))


@dataclass(frozen=True)
class Unsent(Direct):
    fill: float = field(default=0.3, compare=True)

    def __reduce__(self) -> tuple[type[Direct], tuple[float]]:
        return Direct, (0.1,)


def test_a_genotype_that_does_not_arrive_in_other_processes_fails_its_contract() -> None:
    with pytest.raises(AssertionError, match="sent to other processes"):
        testing.check_genotype(Unsent())


class NotFinite(ExitPath):
    def score(self, batch: Batch) -> Scores:
        return super().score(batch) + np.nan


class Narrow(ExitPath):
    def score(self, batch: Batch) -> Any:
        return super().score(batch).astype(np.float32)


class OneForAll(ExitPath):
    def score(self, batch: Batch) -> Scores:
        return super().score(batch)[:1]


class Ranks(ExitPath):
    def score(self, batch: Batch) -> Scores:
        walls = batch.tiles.sum(axis=(1, 2))
        return np.asarray(walls - walls.mean(), np.float64)


class Sorted(ExitPath):
    def score(self, batch: Batch) -> Scores:
        return np.sort(batch.tiles.sum(axis=(1, 2)).astype(np.float64))


class Dice(ExitPath):
    def score(self, batch: Batch) -> Scores:
        return np.random.default_rng().random(len(super().score(batch)))


class Digs(ExitPath):
    def score(self, batch: Batch) -> Scores:
        scores = super().score(batch)
        batch.tiles.setflags(write=True)
        batch.tiles[:, 0, 1] ^= 1
        return scores


class Beaten(ExitPath):
    goal: ClassVar[float | None] = 1.0


class TakesAnything(ExitPath):
    def check(self, frame: Frame) -> None:
        pass


OBJECTIVE_FAULTS: dict[type[ExitPath], str] = {
    NotFinite: "scores are finite",
    Narrow: "one score per level",
    OneForAll: "one score per level",
    Ranks: "does not depend on the other levels of its batch",
    Sorted: "scores follow the order of the levels",
    Dice: "the same scores each time",
    Digs: "scoring does not change the levels",
    Beaten: "no score is above the goal",
    TakesAnything: "a frame that lacks a place is rejected",
}


@pytest.mark.parametrize(
    ("objective", "law"), OBJECTIVE_FAULTS.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_an_objective_with_a_fault_fails_its_contract(objective: type[ExitPath], law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        testing.check_objective(objective(), Direct(fill=0.2))
