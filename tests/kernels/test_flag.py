from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, words
from levolve.kernels.puzzles import flag_guided, flag_source, flag_walks
from levolve.kernels.puzzles.flag_field import NEVER, start_genes
from levolve.kernels.puzzles.flag_positions import Room, hopeless, make_room
from levolve.kernels.puzzles.flag_source import lay_planes
from levolve.puzzles.flag import exact
from levolve.puzzles.flag.genetic import chromosome_length, flag_search
from levolve.puzzles.flag.rules import Play, Round
from levolve.puzzles.flag.settings import (
    FirstSourceSettings,
    GuidedSettings,
    PlainSettings,
    SourceSettings,
)
from oracles import flag as twin

COUNTED_TO = 50


@st.composite
def rounds(draw: st.DrawFn, most: int = 4) -> Round:
    """Small rounds, solvable or not; most tiles bear one visit."""
    width, height = draw(st.integers(1, most)), draw(st.integers(2, most))
    kinds = st.sampled_from([0, 1, 1, 1, 1, 1, 2, 2, 3, NEVER])
    tiles = np.array([[draw(kinds) for _ in range(width)] for _ in range(height)])
    tiles[draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))] |= 1
    places = [(int(x), int(y)) for y, x in zip(*np.nonzero(tiles), strict=True)]
    start = draw(st.sampled_from(places))
    flag = draw(st.sampled_from([(x, y) for y in range(height) for x in range(width)]))
    assume((np.where(tiles == NEVER, 0, tiles)).sum() <= 9)
    assume((tiles == NEVER).sum() <= 2)
    return Round(tiles.astype(np.uint8), start, flag)


def game(played: Round) -> twin.Game:
    return twin.Game(played.tiles.tolist(), played.start, played.flag)


def played_on(played: Round, moves: str) -> tuple[Play, twin.Game]:
    play, slow = played.after(moves), game(played)
    for move in moves:
        if slow.may(move):
            slow = slow.moved(move)
    return play, slow


@given(rounds())
def test_exact_search_counts_the_ways_that_plain_recursion_counts(played: Round) -> None:
    expected = twin.solutions(game(played))
    assert exact.count_solutions(played, 1 << 40) == expected
    assert exact.count_solutions(played, 2) == min(expected, 2)


@given(rounds(), st.integers(1, 30), st.sampled_from([1, 3, 1 << 40]), st.integers(1, 60))
def test_exact_search_in_pieces_that_are_stored_and_restored_is_the_same_search(
    played: Round, piece: int, limit: int, budget: int
) -> None:
    with patch.object(exact, "STAGES", ((10, 16), (20, 64), (1 << 62, 256))):
        whole, cut = (exact.FlagDescent(Play(played), limit, budget) for _ in range(2))
        while whole.advance(1 << 40):
            pass
        goes_on = True
        while goes_on:
            goes_on = cut.advance(piece)
            again = exact.FlagDescent(Play(played), limit, budget)
            again.restore(cut.state())
            cut = again
    assert (whole.outcome, whole.found, whole.moves, whole.evaluations) == (
        cut.outcome,
        cut.found,
        cut.moves,
        cut.evaluations,
    )
    assert all(map(np.array_equal, whole.arrays().values(), cut.arrays().values()))


@given(rounds(), st.text("udlr", max_size=6))
def test_a_state_can_be_won_where_some_way_to_play_on_wins(played: Round, moves: str) -> None:
    play, slow = played_on(played, moves)
    assert exact.can_be_won(play) == (twin.solutions(slow) > 0)


@given(rounds(3))
def test_all_states_are_those_of_the_twin(played: Round) -> None:
    locks = exact.soft_locks(played)
    assert not locks.sampled
    assert (locks.states, locks.winnable) == twin.states(game(played))


