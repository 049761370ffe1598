"""Learn a pack: a tabular agent (Q-learning) plays 400 games at once, until it walks every level of
a pack by a shortest path.
"""

import gymnasium
import numpy as np

import levolve
import levolve.bridges.gymnasium

PLAYERS, STEPS, WANDER = 400, 1500, 0.2

pack = levolve.pack("maze", count=6, size=(9, 9), seed=1, distinct=0.2)
envs = gymnasium.make_vec("levolve/Maze-v0", num_envs=PLAYERS, pack=pack, max_steps=200)

# The value of each action on each cell of each level. No return is above 1: such a start makes the
# agent try everything.
values = np.ones((len(pack.levels), 9, 9, 4))
random = np.random.default_rng(1)


def best(level: np.ndarray, player: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the values of the actions where each player stands; those of illegal moves are far
    below all others.
    """
    return np.where(mask, values[level, player[:, 1], player[:, 0]], -9.0)


observations, infos = envs.reset(seed=1)
ended = np.zeros(PLAYERS, bool)
for _ in range(STEPS):
    level, player, mask = infos["level"], observations["player"], infos["action_mask"]
    wandering = (random.random((PLAYERS, 4)) * mask).argmax(axis=1)
    actions = np.where(
        random.random(PLAYERS) < WANDER, wandering, best(level, player, mask).argmax(axis=1)
    )
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    # Where an episode had ended, this step has only begun the next one: there is nothing to learn
    # from it.
    moved = ~ended
    future = best(infos["level"], observations["player"], infos["action_mask"]).max(axis=1)
    learnt = rewards + np.where(terminated, 0.0, future)
    values[level[moved], player[moved, 1], player[moved, 0], actions[moved]] = learnt[moved]
    ended = terminated | truncated

env = gymnasium.make("levolve/Maze-v0", pack=pack, max_steps=200)
shortest = 0
for number, played in enumerate(pack.levels):
    observation, info = env.reset(options={"level": number})
    steps, over = 0, False
    while not over:
        action = best(
            np.array([number]), observation["player"][np.newaxis], info["action_mask"]
        ).argmax()
        observation, _reward, won, late, info = env.step(action)
        steps, over = steps + 1, won or late
    shortest += steps == len(played.solution or "")
    print(f"level {number}: {steps} steps, the shortest path has {len(played.solution or '')}")
print(
    f"score: {shortest} of {len(pack.levels)} levels by a shortest path, after "
    f"{PLAYERS * STEPS:,} steps"
)
