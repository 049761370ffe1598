"""Packs of levels in the style of examples."""

import json
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.events import Event
from levolve.jobs.packs.events import ProbeAdvanced
from levolve.jobs.packs.order import Order
from levolve.jobs.replay import replay
from levolve.recipes.finding import adapt

STYLES = Path(__file__).parents[3] / "examples" / "styles"
QUICK = {"generations": 300}


def test_a_pack_is_like_its_examples_in_order_and_no_copies(tmp_path: Path) -> None:
    names = ["--like", str(STYLES / "maze.txt"), str(STYLES / "caves.txt")]
    command = [
        "pack",
        *names,
        "--size",
        "18x12",
        "--count",
        "4",
        "--curve",
        "easy..hard",
        "--seed",
        "2",
        "--set",
        "generations=60",
        "--quiet",
    ]
    assert run([*command, "-o", str(tmp_path / "pack"), "--threads", "1"]) == 0
    manifest = json.loads((tmp_path / "pack" / "pack.json").read_text())
    order = manifest["orders"][0]
    assert len(order["like"]) == 2
    assert order["pack"]["target"]["pockets"] == [0.0, 0.0]
    lowest = order["pack"]["target"]["likeness"][0]
    measures = [level["measures"] for level in manifest["levels"]]
    assert [found["difficulty"] for found in measures] == sorted(
        found["difficulty"] for found in measures
    )
    assert all(
        found["likeness"] >= lowest > 0.15
        and found["originality"] >= order["pack"]["target"]["originality"][0] > 0.25
        and found["path_share"] >= 0.5
        and found["pockets"] == 0
        for found in measures
    )
    assert replay(levolve.load(tmp_path / "pack" / f"01-{order['name']}.json")).same


def test_targets_that_are_given_are_used() -> None:
    order = Order.of(
        adapt(like=STYLES / "rooms.txt", settings=QUICK),
        count=2,
        target={"likeness": (0.3, 0.9), "originality": (0.4, 1), "pockets": 1},
    )
    assert {name: target.to_data() for name, target in order.target.items()} == {
        "likeness": [0.3, 0.9],
        "originality": [0.4, 1.0],
        "pockets": [1.0, 1.0],
        "path_share": [0.5, 1.0],
    }
    assert Order.from_data(order.to_data()) == order


def test_the_lowest_likeness_depends_on_the_recipe_alone() -> None:
    recipe = adapt(like=STYLES / "rooms.txt", settings={"generations": 40})
    seen: list[Event] = []
    assert Order.of(recipe, count=2, watch=seen.append).target == Order.of(recipe, count=2).target
    assert seen == [ProbeAdvanced(recipe.name, generation, 20) for generation in range(21)]
    assert Order.of(recipe, count=2).target == Order.of(recipe, count=5, curve="easy..hard").target


@pytest.mark.parametrize("arguments", [["pack"], ["evolve"], ["evolve", "maze", "dungeon"]])
def test_a_command_needs_one_recipe_or_examples(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "RECIPE: expected" in capsys.readouterr().err


def test_evolve_takes_several_examples_and_a_recipe_in_any_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(STYLES / "maze.txt"), str(STYLES / "rooms.txt")]
    both = ["--generations", "5", "--seed", "1", "--json"]
    assert run(["evolve", "--like", *files, "sketch", *both]) == 0
    first = json.loads(capsys.readouterr().out)
    assert run(["evolve", "sketch", "--like", files[0], "--like", files[1], *both]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == first["digest"]
    assert run(["evolve", "--like", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err
