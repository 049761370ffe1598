"""Truncation, chunks, and the dungeon they were made for."""

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.kernels.bits.packed_flood import unpack_rows
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.structure_features import tour_steps
from levolve.search.genotypes.digging import pair_space
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.dungeon import Dungeon
from levolve.search.search import Search
from levolve.search.strategies.truncation import Truncation
from levolve.search.variation.crossovers import ChunkCrossover, UniformMutation
from levolve.search.variation.mutations import PointMutation

FRAME = Frame(8, 8, {"entrance": (0, 0), "exit": (7, 7)})

# The best dungeon of the dungeon generator's author, written down as a level.
HEADLINE = """\
A..##B..#.
##...##..#
...#..##.#
.##...#...
...##..##.
.....#....
###.######
....#.....
.###...#..
.....#..#C"""


def begin(strategy: Truncation) -> Search:
    genotype = Direct(fill=0.3)
    return strategy.search(
        genotype.space(FRAME),
        lambda seed, generation, count: genotype.start(FRAME, seed, generation, count),
        1,
        100,
    )


def ones(genes: np.ndarray) -> np.ndarray:
    return np.asarray(
        np.unpackbits(np.ascontiguousarray(genes).view(np.uint8), axis=1).sum(axis=1), float
    )


def go(search: Search, generations: int) -> Search:
    for _ in range(generations):
        search.tell(ones(search.ask()))
    return search


def test_the_survivors_stay_and_the_worst_go() -> None:
    search = go(begin(Truncation(population=30, kill=20, mutate=8, couple=5)), 1)
    for _ in range(20):
        best = {
            row.tobytes() for row in search.genes[np.argsort(-search.scores, kind="stable")[:10]]
        }
        go(search, 1)
        assert len(search.genes) == 30
        assert best <= {row.tobytes() for row in search.genes}
        assert np.array_equal(ones(search.genes), search.scores)


def test_only_what_is_new_is_scored() -> None:
    still = Truncation(population=30, kill=20, mutate=15, couple=0, mutation=UniformMutation(0.0))
    assert go(begin(still), 11).evaluations == 30 + 10 * 5, "five fresh ones per generation"


def test_more_mutants_than_survivors_are_made_around_and_around() -> None:
    search = go(begin(Truncation(population=30, kill=28, mutate=28, couple=0)), 5)
    assert len(search.genes) == 30


def test_without_cycling_random_individuals_take_the_places_of_further_mutants() -> None:
    strategy = Truncation(
        population=30, kill=28, mutate=28, couple=0, cycle=False, mutation=UniformMutation(0.0)
    )
    search = go(begin(strategy), 5)
    assert len(search.genes) == 30
    assert search.evaluations == 30 + 4 * 26, "two mutants that equal their parents, and 26 new"


def test_an_inherited_b_is_drawn_once_and_does_not_mutate() -> None:
    frame = Frame(10, 10, {})
    for b, changed, distinct in (("inherited", 0, 36), ("gene", 50, 50)):
        genotype = Dungeon(b=b)  # type: ignore[arg-type]
        genes = genotype.start(frame, 1, 0, 50)
        assert len(np.unique(genes[:, -1])) == distinct
        mutants = genes.copy()
        UniformMutation(0.5).apply(genotype.space(frame), mutants, 1, 1)
        assert (mutants[:, -1] != genes[:, -1]).sum() == changed
        assert (mutants[:, :-1] != genes[:, :-1]).any(axis=1).all()


def test_the_authors_own_recipe_does_what_the_document_says() -> None:
    run = levolve.evolve("dungeon-source", seed=1, generations=10)
    assert run.evaluations <= 100 + 10 * 82
    strategy = run.recipe.parts[2]
    assert isinstance(strategy, Truncation)
    assert (strategy.kill, strategy.mutate, strategy.mutants) == (82, 71, 18)


def test_each_survivor_has_its_mutant() -> None:
    search = go(
        begin(Truncation(population=12, kill=6, mutate=6, couple=0, mutation=PointMutation(1))), 1
    )
    for _ in range(10):
        survivors = search.genes[np.argsort(-search.scores, kind="stable")[:6]].copy()
        assert ones(search.ask() ^ survivors).tolist() == [1.0] * 6, (
            "one gene away from the best, the second, and so on"
        )
        go(search, 1)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"kill": 100}, "kill: expected fewer than the population of 100, got 100"),
        ({"kill": 30, "mutate": 20, "couple": 20}, r"at least mutate \+ couple, 20 \+ 20, got 30"),
        (
            {"kill": 70, "couple": 16, "mutate": 0},
            "couple: expected two survivors per child, but only 30 survive, got 16",
        ),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts: dict[str, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Truncation(population=100, **counts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("width", "height", "picture"),
    [
        (5, 5, ["XXXXX     "] * 5 + ["     XXXXX"] * 5),
        (2, 6, ["XX  XX  XX"] * 6 + ["  XX  XX  "] * 4),
    ],
)
def test_chunks_alternate_like_a_chessboard(width: int, height: int, picture: list[str]) -> None:
    frame = Frame(10, 10, {}, tours=True)
    space = Direct().space(frame)
    empty_and_full = np.stack([np.zeros(space.words, np.uint64), space.words_of(np.arange(100))])
    children = np.empty_like(empty_and_full)
    space.cross(
        empty_and_full,
        np.array([0, 1]),
        ChunkCrossover(width, height).masks(space, 1, 0, 0),
        children,
    )
    tiles = np.empty((2, 10, 10), np.uint8)
    unpack_rows(children, tiles)
    drawn = [["".join(" X"[kind] for kind in row) for row in child] for child in tiles]
    assert picture in drawn, "which child is which depends on who is called first"


def test_chunks_need_cells() -> None:
    with pytest.raises(InputError, match="needs a genotype with one gene per cell"):
        ChunkCrossover().masks(pair_space(5), 1, 0, 0)


def test_the_headline_dungeon_measures_104_steps_and_107_tiles() -> None:
    level = Level.from_text(HEADLINE)
    measured = levolve.measure(level)
    assert measured["tour_steps"].tolist() == [104]
    assert measured["tour_tiles"].tolist() == [107]
    legs = [
        Level(level.tiles, {"entrance": level.places[a], "exit": level.places[b]})
        for a, b in ("AB", "BC", "CA")
    ]
    assert levolve.measure(legs)["exit_path"].tolist() == [23, 49, 32]


def test_a_dungeon_is_evolved_proven_and_grown_again() -> None:
    run = levolve.evolve("dungeon", seed=1, generations=30)
    assert run.best_score > 40
    run.best.check()
    assert (
        run.best_score
        == levolve.measure(run.best)["tour_steps"][0]
        > len(run.best.solution or "")
        > 0
    )
    cells = [y * 10 + x for x, y in (run.best.places[name] for name in "ABC")]
    floor = np.flatnonzero(run.best.tiles.ravel() == 0)
    assert (cells[0], cells[2]) == (floor[0], floor[-1])
    assert cells[0] < cells[1] < cells[2]
    assert cells[1] in floor


def test_b_at_its_best_is_never_worse_than_b_by_its_gene() -> None:
    frame = Frame(10, 10, {}, tours=True)
    genes = Dungeon().start(frame, 3, 0, 200)
    by_gene, best = Dungeon().batch(genes, frame), Dungeon(b="best").batch(genes, frame)
    assert (tour_steps(best) >= tour_steps(by_gene)).all()
    assert (tour_steps(best) > tour_steps(by_gene)).any()
