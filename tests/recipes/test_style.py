"""Levels in the style of examples: what a recipe takes from them, and which examples are
refused.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.levels.tileset import TILESETS, Tileset
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import Recipe, find_recipe

STYLES = Path(__file__).parent.parent.parent / "examples" / "styles"
MAZE = Level.from_text("#######\n#S....#\n#.###.#\n#.#.#.#\n#.#...#\n#..#.E#\n#######")
COLOURS = Level.from_text("ROYGB\nROYGB\nRRYGB\nOOYGG\nOYYGB\nentrance: 0,0\nexit: 4,4")


def test_a_recipe_holds_its_examples_as_rows_and_survives_being_written() -> None:
    recipe = adapt(like=[MAZE])
    assert recipe.like == (
        ("#######", "#.....#", "#.###.#", "#.#.#.#", "#.#...#", "#..#..#", "#######"),
    )
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert Recipe.from_text(recipe.to_json(), "json") == recipe


def test_a_recipe_without_examples_is_written_as_before() -> None:
    assert "like" not in find_recipe("maze").to_data()


def test_size_and_places_are_those_of_the_first_example_unless_given() -> None:
    recipe = adapt("sketch", like=[MAZE, STYLES / "rooms.txt"])
    assert (recipe.size, recipe.frame.entrance, recipe.frame.exit) == ((7, 7), (1, 1), (5, 5))
    larger = adapt("sketch", like=MAZE, size="20x12", settings={"entrance": "3,3"})
    assert (larger.size, larger.frame.entrance, larger.frame.exit) == ((20, 12), (3, 3), (18, 10))
    assert adapt(like=[MAZE, STYLES / "rooms.txt"]).size == (7, 7)


def test_without_places_the_walkable_cells_nearest_to_the_corners_are_used() -> None:
    recipe = adapt("sketch", like=Level.from_text("#####\n##..#\n#...#\n#...#\n#####"))
    assert (recipe.frame.entrance, recipe.frame.exit) == ((2, 1), (3, 3))


@pytest.mark.parametrize(
    ("style", "name", "kind", "settings"),
    [
        ("maze", "like-maze", "passages", {"corridor": 1, "wall": 1}),
        ("rooms", "like-rooms", "chambers", {"smallest": 5, "largest": 7, "wall": 2, "door": 1}),
        ("caves", "like-caves", "direct", {}),
    ],
)
def test_without_a_recipe_the_genotype_is_fitted_to_the_examples(
    style: str, name: str, kind: str, settings: dict[str, int]
) -> None:
    recipe = adapt(like=STYLES / f"{style}.txt")
    assert (recipe.name, recipe.genotype["kind"]) == (name, kind)
    assert {key: recipe.genotype[key] for key in settings} == settings
    places = {
        tuple(levolve.evolve(recipe, seed=seed, generations=5).best.places.values())
        for seed in (1, 2, 3)
    }
    assert len(places) > 1


def test_levels_like_rooms_have_rooms() -> None:
    example = levolve.load(STYLES / "rooms.txt")
    levels = [levolve.evolve(like=example, seed=seed, generations=20).best for seed in (11, 12)]
    found = measure([example, *levels], like=[example])
    assert (abs(found["rooms"] - found["rooms"][0]) <= 1).all()
    assert (found["resemblance"] > 0.7).all()
    assert (found["specks"] == 0).all()
    assert (found["path_share"][1:] > 0.35).all()


def test_levels_are_like_the_example_and_no_copies() -> None:
    example = levolve.load(STYLES / "maze.txt")
    run = levolve.evolve(like=[STYLES / "maze.txt"], size=(16, 12), seed=3, generations=150)
    shuffled = Level(
        np.random.default_rng(1).permutation(example.tiles.ravel()).reshape(example.tiles.shape)
    )
    found, random = measure(run.best, like=[example]), measure(shuffled, like=[example])
    assert found["divergence"][0] * 2 < random["divergence"][0]
    assert found["originality"][0] >= 0.3
    assert (run.best.tiles[[0, -1]] == 1).all()
    assert (run.best.tiles[:, [0, -1]] == 1).all()
    assert run.to_data()["measures"]["likeness"] == found["likeness"][0]
    assert found["likeness"][0] ** 2 == pytest.approx(
        found["resemblance"][0] / (1 + found["divergence"][0])
    )


def test_targets_are_met_first_and_the_likeness_is_maximised_then() -> None:
    run = levolve.evolve(
        like=STYLES / "caves.txt", target={"exit_path": (46, 60)}, seed=1, generations=300
    )
    assert run.unmet == []
    assert measure(run.best, like=[levolve.load(STYLES / "caves.txt")])["likeness"][0] > 0.2


def test_a_run_with_examples_gives_the_same_bytes_from_its_data() -> None:
    run = levolve.evolve(like=MAZE, seed=5, generations=20)
    assert run.best.origin is not None
    again = levolve.evolve(Recipe.from_data(dict(run.best.origin.recipe)), seed=5)
    assert again.digest == run.digest


@pytest.mark.parametrize("kind", ["colours", "three kinds"])
def test_examples_of_any_tileset_are_followed(kind: str) -> None:
    if kind == "colours":
        example = COLOURS
    else:
        if "marsh" not in TILESETS:
            steps = ((True, True, False), (True, True, False), (False, False, False))
            TILESETS.add("marsh", Tileset("marsh", ".~#", ("floor", "water", "wall"), steps))
        example = Level.from_text("S.~~#\n..~~#\n.#~..\n##~..\n...~E\ntileset: marsh")
    run = levolve.evolve(like=example, seed=1, generations=60)
    assert run.best.tileset == example.tileset
    assert run.best_score > 0.15


def test_any_recipe_can_be_compared_with_examples() -> None:
    run = levolve.evolve("maze-tunnels", like=STYLES / "caves.txt", seed=1, generations=10)
    assert run.recipe.objective["kind"] == "likeness"
    assert run.recipe.strategy["mutation"]["kind"] != "window"
    assert (
        levolve.evolve("maze", like=MAZE, seed=1, generations=5).recipe.strategy["mutation"]["kind"]
        == "window"
    )


def test_examples_from_which_nothing_can_be_learned_are_refused() -> None:
    with pytest.raises(
        InputError,
        match="expected at least 4x4 cells, the largest window that is compared, got 3x5",
    ):
        adapt(like=Level.from_text("S#.\n...\n...\n...\n..E"))
    with pytest.raises(
        InputError, match="expected at least two kinds of tiles, got only floor; there is no style"
    ):
        adapt(like=Level.from_text("S...\n....\n....\n...E"))
    with pytest.raises(InputError, match="expected examples of one tileset, got walls and rainbow"):
        adapt(like=[MAZE, COLOURS])
    with pytest.raises(
        InputError,
        match=(
            "expected examples of the tileset 'walls', like the levels of recipe 'maze', got "
            "'rainbow'; leave"
        ),
    ):
        adapt("maze", like=COLOURS)
    with pytest.raises(InputError, match="expected at least one example level"):
        adapt(like=[])
    with pytest.raises(
        InputError, match="expected levels or the paths of level files, got int at position 1"
    ):
        adapt(like=[3])  # type: ignore[list-item]


def test_likeness_without_examples_is_refused() -> None:
    with pytest.raises(InputError, match="expected a recipe, or example levels"):
        adapt()
    for changes in ({"objective": "likeness"}, {"target": {"likeness": (0.5, 1)}}):
        with pytest.raises(InputError, match=r"like: expected examples \(--like FILE\)"):
            levolve.evolve("maze", generations=1, **changes)
    with pytest.raises(InputError, match="measure 'likeness': expected examples to compare with"):
        measure(MAZE)["likeness"]


def test_the_command_says_which_targets_of_examples_are_not_met(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(MAZE.to_text())
    call = [sys.executable, "-m", "levolve", "evolve", "--like", "mine.txt", "--seed", "1"]
    options = ["--generations", "3", "--no-store", "-q", "--target"]
    for target, missed in {
        "likeness=0.2..1": False,
        "originality=0.9..1": True,
        "divergence=50..60": True,
    }.items():
        done = subprocess.run(
            [*call, *options, target],
            check=False, cwd=tmp_path, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == (1 if missed else 0), done.stderr
        assert "Traceback" not in done.stderr
        assert ("targets not met in " in done.stderr) == missed
        assert (f"{target.partition('=')[0]}: wanted " in done.stderr) == missed
