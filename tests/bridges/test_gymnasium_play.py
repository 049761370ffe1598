"""Environments for play: what Gymnasium requires, and that one player and many play alike."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import levolve
from levolve.bridges.gymnasium import TASKS, PlayEnv, PlayVectorEnv
from levolve.core.errors import InputError
from levolve.levels.grid import MOVES, USE
from levolve.puzzles.sliding.rules import Board

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

# Small levels, so that episodes are won by chance.
SMALL: dict[str, dict[str, Any]] = {
    "maze": {"size": (5, 5)},
    "dungeon": {"size": (4, 4)},
    "crawl": {"size": (13, 9)},
    "chromatic": {"size": (4, 3)},
    "flag": {"size": (3, 3)},
    "sliding": {"size": (2, 2)},
}
NAMES = list(TASKS)


def same(one: Any, other: Any) -> None:
    """Both have the same structure, dtypes and values."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    else:
        assert one == other


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_criticise(name: str) -> None:
    pytest.importorskip("pygame")
    env = gymnasium.make(TASKS[name].id, **SMALL[name])
    check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), most=st.integers(1, 40))
def test_many_players_play_as_single_ones_step_by_step(name: str, seed: int, most: int) -> None:
    count, arguments = 5, {**SMALL[name], "levels": 6, "max_steps": most}
    single = gymnasium.make_vec(
        TASKS[name].id, num_envs=count, vectorization_mode="sync", **arguments
    )
    many = gymnasium.make_vec(
        TASKS[name].id, num_envs=count, vectorization_mode="vector_entry_point", **arguments
    )
    assert isinstance(many.unwrapped, PlayVectorEnv)
    assert many.metadata.get("autoreset_mode") == single.metadata.get(
        "autoreset_mode"
    )  # Gymnasium 1.0 has no name for it
    assert many.single_observation_space == single.single_observation_space
    assert many.observation_space == single.observation_space
    same(many.reset(seed=seed), single.reset(seed=seed))
    random = np.random.default_rng(seed)
    for _ in range(60):
        actions = random.integers(0, 4, count)
        results = many.step(actions)
        same(results, single.step(actions))
        assert many.observation_space.contains(results[0])
    same(many.reset(), single.reset())


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_of_a_level_wins_it_at_its_last_move(name: str) -> None:
    env = PlayEnv(name, **SMALL[name])
    for episode in range(5):
        env.reset(seed=episode)
        moves = env.level.solution
        assert moves
        results = [env.step((MOVES + USE).index(move)) for move in moves]
        assert [terminated for _, _, terminated, _, _ in results] == [False] * (len(moves) - 1) + [
            True
        ]
        assert results[-1][4]["won"]
        assert sum(result[1] for result in results) == pytest.approx(1 - len(moves) / env.max_steps)
        assert env.moves == moves


@pytest.mark.parametrize("name", NAMES)
def test_masked_moves_do_nothing_and_all_others_move(name: str) -> None:
    env = PlayEnv(name, **SMALL[name], max_steps=10_000)
    observation, info = env.reset(seed=3)
    random = np.random.default_rng(1)
    for _ in range(100):
        action = int(random.integers(0, 4))
        legal, before = info["action_mask"][action], observation
        observation, _, terminated, _, info = env.step(action)
        changed = any(not np.array_equal(before[key], observation[key]) for key in before)
        assert changed == legal
        if terminated:
            observation, info = env.reset()


@pytest.mark.parametrize("name", NAMES)
def test_no_array_is_used_again(name: str) -> None:
    envs = PlayVectorEnv(3, name, **SMALL[name])
    kept: list[Any] = [envs.reset(seed=1)]
    kept += [envs.step(np.array([0, 1, 3])) for _ in range(3)]

    def arrays(thing: Any) -> list[NDArray[Any]]:
        if isinstance(thing, np.ndarray):
            return [thing]
        parts = thing.values() if isinstance(thing, dict) else thing
        return [array for part in parts for array in arrays(part)]

    listed = [array for result in kept for array in arrays(result)]
    assert len(listed) > 30
    assert not any(np.shares_memory(a, b) for index, a in enumerate(listed) for b in listed[:index])


def test_a_seed_gives_the_same_levels_and_another_seed_others() -> None:
    env = PlayEnv("maze", size=(5, 5))

    def numbers(seed: int) -> list[int]:
        first = env.reset(seed=seed)[1]["level"]
        return [first, *(env.reset()[1]["level"] for _ in range(5))]

    assert numbers(7) == numbers(7) != numbers(8)
    assert len(set(numbers(7))) > 3


