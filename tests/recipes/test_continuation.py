"""Going on from a level that somebody made or edited."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import levolve
from levels.inputs import levels
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.jobs.replay import replay
from levolve.levels.frame import TOUR, Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import places_at
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.recipes.finding import adapt
from levolve.recipes.from_levels import kept_rows
from levolve.recipes.recipe import Recipe, find_recipe, shipped
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finished import Finished
from levolve.search.genotypes.gene_space import NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve.search.strategies import STRATEGIES

WRITERS = {"direct": WALLS, "dungeon": WALLS, "chromatic": RAINBOW}
MINE = Level.from_text("S...#...\n.##.#.#.\n.#...#..\n.#.#.#.#\n...#...E\ncheckpoint 1: 3,2")


@pytest.mark.parametrize("name", WRITERS)
@given(level=levels())
def test_a_level_written_down_as_genes_is_the_same_level(name: str, level: Level) -> None:
    genotype: Genotype = GENOTYPES[name]()
    bare = Level(
        level.tiles if level.tileset is WRITERS[name] else level.tiles % 2, {}, WRITERS[name]
    )
    frame = Frame(bare.width, bare.height, {}, tours=genotype.sets_places)
    genes = genotype.write(bare, frame)
    assert genes.dtype == genotype.start(frame, 1, 0, 1).dtype
    assert np.array_equal(genotype.express(genes[np.newaxis], frame)[0], bare.tiles)


def test_a_dungeon_keeps_its_b_and_refuses_other_places_for_a_and_c() -> None:
    genotype = GENOTYPES["dungeon"]()
    level = Level.from_text("#A.\n.B.\n..C")
    frame = Frame(3, 3, {}, tours=True)
    assert (
        places_at(genotype.batch(genotype.write(level, frame)[np.newaxis], frame), 0)
        == level.places
    )
    with pytest.raises(InputError, match="expected A on the first floor tile, at 1,0, got 0,1"):
        genotype.write(Level.from_text("#..\nAB.\n..C"), frame)
    with pytest.raises(InputError, match="expected C on the last floor tile, at 2,2, got 1,2"):
        genotype.write(Level.from_text("#A.\n.B.\n.C."), frame)


@pytest.mark.parametrize("name", ["barriers", "tunnels", "automaton", "fashion"])
def test_other_genotypes_cannot_encode_a_level(name: str) -> None:
    with pytest.raises(InputError, match=f"genotype {name}: cannot encode"):
        GENOTYPES[name]().write(MINE, MINE.frame)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_first_generation_has_the_level_among_it(strategy: str) -> None:
    begun = levolve.evolve(
        "maze",
        start=MINE,
        generations=0,
        seed=1,
        settings={"strategy.kind": strategy, "genotype.fill": 0.9},
    )
    assert MINE in begun.levels
    assert begun.best.frame == MINE.frame


@pytest.mark.parametrize(
    ("recipe", "keep"),
    [
        ("maze", "walls"),
        ("maze", "floor"),
        ("maze-barriers", "floor"),
        ("maze-tunnels", "walls"),
        ("maze-automaton", "wall"),
    ],
)
def test_kept_tiles_stay_and_the_run_can_be_repeated(recipe: str, keep: str) -> None:
    finished = levolve.evolve(recipe, start=MINE, keep=keep, generations=30, seed=3)
    kept = MINE.tiles == (keep != "floor")
    assert (finished.best.tiles[kept] == MINE.tiles[kept]).all()
    assert len(finished.levels) > 1
    assert (finished.best.entrance, finished.best.exit, finished.best.checkpoints) == (
        MINE.entrance,
        MINE.exit,
        MINE.checkpoints,
    )
    assert replay(finished.best).same
    assert Recipe.from_text(finished.recipe.to_toml()) == finished.recipe


@pytest.mark.parametrize(
    ("recipe", "text"),
    [
        ("maze", "S.#\n..#\n#.E"),
        ("maze-chromatic", "RRO\nVRO\nVVO\nentrance: 0,0\nexit: 2,2"),
        ("dungeon-best", "A..\n#B.\n..C"),
    ],
)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_level_kept_whole_is_only_certified(recipe: str, text: str, strategy: str) -> None:
    level = Level.from_text(text)
    finished = levolve.evolve(
        recipe, start=level, keep="all", generations=4, seed=1, settings={"strategy.kind": strategy}
    )
    assert np.array_equal(finished.best.tiles, level.tiles)
    finished.best.check()


def test_colours_are_kept_by_their_names() -> None:
    level = Level.from_text("RRO\nVRO\nVGO\nentrance: 0,0\nexit: 2,2")
    assert kept_rows(level, "red,violets") == ["RR?", "VR?", "V??"]
    finished = levolve.evolve("maze-chromatic", start=level, keep="red", generations=20, seed=1)
    assert (finished.best.tiles[level.tiles == 0] == 0).all()


def test_places_that_the_level_lacks_come_from_the_recipe() -> None:
    best = levolve.evolve(
        "maze", start=Level(np.zeros((5, 7), np.uint8)), generations=5, seed=1
    ).best
    assert (best.entrance, best.exit) == ((0, 0), (6, 4))
    dungeon = levolve.evolve(
        "dungeon", start=Level.from_text("A.B\n..#\n#.C"), generations=5, seed=1
    )
    assert all(name in dungeon.best.places for name in TOUR)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"start": MINE, "keep": "lava"}, "got 'lava'"),
        ({"start": MINE, "keep": "flor"}, "did you mean 'floor'"),
        ({"start": MINE, "size": (9, 9)}, "size: expected no size together with a level"),
        (
            {"start": Level.from_text("S#.\n##.\n..E"), "keep": "walls"},
            "keep: there is no path from the entrance at 0,0 to the exit at 2,2",
        ),
        ({"keep": "walls"}, "expected a level to start from as well"),
        (
            {"settings": {"start": ["S.", ".E"]}},
            "start: expected a level of 20x20 walls like those of the run, got 2x2 walls",
        ),
        ({"settings": {"start": ["S?", ".E"]}}, "start: level text, line 1"),
        (
            {"size": (2, 2), "settings": {"genotype.kind": "barriers", "start": ["S.", ".E"]}},
            "start: genotype barriers",
        ),
    ],
)
def test_an_unsuitable_level_to_continue_from_is_refused(
    changes: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError) as problem:
        levolve.evolve("maze", **changes)  # type: ignore[call-overload]
    assert words in str(problem.value)


HALLS = """
####################
#S.....#...........#
#......#...........#
#......#...........#
#..................#
#......#...........#
#......#...........#
###.####...........#
#......#############
#..................#
#......#.........E.#
#......#...........#
####################
"""


@pytest.mark.parametrize("recipe", ["crypt", "grotto"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_hall_is_filled_if_walls_are_kept_and_pockets_without_a_way_are(
    recipe: str, seed: int
) -> None:
    given = Level.from_text(HALLS.strip())
    # A pocket that nobody can enter.
    tiles = given.tiles.copy()
    tiles[2, 11:15] = tiles[4, 11:15] = tiles[3, 11] = tiles[3, 14] = 1
    given = Level(tiles, given.places, given.tileset)
    assert kept_rows(given, "walls")[3] == "#::::::#:::#??#::::#"
    best = levolve.evolve(recipe, start=given, keep="walls", seed=seed, generations=10).best
    best.check()
    assert (best.tiles[given.tiles == 1] == 1).all()
    assert (best.entrance, best.exit) == (given.entrance, given.exit)
    halls = {
        "left": (slice(1, 7), slice(1, 7)),
        "right": (slice(1, 8), slice(8, 19)),
        "low": (slice(8, 12), slice(1, 7)),
    }
    share = {name: float((best.tiles[hall] == 0).mean()) for name, hall in halls.items()}
    assert all(part > 0.1 for part in share.values()), share
    assert (best.tiles[3, 12:14] == 1).all()


@pytest.mark.parametrize("recipe", ["crypt", "grotto"])
def test_finish_steps_close_no_cell_of_a_hall(recipe: str) -> None:
    given = Level.from_text(HALLS.strip())
    adapted = adapt(recipe, start=given, keep="walls")
    finished, frame = adapted.problem.genotype, adapted.frame
    assert isinstance(finished, Finished)
    steps = tuple(step for step in finished.steps if not step.margin)
    genes = finished.genotype.start(frame, 1, 0, 40)
    halls = np.array([[sign == ":" for sign in row] for row in frame.kept])
    stages = [
        Finished(finished.genotype, steps[:count]).batch(genes, frame).tiles
        for count in range(len(steps) + 1)
    ]
    assert len(stages) > 3
    for before, after in pairwise(stages):
        assert not (halls & (before == 0) & (after == 1)).any()


def test_the_command_continues_from_an_edited_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grown, edited, further = (
        tmp_path / name for name in ("grown.tmx", "edited.tmx", "further.tmx")
    )
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "12x9",
                "--seed",
                "4",
                "--generations",
                "40",
                "-q",
                "-o",
                str(grown),
            ]
        )
        == 0
    )
    level = levolve.load(grown)
    text = grown.read_text()
    # The fifth row of the layer `walls` is erased.
    before, begin, walls = text.rpartition('encoding="csv">\n')
    rows = walls.split("\n")
    edited.write_text(
        before + begin + "\n".join([*rows[:4], "0,0,0,0,0,0,0,0,0,0,0,0,", *rows[5:]])
    )
    assert run(["check", str(edited)]) == 0
    mine = levolve.load(edited)
    assert (mine.origin, mine.places) == (None, level.places)
    assert (
        run(
            [
                "evolve",
                "maze",
                "--from",
                str(edited),
                "--keep",
                "floor",
                "--seed",
                "1",
                "--generations",
                "40",
                "-o",
                str(further),
            ]
        )
        == 0
    )
    best = levolve.load(further)
    assert (best.tiles[mine.tiles == 0] == 0).all()
    assert best.origin is not None
    assert best.origin.recipe["start"] == mine.to_text().splitlines()
    assert run(["replay", str(further)]) == 0
    assert "the same bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--keep", "walls"], "--keep walls: expected --from FILE as well"),
        (["--from", "FILE", "--size", "9x9"], "size: expected no size together with a level"),
        (
            ["--from", "FILE", "--keep", "red"],
            "keep: expected kinds of tiles of a walls level, or all, got 'red'",
        ),
        (
            ["--from", "FILE", "--keep", "nowhere.txt"],
            "expected kinds of tiles together with --from, or a text file that can be read",
        ),
        (["--from", "none.tmx"], "expected a file that can be read"),
        (
            ["--from", "FILE", "--set", "genotype.kind=chromatic", "--keep", "walls"],
            "keep: row 1, column 5",
        ),
    ],
)
def test_a_wrong_option_is_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = levolve.save(MINE, tmp_path / "mine.csv")
    assert (
        run(
            [
                "evolve",
                "maze",
                *(str(path) if argument == "FILE" else argument for argument in arguments),
            ]
        )
        == 2
    )
    assert words in capsys.readouterr().err


def test_cells_to_keep_may_still_come_from_a_file(tmp_path: Path) -> None:
    path, kept, out = (
        levolve.save(MINE, tmp_path / "mine.tmx"),
        tmp_path / "kept.txt",
        tmp_path / "out.txt",
    )
    kept.write_text("????????\n?##?????\n????????\n????????\n????????\n")
    assert (
        run(
            [
                "evolve",
                "maze",
                "--from",
                str(path),
                "--keep",
                str(kept),
                "--seed",
                "1",
                "--generations",
                "10",
                "-q",
                "-o",
                str(out),
            ]
        )
        == 0
    )
    assert out.read_text().splitlines()[1][1:3] == "##"


def test_a_genotype_that_cannot_express_the_level_reports_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = levolve.save(MINE, tmp_path / "mine.tmx")
    assert (
        run(
            [
                "evolve",
                "maze-barriers",
                "--from",
                str(path),
                "--keep",
                "floor",
                "--seed",
                "1",
                "--generations",
                "5",
            ]
        )
        == 0
    )
    assert "the genotype of maze-barriers cannot express this level" in capsys.readouterr().err
    assert find_recipe("maze-barriers").start == ()


NINE = Level.from_text(
    """\
