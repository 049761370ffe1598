"""Mirror: every level is symmetric, and copies of a connected part are connected."""

from typing import Any

import numpy as np
import pytest

import levolve
from levolve import testing
from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.structure_features import regions
from levolve.recipes.recipe import find_recipe
from levolve.search.genotypes.automaton import Automaton
from levolve.search.genotypes.digging import Barriers
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.dungeon import Dungeon
from levolve.search.genotypes.fashion import Fashion
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.mirror import Mirror
from levolve.search.genotypes.passages import Passages

TURNS: dict[Any, Any] = {
    "left_right": lambda tiles: tiles[:, ::-1],
    "up_down": lambda tiles: tiles[::-1],
    "both": lambda tiles: tiles[::-1, ::-1],
    "half_turn": lambda tiles: tiles[::-1, ::-1],
    "quarter_turn": np.rot90,
    "diagonal": np.transpose,
}
SIZES = [(21, 21), (20, 20), (24, 15), (17, 12)]


def framed(width: int, height: int) -> Frame:
    return Frame(width, height, {"entrance": (1, 1), "exit": (width - 2, height - 2)})


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("fold", TURNS)
def test_a_folded_maze_is_symmetric_and_one_region(fold: Any, size: tuple[int, int]) -> None:
    genotype, frame = Mirror(of=Passages(), fold=fold), framed(*size)
    if fold in {"quarter_turn", "diagonal"} and size[0] != size[1]:
        with pytest.raises(
            InputError, match=rf"fold: expected a square level for {fold}, got {size[0]}x{size[1]}"
        ):
            genotype.space(frame)
        return
    batch = genotype.batch(genotype.start(frame, 1, 0, 30), frame)
    assert (regions(batch)[0] == 1).all()
    for tiles in batch.tiles:
        assert np.array_equal(tiles, TURNS[fold](tiles))
        if fold == "both":
            assert np.array_equal(tiles, tiles[::-1])
    assert len(np.unique(batch.tiles, axis=0)) > 20


@pytest.mark.parametrize(
    "of",
    [Direct(0.4), Automaton(), Barriers(), Chromatic(), Dungeon(), Fashion(), Passages(loops=0.1)],
    ids=repr,
)
def test_any_genotype_can_be_folded(of: Genotype) -> None:
    testing.check_genotype(Mirror(of=of, fold="half_turn"))


def test_the_gene_of_a_gate_moves_the_gate() -> None:
    frame, genotype = framed(21, 21), Mirror(of=Passages())
    genes = genotype.start(frame, 1, 0, 1).repeat(40, axis=0)
    genes[:, -2] = np.linspace(0, 255, 40).astype(np.uint8)
    tiles = genotype.express(genes, frame)
    assert (tiles[:, :, 10] == 0).sum(axis=1).tolist() == [1] * 40
    assert len(np.unique(np.argmin(tiles[:, :, 10], axis=1))) >= 10, "every row of the lattice"
    three = Mirror(of=Passages(), gates=3)
    assert (three.express(three.start(frame, 1, 0, 40), frame)[:, :, 10] == 0).sum(
        axis=1
    ).max() == 3


def test_the_exit_may_lie_opposite_to_the_entrance() -> None:
    recipe = find_recipe("maze").changed(
        {
            "size": "21x15",
            "genotype.kind": "mirror",
            "genotype.of": {"kind": "passages"},
            "entrance": "1,3",
        }
    )
    for fold, place in (
        ("left_right", (19, 3)),
        ("up_down", (1, 11)),
        ("both", (19, 11)),
        ("half_turn", (19, 11)),
    ):
        mirrored = recipe.changed({"genotype.fold": fold, "genotype.ends": "mirrored"})
        assert mirrored.frame.exit == place
        assert recipe.changed({"genotype.fold": fold, "exit": "5,5"}).frame.exit == (5, 5)
    framed_recipe = recipe.changed(
        {
            "genotype.ends": "mirrored",
            "genotype.of": {"kind": "direct"},
            "finish": ["frame"],
            "entrance": "0,0",
        }
    )
    assert framed_recipe.frame.exit == (19, 1)
    with pytest.raises(InputError, match="exit: expected a cell other than the entrance"):
        _ = recipe.changed({"genotype.ends": "mirrored", "entrance": "10,3"}).frame
    run = levolve.evolve(recipe.changed({"genotype.ends": "mirrored", "generations": 5}), seed=1)
    run.best.check()
    assert np.array_equal(run.best.tiles, run.best.tiles[:, ::-1])


def test_a_symmetric_level_can_be_encoded() -> None:
    for fold in TURNS:
        genotype, frame = Mirror(of=Direct(0.4), fold=fold), framed(11, 11)
        level = level_at(genotype.batch(genotype.start(frame, 3, 0, 1), frame))
        assert level_at(genotype.batch(genotype.write(level, frame)[np.newaxis], frame)) == level
    with pytest.raises(
        InputError, match="genotype mirror: expected a level with the symmetry 'left_right'"
    ):
        Mirror().write(
            Level.from_text("S.#.\n....\n..#.\n...E"),
            Frame(4, 4, {"entrance": (0, 0), "exit": (3, 3)}),
        )


@pytest.mark.parametrize("of", [{"kind": "direct"}, {"kind": "rooms"}])
def test_no_individuals_can_be_drawn(of: dict[str, str]) -> None:
    problem = find_recipe("garden").changed({"genotype.of": of, "finish": None}).problem
    assert len(problem.start(1, 0, 0)) == 0
