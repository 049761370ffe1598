from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, words
from levolve.kernels.puzzles.sliding_boards import (
    make_frame,
    print_after,
    print_board,
    rank_board,
    rate_board,
)
from levolve.kernels.puzzles.sliding_exact import (
    FOUND,
    GAVE_UP,
    LENGTH,
    NODES,
    OUTCOME,
    PAUSED,
    UNKNOWN,
    Patterns,
    deepen,
    new_deepening,
    pattern_table,
)
from levolve.kernels.puzzles.sliding_shortening import shorten
from levolve.levels.grid import MOVES
from levolve.puzzles.sliding import exact
from levolve.puzzles.sliding.exact import frame_of, patterns_of
from levolve.puzzles.sliding.genetic import SlidingSearch
from levolve.puzzles.sliding.rules import Board, neighbours
from levolve.puzzles.sliding.settings import EnhancedSettings
from oracles import sliding as twin

SIZES = [(2, 2), (3, 2), (2, 3), (3, 3), (4, 2)]


@st.composite
def boards(draw: st.DrawFn, sizes: list[tuple[int, int]] = SIZES) -> Board:
    """Boards that some moves make of any goal."""
    width, height = draw(st.sampled_from(sizes))
    goal = draw(st.permutations(range(width * height)))
    board = Board.read(list(goal), list(goal), (width, height))
    for move in draw(st.text(MOVES, max_size=60)):
        if neighbours(width, height)[board.blank, MOVES.index(move)] >= 0:
            board = board.after(move)
    return board


def normal(board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(board.normal.tolist()), tuple(frame_of(board).goal.tolist())


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3)])
def test_tables_hold_the_distance_of_every_board(width: int, height: int) -> None:
    for blank in range(width * height):
        table = exact.distances(width, height, blank)
        goal = tuple(cell + 1 if cell != blank else 0 for cell in range(width * height))
        known = twin.distances(goal, width)
        assert sorted(table[table != UNKNOWN].tolist()) == sorted(known.values())
        for board, distance in known.items():
            assert table[rank_board(np.array(board, np.uint8))] == distance


@given(st.sampled_from([(2, 2), (3, 2), (2, 3), (3, 3)]), st.data())
def test_pattern_tables_hold_the_least_moves_of_their_tiles(
    size: tuple[int, int], data: st.DataObject
) -> None:
    width, height = size
    cells = width * height
    order = data.draw(st.permutations(range(cells)))
    places, blank = sorted(order[1 : data.draw(st.integers(2, 3 if COMPILED else 2))]), order[0]
    table = np.zeros(cells ** len(places), np.uint8)
    pattern_table(np.array(places, np.int64), blank, neighbours(width, height), table)
    known = twin.pattern_distances(places, blank, cells, width)
    for index, value in enumerate(table.tolist()):
        stands = tuple(
            index // cells ** (len(places) - 1 - digit) % cells for digit in range(len(places))
        )
        assert value == known.get(stands, UNKNOWN)


@given(boards([(3, 3), (3, 2)]), st.integers(1, 100))
def test_deepening_finds_the_length_that_the_table_holds(board: Board, piece: int) -> None:
    parts = (
        patterns_of(board.width, board.height, board.goal.index(0))
        if COMPILED
        else small_patterns(board)
    )
    budget, near = 10_000_000 if COMPILED else 3_000, neighbours(board.width, board.height)
    whole, cut = (new_deepening(board.normal, parts, 60) for _ in range(2))
    deepen(near, parts, budget, budget + 1, whole)
    while cut.numbers[OUTCOME] == PAUSED:
        deepen(near, parts, budget, int(cut.numbers[NODES]) + piece, cut)
    outcome, length = whole.numbers[OUTCOME], int(whole.numbers[LENGTH])
    arrays: list[Any] = [search._asdict().values() for search in (whole, cut)]
    assert all(map(np.array_equal, *arrays)), "in pieces it is the same search"
    if outcome == GAVE_UP:
        assert not COMPILED
        return
    assert outcome == FOUND
    assert length == twin_distance(board)
    board.with_solution("".join([MOVES[move] for move in whole.moves[:length]])).check()


def small_patterns(board: Board) -> Patterns:
    """Tables of one tile each, which is Manhattan distance: quick to build in plain Python."""
    cells, blank = board.cells, board.goal.index(0)
    group, weight = np.zeros(cells + 1, np.int64), np.ones(cells + 1, np.int64)
    tables = np.zeros((cells, cells), np.uint8)
    for cell in range(cells):
        if cell != blank:
            group[cell + 1] = cell
            pattern_table(
                np.array([cell], np.int64),
                blank,
                neighbours(board.width, board.height),
                tables[cell],
            )
    return Patterns(tables, group, weight, np.arange(cells), np.arange(cells + 1), False)


def twin_distance(board: Board) -> int:
    """The distance by a search from both ends that keeps whole sets of boards."""
    tiles, goal = normal(board)
    near, far, steps = {tiles}, {goal}, 0
    seen = {tiles, goal}
    while not near & far:
        if len(near) > len(far):
            near, far = far, near
        near = {
            after
            for one in near
            for move in range(4)
            if (after := twin.slide(one, board.width, move)) is not None
            and (after not in seen or after in far)
        }
        seen |= near
        steps += 1
    return steps


@given(boards())
def test_fitness_is_that_of_the_twin(board: Board) -> None:
    tiles, goal = normal(board)
    for rings in (1, 2):
        found = rate_board(board.normal, frame_of(board)._replace(rings=rings))
        assert found == twin.rate(tiles, goal, board.width, rings)


