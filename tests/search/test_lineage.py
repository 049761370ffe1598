"""The recorder of ancestors: beside its slow twin, stopped and continued, for every strategy."""

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.jobs.store.codec import decode_state, encode_state
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.search import ancestors, lineage
from levolve.search.ancestors import NOBODY, Ancestor
from levolve.search.fused import begin_search
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.gene_space import Genes
from levolve.search.level_problem import LevelProblem
from levolve.search.lineage import Lineage, operator_name
from levolve.search.search import Search, Strategy
from levolve.search.strategies import STRATEGIES
from levolve.search.strategies.annealing import Annealing
from levolve.search.strategies.generational import Generational
from levolve.search.strategies.picks import Picks
from levolve.search.strategies.steady_state import SteadyState
from levolve.search.strategies.truncation import Truncation
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation
from levolve.search.variation.mutations import PointMutation
from oracles.lineage import Birth, Step, line_of
from search.inputs import seeds


class Walls:
    """Scores a level by its walls."""

    goal = None

    def score(self, batch: Batch) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.asarray(batch.tiles.sum(axis=(1, 2)), np.float64)


def problem(size: int, strategy: Strategy) -> LevelProblem:
    return LevelProblem(
        Direct(fill=0.3),
        Walls(),
        Frame(size, size, {"entrance": (0, 0), "exit": (size - 1, size - 1)}),
        strategy.features,
    )


class Spy(Lineage):
    """A recorder that hands every birth on to the twin, too."""

    def __init__(self) -> None:
        super().__init__()
        self.births: list[Birth] = []
        self.new: list[Birth] = []
        self.best: set[bytes] = set()

    def add(self, children: Genes, operators: tuple[Any, ...] = (), **parents: Any) -> None:
        super().add(children, operators, **parents)
        names = tuple(map(operator_name, operators))
        known = self.best | {genes.tobytes() for genes in parents.get("genes", ())}
        none = [NOBODY] * len(children)
        first, second = (
            none if parents.get(name) is None else parents[name].tolist()
            for name in ("first", "second")
        )
        for child, *pair in zip(children, first, second, strict=True):
            mother, father = (
                None if place == NOBODY else parents["genes"][place].tobytes() for place in pair
            )
            self.new.append(
                Birth(
                    -1, child.tobytes(), mother, father, names if mother else (), frozenset(known)
                )
            )

    def advance(self, generation: int, living: lineage.Living, best: Genes) -> None:
        super().advance(generation, living, best)
        self.births += [replace(birth, generation=generation) for birth in self.new]
        self.new, self.best = [], {best.tobytes()}


def steps(line: list[Ancestor]) -> list[Step]:
    assert all(ancestor.generation is not None for ancestor in line)
    return [
        (
            one.generation or 0,
            one.genes.tobytes(),
            None if one.mate is None else one.mate.tobytes(),
            one.operators,
        )
        for one in line
    ]


def begin(
    strategy: Strategy, size: int, seed: int, recorder: Lineage
) -> tuple[Search, LevelProblem]:
    posed = problem(size, strategy)
    return begin_search(posed, strategy, seed, 40, recorder), posed


# With few genes, the same individuals are born again and again.
mutation = UniformMutation(0.2)
strategies = st.sampled_from(
    [
        Generational(9, 1, mutation=mutation),
        SteadyState(9, mutation=mutation),
        Truncation(10, 6, 2, 2, UniformCrossover(), mutation),
        Annealing(5, hot=1.0, takeover=3, mutation=mutation),
        Picks(12, 3, mutation=mutation),
    ]
)