###############
#S....#.......#
#.............#
#.....#.......#
##.########.###
#.....#.......#
#.....#.......#
#.............#
#.....#......E#
###############"""
)
COLOURED = Level(NINE.tiles % 2 + 2, NINE.places, RAINBOW)


@pytest.mark.parametrize("name", [*shipped()])
@pytest.mark.parametrize("change", [0.0, 0.1])
def test_at_most_the_given_share_of_a_level_changes(name: str, change: float) -> None:
    recipe = find_recipe(name)
    given = COLOURED if recipe.tileset is RAINBOW else NINE
    if recipe.parts[0].sets_places:
        given = Level.from_text("A.....#.\n.##...#.\n...B....\n.#.#..#.\n......#C")
    elif recipe.like or "like" in recipe.objective:
        return
    if recipe.floors > 1:
        with pytest.raises(InputError, match="expected a recipe with one floor, got 3 floors"):
            adapt(name, start=given, change=change)
        return
    adapted = adapt(name, start=given, change=change, generations=4)
    genotype, frame = adapted.parts[0], adapted.frame
    space = genotype.space(frame)
    assert isinstance(space, NumberGenes)
    genes = np.concatenate(
        (
            adapted.problem.start(3, 0, 20),
            np.random.default_rng(1).integers(0, space.bounds, (40, space.length)),
        )
    ).astype(space.dtype)
    batch = genotype.batch(genes, frame)
    differing = (batch.tiles != given.tiles).sum(axis=(1, 2))
    assert differing.max() <= change * given.tiles.size
    assert differing[0] == 0
    assert differing.max() > 0 or not change
    border = np.ones(given.tiles.shape, bool)
    border[1:-1, 1:-1] = False
    if given is NINE:
        assert (batch.tiles[:, border] == 1).all()
        assert not any(batch.tiles[:, y, x].any() for x, y in NINE.places.values())