settings = st.builds(
    EnhancedSettings,
    population=st.just(12),
    elites=st.integers(0, 4),
    mutation=st.sampled_from([0.5, 1.0]),
    crossing=st.sampled_from([0.1, 0.6]),
    start_length=st.integers(0, 12),
    diversity=st.booleans(),
    crowd=st.sampled_from([0.1, 0.3]),
    shaken=st.integers(0, 4),
    excess=st.sampled_from(["regrow", "mutate"]),
    stride=st.integers(1, 4),
    reach=st.integers(0, 3),
    patience=st.sampled_from([2, 50]),
    longest=st.sampled_from([8, 40]),
)


def paths_of(search: SlidingSearch) -> list[list[tuple[int, ...]]]:
    """The boards of each path, by playing its moves; the last must be the board that the search
    holds.
    """
    start = tuple(search.position.normal.tolist())
    found = []
    for individual in range(len(search.scores)):
        path = [start]
        for move in search.paths.moves[individual, : search.paths.lengths[individual]]:
            after = twin.slide(path[-1], search.position.width, int(move))
            assert after is not None
            path.append(after)
        assert path[-1] == tuple(search.paths.boards[individual].tolist())
        assert len(set(path)) == len(path), "a path never holds a board twice"
        found.append(path)
    return found


@given(boards([(3, 3), (3, 2), (2, 4)]), settings, words)
def test_whole_evolutions_are_those_of_the_twin(
    board: Board, chosen: EnhancedSettings, seed: int
) -> None:
    tiles, goal = normal(board)
    search = SlidingSearch(board, chosen, seed)
    slow = twin.Paths(tiles, goal, board.width, search.paths.moves.shape[1], 1)
    slow.begin(seed, 0, chosen.population, chosen.start_length)
    assert paths_of(search) == slow.paths
    best, since = -1e30, 0
    crowd = max(1, int(chosen.crowd * chosen.population)) if chosen.diversity else 0
    for generation in range(6 if COMPILED else 3):
        won = [number for number, path in enumerate(slow.paths) if path[-1] == goal]
        search.advance(1)
        assert search.winner == (won[0] if won else -1)
        if won:
            break
        top = max(twin.rate(path[-1], goal, board.width, 1) for path in slow.paths)
        if top > best:
            best, since = top, generation
        if generation - since >= chosen.patience:
            best, since = -1e30, generation
            slow.begin(seed, generation + 1, chosen.population, chosen.start_length)
        else:
            rules = (
                chosen.mutation,
                chosen.crossing,
                crowd,
                chosen.shaken,
                search.rules.stride,
                search.rules.reach,
            )
            slow.generation(seed, generation, chosen.kept, *rules, regrow=chosen.excess == "regrow")
        assert paths_of(search) == slow.paths


@given(boards([(3, 3), (3, 2)]), words)
def test_a_shortened_path_is_the_shortest_over_the_boards_of_all_paths(
    board: Board, seed: int
) -> None:
    search = SlidingSearch(board, EnhancedSettings(population=8, elites=1), seed)
    search.advance(3)
    paths = paths_of(search)
    tiles, goal = normal(board)
    held = {one for path in paths for one in path}
    way = np.zeros(search.paths.moves.shape[1], np.int8)
    length = shorten(board.normal, search.frame, search.paths.moves, search.paths.lengths, 0, way)
    reached, layer, steps = {tiles}, {tiles}, 0
    while layer and goal not in layer:
        layer = {
            after
            for one in layer
            for move in range(4)
            if (after := twin.slide(one, board.width, move)) in held and after not in reached
        }
        reached |= {one for one in layer if one is not None}
        steps += 1
    assert length == (steps if layer else -1)
    if length >= 0:
        board.with_solution("".join(MOVES[move] for move in way[:length])).check()


@given(boards([(3, 2), (3, 3)]), st.text(MOVES, max_size=30))
def test_with_room_for_every_board_around_a_path_becomes_the_shortest_there_is(
    board: Board, wandering: str
) -> None:
    if not COMPILED:
        board = Board.read("1_2345", None, (3, 2))
    moves, solved = "", board
    for move in wandering:
        if neighbours(board.width, board.height)[solved.blank, MOVES.index(move)] >= 0:
            solved, moves = solved.after(move), moves + move
    rest = exact.solve(solved).moves
    path = np.array([[MOVES.index(move) for move in moves + (rest or "")]], np.int8).reshape(1, -1)
    way = np.zeros(max(path.shape[1], 1), np.int8)
    length = shorten(board.normal, frame_of(board), path, np.array([path.shape[1]]), 181_440, way)
    assert length == exact.optimal_length(board)


@given(boards())
def test_fingerprints_follow_a_slide_and_tell_boards_apart(board: Board) -> None:
    frame = frame_of(board)
    printed = print_board(board.normal, frame)
    seen = {int(printed)}
    for number, move in enumerate(MOVES):
        other = int(frame.near[board.blank, number])
        if other >= 0:
            after = print_board(board.after(move).normal, frame)
            assert (
                print_after(np.uint64(printed), int(board.normal[other]), board.blank, other, frame)
                == after
            )
            assert int(after) not in seen
            seen.add(int(after))


@given(st.sampled_from(SIZES), st.data())
def test_a_frame_knows_how_far_each_tile_is_from_home(
    size: tuple[int, int], data: st.DataObject
) -> None:
    width, height = size
    goal = data.draw(st.permutations(range(width * height)))
    frame = make_frame(neighbours(width, height), np.array(goal, np.uint8), width, 1)
    for home, tile in enumerate(goal):
        for cell in range(width * height):
            steps = (
                abs(cell // width - home // width) + abs(cell % width - home % width) if tile else 0
            )
            assert frame.away[tile, cell] == steps


def test_ranks_follow_the_order_of_the_tiles() -> None:
    assert [rank_board(np.array(order, np.uint8)) for order in permutations(range(5))] == list(
        range(120)
    )
