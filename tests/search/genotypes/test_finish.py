"""Finish steps: what is measured is what is written, kept cells win, and without steps nothing
changes.
"""

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.jobs.runs.run import Run
from levolve.levels.frame import Frame
from levolve.levels.level import Level, has_closed_border, with_border
from levolve.levels.tileset import WALLS
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.fused import begin_search
from levolve.search.fused.advance_many import ManyGenerations
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.finished import Finished
from levolve.search.genotypes.fixed_cells import fixed_cells

TIDY = ["fill_pockets", "drop_specks", "thicken", "fill_pockets", {"kind": "frame"}]


def diagonals(tiles: np.ndarray) -> int:
    """Squares of 2x2 cells with walls in two opposite corners only."""
    first, second, third, fourth = tiles[:-1, :-1], tiles[:-1, 1:], tiles[1:, :-1], tiles[1:, 1:]
    return int(((first == fourth) & (second == third) & (first != second)).sum())


def specks(tiles: np.ndarray) -> int:
    """Walls without a wall beside them."""
    outside = np.pad(tiles, 1)
    return int(
        (
            (tiles == 1)
            & (outside[:-2, 1:-1] + outside[2:, 1:-1] + outside[1:-1, :-2] + outside[1:-1, 2:] == 0)
        ).sum()
    )


def test_a_recipe_with_a_finish_survives_toml_and_json_and_names_what_is_wrong() -> None:
    recipe = find_recipe("maze").changed({"finish": TIDY})
    assert recipe.finish is not None
    assert recipe.finish[-1] == {"kind": "frame", "thickness": 1, "grow": False}
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert Recipe.from_text(recipe.to_json(), "json") == recipe
    assert (
        find_recipe("maze").changed({"finish": "fill_pockets, frame"}).steps
        == recipe.changed({"finish": [TIDY[0], TIDY[-1]]}).steps
    )
    assert recipe.changed({"finish": []}) == find_recipe("maze")
    assert "finish" not in find_recipe("maze").to_data()
    with pytest.raises(InputError, match="unknown finish 'polish'"):
        recipe.changed({"finish": ["polish"]})
    with pytest.raises(
        InputError, match=r"finish\.0\.thickness: expected greater than or equal to 1, got 0"
    ):
        recipe.changed({"finish": [{"kind": "frame", "thickness": 0}]})


@pytest.mark.parametrize(
    "name", ["maze", "maze-barriers", "maze-tunnels", "maze-automaton", "dungeon", "cavern"]
)
def test_levels_of_every_recipe_with_walls_can_be_finished(name: str) -> None:
    recipe = find_recipe(name).changed({"size": "17x13", "generations": 12, "finish": TIDY})
    run = Run(recipe, 3).finish()
    run.best.check()
    assert (run.best.width, run.best.height) == (17, 13)
    assert has_closed_border(run.best)
    measures = levolve.measure(run.best)
    assert int(measures["regions"][0]) == 1
    scores = recipe.parts[1].score(run.problem.batch(run.best_genes[np.newaxis]))
    assert float(scores[0]) == pytest.approx(run.best_score, rel=1e-12), (
        "what is scored is the finished level"
    )


def test_a_tileset_without_walls_is_refused() -> None:
    with pytest.raises(
        InputError,
        match="finish fill_pockets: expected levels with walls, got the tileset 'rainbow'",
    ):
        levolve.evolve(
            "maze-chromatic", size=(8, 8), generations=1, settings={"finish": ["fill_pockets"]}
        )


def test_finished_mazes_have_a_fifth_of_the_specks_and_diagonals() -> None:
    counts = np.zeros((2, 2))
    for row, settings in enumerate(({}, {"finish": TIDY})):
        for seed in range(4):
            tiles = levolve.evolve(
                "maze", size=(25, 17), generations=150, seed=seed, settings=settings
            ).best.tiles
            counts[row] += [specks(tiles), diagonals(tiles)]
    assert (counts[1] * 5 <= counts[0]).all(), counts


