"""Measure the steps per second of the environments for Gymnasium: processor time of `step`, with
everything that it returns.

A step includes the check of the actions, the moves of all players by one kernel call, rewards,
ends, action masks, the next levels of players whose episode has ended, and copies of all
observations. Not included: the random actions, which are drawn before, and the 1,000 levels, which
are made by the first resets. Compared with Gymnasium's own vector of single environments, which
plays the same game.
"""

import time
from statistics import median
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv

import levolve.bridges.gymnasium

assert levolve.bridges.gymnasium.TASKS

ROUNDS, PLAYERS, FEW = 7, 10_000, 20
CASES: dict[str, dict[str, Any]] = {
    "levolve/Maze-v0": {"recipe": "labyrinth", "size": (15, 15)},
    "levolve/Dungeon-v0": {"size": (10, 10)},
    "levolve/Chromatic-v0": {"size": (15, 15)},
    "levolve/Flag-v0": {"size": (7, 7)},
    "levolve/Sliding-v0": {"size": (3, 3)},
}


def rate(envs: VectorEnv, steps: int) -> float:
    """Return the steps of all players per second of processor time."""
    random = np.random.default_rng(1)
    actions = random.integers(0, 4, (steps, envs.num_envs))
    began = time.process_time()
    for chosen in actions:
        envs.step(chosen)
    return steps * envs.num_envs / (time.process_time() - began)


def main() -> None:
    for name, arguments in CASES.items():
        envs = gymnasium.make_vec(name, num_envs=PLAYERS, levels=1000, **arguments)
        slow = gymnasium.make_vec(
            name, num_envs=FEW, vectorization_mode="sync", levels=100, **arguments
        )
        for vector in (envs, slow):
            vector.reset(seed=1)
        envs.reset(seed=2)
        rate(envs, 100)
        rate(slow, 100)
        # In turn, so that both meet the same conditions.
        rounds = [(rate(envs, 200), rate(slow, 100)) for _ in range(ROUNDS)]
        fast, single = (median(pair[index] for pair in rounds) for index in range(2))
        print(
            f"{name}: {fast / 1e6:.1f} million steps/s with {PLAYERS:,} players in one call "
            f"(best {max(pair[0] for pair in rounds) / 1e6:.1f}), "
            f"{single / 1e3:.1f} thousand with {FEW} single environments: "
            f"{fast / single:,.0f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
