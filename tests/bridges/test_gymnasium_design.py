"""The environment for design: rewards are changes of the score, and only what may change does."""

import os
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from levolve.bridges.gymnasium import DesignEnv, DesignVectorEnv
from levolve.bridges.gymnasium.representations import REPRESENTATIONS
from levolve.core.errors import InputError
from levolve.kernels.bits.random_streams import EDIT
from levolve.levels.measures.measuring import batch_of
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import shipped
from oracles import streams
from oracles.design import Designer

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
        _, reward, terminated, truncated, info = env.step(
            int(random.integers(0, int(env.action_space.n)))
        )
        total += reward
        assert info["score"] == objective.score(batch_of(env.level))[0]
        ended = terminated or truncated
    assert total == pytest.approx(info["score"] - start)


@pytest.mark.parametrize("name", NAMES)
def test_an_action_changes_what_its_mask_says_and_nothing_that_is_kept(name: str) -> None:
    keep = ("S?????".replace("S", "?"), "?##???", "??????", "??..??", "??????", "??????")
    env = DesignEnv(
        "maze", size=(6, 6), settings={"keep": list(keep)}, representation=name, changes=100.0
    )
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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("recipe", "size"), [("maze", (5, 4)), ("maze-chromatic", (4, 4))])
def test_designers_edit_as_their_twins_do(name: str, recipe: str, size: tuple[int, int]) -> None:
    settings = {"keep": ["?????", "?#???", "?????", "??.??"]} if recipe == "maze" else {}
    envs = DesignVectorEnv(
        4, recipe, size=size, settings=settings, representation=name, changes=0.6, max_steps=9
    )
    observations, infos = envs.reset(seed=5)
    drafts, random = envs.designers.drafts, np.random.default_rng(1)
    kinds, episodes = len(drafts.tileset.characters), [0] * 4

    def designer_of(which: int) -> Designer:
        def jump(step: int) -> int:
            return streams.draw_below(
                streams.open_stream(5 + which, EDIT, episodes[which], 0),
                step,
                int(drafts.free.sum()),
            )

        def score(tiles: list[list[int]]) -> float:
            other = DesignEnv(recipe, size=size, settings=settings).designer.drafts
            other.cells[0] = np.ravel(tiles)
            return float(other.scores(np.array([0]))[0])

        return Designer(
            name, observations["tiles"][which].tolist(), drafts.free.tolist(), kinds, jump, score
        )

    twins = [designer_of(which) for which in range(4)]
    ended = [False] * 4
    for _ in range(25):
        actions = random.integers(0, envs.single_action_space.n, 4)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for which, action in enumerate(actions.tolist()):
            if ended[which]:
                episodes[which] += 1
                twins[which] = designer_of(which)
                assert rewards[which] == 0
            else:
                assert rewards[which] == twins[which].act(action)
            twin = twins[which]
            changes = sum(map(sum, twin.changed))
            assert observations["tiles"][which].tolist() == twin.tiles
            assert observations["changed"][which].tolist() == twin.changed
            assert name == "wide" or observations["cursor"][which].tolist() == list(twin.cursor)
            assert observations["left"][which, 0] == pytest.approx(
                1 - changes / envs.designers.most_changes
            )
            assert infos["action_mask"][which].tolist() == twin.legal()
            assert (infos["score"][which], infos["changes"][which]) == (twin.worth, changes)
            done = changes >= envs.designers.most_changes
            assert (terminations[which], truncations[which]) == (
                not ended[which] and done,
                not ended[which] and not done and twin.steps >= 9,
            )
        ended = (terminations | truncations).tolist()
    assert min(episodes) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_many_levels_are_edited_as_single_ones_are(name: str) -> None:
    count = 5
    arguments: dict[str, Any] = {
        "size": (6, 5),
        "representation": name,
        "changes": 0.3,
        "max_steps": 20,
        "target": {"exit_path": (9, 12)},
    }
    envs = gymnasium.make_vec(
        "levolve/Design-v0", num_envs=count, vectorization_mode="vector_entry_point", **arguments
    )
    assert isinstance(envs, DesignVectorEnv)
    singles = [DesignEnv(**arguments) for _ in range(count)]
    observations, infos = envs.reset(seed=3)
    begun = [env.reset(seed=3 + place) for place, env in enumerate(singles)]
    random, ended = np.random.default_rng(4), [False] * count
    for _ in range(60):
        for place, (observation, info) in enumerate(begun):
            for entry, value in observation.items():
                assert np.array_equal(observations[entry][place], value)
            assert all(np.array_equal(infos[entry][place], value) for entry, value in info.items())
        actions = random.integers(0, envs.single_action_space.n, count)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        begun = []
        for place, env in enumerate(singles):
            if ended[place]:
                begun.append(env.reset())
                assert (rewards[place], terminations[place], truncations[place]) == (
                    0,
                    False,
                    False,
                )
                continue
            observation, *seen, info = env.step(int(actions[place]))
            assert [rewards[place], terminations[place], truncations[place]] == seen
            begun.append((observation, info))
        ended = (terminations | truncations).tolist()


def test_levels_of_a_vector_begin_by_their_mask_and_are_drawn() -> None:
    envs = DesignVectorEnv(3, size=(5, 5), representation="turtle", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, np.int64))
    before, _ = envs.reset(seed=[1, 2, None])
    after, infos = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert [np.array_equal(before["tiles"][i], after["tiles"][i]) for i in range(3)] == [
        True,
        False,
        True,
    ]
    assert infos["_score"].tolist() == [False, True, False]
    texts = envs.render()
    assert texts is not None
    assert all("0 of 5 changes, step 0 of 100" in text for text in texts)
    for actions, message in (
        (np.zeros(2, np.int64), "actions: expected whole numbers of shape"),
        (np.full(3, 6), "from 0 to 5, got 6"),
    ):
        with pytest.raises(InputError, match=message):
            envs.step(actions)


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
    env = DesignEnv(
        "maze",
        size=(4, 4),
        target={"walls": (0, 16), "exit_path": (6, 16)},
        representation="wide",
        changes=10.0,
    )
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
    settings = {"floors": 1} if recipe == "tower" else {}
    env = DesignEnv(recipe, settings=settings, representation="wide", render_mode="ansi")
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
        ({"recipe": "tower"}, "recipe tower: expected levels with one floor.*got 3 floors"),
        (
            {"size": (2, 2), "settings": {"keep": ["..", ".."]}},
            "keep: expected cells that may change",
        ),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DesignEnv(**arguments)
    env = DesignEnv(size=(4, 4))
    env.reset(seed=1)
    with pytest.raises(InputError, match="action: expected a whole number from 0 to 2, got 3"):
        env.step(3)
