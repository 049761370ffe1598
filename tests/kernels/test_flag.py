from collections.abc import Callable

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, words
from levolve.kernels import flag as kernels
from levolve.puzzles.flag import exact
from levolve.puzzles.flag.genetic import FirstSource, Guided, Search, Source, chromosome_length
from levolve.puzzles.flag.rules import NEVER, Play, Round
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
def test_what_is_called_hopeless_is_so_for_the_reasons_of_the_twin_and_can_never_be_won(played: Round, moves: str) -> None:
    play, slow = played_on(played, moves)
    field = played.field
    left = field.left.copy()
    left.reshape(-1, field.width)[1:-1, 1:-1] = play.left
    here = (play.place[1] + 1) * field.width + play.place[0] + 1
    mark = np.zeros(left.size, np.int8)
    found = kernels.hopeless(left, field.steps, here, field.flag, play.remaining, field.colour, np.zeros(left.size, np.int64), mark)
    assert found == twin.hopeless(slow)
    assert not mark.any()
    if found:
        assert twin.solutions(slow) == 0


@given(rounds(), st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_plain_walks_are_those_of_the_twin(played: Round, genes: list[int]) -> None:
    field = played.field
    array = np.array(genes, np.uint8)
    place = (field.left, field.steps, field.start, field.flag, field.remaining)
    assert kernels.walk_plainly(array, *place, field.width, field.left.copy()) == twin.walk_plainly(genes, game(played))


@given(rounds(), st.lists(st.integers(0, 7), min_size=1, max_size=20))
def test_wise_walks_are_those_of_the_twin(played: Round, genes: list[int]) -> None:
    field = played.field
    cells = field.left.size
    way = np.zeros(len(genes), np.int8)
    used, made, won = kernels.walk_wisely(
        np.array(genes, np.uint8),
        field.left,
        field.steps,
        field.start,
        field.flag,
        field.remaining,
        field.colour,
        field.left.copy(),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int8),
        way,
    )
    assert (used, "".join("udlr"[move] for move in way[:made]), bool(won)) == twin.walk_wisely(genes, game(played))


def slow_search(played: Round, seed: int, generations: int, settings: Guided | Source) -> tuple[int, list[list[int]], int]:
    """Generations done, the population, and who won."""
    wise = isinstance(settings, Guided)
    genes = twin.start_genes(seed, 0, settings.population, chromosome_length(played), 8 if wise else 4)
    best, since = -1.0, 0
    for generation in range(generations):
        scores, made, seen = [], [], set()
        for number, chromosome in enumerate(genes):
            if isinstance(settings, Guided):
                used, moves, won = twin.walk_wisely(chromosome, game(played))
                scores.append(0.0 if moves in seen else float(used))
                seen.add(moves)
                made.append(len(moves))
                if won:
                    return generation, genes, number
            else:
                over, distance, voids, _ = twin.walk_plainly(chromosome, game(played))
                scores.append(-(settings.match_weight * over + settings.distance_weight * distance + settings.void_mark * voids))
        if isinstance(settings, Source):
            wins = [number for number, chromosome in enumerate(genes) if twin.walk_plainly(chromosome, game(played))[3] >= 0]
            if wins:
                return generation, genes, wins[0]
        order = sorted(range(len(genes)), key=lambda number: -scores[number])
        if isinstance(settings, Guided):
            if scores[order[0]] > best:
                best, since = scores[order[0]], generation
            if generation - since >= settings.patience:
                best, since = -1.0, generation
                genes = twin.start_genes(seed, generation + 1, settings.population, chromosome_length(played), 8)
                continue
            ranked = [(genes[number], made[number]) for number in order]
            genes = twin.breed_wisely(seed, generation, ranked, settings.elites, settings.contest, settings.crossing)
        else:
            listed = [genes[number] for number in order]
            rules = (settings.parents, settings.elites, settings.mutation_rate)
            genes = twin.breed_as_source(seed, generation, listed, *rules, swap=settings.swap, spare=settings.spare_elites)
    return generations, genes, -1


HARD = Round.from_text("S11\n121\n11.\n.1F")
SCHEMES: list[Callable[[], Guided | Source]] = [
    lambda: Guided(population=6, elites=2, patience=3),
    lambda: Source(population=8, parents=5, elites=2),
    lambda: FirstSource(population=8, parents=5, elites=2, spare_elites=False),
]


@given(rounds(3) | st.just(HARD), words, st.sampled_from(SCHEMES))
def test_whole_evolutions_are_those_of_the_twin_in_one_stretch_or_in_many(played: Round, seed: int, scheme: Callable[[], Guided | Source]) -> None:
    generations = 8 if COMPILED else 3
    settings = scheme()
    expected = slow_search(played, seed, generations, settings)
    whole, pieces = Search(played, settings, seed), Search(played, settings, seed)
    whole.advance(generations)
    while pieces.winner < 0 and pieces.generation < generations:
        pieces.advance(1)
    for search in (whole, pieces):
        assert (search.generation, search.genes.tolist(), search.winner) == expected