def test_a_level_is_the_best_of_the_run_with_its_number_as_seed() -> None:
    env = PlayEnv("maze", recipe="labyrinth", size=(9, 7), generations=3)
    _, info = env.reset(seed=5)
    assert (
        env.level
        == levolve.evolve("labyrinth", size=(9, 7), generations=3, seed=info["level"]).best
    )


def test_a_level_can_be_chosen_by_its_number() -> None:
    envs = PlayVectorEnv(3, "maze", size=(5, 5))
    assert envs.reset(seed=1, options={"level": 4})[1]["level"].tolist() == [4, 4, 4]
    assert envs.reset(options={"level": np.array([4, 5, 6])})[1]["level"].tolist() == [4, 5, 6]
    env = PlayEnv("maze", size=(5, 5))
    assert env.reset(options={"level": 4})[1]["level"] == 4
    with pytest.raises(InputError, match="from 0 to 999"):
        env.reset(options={"level": 1000})
    with pytest.raises(InputError, match=r"unknown option .levels.*level"):
        env.reset(options={"levels": 4})


def test_some_players_can_begin_while_the_others_go_on() -> None:
    envs = PlayVectorEnv(3, "maze", size=(5, 5))
    envs.reset(seed=1)
    for _ in range(6):
        before = envs.step(np.array([3, 3, 1]))[0]
    observations, infos = envs.reset(seed=9, options={"reset_mask": np.array([True, False, True])})
    expected = PlayVectorEnv(3, "maze", size=(5, 5)).reset(seed=9)[0]
    for key, values in observations.items():
        assert (values[[0, 2]] == expected[key][[0, 2]]).all()
        assert (values[1] == before[key][1]).all()
    assert infos["_level"].tolist() == [True, False, True]


def test_a_list_of_seeds_has_one_per_player() -> None:
    envs = PlayVectorEnv(3, "maze", size=(5, 5))
    listed = envs.reset(seed=[5, 1, 5])[1]["level"].tolist()
    assert listed == [
        PlayEnv("maze", size=(5, 5)).reset(seed=seed)[1]["level"] for seed in (5, 1, 5)
    ]
    with pytest.raises(InputError, match="seed: expected one seed, or 3"):
        envs.reset(seed=[1, 2])


def test_an_episode_is_truncated_after_its_steps() -> None:
    env = PlayEnv("sliding", max_steps=3)
    env.reset(seed=1)
    # Up and down again, or not at all: the board is not solved.
    ends = [env.step(action)[2:4] for action in (0, 1, 0)]
    assert ends == [(False, False), (False, False), (False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 1], r"expected whole numbers of shape \(3,\)"),
        ([0.0, 1.0, 2.0], "float64"),
        ([0, 4, 1], "got 4"),
        ([0, -1, 1], "got -1"),
    ],
)
def test_wrong_actions_are_refused_and_nothing_moves(actions: list[float], message: str) -> None:
    envs = PlayVectorEnv(3, "maze", size=(5, 5), max_steps=2)
    twin = PlayVectorEnv(3, "maze", size=(5, 5), max_steps=2)
    envs.reset(seed=1), twin.reset(seed=1)
    for _ in range(4):
        with pytest.raises(InputError, match=message):
            envs.step(actions)
        same(envs.step(np.array([1, 1, 3])), twin.step(np.array([1, 1, 3])))


def test_text_shows_the_player_and_the_rules_of_each_puzzle() -> None:
    env = PlayEnv("maze", size=(9, 7), render_mode="ansi")
    env.reset(seed=1)
    moves = env.level.solution
    assert moves
    observation = env.step(MOVES.index(moves[0]))[0]
    rows = env.render().splitlines()
    x, y = observation["player"]
    assert rows[y][x] == "@"
    assert "".join(rows).count("@") == 1
    assert rows[-1].endswith(f"step 1 of {env.max_steps}")
    boards = PlayEnv("sliding", render_mode="ansi")
    boards.reset(seed=1)
    assert isinstance(boards.level, Board)
    assert boards.render().split()[:9] == [str(tile or "_") for tile in boards.level.tiles]


@pytest.mark.parametrize("name", NAMES)
def test_pictures_change_with_every_move_and_keep_their_size(name: str) -> None:
    env = PlayEnv(name, **SMALL[name], render_mode="rgb_array")
    _, info = env.reset(seed=2)
    first = env.render()
    env.step(int(info["action_mask"].argmax()))
    second = env.render()
    assert first.shape == second.shape
    assert (first != second).any()
    envs = PlayVectorEnv(2, name, **SMALL[name], render_mode="rgb_array")
    envs.reset(seed=2)
    frames = envs.render()
    assert frames is not None
    assert (frames[0] == first).all()