@given(
    strategies,
    st.sampled_from([2, 3, 8]),
    seeds,
    st.integers(1, 30),
    st.sampled_from([1, 2, 7, 64]),
)
def test_lines_are_those_of_the_twin_whenever_births_are_forgotten(
    strategy: Strategy, size: int, seed: int, generations: int, every: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lineage, "EVERY", every)
        spy = Spy()
        search, posed = begin(strategy, size, seed, spy)
        for _ in range(generations):
            search.step(posed.evaluate)
        assert search.best_genes is not None
        line = search.ancestors()
    assert steps(line) == line_of(search.best_genes.tobytes(), spy.births)
    assert [ancestor.score for ancestor in line] == posed.evaluate(
        np.array([ancestor.genes for ancestor in line])
    ).scores.tolist()
    assert [one.mate_score for one in line if one.mate is not None] == [
        posed.evaluate(one.mate[np.newaxis]).scores[0] for one in line if one.mate is not None
    ]
    assert [one.births for one in line] == [0] + [1] * (len(line) - 1)


@given(strategies, seeds, st.integers(1, 9), st.integers(1, 20))
def test_a_restored_search_has_the_same_lines(
    strategy: Strategy, seed: int, stop: int, more: int
) -> None:
    straight, posed = begin(strategy, 4, seed, Lineage())
    stopped, _ = begin(strategy, 4, seed, Lineage())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ancestors, "MOST", 6)
        patch.setattr(lineage, "EVERY", 4)
        for _ in range(stop):
            straight.step(posed.evaluate)
            stopped.step(posed.evaluate)
        state = stopped.state()
        stopped.ask()
        again, _ = begin(strategy, 4, seed, Lineage())
        again.restore(decode_state(encode_state(state)))
        for _ in range(more):
            straight.step(posed.evaluate)
            again.step(posed.evaluate)
        assert _plain(again.ancestors()) == _plain(straight.ancestors())
        assert encode_state(again.state()) == encode_state(straight.state())


def _plain(line: list[Ancestor]) -> list[tuple[object, ...]]:
    return [
        (*step, one.score, one.mate_score, one.births)
        for step, one in zip(steps(line), line, strict=True)
    ]


def test_a_long_line_is_shortened_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ancestors, "MOST", 10)
    monkeypatch.setattr(lineage, "EVERY", 8)
    spy = Spy()
    search, posed = begin(Annealing(4, hot=1.0, mutation=PointMutation(1)), 8, 1, spy)
    for _ in range(400):
        search.step(posed.evaluate)
    assert search.best_genes is not None
    line, whole = search.ancestors(), line_of(search.best_genes.tobytes(), spy.births)
    assert len(line) < 10 + 8 < len(whole)
    assert set(steps(line)) < set(whole)
    assert (steps(line)[0], steps(line)[-1]) == (whole[0], whole[-1])
    assert sum(ancestor.births for ancestor in line) == len(whole) - 1
    assert len(search.state()["lineage"]["score"]) < 4 * (10 + 8)


def test_a_recorder_does_not_change_a_search() -> None:
    strategy = Generational(20)
    recorded, posed = begin(strategy, 8, 3, Lineage())
    plain = begin_search(posed, strategy, 3, 40)
    for _ in range(20):
        recorded.step(posed.evaluate)
        plain.step(posed.evaluate)
    assert np.array_equal(recorded.genes, plain.genes)
    assert "lineage" not in plain.state()
    with pytest.raises(InputError, match="expected a search with a lineage"):
        plain.ancestors()


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_every_strategy_records_the_true_parents(name: str) -> None:
    """With one changed gene per mutation, every other gene of a child is that of a parent."""
    strategy: Any = STRATEGIES[name]()
    known = {field.name for field in fields(strategy)}
    changed: dict[str, Any] = {"mutation": PointMutation(1), "crossover": UniformCrossover()}
    if "strategy" in known:
        changed["strategy"] = replace(strategy.strategy, **changed)
    strategy = replace(
        strategy, **{field: part for field, part in changed.items() if field in known}
    )
    search, posed = begin(strategy, 12, 5, Lineage())
    for _ in range(40):
        search.step(posed.evaluate)
    line = search.ancestors()
    assert line[0].generation is not None
    assert len(line) >= 3
    for parent, child in pairwise(line):
        foreign = child.genes ^ parent.genes
        if child.mate is not None:
            foreign &= child.genes ^ child.mate
        assert np.unpackbits(foreign.view(np.uint8)).sum() <= 1
        assert child.operators