@given(rounds(), st.text("udlr", max_size=6))
def test_what_is_called_hopeless_is_so_for_the_reasons_of_the_twin_and_can_never_be_won(
    played: Round, moves: str
) -> None:
    play, slow = played_on(played, moves)
    field = played.field
    left = field.left.copy()
    left.reshape(-1, field.width)[1:-1, 1:-1] = play.left
    here = (play.place[1] + 1) * field.width + play.place[0] + 1
    room = Room(left, np.zeros(left.size, np.int64), np.zeros(left.size, np.int8))
    found = hopeless(field, room, here, play.remaining)
    assert found == twin.hopeless(slow)
    assert not room.mark.any()
    if found:
        assert twin.solutions(slow) == 0


WEIGHTS = flag_source.SourceRules(
    1.0, 1.7, 1.1, parents=1, elites=0, rate=0.5, swap=True, spare=True, at_end=False
)


@given(st.integers(1, 9), st.integers(1, 70), words)
def test_genes_are_packed_without_loss(population: int, length: int, seed: int) -> None:
    genes = np.zeros((population, length), np.uint8)
    start_genes(np.uint64(seed), 3, genes, 4)
    assert genes.tolist() == twin.start_genes(seed, 3, population, length, 4)
    packed = np.zeros((3, population), np.uint64)
    flag_source.pack_genes(genes, packed)
    assert int(packed[0, 0]) == sum(
        gene << 2 * index for index, gene in enumerate(genes[0, :32].tolist())
    )
    again = np.zeros_like(genes)
    flag_source.unpack_genes(packed, again)
    assert np.array_equal(again, genes)


def scored(
    played: Round, genes: list[list[int]], *, on_planes: bool, at_end: bool = False
) -> tuple[int, list[float]]:
    packed, scores = np.zeros((2, len(genes)), np.uint64), np.zeros(len(genes))
    flag_source.pack_genes(np.array(genes, np.uint8), packed)
    planes = lay_planes(played.field, len(genes))
    rows = (
        packed,
        len(genes[0]),
        played.field,
        planes._replace(fits=planes.fits and on_planes),
        played.field.left.copy(),
    )
    return flag_source.score_source(*rows, WEIGHTS._replace(at_end=at_end), scores), scores.tolist()


@given(
    rounds(),
    st.lists(st.lists(st.integers(0, 3), min_size=40, max_size=40), min_size=1, max_size=9),
    st.integers(1, 40),
)
def test_walks_as_the_source_plays_them_are_those_of_the_twin_on_planes_and_without(
    played: Round, genes: list[list[int]], length: int
) -> None:
    genes = [chromosome[:length] for chromosome in genes]
    walks = [twin.walk_plainly(chromosome, game(played)) for chromosome in genes]
    won = [number for number, walk in enumerate(walks) if walk[3] >= 0]
    expected = [
        0.0 if moves >= 0 else -(over + 1.7 * distance + 1.1 * voids)
        for over, distance, voids, moves in walks
    ]
    for on_planes in (True, False):
        assert scored(played, genes, on_planes=on_planes) == (won[0] if won else -1, expected)


@given(
    rounds(),
    st.lists(st.lists(st.integers(0, 3), min_size=40, max_size=40), min_size=1, max_size=9),
    st.integers(1, 40),
)
def test_a_win_may_count_at_the_end_of_the_chromosome_only(
    played: Round, genes: list[list[int]], length: int
) -> None:
    genes = [chromosome[:length] for chromosome in genes]
    ends = [twin.walk_to_the_end(chromosome, game(played)) for chromosome in genes]
    won = [number for number, (over, distance, _) in enumerate(ends) if over == distance == 0]
    expected = [
        0.0 if over == distance == 0 else -(over + 1.7 * distance + 1.1 * voids)
        for over, distance, voids in ends
    ]
    for on_planes in (True, False):
        assert scored(played, genes, on_planes=on_planes, at_end=True) == (
            won[0] if won else -1,
            expected,
        )
    assert flag_source.count_wins(np.array(genes, np.uint8), played.field, True) == len(won)