def test_levels_are_drawn_in_a_theme() -> None:
    pictures = []
    for theme in ("stone", "ice"):
        env = PlayEnv("maze", size=(5, 5), render_mode="rgb_array", theme=theme, tile=8)
        env.reset(seed=1)
        pictures.append(env.render())
    assert pictures[0].shape == (40, 40, 3)
    assert (pictures[0] != pictures[1]).any()


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\nimport levolve.bridges.gymnasium"
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 1
    assert "pip install 'levolve[gym]'" in finished.stderr.splitlines()[-1]


def test_a_pack_and_its_folder_give_the_same_levels(tmp_path: Path) -> None:
    pack = levolve.pack("maze", count=3, size=(7, 6), seed=1, executor=1)
    pack.save(tmp_path / "pack", "json")
    sources = [{"pack": pack}, {"pack": tmp_path / "pack"}, {"folder": tmp_path / "pack"}]
    for source in sources:
        env = PlayEnv("maze", **source)  # type: ignore[arg-type] # one of the sources
        env.reset(seed=1)
        assert [env.source.item(number) for number in range(3)] == list(pack.levels)
        assert env.source.count == 3


def test_the_files_of_a_folder_may_differ_in_size_and_format(tmp_path: Path) -> None:
    small, large = levolve.Level.from_text("S.\n#E"), levolve.Level.from_text("S#..\n....\n...E")
    for name, level in (("b.txt", small), ("a.tmx", large), ("c.json", large)):
        levolve.save(level, tmp_path / name)
    (tmp_path / "notes.md").write_text("not a level")
    env = PlayEnv("maze", folder=tmp_path)
    assert env.source.count == 2
    observation, _ = env.reset(options={"level": 1})
    assert observation["tiles"].tolist() == [[0, 0, 2, 2], [1, 0, 2, 2], [2, 2, 2, 2]]
    assert env.step(3)[4]["action_mask"].tolist() == [0, 1, 1, 0]
    assert env.step(1)[2]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("maze", {"recipe": "maze", "folder": "x"}, "recipe and folder: expected one of them"),
        ("maze", {"folder": "nowhere"}, "expected a folder of levels, got nothing"),
        ("maze", {"recipe": "labyrint"}, "labyrinth"),
        ("maze", {"recipe": "flag"}, "flag"),
        ("maze", {"request": {"length": 3}}, "request: expected none together with a recipe"),
        ("flag", {"recipe": "maze"}, "recipe: expected 'flag'"),
        ("flag", {"target": {"walls": 3}}, "target: expected none together with flag"),
        ("maze", {"levels": 0}, "levels and first"),
        ("maze", {"first": -1}, "levels and first"),
        ("maze", {"max_steps": 0}, "max_steps: expected a whole number from 1"),
        ("maze", {"step_cost": float("nan")}, "step_cost"),
        ("maze", {"generations": "many"}, "generations: expected a whole number"),
        ("maze", {"render_mode": "ascii"}, "unknown render_mode 'ascii'.*ansi"),
        ("mazes", {}, "unknown task 'mazes'.*maze"),
    ],
)
def test_wrong_arguments_are_explained(name: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PlayEnv(name, **arguments)


def test_levels_that_cannot_be_played_are_named(tmp_path: Path) -> None:
    levolve.save(levolve.Level.from_text("S#\n#E"), tmp_path / "closed.txt")
    with pytest.raises(
        InputError,
        match=(
            r"closed\.txt: expected a level that can be won by at least one step, got one that "
            r"has no solution"
        ),
    ):
        PlayEnv("maze", folder=tmp_path)
    with pytest.raises(InputError, match=r"closed\.txt: expected a Round, got a Level"):
        PlayEnv("flag", folder=tmp_path)


def test_players_that_begin_again_without_a_seed_go_on_with_other_levels() -> None:
    envs = PlayVectorEnv(3, "maze", size=(5, 5))
    many = [
        envs.reset(seed=7)[1]["level"].tolist(),
        *(envs.reset()[1]["level"].tolist() for _ in range(5)),
    ]
    singles = [PlayEnv("maze", size=(5, 5)) for _ in range(3)]
    alone = [[env.reset(seed=7 + player)[1]["level"] for player, env in enumerate(singles)]]
    alone += [[env.reset()[1]["level"] for env in singles] for _ in range(5)]
    assert many == alone
    assert len({tuple(levels) for levels in many}) == 6