def test_edits_of_a_symmetric_level_are_symmetric() -> None:
    level = Level(np.array(NINE.tiles & NINE.tiles[:, ::-1]), NINE.places)
    adapted = adapt("castle", start=level, change=0.3)
    tiles = adapted.parts[0].batch(adapted.problem.start(1, 0, 30), adapted.frame).tiles
    assert (tiles[1:] != level.tiles).any(axis=(1, 2)).sum() > 20
    assert (tiles == tiles[:, :, ::-1])[:, :, 2:-2].all()


def test_a_level_that_is_edited_again_stays_near_and_is_replayed(tmp_path: Path) -> None:
    run = levolve.evolve("castle", start=NINE, change=0.1, seed=3, generations=20)
    assert run.changed_cells == (run.best.tiles != NINE.tiles).sum()
    assert run.changed_cells in range(1, 16)
    assert run.best.places == NINE.places
    assert replay(run.best).same
    pack = levolve.pack("grotto", start=NINE, change=0.2, count=3, seed=3, distinct=0.05)
    assert [(level.tiles != NINE.tiles).mean() <= 0.2 for level in pack.levels]


def test_a_change_without_a_level_or_of_another_tileset_is_refused() -> None:
    with pytest.raises(InputError, match="change: expected a level to start from as well"):
        adapt("castle", change=0.1)
    with pytest.raises(InputError, match=r"expected a level of the tileset 'walls' .* 'rainbow'"):
        adapt("castle", start=COLOURED, change=0.1)
    with pytest.raises(InputError, match=r"change: .*less than or equal to 1"):
        adapt("castle", start=NINE, change=1.5)
    with pytest.raises(InputError, match="--from FILE"):
        _ = Recipe.from_data(find_recipe("castle").to_data() | {"change": 0.1}).parts


def test_things_stay_in_a_level_that_is_edited() -> None:
    given = NINE.with_things(
        [Thing("key", (8, 2)), Thing("door", (2, 4)), Thing("treasure", (8, 6))]
    )
    run = levolve.evolve("castle", start=given, change=0.1, seed=4, generations=10)
    assert run.best.things == given.things
    assert run.best.prove().safe
    assert run.changed_cells in range(1, 16)
    assert replay(run.best).same
