"""Genes to levels: what each genotype makes of them, how runs start, and the cells that evolution
must leave alone.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.inputs import chi_square_fits
from levolve.core.errors import InputError
from levolve.kernels.bits.random_streams import MUTATE
from levolve.levels.frame import Frame
from levolve.levels.measures.structure_features import distances
from levolve.levels.tileset import RAINBOW, Tileset
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.automaton import Automaton
from levolve.search.genotypes.digging import Barriers, Tunnels
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.fashion import Fashion
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.genotypes.genotype import Genotype
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import ChunkCrossover, UniformMutation
from levolve.search.variation.mutations import DoubleRotation, PointMutation
from levolve.search.variation.operators import Crossover, Mutation
from levolve.testing import frames

EAST, SOUTH_EAST = 2, 3
SKIP, DOWN, RIGHT, ROOM = range(4)
# Below a word, one word, and more; some wider than the 18 bits of an automaton's rule, some not.
SIZES = [(5, 4), (20, 7), (64, 3), (66, 3)]
# Genotypes on a lattice need more room and have closed borders, and kept cells have copies; tests
# of their own check what is kept.
TESTED_APART = {"passages", "rooms", "mirror", "patchwork", "chambers", "screens"}
ANY_SIZE = [name for name in GENOTYPES if name not in TESTED_APART]
WITH_WALLS = [name for name in ANY_SIZE if name != "chromatic"]


def crossovers_for(space: GeneSpace) -> list[Crossover]:
    """Every crossover that suits the genes, with chunks small enough for small levels."""
    plain: list[Crossover] = [CROSSOVERS[name]() for name in CROSSOVERS if name != "chunk"]
    return plain if space.grid is None else [*plain, ChunkCrossover(2, 2)]


def corners(width: int, height: int) -> Frame:
    return Frame(width, height, {"entrance": (0, 0), "exit": (width - 1, height - 1)})


def drawn(genotype: Genotype, genes: Genes, frame: Frame) -> list[str]:
    """The only level of a batch as rows of characters."""
    batch = genotype.batch(genes, frame)
    assert len(batch) == 1
    return [
        "".join(batch.tileset.characters[tile] for tile in row) for row in batch.tiles[0].tolist()
    ]


def pairs(*numbers: tuple[int, int]) -> Genes:
    return np.array([[number for pair in numbers for number in pair]], np.uint16)


def barrier(direction: int, length: int, *, through: bool = False) -> int:
    """A: the lowest bit, three bits, and the rest."""
    return int(through) + 2 * direction + 16 * length


def tunnel(kind: int, rest: int) -> int:
    """A: two bits, and the rest."""
    return kind + 4 * rest


# ---- decoding, worked out by hand ----


def test_a_direct_gene_is_a_wall_or_none() -> None:
    # The first cell of a row is its lowest bit.
    frame = Frame(3, 2, {"entrance": (1, 0), "exit": (0, 1)})
    assert drawn(Direct(), np.array([[0b101, 0b010]], np.uint64), frame) == ["#.#", ".#."]


def test_a_chromatic_gene_is_a_colour() -> None:
    assert drawn(Chromatic(), np.array([[0, 1, 2, 3, 4, 5]], np.uint8), corners(3, 2)) == [
        "ROY",
        "GBV",
    ]


def test_barriers_are_laid_one_after_the_other() -> None:
    # Three squares to the right from 1,1; then three down to the right from 2,0, through the wall
    # at 3,1 or only up to it.
    first = barrier(EAST, 3), 1 * 6 + 1
    for through, last in ((True, "....#."), (False, "......")):
        genes = pairs(first, (barrier(SOUTH_EAST, 3, through=through), 2))
        assert drawn(Barriers(pairs=2, limit=1.0), genes, corners(6, 4)) == [
            "..#...",
            ".###..",
            last,
            "......",
        ]


def test_the_length_of_a_barrier_is_modulo_the_longer_side_its_square_modulo_the_level() -> None:
    # 8 is 2 on a level six wide; square 25 of 24 is 1,0.
    assert drawn(Barriers(pairs=1), pairs((barrier(EAST, 8), 25)), corners(6, 4)) == [
        ".##...",
        "......",
        "......",
        "......",
    ]


def test_barriers_fill_their_share_of_the_squares_and_never_the_entrance() -> None:
    # After three of 24 squares no line is begun. The first line takes all of them, one on the
    # entrance, which is opened again.
    genes = pairs((barrier(EAST, 3), 0), (barrier(EAST, 2), 12))
    assert drawn(Barriers(pairs=2, limit=3 / 24), genes, corners(6, 4)) == [
        ".##...",
        "......",
        "......",
        "......",
    ]
    assert drawn(Barriers(pairs=2, limit=4 / 24), genes, corners(6, 4)) == [
        ".##...",
        "......",
        "##....",
        "......",
    ]
    assert drawn(Barriers(pairs=2, limit=0.0), genes, corners(6, 4)) == ["......"] * 4


def test_tunnels_are_corridors_and_rooms() -> None:
    # Two down from 1,1; three to the right from 2,4; a room 3 wide and 2 high from 5,0, of which
    # two columns lie inside; and nothing.
    genes = pairs(
        (tunnel(DOWN, 2), 8),
        (tunnel(RIGHT, 3), 4 * 7 + 2),
        (tunnel(ROOM, 1), 5),
        (tunnel(SKIP, 9), 17),
    )
    assert drawn(Tunnels(pairs=4, room=0), genes, corners(7, 5)) == [
        ".####..",
        "#.###..",
        "#.#####",
        "#######",
        "##...#.",
    ]


def test_the_length_of_a_corridor_is_taken_modulo_the_side_it_runs_along() -> None:
    # On a level of 7 by 5 a rest of 8 is three rows, but one column.
    assert drawn(Tunnels(pairs=1, room=0), pairs((tunnel(DOWN, 8), 8)), corners(7, 5)) == [
        ".######",
        "#.#####",
        "#.#####",
        "#.#####",
        "######.",
    ]
    assert drawn(Tunnels(pairs=1, room=0), pairs((tunnel(RIGHT, 8), 8)), corners(7, 5)) == [
        ".######",
        "#.#####",
        "#######",
        "#######",
        "######.",
    ]


def test_the_sides_of_a_room_are_two_to_five() -> None:
    for rest in range(16):
        level = drawn(Tunnels(pairs=1, room=0), pairs((tunnel(ROOM, rest), 11)), Frame(10, 10, {}))
        wide, high = rest % 4 + 2, rest // 4 + 2
        assert level == ["#" * 10] + ["#" + "." * wide + "#" * (9 - wide)] * high + ["#" * 10] * (
            9 - high
        )


# Neighbours of each cell of this map:   2 3 2   if the outside is blank; five more in the corners and
#                                        1 2 1   three more at the edges if it is filled.
#                                        2 3 2
LINE = [0b000, 0b111, 0b000]
TURNED = Frame(3, 3, {"entrance": (1, 0), "exit": (2, 2)})


def run_line(genotype: Automaton, rule: int) -> list[str]:
    return drawn(genotype, np.array([[*LINE, rule]], np.uint64), TURNED)


def test_the_last_nine_bits_of_a_rule_turn_blank_or_let_survive() -> None:
    # Born with 3 around: above and below the middle, but the one above is the entrance. The bit for
    # 1 concerns the two ends of the line.
    rule = 2**3 + 2 ** (9 + 1)
    assert run_line(Automaton(steps=1, outside="blank", last_nine="blank"), rule) == [
        "...",
        ".#.",
        ".#.",
    ]
    assert run_line(Automaton(steps=1, outside="blank", last_nine="survive"), rule) == [
        "...",
        "#.#",
        ".#.",
    ]


def test_the_outside_counts_as_filled_unless_it_is_blank() -> None:
    # Born with 7 around: the four corners, if the outside counts; the lower right one is the exit.
    # No bit turns a filled cell blank.
    assert run_line(Automaton(steps=1), 2**7) == ["#.#", "###", "#.."]
    assert run_line(Automaton(steps=1, outside="blank"), 2**7) == ["...", "###", "..."]


def test_entrance_and_exit_are_cleared_after_the_last_step_and_not_before() -> None:
    # All cells are born whatever is around them, and stay: the entrance is open only because it is
    # opened at the end.
    assert run_line(Automaton(steps=3), 2**9 - 1) == ["#.#", "###", "##."]
    assert run_line(Automaton(steps=0), 2**9 - 1) == ["...", "###", "..."]
    # Born with 3: first the entrance and the cell below the middle, then the corners. The upper
    # ones have 3 around only with the entrance filled.
    assert run_line(Automaton(steps=2, outside="blank"), 2**3) == ["#.#", "###", "##."]


def test_an_automaton_of_twenty_by_twenty_has_418_genes() -> None:
    assert Automaton().space(corners(20, 20)).length == 418


# ---- how runs start ----


def test_an_automaton_starts_with_a_sparse_map_and_a_rule_of_coins() -> None:
    frame = corners(40, 40)
    genes = Automaton().start(frame, 3, 0, 300)
    shares = (
        np.bitwise_count(genes[:, :-1]).sum() / (300 * 40 * 40),
        np.bitwise_count(genes[:, -1]).sum() / (300 * 18),
    )
    assert abs(shares[0] - 0.05) < 5 * (0.05 * 0.95 / (300 * 1600)) ** 0.5
    assert abs(shares[1] - 0.5) < 5 * 0.5 / (300 * 18) ** 0.5
    assert int(genes[:, -1].max()) < 2**18


def test_direct_levels_start_with_one_cell_in_twenty_a_wall() -> None:
    tiles = Direct().express(Direct().start(corners(40, 40), 3, 0, 300), corners(40, 40))
    assert abs(tiles.mean() - 0.05 * 1598 / 1600) < 5 * (0.05 * 0.95 / (300 * 1600)) ** 0.5


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_chromatic_levels_start_in_yellow_and_green_where_all_steps_are_legal(
    width: int, height: int
) -> None:
    frame = corners(width, height)
    batch = Chromatic().batch(Chromatic().start(frame, 3, 0, 50), frame)
    assert set(batch.tiles.ravel().tolist()) == {
        RAINBOW.characters.index("Y"),
        RAINBOW.characters.index("G"),
    }
    assert abs((batch.tiles == 2).mean() - 0.5) < 5 * 0.5 / (50 * width * height) ** 0.5
    x, y = np.arange(width), np.arange(height)[:, np.newaxis]
    assert np.array_equal(distances(batch), np.broadcast_to(x + y, batch.tiles.shape))


@pytest.mark.parametrize("size", [2, 3, 4, 20, 700])
def test_barriers_start_with_lengths_of_one_to_three_in_all_directions_anywhere(size: int) -> None:
    genes = Barriers().start(corners(size, 2), 3, 0, 100)
    shapes, squares = genes[:, 0::2].ravel(), genes[:, 1::2].ravel()
    assert int(genes.max()) < 10_000
    # A length of the longer side or more would be taken modulo that side.
    longest = min(3, size - 1)
    lengths = (shapes >> 4).tolist()
    assert (
        chi_square_fits([lengths.count(length) for length in range(1, longest + 1)], 4000)
        or longest == 1
    )
    assert set(lengths) == set(range(1, longest + 1))
    kinds = (shapes & 15).tolist()
    assert chi_square_fits([kinds.count(kind) for kind in range(16)], 4000)
    assert chi_square_fits(np.bincount(squares // 500, minlength=20).tolist(), 4000)


def test_tunnels_start_with_all_numbers_equally_likely() -> None:
    genes = Tunnels().start(corners(20, 20), 3, 0, 200)
    assert int(genes.max()) < 10_000
    for numbers in (genes[:, 0::2].ravel(), genes[:, 1::2].ravel()):
        assert chi_square_fits(np.bincount(numbers // 200, minlength=50).tolist(), 8000)
        assert chi_square_fits(
            np.bincount(numbers % 64, minlength=64)[:16].tolist(), int((numbers % 64 < 16).sum())
        )


# ---- rooms of tunnels ----


@st.composite
def frames_with_any_places(draw: st.DrawFn) -> Frame:
    width, height = draw(st.integers(2, 12)), draw(st.integers(2, 12))
    one, other = draw(
        st.lists(st.integers(0, width * height - 1), min_size=2, max_size=2, unique=True)
    )
    return Frame(
        width,
        height,
        {"entrance": (one % width, one // width), "exit": (other % width, other // width)},
    )


@given(frames_with_any_places(), st.integers(0, 6))
def test_a_square_room_is_open_around_entrance_and_exit_wherever_they_are(
    frame: Frame, side: int
) -> None:
    genotype = Tunnels() if side == 4 else Tunnels(room=side)
    tiles = genotype.express(np.zeros((1, 80), np.uint16), frame)[0]
    wide, high = min(side, frame.width), min(side, frame.height)
    for x, y in (frame.entrance, frame.exit):
        assert tiles[y, x] == 0
        rooms = [
            tiles[top : top + high, left : left + wide]
            for top in range(max(y - high + 1, 0), min(y, frame.height - high) + 1)
            for left in range(max(x - wide + 1, 0), min(x, frame.width - wide) + 1)
        ]
        assert side == 0 or not all(room.any() for room in rooms)
    # And nothing else is: these genes dig nothing.
    assert (tiles == 0).sum() <= 2 * max(wide * high, 1)


# ---- kept cells ----


def tileset_of(genotype: Genotype) -> Tileset:
    frame = corners(2, 2)
    return genotype.batch(genotype.start(frame, 0, 0, 1), frame).tileset


def kept_frame(genotype: Genotype, width: int, height: int) -> Frame:
    """A third of the cells kept, each as any tile; the entrance and the exit stand anywhere, and
    are kept open or not at all.
    """
    tileset = tileset_of(genotype)
    random = np.random.default_rng(width)
    rows = random.choice([*tileset.characters, *"?" * 2 * len(tileset.characters)], (height, width))
    rows[1, 1], rows[height - 1, width - 2] = tileset.characters[0], "?"
    places = {"entrance": (1, 1), "exit": (width - 2, height - 1)}
    return Frame(width, height, places, kept=tuple("".join(row) for row in rows.tolist()))


def cells_that_differ(tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> list[str]:
    """Kept cells that are not as they were to be kept."""
    return [
        f"{x},{y}"
        for y, row in enumerate(frame.kept)
        for x, character in enumerate(row)
        if character != "?" and (tiles[:, y, x] != tileset.characters.index(character)).any()
    ]


def strong_mutations() -> list[Mutation]:
    """Every mutation as it is, and those we know with everything changed."""
    return [
        *(MUTATIONS[name]() for name in MUTATIONS),
        UniformMutation(rate=1.0),
        PointMutation(points=10_000),
        DoubleRotation(rate=1.0),
    ]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ANY_SIZE)
def test_kept_cells_are_there_from_the_start(name: str, width: int, height: int) -> None:
    genotype = GENOTYPES[name]()
    frame = kept_frame(genotype, width, height)
    batch = genotype.batch(genotype.start(frame, 7, 0, 30), frame)
    assert cells_that_differ(batch.tiles, frame, batch.tileset) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ANY_SIZE)
def test_kept_cells_stay_through_every_crossover(name: str, width: int, height: int) -> None:
    genotype = GENOTYPES[name]()
    frame = kept_frame(genotype, width, height)
    space, genes = genotype.space(frame), genotype.start(frame, 7, 0, 30)
    for crossover in crossovers_for(space):
        children = np.empty_like(genes)
        space.cross(genes, np.arange(30)[::-1].copy(), crossover.masks(space, 15, 7, 1), children)
        assert not np.array_equal(children, genes[::-1])
        assert (
            cells_that_differ(genotype.express(children, frame), frame, tileset_of(genotype)) == []
        )


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ANY_SIZE)
def test_kept_cells_stay_through_every_mutation_and_rotation(
    name: str, width: int, height: int
) -> None:
    genotype = GENOTYPES[name]()
    frame = kept_frame(genotype, width, height)
    space, genes = genotype.space(frame), genotype.start(frame, 7, 0, 30)
    for number, mutation in enumerate(strong_mutations()):
        before = genes.copy()
        # Often enough for rare changes; an odd number, because bits that all turn twice would be
        # back where they were.
        for generation in range(9 * number + 1, 9 * number + 10):
            mutation.apply(space, genes, 7, generation)
            assert (
                cells_that_differ(genotype.express(genes, frame), frame, tileset_of(genotype)) == []
            )
        assert not np.array_equal(genes, before)
    turned = space.rotate(genes, MUTATE, 7, 9)
    assert cells_that_differ(genotype.express(turned, frame), frame, tileset_of(genotype)) == []


@pytest.mark.parametrize("name", ANY_SIZE)
def test_cells_that_are_not_kept_still_vary(name: str) -> None:
    # No rooms around entrance and exit but those two cells.
    roomless: dict[str, Genotype] = {"tunnels": Tunnels(room=0), "fashion": Fashion(room=1)}
    genotype = roomless[name] if name in roomless else GENOTYPES[name]()
    frame = kept_frame(genotype, 20, 7)
    space, genes = genotype.space(frame), genotype.start(frame, 7, 0, 200)
    before = genotype.express(genes.copy(), frame)
    UniformMutation(rate=0.5).apply(space, genes, 7, 1)
    changed = (genotype.express(genes, frame) != before).any(axis=0)
    kept = np.array([[character != "?" for character in row] for row in frame.kept])
    opened = {frame.entrance, frame.exit} if name != "chromatic" else set()
    assert {(x, y) for y, x in np.argwhere(~changed).tolist()} == {
        (x, y) for y, x in np.argwhere(kept).tolist()
    } | opened


@pytest.mark.parametrize("name", ANY_SIZE)
def test_a_level_of_which_everything_is_kept_stays_as_it_is(name: str) -> None:
    genotype = GENOTYPES[name]()
    tileset = tileset_of(genotype)
    rows = ("RVO", "GGB") if tileset is RAINBOW else (".##", "#..")
    frame = Frame(3, 2, {"entrance": (0, 0), "exit": (2, 1)}, kept=rows)
    space, genes = genotype.space(frame), genotype.start(frame, 7, 0, 4)
    for mutation in strong_mutations():
        mutation.apply(space, genes, 7, 1)
        children = np.empty_like(genes)
        for crossover in crossovers_for(space):
            space.cross(genes, np.arange(4), crossover.masks(space, 2, 7, 1), children)
            assert cells_that_differ(genotype.express(children, frame), frame, tileset) == []


@pytest.mark.parametrize("place", ["entrance", "exit", "B"])
@pytest.mark.parametrize("name", WITH_WALLS)
def test_a_kept_wall_on_the_entrance_or_exit_is_rejected(name: str, place: str) -> None:
    places = {"entrance": (0, 0), "exit": (2, 1), place: (1, 1)}
    frame = Frame(3, 2, places, kept=("???", "?#?"))
    genotype = GENOTYPES[name]()
    with pytest.raises(
        InputError, match=f"keep: expected the {place} at 1,1 to be kept open, got wall"
    ):
        genotype.batch(genotype.start(frame, 1, 0, 2), frame)


@pytest.mark.parametrize("name", ANY_SIZE)
def test_a_character_of_no_tile_is_refused(name: str) -> None:
    genotype = GENOTYPES[name]()
    wrong = "#" if tileset_of(genotype) is RAINBOW else "R"
    frame = Frame(3, 2, {"entrance": (0, 0), "exit": (2, 1)}, kept=("???", f"?{wrong}?"))
    with pytest.raises(
        InputError,
        match=rf"keep: row 2, column 2: expected \? for a free cell or one of .*, got '{wrong}'",
    ):
        genotype.batch(genotype.start(frame, 1, 0, 2), frame)


@pytest.mark.parametrize(
    "kept", [("???",), ("???", "???", "???"), ("???", "??"), ("????", "????"), ("", "")]
)
def test_a_mask_of_another_size_is_refused(kept: tuple[str, ...]) -> None:
    with pytest.raises(
        InputError,
        match=f"keep: expected 2 rows of 3 characters like the level, got {len(kept)} rows of",
    ):
        Frame(3, 2, {"entrance": (0, 0), "exit": (2, 1)}, kept=kept)


# ---- batches of any number ----


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ANY_SIZE)
def test_no_individuals_are_no_levels(name: str, width: int, height: int) -> None:
    # A generation whose children all equal their parents has nobody to ask about.
    genotype = GENOTYPES[name]()
    frame = corners(width, height)
    assert genotype.express(genotype.start(frame, 1, 0, 0), frame).shape == (0, height, width)


def test_expression_leaves_the_genes_of_a_single_individual_as_they_are() -> None:
    for name in GENOTYPES:
        genotype = GENOTYPES[name]()
        for frame in frames(genotype):
            genes = genotype.start(frame, 3, 0, 1)
            before = genes.copy()
            _ = genotype.batch(genes, frame).tiles
            assert np.array_equal(genes, before), f"{name} {frame.width}x{frame.height}"
