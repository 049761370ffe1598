"""Features of a function are axes and objectives like measures, on any number of threads."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import levolve
from levolve.contents import Array
from levolve.core.errors import InputError
from levolve.jobs.archives.archive import Archive
from levolve.jobs.runs.run import Run
from levolve.levels.batch import Batch
from levolve.levels.measures.structure_features import unwinnable
from levolve.recipes.finding import adapt
from levolve.search.evaluation import slices
from levolve.search.level_problem import LevelProblem
from levolve.search.objectives.objective import Objective
from levolve.search.problem import FEASIBLE, Evaluation
from levolve.search.strategies.novelty import NoveltySearch

SIZE = (8, 8)
RANGES = {"left": (0.0, 32.0), "right": (0.0, 32.0)}


@levolve.one_level
def halves(level: levolve.Level) -> dict[str, float]:
    """The walls of both halves."""
    left = float(level.tiles[:, :4].sum())
    return {"score": float(level.tiles.sum()), "left": left, "right": level.tiles.sum() - left}


@levolve.many_levels
def all_halves(tiles: NDArray[np.uint8]) -> dict[str, NDArray[np.float64]]:
    """The walls of both halves of each level."""
    left = tiles[:, :, :4].sum(axis=(1, 2)).astype(np.float64)
    score = tiles.sum(axis=(1, 2)).astype(np.float64)
    return {"score": score, "left": left, "right": score - left}


def fill(function: Callable[..., Any], threads: int, **settings: object) -> Archive:
    return levolve.illuminate(
        "maze", axes="left,right", ranges=RANGES, grid="6x6", objective=function, size=SIZE,
        evaluations=1500, seed=1, executor=threads, settings=settings,
    )  # fmt: skip


def evolved(threads: int, strategy: dict[str, Any], **settings: object) -> Run:
    changes = {"strategy": strategy, **settings}
    return levolve.evolve(
        "maze",
        size=SIZE,
        seed=1,
        generations=15,
        objective=halves,
        executor=threads,
        settings=changes,
    )


FRONT = {"kind": "nsga2", "objectives": {"left": "max", "right": "min"}}
BEHAVIOUR = {"kind": "novelty", "behaviour": ["left", "right"]}


@pytest.mark.parametrize("function", [halves, all_halves])
def test_an_archive_over_features_is_the_same_on_any_number_of_threads(
    function: Callable[..., Any],
) -> None:
    archives = [fill(function, threads) for threads in (1, 2, 3, 7)]
    assert len({archive.digest for archive in archives}) == 1
    assert len(archives[0]) > 10
    for _, level, features in archives[0].entries():
        assert features["left"] == level.tiles[:, :4].sum()
        assert features["right"] == level.tiles[:, 4:].sum()


@pytest.mark.parametrize("strategy", [FRONT, BEHAVIOUR])
def test_a_search_by_features_is_the_same_on_any_number_of_threads(
    strategy: dict[str, Any],
) -> None:
    runs = [evolved(threads, strategy) for threads in (1, 2, 5)]
    assert len({run.population.tobytes() for run in runs}) == 1


def problem_of(function: Callable[..., Any]) -> LevelProblem:
    found = adapt("maze", size=SIZE, objective=function)
    kind = {"strategy": {**FRONT, "objectives": {"left": "max", "turns": "min"}}}
    return adapt(found, settings=kind).problem


def test_any_split_of_a_batch_gives_the_same_features() -> None:
    """Also where a part has no level that can be won, from which features are known."""
    problem = problem_of(halves)
    genes = problem.start(3, 0, 40)
    won = unwinnable(problem.batch(genes)) == 0
    assert 5 < won.sum() < 35, "the test needs both kinds"
    genes = np.concatenate((genes[~won], genes[won]))
    whole = problem.evaluate(genes)
    for parts in (2, 3, 40):
        split = [problem.evaluate(genes[part]) for part in slices(len(genes), parts)]
        joined = Evaluation.joined(split)
        assert np.array_equal(joined.scores, whole.scores)
        for name in problem.features:
            assert np.array_equal(joined.features[name], whole.features[name])
    assert not whole.features[FEASIBLE][: (~won).sum()].any()
    assert whole.features[FEASIBLE][(~won).sum() :].all()


@pytest.mark.parametrize("axes", ["left,right", "walls,turns", "walls,left"])
def test_levels_that_cannot_be_won_enter_no_archive(axes: str) -> None:
    archive = levolve.illuminate(
        "maze", axes=axes, grid="6x6", objective=halves, size=SIZE, evaluations=1500, seed=1,
        ranges={name: span for name, span in RANGES.items() if name in axes},
    )  # fmt: skip
    assert len(archive.levels) == len(archive) > 5
    assert archive.scores.min() > -1e200
    assert archive.qd_score > 0


def test_levels_that_cannot_be_won_enter_no_archive_where_they_are_scored() -> None:
    archive = fill(halves, 2, **{"objective.unwinnable": "scored"})
    assert len(archive.levels) == len(archive) > 5


@dataclass(frozen=True)
class CountWalls(Objective):
    """An objective that leaves feasibility to the base class."""

    @property
    def needs(self) -> tuple[str, ...]:
        return ()

    def score(self, batch: Batch) -> NDArray[np.float64]:
        return np.asarray(batch.tiles.sum(axis=(1, 2)), np.float64)


@dataclass(frozen=True)
class AllFeasible(CountWalls):
    """An objective that calls every level feasible."""

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        return np.ones(len(batch), bool)


@pytest.mark.parametrize("kind", [CountWalls, AllFeasible])
def test_no_objective_makes_a_level_feasible_that_cannot_be_won(kind: type[Objective]) -> None:
    frame = problem_of(halves).frame
    genotype = problem_of(halves).genotype
    problem = LevelProblem(genotype, kind(), frame, (FEASIBLE,))
    genes = problem.start(3, 0, 40)
    expected = unwinnable(problem.batch(genes)) == 0
    assert 0 < expected.sum() < 40
    assert np.array_equal(problem.evaluate(genes).features[FEASIBLE], expected)


def test_levels_that_cannot_be_won_leave_a_population_with_several_objectives() -> None:
    run = evolved(2, FRONT)
    assert run.scores.min() > -1e200
    assert len(run.front) > 0
    assert all(level.solution for level in run.front)


def test_levels_that_cannot_be_won_enter_no_archive_of_behaviours() -> None:
    run = evolved(2, BEHAVIOUR, generations=1)
    assert isinstance(run.search, NoveltySearch)
    problem = run.problem
    genes = problem.start(1, 0, len(run.population))
    seen = problem.evaluate(genes)
    won = seen.features[FEASIBLE].astype(bool)
    assert not won.all(), "the test needs both kinds"
    assert run.search.archive.min() > 0, "0 is the feature of a level that has none"


def test_a_level_at_which_the_function_fails_is_not_feasible() -> None:
    @levolve.one_level
    def fragile(level: levolve.Level) -> dict[str, float]:
        if level.tiles[0, -1]:
            message = "a wall in the corner"
            raise RuntimeError(message)
        return halves(level)

    archive = fill(fragile, 2, **{"objective.errors": "unwinnable"})
    assert len(archive) > 5
    assert all(level.tiles[0, -1] == 0 for level in archive.levels)
    assert archive.scores.min() > 0


def test_a_feature_that_is_missing_for_some_levels_is_an_error_on_any_number_of_threads() -> None:
    @levolve.one_level
    def sometimes(level: levolve.Level) -> dict[str, float]:
        found = halves(level)
        return found if level.tiles[0, -1] == 0 else {"score": 0.0, "right": 1.0}

    said = set()
    for threads in (1, 2, 5):
        with pytest.raises(
            InputError, match=r"feature 'left'.*the objective returned right"
        ) as caught:
            fill(sometimes, threads)
        said.add(str(caught.value))
    assert len(said) == 1


def test_an_axis_that_no_level_has_is_an_error() -> None:
    with pytest.raises(InputError, match="unknown measure 'left'"):
        levolve.illuminate("maze", axes="left,walls", ranges=RANGES, size=SIZE, evaluations=50)
    with pytest.raises(InputError, match="expected a range for left"):
        levolve.illuminate("maze", axes="left,walls", objective=halves, size=SIZE, evaluations=50)
    with pytest.raises(InputError, match=r"feature 'up'.*the objective returned left, right"):
        levolve.illuminate(
            "maze", axes="up,walls", ranges={"up": (0, 9)}, objective=halves, size=SIZE,
            evaluations=500, seed=1,
        )  # fmt: skip


def contents(threads: int, seed: int) -> list[dict[str, Any]]:
    def weigh(content: NDArray[np.int64]) -> tuple[float, dict[str, float]]:
        if content[0] == 0:
            message = "no first number"
            raise RuntimeError(message)
        return float(np.sum(content)), {"first": float(content[0])}

    cells = {"kind": "map_elites", "axes": ["first"], "ranges": [[0, 3]], "grid": [4]}
    run = levolve.evolve(
        space=Array(4, range(4)), objective=weigh, seed=seed, generations=3, executor=threads,
        settings={"strategy": cells, "content.errors": "unwinnable"},
    )  # fmt: skip
    return [{**elite, "content": list(elite["content"])} for elite in run.elites]


def test_contents_that_fail_do_not_decide_which_features_are_known() -> None:
    """The first content of some of these runs fails, and is evaluated by itself on two threads."""
    for seed in range(1, 9):
        found = contents(1, seed)
        assert {elite["first"] for elite in found} == {1, 2, 3}
        assert found == contents(2, seed) == contents(3, seed)


PLUGIN = """
import levolve