@given(st.integers(1, 10), st.integers(1, 10), st.sampled_from([1, 3, 4, NEVER]))
def test_a_round_fits_a_word_where_its_cells_and_visits_do(
    width: int, height: int, visits: int
) -> None:
    tiles = np.full((height, width), visits, np.uint8)
    played = Round(tiles, (0, 0), (width - 1, height - 1))
    small_enough = (width + 1) * (height + 1) <= 64 and (visits != 4 or width == height == 1)
    assert lay_planes(played.field, 1).fits == small_enough


@given(st.data())
def test_steps_over_any_edge_of_the_largest_round_that_fits_are_void(data: st.DataObject) -> None:
    start, flag = (data.draw(st.tuples(st.integers(0, 6), st.integers(0, 6))) for _ in range(2))
    played = Round(np.full((7, 7), 3, np.uint8), start, flag)
    genes = [data.draw(st.lists(st.integers(0, 3), min_size=30, max_size=30)) for _ in range(4)]
    assert lay_planes(played.field, 1).fits
    assert scored(played, genes, on_planes=True) == scored(played, genes, on_planes=False)


def test_a_walk_that_wins_and_then_leaves_the_flag_has_won() -> None:
    # All is used up from the start on: it wins as soon as it stands on the flag, though it goes on
    # to the tile beside it.
    played = Round.from_text("SF**")
    for moves, winner in (("rrr", 0), ("lll", -1), ("rll", 0)):
        for on_planes in (True, False):
            assert (
                scored(played, [["udlr".index(move) for move in moves]], on_planes=on_planes)[0]
                == winner
            )


@given(rounds(), st.lists(st.integers(0, 7), min_size=1, max_size=20))
def test_guided_walks_are_those_of_the_twin(played: Round, genes: list[int]) -> None:
    way = np.zeros(len(genes), np.int8)
    used, made, won = flag_guided.walk_guided(
        np.array(genes, np.uint8), played.field, make_room(played.field), way
    )
    assert (used, "".join("udlr"[move] for move in way[:made]), won) == twin.walk_guided(
        genes, game(played)
    )


def walked(genes: list[int], played: Round, settings: SourceSettings) -> tuple[int, int, int, bool]:
    """Visits left over, steps to the flag, void genes, and whether the walk counts as a win."""
    if settings.win_at_end:
        over, distance, voids = twin.walk_to_the_end(genes, game(played))
        return over, distance, voids, over == distance == 0
    over, distance, voids, won = twin.walk_plainly(genes, game(played))
    return over, distance, voids, won >= 0


def slow_search(
    played: Round, seed: int, generations: int, settings: GuidedSettings | SourceSettings
) -> tuple[int, list[list[int]], int]:
    """Generations done, the population, and who won."""
    length = settings.chromosome_length or chromosome_length(played)
    genes = twin.start_genes(
        seed,
        0,
        settings.population,
        length,
        flag_guided.ORDERS if isinstance(settings, GuidedSettings) else 4,
    )
    best, since = -1.0, 0
    for generation in range(generations):
        scores, made, seen = [], [], set()
        wins: list[int] = []
        for number, chromosome in enumerate(genes):
            if isinstance(settings, GuidedSettings):
                used, moves, won = twin.walk_guided(chromosome, game(played))
                scores.append(0.0 if moves in seen else float(used))
                seen.add(moves)
                made.append(len(moves))
                if won:
                    return generation, genes, number
            else:
                over, distance, voids, won = walked(chromosome, played, settings)
                wins += [number] if won else []
                scores.append(
                    -(
                        settings.match_weight * over
                        + settings.distance_weight * distance
                        + settings.void_mark * voids
                    )
                )
        if wins:
            return generation, genes, wins[0]
        order = sorted(range(len(genes)), key=lambda number: -scores[number])
        if isinstance(settings, GuidedSettings):
            if scores[order[0]] > best:
                best, since = scores[order[0]], generation
            if generation - since >= settings.patience:
                best, since = -1.0, generation
                genes = twin.start_genes(seed, generation + 1, settings.population, length, 8)
                continue
            ranked = [(genes[number], made[number]) for number in order]
            genes = twin.breed_guided(
                seed, generation, ranked, settings.kept, settings.contest, settings.crossing
            )
        else:
            listed = [genes[number] for number in order]
            rules = (settings.breeding, settings.kept, settings.mutation_rate)
            genes = twin.breed_as_source(
                seed, generation, listed, *rules, swap=settings.swap, spare=settings.spare_elites
            )
    return generations, genes, -1


