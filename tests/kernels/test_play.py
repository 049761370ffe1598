"""Players move as a plain player does, each on a level of its own."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.inputs import Scene, any_tilesets, scenes, words
from levolve.kernels.bits.random_streams import EDIT, EPISODE
from levolve.kernels.play import draw_cells, draw_numbers, step_boards, step_rounds, step_walks
from oracles import play as twin
from oracles import streams

COST = 0.125
MOST = 20
NEVER = 10
Twin = twin.Walk | twin.Round | twin.Board


class Arrays:
    """What all kernels of play take and give."""

    def __init__(self, count: int) -> None:
        self.begins = np.zeros(count, np.bool_)
        self.steps = np.zeros(count, np.int64)
        self.rewards = np.full(count, np.nan)
        self.won, self.stuck, self.truncated, self.moved = (
            np.zeros(count, np.bool_) for _ in range(4)
        )
        self.masks = np.full((count, 4), -9, np.int8)

    def agrees(self, player: int, game: Twin, reward: float, moved: bool, steps: int) -> None:
        assert self.rewards[player] == reward
        assert self.won[player] == game.won
        assert self.moved[player] == moved
        assert self.truncated[player] == (not game.won and not game.lost and steps >= MOST)
        assert self.masks[player].tolist() == [game.may(move) for move in range(4)]
        assert self.steps[player] == steps


def play(arrays: Arrays, games: list[Twin], move: Any, seed: int) -> None:
    """Move all players at once and one by one; those that begin an episode must not move."""
    random = np.random.default_rng(seed)
    taken = [0] * len(games)
    for _ in range(MOST + 2):
        actions = random.integers(0, 4, len(games))
        arrays.begins[:] = random.random(len(games)) < 0.1
        move(actions)
        for player, game in enumerate(games):
            if arrays.begins[player]:
                assert arrays.rewards[player] == 0
                assert not arrays.moved[player]
                assert not arrays.truncated[player]
                continue
            taken[player] += 1
            reward, moved = game.step(int(actions[player]))
            arrays.agrees(player, game, reward, moved, taken[player])


@given(scenes(tilesets=any_tilesets, counts=st.integers(1, 3)), st.data(), st.integers(0, 2**32))
def test_walks_follow_the_steps_of_the_tileset_and_the_stops_of_the_goal(
    scene: Scene, data: st.DataObject, seed: int
) -> None:
    count, height, width = scene.tiles.shape
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    # Stops near each other are reached more often.
    near = st.sampled_from(
        [
            scene.start,
            (min(scene.start[0] + 1, width - 1), scene.start[1]),
            (scene.start[0], max(scene.start[1] - 1, 0)),
        ]
    )
    routes = [
        [scene.start, *data.draw(st.lists(cells | near, min_size=1, max_size=4))]
        for _ in range(count)
    ]
    games: list[Twin] = [
        twin.Walk(level, scene.tileset.steps, route, COST)
        for level, route in zip(scene.levels, routes, strict=True)
    ]
    stops = np.full((count, 5, 2), -7, np.int64)
    for player, route in enumerate(routes):
        stops[player, : len(route)] = route
    walks = [game for game in games if isinstance(game, twin.Walk)]
    reached = np.array(
        [len(route) - len(game.ahead) for route, game in zip(routes, walks, strict=True)], np.int64
    )
    lengths = np.array([len(route) for route in routes], np.int64)
    shares = np.array([game.share for game in walks])
    places = np.array([game.cell for game in games], np.int64)
    targets = np.full((count, 2), -9, np.int64)
    arrays = Arrays(count)
    tiles = scene.tiles.copy()

    def move(actions: NDArray[np.int64]) -> None:
        step_walks(
            actions,
            arrays.begins,
            tiles,
            scene.tileset.table,
            stops,
            lengths,
            shares,
            places,
            reached,
            arrays.steps,
            MOST,
            COST,
            arrays.rewards,
            arrays.won,
            arrays.truncated,
            arrays.moved,
            targets,
            arrays.masks,
        )

    play(arrays, games, move, seed)
    assert places.tolist() == [list(game.cell) for game in games]
    assert reached.tolist() == [
        len(route) - len(game.ahead) for route, game in zip(routes, walks, strict=True)
    ]
    assert targets.tolist() == [
        list((game.ahead or route[-1:])[0]) for route, game in zip(routes, walks, strict=True)
    ]
    assert (tiles == scene.tiles).all()


@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32))
def test_rounds_fall_and_are_won_as_the_rules_say(
    count: int, height: int, width: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    left = random.choice(np.array([0, 1, 1, 1, 2, 3, NEVER], np.uint8), (count, height, width))
    places = np.stack((random.integers(0, width, count), random.integers(0, height, count)), axis=1)
    flags = np.stack((random.integers(0, width, count), random.integers(0, height, count)), axis=1)
    for player in range(count):
        # In small rounds the flag is often beside the start, with nothing else to use up.
        if random.random() < 0.3:
            left[player] = 0
        left[player, places[player, 1], places[player, 0]] = 1
        left[player, flags[player, 1], flags[player, 0]] = NEVER
    games: list[Twin] = [
        twin.Round(
            left[player].tolist(),
            tuple(places[player].tolist()),
            tuple(flags[player].tolist()),
            NEVER,
            COST,
        )
        for player in range(count)
    ]
    left = np.array([game.left for game in games if isinstance(game, twin.Round)], np.uint8)
    rests = np.array(
        [
            sum(visits for row in level for visits in row if visits != NEVER)
            for level in left.tolist()
        ],
        np.int64,
    )
    arrays = Arrays(count)

    def move(actions: NDArray[np.int64]) -> None:
        step_rounds(
            actions,
            arrays.begins,
            left,
            NEVER,
            flags,
            places,
            rests,
            arrays.steps,
            MOST,
            COST,
            arrays.rewards,
            arrays.won,
            arrays.stuck,
            arrays.truncated,
            arrays.moved,
            arrays.masks,
        )

    play(arrays, games, move, seed)
    assert left.tolist() == [game.left for game in games if isinstance(game, twin.Round)]
    assert places.tolist() == [list(game.cell) for game in games]
    assert arrays.stuck.tolist() == [game.lost for game in games]


@given(st.integers(1, 3), st.integers(2, 4), st.integers(2, 4), st.integers(0, 2**32))
def test_tiles_slide_into_the_blank(count: int, height: int, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    goals = (
        np.stack([random.permutation(width * height) for _ in range(count)])
        .reshape(count, height, width)
        .astype(np.uint8)
    )
    games: list[Twin] = [twin.Board(goal, goal, COST) for goal in goals.tolist()]
    for game in games:
        assert isinstance(game, twin.Board)
        game.tiles = [list(row) for row in game.goal]
        for move in random.integers(0, 4, random.integers(1, 4)).tolist():
            game.step(move)
    tiles = np.array([game.tiles for game in games if isinstance(game, twin.Board)], np.uint8)
    blanks = np.array([game.cell for game in games], np.int64)
    arrays = Arrays(count)

    def move_all(actions: NDArray[np.int64]) -> None:
        step_boards(
            actions,
            arrays.begins,
            tiles,
            goals,
            blanks,
            arrays.steps,
            MOST,
            COST,
            arrays.rewards,
            arrays.won,
            arrays.truncated,
            arrays.moved,
            arrays.masks,
        )

    play(arrays, games, move_all, seed)
    assert tiles.tolist() == [game.tiles for game in games if isinstance(game, twin.Board)]
    assert blanks.tolist() == [list(game.cell) for game in games]


@given(st.lists(st.tuples(words, st.integers(0, 2**40)), max_size=4), st.integers(1, 2**32))
def test_the_levels_of_episodes_are_numbers_of_their_streams(
    keys: list[tuple[int, int]], count: int
) -> None:
    out = np.full(len(keys), -9, np.int64)
    draw_numbers(
        np.array([seed for seed, _ in keys], np.uint64),
        np.array([episode for _, episode in keys], np.int64),
        count,
        out,
    )
    assert out.tolist() == [
        streams.draw_below(streams.open_stream(seed, EPISODE, episode, 0), 0, count)
        for seed, episode in keys
    ]


@given(
    st.lists(
        st.tuples(words, st.integers(0, 2**40), st.integers(0, 10**6)), min_size=1, max_size=6
    ),
    st.integers(1, 10**6),
)
def test_the_cell_of_a_step_follows_from_seed_episode_and_step(
    designers: list[tuple[int, int, int]], count: int
) -> None:
    seeds = np.array([seed for seed, _, _ in designers], np.uint64)
    episodes, steps = np.array([rest for _, *rest in designers], np.int64).T.copy()
    out = np.empty(len(designers), np.int64)
    draw_cells(seeds, episodes, steps, count, out)
    assert out.tolist() == [
        streams.draw_below(streams.open_stream(seed, EDIT, episode, 0), step, count)
        for seed, episode, step in designers
    ]
