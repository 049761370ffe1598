"""Play among things: one player by the plain rules, and what players see."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levels.things.inputs import levels_with_things
from levolve.bridges.gymnasium.crawl_game import CrawlGame
from levolve.bridges.gymnasium.play_envs import PlayEnv, PlayVectorEnv
from levolve.bridges.gymnasium.players import Players
from levolve.bridges.gymnasium.sources import LevelSource
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.solver import recertified
from levolve.levels.things.playing import PlayRules
from oracles.play import Crawl

CASTLE = recertified(
    Level.from_text(
        """##############
#S...#...#..E#
#.##.#.#.#.#.#
#..#...#...#.#
##.#####.###.#
#............#
##############
thing: player 1,1 health=2
thing: key 4,1 color=blue
thing: key 1,3 color=red
thing: door 4,2 color=red
thing: monster 8,3
thing: lever 12,5 id=a
thing: gate 10,3 lever=a
thing: treasure 2,5
goal: all"""
    )
)
STAIRS = recertified(
    Level.from_text(
        "S..#\n####\n...E\nthing: stairs 2,0 id=up to=down\nthing: stairs 0,2 id=down to=up"
    )
)


class Levels(LevelSource):
    """Some levels."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels = levels
        self.first, self.count = 0, len(levels)
        self.size = max(level.width for level in levels), max(level.height for level in levels)

    def item(self, number: int) -> Level:
        return self.levels[number]

    def samples(self) -> Sequence[Level]:
        return self.levels


@given(levels_with_things(side=6, most=8), st.integers(0, 2**32 - 1))
def test_a_player_moves_as_the_plain_rules_say(level: Level, seed: int) -> None:
    plain, cost = Crawl(level, 0.125), 0.125
    if plain.won:
        return
    game = CrawlGame(Levels([level]), 1)
    players = Players(game, 1000, cost, recording=True)
    players.seed(np.arange(1), np.array([1], np.uint64))
    players.begin(np.arange(1), np.array([0]))
    chance, results = random.Random(seed), players.look()
    rules = PlayRules(level)
    for _ in range(60):
        assert results.masks[0].tolist() == [plain.may(move) for move in range(5)]
        seen = game.observe()
        assert game.space.contains({name: values[0] for name, values in seen.items()})
        x, y = plain.state.cell
        assert tuple(seen["player"][0]) == (x, y)
        assert players.moves is not None
        has = rules.has(rules.played(players.moves[0])[-1])
        assert sorted(has.values()) == sorted(seen["holds"][0][seen["holds"][0] > 0])
        move = chance.randrange(5)
        reward, moved = plain.step(move)
        results = players.step(np.array([move]), np.zeros(1, np.bool_))
        assert results.moved[0] == moved
        assert results.rewards[0] == pytest.approx(reward)
        assert results.won[0] == plain.won
        if plain.won:
            return


def environment(folder: Path, **options: Any) -> PlayEnv:
    levolve.save(CASTLE, folder / "a.txt")
    levolve.save(STAIRS, folder / "b.json")
    env = gymnasium.make("levolve/Crawl-v0", folder=folder, **options).unwrapped
    assert isinstance(env, PlayEnv)
    return env


def test_gymnasium_finds_nothing_to_criticise_in_levels_with_things(tmp_path: Path) -> None:
    pytest.importorskip("pygame")
    check_env(environment(tmp_path))


@pytest.mark.parametrize("number", [0, 1])
def test_a_solution_wins_with_the_whole_reward(tmp_path: Path, number: int) -> None:
    env = environment(tmp_path, step_cost=0, render_mode="ansi")
    observation, info = env.reset(seed=1, options={"level": number})
    total, level = 0.0, env.level
    assert observation["left"] == (1 if number == 0 else 0)
    for move in level.solution or "":
        assert info["action_mask"]["udlrx".index(move)]
        observation, reward, ended, _, info = env.step("udlrx".index(move))
        total += reward
    assert (ended, info["won"], observation["left"]) == (True, True, 0)
    assert total == pytest.approx(1)
    assert "@" in env.render()


def test_planes_show_keys_doors_levers_and_gates_as_they_are_now(tmp_path: Path) -> None:
    env = environment(tmp_path, render_mode="rgb_array")
    seen, _ = env.reset(seed=1, options={"level": 0})
    game = env._players.game
    assert isinstance(game, CrawlGame)
    key, door, lever, gate, monster = (
        seen["things"][game.kinds.index(kind)]
        for kind in ["key", "door", "lever", "gate", "monster"]
    )
    # Colours in alphabetical order: blue, red.
    assert (key[1, 4], key[3, 1], door[2, 4]) == (1, 2, 2)
    assert lever[5, 12] == gate[3, 10] == 1
    assert monster[3, 8] == 1
    assert (seen["open"][2, 4], seen["open"][3, 10], seen["on"][5, 12]) == (0, 0, 0)
    assert seen["holds"][0] == 2
    before = env.render()
    for move in "dd":
        seen, *_ = env.step("udlrx".index(move))
    assert seen["things"][game.kinds.index("key")][3, 1] == 0
    assert seen["open"][2, 4] == 1
    assert seen["holds"].tolist()[:5] == [2, 0, 0, 0, 1]
    assert not np.array_equal(before, env.render())


def test_many_players_play_as_one_does(tmp_path: Path) -> None:
    env = environment(tmp_path)
    envs = PlayVectorEnv(3, "crawl", folder=tmp_path)
    many, _ = envs.reset(seed=5, options={"level": [0, 1, 0]})
    one, _ = env.reset(seed=5, options={"level": 0})
    random = np.random.default_rng(3)
    for _ in range(80):
        actions = random.integers(0, 5, 3)
        many, rewards, ended, cut, infos = envs.step(actions)
        one, reward, done, _, info = env.step(actions[0])
        assert reward == rewards[0]
        for name, values in one.items():
            assert np.array_equal(values, many[name][0]), name
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        if done or ended[0] or cut[0]:
            break
    with pytest.raises(InputError, match="expected 0 up, 1 down, 2 left, 3 right, 4 use, got 5"):
        envs.step([0, 5, 0])


def test_levels_with_too_many_colours_are_refused() -> None:
    things = "\n".join(f"thing: key {x},0 color=c{x}" for x in range(1, 11))
    level = Level.from_text(f"S{'.' * 11}E\n{'#' * 13}\n{things}")
    game = CrawlGame(Levels([level]), 1)
    with pytest.raises(InputError, match="keys of at most 8 colours"):
        game.begin(np.array([0]), np.array([0]))