HARD = Round.from_text("S11\n121\n11.\n.1F")
SCHEMES: list[Callable[[], GuidedSettings | SourceSettings]] = [
    lambda: GuidedSettings(population=6, elites=2, patience=3),
    lambda: SourceSettings(population=8, parents=5, elites=2),
    lambda: SourceSettings(population=8, parents=5, elites=2, chromosome_length=5),
    lambda: SourceSettings(population=8, spare_elites=True, win_at_end=False),
    lambda: FirstSourceSettings(population=8, parents=5, elites=2, win_at_end=False),
]


@given(rounds(3) | st.just(HARD), words, st.sampled_from(SCHEMES))
def test_whole_evolutions_are_those_of_the_twin_in_one_stretch_or_in_many(
    played: Round, seed: int, scheme: Callable[[], GuidedSettings | SourceSettings]
) -> None:
    generations = 8 if COMPILED else 3
    settings = scheme()
    expected = slow_search(played, seed, generations, settings)
    whole, pieces = flag_search(played, settings, seed), flag_search(played, settings, seed)
    whole.advance(generations)
    while pieces.winner < 0 and pieces.generation < generations:
        pieces.advance(1)
    for search in (whole, pieces):
        assert (search.generation, search.genes.tolist(), search.winner) == expected


@given(rounds(3) | st.just(HARD), words, st.integers(1, 4), st.sampled_from([3, 100]))
def test_evolutions_of_walks_are_those_of_the_twin_in_one_stretch_or_in_many(
    played: Round, seed: int, changes: int, patience: int
) -> None:
    generations = 8 if COMPILED else 3
    settings = PlainSettings(
        population=7, elites=2, changes=changes, patience=patience, crossing=0.5
    )
    longest, slow = chromosome_length(played), game(played)
    bred, done, best, since = twin.start_walks(slow, seed, 0, 7, longest), 0, -1.0, 0
    while done < generations and not any(twin.wins(slow, moves) for moves in bred):
        scores = [
            0.0
            if moves in bred[:number]
            else twin.score_walk(slow, moves, played.field.remaining, played.field.left.size)
            for number, moves in enumerate(bred)
        ]
        order = sorted(range(7), key=lambda number: -scores[number])
        if scores[order[0]] > best:
            best, since = scores[order[0]], done
        if done - since >= patience:
            best, since = -1.0, done
            bred = twin.start_walks(slow, seed, done + 1, 7, longest)
        else:
            bred = twin.breed_walks(
                slow, seed, done, [bred[number] for number in order], longest, 2, 2, 0.5, changes
            )
        done += 1
    winner = next((number for number, moves in enumerate(bred) if twin.wins(slow, moves)), -1)
    whole, pieces = flag_search(played, settings, seed), flag_search(played, settings, seed)
    whole.advance(generations)
    while pieces.winner < 0 and pieces.generation < generations:
        pieces.advance(1)
    for search in (whole, pieces):
        assert (
            search.generation,
            [search.moves_of(number) for number in range(7)],
            search.winner,
        ) == (done, bred, winner)


@given(rounds(3), words)
def test_random_individuals_that_win_are_those_of_the_twin(played: Round, seed: int) -> None:
    length, slow = chromosome_length(played), game(played)
    found = flag_walks.count_random_walks(np.uint64(seed), 5, 20, length, played.field)
    assert found == sum(
        twin.wins(slow, moves) for moves in twin.start_walks(slow, seed, 5, 20, length)
    )
    genes = twin.start_genes(seed, 5, 20, length, flag_guided.ORDERS)
    assert flag_guided.count_guided_wins(np.array(genes, np.uint8), played.field) == sum(
        twin.walk_guided(chromosome, slow)[2] for chromosome in genes
    )
