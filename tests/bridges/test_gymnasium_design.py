"""The environment for design: rewards are changes of the score, and only what may change does."""

import os
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from levolve.bridges.gymnasium import DesignEnv
from levolve.bridges.gymnasium.design.representations import REPRESENTATIONS
from levolve.errors import InputError
from levolve.measures.levels import batch_of
from levolve.recipes.adapt import adapt
from levolve.recipes.recipe import shipped

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

NAMES = list(REPRESENTATIONS)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_criticise(name: str) -> None:
    pytest.importorskip("pygame")
    env = gymnasium.make("levolve/Design-v0", size=(6, 5), representation=name)
    check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_rewards_are_the_changes_of_the_score_of_the_level(name: str) -> None:
    objective = adapt("maze", size=(6, 6)).parts[1]
    env = DesignEnv("maze", size=(6, 6), representation=name, changes=3.0)
    _, info = env.reset(seed=1)
    random, total, start = np.random.default_rng(2), 0.0, info["score"]
    ended = False
    while not ended:
        _, reward, terminated, truncated, info = env.step(int(random.integers(0, int(env.action_space.n))))
        total += reward
        assert info["score"] == objective.score(batch_of(env.level))[0]
        ended = terminated or truncated
    assert total == pytest.approx(info["score"] - start)


@pytest.mark.parametrize("name", NAMES)
def test_an_action_changes_what_its_mask_says_and_nothing_that_is_kept(name: str) -> None:
    keep = ("S?????".replace("S", "?"), "?##???", "??????", "??..??", "??????", "??????")
    env = DesignEnv("maze", size=(6, 6), settings={"keep": list(keep)}, representation=name, changes=100.0)
    observation, info = env.reset(seed=1)
    random, changes = np.random.default_rng(3), 0
    for _ in range(140):
        action = int(random.integers(0, int(env.action_space.n)))
        legal, before = info["action_mask"][action], observation
        observation, _, _, _, info = env.step(action)
        differing = int((observation["tiles"] != before["tiles"]).sum())
        changes += differing
        assert differing <= 1
        assert info["changes"] == changes == observation["changed"].sum()
        moved = "cursor" in before and not np.array_equal(observation["cursor"], before["cursor"])
        if name == "narrow":
            assert differing == (legal and action > 0)
        else:
            assert (differing == 1 or moved) == legal
        assert observation["tiles"][1, 1:3].tolist() == [1, 1]
        assert observation["tiles"][3, 2:4].tolist() == [0, 0]
        assert observation["tiles"][0, 0] == observation["tiles"][-1, -1] == 0


def test_an_episode_ends_when_the_changes_are_used_up() -> None:
    env = DesignEnv("maze", size=(5, 4), representation="wide", changes=0.2)
    assert env.most_changes == round(0.2 * (20 - 2))
    observation, info = env.reset(seed=1)
    ends = []
    for _ in range(env.most_changes):
        observation, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        ends.append(terminated)
        assert not truncated
    assert ends == [False] * (env.most_changes - 1) + [True]
    assert observation["left"].tolist() == [0.0]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_episode_ends_when_the_target_is_met_and_is_truncated_when_it_takes_too_long() -> None:
    env = DesignEnv("maze", size=(4, 4), target={"walls": (0, 16), "exit_path": (6, 16)}, representation="wide", changes=10.0)
    observation, _ = env.reset(seed=2)
    terminated, cell = False, 0
    while not terminated:
        # Every wall is opened, one after the other: an empty level meets the target.
        cell = int((observation["tiles"].ravel() == 1).argmax())
        observation, _, terminated, _, info = env.step(cell * 2)
    assert info["score"] == 1.0
    slow = DesignEnv("maze", size=(4, 4), max_steps=2)
    slow.reset(seed=1)
    assert [slow.step(0)[2:4] for _ in range(2)] == [(False, False), (False, True)]


def test_a_seed_gives_the_same_episodes() -> None:
    env = DesignEnv("maze", size=(5, 5))

    def starts(seed: int) -> list[Any]:
        seen = [env.reset(seed=seed)[0], env.step(0)[0], env.reset()[0], env.step(0)[0]]
        return [(one["tiles"].tolist(), one["cursor"].tolist()) for one in seen]

    assert starts(1) == starts(1) != starts(2)
    first, _, second, _ = starts(1)
    assert first[0] != second[0]


@pytest.mark.parametrize("recipe", [name for name in shipped() if name != "sketch"])
def test_the_levels_of_every_recipe_can_be_designed(recipe: str) -> None:
    env = DesignEnv(recipe, representation="wide", render_mode="ansi")
    _, info = env.reset(seed=1)
    for _ in range(3):
        _, reward, _, _, info = env.step(int(info["action_mask"].argmax()))
        assert np.isfinite(reward)
    assert f"score {info['score']:g}, 3 of {env.most_changes} changes" in env.render()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"representation": "narow"}, "unknown representation 'narow'.*narrow"),
        ({"changes": 0}, "changes: expected a share above 0"),
        ({"max_steps": 0}, "max_steps: expected a whole number from 1"),
        ({"recipe": "mase"}, "maze"),
        ({"size": (2, 2), "settings": {"keep": ["..", ".."]}}, "keep: expected cells that may change"),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DesignEnv(**arguments)
    env = DesignEnv(size=(4, 4))
    env.reset(seed=1)
    with pytest.raises(InputError, match="action: expected a whole number from 0 to 2, got 3"):
        env.step(3)