@levolve.one_level
def halves(level):
    left = float(level.tiles[:, :4].sum())
    return {"score": float(level.tiles.sum()), "left": left, "right": level.tiles.sum() - left}
"""


def command(folder: Path, *arguments: str) -> dict[str, Any]:
    (folder / "mine.py").write_text(PLUGIN)
    call = [sys.executable, "-m", "levolve", *arguments, "--plugin", "./mine.py", "--json", "-q"]
    environment = {
        **os.environ,
        "LEVOLVE_STORE": str(folder / "store.sqlite"),
        "LEVOLVE_PLUGINS": "",
    }
    done = subprocess.run(
        call, check=False, cwd=folder, capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_commands_take_features_as_axes_and_objectives(tmp_path: Path) -> None:
    common = ("--objective", "mine:halves", "--size", "8x8", "--seed", "1")
    axes = ("--axes", "left,right", "--range", "left=0..32", "--range", "right=0..32")
    limits = ("--grid", "6x6", "--evaluations", "1500", "-o", "archive")
    found = [
        command(tmp_path, "illuminate", "maze", *common, *axes, *limits, "--threads", threads)
        for threads in ("1", "2")
    ]
    assert found[0]["digest"] == found[1]["digest"]
    assert found[0]["cells"] > 10
    with pytest.raises(InputError, match="'mine' is not a plug-in"):
        levolve.load_archive(tmp_path / "archive")
    kind = ("--set", "strategy.kind=nsga2", "--set", "strategy.objectives={left='max',right='min'}")
    fronts = [
        command(
            tmp_path, "evolve", "maze", *common, *kind, "--generations", "9", "--threads", threads
        )
        for threads in ("1", "2")
    ]
    assert fronts[0]["front"] == fronts[1]["front"]
    assert fronts[0]["best_score"] > 0