def test_a_border_keeps_the_size_or_grows() -> None:
    kept = find_recipe("maze").changed(
        {"size": "9x7", "finish": [{"kind": "frame"}], "checkpoints": ["0,3", "4,4"]}
    )
    assert (kept.frame.width, kept.frame.height) == (9, 7)
    assert dict(kept.frame.places) == {
        "entrance": (1, 1),
        "exit": (7, 5),
        "checkpoint 1": (1, 3),
        "checkpoint 2": (4, 4),
    }
    rows = ["?" * 9] * 6 + ["#" * 9]
    grown = kept.changed(
        {"finish": [{"kind": "frame", "grow": True, "thickness": 2}], "keep": rows, "exit": "-1,2"}
    )
    assert (grown.frame.width, grown.frame.height) == (13, 11)
    assert dict(grown.frame.places) == {
        "entrance": (2, 2),
        "exit": (10, 4),
        "checkpoint 1": (2, 5),
        "checkpoint 2": (6, 6),
    }
    assert grown.frame.kept[8] == "??#########??"
    with pytest.raises(InputError, match="finish frame: expected a level of at least 4x4"):
        _ = kept.changed({"size": "3x9", "checkpoints": []}).problem.space


def test_kept_cells_win_over_every_step() -> None:
    rows = ["." * 12, *["?" * 12] * 4, "??#?????????", *["?" * 12] * 4]
    recipe = find_recipe("maze").changed(
        {"size": "12x10", "keep": rows, "finish": [*TIDY, "smooth"], "generations": 3}
    )
    genotype, frame = recipe.parts[0], recipe.frame
    fixed, kinds = fixed_cells(frame, WALLS)
    tiles = genotype.express(genotype.start(frame, 1, 0, 50), frame)
    assert (tiles[:, fixed] == kinds[fixed]).all()
    assert (tiles[:, 0] == 0).all()
    assert (tiles[:, 5, 2] == 1).all()
    assert (tiles[:, 1:, 0] == 1).all(), "the border is closed elsewhere"


def test_a_finish_is_not_lost_in_a_fused_search() -> None:
    plain = find_recipe("dungeon").changed({"size": "10x10"})
    finished = plain.changed({"finish": ["fill_pockets"]})
    assert isinstance(begin_search(plain.problem, plain.parts[2], 1, 5), ManyGenerations)
    assert not isinstance(begin_search(finished.problem, finished.parts[2], 1, 5), ManyGenerations)
    assert (
        levolve.measure(Run(finished.changed({"generations": 5}), 1).finish().best)["regions"][0]
        == 1
    )


def test_a_start_is_encoded_with_or_without_its_border() -> None:
    level = Level.from_text("S..\n##.\n..E")
    recipe = adapt("maze", start=level, frame=True, generations=0)
    assert (recipe.frame.width, recipe.frame.height) == (5, 5)
    assert recipe.start
    framed = with_border(level)
    assert has_closed_border(framed)
    assert framed.entrance == (1, 1)
    again = adapt("maze", start=framed, frame=True, generations=0)
    assert (again.frame.width, again.frame.height) == (5, 5)
    for genes in (recipe.first_genes, again.first_genes):
        assert genes is not None
        assert np.array_equal(again.problem.batch(genes[np.newaxis]).tiles[0], framed.tiles)
    assert with_border(framed) is framed
    with pytest.raises(
        InputError, match="expected a level that the finish steps of the recipe leave unchanged"
    ):
        Finished(Direct(), find_recipe("maze").changed({"finish": ["fill_pockets"]}).steps).write(
            Level.from_text("S.#.\n..##\n#..E"), Frame(4, 3, {"entrance": (0, 0), "exit": (3, 2)})
        )


def test_a_border_keeps_the_solution_valid() -> None:
    level = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
    with_border(level).check()
    with pytest.raises(InputError, match="frame: expected a level with walls"):
        with_border(Level.from_text("ROY\nVBG\nentrance: 0,0\nexit: 2,1"))
