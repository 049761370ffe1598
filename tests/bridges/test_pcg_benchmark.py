"""The bridge to the PCG Benchmark, with a stand-in of the same interface; the last tests use the
benchmark itself where it is installed.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import levolve
from levolve.bridges.pcg_benchmark import pack, problem_names, recipe, register
from levolve.bridges.pcg_benchmark.content import BenchmarkContent
from levolve.bridges.pcg_benchmark.library import environment
from levolve.bridges.pcg_benchmark.pack import BenchmarkPackBuilder
from levolve.bridges.pcg_benchmark.repair import MapDraws, TileRepair, grow
from levolve.bridges.pcg_benchmark.rules import Need, TileRules, Way
from levolve.cli.app import app
from levolve.core.errors import EvaluationError, InputError, LevolveError, UnknownNameError
from levolve.levels.measures.measuring import measure
from oracles import pcg_stand_in as stand_in


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    module = ModuleType("pcg_benchmark")
    module.list, module.make, module.register = stand_in.names, stand_in.make, stand_in.register  # type: ignore[attr-defined]
    stand_in.PROBLEMS.clear()
    stand_in.register("binary-v0", stand_in.Caves, {"width": 9, "height": 8})
    stand_in.register("zelda-v0", stand_in.Keys, {"width": 8, "height": 7})
    stand_in.register("orchestra-v0", stand_in.Orchestra, {})
    monkeypatch.setitem(sys.modules, "pcg_benchmark", module)
    monkeypatch.setitem(sys.modules, "pcg_benchmark.spaces", stand_in)
    environment.cache_clear()
    yield module
    environment.cache_clear()


@pytest.mark.usefixtures("benchmark")
@pytest.mark.parametrize("name", ["binary-v0", "zelda-v0", "orchestra-v0"])
def test_every_problem_is_a_recipe_whose_contents_the_benchmark_accepts(name: str) -> None:
    assert name in problem_names()
    run = levolve.evolve(recipe(name), seed=3)
    assert run.best_score == 1.0
    env = environment(name)
    assert all(env.content_space.isSampled(content) for content in run.contents)
    assert run.features["quality"] == 1.0
    again = levolve.evolve(f"pcg:{name}", seed=3)
    assert again.digest == run.digest


@pytest.mark.usefixtures("benchmark")
def test_control_parameters_join_the_score() -> None:
    run = levolve.evolve(recipe("binary-v0", {"floor": 30}), seed=1)
    assert abs(int(np.sum(run.best)) - 30) <= 4
    assert run.features["controlability"] == run.best_score == 1.0
    with pytest.raises(InputError, match="parameters floor of binary-v0, got walls"):
        recipe("binary-v0", {"walls": 3})


@pytest.mark.usefixtures("benchmark")
def test_information_is_computed_once_per_content() -> None:
    content, judge = BenchmarkContent("binary-v0"), environment("binary-v0")._problem
    tiles = np.eye(8, 9, dtype=int)
    first = content.assess([tiles, tiles])
    assert content.assess([tiles]) == first[:1]
    assert judge.calls == 1


@pytest.mark.usefixtures("benchmark")
def test_an_error_of_the_benchmark_names_the_content() -> None:
    with pytest.raises(
        EvaluationError, match="pcg:binary-v0: individual 1: ValueError: wrong input"
    ):
        BenchmarkContent("binary-v0").assess([np.zeros((8, 9), int), np.full((8, 9), 7)])


def test_a_repair_gives_maps_what_they_need() -> None:
    rules = TileRules(
        (Need((2,), 1, 1), Need((5, 6), 2, 4)), equal=((3, 4),), connected=(1, 2, 3, 4, 5, 6)
    )
    repair = TileRepair(rules, 6, 7)
    genes = np.random.default_rng(1).integers(0, 7, (60, 42)).astype(np.uint8)
    genes[0], genes[1] = 0, 2
    repair(genes, 4, 2)
    for tiles in genes:
        counts = np.bincount(tiles, minlength=7)
        assert counts[2] == 1
        assert 2 <= counts[5] + counts[6] <= 4
        assert counts[3] == counts[4]
        assert stand_in.regions(tiles.reshape(6, 7)) == 1
    again = genes.copy()
    repair(again, 9, 9)
    assert np.array_equal(again, genes), "a map that lacks nothing stays as it is"


def test_a_repair_moves_tiles_to_the_way() -> None:
    rules = TileRules(
        (Need((2,), 1, 1), Need((3,), 1, 1), Need((4,), 3, 9)),
        connected=(1, 2, 3, 4),
        way=Way(2, 3, (4,), 3),
    )
    corridor = np.array(
        [[1, 1, 2, 1, 1, 1, 1, 3, 4], [0, 0, 0, 0, 0, 0, 0, 0, 4], [4, 4, 4, 4, 4, 4, 4, 4, 4]],
        np.uint8,
    )
    for count in (1, 2, 3):
        genes = corridor.ravel()[np.newaxis].copy()
        TileRepair(replace(rules, way=Way(2, 3, (4,), count)), 3, 9)(genes, 5, count)
        assert np.count_nonzero(genes[0, 3:7] == 4) == count, "on the way from 2 to 3"
        assert stand_in.regions(genes.reshape(3, 9)) == 1
    genes = corridor.ravel()[np.newaxis].copy()
    genes[0, 4:6] = 4
    before = genes.copy()
    TileRepair(replace(rules, needs=(), way=Way(2, 3, (4,), 2)), 3, 9)(genes, 5, 1)
    assert np.array_equal(before, genes), "enough of them are there"


def test_grown_maps_are_trees_with_about_as_much_floor_as_wall() -> None:
    grid = TileRepair(TileRules(connected=(1,)), 10, 12)
    maps = [np.array(grow(grid, MapDraws(1, 0, number))).reshape(10, 12) for number in range(40)]
    for tiles in maps:
        edges = int((tiles[1:] & tiles[:-1]).sum() + (tiles[:, 1:] & tiles[:, :-1]).sum())
        assert stand_in.regions(tiles) == 1
        assert edges == tiles.sum() - 1, "no loop"
        assert 0.4 <= tiles.mean() <= 0.6
    assert len({tiles.tobytes() for tiles in maps}) == 40


@pytest.mark.usefixtures("benchmark")
def test_a_pack_passes_all_criteria_and_is_the_same_after_a_stop() -> None:
    builder = BenchmarkPackBuilder("binary-v0", 12, 5, 4_000)
    made = builder.finish()
    assert (made.quality, made.diversity, made.controlability, made.passed) == (1.0, 1.0, 1.0, 12)
    assert made.evaluations <= environment("binary-v0")._problem.calls < 4_000
    stopped = BenchmarkPackBuilder("binary-v0", 12, 5, 4_000)
    next(iter(stopped.events()))
    again = BenchmarkPackBuilder.from_call(json.loads(json.dumps(stopped.call())))
    again.restore(stopped.state())
    assert again.finish().to_data() == made.to_data()


@pytest.mark.usefixtures("benchmark")
def test_a_budget_is_exact_and_leaves_the_best_contents_in_open_places() -> None:
    made = pack("binary-v0", 60, seed=1, evaluations=130)
    assert made.evaluations == 130
    assert len(made.contents) == 60
    assert made.passed < 60
    assert made.quality > 0.8
    with pytest.raises(InputError, match="one for each of the 3 contents, got 1"):
        pack("binary-v0", 3, controls=[{"floor": 20}])


@pytest.mark.usefixtures("benchmark")
def test_commands_write_contents_and_packs(tmp_path: Path) -> None:
    run = CliRunner().invoke(
        app,
        [
            "pack",
            "pcg:binary-v0",
            "--count",
            "6",
            "--seed",
            "2",
            "-o",
            str(tmp_path / "six"),
            "--no-store",
            "--json",
        ],
    )
    assert run.exit_code == 0, run.output
    data = json.loads((tmp_path / "six" / "pack.json").read_text())
    assert data == json.loads(run.stdout)
    assert (data["passed"], data["count"]) == (6, 6)
    with Image.open(tmp_path / "six" / "sheet.png") as sheet:
        assert sheet.width > 20
    short = CliRunner().invoke(
        app,
        [
            "pack",
            "pcg:binary-v0",
            "--count",
            "40",
            "--set",
            "evaluations=50",
            "-o",
            str(tmp_path / "few"),
            "--no-store",
        ],
    )
    assert isinstance(short.exception, LevolveError)
    assert "do not pass after 50 evaluations" in str(short.exception)
    for arguments, message in {
        ("pack", "pcg:binary-v0", "--size", "9x9"): "--size: expected a recipe of levels",
        ("pack", "pcg:binary-v0", "maze"): "alone, because its contents are not levels",
        ("pack", "pcg:binary-v0", "--set", "a=1"): "--set a: expected evaluations=N",
        ("evolve", "pcg:binry-v0"): "did you mean 'binary-v0'",
        ("evolve", "pcg:binary-v0", "-o", str(tmp_path / "a.tmx")): "ends in .json or .png",
    }.items():
        wrong = CliRunner().invoke(app, [*arguments, "--no-store"])
        assert isinstance(wrong.exception, InputError)
        assert message in str(wrong.exception)
    drawn = CliRunner().invoke(
        app, ["evolve", "pcg:zelda-v0", "--seed", "1", "-o", str(tmp_path / "z.png"), "--no-store"]
    )
    assert drawn.exit_code == 0, drawn.output
    with Image.open(tmp_path / "z.png") as picture:
        assert picture.size == (8, 7)


def test_without_the_benchmark_an_error_explains_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pcg_benchmark", None)
    environment.cache_clear()
    monkeypatch.setattr("importlib.import_module", _missing)
    with pytest.raises(
        LevolveError, match=r"not installed and not on PyPI; run: pip install git\+https"
    ):
        recipe("zelda-v0")


def _missing(name: str) -> Any:
    raise ModuleNotFoundError(name=name)


@pytest.mark.usefixtures("benchmark")
def test_our_problems_are_registered_in_the_benchmark() -> None:
    names = register()
    assert register() == names
    env = environment("levolve-maze-v0")
    judge = env._problem
    closed, opened = np.ones((14, 14), int), np.zeros((14, 14), int)
    assert judge.quality(judge.info(closed)) < judge.quality(judge.info(opened)) < 1
    assert judge.diversity(judge.info(closed), judge.info(opened)) == 1.0
    assert judge.controlability(judge.info(opened), {"exit_path": 26}) == 1.0
    assert judge.controlability(judge.info(opened), {"exit_path": 60}) < 1
    run = levolve.evolve(recipe("levolve-maze-v0"), seed=1, generations=150)
    assert run.best_score == 1.0
    assert measure(judge.level(run.best)).of_level()["exit_path"] >= 40
    assert env.render(run.best).width == 14 * 16


def test_an_unknown_problem_is_explained(benchmark: ModuleType) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'zelda-v0'"):
        environment("zelda-v1")


# The benchmark itself, where it is installed.


@pytest.fixture
def real() -> Iterator[ModuleType]:
    module = pytest.importorskip("pcg_benchmark")
    environment.cache_clear()
    yield module
    environment.cache_clear()


def test_every_problem_of_the_real_benchmark_accepts_our_contents(real: ModuleType) -> None:
    for name in real.list():
        problem = recipe(name).problem
        contents = problem.decode(problem.start(1, 0, 3))
        assert all(environment(name).content_space.isSampled(content) for content in contents), name


def test_the_real_zelda_is_solved_in_one_generation(real: ModuleType) -> None:
    run = levolve.evolve(recipe("zelda-v0"), seed=11)
    assert run.best_score == 1.0
    assert run.evaluations == 20


def test_the_path_of_two_sweeps_is_that_of_the_real_benchmark(real: ModuleType) -> None:
    env = environment("binary-v0")
    maps = np.random.default_rng(3).integers(0, 2, (300, 14, 14))
    expected = [int(env.info(tiles)["path"]) for tiles in maps]
    levels = [levolve.Level((1 - tiles).astype(np.uint8), {}) for tiles in maps]
    measured = levolve.measure(levels)
    assert measured["sweep_path"].tolist() == expected
    assert int((measured["longest_path"] > measured["sweep_path"]).sum()) > 0
