"""MAP-Elites beside its twin, and what a user relies on."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.feature_grid import Axis, FeatureGrid
from levolve.search.fused import begin_search
from levolve.search.genotypes.gene_space import Genes
from levolve.search.problem import FEASIBLE, Evaluation
from levolve.search.strategies.map_elites import MapElites, MapElitesSearch
from oracles.elites import Illumination, cell_of
from oracles.strategies import World
from search.inputs import Pair, crossovers, kinds_of_scores, mutations, seeds, some_scores, spaces

MAZE = find_recipe("maze").changed(
    {
        "size": "8x8",
        "strategy": {"kind": "map_elites", "population": 40, "axes": ["walls", "exit_path"]},
    }
)
LOW, HIGH, SIZES = (0.0, -1.0), (4.0, 1.0), (4, 2)


@given(
    spaces(),
    st.integers(2, 9),
    seeds,
    st.lists(st.tuples(kinds_of_scores, st.integers(0, 2**32)), min_size=2, max_size=6),
    mutations,
    st.data(),
)
def test_the_strategy_does_what_its_twin_does(
    pair: Pair,
    population: int,
    seed: int,
    plan: list[tuple[str, int]],
    mutation: object,
    data: st.DataObject,
) -> None:
    strategy = MapElites(
        population,
        ("one", "two"),
        SIZES,
        tuple(zip(LOW, HIGH, strict=True)),
        None,
        0.0,
        data.draw(st.sampled_from(["uniform", "curiosity"])),
        data.draw(st.sampled_from([0.0, 0.4])),
        data.draw(crossovers(pair)),
        mutation,  # type: ignore[arg-type]
    )
    search = strategy.search(pair.real, pair.start, seed, 9)
    twin = Illumination(
        strategy,
        World(
            pair.twin,
            lambda generation, count: pair.genomes(pair.start(seed, generation, count)),
            seed,
            9,
        ),
    )
    for number, (kind, draws) in enumerate(plan):
        asked = search.ask()
        assert pair.genomes(asked) == twin.ask()
        random = np.random.default_rng(draws)
        # The last generation is cut.
        count = len(asked) if number < len(plan) - 1 else min(1 + len(asked) // 2, len(asked))
        points, feasible, scores = (
            random.integers(-3, 6, (2, count)),
            random.random(count) < 0.6,
            some_scores(kind, draws, count),
        )
        search.tell(
            Evaluation(np.array(scores), {"one": points[0], "two": points[1], FEASIBLE: feasible})
        )
        cells, nearest = (
            [cell_of(point, LOW, HIGH, SIZES, nearest=near) for point in points.T.tolist()]
            for near in (False, True)
        )
        twin.tell(scores, cells, nearest, feasible.tolist())
        for elites, expected in (
            (search.archive, twin.archive),
            (search.infeasible, twin.infeasible),
        ):
            assert [search.grid.places(cell) for cell in elites.cells.tolist()] == list(
                expected.elites
            )
            assert elites.scores.tolist() == [elite.score for elite in expected.elites.values()]
            assert elites.curiosity.tolist() == [
                elite.curiosity for elite in expected.elites.values()
            ]
            assert not elites.count or pair.genomes(elites.genes) == [
                elite.genes for elite in expected.elites.values()
            ]


def illuminated(recipe: Recipe, seed: int = 1, generations: int = 30) -> MapElitesSearch:
    search = begin_search(recipe.problem, recipe.parts[2], seed, generations)
    assert isinstance(search, MapElitesSearch)
    for _ in range(generations):
        search.step(recipe.problem.evaluate)
    return search


def test_every_elite_lies_in_its_cell_and_is_feasible() -> None:
    search = illuminated(MAZE)
    evaluation = MAZE.problem.evaluate(search.archive.genes)
    assert evaluation.features[FEASIBLE].all()
    assert np.array_equal(evaluation.scores, search.archive.scores)
    assert np.array_equal(
        search.grid.cells(search.grid.values(evaluation.features)), search.archive.cells
    )
    assert np.array_equal(search.grid.values(evaluation.features).T, search.archive.values)
    assert len(set(search.archive.cells.tolist())) == search.archive.count > 50


def test_events_have_coverage_and_qd_score() -> None:
    events: list[levolve.core.events.Event] = []
    run = levolve.evolve(MAZE, seed=1, generations=5, watch=events.append)
    data = events[-2].to_data()
    assert data["figures"]["coverage"] == len(run.scores) / FeatureGrid(tuple(_axes())).count
    assert data["figures"]["qd_score"] == run.scores.sum()


def _axes() -> list[Axis]:
    return [Axis.over("walls", (0, 38), 50, 1), Axis.over("exit_path", (14, 32), 50, 2)]


def test_infeasible_individuals_have_an_archive_of_their_own() -> None:
    constrained = MAZE.changed(
        {
            "strategy.infeasible_share": 0.5,
            "objective.walls": [0.5, 0.55],
            "objective.feasible_first": True,
        }
    )
    search = illuminated(constrained)
    evaluation = constrained.problem.evaluate(search.infeasible.genes)
    assert search.infeasible.count > 10
    assert not evaluation.features[FEASIBLE].any()
    assert search.archive.count > 0
    assert constrained.problem.evaluate(search.archive.genes).features[FEASIBLE].all()


def test_an_axis_has_no_more_cells_than_values() -> None:
    axis = Axis.over("exit_path", (14.0, 24.0), 50, 2.0)
    assert (axis.cells, axis.high, axis.span(0), axis.span(5)) == (
        6,
        25.0,
        (14.0, 14.0),
        (24.0, 24.0),
    )
    assert Axis.over("walls", (0.0, 9.0), 4, 1.0).span(1) == (3.0, 4.0)
    assert Axis.over("share", (0.0, 1.0), 4).span(1) == (0.25, 0.5)
    assert Axis.over("share", (1.0, 1.0), 4).cells == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"axes": ["walls", "walls"]},
            "strategy.axes: expected different features, got walls, walls",
        ),
        ({"axes": ["walls"]}, "strategy.grid: expected one for each of the axes walls, got 2"),
        (
            {"ranges": [[0, 9]]},
            "strategy.ranges: expected one for each of the axes walls, exit_path, got 1",
        ),
        ({"infeasible_share": 1.0}, "strategy.infeasible_share: expected less than 1, got 1.0"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as caught:
        MAZE.changed({f"strategy.{name}": value for name, value in change.items()})
    assert str(caught.value).startswith(words)


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        action()
    return str(caught.value)


def test_measures_that_levels_cannot_have_are_refused() -> None:
    strange = MAZE.changed({"strategy.axes": ["walls", "tour_steps"]})
    assert "'tour_steps': expected levels with A and B and C" in refused(
        lambda: levolve.evolve(strange, generations=1)
    )
    wide = MAZE.changed({"strategy.ranges": [[9, 1], [0, 4]]})
    assert (
        refused(lambda: levolve.evolve(wide, generations=1))
        == "ranges: expected a lower and a higher number for walls, got 9 and 1"
    )


def test_scores_alone_are_refused() -> None:
    search = begin_search(MAZE.problem, MAZE.parts[2], 1, 3)
    genes: Genes = search.ask()
    assert "expected the features walls, exit_path, got no walls" in refused(
        lambda: search.tell(np.zeros(len(genes)))
    )
